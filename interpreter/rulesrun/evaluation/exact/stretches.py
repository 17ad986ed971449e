"""The lengths of runs, in parts in which every answer grows by a constant with each die more.

A run by itself is followed length by length up to some length, and beyond it is one part. Two runs of pools that are
compared die by die are told apart by how much longer one is than the other: where that is fixed, both grow together;
beyond some difference the longer one grows by itself, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

from flint import fmpz_poly

from rulesrun.dice import Law
from rulesrun.dice.termwise import termwise
from rulesrun.evaluation.exact.runs import Chains, Unsettled, runs_of, tells_apart
from rulesrun.evaluation.exact.symbols import Asked, UnknownPool, slots_of
from rulesrun.evaluation.exact.tabled import is_marks

Run = tuple[Chains, int]
"""Chains, and which of their faces that carry on."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """Some runs, by number: their least lengths, and which of them grow together any number of times.

    `law` takes a slope for each of `grows` and gives the law of the sum of slope times how often that grew, weighed by
    the chance of such lengths.
    """

    lengths: Mapping[int, int]
    grows: tuple[tuple[int, ...], ...]
    law: Callable[[Sequence[int]], Law]


def of_chain(chain: Chains, numbers: Sequence[int], least: int) -> list[Stretch]:
    """The parts of the runs of one sort of chains, each run told apart below the least length."""

    def part(lengths: tuple[int, ...]) -> Stretch:
        tails = [place for place, length in enumerate(lengths) if length == least]
        exact = {place: length for place, length in enumerate(lengths) if length < least}

        def law(slopes: Sequence[int]) -> Law:
            along = [0] * len(lengths)
            for place, slope in zip(tails, slopes, strict=True):
                along[place] = slope
            return chain.law(exact, tails, least, along).affine(1, -least * sum(along))

        return Stretch(dict(zip(numbers, lengths, strict=True)), tuple((numbers[place],) for place in tails), law)

    return [part(lengths) for lengths in product(range(least + 1), repeat=len(numbers))]


# ---------------------------------------------------------------- two runs that face one another


@dataclass(frozen=True, slots=True)
class Facing:
    """Two runs of pools that are compared, by number. Their lengths are told apart below `least`, and their difference
    up to `reach`; `saturated` is from where on one of them is long beside any short other.
    """

    first: int
    second: int
    least: int
    reach: int
    saturated: int

    def parts(self, first: Chains, second: Chains) -> list[Stretch]:
        """All parts of the two lengths."""
        one, other = _lengths(first), _lengths(second)
        found: list[Stretch] = []
        for short in range(self.least):
            found += self._beside(short, one, other, self.first, self.second, 0)
            found += self._beside(short, other, one, self.second, self.first, self.least)
        for difference in range(-self.reach, self.reach + 1):
            found.append(self._apart_by(difference, one, other))
        found.append(self._further(first, second, self.first, self.second))
        found.append(self._further(second, first, self.second, self.first))
        return found

    def _beside(self, short: int, one: Law, other: Law, mine: int, others: int, start: int) -> list[Stretch]:
        """One run of a short length, the other of any length from `start` on."""
        weight = one[short]
        found = [
            Stretch({mine: short, others: length}, (), _point(weight * other[length]))
            for length in range(start, self.saturated)
        ]
        rest = _from(other, self.saturated).scaled(weight)
        return [*found, Stretch({mine: short, others: self.saturated}, ((others,),), lambda s: rest.affine(s[0]))]

    def _apart_by(self, difference: int, one: Law, other: Law) -> Stretch:
        lengths = {self.first: self.least + max(0, difference), self.second: self.least + max(0, -difference)}
        both = termwise(_from(one, lengths[self.first]), _from(other, lengths[self.second]))
        return Stretch(lengths, ((self.first, self.second),), lambda slopes: both.affine(slopes[0]))

    def _further(self, longer: Chains, shorter: Chains, mine: int, others: int) -> Stretch:
        """One is longer than the other by more than the reach.

        The lengths are a + s + t and b + s. With n chains the weight of k = a + s + t is a binomial coefficient of
        n - 1 + k over n - 1, which by Vandermonde's identity is a sum of products, one factor of s and one of t.
        """
        lengths = {mine: self.least + self.reach + 1, others: self.least}
        ((_, go),) = longer.go
        short = _from(_lengths(shorter), self.least)
        top, most = longer.count - 1, longer.count - 1 + lengths[mine]
        factors = [(termwise(_binomials(at, go, 0), short), _binomials(top - at, go, most)) for at in range(top + 1)]
        weight = longer.stop**longer.count * go ** lengths[mine]

        def law(slopes: Sequence[int]) -> Law:
            together, alone = slopes
            total = Law.of({})
            for both, one in factors:
                total = total + both.affine(together) * one.affine(alone)
            return total.scaled(weight)

        return Stretch(lengths, ((mine, others), (mine,)), law)


def _binomials(order: int, go: Fraction, start: int) -> Law:
    """At each k from 0 on, the binomial coefficient of start + k over `order`, times go to the power of k."""
    den = fmpz_poly([go.denominator, -go.numerator]) ** (order + 1)
    num = fmpz_poly([0] * order + [go.numerator**order * go.denominator])
    return _from(Law.series(num, den), start).scaled(1 / go**start)


def _lengths(chain: Chains) -> Law:
    """The law of the length of the only run of some chains, weighed by the chance that none shows another face."""
    ((_, go),) = chain.go
    return (Law.geometric_sum(Law.point(0), Law.point(1, go)) ** chain.count).scaled(chain.stop**chain.count)


def _from(law: Law, start: int) -> Law:
    return law.restrict(start, None).affine(1, -start)


def _point(weight: Fraction) -> Callable[[Sequence[int]], Law]:
    return lambda slopes: Law.point(0, weight)


def facing(questions: Iterable[Any], runs: Sequence[Run], dice: int, least: int) -> list[Facing]:
    """The runs that face one another in some question, each in one pair. `dice`: how many other dice there are;
    `least`: from which length on a run by itself is one part. Raises `Unsettled`.
    """
    questions = list(questions)
    pairs: dict[tuple[int, int], list[Asked]] = {}
    named = [(chain.name, chain.go[at][0]) for chain, at in runs]
    for question in questions:
        if isinstance(question, Asked) and question.other is not None and tells_apart(question, named):
            mine, others = runs_of(question.pool, named), runs_of(question.other, named)
            if len(mine) != 1 or len(others) != 1 or question.pool.steps or question.other.steps:
                raise Unsettled
            pairs.setdefault((min(mine[0], others[0]), max(mine[0], others[0])), []).append(question)
    numbers = [number for pair in pairs for number in pair]
    if len(set(numbers)) < len(numbers) or any(len(runs[number][0].go) != 1 for number in numbers):
        raise Unsettled
    found = []
    for (first, second), asked in pairs.items():
        if runs[first][0].dice != runs[second][0].dice:
            raise Unsettled
        names = {runs[first][0].name, runs[second][0].name}
        others = [each for each in questions if each not in asked and not names.isdisjoint(_names(each))]
        start = least
        if all(_on_top(each, named) for each in asked) and not any(isinstance(each, Asked) for each in others):
            start = int(any(map(is_marks, others)) or not all(_alike(each, named) for each in asked))
        start, reach, more = (-(-each // runs[first][0].dice) for each in (start, dice, dice + 3))
        found.append(Facing(first, second, start, reach, start + more))
    return found


def _names(question: Any) -> set[str]:
    slots = slots_of(question) if isinstance(question, Asked) else (slot for slot, _ in question)
    return {name for name, _ in slots}


def _on_top(asked: Asked, runs: Sequence[tuple[str, tuple[int, int]]]) -> bool:
    """Whether each run shows the highest face of its pool: one die more of both is one pair more before all others."""
    return all(face == _highest(pool) for face, pool in _faces(asked, runs))


def _alike(asked: Asked, runs: Sequence[tuple[str, tuple[int, int]]]) -> bool:
    """Whether both runs show the same face."""
    (mine, _), (others, _) = _faces(asked, runs)
    return bool(mine == others)


def _faces(asked: Asked, runs: Sequence[tuple[str, tuple[int, int]]]) -> list[tuple[Any, UnknownPool]]:
    """What the run of each pool shows."""
    found = []
    for pool in (asked.pool, asked.other):
        assert pool is not None
        (number,) = runs_of(pool, runs)
        name, (slot, face) = runs[number]
        found.append((next(images[face] for at, images in pool.pieces if at == (name, slot)), pool))
    return found


def _highest(pool: UnknownPool) -> Any:
    faces: list[Any] = [face for _, images in pool.pieces for face in images if face is not None]
    return max([*faces, *(die.face for die in pool.fixed)])
