"""What is asked of a known number of dice is not worked out face by face, nor as if the dice had no end."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from math import comb

import pytest

import rulesrun

DICE, SIDES = 20, 6


def just(faces: int) -> Fraction:
    """The chance that 20d6 show just so many different faces, by inclusion and exclusion."""
    ways = sum((-1) ** out * comb(faces, out) * (faces - out) ** DICE for out in range(faces + 1))
    return Fraction(comb(SIDES, faces) * ways, SIDES**DICE)


def test_different_faces_are_counted_by_which_show() -> None:
    odds = rulesrun.parse("rule r\n    roll p = 20d6\n    flag x if distinct in p >= 5\n")["r"].odds()
    assert odds["x"] == just(5) + just(6)
    assert odds.method["algorithm"] == "presence"
    assert odds.method["states"] < 20


Faces = tuple[int, ...]

BY_HAND: dict[str, Callable[[Faces, Faces], bool]] = {
    "largest set in p >= 3": lambda p, q: max(map(p.count, p)) >= 3,
    "largest set in p >= 2 and sum of p >= 9": lambda p, q: max(map(p.count, p)) >= 2 and sum(p) >= 9,
    "wins of p over q >= 2": lambda p, q: (
        sum(a > b for a, b in zip(sorted(p)[:0:-1], sorted(q)[::-1], strict=True)) > 1
    ),
    "p outranks q and sum of p + sum of q >= 15": lambda p, q: (
        sorted(p)[::-1] > sorted(q)[::-1] and sum(p) + sum(q) >= 15
    ),
}


@pytest.mark.parametrize("flag", BY_HAND)
def test_dice_that_end_are_no_runs_of_exploding_dice(flag: str) -> None:
    odds = rulesrun.parse(f"rule r\n    roll p = 3d6\n    roll q = 2d6\n    flag x if {flag}\n")["r"].odds()
    ways = sum(BY_HAND[flag](dice[:3], dice[3:]) for dice in product(range(1, 7), repeat=5))
    assert odds["x"] == Fraction(ways, 6**5)
    assert "exploding" not in odds.method["algorithm"]
    assert "equal dice" not in odds.method["algorithm"]
