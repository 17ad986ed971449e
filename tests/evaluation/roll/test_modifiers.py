"""Every modifier, with dice that are known, alone and in the order written."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from rulesrun.diagnostics import RulesError
from rulesrun.evaluation.roll import Roll

QUESTIONS = """
    total = sum of pool
    number = size of pool
    best = highest of pool
    worst = lowest of pool
"""


def faces_left(result: Roll) -> list[int]:
    """The faces of the pool at the end, in order."""
    return sorted(die.face for die in result.names["pool"])  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("throw", "dice", "left"),
    [
        ("4d6", [6, 1, 3, 3], [1, 3, 3, 6]),
        ("4d6, keep highest 3", [6, 1, 3, 3], [3, 3, 6]),
        ("4d6, keep lowest 1", [6, 1, 3, 3], [1]),
        ("4d6, keep middle 2", [6, 1, 3, 2], [2, 3]),
        ("4d6, keep middle 1", [6, 1, 3, 2], [2]),
        ("4d6, drop highest 1", [6, 1, 3, 3], [1, 3, 3]),
        ("4d6, drop lowest 3", [6, 1, 3, 3], [6]),
        ("4d6, drop highest 9", [6, 1, 3, 3], []),
        ("4d6, keep highest 9", [6, 1, 3, 3], [1, 3, 3, 6]),
        ("4d6, keep highest 0", [6, 1, 3, 3], []),
        ("4d6, keep highest 3, keep lowest 1", [6, 1, 3, 4], [3]),
        ("4d6kh3", [6, 1, 3, 3], [3, 3, 6]),
        ("4d6dl1", [6, 1, 3, 3], [3, 3, 6]),
        ("2d6kh1 + 2d6kl1", [5, 2, 4, 6], [4, 5]),
        ("3d6, explode on 6", [6, 2, 6, 6, 1, 3], [1, 2, 3, 6, 6, 6]),
        ("3d6!", [6, 2, 6, 6, 1, 3], [1, 2, 3, 6, 6, 6]),
        ("3d6, explode on 6 once", [6, 2, 6, 6, 1], [1, 2, 6, 6, 6]),
        ("2d6, explode on 6 at most 2 times", [6, 1, 6, 6], [1, 6, 6, 6]),
        ("2d6, explode on 5..6 rolling d10", [6, 1, 5, 9], [1, 5, 6, 9]),
        ("2d6, explode on 6 adding", [6, 1, 6, 3], [1, 15]),
        ("2d6, explode on 6 once adding", [6, 1, 6], [1, 12]),
        ("d6 + d10, explode on sides", [6, 10, 6, 2, 1], [1, 2, 6, 6, 10]),
        ("4d6!kh3", [6, 2, 1, 3, 5], [3, 5, 6]),
        ("3d6, reroll 1", [1, 4, 1, 1, 2, 6], [2, 4, 6]),
        ("3d6, reroll 1..2 once", [1, 4, 2, 1, 2], [1, 2, 4]),
        ("3d6, reroll 1 at most 2 times", [1, 4, 5, 1, 1], [1, 4, 5]),
        ("4d6, reroll ..4 once in at most 2 dice", [4, 1, 6, 3, 5, 5], [4, 5, 5, 6]),
        ("2d6, again on all 6", [6, 6, 6, 6, 1, 2], [1, 2, 6, 6, 6, 6]),
        ("2d6, again on all 6 once", [6, 6, 6, 6], [6, 6, 6, 6]),
        ("2d6, again on all equal at most 2 times", [3, 3, 4, 4, 5, 5], [3, 3, 4, 4, 5, 5]),
        ("2d6, again on any 6", [6, 1, 2, 3], [1, 2, 3, 6]),
        ("2d6, again on none 1..3", [6, 4, 2, 3], [2, 3, 4, 6]),
        ("2d6, again on sum >= 11", [5, 6, 4, 4], [4, 4, 5, 6]),
        ("2d6, again on highest = 6", [1, 6, 4, 4], [1, 4, 4, 6]),
        ("2d6, again on lowest > 3", [4, 6, 3, 4], [3, 4, 4, 6]),
        ("2d6, with advantage 1", [1, 2, 5, 1], [1, 5]),
        ("2d6, with advantage -1", [1, 2, 5, 1], [1, 2]),
        ("2d6, with advantage 0", [1, 2], [1, 2]),
        ("d6, with advantage 5 at most 2", [1, 2, 5], [5]),
        ("d6, with advantage -3", [4, 2, 5, 3], [2]),
        ("3d6, keep highest 1, with advantage 1", [6, 1, 1, 5, 5, 5], [6]),
        ("2d6, with advantage 1, reroll 1", [1, 6, 5, 1, 4], [4, 6]),
        ("3d6, against 4", [1, 2, 3], [1, 2, 3]),
        ("0d6", [], []),
    ],
)
def test_what_is_left(roll: Callable[..., Roll], throw: str, dice: list[int], left: list[int]) -> None:
    result = roll(f"rule test\n    roll pool = {throw}\n{QUESTIONS}", dice={"pool": dice})
    assert faces_left(result) == left
    assert result.values == {
        "total": sum(left),
        "number": len(left),
        "best": max(left, default=0),
        "worst": min(left, default=0),
    }
    assert result.dice == {"pool": tuple(dice)}


@pytest.mark.parametrize(
    ("throw", "dice", "left"),
    [
        ("3d6, explode on 6, keep highest 2", [6, 5, 1, 2], [5, 6]),
        ("3d6, keep highest 2, explode on 6", [6, 5, 1, 2], [2, 5, 6]),
        ("2d6, reroll 1, explode on 6", [1, 2, 6, 4], [2, 4, 6]),
        ("2d6, explode on 6, reroll 1", [1, 6, 2, 6], [2, 6, 6]),
        ("2d6, again on all 6, keep highest 3", [6, 6, 5, 1], [5, 6, 6]),
        ("2d6, keep highest 1, again on all 6", [6, 1, 5, 2], [5, 6]),
    ],
)
def test_the_order_written_is_the_order_applied(
    roll: Callable[..., Roll], throw: str, dice: list[int], left: list[int]
) -> None:
    result = roll(f"rule test\n    roll pool = {throw}\n{QUESTIONS}", dice={"pool": dice})
    assert faces_left(result) == left


def test_added_dice_inherit_target_and_kind(roll: Callable[..., Roll]) -> None:
    text = """
rule test
    roll pool = 2d6, against 4, explode on 6
    hits = for each die in pool: 1 if die >= target otherwise 0
    sizes = for each die in pool: sides
"""
    result = roll(text, dice={"pool": [6, 1, 5]})
    assert result.values == {"hits": 2, "sizes": 18}


def test_each_group_keeps_its_own_target(roll: Callable[..., Roll]) -> None:
    text = """
rule test
    roll easy = 2d6, against 3
    roll hard = d6, against 6
    pool = easy + hard
    margin = for each die in pool: max(die - target + 1, 0)
    free = for each die in natural pool: 1 if target = none otherwise 0
"""
    result = roll(text, dice={"easy": [3, 5], "hard": [5]})
    assert result.values == {"margin": 4, "free": 0}


def test_dice_thrown_again_keep_their_sides(roll: Callable[..., Roll]) -> None:
    text = """
die odd_die = 1, 3, 5
rule test
    roll first = d4 + d8 + 1 odd_die
    misses = first showing ..3
    roll second = dice of misses
    total = sum of second
    sizes = for each die in second: sides
"""
    result = roll(text, dice={"first": [2, 8, 3], "second": [4, 5]})
    assert result.values == {"total": 9, "sizes": 7}


@pytest.mark.parametrize(
    ("throw", "message"),
    [
        ("n d6, explode on >= n", "every face of d6 explodes here, so this would never end"),
        ("n d(n + 1), explode on sides", "every face of d1 explodes here, so this would never end"),
        ("2d6, reroll >= n", "every face of d6 is rerolled here, so this would never end"),
        ("2d6, again on sum >= n", "more than 100,000 turns in one roll"),
        ("2d6, keep highest n - 1", "the number of dice to keep cannot be negative, and `n - 1` is -1"),
        (
            "2d6, keep highest (n + 1) / 2",
            "the number of dice to keep must be a whole number, and `(n + 1) / 2` is 1/2",
        ),
    ],
)
def test_what_cannot_be_done_is_an_error(refused: Callable[..., RulesError], throw: str, message: str) -> None:
    count = throw.replace("n d6", "2d6", 1).replace("n d(", "2 d(", 1)
    error = refused(f"rule test\n    given n: 0.. = 0\n    roll pool = {count}\n{QUESTIONS}    unused = n\n")
    assert message in error.message
    assert error.line == 4
