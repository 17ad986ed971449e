"""Dice thrown again by choice, played as well as can be: against backward induction written out by hand."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement, product
from math import factorial, prod

import pytest

import rulesrun
from rulesrun.diagnostics import RulesError
from rulesrun.evaluation.exact.choose import Subsets
from rulesrun.evaluation.pools import Die
from rulesrun.semantics import plan

Pool = tuple[int, ...]


def throws(count: int, sides: int) -> list[tuple[Pool, Fraction]]:
    """The sorted faces of so many dice, with their chances."""
    found = []
    for pool in combinations_with_replacement(range(1, sides + 1), count):
        ways = factorial(count) // prod(map(factorial, Counter(pool).values()))
        found.append((pool, Fraction(ways, sides**count)))
    return found


def kept(pool: Pool) -> set[Pool]:
    return {
        tuple(face for face, stay in zip(pool, stays, strict=True) if stay)
        for stays in product((0, 1), repeat=len(pool))
    }


def worth(pool: Pool) -> Fraction:
    """What a hand counts: its largest set, and a tenth of its highest die."""
    return max(Counter(pool).values()) + Fraction(max(pool), 10)


def played(dice: int, sides: int, throws_left: int) -> Fraction:
    """The mean of what is in the hand in the end."""

    @cache
    def best(pool: Pool, left: int) -> Fraction:
        if not left:
            return worth(pool)
        return max(mean(keep, left - 1) for keep in kept(pool))

    @cache
    def mean(keep: Pool, left: int) -> Fraction:
        more = throws(dice - len(keep), sides)
        return sum((chance * best(tuple(sorted(keep + new)), left) for new, chance in more), Fraction(0))

    return mean((), throws_left)


TEXT = """rule r
    roll first = {dice}d{sides}
    choice again: dice of first by default best for worth
    roll second = dice of again
    hand = (first without again) + second
    choice more: dice of hand by default best for worth
    roll third = dice of more
    final = (hand without more) + third
    worth = largest set in final + highest of final / 10
"""


@pytest.mark.parametrize(("dice", "sides"), [(1, 6), (2, 4), (3, 3), (3, 4)])
def test_two_rethrows_played_as_well_as_can_be(dice: int, sides: int) -> None:
    odds = rulesrun.parse(TEXT.format(dice=dice, sides=sides))["r"].odds()
    assert odds.of("worth").mean == played(dice, sides, 2)


def test_what_was_given_up_may_be_read_later() -> None:
    text = TEXT.format(dice=2, sides=3).replace("/ 10", "/ 10 + (sum of again + sum of (first without again)) / 100")
    odds = rulesrun.parse(text)["r"].odds()
    assert odds.of("worth").mean == played(2, 3, 2) + Fraction(4, 100)
    assert {name for each in odds.policies["more"]["when"] for name in each} <= {"again", "first", "hand", "more"}


def test_a_roll_decides_in_the_same_way() -> None:
    rule = rulesrun.parse(TEXT.format(dice=2, sides=6))["r"]
    roll = rule.roll(dice={"first": [6, 6]}, seed=1)
    assert roll.values["worth"] == Fraction(26, 10)


def test_five_dice_for_five_alike_are_solved() -> None:
    text = (
        "rule r\n    roll first = 5d6\n    choice again: dice of first by default best\n"
        "    roll second = dice of again\n"
        "    hand = (first without again) + second\n    choice more: dice of hand by default best\n"
        "    roll third = dice of more\n    final = (hand without more) + third\n    outcome\n"
        "        + made if largest set in final >= 5\n        - missed otherwise\n"
    )
    assert rulesrun.parse(text)["r"].odds()["made"] == Fraction(347897, 7558272)


def test_what_is_read_of_each_die_that_stays() -> None:
    text = (
        "rule r\n    roll p = 2d4\n    choice gone: dice of p by default best for total\n"
        "    total = (for each die in (p without gone): die) - 2 * sum of gone\n"
    )
    assert rulesrun.parse(text)["r"].odds().of("total").mean == 5


def test_a_budget_is_kept() -> None:
    with pytest.raises(RulesError):
        rulesrun.parse(TEXT.format(dice=6, sides=6))["r"].odds(budget=300)


@pytest.mark.parametrize(
    ("dice", "number", "least", "most"),
    [
        ("dice of p", None, 0, 4),
        ("2 dice of p by default highest 2 of p", 2, 2, 2),
        ("at most 3 dice of p", 3, 0, 3),
        ("9 dice of p by default highest 9 of p", 9, 4, 4),
    ],
)
def test_all_that_may_be_taken_of_some_dice(dice: str, number: int | None, least: int, most: int) -> None:
    rule = rulesrun.parse(f"rule r\n    roll p = 4d6\n    choice t: {dice}\n    x = size of t\n")["r"]
    step = next(each for each in rule.plan.steps if isinstance(each, plan.Choice))
    pool = tuple(Die(face, 6) for face in (2, 5, 2, 3))
    offered = Subsets(pool, step, number)
    ways = {tuple(sorted(taken)) for many in range(least, most + 1) for taken in combinations((2, 2, 3, 5), many)}
    found = [tuple(die.face for die in taken) for taken in offered]
    assert sorted(found) == sorted(ways)
    assert list(map(len, found)) == sorted(map(len, found))
    assert len(offered) == len(ways)
    assert offered[0] == ()
    highest = (2, 5, 2, 3) if most == 4 else {2: (5, 3), 3: (5, 3, 2)}[most]
    for last in {-1, len(offered) - 1} - {0}:
        assert sorted(die.face for die in offered[last]) == sorted(highest)
    assert all(offered[at] == taken for at, taken in enumerate(offered) if 0 < at < len(offered) - 1)
