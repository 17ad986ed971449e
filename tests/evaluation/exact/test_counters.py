"""Numbers that a repetition only counts, in parts of whole numbers too; dice that it keeps, in whatever order."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import comb

import rulesrun


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
