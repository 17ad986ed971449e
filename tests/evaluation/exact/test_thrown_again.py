"""Groups that are thrown again without end, of which some dice are kept."""

from __future__ import annotations

from fractions import Fraction

import rulesrun

THIRD = Fraction(1, 3)


def test_the_highest_of_all_groups() -> None:
    found = (
        rulesrun.parse("rule r\n    roll p = 2d3, again on any 3\n    x = sum of highest 1 of p\n")["r"].odds().of("x")
    )
    # No further group comes unless a 3 shows; then it is the highest.
    assert dict(found.items()) == {1: THIRD**2, 2: 3 * THIRD**2, 3: 1 - (2 * THIRD) ** 2}
    assert not found.tail


def test_the_lowest_of_all_groups() -> None:
    rule = rulesrun.parse("rule r\n    roll p = 2d3, again on any 3\n    x = sum of lowest 1 of p\n")["r"]
    found = rule.odds().of("x")
    # A group that ends it is one of 11 12 21 22, one that goes on is one of 33 13 31 23 32.
    end, go = 4 * THIRD**2, 5 * THIRD**2
    assert end == 1 - go
    no_one = THIRD**2 / (1 - 3 * THIRD**2)
    assert dict(found.items()) == {1: 1 - no_one, 2: no_one}


def test_each_die_explodes_whatever_it_shows() -> None:
    """2d2 twice or, with a 2 in them, three or four times: every die brings one more."""
    text = "rule r\n    roll p = d2, again on any 2 once, explode on 1..2 once\n    x = size of p\n    y = sum of p\n"
    odds = rulesrun.parse(text)["r"].odds()
    assert dict(odds.of("x").items()) == {2: Fraction(1, 2), 4: Fraction(1, 2)}
    assert odds.of("y").mean == Fraction(9, 2)  # four of 3/2 each, less half the time the two of no second group


def test_equal_faces_of_different_dice_are_told_apart_by_what_reads_their_sides() -> None:
    rule = rulesrun.parse("""
rule r
    roll a = 1d4 + 1d3, again on all 3
    worth = for each die in highest 2 of a: sides * die
    flag x if largest set in a <= 3 and worth >= 18
""")["r"]
    # One group: 4 with any (19 or more), 3 of the d4 with 2 of the d3 (18). Two: the first is 3 and 3, which is 18 or
    # more whichever two threes count. Three groups show four threes.
    assert rule.odds()["x"] == Fraction(4, 12) + Fraction(1, 12) * Fraction(11, 12)


def test_a_condition_may_compare_with_the_dice_of_another_throw() -> None:
    text = "rule r\n    roll p = d2\n    roll q = 2d2, again on sum > sum of p once\n    x = sum of q\n"
    odds = rulesrun.parse(text)["r"].odds()
    # Beside a 1 there is always a second group; beside a 2 there is none after 1 1.
    assert odds.of("x").mean == (Fraction(6) + 3 + 3 * Fraction(3, 4)) / 2
    assert odds.of("x")[2] == Fraction(1, 8)


def test_a_condition_may_compare_with_a_throw_without_end() -> None:
    text = "rule r\n    roll p = d2!\n    roll q = 2d2, again on sum <= sum of p once\n    x = size of q\n"
    found = rulesrun.parse(text)["r"].odds().of("x")
    # p is 1, 3, 5, ... with 1/2, 1/4, 1/8: a second group comes never, after 1 1 or 1 2 or 2 1, and always.
    assert dict(found.items()) == {2: Fraction(1, 2) + Fraction(1, 16), 4: Fraction(3, 16) + Fraction(1, 4)}
