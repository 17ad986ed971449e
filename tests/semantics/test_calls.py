"""Rules that roll rules: what is passed, what is taken from names above, what bubbles up, how names are prefixed."""

from __future__ import annotations

import time

import pytest
from tests.semantics.compiling import codes, rule, ruleset, step, steps_of, value

from rulesrun.semantics import plan
from rulesrun.semantics.renaming import names_in

EFFORT = """
setting luck = 2
rule effort
    given attribute: 0..5 = 3
    given skill: 0..attribute = attribute
    given luck: 0.. = 0
    roll pool = (attribute + skill) d6
    choice push if any 1 in pool by default sum of pool < attribute
    total = sum of pool + luck
    flag lucky if all 6 in pool
    outcome
        + success if total > 10
        - failure otherwise
"""


def binds(invoke: plan.Invoke) -> dict[str, plan.Expression]:
    return {each.name: each.value for each in invoke.steps if isinstance(each, plan.Bind)}


def read_names(expression: object) -> frozenset[str]:
    return names_in(expression)


def test_steps_are_those_of_the_other_rule_under_a_prefix() -> None:
    test = rule("roll first = effort\ntotal = first.total", EFFORT)
    invoke = step(test, plan.Invoke, "first")
    assert invoke.rule == "effort" and invoke.condition is None and invoke.reroll_of is None
    assert [getattr(each, "name", None) for each in invoke.steps] == [
        "first.luck",
        "first.pool",
        "first.push",
        "first.total",
        "first.lucky",
        "first.outcome",
    ]
    assert invoke.names == tuple(each.name for each in invoke.steps if hasattr(each, "name"))
    assert read_names(invoke.steps) == {"first.attribute", "first.skill", "first.pool", "first.luck", "first.total"}
    assert value(test, "total") == plan.Var(test.span, plan.Kind.NUMBER, False, "first.total")


def test_inputs_bubble_up_with_domains_and_defaults_prefixed() -> None:
    test = rule("roll first = effort\nroll second = effort\ntotal = first.total + second.total", EFFORT)
    assert [given.name for given in test.inputs] == [
        "first.attribute",
        "first.skill",
        "second.attribute",
        "second.skill",
    ]
    skill = test.inputs[3]
    assert isinstance(skill.domain, plan.NumberDomain)
    assert read_names((skill.domain, skill.default)) == {"second.attribute"}
    assert "skill" not in test.short


def test_short_names_are_those_that_one_thing_bears() -> None:
    one = rule("roll first = effort\ntotal = first.total", EFFORT)
    assert one.short == {
        "attribute": "first.attribute",
        "skill": "first.skill",
        "pool": "first.pool",
        "push": "first.push",
        "lucky": "first.lucky",
    }
    nested = ruleset(
        EFFORT + "\nrule mid\n    roll a = effort\n    x = a.total\n\nrule top\n    roll b = mid\n    y = b.x\n"
    ).rules["top"]
    assert nested.short["a.push"] == nested.short["push"] == "b.a.push"


def test_a_setting_of_the_name_is_taken_and_a_value_above_too() -> None:
    test = rule("given attribute: 0..5 = 1\nskill = 1\nroll first = effort\ntotal = first.total", EFFORT)
    given = binds(step(test, plan.Invoke, "first"))
    assert [each.name for each in test.inputs] == ["attribute"]
    assert read_names(given["first.attribute"]) == {"attribute"}
    assert read_names(given["first.skill"]) == {"skill"}
    luck = given["first.luck"]
    assert isinstance(luck, plan.Const) and (luck.value, luck.setting) == (2, "luck")


def test_a_single_die_above_is_passed_as_its_sum() -> None:
    test = rule("roll attribute = d4\nroll first = effort\ntotal = first.total", EFFORT)
    given = binds(step(test, plan.Invoke, "first"))["first.attribute"]
    assert isinstance(given, plan.Question) and given.asked == "sum"


def test_an_input_whose_default_needs_a_passed_value_is_still_an_input_if_that_value_is_known_before() -> None:
    test = rule("given rating: 0..5 = 2\nroll first = effort(attribute = rating)\ntotal = first.total", EFFORT)
    assert [each.name for each in test.inputs] == ["rating", "first.skill"]
    assert read_names((test.inputs[1].domain, test.inputs[1].default)) == {"rating"}


def test_an_input_whose_default_needs_a_rolled_value_is_bound_to_it() -> None:
    test = rule("roll number = d4\nroll first = effort(attribute = number)\ntotal = first.total", EFFORT)
    assert test.inputs == ()
    assert read_names(binds(step(test, plan.Invoke, "first"))["first.skill"]) == {"first.attribute"}


def test_a_reroll_has_the_same_inputs_and_policies() -> None:
    test = rule(
        "roll first = effort(attribute = 4, push = never)\nchoice again_please\n"
        "roll second = reroll first if again_please\ntotal = second.total if again_please otherwise first.total",
        EFFORT,
    )
    second = step(test, plan.Invoke, "second")
    assert second.reroll_of == "first" and second.condition is not None
    given = binds(second)
    assert {name: read_names(each) for name, each in given.items()} == {
        "second.attribute": {"first.attribute"},
        "second.skill": {"first.skill"},
        "second.luck": {"first.luck"},
    }
    assert step(test, plan.Choice, "second.push").policy.word == "never"
    assert {name.partition(".")[0] for name in read_names(second.steps)} == {"first", "second"}
    assert value(test, "total").optional is False


def test_a_policy_in_brackets_reads_the_rolled_rule_first_and_this_rule_then() -> None:
    test = rule("given wanted: 0.. = 7\nroll first = effort(push = sum of pool < wanted)\ntotal = first.total", EFFORT)
    policy = step(test, plan.Choice, "first.push").policy
    assert policy.word == "value" and read_names(policy.value) == {"first.pool", "wanted"}


def test_a_policy_knows_nothing_below_its_choice() -> None:
    assert codes(EFFORT + "\nrule test\n    roll first = effort(push = total < 7)\n    x = first.total\n") == [
        "unknown-name"
    ]


def test_the_aim_of_best_may_read_what_comes_below() -> None:
    test = rule("roll first = effort(push = best for margin)\nmargin = first.total - 7", EFFORT)
    policy = step(test, plan.Choice, "first.push").policy
    assert (policy.word, policy.value) == ("best", None) and read_names(policy.aim) == {"margin"}


def test_bags_are_each_roll_s_own() -> None:
    text = "bag deck = 1..10\nrule hand\n    draw cards = 2 from deck\n    put cards back\n    total = sum of cards\n"
    test = rule("roll one = hand\nroll other = hand\ntotal = one.total + other.total", text)
    assert {each.bag for each in steps_of(test.steps) if isinstance(each, plan.BagDraw | plan.PutBack)} == {
        "one.deck",
        "other.deck",
    }
    assert test.dice == ("one.cards", "other.cards")


def test_a_rolled_rule_in_a_repeated_body_bubbles_up_too() -> None:
    test = rule(
        "track won = 0\nrepeat 3 times\n    roll check = effort(attribute = turn)\n    won += 1 if check is good",
        EFFORT,
    )
    assert [each.name for each in test.inputs] == []
    repeat = next(each for each in test.steps if isinstance(each, plan.Repeat))
    assert "check.total" in repeat.names and "won" not in repeat.names
    assert [each.name for each in test.values] == ["won"]
    assert [each.name for each in test.choices] == ["check.push"]


def test_is_good_is_any_good_outcome() -> None:
    test = rule("roll first = effort\nwon = first is good\nlost = first is not success", EFFORT)
    won, lost = value(test, "won"), value(test, "lost")
    assert isinstance(won, plan.IsLabel) and won.labels == {"success"} and read_names(won) == {"first.outcome"}
    assert isinstance(lost, plan.Not) and isinstance(lost.operand, plan.IsLabel)


def test_inputs_of_a_rolled_rule_can_be_taken_over_with_their_dots() -> None:
    text = EFFORT + "\nrule pair\n    roll a = effort\n    x = a.total\n"
    test = rule("given all of pair\nroll p = pair\ny = p.x", text)
    assert [each.name for each in test.inputs] == ["a.attribute", "a.skill"]
    given = binds(step(test, plan.Invoke, "p"))
    assert read_names(given["p.a.attribute"]) == {"a.attribute"}


MID = (
    EFFORT
    + """
rule mid
    roll first = effort
    shown = first.total
    outcome as first
"""
)


def test_a_roll_inside_a_roll_can_be_made_again() -> None:
    test = rule(
        "roll attacker = mid(first.attribute = 4, push = always)\nroll second = reroll attacker.first\n"
        "roll third = reroll attacker\nmargin = second.total - third.shown\noutcome as attacker",
        MID,
    )
    assert [each.name for each in test.inputs] == ["attacker.first.skill"]
    assert read_names(binds(step(test, plan.Invoke, "second"))["second.skill"]) == {"attacker.first.skill"}
    assert read_names(binds(step(test, plan.Invoke, "third"))["third.first.attribute"]) == {"attacker.first.attribute"}
    assert [
        step(test, plan.Choice, f"{name}.push").policy.word for name in ("attacker.first", "second", "third.first")
    ] == ["always"] * 3
    assert [each.label for each in test.outcomes] == ["success", "failure"]


def test_a_value_passed_on_in_between_binds_what_depends_on_it() -> None:
    text = EFFORT + "rule mid\n    given x: 0..5\n    roll first = effort(attribute = x)\n    shown = first.total\n"
    assert [each.name for each in ruleset(text).rules["mid"].inputs] == ["x", "first.skill"]
    test = rule("roll number = d4\nroll m = mid(x = number)\ny = m.shown", text)
    assert test.inputs == ()
    assert read_names(binds(step(test, plan.Invoke, "m"))["m.first.skill"]) == {"m.x"}


@pytest.mark.parametrize("levels", [14, 40, 400])
def test_rolls_that_double_are_refused_quickly(levels: int) -> None:
    text = "rule step_0\n    roll a = d6\n" + "".join(
        f"rule step_{n}\n    roll a = step_{n - 1}\n    roll b = step_{n - 1}\n" for n in range(1, levels)
    )
    before = time.perf_counter()
    assert "too-many-steps" in codes(text)
    assert time.perf_counter() - before < 20


def test_a_long_chain_of_rules_is_no_problem() -> None:
    text = "rule step_0\n    roll a = d6\n    total = a + 1\n" + "".join(
        f"rule step_{n}\n    roll a = step_{n - 1}\n    total = a.total\n" for n in range(1, 40)
    )
    assert ruleset(text).rules["step_39"].dice == (".".join(["a"] * 40),)
