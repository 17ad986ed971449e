"""Best decisions inside a repetition: beside known dice, which nobody foresees, and in the middle of a roll."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import pytest

import rulesrun
from rulesrun.evaluation.rule_odds import RuleOdds

PIG = """rule r
    given goal: 1.. = 12
    track points = 0
    track over = no
    repeat until over, at most 4 times
        choice stop if points > 0 by default best for points
        roll number = d6 if not stop
        bust = number = 1
        points becomes points if stop otherwise 0 if bust otherwise points + number
        over becomes bust or stop
    outcome
        + scored if points >= goal
        - failed otherwise
"""


@cache
def worth(points: int, turn: int) -> Fraction:
    """The mean of the points in the end, played as well as can be."""
    if turn == 5:
        return Fraction(points)
    on = sum((worth(points + face, turn + 1) for face in range(2, 7)), Fraction(0)) / 6
    return max(Fraction(points), on) if points else on


@cache
def played(points: int, turn: int, faces: tuple[int, ...]) -> Fraction:
    """The same where the next faces are known to come, but not to the player."""
    if turn == 5:
        return Fraction(points)
    on = sum((worth(points + face, turn + 1) for face in range(2, 7)), Fraction(0)) / 6
    if points and points >= on:
        return Fraction(points)
    drawn = faces[:1] or tuple(range(1, 7))
    after = (Fraction(0) if face == 1 else played(points + face, turn + 1, faces[1:]) for face in drawn)
    return sum(after, Fraction(0)) / len(drawn)


@pytest.mark.parametrize("faces", [(), (6,), (2, 1), (6, 6), (6, 6, 6, 1), (3, 2, 4), (5, 1), (2, 2, 2, 2)])
def test_known_dice_are_not_foreseen(faces: tuple[int, ...]) -> None:
    rule = rulesrun.parse(PIG)["r"]
    odds = RuleOdds(rule.ruleset.plan, rule.plan).odds({}, dice={"number": list(faces)})
    assert odds.of("points").mean == played(0, 1, faces)
    assert all(name == "points" for each in odds.policies["stop"]["when"] for name in each if name != "turn")


def test_an_example_with_known_dice_and_a_best_choice() -> None:
    text = PIG + '\nexample "two sixes"\n    dice number = 6, 6\n    choose stop = best\n    roll r(goal = 15)\n'
    (result,) = rulesrun.parse(text + "    expect chance of scored = 29/36\n").test()
    assert result.error is None
    assert [check.found for check in result.checks] == ["chance of scored is 29/36"]  # 4/6 at once, 1/6 of 5/6 later


@pytest.mark.parametrize("seed", range(12))
def test_a_roll_stops_where_the_odds_say_so(seed: int) -> None:
    roll = rulesrun.parse(PIG)["r"].roll(seed=seed)
    points, turn = 0, 1
    for face in map(int, map(str, roll.dice["number"])):
        assert worth(points, turn) > points or not points
        points = 0 if face == 1 else points + face
        turn += 1
        if not points:
            break
    assert roll.values["points"] == points
    assert not points or turn == 5 or worth(points, turn) == points


def test_inside_a_rolled_rule_too() -> None:
    text = PIG + "\nrule both\n    roll a = r\n    roll b = r\n    total = a.points + b.points\n"
    roll = rulesrun.parse(text)["both"].roll(seed=3)
    total, *parts = (roll.values[name] for name in ("total", "a.points", "b.points"))
    assert total == sum(map(int, map(str, parts)))
