"""Known numbers counted below or above one that is not known, and what the odds show of a rule without numbers."""

from __future__ import annotations

from fractions import Fraction

import pytest

import rulesrun

RULES = """
rule doubles
    roll dice = 2d10, again on all equal
    total = sum of dice
    steps = [13, 15, 18, 21]
    passed  = count ..total in steps
    missed  = count > total in steps
    between = count 14..total in steps
    other   = count not ..total in steps

rule last
    roll dice = 2d6
    low  = any ..(sum of dice) in [12, 11]
    all_low = all < sum of dice in [3, 11]
    level = none >= sum of dice in [3, 11]
"""


@pytest.fixture(scope="module")
def ruleset() -> rulesrun.Ruleset:
    return rulesrun.parse(RULES)


def test_numbers_are_counted_below_an_endless_one(ruleset: rulesrun.Ruleset) -> None:
    odds = ruleset["doubles"].odds()
    total, passed = odds.of("total"), odds.of("passed")
    assert passed[0] == sum((total[number] for number in range(2, 13)), Fraction(0))
    assert passed[2] == total[15] + total[16] + total[17]
    assert passed.mean == 4 - odds.of("missed").mean
    assert odds.of("other").mean == odds.of("missed").mean
    assert odds.of("between")[3] == passed[4]


def test_yes_and_no_are_shown_where_there_is_nothing_else(ruleset: rulesrun.Ruleset) -> None:
    odds = ruleset["last"].odds()
    assert odds.numbers == ("low", "all_low", "level")
    assert [odds.of(name)[True] for name in odds.numbers] == [Fraction(1, 12), Fraction(1, 36), Fraction(1, 36)]
