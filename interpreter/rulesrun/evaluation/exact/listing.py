"""All that a throw can show, one by one: the plain way, for questions that no algebra answers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from math import comb, lcm, prod
from typing import TypeAlias, TypeVar

from rulesrun.dice.series import EndlessWays, TooLarge
from rulesrun.evaluation.exact.drawn import Drawn
from rulesrun.evaluation.exact.sources import Again, Counted, Listed, Mixed, OneDie, Source, SumIn, Thrown, Weighted
from rulesrun.evaluation.exact.symbols import Ranges

Dice: TypeAlias = tuple[tuple[int, int], ...]
"""What lies there of one throw, as (slot, face), in ascending order."""

N = TypeVar("N", int, Fraction)

ENDLESS_TAIL = Fraction(1, 10**12)
MOST_ENDLESS = 20_000
"""In so many ways at most a throw without end is listed; what is not listed stays open in any case."""


def throws(source: Source, budget: int) -> Iterator[tuple[Dice, Fraction]]:
    """Everything that a source can show, with its weight; of an endless one until less than 10^-12 is left. Raises
    `TooLarge`.
    """
    if isinstance(source, Listed):
        yield from ((dice, Fraction(weight, source.total)) for dice, weight in source.throws)
    elif isinstance(source, Drawn):
        if source.ways > budget:
            raise TooLarge(f"{source.ways:,} ways to draw")
        yield from source.draws()
    elif isinstance(source, Counted):
        low = source.law.bounds[0]
        if low is None or low < 0:
            raise TooLarge("a number without an end on either side beside dice")
        yield from ((((0, 0),) * value, weight) for value, weight in source.law.items(ENDLESS_TAIL))
    elif isinstance(source, Again):
        yield from _again(source, budget)
    elif isinstance(source, Mixed):
        for share, thrown in source.options:
            yield from ((dice, share * weight) for dice, weight in throws(thrown, budget))
    elif any(part.die.more is not None for part in source.parts):
        found: dict[Dice, Fraction] = {(): Fraction(1)}
        for part in source.parts:
            found = _join(found, _several(part.die, part.count, budget), budget)
        yield from found.items()
    else:
        weights, total = counted_throws(source, budget)
        yield from ((dice, Fraction(weight, total)) for dice, weight in weights)


def counted_throws(source: Source, budget: int) -> tuple[Iterable[tuple[Dice, int]], int]:
    """As `throws`, with whole weights, and what they are parts of."""
    if isinstance(source, Thrown) and all(part.die.more is None for part in source.parts):
        found: dict[Dice, int] = {(): 1}
        for part in source.parts:
            found = _join(found, _counted(part.die, part.count, budget), budget)
        return found.items(), prod(part.die.total**part.count for part in source.parts)
    here = list(throws(source, budget))
    bottom = lcm(*(weight.denominator for _, weight in here))
    return [(dice, int(weight * bottom)) for dice, weight in here], bottom


def _join(left: dict[Dice, N], right: dict[Dice, N], budget: int) -> dict[Dice, N]:
    if len(left) * len(right) > budget:
        raise TooLarge(f"{len(left) * len(right):,} ways in which the dice can fall")
    if len(left) == 1 and () in left and left[()] == 1:
        return right
    found: dict[Dice, N] = {}
    for dice, weight in left.items():
        for others, other_weight in right.items():
            both = tuple(sorted(dice + others))
            more = weight * other_weight
            found[both] = found[both] + more if both in found else more
    return found


def _several(die: OneDie, count: int, budget: int) -> dict[Dice, Fraction]:
    """The multisets that `count` equal dice show."""
    if die.more is None:
        bottom = die.total**count
        return {dice: Fraction(weight, bottom) for dice, weight in _counted(die, count, budget).items()}
    one = _chain(die, budget)
    found: dict[Dice, Fraction] = {(): Fraction(1)}
    for _ in range(count):
        found = _join(found, one, budget)
    return found


def _counted(die: OneDie, count: int, budget: int) -> dict[Dice, int]:
    """The multisets that `count` equal dice show which do not explode, in ascending order, and in how many ways."""
    if not count:
        return {(): 1}
    faces = sorted({(slot, face): weight for slot, face, weight in die.stop}.items())
    if comb(count + len(faces) - 1, count) > budget:
        raise TooLarge(f"{comb(count + len(faces) - 1, count):,} ways in which {count} dice can fall")
    found: dict[Dice, int] = {}

    def from_face(first: int, left: int, shown: Dice, ways: int) -> None:
        for place in range(first, len(faces)):
            face, weight = faces[place]
            found[shown + (face,) * left] = ways * weight**left
            for many in range(left - 1, 0, -1):
                from_face(place + 1, left - many, shown + (face,) * many, ways * comb(left, many) * weight**many)

    from_face(0, count, (), 1)
    return found


def _chain(die: OneDie, budget: int) -> dict[Dice, Fraction]:
    """What one die and all that it adds can show."""
    assert die.more is not None
    found: dict[Dice, Fraction] = {}
    open_: dict[Dice, Fraction] = {}

    def put(into: dict[Dice, Fraction], dice: Dice, faces: Weighted, total: int, weight: Fraction) -> None:
        for slot, face, w in faces:
            more = tuple(sorted((*dice, (slot, face))))
            into[more] = into.get(more, Fraction(0)) + weight * Fraction(w, total)

    put(found, (), die.stop, die.total, Fraction(1))
    put(open_, (), die.go, die.total, Fraction(1))
    added = 0
    while open_:
        added += 1
        following: dict[Dice, Fraction] = {}
        last = die.more.limit is not None and added >= die.more.limit
        if die.more.limit is None and sum(open_.values()) < ENDLESS_TAIL:
            break
        if len(found) + len(open_) > (budget if die.more.limit is not None else MOST_ENDLESS):
            large = TooLarge if die.more.limit is not None else EndlessWays
            raise large("so many ways in which the dice can explode")
        for dice, weight in open_.items():
            put(found, dice, die.more.stop, die.more.total, weight)
            put(found if last else following, dice, die.more.go, die.more.total, weight)
        open_ = following
    return found


def _again(source: Again, budget: int) -> Iterator[tuple[Dice, Fraction]]:
    first, group = dict(throws(source.first, budget)), dict(throws(source.group, budget))
    count = len(source.group.looks)
    first_going = {dice: weight for dice, weight in first.items() if goes_on(source, dice)}
    if not first_going:
        yield from first.items()
        return
    first_stopping = {dice: weight for dice, weight in first.items() if dice not in first_going}
    going = {dice: weight for dice, weight in group.items() if goes_on(source, dice)}
    stopping = {dice: weight for dice, weight in group.items() if dice not in going}

    def later(weights: Mapping[Dice, Fraction]) -> dict[Dice, Fraction]:
        return {tuple((slot + count, face) for slot, face in dice): weight for dice, weight in weights.items()}

    found = dict(first if source.limit == 0 else first_stopping)
    before: dict[Dice, Fraction] = {} if source.limit == 0 else first_going
    rounds = 0
    while before:
        rounds += 1
        last = source.limit is not None and rounds >= source.limit
        for dice, weight in _join(before, later(group if last else stopping), budget).items():
            found[dice] = found.get(dice, Fraction(0)) + weight
        if last:
            break
        if source.limit is None and len(found) > MOST_ENDLESS:
            raise EndlessWays("so many ways in which dice can be thrown again")
        before = _join(before, later(going), budget)
        if source.limit is None and sum(before.values()) < ENDLESS_TAIL:
            break
    yield from found.items()


def goes_on(source: Again, dice: Dice) -> bool:
    condition = source.condition
    if isinstance(condition, SumIn):
        total = sum(condition.scores[slot][face] for slot, face in dice)
        return not condition.ranges.meets(Ranges.of(total, total)).empty
    return sum(sign for sign, masks in condition.terms if not any(masks[slot] >> face & 1 for slot, face in dice)) == 1


def listed(sources: Mapping[str, Source], budget: int) -> Iterator[tuple[dict[str, Dice], Fraction]]:
    """Everything that several throws can show together."""
    known: list[tuple[dict[str, Dice], Fraction]] = [({}, Fraction(1))]
    for name, source in sources.items():
        here = list(throws(source, budget))
        if len(known) * len(here) > budget:
            raise TooLarge(f"{len(known) * len(here):,} ways in which the dice can fall")
        known = [({**before, name: dice}, weight * more) for before, weight in known for dice, more in here]
    yield from known
