"""Throws against all ways in which their dice can fall, one after another: listed, and as laws of scores."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import lcm

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from rulesrun.dice import Law
from rulesrun.dice.series import TooLarge
from rulesrun.evaluation.exact import listing
from rulesrun.evaluation.exact.chances import Algebra
from rulesrun.evaluation.exact.drawn import Drawn
from rulesrun.evaluation.exact.listing import ENDLESS_TAIL, counted_throws, listed, throws
from rulesrun.evaluation.exact.sources import Again, Counted, Hom, Listed, Mixed, Part, Struck, Thrown
from rulesrun.evaluation.exact.symbols import Linear, Modulo

from .every_way import exploding, look, plain, scores, sources, together, ways

BUDGET = 10**6


@settings(deadline=None)
@given(sources, some.data())
def test_throws_against_all_ways(source: Thrown | Mixed | Again, data: some.DataObject) -> None:
    wanted = ways(source)
    assert together(throws(source, BUDGET)) == wanted
    counted, total = counted_throws(source, BUDGET)
    assert together((dice, Fraction(weight, total)) for dice, weight in counted) == wanted
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
    every = [source.bounds(slot, given[slot]) for slot in range(slots)]
    terms = tuple((("p", slot), given[slot]) for slot in range(slots))
    low, high = Algebra(BUDGET).bounds({"p": source}, terms)
    assert (low, high) == tuple(map(sum, zip(*every, strict=True)))
    odd = Linear(0, terms, ((Modulo((), 3), 2), (Modulo((), 5), -1)))
    assert low is not None
    assert high is not None
    assert Algebra(BUDGET).form_bounds({"p": source}, odd) == (low - 4, high + 4)
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
        (Drawn("p", (look(3),), ((0, 0, 2), (0, 1, 2), (0, 2, 1)), 2), 5),
    ],
)
def test_as_many_ways_as_there_may_be(source: Thrown | Again | Drawn, number: int) -> None:
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


def test_a_number_is_so_many_dice() -> None:
    found = list(throws(Counted("n", Law.of({0: Fraction(1, 3), 2: Fraction(2, 3)})), 1))
    assert found == [((), Fraction(1, 3)), (((0, 0), (0, 0)), Fraction(2, 3))]
    halves = Law.geometric_sum(Law.point(0, Fraction(1, 2)), Law.point(1, Fraction(1, 2)))
    for law in (Law.point(-1), halves.affine(-1)):
        with pytest.raises(TooLarge):
            list(throws(Counted("n", law), 1))
    assert list(throws(Counted("n", Law.point(0)), 1)) == [((), Fraction(1))]
