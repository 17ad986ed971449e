"""All ways in which dice can fall, one die after another, and throws of any make."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import product

from hypothesis import strategies as some

from rulesrun.evaluation.exact.sources import Again, Look, Mixed, More, OneDie, Part, Struck, SumIn, Thrown
from rulesrun.evaluation.exact.symbols import Ranges

Dice = tuple[tuple[int, int], ...]
Ways = Iterator[tuple[Dice, Fraction]]
MEETING = range(1, 4)
"""With such sums a group is thrown again."""


def look(sides: int) -> Look:
    return Look(tuple(range(1, sides + 1)), (1,) * sides, sides, None, "die")


def plain(slot: int, *weights: int) -> OneDie:
    return OneDie(sum(weights), tuple((slot, face, weight) for face, weight in enumerate(weights)))


def exploding(weights: tuple[int, ...], going: int, limit: int | None) -> OneDie:
    """A die of which the last faces explode; the dice that it adds are of the second slot."""
    faces, cut = list(enumerate(weights)), len(weights) - going
    total = sum(weights)
    stop, go = (tuple((1, face, weight) for face, weight in part) for part in (faces[:cut], faces[cut:]))
    first = tuple((0, *each[1:]) for each in stop), tuple((0, *each[1:]) for each in go)
    return OneDie(total, first[0], first[1], More(total, stop, go, limit))


def one(die: OneDie) -> Ways:
    for slot, face, weight in die.stop:
        yield ((slot, face),), Fraction(weight, die.total)
    for slot, face, weight in die.go:
        assert die.more is not None
        assert die.more.limit is not None
        for dice, chance in added(die.more, die.more.limit):
            yield ((slot, face), *dice), Fraction(weight, die.total) * chance


def added(more: More, left: int) -> Ways:
    for slot, face, weight in more.stop:
        yield ((slot, face),), Fraction(weight, more.total)
    for slot, face, weight in more.go:
        for dice, chance in added(more, left - 1) if left > 1 else [((), Fraction(1))]:
            yield ((slot, face), *dice), Fraction(weight, more.total) * chance


def group(thrown: Thrown) -> Ways:
    for each in product(*(list(one(part.die)) for part in thrown.parts for _ in range(part.count))):
        chance = Fraction(1)
        for _, weight in each:
            chance *= weight
        yield tuple(at for dice, _ in each for at in dice), chance


def goes(condition: Struck | SumIn, dice: Dice) -> bool:
    if isinstance(condition, SumIn):
        return sum(condition.scores[slot][face] for slot, face in dice) in MEETING
    return sum(sign for sign, masks in condition.terms if not any(masks[slot] >> face & 1 for slot, face in dice)) == 1


def again(source: Again, thrown: Thrown, left: int, shift: int) -> Ways:
    for dice, chance in group(thrown):
        here = tuple((slot + shift, face) for slot, face in dice)
        if left and goes(source.condition, dice):
            for more, weight in again(source, source.group, left - 1, len(source.group.looks)):
                yield (*here, *more), chance * weight
        else:
            yield here, chance


def ways(source: Thrown | Mixed | Again) -> dict[Dice, Fraction]:
    each: Ways
    if isinstance(source, Mixed):
        each = ((dice, share * chance) for share, thrown in source.options for dice, chance in group(thrown))
    elif isinstance(source, Again):
        assert source.limit is not None
        each = again(source, source.first, source.limit, 0)
    else:
        each = group(source)
    return together(each)


def together(each: Iterable[tuple[Dice, Fraction]]) -> dict[Dice, Fraction]:
    found: dict[Dice, Fraction] = {}
    for dice, chance in each:
        key = tuple(sorted(dice))
        found[key] = found.get(key, Fraction(0)) + chance
    return found


weights = some.lists(some.integers(1, 3), min_size=2, max_size=3).map(tuple)
parts = some.lists(
    some.builds(Part, some.integers(0, 2), weights.map(lambda each: plain(0, *each)))
    | some.builds(Part, some.integers(1, 2), weights.map(lambda each: plain(1, *each)))
    | some.builds(Part, some.just(1), some.builds(exploding, weights, some.integers(1, 2), some.integers(1, 2))),
    min_size=1,
    max_size=2,
)
throw = parts.map(lambda each: Thrown("p", (look(3), look(3)), tuple(each)))
masks = some.tuples(some.integers(0, 7), some.integers(0, 7))
scores = some.tuples(*[some.integers(-2, 3)] * 3)
conditions = (
    masks.map(lambda each: Struck(((1, each),)))
    | masks.map(lambda each: Struck(((1, (0, 0)), (-1, each))))
    | some.builds(SumIn, some.tuples(scores, scores), some.just(Ranges.of(MEETING[0], MEETING[-1])))
)
small = some.lists(some.builds(Part, some.integers(1, 2), weights.map(lambda each: plain(0, *each))), max_size=1).map(
    lambda each: Thrown("p", (look(3), look(3)), (*each, Part(1, plain(1, 1, 2))))
)
sources = (
    throw
    | some.builds(
        lambda one, other, share: Mixed("p", one.looks, ((share, one), (1 - share, other))),
        throw,
        throw,
        some.sampled_from([Fraction(1, 3), Fraction(1, 2)]),
    )
    | some.builds(Again, some.just("p"), small, conditions, some.integers(0, 2), some.none() | small)
    | some.builds(Again, some.just("p"), throw, masks.map(lambda each: Struck(((1, each),))), some.integers(0, 1))
)
rarely = some.lists(some.integers(1, 3), min_size=1, max_size=2).map(lambda each: (*each, 1))
endless = some.builds(
    lambda faces, count, beside: Thrown(
        "p", (look(3), look(3)), (Part(count, exploding(faces, 1, None)), *([Part(1, plain(0, *beside))] * (count < 2)))
    ),
    rarely,
    some.integers(1, 2),
    weights,
) | some.builds(
    lambda faces, start: Again(
        "p",
        Thrown("p", (look(3),), (Part(1, plain(0, *faces)),)),
        Struck(((1, ((1 << len(faces) - 1) - 1,)),)),
        None,
        start and Thrown("p", (look(3),), (Part(2, plain(0, *start)),)),
    ),
    rarely,
    some.none() | rarely,
)
