"""Formulas are worth the same in a roll, in both of its forms, and in odds: what their lines say."""

from __future__ import annotations

from fractions import Fraction

import pytest

import rulesrun
from rulesrun.diagnostics import RulesError

RULES = """
table steps
    ..2 low  1
    3.. high 10

rule square
    given n: .. = 0
    given kind: one of plain, double = plain
    given least: 0.. = 0
    limit "not below the least": abs(n) >= least
    track total = 0
    repeat abs(n) times
        total += abs(n)
    value_of = total * (2 if kind is double otherwise 1)
    step = (steps at n).value
    flag large if total > 10
    outcome
        + much if large
        - little otherwise

rule test
    given kind: one of plain, double = double
    given m: .. = 1
    roll pool = 2d6
    whole  = square(n = sum of pool).value_of
    faces  = for each face in pool: square(n = face, kind = plain).value_of
    passed = square(n = m, kind = plain).value_of
    step   = square(n = lowest of pool).step
    much   = square(n = 3).outcome is much and not square(n = 4).large
    other  = square(n = 9, least = 10).value_of if m > 100 otherwise 0
    outcome
        + over  if whole + faces > 100
        - under otherwise
"""


@pytest.fixture(scope="module")
def rules() -> rulesrun.Ruleset:
    return rulesrun.parse(RULES)


def plainly(a: int, b: int) -> dict[str, object]:
    """What the values are when the dice show these faces."""
    return {
        "whole": 2 * (a + b) ** 2, "faces": a * a + b * b, "passed": 1, "step": 1 if min(a, b) <= 2 else 10,
        "much": False, "other": 0,
    }  # fmt: skip


@pytest.mark.parametrize("a", range(1, 7))
def test_a_roll_is_worth_what_the_formula_says(rules: rulesrun.Ruleset, a: int) -> None:
    for b in range(1, 7):
        roll = rules["test"].roll(dice={"pool": [a, b]})
        assert {name: roll.values[name] for name in plainly(a, b)} == plainly(a, b)


def test_fast_rolls_are_worth_the_same(rules: rulesrun.Ruleset) -> None:
    rule = rules["test"]
    for seed in range(60):
        roll = rule.roll(seed=seed)
        a, b = (face for face in roll.dice["pool"] if isinstance(face, int))
        assert {name: roll.values[name] for name in plainly(a, b)} == plainly(a, b)


def test_odds_are_those_of_all_dice(rules: rulesrun.Ruleset) -> None:
    odds = rules["test"].odds()
    sums: dict[object, Fraction] = {}
    over = Fraction(0)
    for a in range(1, 7):
        for b in range(1, 7):
            values = plainly(a, b)
            sums[values["whole"]] = sums.get(values["whole"], Fraction(0)) + Fraction(1, 36)
            over += Fraction(int(values["whole"]) + int(values["faces"]) > 100, 36)  # type: ignore[call-overload]
    assert dict(odds.of("whole").items()) == sums
    assert odds["over"] == over
    assert odds.chance("square(n = sum of pool).large") == Fraction(33, 36)


def test_the_same_name_is_passed_and_the_default_holds_otherwise(rules: rulesrun.Ruleset) -> None:
    dice = {"pool": [1, 1]}
    assert rules["test"].roll(dice=dice).values["whole"] == 8
    assert rules["test"].roll(dice=dice, kind="plain").values["whole"] == 4


def test_a_limit_of_a_formula_is_an_error_at_its_place_that_shows_the_call(rules: rulesrun.Ruleset) -> None:
    with pytest.raises(RulesError, match="not below the least") as raised:
        rules["test"].roll(m=101)
    problem = raised.value.diagnostics[0]
    assert problem.code == "limit"
    assert problem.secondary[-1].span.text == "square(n = 9, least = 10).value_of"
    with pytest.raises(RulesError, match="not below the least"):
        rules["test"].odds(m=101).of("other")


def test_turns_of_formulas_count_with_those_of_the_rule() -> None:
    rules = rulesrun.parse(
        "rule slow\n    given n: 0.. = 0\n    track x = 0\n    repeat n times\n        x += 1\n"
        "rule test\n    roll d = d6\n    total = d + for_all\n".replace(
            "for_all", "slow(n = 90000).x + slow(n = 90000).x"
        )
    )
    with pytest.raises(RulesError, match="the limit is"):
        rules["test"].roll()
