"""Values that are not known yet: numbers, conditions and pools over dice that were thrown but not looked at.

A `Linear` is a constant plus a score for every face of every unknown die, plus unknown leftovers (`Modulo`, `Asked`)
with a factor.
Sums, differences and multiples of such numbers are such numbers again, and equal ones are equal objects, whatever
lines they came from.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import gcd, lcm
from typing import TypeAlias

from rulesrun.dice.pool import Kind as KeepKind
from rulesrun.evaluation.pools import Die

Number: TypeAlias = int | Fraction
Slot: TypeAlias = tuple[str, int]
"""Like dice of one throw: the name of the throw, and which of its kinds of dice."""
Scores: TypeAlias = tuple[Number, ...]
"""A number for each face of a slot, in the order of its faces."""
Marks: TypeAlias = tuple[tuple[Slot, int], ...]
"""Marked faces of some slots, as bits, in the order of slots."""


@dataclass(frozen=True, slots=True)
class Modulo:
    """The sum of whole scores, modulo a number."""

    terms: tuple[tuple[Slot, Scores], ...]
    modulus: int


@dataclass(frozen=True, slots=True)
class Keep:
    """So many of the highest, lowest or middle dice stay, or go."""

    kind: KeepKind
    number: int


@dataclass(frozen=True, slots=True)
class Only:
    """The dice that show one of these faces stay."""

    faces: frozenset[object]


@dataclass(frozen=True, slots=True)
class InSets:
    """The dice stay whose face is shown by so many dice: pairs of a face and a number."""

    sets: frozenset[tuple[object, int]]


@dataclass(frozen=True, slots=True)
class Without:
    """Equal faces of another pool take dice away, one for one."""

    other: UnknownPool


PoolStep: TypeAlias = Keep | Only | InSets | Without


@dataclass(frozen=True, slots=True)
class UnknownPool:
    """Dice of some slots, seen through changed faces and selections.

    `pieces`: slots with the image of each of its faces, None for faces that are left out; `steps`: what stays of them
    all, in order;
    `fixed`: known dice beside them (never with steps).
    """

    pieces: tuple[tuple[Slot, tuple[object, ...]], ...]
    steps: tuple[PoolStep, ...] = ()
    fixed: tuple[Die, ...] = ()


@dataclass(frozen=True, slots=True)
class Asked:
    """The answer to a question that walks the faces.

    `what` is a question's word (`largest_set`), `score` (the sum over the dice that stay; `detail` pairs (face,
    sides, target, kind) with
    whole numbers), `sets` (`detail`: the sizes), `outranks` or `wins` (against `other`). Answers are whole numbers;
    yes is 1.
    """

    what: str
    pool: UnknownPool
    detail: frozenset[tuple[tuple[object, ...], int]] | frozenset[int] | None = None
    other: UnknownPool | None = None


SCORED = frozenset({"score", "matched"})
"""Questions that add up a score for each die."""


@dataclass(frozen=True, slots=True)
class Floor:
    """A number rounded down."""

    inner: Linear


@dataclass(frozen=True, slots=True)
class Extreme:
    """The highest or lowest of some numbers."""

    highest: bool
    items: tuple[Linear | Number, ...]


Leftover: TypeAlias = Modulo | Asked | Floor | Extreme


@dataclass(slots=True)
class Linear:
    """An unknown number; with neither terms nor leftovers it would be a plain number, see `linear`."""

    constant: Number
    terms: tuple[tuple[Slot, Scores], ...]
    leftovers: tuple[tuple[Leftover, Number], ...]
    _hash: int | None = field(default=None, init=False, compare=False, repr=False)
    _canonical: tuple[Linear, Number] | None = field(default=None, init=False, compare=False, repr=False)
    _names: frozenset[str] | None = field(default=None, init=False, compare=False, repr=False)

    def __hash__(self) -> int:
        found = self._hash
        if found is None:
            found = self._hash = hash((self.constant, self.terms, self.leftovers))
        return found

    @property
    def names(self) -> frozenset[str]:
        """The throws that it reads."""
        found = self._names
        if found is None:
            found = self._names = frozenset([slot[0] for slot in slots_of(self)])
        return found

    @property
    def layered(self) -> bool:
        """Whether a rounding or an extreme of other unknown numbers is in it."""
        return any(isinstance(each, Floor | Extreme) for each, _ in self.leftovers)

    def parts(self) -> Linear:
        """The same without the constant."""
        return Linear(0, self.terms, self.leftovers)

    def canonical(self) -> tuple[Linear, Number]:
        """A form with whole coprime coefficients, the first positive, and the factor: value = constant + factor *
        form.
        """
        found = self._canonical
        if found is None:
            found = self._canonical = self._reduced()
        return found

    def _reduced(self) -> tuple[Linear, Number]:
        numbers = [x for _, scores in self.terms for x in scores if x] + [x for _, x in self.leftovers]
        bottom = lcm(*(x.denominator for x in numbers))
        whole = [int(x * bottom) for x in numbers]
        top = gcd(*whole)
        if numbers[0] < 0:
            top = -top
        factor = top if bottom == 1 else plain(Fraction(top, bottom))
        if factor == 1:
            return self.parts(), 1

        def reduced(x: Number) -> int:
            return int(x * bottom) // top

        terms = tuple((slot, tuple(map(reduced, scores))) for slot, scores in self.terms)
        return Linear(0, terms, tuple((each, reduced(x)) for each, x in self.leftovers)), factor


@dataclass(frozen=True, slots=True)
class AnyShows:
    """Whether any of the marked faces is shown; not empty."""

    marks: Marks
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Inside:
    """Whether a canonical form lies in some of these ranges of whole numbers."""

    form: Linear
    ranges: Ranges


Unknown: TypeAlias = Linear | UnknownPool | AnyShows | Inside

# ---------------------------------------------------------------- numbers


def plain(value: Number) -> Number:
    """A whole Fraction as int."""
    return value.numerator if isinstance(value, Fraction) and value.denominator == 1 else value


def is_number(value: object) -> bool:
    """Whether it is a number, known or unknown."""
    return isinstance(value, Linear | int | Fraction) and not isinstance(value, bool)


def linear(constant: Number, terms: Mapping[Slot, Scores], leftovers: Mapping[Leftover, Number]) -> Linear | Number:
    """The unknown number, or the plain number where nothing is unknown in it."""
    kept = tuple(sorted((slot, scores) for slot, scores in terms.items() if any(scores)))
    rest = tuple((each, factor) for each, factor in leftovers.items() if factor)
    if not kept and not rest:
        return plain(constant)
    if len(rest) > 1:
        rest = tuple(sorted(rest, key=repr))
    return Linear(plain(constant), kept, rest)


def add(left: Linear | Number, right: Linear | Number, sign: int = 1) -> Linear | Number:
    """`left + sign * right`."""
    if not isinstance(left, Linear):
        if not isinstance(right, Linear):
            return plain(left + sign * right)
        scaled = times(right, sign)
        assert isinstance(scaled, Linear)
        return Linear(plain(scaled.constant + left), scaled.terms, scaled.leftovers)
    if not isinstance(right, Linear):
        return Linear(plain(left.constant + sign * right), left.terms, left.leftovers)
    terms = dict(left.terms)
    for slot, scores in right.terms:
        mine = terms.get(slot)
        if mine is None:
            terms[slot] = scores if sign == 1 else tuple(sign * x for x in scores)
        else:
            terms[slot] = _added(mine, scores, sign)
    leftovers = dict(left.leftovers)
    for each, factor in right.leftovers:
        leftovers[each] = plain(leftovers.get(each, 0) + sign * factor)
    return linear(left.constant + sign * right.constant, terms, leftovers)


def added_up(values: Iterable[Linear | Number]) -> Linear | Number:
    """The sum of many numbers; those that differ only in their constants are added at once."""
    constant: Number = 0
    alike: dict[tuple[int, int], tuple[Linear, int]] = {}
    for value in values:
        if isinstance(value, Linear):
            constant += value.constant
            place = id(value.terms), id(value.leftovers)
            first, many = alike.get(place, (value, 0))
            alike[place] = first, many + 1
        else:
            constant += value
    total: Linear | Number = plain(constant)
    for first, many in alike.values():
        total = add(total, times(first.parts(), many))
    return total


WHOLE = {int}


def _added(scores: Scores, others: Scores, factor: Number) -> Scores:
    """Scores plus a multiple of others. Like faces mostly have the same score: where it is not whole, it is worked out
    once.
    """
    if type(factor) is int and {*map(type, scores), *map(type, others)} == WHOLE:
        return tuple([x + factor * y for x, y in zip(scores, others, strict=True)])
    known: dict[tuple[int, int], Number] = {}
    found = []
    for x, y in zip(scores, others, strict=True):
        place = id(x), id(y)
        number = known.get(place)
        if number is None:
            number = known[place] = plain(x + factor * y)
        found.append(number)
    return tuple(found)


def times(value: Linear | Number, factor: Number) -> Linear | Number:
    """The multiple of a number."""
    if not isinstance(value, Linear):
        return plain(value * factor)
    if factor == 1:
        return value
    if factor == 0:
        return 0
    terms = tuple([(slot, multiples(scores, factor)) for slot, scores in value.terms])
    left = tuple([(each, plain(x * factor)) for each, x in value.leftovers])
    return Linear(plain(value.constant * factor), terms, left)


def multiples(scores: Scores, factor: Number) -> Scores:
    """Scores times a factor; as in `_added`, each once where they are not whole."""
    if type(factor) is int and {*map(type, scores)} == WHOLE:
        return tuple([x * factor for x in scores])
    known = {id(x): x for x in scores}
    multiple = {place: plain(x * factor) if x else 0 for place, x in known.items()}
    return tuple([multiple[id(x)] for x in scores])


# ---------------------------------------------------------------- ranges of whole numbers


@dataclass(frozen=True, slots=True)
class Ranges:
    """Whole numbers: ascending ranges with both ends included, None for no end; no two touch."""

    ranges: tuple[tuple[int | None, int | None], ...]

    @staticmethod
    def of(low: int | None, high: int | None) -> Ranges:
        return Ranges(((low, high),)) if low is None or high is None or low <= high else NOWHERE

    def meets(self, other: Ranges) -> Ranges:
        """The numbers in both."""
        if len(self.ranges) == len(other.ranges) == 1:
            ((low, high),), ((other_low, other_high),) = self.ranges, other.ranges
            if (other_low is None or (low is not None and low >= other_low)) and (
                other_high is None or (high is not None and high <= other_high)
            ):
                return self
        found = []
        for low, high in self.ranges:
            for other_low, other_high in other.ranges:
                a = low if other_low is None else other_low if low is None else max(low, other_low)
                b = high if other_high is None else other_high if high is None else min(high, other_high)
                if a is None or b is None or a <= b:
                    found.append((a, b))
        return Ranges(tuple(found))

    def rest(self) -> Ranges:
        """All other whole numbers."""
        found: list[tuple[int | None, int | None]] = []
        start: int | None = None
        open_start = True
        for low, high in self.ranges:
            if low is not None and (open_start or start is None or start <= low - 1):
                found.append((None if open_start else start, low - 1))
            if high is None:
                return Ranges(tuple(found))
            start, open_start = high + 1, False
        found.append((None if open_start else start, None))
        return Ranges(tuple(found))

    @property
    def only(self) -> int | None:
        """The number, if it is just one."""
        if len(self.ranges) == 1:
            low, high = self.ranges[0]
            if low is not None and low == high:
                return low
        return None

    @property
    def empty(self) -> bool:
        return not self.ranges


NOWHERE = Ranges(())
EVERYWHERE = Ranges(((None, None),))


# ---------------------------------------------------------------- what is read


def names_of(value: object) -> frozenset[str]:
    """The names of the throws that an unknown value reads."""
    return value.names if type(value) is Linear else frozenset([slot[0] for slot in slots_of(value)])


def slots_of(value: object) -> Iterable[Slot]:
    """The slots that an unknown value reads; nothing for a known one."""
    match value:
        case Linear():
            for slot, _ in value.terms:
                yield slot
            for each, _ in value.leftovers:
                yield from slots_of(each)
        case Modulo():
            for slot, _ in value.terms:
                yield slot
        case Floor():
            yield from slots_of(value.inner)
        case Extreme():
            for item in value.items:
                yield from slots_of(item)
        case Asked():
            yield from slots_of(value.pool)
            if value.other is not None:
                yield from slots_of(value.other)
        case UnknownPool():
            for slot, _ in value.pieces:
                yield slot
            for step in value.steps:
                if isinstance(step, Without):
                    yield from slots_of(step.other)
        case AnyShows():
            for slot, _ in value.marks:
                yield slot
        case Inside():
            yield from slots_of(value.form)
        case _:
            return
