"""Choices made for the best in the middle of a roll: what somebody who knows the odds would do."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

import rulesrun
from rulesrun import RulesError

TEXT = """
rule gamble
    given points: 0..5 = 3
    roll die = d6
    choice push "throw again?"
    roll second = d6 if push
    result = second if push otherwise die
    choice spend: 0..points
    total = result + spend
    outcome
        + hit  if total = 7
        - miss otherwise

rule duel
    roll one   = gamble(points = 0)
    roll other = gamble(points = 0)
    outcome
        + won  if one.result > other.result
        - lost otherwise

rule turns
    roll die = d6
    track sum = 0
    repeat 2 times
        choice take
        sum += die if take otherwise 0
    outcome
        + hit  if sum = 6
        - miss otherwise

rule aimless
    roll die = d6
    choice again
    roll second = d6 if again
    x = second if again otherwise die

rule itself
    roll die = d6
    choice push by default best
    roll second = d6 if push
    outcome
        + hit  if (second if push otherwise die) >= 4
        - miss otherwise

example "a low die is thrown again, a high one kept"
    dice die = 3
    dice second = 6
    choose push = best
    choose spend = best
    roll gamble(points = 1)
    expect push and total = 7
    expect chance of hit = 1
"""


@pytest.fixture(scope="module")
def rules() -> rulesrun.Ruleset:
    return rulesrun.parse(TEXT)


def decided(rules: rulesrun.Ruleset, rule: str, die: int, choose: dict[str, object], **asked: Any) -> dict[str, Any]:
    return rules[rule].roll(dice={"die": [die]}, choose=choose, seed=1, **asked).values


@pytest.mark.parametrize(("die", "points", "push"), [(1, 3, True), (3, 3, True), (4, 3, False), (6, 1, False)])
def test_the_best_is_good_for_a_good_outcome(rules: rulesrun.Ruleset, die: int, points: int, push: bool) -> None:
    values = decided(rules, "gamble", die, {"push": "best", "spend": "best"}, points=points)
    assert values["push"] is push
    if not push:
        assert values["total"] == 7


@pytest.mark.parametrize(("die", "push"), [(3, False), (5, True)])
def test_best_and_worst_for_an_aim_of_their_own(rules: rulesrun.Ruleset, die: int, push: bool) -> None:
    values = decided(rules, "gamble", die, {"push": "worst for total", "spend": "best for total"})
    assert (values["push"], values["spend"]) == (push, 3)


def test_an_aim_for_the_whole_roll(rules: rulesrun.Ruleset) -> None:
    choose: dict[str, object] = {"push": "best", "spend": "best"}
    assert [decided(rules, "gamble", die, choose, aim="total")["push"] for die in (3, 4)] == [True, False]
    assert decided(rules, "gamble", 6, choose, aim="-total")["spend"] == 0


def test_a_policy_of_the_rule_itself(rules: rulesrun.Ruleset) -> None:
    assert [rules["itself"].roll(dice={"die": [die]}, seed=1).values["push"] for die in (3, 4)] == [True, False]
    rolls = [rules["itself"].roll(seed=seed) for seed in range(400)]
    chance = rules["itself"].odds()["hit"]
    assert chance == Fraction(3, 4)
    assert abs(sum(roll.outcome == "hit" for roll in rolls) - 300) < 44  # five sigma


def test_the_other_choices_are_made_as_they_are_told(rules: rulesrun.Ruleset) -> None:
    choose: dict[str, object] = {"push": "best", "spend": "always"}
    assert [decided(rules, "gamble", die, choose)["push"] for die in (3, 4, 5)] == [True, False, True]


def test_choices_of_rolled_rules(rules: rulesrun.Ruleset) -> None:
    dice = {"one.die": [4], "other.die": [5]}
    choose = {"one.push": "never", "one.spend": "never", "other.spend": "never"}
    for policy, push in (("best", True), ("worst", False)):
        roll = rules["duel"].roll(dice=dice, choose={**choose, "other.push": policy}, seed=1)
        assert roll.values["other.push"] is push


@pytest.mark.parametrize("die", [1, 3, 6])
def test_choices_in_a_repetition(rules: rulesrun.Ruleset, die: int) -> None:
    roll = rules["turns"].roll(choose={"take": "best"}, dice={"die": [die]}, seed=1)
    assert (roll.outcome == "hit") == (die in (3, 6))


@pytest.mark.parametrize(("first", "taken"), [(1, 0), (3, 0), (4, 4)])
def test_choices_in_a_repetition_inside_another(first: int, taken: int) -> None:
    """A die is taken once a round, in the last throw whatever it shows; before that, above the mean."""
    text = "rule r\n    track sum = 0\n    repeat 2 times\n        track free = yes\n        repeat 2 times\n"
    text += "            roll die = d6 if free\n            choice take if free\n"
    text += "            sum += die if take otherwise 0\n            free becomes free and not take\n"
    roll = rulesrun.parse(text)["r"].roll(choose={"take": "best"}, aim="sum", seed=1, dice={"die": [first, 2, 5]})
    assert roll.values["sum"] == (taken or 2) + 5


def test_what_cannot_be_decided_is_said(rules: rulesrun.Ruleset) -> None:
    with pytest.raises(RulesError):
        rules["aimless"].roll(choose={"again": "best"}, seed=1)
    assert rules["aimless"].roll(choose={"again": "best"}, aim="x", dice={"die": [3]}, seed=1).values["again"] is True
    with pytest.raises(RulesError, match="nothing called"):
        rules["gamble"].roll(choose={"push": "best"}, aim="totl", seed=1)


def test_a_person_is_asked_and_the_odds_are_not_a_person(rules: rulesrun.Ruleset) -> None:
    asked = []

    def decide(offer: Any) -> int:
        asked.append(offer.step.name)
        return 2

    roll = rules["gamble"].roll(choose={"push": "best", "spend": "ask"}, decide=decide, dice={"die": [6]}, seed=1)
    assert (asked, roll.values["spend"]) == (["spend"], 2)


def test_examples_choose_the_best_too(rules: rulesrun.Ruleset) -> None:
    (result,) = rules.test()
    assert result.holds, (result.error, result.checks)


def test_twists_push() -> None:
    rule = rulesrun.load("twist.rules")["attribute_roll"]
    pushed = {
        number: rule.roll(attribute=2, luck=4, choose={"push": "best"}, dice={"number": [number]}, seed=1).values[
            "push"
        ]
        for number in range(1, 13)
    }
    assert pushed == {number: number <= 4 for number in range(1, 13)}
