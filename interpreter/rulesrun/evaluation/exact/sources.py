"""Dice that were thrown and not looked at: what may lie on the table, and with which weight.

Every source answers one question, `element`: give each face of each of its slots a whole score (and perhaps a sign),
strike some
faces out, and get the law of the sum of scores over all its dice, with the weight of throws that show a struck face
left out. This
is an evaluation of the throw in the algebra of its questions: independent dice
multiply, an endless explosion or repetition is a geometric series.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from flint import fmpz_poly

from rulesrun.dice import Law
from rulesrun.dice.adding import Adding, Onward
from rulesrun.dice.series import check_size
from rulesrun.evaluation.exact.symbols import Number, Ranges

if TYPE_CHECKING:
    from rulesrun.evaluation.exact.drawn import Drawn

Face: TypeAlias = object


class _Same:
    """The mark of a die that shows what it showed first."""


SAME = _Same()
Weighted: TypeAlias = tuple[tuple[int, int, int], ...]
"""Faces with whole weights: (slot, face, weight), both by number."""


@dataclass(frozen=True, slots=True)
class Look:
    """What all dice of a slot have in common."""

    faces: tuple[Face, ...]
    weights: tuple[int, ...]
    """Those of a fresh throw of such a die, whatever modifiers made of this one."""
    sides: int | None
    target: Number | None
    kind: str
    first: object = SAME
    """What the die showed first; `SAME`: what it shows now."""
    cap: int | None = None
    """From there on the faces stand for themselves and all that are multiples of `period` above; None where every face
    is just itself.
    """
    period: int = 1

    @property
    def tail(self) -> range:
        """The places of the faces that stand for others too."""
        return range(len(self.faces) - self.period, len(self.faces)) if self.cap is not None else range(0)


class Hom(NamedTuple):
    """What is asked of each face, by slot number: whole scores (None: 0 everywhere), struck faces as bits, faces that
    flip the sign as bits.
    """

    scores: tuple[tuple[int, ...] | None, ...]
    struck: tuple[int, ...]
    flipped: tuple[int, ...]


Polynomial: TypeAlias = tuple[fmpz_poly, int, int]
"""A polynomial, the value that its constant term stands for, and what its coefficients are divided by."""

ONE: Polynomial = (fmpz_poly([1]), 0, 1)


@dataclass(frozen=True, slots=True)
class More:
    """The dice that an explosion adds, one after another: `stop` ends it, `go` adds one more; at most `limit` of
    them, None without end.
    """

    total: int
    stop: Weighted
    go: Weighted
    limit: int | None


@dataclass(frozen=True, slots=True)
class OneDie:
    """A die; `go` are the faces that explode. Weights are out of `total`."""

    total: int
    stop: Weighted
    go: Weighted = ()
    more: More | None = None
    adding: Adding | None = None
    """What it is where its faces are sums known only up to a cap, if that is simple."""
    summed: Law | None = field(default=None, compare=False, repr=False)
    """The whole law of such sums, which the faces cut off."""
    onward: Onward | None = field(default=None, compare=False, repr=False)
    """How that law goes on, where it is known."""

    def element(self, hom: Hom) -> Law:
        """The law of the score of this die and all that it adds."""
        if self.more is None:
            poly, low = _poly(self.stop, hom)
            return Law.from_poly(poly, self.total, low)
        stop, go = _law(self.stop, self.total, hom), _law(self.go, self.total, hom)
        more = self.more
        added = Law.geometric_sum(
            _law(more.stop, more.total, hom),
            _law(more.go, more.total, hom),
            None if more.limit is None else more.limit - 1,
        )
        return stop + go * added


@dataclass(frozen=True, slots=True)
class Part:
    """So many independent dice of one sort."""

    count: int
    die: OneDie


@dataclass(frozen=True, slots=True)
class Thrown:
    """Independent dice."""

    name: str
    looks: tuple[Look, ...]
    parts: tuple[Part, ...]
    _hash: int = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_hash", hash((self.name, self.looks, self.parts)))

    def __hash__(self) -> int:
        return self._hash

    def polynomial(self, hom: Hom) -> Polynomial:
        """The element of the dice that do not explode."""
        factors, low, bottom, length = [], 0, 1, 1
        for part in self.parts:
            if part.die.more is None:
                one, offset = _poly(part.die.stop, hom)
                length += (one.length() - 1) * part.count
                low += offset * part.count
                check_size(length, bottom.bit_length() + part.die.total.bit_length() * part.count)
                bottom *= part.die.total**part.count
                factors.append((one, part.count))
        return _product([one**count for one, count in factors]), low, bottom

    @property
    def finite(self) -> bool:
        return all(part.die.more is None for part in self.parts)

    def element(self, hom: Hom) -> Law:
        poly, low, bottom = self.polynomial(hom)
        law = Law.from_poly(poly, bottom, low)
        for part in self.parts:
            if part.die.more is not None:
                law = law * part.die.element(hom) ** part.count
        return law

    def count(self, slot: int) -> int | None:
        """How many dice of the slot lie there, None if that is left to chance."""
        total = 0
        for part in self.parts:
            if part.die.more is None:
                if part.die.stop[0][0] == slot:
                    total += part.count
            elif any(
                each[0] == slot for each in (*part.die.stop, *part.die.go, *part.die.more.stop, *part.die.more.go)
            ):
                return None
        return total

    def bounds(self, slot: int, scores: tuple[int, ...]) -> tuple[int | None, int | None]:
        """The lowest and highest sum of the scores of a slot's dice, None where there is no bound."""
        low: int | None = 0
        high: int | None = 0
        for part in self.parts:
            more = part.die.more
            if more is None and part.die.stop[0][0] != slot:
                continue
            here = [scores[face] for at, face, _ in (*part.die.stop, *part.die.go) if at == slot]
            there = [scores[face] for at, face, _ in (*more.stop, *more.go) if at == slot] if more is not None else []
            if not here and not there:
                continue
            least, most = min(here, default=0), max(here, default=0)
            if there:
                limit = None if more is None else more.limit
                if min(there) < 0:
                    low = None if limit is None or low is None else low + part.count * limit * min(there)
                if max(there) > 0:
                    high = None if limit is None or high is None else high + part.count * limit * max(there)
            low = None if low is None else low + part.count * least
            high = None if high is None else high + part.count * most
        return low, high


@dataclass(frozen=True, slots=True)
class Mixed:
    """One of several throws of independent dice, each with its chance."""

    name: str
    looks: tuple[Look, ...]
    options: tuple[tuple[Fraction, Thrown], ...]

    def element(self, hom: Hom) -> Law:
        total = Law.of({})
        for weight, thrown in self.options:
            total = total + thrown.element(hom).scaled(weight)
        return total

    def count(self, slot: int) -> int | None:
        """How many dice of the slot lie there, None if that is left to chance."""
        counts = {thrown.count(slot) for _, thrown in self.options}
        return counts.pop() if len(counts) == 1 else None

    def bounds(self, slot: int, scores: tuple[int, ...]) -> tuple[int | None, int | None]:
        """The lowest and highest sum of the scores of a slot's dice, None where there is no bound."""
        ends = [thrown.bounds(slot, scores) for _, thrown in self.options]
        lows, highs = [low for low, _ in ends if low is not None], [high for _, high in ends if high is not None]
        return (min(lows) if len(lows) == len(ends) else None), (max(highs) if len(highs) == len(ends) else None)


@dataclass(frozen=True, slots=True)
class Struck:
    """A condition on a group that only strikes faces out: the sum of `sign` times the group with these faces struck."""

    terms: tuple[tuple[int, tuple[int, ...]], ...]


@dataclass(frozen=True, slots=True)
class SumIn:
    """A condition on a group: the sum of these scores lies in the ranges."""

    scores: tuple[tuple[int, ...], ...]
    ranges: Ranges


@dataclass(frozen=True, slots=True)
class Again:
    """A group thrown again, its dice added, while the newest group meets the condition; at most `limit` more times.

    Its slots are those of the first throw, then the same again for all further ones.
    """

    name: str
    group: Thrown
    condition: Struck | SumIn
    limit: int | None
    start: Thrown | None = None
    """The first throw, where it is not like the others because some of its dice are known."""

    @property
    def first(self) -> Thrown:
        """The first throw."""
        return self.group if self.start is None else self.start

    @property
    def looks(self) -> tuple[Look, ...]:
        return self.group.looks + tuple(replace(look, first=None) for look in self.group.looks)

    def element(self, hom: Hom) -> Law:
        count = len(self.group.looks)
        first = Hom(hom.scores[:count], hom.struck[:count], hom.flipped[:count])
        every = self.first.element(first)
        if self.limit == 0:
            return every
        further = Hom(hom.scores[count:], hom.struck[count:], hom.flipped[count:])
        going, more, going_on = self.going(first, self.first), self.group.element(further), self.going(further)
        return (
            every
            - going
            + going * Law.geometric_sum(more - going_on, going_on, None if self.limit is None else self.limit - 1)
        )

    def going(self, hom: Hom, group: Thrown | None = None) -> Law:
        """The law of a throw (by default a further one) where it brings another."""
        group, condition = group or self.group, self.condition
        if isinstance(condition, Struck):
            total = Law.of({})
            for sign, masks in condition.terms:
                struck = tuple(a | b for a, b in zip(hom.struck, masks, strict=True))
                law = group.element(Hom(hom.scores, struck, hom.flipped))
                total = total + law if sign == 1 else total + law.scaled(sign)
            return total
        bounds = [group.bounds(slot, scores) for slot, scores in enumerate(condition.scores)]
        low = sum(a for a, _ in bounds if a is not None)
        width = sum(b for _, b in bounds if b is not None) - low + 1
        packed = tuple(
            tuple(width * (mine[i] if mine else 0) + other for i, other in enumerate(scores))
            for mine, scores in zip(hom.scores, condition.scores, strict=True)
        )
        law = group.element(Hom(packed, hom.struck, hom.flipped))
        offset, weights, bottom = law.weights()
        poly: dict[int, int] = {}
        for index, weight in enumerate(weights):
            if weight:
                score, total_sum = divmod(offset + index - low, width)
                if not condition.ranges.meets(Ranges.of(total_sum + low, total_sum + low)).empty:
                    poly[score] = poly.get(score, 0) + weight
        return _sparse(poly, bottom)

    def count(self, slot: int) -> int | None:
        return self.first.count(slot) if slot < len(self.group.looks) else None

    def bounds(self, slot: int, scores: tuple[int, ...]) -> tuple[int | None, int | None]:
        count = len(self.group.looks)
        if slot < count:
            return self.first.bounds(slot, scores)
        low, high = self.group.bounds(slot - count, scores)
        least = 0 if low is None or low >= 0 else None if self.limit is None else low * self.limit
        most = 0 if high is None or high <= 0 else None if self.limit is None else high * self.limit
        return least, most


@dataclass(frozen=True, slots=True)
class Listed:
    """Throws that are known one by one: the dice (slot, face) that lie there, with whole weights out of `total`.

    `total` may exceed the sum of the weights: the rest is a tail that was not listed.
    """

    name: str
    looks: tuple[Look, ...]
    throws: tuple[tuple[tuple[tuple[int, int], ...], int], ...]
    total: int
    counted: dict[int, int | None] = field(default_factory=dict, repr=False, compare=False)
    """What `count` has found, by slot: it is asked often, and looks through every throw."""

    @property
    def rest(self) -> Fraction:
        """The chance of all that was not listed."""
        return 1 - Fraction(sum(weight for _, weight in self.throws), self.total)

    def element(self, hom: Hom) -> Law:
        poly: dict[int, int] = {}
        for dice, weight in self.throws:
            score, sign = 0, 1
            for slot, face in dice:
                if hom.struck[slot] >> face & 1:
                    break
                if hom.flipped[slot] >> face & 1:
                    sign = -sign
                scores = hom.scores[slot]
                if scores is not None:
                    score += scores[face]
            else:
                poly[score] = poly.get(score, 0) + sign * weight
        return _sparse(poly, self.total)

    def count(self, slot: int) -> int | None:
        if slot not in self.counted:
            counts = {sum(1 for at, _ in dice if at == slot) for dice, _ in self.throws}
            self.counted[slot] = counts.pop() if len(counts) == 1 else None
        return self.counted[slot]

    def bounds(self, slot: int, scores: tuple[int, ...]) -> tuple[int | None, int | None]:
        sums = [sum(scores[face] for at, face in dice if at == slot) for dice, _ in self.throws]
        return min(sums, default=0), max(sums, default=0)


@dataclass(frozen=True, slots=True, eq=False)
class Counted:
    """A whole number of a known law, such as the number of turns of a repetition; it stands as one die with one face
    of score 1.
    """

    name: str
    law: Law
    looks: tuple[Look, ...] = (Look((1,), (1,), None, None, "a number"),)

    def element(self, hom: Hom) -> Law:
        assert not any(hom.struck) and not any(hom.flipped)
        scores = hom.scores[0]
        return self.law.affine(0 if scores is None else scores[0])

    def count(self, slot: int) -> int | None:
        return None

    def bounds(self, slot: int, scores: tuple[int, ...]) -> tuple[int | None, int | None]:
        return self.law.affine(scores[0]).bounds


Source: TypeAlias = "Thrown | Mixed | Again | Listed | Counted | Drawn"


def _product(factors: list[fmpz_poly]) -> fmpz_poly:
    """The product of polynomials, long ones with long ones: many are taken two by two."""
    while len(factors) > 1:
        factors = [
            left * right
            for left, right in zip(factors[::2], [*factors[1::2], *[ONE[0]] * (len(factors) % 2)], strict=True)
        ]
    return factors[0] if factors else ONE[0]


def _poly(faces: Weighted, hom: Hom) -> tuple[fmpz_poly, int]:
    """The faces' generating function and the exponent that its constant term stands for."""
    sums: dict[int, int] = {}
    scored, struck, flipped = hom.scores, hom.struck, hom.flipped
    for slot, face, weight in faces:
        if struck[slot] >> face & 1:
            continue
        scores = scored[slot]
        score = 0 if scores is None else scores[face]
        if flipped[slot] >> face & 1:
            weight = -weight
        sums[score] = sums.get(score, 0) + weight
    if not sums:
        return fmpz_poly(), 0
    low = min(sums)
    check_size(max(sums) - low + 1, 64)
    coefficients = [0] * (max(sums) - low + 1)
    for score, weight in sums.items():
        coefficients[score - low] = weight
    return fmpz_poly(coefficients), low


def _law(faces: Weighted, total: int, hom: Hom) -> Law:
    poly, low = _poly(faces, hom)
    return Law.from_poly(poly, total, low)


def _sparse(weights: Mapping[int, int], bottom: int) -> Law:
    if not weights:
        return Law.of({})
    low = min(weights)
    check_size(max(weights) - low + 1, 64)
    coefficients = [0] * (max(weights) - low + 1)
    for value, weight in weights.items():
        coefficients[value - low] = weight
    return Law.from_poly(fmpz_poly(coefficients), bottom, low)
