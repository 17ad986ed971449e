"""Dice that explode without end, for questions of any kind: a known number of dice that stop, and runs of faces that
explode.

Of n like dice that explode, exactly n throws stop; only the faces that explode can be shown by any number of dice. So
what lies there is a finite throw beside runs of equal faces whose lengths follow a negative multinomial law. From some
length on, one more die of a run changes every answer by a constant: there the length is left open, as the variable of a
rational generating function, and below it is tried length by length.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product
from math import comb, factorial, lcm
from typing import Any

from rulesrun.dice import Law
from rulesrun.evaluation.exact.listing import goes_on, throws
from rulesrun.evaluation.exact.sources import Again, Mixed, OneDie, Part, Source, Thrown, Weighted
from rulesrun.evaluation.exact.symbols import Asked, Keep, Only, Slot, UnknownPool, Without
from rulesrun.evaluation.exact.tabled import ways

FEW = 3_000
"""In so many ways a group that is thrown again may fall at the most, to be made of runs."""
Place = tuple[int, int]
"""A slot of a source and one of its faces, by number."""


class Unsettled(Exception):
    """No length is known from which on one more die of a run changes the answers by a constant."""


@dataclass(frozen=True, slots=True)
class Chains:
    """So many chains of throws (1 or more), each stopped by the chance `stop`; `go` are the faces that carry on, of
    `dice` dice each time.
    """

    name: str
    count: int
    stop: Fraction
    go: tuple[tuple[Place, Fraction], ...]
    dice: int = 1

    def share(self, exact: Mapping[int, int]) -> Fraction:
        """The weight of so many of some faces, where 1 stands for every other throw that carries on."""
        added = sum(exact.values())
        ways = comb(self.count + added - 1, added) * factorial(added)
        weight = self.stop**self.count
        for place, number in exact.items():
            ways //= factorial(number)
            weight *= self.go[place][1] ** number
        return ways * weight

    def mass(self, exact: Mapping[int, int], free: Iterable[int]) -> Fraction:
        """The chance of exactly so many of some faces, any number of the free ones, and none of the others."""
        rest = 1 - sum(self.go[place][1] for place in free)
        return self.share(exact) / Fraction(rest) ** (self.count + sum(exact.values()))

    def law(self, exact: Mapping[int, int], tails: Sequence[int], least: int, slopes: Sequence[int]) -> Law:
        """The law of the sum of slope times length over the tails, where each is at least `least` long."""
        if not any(slopes[place] for place in tails):
            return Law.point(0, self.chance(exact, tails, least))
        total = Law.of({})
        for size in range(len(tails) + 1):
            for short in combinations(tails, size):
                long = [place for place in tails if place not in short]
                for lengths in product(range(least), repeat=size):
                    all_exact = {**exact, **dict(zip(short, lengths, strict=True))}
                    shift = sum(slopes[place] * length for place, length in zip(short, lengths, strict=True))
                    part = self._free(all_exact, long, slopes).affine(1, shift)
                    total = total + part if size % 2 == 0 else total - part
        return total

    def _free(self, exact: Mapping[int, int], free: Sequence[int], slopes: Sequence[int]) -> Law:
        weight = self.share(exact)
        if not free:
            return Law.point(0, weight)
        go = Law.of({})
        for place in free:
            go = go + Law.point(slopes[place], self.go[place][1])
        return (Law.geometric_sum(Law.point(0), go) ** (self.count + sum(exact.values()))).scaled(weight)

    def chance(self, exact: Mapping[int, int], tails: Sequence[int], least: int) -> Fraction:
        """The chance that all tails are at least so long."""
        total = Fraction(0)
        for size in range(len(tails) + 1):
            for short in combinations(tails, size):
                long = [place for place in tails if place not in short]
                for lengths in product(range(least), repeat=size):
                    more = self.mass({**exact, **dict(zip(short, lengths, strict=True))}, long)
                    total += more if size % 2 == 0 else -more
        return total


@dataclass(frozen=True, slots=True)
class Laying:
    """One way in which a source is made of a finite throw and runs."""

    weight: Fraction
    parts: tuple[Part, ...]
    chains: tuple[Chains, ...]


def runnable(source: Source) -> bool:
    """Whether a source is made of finite throws and runs."""
    if isinstance(source, Mixed):
        return all(runnable(thrown) for _, thrown in source.options)
    if isinstance(source, Again):
        return _step(source) is not None
    return isinstance(source, Thrown) and all(
        part.die.more is None or part.die.more.limit is None for part in source.parts
    )


def _step(source: Again) -> tuple[Place, int] | None:
    """The face that all dice of a group show where it is thrown again, and of how many dice; None where a further
    throw may show several things.
    """
    if source.limit is not None or not source.group.finite or not source.first.finite:
        return None
    if ways({source.name: source.group}) > FEW or ways({source.name: source.first}) > FEW:
        return None
    going = [dice for dice, _ in throws(source.group, FEW) if goes_on(source, dice)]
    if len(going) != 1 or len(set(going[0])) != 1:
        return None
    return going[0][0], len(going[0])


def layings(source: Thrown | Mixed | Again, struck: Mapping[Slot, int]) -> list[Laying]:
    """All ways to make a source of finite throws and runs; throws that show a struck face are left out."""
    if isinstance(source, Again):
        return list(_again(source, struck))
    if isinstance(source, Mixed):
        return [
            Laying(weight * each.weight, each.parts, each.chains)
            for weight, thrown in source.options
            for each in layings(thrown, struck)
        ]
    found = [Laying(Fraction(1), (), ())]
    for part in source.parts:
        options = _of_part(source, part, struck)
        found = [
            Laying(before.weight * more.weight, before.parts + more.parts, before.chains + more.chains)
            for before in found
            for more in options
        ]
    return found


def _again(source: Again, struck: Mapping[Slot, int]) -> Iterator[Laying]:
    """Those of a group that is thrown again: throws that stop are all throws less those that do not."""
    step = _step(source)
    assert step is not None
    (slot, face), number = step
    shift = len(source.group.looks)
    place = (slot + shift, face)
    first = layings(Thrown(source.name, source.looks, source.first.parts), struck)
    parts = tuple(Part(part.count, _moved(part.die, shift)) for part in source.group.parts)
    later = layings(Thrown(source.name, source.looks, parts), struck)
    yield from first
    (share,) = (weight for dice, weight in throws(source.group, FEW) if goes_on(source, dice))
    for dice, weight in throws(source.first, FEW):
        if not goes_on(source, dice) or any(struck.get((source.name, at), 0) >> shown & 1 for at, shown in dice):
            continue
        shows = tuple(Part(1, OneDie(1, ((*die, 1),))) for die in dice)
        yield Laying(-weight, shows, ())
        steps: tuple[Chains, ...] = ()
        if not struck.get((source.name, place[0]), 0) >> face & 1:
            steps = (Chains(source.name, 1, Fraction(1), ((place, share),), number),)
            yield Laying(-weight * share, (*shows, Part(number, OneDie(1, ((*place, 1),)))), steps)
        for each in later:
            yield Laying(weight * each.weight, (*shows, *each.parts), steps)


def _moved(die: OneDie, shift: int) -> OneDie:
    return OneDie(die.total, tuple((slot + shift, face, weight) for slot, face, weight in die.stop))


def _of_part(source: Thrown, part: Part, struck: Mapping[Slot, int]) -> list[Laying]:
    def left(faces: Weighted) -> Weighted:
        return tuple(each for each in faces if not struck.get((source.name, each[0]), 0) >> each[1] & 1)

    die, count = part.die, part.count
    first_stop, first_go = left(die.stop), left(die.go)
    if die.more is None:
        return [Laying(_chance(first_stop, die.total) ** count, _several(count, first_stop), ())]
    stop, go = left(die.more.stop), left(die.more.go)
    chances = tuple(((slot, face), Fraction(weight, die.more.total)) for slot, face, weight in go)
    stops = _chance(stop, die.more.total)
    if _same(first_stop, die.total, stop, die.more.total) and _same(first_go, die.total, go, die.more.total):
        if not stop:
            return []
        return [Laying(Fraction(1), _several(count, stop), _chains(source.name, count, stops, chances))]
    found = []
    for going in range(count + 1):
        weight = (
            comb(count, going)
            * _chance(first_stop, die.total) ** (count - going)
            * _chance(first_go, die.total) ** going
        )
        if weight and (stop or not going):
            parts = (*_several(count - going, first_stop), *_several(going, first_go), *_several(going, stop))
            found.append(Laying(weight, parts, _chains(source.name, going, stops, chances)))
    return found


def _chains(name: str, count: int, stop: Fraction, go: tuple[tuple[Place, Fraction], ...]) -> tuple[Chains, ...]:
    return (Chains(name, count, stop, go),) if count else ()


def _chance(faces: Weighted, total: int) -> Fraction:
    return Fraction(sum(weight for _, _, weight in faces), total)


def _several(count: int, faces: Weighted) -> tuple[Part, ...]:
    """Dice that show one of the faces for certain, one part for each slot that they may be of."""
    if not count or not faces:
        return ()
    return (Part(count, OneDie(sum(weight for _, _, weight in faces), faces)),)


def _same(faces: Weighted, total: int, others: Weighted, other_total: int) -> bool:
    common = lcm(total, other_total)
    mine = {(slot, face): weight * (common // total) for slot, face, weight in faces}
    theirs = {(slot, face): weight * (common // other_total) for slot, face, weight in others}
    return mine == theirs


# ---------------------------------------------------------------- what a run does to answers


def growth(
    asked: Asked, name: str, place: Place, identity: tuple[object, ...], runs: Sequence[tuple[str, Place]]
) -> int:
    """By how much an answer grows with each die of a long run. `identity`: sides, target and kind of its dice; `runs`:
    all runs. Raises `Unsettled` where that depends on how long other runs are.
    """

    def has_runs(pool: UnknownPool | None) -> int:
        return 0 if pool is None else sum(_image(pool, *run)[1] for run in runs)

    pool = asked.pool
    image, stays = _image(pool, name, place)
    alone = True
    for step in pool.steps:
        match step:
            case Keep(kind, _):
                alone = alone and kind != "keep middle"
                stays = stays and kind.startswith("drop")
            case Only(faces):
                stays = stays and image in faces
            case Without(other):
                if has_runs(pool) and (has_runs(other) or any(isinstance(each, Without) for each in other.steps)):
                    raise Unsettled
    many = has_runs(pool) > 1
    if many and (not alone or asked.what in ("largest_set", "face_of_largest_set", "middle")):
        raise Unsettled
    match asked.what:
        case "score":
            return dict(asked.detail)[(image, *identity)] if stays else 0  # type: ignore[arg-type]
        case "size" | "largest_set":
            return int(stays)
        case "outranks" | "wins":
            other_pool = asked.other
            assert other_pool is not None
            if any(isinstance(step, Without) or _middle(step) for step in other_pool.steps):
                raise Unsettled
            return 0
        case _:
            return 0


def tells_apart(asked: Asked, runs: Sequence[tuple[str, Place]]) -> bool:
    """Whether a comparison of two pools depends on how much longer one run is than another, however long both are."""
    if asked.other is None or not runs_of(asked.pool, runs) or not runs_of(asked.other, runs):
        return False
    return not (_bounded(asked.pool) or _bounded(asked.other))


def growth_together(asked: Asked, runs: Sequence[tuple[str, Place]]) -> int:
    """By how much the answer to such a comparison grows where both runs grow by a die."""
    if asked.what != "wins" or asked.other is None:
        return 0
    (mine,), (others,) = runs_of(asked.pool, runs), runs_of(asked.other, runs)
    return int(_image(asked.pool, *runs[mine])[0] > _image(asked.other, *runs[others])[0])


def runs_of(pool: UnknownPool, runs: Sequence[tuple[str, Place]]) -> list[int]:
    """The runs that are in a pool, by number."""
    return [number for number, run in enumerate(runs) if _image(pool, *run)[1]]


def _bounded(pool: UnknownPool) -> bool:
    """Whether only so many dice are left of a pool, however many there were."""
    return any(isinstance(step, Keep) and step.kind in ("keep highest", "keep lowest") for step in pool.steps)


def _middle(step: object) -> bool:
    return isinstance(step, Keep) and step.kind == "keep middle"


def _image(pool: UnknownPool, name: str, place: Place) -> tuple[Any, bool]:
    """What a run shows in a pool, and whether it is in it at all."""
    slot, face = place
    for (piece, at), images in pool.pieces:
        if (piece, at) == (name, slot):
            return images[face], images[face] is not None
    return None, False


def numbers_in(questions: Iterable[Any]) -> int:
    """The sum of all numbers that questions compare numbers of dice with."""
    total = 0
    for question in questions:
        if not isinstance(question, Asked):
            continue
        if isinstance(question.detail, int):
            total += question.detail
        elif question.what == "sets" and question.detail:
            total += max(question.detail)  # type: ignore[operator]
        for pool in (question.pool, question.other):
            total += _numbers_of(pool)
    return total


def fixed_in(questions: Iterable[Any]) -> int:
    """How many known dice the pools of questions hold."""
    pools = [pool for each in questions if isinstance(each, Asked) for pool in (each.pool, each.other)]
    return sum(len(pool.fixed) for pool in pools if pool is not None)


def _numbers_of(pool: UnknownPool | None) -> int:
    if pool is None:
        return 0
    total = len(pool.fixed)
    for step in pool.steps:
        if isinstance(step, Keep):
            total += step.number
        elif isinstance(step, Without):
            total += _numbers_of(step.other)
    return total
