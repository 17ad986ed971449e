"""Numbers that a repetition only counts, in parts of whole numbers too; dice that it keeps, in whatever order."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import comb

import pytest

import rulesrun
from rulesrun.evaluation.exact.counters import only_counted
from rulesrun.semantics import plan


def test_a_counter_gains_halves_and_thirds_without_end() -> None:
    text = (
        "rule r\n    track total = 0\n    track sixes = 0\n    repeat until sixes = 3\n        roll a = d6\n"
        "        total += a / 3 if a < 6\n        total -= 1/2 if a = 6\n        sixes += 1 if a = 6\n"
    )
    odds = rulesrun.parse(text)["r"].odds()

    @cache
    def ways(dice: int, total: int) -> int:
        if dice == 0:
            return int(total == 0)
        return sum(ways(dice - 1, total - face) for face in range(1, 6) if face <= total)

    def chance(total: int) -> Fraction:
        """That the faces below six come to so much: they are a third each, and three sixes take three halves away."""
        return sum(
            (Fraction(ways(dice, total) * comb(dice + 2, 2), 6 ** (dice + 3)) for dice in range(total + 1)), Fraction(0)
        )

    assert odds.of("total").mean == 15 - Fraction(3, 2)
    assert odds.chance("total = 7/6") == chance(8)
    assert odds.chance("total >= 5") == 1 - sum((chance(total) for total in range(20)), Fraction(0))


def test_chips_that_are_kept_are_a_multiset_where_it_is_decided_when_to_stop() -> None:
    text = (
        "bag pouch = 1 x4, 2 x2, 3, 11, 21\nrule pot\n    track chips = no dice\n    track stopped = no\n"
        "    repeat until stopped or sum of (chips showing 1..3) > 7 or size of chips = 9\n"
        "        choice stop by default best for points\n        draw chip = 1 from pouch if not stop\n"
        "        chips += chip if not stop\n        stopped becomes stop\n"
        "    white = sum of (chips showing 1..3)\n"
        "    points = 0 if white > 7 otherwise white + count 11 or 21 in chips\n"
    )
    odds = rulesrun.parse(text)["pot"].odds()
    assert odds.of("points").mean == Fraction(712, 105)
    assert odds.method["states"] < 5_000


def test_a_number_counted_below_nothing_beside_a_question_to_dice() -> None:
    """It was read as nothing where the dice are listed."""
    text = (
        "rule r\n    roll p = 2d3\n    track c = 1\n    repeat 2 times\n        roll z = d2\n        c -= z\n"
        "    x = c - die 2 of p\n    flag low if x <= -4\n"
    )
    odds = rulesrun.parse(text)["r"].odds()
    # c is -1, -2 (twice) or -3 in 4; the lower of 2d3 is 1 in 5, 2 in 3 and 3 in 1 of 9
    assert odds["low"] == odds.chance("x <= -4") == Fraction(1 * 1 + 2 * 4 + 1 * 9, 36)


COUNTED = {
    "n += a": True,
    "n -= 2 if a > 1": True,
    "n += 1 if a > 1 otherwise 3": True,
    "n becomes n if a > 1 otherwise n + 1": True,
    "m += 1 if a > 1": True,
    "n += n": False,
    "n += 1 if n > 2": False,
    "n becomes 5": False,
    "n becomes a + n": False,
    "n becomes 2 * n": False,
    "n becomes m + 1": False,
    "n becomes n + 1 if n > 2 otherwise n": False,
    "n becomes n if a > 1 otherwise 2": False,
    "m += n": False,
    "x = n + 1": False,
    "roll b = n d6": False,
    "repeat a times\n            n += 1": True,
    "repeat n times\n            m += 1": False,
    "repeat a times\n            n becomes 3": False,
    "repeat until n > 2, at most 5 times\n            n += 1": False,
    "repeat until m > 2, at most 5 times\n            m += 1\n            n += 1": True,
    "repeat until m > 2, at most n times\n            m += 1": False,
    "roll o = other(k = a)\n        n += o.y": True,
    "roll o = other(k = n)": False,
    "roll o = other(k = a) if n > 2": False,
}


@pytest.mark.parametrize("body", COUNTED)
def test_what_is_only_added_to(body: str) -> None:
    text = (
        "rule other\n    given k: 0.. = 1\n    roll d = d6\n    y = d + k\n"
        "rule r\n    track n = 0\n    track m = 0\n    repeat 3 times\n        roll a = d6\n"
        f"        {body}\n    z = n + m\n"
    )
    (repeat,) = (step for step in rulesrun.parse(text)["r"].plan.steps if isinstance(step, plan.Repeat))
    assert only_counted("n", repeat.steps) == COUNTED[body]
