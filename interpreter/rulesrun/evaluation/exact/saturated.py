"""Throws without end as finite ones: equal dice beyond those that anything tells apart are left out.

How many dice of each face lie there, cut off at some number, is a finite monoid, and a throw that goes on is a
geometric series over it: X = S + E X. Since numbers of dice only grow, the series is summed state by state in order of
size; a state that a further throw leaves as it is stands for all the throws that do. Nothing is lost.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from math import comb, lcm
from typing import Protocol, TypeAlias

from flint import fmpq

from rulesrun.dice.series import TooLarge
from rulesrun.evaluation.exact.facts import Facts
from rulesrun.evaluation.exact.listing import goes_on, throws
from rulesrun.evaluation.exact.lumping import merged
from rulesrun.evaluation.exact.sources import Again, Listed, OneDie, Part, Struck, Thrown, Weighted
from rulesrun.evaluation.exact.symbols import Asked, Linear, Modulo, Slot, UnknownPool, Without

Counts: TypeAlias = tuple[int, ...]
"""How many dice there are of each class of faces."""
Weights: TypeAlias = dict[Counts, fmpq]
Die: TypeAlias = tuple[int, int]
"""A slot and a face, by number."""
MOST = 60_000
"""So many ways to lie there at most."""


def saturated(source: Thrown | Again, most: int, forms: Iterable[Linear], facts: Facts, apart: bool) -> Listed:
    """A throw of which no more than `most` equal dice are told apart, way by way. `apart`: whether dice of unlike slots
    stay unlike though everything reads them alike. Raises `TooLarge`.
    """
    classes = _classes(source, forms, facts, apart)
    dice = tuple(dict.fromkeys(die for die in classes.values() if die is not None))
    work = _Saturation(dice, classes, most)
    found = work.thrown(source) if isinstance(source, Thrown) else work.again(source)
    bottom = lcm(*(int(weight.q) for weight in found.values()))
    ways = tuple(
        (
            tuple(die for die, count in zip(work.dice, counts, strict=True) for _ in range(count)),
            int(weight * bottom),
        )
        for counts, weight in found.items()
        if weight
    )
    return Listed(source.name, source.looks, ways, bottom)


@dataclass(frozen=True, slots=True)
class _Saturation:
    """Numbers of dice by class, cut off at `most`; each class has a die that stands for it."""

    dice: tuple[Die, ...]
    classes: Mapping[Die, Die | None]
    most: int

    # ------------------------------------------------------------ throws

    def thrown(self, source: Thrown) -> Weights:
        """The ways of independent dice."""
        found: Weights = {self.nothing: fmpq(1)}
        for part in source.parts:
            if part.count:
                found = self.times(found, self.several(part.die, part.count))
        return found

    def several(self, die: OneDie, count: int) -> Weights:
        """The ways of like dice, with all that they add."""
        stop, go = self.faces(die.stop, die.total), self.faces(die.go, die.total)
        more = die.more
        if more is None or more.limit is not None:
            one = stop
            if more is not None:
                more_stop, more_go = self.faces(more.stop, more.total), self.faces(more.go, more.total)
                one = _plus(stop, self.repeated(go, more_stop, more_go, more.limit - 1))  # type: ignore[operator]
            return self.power(one, count)
        more_stop, more_go = self.faces(more.stop, more.total), self.faces(more.go, more.total)
        ended = self.times(go, more_stop)
        stops, ends = _powers(self, stop, count), _powers(self, ended, count)
        total: Weights = {}
        for going in range(count, -1, -1):
            total = self.endless(total, more_go)
            part = self.times(stops[count - going], ends[going])
            total = _plus(total, {counts: weight * comb(count, going) for counts, weight in part.items()})
        return total

    def again(self, source: Again) -> Weights:
        """The ways of a group that is thrown again."""
        size = len(source.group.looks)
        first_going, first_stopping = self.parted(source, source.first, 0)
        going, stopping = self.parted(source, source.group, size)
        if source.limit == 0:
            return _plus(first_stopping, first_going)
        limit = None if source.limit is None else source.limit - 1
        return _plus(first_stopping, self.repeated(first_going, stopping, going, limit))

    def parted(self, source: Again, group: Thrown, shift: int) -> tuple[Weights, Weights]:
        """The ways of one throw of the group that bring another, and those that do not."""
        going: Weights = {}
        stopping: Weights = {}
        first: dict[Hashable, int] = {}
        like: dict[Die, int] = {}
        for slot, look in enumerate(group.looks):
            for face in range(len(look.faces)):
                key = (slot, self.classes[slot + shift, face], _asked(source, slot, face))
                like[slot, face] = first.setdefault(key, face)
        parts = tuple(Part(part.count, merged(part.die, like)) for part in group.parts)
        for dice, weight in throws(Thrown(group.name, group.looks, parts), MOST):
            into = going if goes_on(source, dice) else stopping
            counts = self.counted((slot + shift, face) for slot, face in dice)
            into[counts] = into.get(counts, fmpq(0)) + fmpq(weight.numerator, weight.denominator)
        return going, stopping

    def repeated(self, start: Weights, stop: Weights, go: Weights, limit: int | None) -> Weights:
        """`start`, then `go` any number of times but at most `limit` times, then `stop`; after the last `go` that may
        be one more `go` does as well.
        """
        if limit is None:
            return self.times(self.endless(start, go), stop)
        total: Weights = {}
        for _ in range(limit):
            total, start = _plus(total, self.times(start, stop)), self.times(start, go)
        return _plus(total, self.times(start, _plus(stop, go)))

    def faces(self, faces: Weighted, total: int) -> Weights:
        """The ways of one die."""
        found: Weights = {}
        for slot, face, weight in faces:
            counts = self.counted([(slot, face)])
            found[counts] = found.get(counts, fmpq(0)) + fmpq(weight, total)
        return found

    # ------------------------------------------------------------ the monoid

    @property
    def nothing(self) -> Counts:
        return (0,) * len(self.dice)

    def counted(self, dice: Iterable[Die]) -> Counts:
        counts = [0] * len(self.dice)
        for die in dice:
            stands = self.classes[die]
            if stands is not None:
                counts[self.dice.index(stands)] += 1
        return tuple(min(count, self.most) for count in counts)

    def both(self, left: Counts, right: Counts) -> Counts:
        most = self.most
        return tuple([a + b if a + b < most else most for a, b in zip(left, right, strict=True)])

    def times(self, left: Weights, right: Weights) -> Weights:
        """Two throws together."""
        found: Weights = {}
        for counts, weight in left.items():
            for others, share in right.items():
                both = self.both(counts, others)
                found[both] = found.get(both, fmpq(0)) + weight * share
            if len(found) > MOST:
                raise TooLarge(f"more than {MOST:,} ways in which endless dice can lie")
        return found

    def power(self, one: Weights, exponent: int) -> Weights:
        return _powers(self, one, exponent)[-1]

    def endless(self, start: Weights, go: Weights) -> Weights:
        """`start`, and then `go` any number of times."""
        found: Weights = {}
        waiting: dict[int, Weights] = {}
        for counts, weight in start.items():
            waiting.setdefault(sum(counts), {})[counts] = weight
        steps = list(go.items())
        while waiting:
            for counts, weight in waiting.pop(min(waiting)).items():
                onward = [(self.both(counts, step), share) for step, share in steps]
                stays = sum((share for after, share in onward if after == counts), fmpq(0))
                weight /= 1 - stays
                found[counts] = weight
                for after, share in onward:
                    if after != counts:
                        there = waiting.setdefault(sum(after), {})
                        there[after] = there.get(after, fmpq(0)) + weight * share
            if len(found) > MOST:
                raise TooLarge(f"more than {MOST:,} ways in which endless dice can lie")
        return found


def _plus(left: Weights, right: Weights) -> Weights:
    found = dict(left)
    for counts, weight in right.items():
        found[counts] = found.get(counts, fmpq(0)) + weight
    return found


def _powers(work: _Saturation, one: Weights, highest: int) -> list[Weights]:
    found: list[Weights] = [{work.nothing: fmpq(1)}]
    for _ in range(highest):
        found.append(work.times(found[-1], one))
    return found


def _asked(source: Again, slot: int, face: int) -> Hashable:
    """What the condition of an `again` reads of a face."""
    condition = source.condition
    if isinstance(condition, Struck):
        return tuple(masks[slot] >> face & 1 for _, masks in condition.terms)
    return condition.scores[slot][face]


# ---------------------------------------------------------------- faces that nothing tells apart


class _Faces(Protocol):
    def __getitem__(self, face: int, /) -> Hashable: ...


def _classes(source: Thrown | Again, forms: Iterable[Linear], facts: Facts, apart: bool) -> dict[Die, Die | None]:
    """For each face of each slot the one that stands for all that are read like it; None where nothing is read."""
    read: list[dict[Hashable, _Faces]] = [{} for _ in source.looks]
    for tag, (name, slot), faces in _readings(forms, facts):
        if name == source.name:
            read[slot][tag] = faces
    first: dict[Hashable, Die] = {}
    found: dict[Die, Die | None] = {}
    for slot, look in enumerate(source.looks):
        for face in range(len(look.faces)):
            reading = frozenset((tag, faces[face]) for tag, faces in read[slot].items() if faces[face] is not None)
            key = (slot if apart else (look.sides, look.target, look.kind), reading)
            found[slot, face] = first.setdefault(key, (slot, face)) if reading else None
    return found


def _readings(forms: Iterable[Linear], facts: Facts) -> Iterator[tuple[Hashable, Slot, _Faces]]:
    """What is read of each face of a slot, None for nothing, with a name for each reading."""
    for form in forms:
        for slot, scores in form.terms:
            yield form.terms, slot, [score or None for score in scores]
        for each, _ in form.leftovers:
            if isinstance(each, Modulo):
                for slot, scores in each.terms:
                    yield each, slot, [score or None for score in scores]
            elif isinstance(each, Asked):
                for pool in (each.pool, each.other):
                    yield from _pool_readings(pool)
    for marks in facts.shown:
        for slot, bits in marks:
            yield marks, slot, _Marked(bits)
    for slot, bits in facts.struck.items():
        yield "struck", slot, _Marked(bits)


def _pool_readings(pool: UnknownPool | None) -> Iterator[tuple[Hashable, Slot, _Faces]]:
    if pool is None:
        return
    for slot, images in pool.pieces:
        yield pool, slot, images
    for step in pool.steps:
        if isinstance(step, Without):
            yield from _pool_readings(step.other)


@dataclass(frozen=True, slots=True)
class _Marked:
    """Marks of faces, face by face."""

    bits: int

    def __getitem__(self, face: int) -> bool | None:
        return True if self.bits >> face & 1 else None
