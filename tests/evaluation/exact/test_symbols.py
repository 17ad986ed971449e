"""Unknown numbers are worked with as the numbers that they stand for, and ranges as sets of whole numbers."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import gcd

from hypothesis import given
from hypothesis import strategies as some

from rulesrun.evaluation.exact.symbols import (
    EVERYWHERE,
    NOWHERE,
    Extreme,
    Floor,
    Linear,
    Modulo,
    Number,
    Ranges,
    Slot,
    add,
    added_up,
    linear,
    multiples,
    names_of,
    plain,
    times,
)

SLOTS: tuple[Slot, ...] = (("p", 0), ("p", 1), ("q", 0))
MODULOS = tuple(Modulo(((slot, (0, 1, 2)),), modulus) for slot, modulus in zip(SLOTS, (2, 3, 5), strict=True))
Table = Mapping[Slot, tuple[int, int, int]]
"""How many dice of a slot show each face."""
ROOM = range(-15, 16)

numbers = some.integers(-4, 4) | some.fractions(-3, 3, max_denominator=3).map(plain)
forms = some.builds(
    linear,
    numbers,
    some.dictionaries(some.sampled_from(SLOTS), some.tuples(numbers, numbers, numbers), max_size=3),
    some.dictionaries(some.sampled_from(MODULOS), numbers, max_size=2),
)
tables = some.fixed_dictionaries({slot: some.tuples(*[some.integers(0, 3)] * 3) for slot in SLOTS})


def value(form: Linear | Number, table: Table) -> Number:
    if not isinstance(form, Linear):
        return form
    total: Number = form.constant
    for slot, scores in form.terms:
        total += sum((score * many for score, many in zip(scores, table[slot], strict=True)), Fraction(0))
    for each, factor in form.leftovers:
        assert isinstance(each, Modulo)
        total += factor * (value(Linear(0, each.terms, ()), table) % each.modulus)
    return total


def tidy(form: Linear | Number) -> bool:
    """Whether nothing stands in a number that adds nothing, and whole numbers are whole."""
    if not isinstance(form, Linear):
        return form == plain(form) and type(form) is type(plain(form))
    every = [form.constant, *(x for _, scores in form.terms for x in scores), *(x for _, x in form.leftovers)]
    return (
        all(type(x) is type(plain(x)) for x in every)
        and all(any(scores) for _, scores in form.terms)
        and all(factor for _, factor in form.leftovers)
        and list(form.terms) == sorted(form.terms)
        and bool(form.terms or form.leftovers)
    )


@given(forms, forms, numbers, tables)
def test_sums_and_multiples(one: Linear | Number, other: Linear | Number, factor: Number, table: Table) -> None:
    for sign in (1, -1):
        found = add(one, other, sign)
        assert value(found, table) == value(one, table) + sign * value(other, table)
        assert tidy(found)
    found = times(one, factor)
    assert value(found, table) == value(one, table) * factor
    assert tidy(found)
    assert times(one, 1) == one
    assert add(one, one, -1) == 0
    assert hash(add(one, other)) == hash(add(other, one))


@given(some.lists(forms, max_size=4), numbers, tables)
def test_sums_of_many(each: list[Linear | Number], more: Number, table: Table) -> None:
    alike = [add(form, more) for form in each]
    found = added_up([*each, *alike, *each])
    assert value(found, table) == 3 * sum(value(form, table) for form in each) + len(each) * more
    assert tidy(found)


@given(forms, tables)
def test_one_form_for_all_multiples(form: Linear | Number, table: Table) -> None:
    if not isinstance(form, Linear):
        return
    reduced, factor = form.canonical()
    assert value(form, table) == form.constant + factor * value(reduced, table)
    whole = [x for _, scores in reduced.terms for x in scores if x] + [x for _, x in reduced.leftovers]
    assert {*map(type, whole)} == {int}
    assert gcd(*whole) == 1  # type: ignore[arg-type]
    assert whole[0] > 0
    assert reduced.constant == 0
    assert reduced.canonical() == (reduced, 1)
    for by in (-3, Fraction(2, 5)):
        more = add(times(form, by), 7)
        assert isinstance(more, Linear)
        assert more.canonical() == (reduced, plain(factor * Fraction(by)))
    assert form.parts() == add(form, -form.constant)


@given(some.lists(numbers, min_size=1, max_size=4).map(tuple), numbers)
def test_multiples_of_scores(scores: tuple[Number, ...], factor: Number) -> None:
    found = multiples(scores, factor)
    assert found == tuple(score * factor for score in scores)
    assert [*map(type, found)] == [type(plain(number)) for number in found]


def test_what_is_read() -> None:
    p, q = (Linear(0, ((slot, (0, 1)),), ()) for slot in (SLOTS[0], SLOTS[2]))
    both = Linear(1, (), ((Extreme(True, (p, 4, q)), 2),))
    rounded = Linear(1, p.terms, ((Floor(q), 1),))
    assert names_of(p) == {"p"}
    assert names_of(both) == names_of(rounded) == {"p", "q"}
    assert names_of(5) == frozenset()
    assert both.layered
    assert rounded.layered
    assert not Linear(0, p.terms, ((MODULOS[0], 1),)).layered


def apart(ends: list[int]) -> Ranges:
    """Ranges that neither meet nor touch."""
    found: list[tuple[int | None, int | None]] = []
    at = -10
    for gap, width in zip(ends[::2], ends[1::2], strict=False):
        found.append((at + gap, at + gap + width))
        at += gap + width + 2
    return Ranges(tuple(found))


def opened(ranges: Ranges, below: bool, above: bool) -> Ranges:
    parts = list(ranges.ranges)
    if parts and below:
        parts[0] = (None, parts[0][1])
    if parts and above:
        parts[-1] = (parts[-1][0], None)
    return Ranges(tuple(parts))


ranges = some.builds(
    opened, some.lists(some.integers(0, 3), max_size=6).map(apart), some.booleans(), some.booleans()
) | some.sampled_from([EVERYWHERE, NOWHERE])


def inside(these: Ranges) -> set[int]:
    return {
        number
        for number in ROOM
        if any((low is None or low <= number) and (high is None or number <= high) for low, high in these.ranges)
    }


@given(ranges, ranges)
def test_ranges_are_sets_of_whole_numbers(one: Ranges, other: Ranges) -> None:
    assert inside(one.meets(other)) == inside(one) & inside(other)
    assert inside(one.rest()) == set(ROOM) - inside(one)
    assert one.rest().rest() == one
    assert one.meets(one.rest()).empty
    assert one.meets(EVERYWHERE) == EVERYWHERE.meets(one) == one
    assert one.meets(NOWHERE) == NOWHERE.meets(one) == NOWHERE
    assert one.empty == (one == NOWHERE)
    bounded = all(None not in ends for ends in one.ranges)
    assert one.only == (next(iter(inside(one))) if bounded and len(inside(one)) == 1 else None)


def test_ranges_between_two_ends() -> None:
    assert Ranges.of(3, 2) == NOWHERE
    assert inside(Ranges.of(3, 3)) == {3}
    assert Ranges.of(3, 3).only == 3
    assert Ranges.of(None, None) == EVERYWHERE
    assert inside(Ranges.of(4, None)) == set(range(4, 16))
    assert inside(Ranges.of(None, -14)) == {-15, -14}
    assert Ranges.of(1, 9).meets(Ranges.of(0, 9)) == Ranges.of(1, 9)
    assert Ranges.of(1, 9).meets(Ranges.of(9, None)).only == 9
