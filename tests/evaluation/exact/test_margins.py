"""Dice that explode adding compared with others: the margin is a number of its own, wherever it is asked."""

from __future__ import annotations

from fractions import Fraction

import pytest

import rulesrun

TWO_AND_ONE = "rule r\n    roll p = 2d6, explode on 6 adding, keep highest 1\n    roll q = d6, explode on 6 adding\n"
ROLL_AND_KEEP = (
    "rule r\n    roll p = 7d10, explode on 10 adding, keep highest 3\n"
    "    roll q = 5d10, explode on 10 adding, keep highest 2\n"
)
NOT_LOWER = Fraction(218, 301)
"""The highest of two d6 against a third. That this is higher, x, is x / 216 where all show 6, 3/7 of the 10 in 216 ways
where one of the two does too, all 25 where none does, and 0 + 1 + 4 + 9 + 16 ways below 6: x = 83/301.
"""


def chance(text: str, condition: str) -> Fraction:
    return rulesrun.parse(text)["r"].odds().chance(condition)


@pytest.mark.parametrize(
    "condition",
    [
        "sum of p >= sum of q",
        "sum of p > sum of q - 1",
        "not sum of p < sum of q",
        "0 <= sum of p - sum of q",
        "sum of p + 3 >= 3 + sum of q",
        "sum of q - sum of p <= 0",
        "-(sum of q) >= -(sum of p)",
        "sum of p - sum of q >= 0 or sum of p - sum of q >= 5",
        "sum of p = sum of q or sum of p > sum of q",
        "(1 if sum of p >= sum of q otherwise 0) = 1",
        "highest of p >= highest of q",
    ],
)
def test_a_condition_that_a_caller_asks(condition: str) -> None:
    assert chance(TWO_AND_ONE, condition) == NOT_LOWER


def test_a_condition_that_is_given() -> None:
    """That the two are equal, y, is y / 216 where all show 6, 1/7 of 10 ways where two do, and 1 + 3 + 5 + 7 + 9 ways
    below 6: y = 37/301.
    """
    odds = rulesrun.parse(TWO_AND_ONE)["r"].odds(given="sum of p >= sum of q")
    assert odds.chance("sum of p > sum of q") == Fraction(218 - 37, 218)


@pytest.mark.parametrize(
    "lines",
    [
        "    flag wins if sum of p >= sum of q\n",
        "    wins = sum of p >= sum of q\n",
        "    attack = sum of p\n    wins = attack >= sum of q\n",
        "    defence = sum of q + 2\n    wins = sum of p + 2 >= defence\n",
        "    margin = 1 if sum of p >= sum of q otherwise 0\n    wins = margin = 1\n",
    ],
)
def test_a_condition_in_a_line_of_the_rule(lines: str) -> None:
    assert chance(TWO_AND_ONE + lines, "wins") == NOT_LOWER


def test_several_conditions_on_one_margin() -> None:
    text = ROLL_AND_KEEP + (
        "    flag close if abs(sum of p - sum of q) <= 2\n    outcome\n        + great if sum of p >= sum of q + 10\n"
        "        + good if sum of p >= sum of q\n        - bad otherwise\n"
    )
    named = ROLL_AND_KEEP + "    margin = sum of p - sum of q\n"
    odds = rulesrun.parse(text)["r"].odds()
    assert odds["great"] == chance(named, "margin >= 10")
    assert odds["good"] == chance(named, "margin >= 0 and margin < 10")
    assert odds["bad"] == chance(named, "margin < 0")
    assert round(float(odds["great"]), 4) == 0.4697


@pytest.mark.parametrize(
    ("condition", "wanted"),
    [
        ("sum of p >= sum of q and sum of p = 1", Fraction(1, 216)),
        ("sum of p >= sum of q and sum of q = 5", Fraction(1, 6) * Fraction(5, 9)),
        ("sum of q = 5 and sum of p >= sum of q", Fraction(1, 6) * Fraction(5, 9)),
        ("sum of p = sum of q and any 2 in p", Fraction(3, 216)),
        ("sum of p < sum of q or sum of p > 1", Fraction(215, 216)),
    ],
)
def test_what_else_is_asked_of_the_dice_is_still_told(condition: str, wanted: Fraction) -> None:
    assert chance(TWO_AND_ONE, condition) == wanted


def test_of_a_difference_the_last_part_is_asked_for_a_range_and_not_for_each_of_its_values() -> None:
    text = (
        "rule r\n    roll p = 2d100\n    roll q = 2d4, explode on 4 adding\n"
        "    flag wins if any 3 in p and highest of p > highest of q\n"
    )
    odds = rulesrun.parse(text)["r"].odds()
    below = [
        sum((Fraction(1, 4 ** (face // 4 + 1)) for face in range(1, end) if face % 4), Fraction()) for end in range(101)
    ]
    ways = [max(one, other) for one in range(1, 101) for other in range(1, 101) if 3 in (one, other)]
    assert odds["wins"] == sum((below[highest] ** 2 for highest in ways), Fraction()) / 100**2
    assert odds.method["states"] < 1_000


def test_decisions_are_made_by_names_that_the_rule_gives() -> None:
    text = (
        "rule r\n    roll p = d4, explode on 4 adding\n    roll q = d4, explode on 4 adding\n"
        "    flag ahead if sum of p >= sum of q\n    choice push by default best\n    roll more = d6 if push\n"
        "    outcome\n        + win if ahead and not push or sum of more >= 5\n        - lose otherwise\n"
    )
    rule = rulesrun.parse(text)["r"]
    ahead = Fraction(3, 5)
    assert rule.odds()["win"] == ahead + (1 - ahead) / 3
    for seed in range(20):
        roll = rule.roll(seed=seed)
        assert roll.values["push"] != ("ahead" in roll.flags)
