"""Conditions, values and policies that a caller gives: what names mean at the end of a rule."""

from __future__ import annotations

import pytest
from tests.semantics.compiling import policy, ruleset

from rulesrun.diagnostics import RulesError
from rulesrun.semantics import plan
from rulesrun.semantics.asked import compile_asked, compile_condition
from rulesrun.semantics.renaming import names_in

TEXT = """
setting bonus = 1
table levels
    ..9 low
    10.. high
rule check
    given attribute: 0.. = 3
    roll number = d12
    roll pool = attribute d6
    choice push if number = 1
    success = count 6 in pool
    total = number + success
    flag lucky if number = 12
    outcome
        + success  if total > 6
        + miracle  if number = 12
        - failure  otherwise
rule pair
    given x: 0..
    roll first = check
    roll second = check
    track won = 0
    repeat 2 times
        roll extra = d4
        choice spend: 0..3
        won += spend + extra
    margin = first.total - second.total + x
"""
PLAN = ruleset(TEXT)


def asked(text: str, rule: str = "check") -> plan.Expression:
    """What a caller's text means."""
    value = policy(text).value
    assert value is not None
    return compile_condition(PLAN, PLAN.rules[rule], value)


def given_policy(text: str, rule: str = "check", choice: str | None = None) -> plan.Policy:
    """What a caller's policy means."""
    return compile_asked(PLAN, PLAN.rules[rule], policy(text), choice)


@pytest.mark.parametrize("text", ["good", "success or miracle", "outcome is (success or miracle)", "outcome is good"])
def test_outcomes_are_conditions(text: str) -> None:
    found = asked(text)
    labels = {
        label
        for part in ([found.left, found.right] if isinstance(found, plan.Or) else [found])
        for label in _labels(part)
    }
    assert labels == {"success", "miracle"} and names_in(found) == {"outcome"}


def _labels(part: plan.Expression) -> frozenset[str]:
    assert isinstance(part, plan.IsLabel)
    return part.labels


def test_a_label_comes_before_a_number_of_its_name_where_a_condition_is_meant() -> None:
    assert names_in(asked("not success")) == {"outcome"}
    assert names_in(asked("success > 2")) == {"success"}
    assert isinstance(asked("success"), plan.Var)


def test_flags_values_and_dice_are_known() -> None:
    assert isinstance(asked("lucky"), plan.Var)
    assert asked("number").kind is plan.Kind.NUMBER
    assert names_in(asked("count 6 in pool >= 2 and lucky")) == {"pool", "lucky"}
    assert names_in(asked("total + bonus > attribute")) == {"total", "attribute"}
    assert isinstance(asked("(levels at total).label is low"), plan.IsLabel)


def test_short_names_serve_where_only_one_thing_bears_them() -> None:
    assert names_in(asked("margin > 0 and first.lucky", "pair")) == {"margin", "first.lucky"}
    with pytest.raises(RulesError) as caught:
        asked("lucky", "pair")
    assert (caught.value.file, caught.value.line, caught.value.column) == ("asked", 1, 1)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("pool", "no-single-value"),
        ("totl > 3", "unknown-name"),
        ("outcome is sucess", "never-label"),
        ("pool > 3", "pool-as-number"),
        ("sum of number + pool", "question-binds-tightly"),
        ("total = 3 or 4", "or-between-numbers"),
    ],
)
def test_what_makes_no_sense_is_explained(text: str, code: str) -> None:
    with pytest.raises(RulesError) as caught:
        asked(text)
    assert caught.value.diagnostics[0].code == code


def test_a_rule_without_outcomes_has_neither_good_nor_labels() -> None:
    for text in ("good", "failure", "outcome is success"):
        with pytest.raises(RulesError):
            asked(text, "pair")


def test_names_of_a_repeated_body_end_with_it_but_policies_of_its_choices_may_read_them() -> None:
    with pytest.raises(RulesError) as caught:
        asked("extra > 2", "pair")
    assert caught.value.diagnostics[0].code == "ended"
    found = given_policy("2 if extra > 2 and turn = 1 otherwise won", "pair", "spend")
    assert found.word == "value" and names_in(found.value) == {"extra", "turn", "won"}


def test_policies() -> None:
    assert given_policy("never") == plan.Policy("never")
    assert given_policy("always") == plan.Policy("always")
    assert given_policy("best") == plan.Policy("best")
    aimed = given_policy("worst for total")
    assert aimed.word == "worst"
    assert names_in(aimed.aim) == {"total"}
    assert names_in(given_policy("total < 5", choice="push").value) == {"total"}


def test_a_policy_is_held_against_the_options_of_its_choice() -> None:
    with pytest.raises(RulesError) as caught:
        given_policy("3", choice="push")
    assert caught.value.diagnostics[0].code == "number-as-yes-no"
    assert given_policy("3", "pair", "spend").word == "value"
    with pytest.raises(RulesError):
        given_policy("yes", "pair", "spend")


def test_default_is_for_the_caller_to_leave_alone() -> None:
    with pytest.raises(RulesError):
        given_policy("default", choice="push")
