"""Values of many trials at once, and how any operation of the language is done with them.

A column is one value in each lane (a lane is a trial, or a die of a trial): `Same` for all lanes, `Whole` numbers,
`Truth`, or `Coded`: places in a short list of values of any kind, which are as exact as a roll's. What has no fast
form is done once for each different combination of values by the function that says what it means (`apply`), so that a
sample can differ from a roll in nothing but speed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = "NDArray[Any]"

SMALL = 1 << 62
"""Whole numbers below this fit into an array with room for a sum."""

TABLE = 1 << 16
"""Up to so many different keys are counted in a table rather than sorted."""


class Same(NamedTuple):
    """One value in all lanes."""

    value: Any

    def take(self, index: Array) -> Same:
        return self


class Whole(NamedTuple):
    """Whole numbers, all of them from `low` to `high`."""

    numbers: Array
    low: int
    high: int

    def take(self, index: Array) -> Whole:
        return Whole(self.numbers[index], self.low, self.high)


class Truth(NamedTuple):
    """Yes or no."""

    holds: Array

    def take(self, index: Array) -> Truth:
        return Truth(self.holds[index])


class Coded(NamedTuple):
    """Places in a list of values."""

    codes: Array
    values: tuple[Any, ...]

    def take(self, index: Array) -> Coded:
        return Coded(self.codes[index], self.values)


Column: TypeAlias = Same | Whole | Truth | Coded


class Groups(NamedTuple):
    """Lanes with equal values together: the group of each lane, and for each group one lane that is in it."""

    codes: Array
    examples: Array


# ---------------------------------------------------------------- lanes with equal values


def grouped(keys: Array, size: int) -> Groups:
    """Lanes with equal keys; `size` bounds the keys, which are not negative."""
    if size <= TABLE:
        number = np.bincount(keys, minlength=1) if len(keys) else np.zeros(1, np.int64)
        there = np.flatnonzero(number)
        places = np.zeros(len(number), np.int64)
        places[there] = np.arange(len(there))
        codes = places[keys]
        examples = np.zeros(len(there), np.int64)
        examples[codes[::-1]] = np.arange(len(keys) - 1, -1, -1)
        return Groups(codes, examples)
    _, examples, codes = np.unique(keys, return_index=True, return_inverse=True)
    return Groups(codes.reshape(-1), examples)


def keys_of(column: Column) -> tuple[Array, int] | None:
    """A number for each lane, equal where values are, and a bound on them; None for one value in all lanes."""
    match column:
        case Same():
            return None
        case Whole(numbers, low, high):
            if high - low >= SMALL:
                found = grouped_numbers(numbers)
                return found.codes, len(found.examples)
            return (numbers - low if low else numbers), high - low + 1
        case Truth(holds):
            return holds.astype(np.int64), 2
        case Coded(codes, values):
            return codes, len(values)


def grouped_numbers(numbers: Array) -> Groups:
    """Lanes with equal numbers."""
    _, examples, codes = np.unique(numbers, return_index=True, return_inverse=True)
    return Groups(codes.reshape(-1), examples)


def together(keyed: Iterable[tuple[Array, int] | None]) -> Groups | None:
    """Lanes that are equal in all of several keys; None where there is only one group."""
    keys: Array | None = None
    size = 1
    for each in keyed:
        if each is None:
            continue
        new, bound = each
        if keys is None:
            keys, size = new, bound
            continue
        if size * bound >= SMALL:
            found = grouped(keys, size)
            keys, size = found.codes, len(found.examples)
            if size * bound >= SMALL:
                found = grouped(new, bound)
                new, bound = found.codes, len(found.examples)
        keys, size = keys.astype(np.int64) * bound + new, size * bound
    return None if keys is None else grouped(keys, size)


def at(column: Column, lane: int) -> Any:
    """The value in one lane, as a roll has it."""
    match column:
        case Same(value):
            return value
        case Whole(numbers):
            return int(numbers[lane])
        case Truth(holds):
            return bool(holds[lane])
        case Coded(codes, values):
            return values[codes[lane]]


def apply(function: Callable[..., Any], *columns: Column) -> Column:
    """What a function of single values gives in each lane; it is called once for each different combination."""
    groups = together(map(keys_of, columns))
    if groups is None:
        return Same(function(*(column.value for column in columns if isinstance(column, Same))))
    results = [function(*(at(column, lane) for column in columns)) for lane in groups.examples.tolist()]
    return spread(results, groups.codes)


def options_of(column: Column) -> tuple[Any, ...]:
    """The values of a column that is coded, or the same in all lanes."""
    assert isinstance(column, Same | Coded)
    return (column.value,) if isinstance(column, Same) else column.values


def spread(results: Sequence[Any], codes: Array) -> Column:
    """The column of these results, by the place of each lane's result among them."""
    first = results[0] if results else None
    if all(type(each) is bool for each in results):
        return Same(first) if len(set(results)) == 1 else Truth(np.array(results, bool)[codes])
    if all(type(each) is int and -SMALL < each < SMALL for each in results):
        low, high = min(results), max(results)
        return Same(low) if low == high else Whole(np.array(results, np.int64)[codes], low, high)
    values: dict[Any, int] = {}
    places = [values.setdefault(told_apart(each), len(values)) for each in results]
    known = tuple(value for _, value in values)
    return Same(known[0]) if len(known) == 1 else Coded(np.array(places, np.int64)[codes], known)


def told_apart(value: Any) -> tuple[type, Any]:
    """A value as a key: 1 and yes are not the same."""
    return (type(value), value)


# ---------------------------------------------------------------- parts of lanes


def filled(column: Column, index: Array, size: int) -> Column:
    """The column on more lanes: its lanes at `index`, anything of the same kind in the others."""
    match column:
        case Same():
            return column
        case Whole(numbers, low, high):
            whole = np.full(size, low, np.int64)
            whole[index] = numbers
            return Whole(whole, low, high)
        case Truth(holds):
            truth = np.zeros(size, bool)
            truth[index] = holds
            return Truth(truth)
        case Coded(codes, values):
            coded = np.zeros(size, np.int64)
            coded[index] = codes
            return Coded(coded, values)


def merged(size: int, parts: Sequence[tuple[Array | None, Column]]) -> Column:
    """One column out of several, each for the lanes where its mask holds; the first has no mask and fills the rest."""
    (_, first), *others = parts
    if not others:
        return first
    columns = [column for _, column in parts]
    if all(isinstance(each, Same) for each in columns):
        known = {told_apart(each.value) for each in columns if isinstance(each, Same)}
        if len(known) == 1:
            return first
    if all(map(whole_numbers, columns)):
        lows, highs = zip(*map(ends, columns), strict=True)
        numbers = np.empty(size, np.int64)
        for mask, column in parts:
            _put(numbers, mask, bare(column))
        return Whole(numbers, min(lows), max(highs))
    if all(map(truths, columns)):
        holds = np.empty(size, bool)
        for mask, column in parts:
            _put(holds, mask, bare(column))
        return Truth(holds)
    values: dict[Any, int] = {}
    codes = np.empty(size, np.int64)
    for mask, column in parts:
        coded = as_coded(column, size)
        places = np.array([values.setdefault(told_apart(each), len(values)) for each in coded.values], np.int64)
        _put(codes, mask, places[coded.codes])
    return Coded(codes, tuple(value for _, value in values))


def assembled(size: int, parts: Sequence[tuple[Array, Column]]) -> Column:
    """One column out of several, each for the lanes at an index; together they are all lanes."""
    columns = [column for _, column in parts]
    if all(map(whole_numbers, columns)):
        numbers = np.empty(size, np.int64)
        for index, column in parts:
            numbers[index] = bare(column)
        lows, highs = zip(*map(ends, columns), strict=True)
        return Whole(numbers, min(lows), max(highs))
    if all(map(truths, columns)):
        holds = np.empty(size, bool)
        for index, column in parts:
            holds[index] = bare(column)
        return Truth(holds)
    values: dict[Any, int] = {}
    codes = np.empty(size, np.int64)
    for index, column in parts:
        coded = as_coded(column, len(index))
        places = np.array([values.setdefault(told_apart(each), len(values)) for each in coded.values], np.int64)
        codes[index] = places[coded.codes]
    return Coded(codes, tuple(value for _, value in values))


def _put(target: Array, mask: Array | None, what: Any) -> None:
    if mask is None:
        target[...] = what
    else:
        np.copyto(target, what, where=mask)


def as_coded(column: Column, size: int) -> Coded:
    """The column as places in a list of values."""
    match column:
        case Coded():
            return column
        case Same(value):
            return Coded(np.zeros(size, np.int64), (value,))
    keyed = keys_of(column)
    assert keyed is not None
    groups = grouped(*keyed)
    return Coded(groups.codes, tuple(at(column, lane) for lane in groups.examples.tolist()))


# ---------------------------------------------------------------- numbers


def is_small(value: Any) -> bool:
    """Whether a value is a whole number that fits into an array."""
    return type(value) is int and -SMALL < value < SMALL


def ends(column: Column) -> tuple[int, int]:
    """The lowest and highest that whole numbers can be."""
    if isinstance(column, Whole):
        return column.low, column.high
    assert isinstance(column, Same)
    return column.value, column.value


def whole_numbers(column: Column) -> bool:
    """Whether a column surely holds whole numbers that fit into an array."""
    return isinstance(column, Whole) or (isinstance(column, Same) and is_small(column.value))


def truths(column: Column) -> bool:
    """Whether a column surely holds yes and no."""
    return isinstance(column, Truth) or (isinstance(column, Same) and type(column.value) is bool)


def bare(column: Column) -> Any:
    """The array of a column of whole numbers or yes and no, or its one value, for arithmetic."""
    match column:
        case Same(value):
            return value
        case Whole(numbers):
            return numbers
        case Truth(holds):
            return holds
        case Coded():
            raise AssertionError("coded values are no bare numbers")


def tight(column: Whole) -> Whole:
    """The same numbers with the ends that they really have."""
    if not len(column.numbers):
        return Whole(column.numbers, 0, 0)
    return Whole(column.numbers, int(column.numbers.min()), int(column.numbers.max()))


def truth_array(column: Column, size: int) -> Array:
    """A condition as an array."""
    if isinstance(column, Truth):
        return column.holds
    assert isinstance(column, Same)
    return np.full(size, column.value, bool)


def number_array(column: Column, size: int) -> Array:
    """Whole numbers as an array."""
    if isinstance(column, Whole):
        return column.numbers
    assert isinstance(column, Same)
    return np.full(size, column.value, np.int64)


def scaled(numbers: Array, bottom: int) -> Column:
    """Numbers that are so many times too large, made exact."""
    groups = grouped_numbers(numbers)
    return spread([normal(Fraction(int(numbers[lane]), bottom)) for lane in groups.examples.tolist()], groups.codes)


def normal(number: int | Fraction) -> int | Fraction:
    """An int where the number is whole."""
    return number.numerator if number.denominator == 1 else number
