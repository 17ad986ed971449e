"""Throws against all ways in which their dice can fall, one after another: listed, and as laws of scores."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import lcm

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from rulesrun.dice.series import TooLarge
from rulesrun.evaluation.exact import listing
from rulesrun.evaluation.exact.listing import ENDLESS_TAIL, listed, throws
from rulesrun.evaluation.exact.sources import Again, Hom, Listed, Look, Mixed, More, OneDie, Part, Struck, SumIn, Thrown
from rulesrun.evaluation.exact.symbols import Ranges

Ways = Iterator[tuple[tuple[tuple[int, int], ...], Fraction]]
BUDGET = 10**6
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


def goes(condition: Struck | SumIn, dice: tuple[tuple[int, int], ...]) -> bool:
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


def ways(source: Thrown | Mixed | Again) -> dict[tuple[tuple[int, int], ...], Fraction]:
    each: Ways
    if isinstance(source, Mixed):
        each = ((dice, share * chance) for share, thrown in source.options for dice, chance in group(thrown))
    elif isinstance(source, Again):
        assert source.limit is not None
        each = again(source, source.first, source.limit, 0)
    else:
        each = group(source)
    return together(each)


def together(each: Ways) -> dict[tuple[tuple[int, int], ...], Fraction]:
    found: dict[tuple[tuple[int, int], ...], Fraction] = {}
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
)


@settings(deadline=None)
@given(sources, some.data())
def test_throws_against_all_ways(source: Thrown | Mixed | Again, data: some.DataObject) -> None:
    wanted = ways(source)
    assert together(throws(source, BUDGET)) == wanted
    slots = len(source.looks)
    given = [data.draw(scores) for _ in range(slots)]
    hom = Hom(
        tuple(data.draw(some.sampled_from([each, None])) for each in given),
        tuple(data.draw(some.integers(0, 3)) for _ in range(slots)),
        tuple(data.draw(some.integers(0, 7)) for _ in range(slots)),
    )
    law: Counter[int] = Counter()
    for dice, chance in wanted.items():
        if not any(hom.struck[slot] >> face & 1 for slot, face in dice):
            sign = (-1) ** sum(hom.flipped[slot] >> face & 1 for slot, face in dice)
            score = sum((hom.scores[slot] or (0,) * 3)[face] for slot, face in dice)
            law[score] += sign * chance
    bottom = lcm(*(chance.denominator for chance in wanted.values()))
    plain_list = Listed("p", source.looks, tuple((dice, int(w * bottom)) for dice, w in wanted.items()), bottom)
    for found in (source.element(hom), plain_list.element(hom)):
        assert {value: found[value] for value in range(-40, 60) if found[value]} == {k: v for k, v in law.items() if v}
    for slot in range(slots):
        numbers = {sum(at == slot for at, _ in dice) for dice in wanted}
        count, (low, high) = source.count(slot), source.bounds(slot, given[slot])
        assert count is None or numbers == {count}
        sums = [sum(given[slot][face] for at, face in dice if at == slot) for dice in wanted]
        assert low is not None
        assert high is not None
        assert low <= min(sums) <= max(sums) <= high
        assert plain_list.bounds(slot, given[slot]) == (min(sums), max(sums))
        assert plain_list.count(slot) == (min(numbers) if len(numbers) == 1 else None)
        if isinstance(source, Thrown) and source.finite:
            assert (count, low, high) == (min(numbers), min(sums), max(sums))


ENDLESS: dict[str, Thrown | Again] = {
    "explodes": Thrown("p", (look(2), look(2)), (Part(1, exploding((1, 1), 1, None)),)),
    "is thrown again": Again("p", Thrown("p", (look(2),), (Part(1, plain(0, 1, 1)),)), Struck(((1, (1,)),)), None),
}


@pytest.mark.parametrize("source", ENDLESS.values(), ids=ENDLESS)
def test_a_coin_without_end_is_listed_until_less_than_a_billionth_of_a_thousandth_is_left(
    source: Thrown | Again,
) -> None:
    found = list(throws(source, 40))
    assert [(dice, chance) for dice, chance in found if len(dice) < 3] == [
        (((0, 0),), Fraction(1, 2)),
        (((0, 1), (1, 0)), Fraction(1, 4)),
    ]
    assert sum(chance for _, chance in found) == 1 - Fraction(1, 2**40)
    assert Fraction(1, 2**40) < ENDLESS_TAIL < Fraction(1, 2**39)


def wide(limit: int | None) -> dict[str, Thrown | Again]:
    """A die of 21 faces, one of which brings another."""
    faces = (look(21), look(21))
    return {
        "explode": Thrown("p", faces, (Part(1, exploding((1,) * 21, 1, limit)),)),
        "be thrown again": Again(
            "p", Thrown("p", faces[:1], (Part(1, plain(0, *(1,) * 21)),)), Struck(((1, (0,)), (-1, (1,)))), limit
        ),
    }


@pytest.mark.parametrize("what", wide(None))
def test_only_what_has_no_end_is_listed_in_few_ways(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listing, "MOST_ENDLESS", 20)
    assert len(list(throws(wide(2)[what], 100))) == 61
    with pytest.raises(TooLarge, match=f"so many ways in which (the )?dice can {what}"):
        list(throws(wide(None)[what], 100))
    monkeypatch.setattr(listing, "MOST_ENDLESS", 1000)
    assert len(list(throws(wide(None)[what], 1000))) == 20 * 10


D3, TWO_SLOTS = plain(0, 1, 1, 1), (look(3), look(3))


@pytest.mark.parametrize(
    ("source", "number"),
    [
        (Thrown("p", TWO_SLOTS, (Part(3, D3),)), 10),
        (Thrown("p", TWO_SLOTS, (Part(1, D3), Part(1, plain(1, 1, 1, 1)))), 9),
        (Thrown("p", TWO_SLOTS, (Part(1, exploding((1, 1, 1), 1, 2)),)), 7),
        (Again("p", Thrown("p", (look(3),), (Part(1, D3),)), Struck(((1, (6,)),)), 1), 3),
    ],
)
def test_as_many_ways_as_there_may_be(source: Thrown | Again, number: int) -> None:
    assert sum(chance for _, chance in throws(source, number)) == 1
    with pytest.raises(TooLarge):
        list(throws(source, number - 1))


def test_throws_side_by_side() -> None:
    two = {"p": Thrown("p", (look(3),), (Part(1, D3),)), "q": Thrown("q", (look(2),), (Part(1, plain(0, 1, 3)),))}
    found = list(listed(two, 6))
    assert len(found) == 6
    assert ({"p": ((0, 2),), "q": ((0, 1),)}, Fraction(1, 4)) in found
    with pytest.raises(TooLarge):
        list(listed(two, 5))
