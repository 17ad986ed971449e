"""Cells of a table that differ in one number are answered together: each as it is by hand, and as by itself."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rulesrun
from rulesrun.evaluation.exact.abreast import Apart, NotAbreast, RangesEach, Shares, joined, ranges_of, share_of
from rulesrun.evaluation.exact.symbols import EVERYWHERE, AnyShows, Inside, Linear, Ranges

Faces = tuple[int, ...]
TABLE = """
rule r
    given needed: -9..
    given unread: 0.. = 0
    roll p = {throw}
    unasked = unread + 1
    outcome
        + done if {condition}
        - failed otherwise
"""
CONDITIONS: dict[str, Callable[[Faces, int], bool]] = {
    "sum of p >= needed": lambda p, needed: sum(p) >= needed,
    "any 1 in p and sum of p >= needed": lambda p, needed: 1 in p and sum(p) >= needed,
    "any 1 in p and any 6 in p and needed < sum of p": lambda p, needed: 1 in p and 6 in p and needed < sum(p),
    "any 1 in p and needed = sum of p": lambda p, needed: 1 in p and needed == sum(p),
    "needed != pairs of 6 in p and any 5 in p": lambda p, needed: needed != p.count(6) // 2 and 5 in p,
    "needed > largest set in p or all equal in p": lambda p, needed: needed > max(map(p.count, p)) or len({*p}) == 1,
}


@pytest.mark.parametrize("condition", CONDITIONS)
def test_by_hand(condition: str) -> None:
    rule = rulesrun.parse(TABLE.format(throw="3d6", condition=condition))["r"]
    numbers = range(-1, 20)
    ways = list(product(range(1, 7), repeat=3))
    wanted = [Fraction(sum(CONDITIONS[condition](dice, needed) for dice in ways), 6**3) for needed in numbers]
    assert [cell["done"] for cell in rule.odds_table(needed=numbers)] == wanted
    assert [rule.odds(needed=needed)["done"] for needed in numbers] == wanted


def test_dice_without_end() -> None:
    rule = rulesrun.parse(TABLE.format(throw="2d4!", condition="any 1 in p and sum of p >= needed"))["r"]

    def stopped(total: int) -> Fraction:
        """The chance that one die stops just there, at a 2 or 3 (`total` % 4) or a 1."""
        return Fraction(1, 4 ** (total // 4 + 1)) if total > 0 and total % 4 else Fraction(0)

    def below(needed: int, faces: tuple[int, ...]) -> Fraction:
        """The chance that two dice stop at such faces and add up to less."""
        pairs = product(range(needed), repeat=2)
        return sum(
            (stopped(a) * stopped(b) for a, b in pairs if a + b < needed and a % 4 in faces and b % 4 in faces),
            Fraction(0),
        )

    some = 1 - Fraction(2, 3) ** 2
    wanted = [some - (below(needed, (1, 2, 3)) - below(needed, (2, 3))) for needed in range(14)]
    assert [cell["done"] for cell in rule.odds_table(needed=range(14))] == wanted
    assert [cell["done"] for cell in rule.odds_table(needed=range(3))] == [some] * 3


def test_cells_that_differ_in_what_nothing_reads() -> None:
    rule = rulesrun.parse(TABLE.format(throw="2d3", condition="sum of p >= needed"))["r"]
    nine = {3: 8, 4: 6, 5: 3}
    assert [cell["done"] for cell in rule.odds_table(needed=4, unread=range(3))] == [Fraction(6, 9)] * 3
    found = [cell["done"] for cell in rule.odds_table(unread=range(2), needed=[5, 3, 4])]
    assert found == [Fraction(nine[needed], 9) for needed in (5, 3, 4)] * 2


def test_cells_of_which_nothing_is_read() -> None:
    rule = rulesrun.parse(TABLE.format(throw="2d3", condition="sum of p >= 4"))["r"]
    found = [cell["done"] for cell in rule.odds_table(unread=range(3), needed=[1, 2])]
    assert found == [Fraction(6, 9)] * 6


def test_what_is_read_first_may_differ_too() -> None:
    text = (
        "rule r\n    given dice: 1..\n    given needed: 0..\n    roll p = dice d2\n    flag x if sum of p >= needed\n"
    )
    rule = rulesrun.parse(text)["r"]
    found = [cell["x"] for cell in rule.odds_table(dice=[2, 1, 2], needed=[3, 2])]
    by_dice = {2: [Fraction(3, 4), Fraction(1)], 1: [Fraction(0), Fraction(1, 2)]}
    assert found == [*by_dice[2], *by_dice[1], *by_dice[2]]


@given(*[st.lists(st.integers(-5, 5), min_size=3, max_size=3)] * 2, *[st.integers(1, 6)] * 2, st.fractions(-2, 2))
def test_weights_of_cells_are_those_of_each(
    tops: list[int], others: list[int], bottom: int, other_bottom: int, number: Fraction
) -> None:
    one, other = Shares(tuple(tops), bottom), Shares(tuple(others), other_bottom)
    assert bool(one) == any(tops)
    for cell in range(3):
        mine, its = Fraction(tops[cell], bottom), Fraction(others[cell], other_bottom)
        assert one.of(cell) == share_of(one, cell) == mine
        assert (one * other).of(cell) == mine * its
        assert (one + other).of(cell) == mine + its
        assert (one + Shares(other.tops, bottom)).of(cell) == mine + Fraction(others[cell], bottom)
        assert (one * number).of(cell) == (number * one).of(cell) == mine * number
        assert (one + number).of(cell) == (number + one).of(cell) == mine + number
    assert share_of(number, 1) == number
    assert (one + Shares(other.tops, bottom)).bottom == bottom


def test_answers_of_cells_as_one() -> None:
    form, other = (Linear(0, (((name, 0), (0, 1)),), ()) for name in "pq")
    low, high = (Inside(form, Ranges.of(number, None)) for number in (2, 5))
    shows = AnyShows(((("p", 0), 1),))
    assert joined({0: True, 3: True}, 4) is True
    assert joined({0: shows, 1: shows}, 2) == shows
    assert joined({0: low, 1: low}, 2) == low
    each = joined({0: low, 2: high}, 4)
    assert each.form == form
    assert each.ranges == RangesEach((low.ranges, None, high.ranges, None))
    for answers, groups in (
        ({0: True, 1: False, 2: True}, ((0, 2), (1,))),
        ({0: low, 1: True, 2: high}, ((0, 2), (1,))),
        ({0: low, 1: Inside(other, low.ranges)}, ((0,), (1,))),
        ({1: shows, 2: low}, ((1,), (2,))),
    ):
        with pytest.raises(Apart) as apart:
            joined(answers, 3)  # type: ignore[arg-type]
        assert apart.value.groups == groups
    assert ranges_of(each.ranges, 2) == high.ranges
    assert ranges_of(low.ranges, 2) == low.ranges
    assert each.ranges.rest() == RangesEach((low.ranges.rest(), None, high.ranges.rest(), None))
    for read in ("ranges", "only", "empty"):
        with pytest.raises(NotAbreast):
            getattr(each.ranges, read)
    with pytest.raises(NotAbreast):
        each.ranges.meets(EVERYWHERE)
