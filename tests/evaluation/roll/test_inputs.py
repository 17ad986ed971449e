"""Inputs: names, domains, defaults, and errors that name the right ones."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest

import rulesrun
from rulesrun.diagnostics import RulesError
from rulesrun.evaluation.roll import Roll, RuleRoller

TEXT = """
levels difficulty_levels
    easy 8
    medium 10
rule inner
    given gift: 1..5 = 3
    given skill: 0..5 or none = none
    roll pool = gift d6
    total = sum of pool + (0 if skill = none otherwise skill)
rule test
    given party: list of 0..9
    given goal: 1.. = size of party
    given most: goal.. = goal + 2
    given level: difficulty_levels = medium
    given style: one of calm, wild or none = calm
    given bonus: .. = 0
    given ready: yes or no = no
    roll attacker = inner
    roll defender = inner
    total = attacker.total - defender.total + goal + most + level + bonus + sum of party
    odd_one = ready and style is wild
"""


def test_defaults_are_expressions_over_the_inputs_before(roller: Callable[[str], RuleRoller]) -> None:
    assert roller(TEXT).roll({"party": [1, 2, 0]}, seed=1).inputs == {
        "party": (1, 2, 0), "goal": 3, "most": 5, "level": 10, "style": "calm", "bonus": 0, "ready": False,
        "attacker.gift": 3, "attacker.skill": None, "defender.gift": 3, "defender.skill": None,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("given", "name", "value"),
    [
        ({"level": "easy"}, "level", 8),
        ({"level": 7}, "level", 7),
        ({"level": Fraction(7, 2)}, "level", Fraction(7, 2)),
        ({"style": None}, "style", None),
        ({"style": "wild"}, "style", "wild"),
        ({"ready": True}, "ready", True),
        ({"attacker": {"gift": 5}}, "attacker.gift", 5),
        ({"attacker.gift": 5}, "attacker.gift", 5),
        ({"defender": {"skill": 2}}, "defender.skill", 2),
        ({"bonus": -(10**30)}, "bonus", -(10**30)),
        ({"goal": 2, "most": 2}, "most", 2),
        ({"party": [], "goal": 1}, "party", ()),
        ({"bonus": Fraction(4, 2)}, "bonus", 2),
    ],
)
def test_what_is_accepted(roll: Callable[..., Roll], given: dict[str, object], name: str, value: object) -> None:
    assert roll(TEXT, **({"party": [1]} | given)).inputs[name] == value


@pytest.mark.parametrize(
    ("given", "message", "hint"),
    [
        ({}, "test needs party", "party is a list, each item a whole number from 0 to 9"),
        ({"party": [10]}, "party: 10 is not a whole number from 0 to 9", None),
        ({"party": 3}, "party: 3 is not a list", None),
        ({"party": [1], "goal": 0}, "goal: 0 is not a whole number of 1 or more", None),
        ({"party": [1], "goal": 5, "most": 4}, "most: 4 is not a whole number of 5 or more", None),
        ({"party": [1], "goal": True}, "goal: yes is not a whole number", None),
        ({"party": [1], "goal": 1.5}, "goal: 1.5", None),
        ({"party": [1], "goal": Fraction(3, 2)}, "goal: 1.5 is not a whole number", None),
        ({"party": [1], "goal": "many"}, "goal: `many` is not a whole number", None),
        (
            {"party": [1], "level": "eazy"},
            "level: `eazy` is not easy (8), medium (10) or any number",
            "did you mean easy?",
        ),
        ({"party": [1], "style": "wildd"}, "style: `wildd` is not calm, wild or none", "did you mean wild?"),
        ({"party": [1], "ready": 1}, "ready: 1 is not yes or no", None),
        ({"party": [1], "goal": None}, "goal: none is not a whole number", None),
        ({"partyy": [1]}, "test has no input called partyy", "did you mean party?"),
        ({"party": [1], "gift": 2}, "gift may be attacker.gift or defender.gift", "write attacker.gift, for example"),
        ({"party": [1], "xyz": 2}, "test has no input called xyz", "the inputs of test are party"),
        ({"party": [1], "attacker": {"gift": 6}}, "attacker.gift: 6 is not a whole number from 1 to 5", None),
        ({"party": [1], "bonus": 10**2000}, "a number of about", None),
    ],
)
def test_what_is_refused_and_how(
    roller: Callable[[str], RuleRoller], given: dict[str, object], message: str, hint: str | None
) -> None:
    with pytest.raises(RulesError) as caught:
        roller(TEXT).roll(given, seed=1)
    assert message in caught.value.message
    if hint:
        assert caught.value.hint and hint in caught.value.hint


def test_a_short_name_serves_where_only_one_thing_bears_it(roller: Callable[[str], RuleRoller]) -> None:
    text = """
rule inner
    given luck: 0.. = 0
    roll number = d12
    total = number + luck
rule test
    roll check = inner
    total = check.total
"""
    result = roller(text).roll({"luck": 3}, dice={"number": [5]}, seed=1)
    assert result.inputs == {"check.luck": 3}
    assert result.values["total"] == 8
    with pytest.raises(RulesError, match=r"check\.luck is given twice"):
        roller(text).roll({"luck": 3, "check.luck": 2}, seed=1)


def test_a_wrong_default_is_reported_where_it_stands(roller: Callable[[str], RuleRoller]) -> None:
    text = "rule test\n    given a: 0.. = 1\n    given b: 5.. = a + 1\n    total = a + b\n"
    with pytest.raises(RulesError, match="b: 2 is not a whole number of 5 or more") as caught:
        roller(text).roll({}, seed=1)
    assert caught.value.line == 4


def test_the_numbers_of_a_list_are_bounded_too(refused: Callable[..., RulesError]) -> None:
    text = "rule test\n    given numbers: list of .. = [1]\n    x = size of numbers\n"
    assert "digits" in refused(text, numbers=[1, 10**5000]).message


@pytest.mark.parametrize(
    ("line", "value"),
    [("x = a + n", 5), ("x = a * n", 6), ("x = n - 1", 2), ("x = max(a, n)", 3), ("x = 1 if n > 2 otherwise a", 1)],
)
@pytest.mark.parametrize("domain", ["..", "0..", "1..6"])
def test_a_number_that_may_be_none_is_asked_first(line: str, value: int, domain: str) -> None:
    rule = rulesrun.parse(f"rule r\n    given n: {domain} or none\n    roll a = d6\n    {line}\n")["r"]
    assert rule.roll(inputs={"n": 3}, dice={"a": [2]}).values["x"] == value
    with pytest.raises(RulesError, match="`n` is none here"):
        rule.roll(inputs={"n": None}, dice={"a": [2]})
