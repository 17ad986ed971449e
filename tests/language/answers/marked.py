"""Faces that bear a number and symbols: dice with marks beside their numbers, cards with rank and suit."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb

from tests.language.answers.play import Answers


def tengwars() -> Answers:
    """All throws of a feat die (1 to 10, the eye as 0, the rune wins) and three success dice, one by one."""
    ways = 12 * 6**3
    counts = dict.fromkeys(("p_success", "p_great", "p_extraordinary", "p_weary_success", "p_eye_and_success"), 0)
    for feat in (*range(1, 11), 0, 11):
        for dice in product(range(1, 7), repeat=3):
            success = feat == 11 or feat + sum(dice) >= 16
            counts["p_success"] += success
            counts["p_great"] += success and dice.count(6) == 1
            counts["p_extraordinary"] += success and dice.count(6) >= 2
            counts["p_eye_and_success"] += success and feat == 0
            counts["p_weary_success"] += feat == 11 or feat + sum(die for die in dice if die > 3) >= 16
    return {name: Fraction(number, ways) for name, number in counts.items()}


def suited_poker() -> Answers:
    """The categories of a poker hand by counting: which ranks, then which suits."""
    hands = comb(52, 5)
    rows = 10
    counts = {
        "p_straight_flush": rows * 4,
        "p_four": 13 * 48,
        "p_full_house": 13 * comb(4, 3) * 12 * comb(4, 2),
        "p_flush": comb(13, 5) * 4 - rows * 4,
        "p_straight": rows * 4**5 - rows * 4,
        "p_three": 13 * comb(4, 3) * comb(12, 2) * 4**2,
        "p_two_pair": comb(13, 2) * comb(4, 2) ** 2 * 44,
        "p_pair": 13 * comb(4, 2) * comb(12, 3) * 4**3,
        "p_high_card": (comb(13, 5) - rows) * (4**5 - 4),
    }
    assert sum(counts.values()) == hands
    return {name: Fraction(number, hands) for name, number in counts.items()}


def perfect_pairs() -> Answers:
    """A side bet at blackjack, six decks: the second card is one of the 311 that are left beside the first."""
    return {
        "p_perfect": Fraction(5, 311),
        "p_coloured": Fraction(6, 311),
        "p_mixed": Fraction(12, 311),
        "p_any_flush": Fraction(6 * 13 - 1, 311),
    }


MARKED = (tengwars, suited_poker, perfect_pairs)
