"""Chances beside known dice: faces are taken in the order drawn, and the algebra agrees with rolls draw by draw."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from random import Random
from typing import Any

import pytest

import rulesrun
from rulesrun.evaluation.exact import forced
from rulesrun.evaluation.exact.stage import NotAlgebra
from rulesrun.evaluation.rule_odds import RuleOdds

Dice = Mapping[str, Sequence[Any]]


def chances(text: str, dice: Dice, value: str = "total") -> dict[object, Fraction]:
    """The exact law of a value beside known dice."""
    rule = rulesrun.parse(text)["r"]
    return dict(RuleOdds(rule.ruleset.plan, rule.plan).odds({}, dice=dice).of(value).items())


def chance(text: str, dice: Dice, condition: str) -> Fraction:
    rule = rulesrun.parse(text)["r"]
    return RuleOdds(rule.ruleset.plan, rule.plan).odds({}, dice=dice).chance(condition)


@pytest.mark.parametrize(
    ("throw", "faces", "condition", "wanted"),
    [
        ("2d6, explode on 6", [6, 2], "total = 11", Fraction(1, 6)),
        ("2d6!", [6, 2], "total = 11", Fraction(1, 6)),
        ("2d6!, keep highest 1", [6, 2], "total = 5", Fraction(0)),
        ("2d6!, keep lowest 1", [6, 4], "total = 4", Fraction(2, 5)),  # the row ends with 4 or 5
        ("2d6, explode on 6", [6, 2], "total >= 15", Fraction(1, 6)),
        ("2d6, explode on 6", [6, 6, 1], "total = 15", Fraction(1, 6)),
        ("2d6, explode on 6", [3], "total = 9", Fraction(0)),
        ("2d6, explode on 6", [3], "total = 10", Fraction(1, 36)),
        ("2d6, reroll 1", [1, 4], "total = 10", Fraction(1, 5)),
        ("2d6, reroll 1 once", [1, 4], "total = 5", Fraction(1, 6)),
        ("2d6, reroll 1 once", [1, 4, 1], "total = 5", Fraction(1)),
        ("2d10, again on all 10", [10, 10], "total = 22", Fraction(1, 100)),
        ("2d10, again on all 10", [10, 10, 10, 10], "size of pool = 6", Fraction(99, 100)),
        ("2d10, again on all 10", [10], "size of pool = 4", Fraction(1, 10) * Fraction(99, 100)),
        ("d20, with advantage 1", [15], "total = 15", Fraction(15, 20)),
        ("d20, with advantage 1", [15, 17], "total = 17", Fraction(1)),
        ("3d6, explode on 6, keep highest 1", [2, 6], "total = 6", Fraction(1)),
        ("1d6, explode on 6 adding, keep highest 1", [6], "total = 9", Fraction(1, 6)),
        ("1d6, explode on 6 at most 2 times", [6, 6], "total = 18", Fraction(1, 6)),
        ("d6 + d4, explode on sides", [6, 4], "total = 12", Fraction(1, 6) * Fraction(1, 4)),
        ("2d2, explode on 2 adding", [2], "any 3 in pool", Fraction(5, 8)),  # 2 + 1, or a random 2 + 1
        ("2d3, explode on 1 adding", [3], "highest of pool = 3", Fraction(7, 9)),  # 2, 3 or 1 + 2
    ],
)
def test_further_dice_are_random(throw: str, faces: list[int], condition: str, wanted: Fraction) -> None:
    text = f"rule r\n    roll pool = {throw}\n    total = sum of pool\n"
    assert chance(text, {"pool": faces}, condition) == wanted


def test_turns_bags_and_rolled_rules_take_known_faces_in_order() -> None:
    turns = "rule r\n    track total = 0\n    repeat 3 times\n        roll die = d4\n        total += die\n"
    assert chances(turns, {"die": [4, 1]}) == {value: Fraction(1, 4) for value in (6, 7, 8, 9)}
    bag = (
        "bag two = 2 red, 2 blue\nrule r\n    draw first = 2 from two\n    draw second = 1 from two\n"
        "    total = count red in first + 10 * count red in second\n"
    )
    thirds = {1: Fraction(1, 3), 11: Fraction(1, 3), 2: Fraction(1, 3)}
    assert chances(bag, {"first": [("red",)]}) == thirds
    rolled = "rule side\n    roll die = d6\nrule r\n    roll a = side\n    roll b = side\n    total = a.die - b.die\n"
    assert chances(rolled, {"a.die": [6]}) == {value: Fraction(1, 6) for value in range(6)}


def test_a_best_choice_does_not_foresee_known_dice() -> None:
    text = (
        "rule r\n    roll first = d6\n    choice push by default best\n    roll second = d6 if push\n"
        "    total = second if push otherwise first\n    outcome\n        + good_one if total >= 4\n"
        "        - bad_one otherwise\n"
    )
    assert chance(text, {"first": [2], "second": [1]}, "push") == 1
    assert chance(text, {"first": [4], "second": [6]}, "push") == 0


THROWS = (
    "2d4, explode on 4 at most 2 times",
    "d4 + d6, explode on >= 4 once",
    "3d3, reroll 1 once",
    "2d3, reroll <= 2 at most 2 times",
    "2d3, again on any 3 at most 2 times",
    "2d3, reroll 1 once, explode on 3 once",
    "2d3, explode on 3 once, reroll 1 once",
    "2d4, reroll 1 once, again on all equal once",
    "2d3, again on any 1 once, keep highest 2",
    "2d3, again on any 2 once, explode on 3 once",
    "2d3, again on any 2 once, reroll 1 once",
    "3d3, keep highest 2, explode on 3 once",
    "2d3, explode on 3 once rolling d4",
    "d2 + d3, against 2, explode on sides at most 2 times",
    "2d4, reroll 1 in at most 1 dice once",
)


@pytest.mark.parametrize("throw", THROWS)
def test_the_algebra_says_what_the_thrower_does(throw: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text = f"rule r\n    roll pool = {throw}\n    total = sum of pool + 100 * (count >= 3 in pool)\n"
    rule = rulesrun.parse(text)["r"]
    random = Random(throw)
    for seed in range(12):
        faces = rule.roll(seed=seed).dice["pool"]
        known = {"pool": faces[: random.randint(0, len(faces))]}
        algebra = chances(text, known)
        with monkeypatch.context() as patch:

            def refuse(*_: object) -> None:
                raise NotAlgebra

            patch.setattr(forced._Work, "throw", refuse)
            assert algebra == chances(text, known), known


@pytest.mark.parametrize(
    ("modifier", "faces", "wanted"),
    [
        ("reroll 2 once", [1, 1, 1, 2], {5: 4, 6: 8, 7: 4}),
        ("explode on 4 once", [2, 2, 1, 1], {8: 4, 9: 8, 10: 4}),
    ],
)
def test_dice_that_are_rolled_themselves_are_thrown_again(
    modifier: str, faces: list[int], wanted: dict[int, int]
) -> None:
    """The known faces are those of the dice in each of them."""
    text = f"die stat = sum of 2d2\nrule r\n    roll pool = 2 stat, {modifier}\n    total = sum of pool\n"
    assert chances(text, {"pool": faces}) == {total: Fraction(ways, 16) for total, ways in wanted.items()}


@pytest.mark.parametrize("face", [1, 2, 3])
def test_a_known_die_stands_before_others_of_which_one_is_to_show_a_face(face: int) -> None:
    text = (
        "rule r\n    roll a = 1d3\n    roll b = 1d2\n    flag some if any 2.. in (a + b)\n    total = sum of (a + b)\n"
    )
    assert chance(text, {"a": [face]}, "some") == (1 if face > 1 else Fraction(1, 2))
    assert chance(text, {"a": [face]}, "not some") == (0 if face > 1 else Fraction(1, 2))
    assert chance(text, {"a": [face]}, "some and total > 0") == (1 if face > 1 else Fraction(1, 2))
