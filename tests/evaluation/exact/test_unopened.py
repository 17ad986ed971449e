"""Repetitions that draw nothing, over many dice: the same as a program that looks at them all."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import factorial, prod

import pytest

import rulesrun

Faces = tuple[int, ...]
"""Highest first."""


def pools(count: int, sides: int) -> dict[Faces, Fraction]:
    ways = {}
    for shown in combinations_with_replacement(range(sides, 0, -1), count):
        alike = prod(factorial(number) for number in Counter(shown).values())
        ways[shown] = Fraction(factorial(count) // alike, sides**count)
    return ways


def ties_set_aside(mine: Faces, yours: Faces, most: int) -> tuple[int, int]:
    """The turns that it takes, and how many of mine are over the best of yours in the end."""
    turns = 0
    while mine and yours and mine[0] == yours[0] and turns < most:
        mine, yours, turns = mine[1:], yours[1:], turns + 1
    return turns, sum(face > (yours[0] if yours else 0) for face in mine)


TIES = """system "S"
rule r
    roll mine  = 4 d6
    roll yours = 3 d6
    track left = mine
    track others = yours
    track turns = 0
    repeat {head}
        left becomes lowest (size of left - 1) of left
        others becomes lowest (size of others - 1) of others
        turns += 1
    over = count > highest of others in left if size of others > 0 otherwise size of left
    x = 10 * turns + over
"""
UNTIL = "until size of others = 0 or highest of left != highest of others"


@pytest.mark.parametrize(
    ("head", "most"), [(UNTIL, 9), (UNTIL + ", at most 2 times", 2), (UNTIL + ", at most 1 times", 1)]
)
def test_ties_are_set_aside(head: str, most: int) -> None:
    wanted: dict[int, Fraction] = {}
    for (mine, chance), (yours, other) in product(pools(4, 6).items(), pools(3, 6).items()):
        turns, over = ties_set_aside(mine, yours, most)
        wanted[10 * turns + over] = wanted.get(10 * turns + over, Fraction(0)) + chance * other
    odds = rulesrun.parse(TIES.format(head=head))["r"].odds()
    assert dict(odds.of("x").items()) == wanted
    assert "chain" not in odds.method["algorithm"]


COUNTED = """system "S"
rule r
    roll pool = 8 d6
    roll bonus = 1d4
    track rest = sum of pool
    track steps = 0
    repeat {head}
        rest -= 7 + turn
        steps += 1
    x = 100 * steps + (sum of bonus if rest > 0 otherwise 0)
"""


@pytest.mark.parametrize(
    ("head", "most"), [("until rest <= 5", 99), ("2 times", 2), ("until rest <= 5, at most 3 times", 3)]
)
def test_a_sum_is_used_up_in_steps(head: str, most: int) -> None:
    wanted: dict[int, Fraction] = {}
    for (shown, chance), bonus in product(pools(8, 6).items(), range(1, 5)):
        rest, steps = sum(shown), 0
        while steps < most and (rest > 5 or not head.startswith("until")):
            steps += 1
            rest -= 7 + steps
        value = 100 * steps + (bonus if rest > 0 else 0)
        wanted[value] = wanted.get(value, Fraction(0)) + chance / 4
    assert dict(rulesrun.parse(COUNTED.format(head=head))["r"].odds().of("x").items()) == wanted


@pytest.mark.parametrize(("most", "dice"), [(99, 2), (99, 8), (2, 8)])
def test_the_end_may_read_the_turn_that_is_to_come(most: int, dice: int) -> None:
    text = f"""system "S"
rule r
    roll pool = {dice} d6
    track rest = sum of pool
    track steps = 0
    repeat until rest <= 5 * turn, at most {most} times
        rest -= 7
        steps += 1
    x = steps
"""
    wanted: dict[int, Fraction] = {}
    for shown, chance in pools(dice, 6).items():
        rest, steps = sum(shown), 0
        while steps < most and rest > 5 * (steps + 1):
            rest, steps = rest - 7, steps + 1
        wanted[steps] = wanted.get(steps, Fraction(0)) + chance
    assert dict(rulesrun.parse(text)["r"].odds().of("x").items()) == wanted


def test_what_takes_too_many_turns_is_followed_number_by_number() -> None:
    text = """system "S"
rule r
    roll pool = 20 d6
    track rest = sum of pool
    track steps = 0
    repeat until rest <= 0
        rest -= 1
        steps += 1
    x = steps
    y = sum of pool
"""
    odds = rulesrun.parse(text)["r"].odds()
    assert dict(odds.of("x").items()) == dict(odds.of("y").items())


def test_a_turn_that_throws_dice_takes_new_ones_each_time() -> None:
    text = """system "S"
rule r
    roll pool = 6 d6
    track rest = sum of pool
    repeat 2 times
        roll d = d4
        rest -= d
    x = rest
"""
    wanted: dict[int, Fraction] = {}
    for (shown, chance), a, b in product(pools(6, 6).items(), range(1, 5), range(1, 5)):
        wanted[sum(shown) - a - b] = wanted.get(sum(shown) - a - b, Fraction(0)) + chance / 16
    assert dict(rulesrun.parse(text)["r"].odds().of("x").items()) == wanted


@pytest.mark.parametrize("turns", [3, 40])
def test_what_is_given_up_leaves_no_trace(turns: int) -> None:
    """After many turns the dice are looked at after all, and the repetition begins anew."""
    text = f"rule r\n    roll a = 6d10\n    track x = sum of a\n    repeat {turns} times\n        x += 1\n"
    assert rulesrun.parse(text)["r"].odds().of("x").mean == 33 + turns
