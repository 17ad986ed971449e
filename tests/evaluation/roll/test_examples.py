"""Worked examples as tests."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from rulesrun.diagnostics import Source
from rulesrun.evaluation.examples import Result, run_example
from rulesrun.semantics.compile import compile_ruleset
from rulesrun.semantics.plan import Example, Expect, RulesetPlan
from rulesrun.syntax.parser import parse

HEAD = """
system "Test"
setting success_on: faces = 6..10
rule check
    given n: 0.. = 3
    roll pool = n d10
    successes = count success_on in pool
    factor = 2 ^ (n / 2)
    choice push if successes = 0 by default never
    roll second = dice of pool if push
    total = successes + count success_on in second
    outcome
        + success if total > 0
        - failure otherwise
"""


def run(lines: str, chance: Fraction = Fraction(1, 2)) -> Result:
    tree = parse(Source.of_text("test.rules", f'{HEAD}example "it"\n{lines}'))

    def with_settings(settings: Mapping[str, Any]) -> RulesetPlan:
        return compile_ruleset([tree], settings)

    def measure(ruleset: RulesetPlan, example: Example, expect: Expect) -> Fraction:
        return chance

    plan = compile_ruleset([tree])
    return run_example(plan.examples[0], plan, with_settings, measure)


def test_one_that_holds() -> None:
    result = run(
        "    dice pool = 10, 6, 1\n    roll check\n"
        "    expect successes = 2 and total = 2\n    expect outcome is success\n"
    )
    assert result.holds
    assert [check.holds for check in result.checks] == [True, True]


def test_both_values_are_shown_of_one_that_does_not() -> None:
    result = run(
        "    dice pool = 10, 6, 1\n    roll check\n    expect total = 2 and successes = 3\n"
        "    expect outcome is failure\n    expect any 5 in pool\n    expect successes > 5\n"
    )
    assert not result.holds
    assert [(check.found, check.wanted) for check in result.checks] == [
        ("successes is 2", "3"),
        ("outcome is success", "failure"),
        ("pool is 10 6 1", "any 5 in pool"),
        ("successes is 2", "> 5"),
    ]
    assert [check.span.line for check in result.checks] == [18, 19, 20, 21]


def test_choices_and_settings_of_an_example() -> None:
    lines = (
        "    set success_on = 9..10\n    dice pool = 6, 7, 8\n    dice second = 9, 10, 1\n    choose push = always\n"
    )
    result = run(f"{lines}    roll check\n    expect push and successes = 0 and total = 2\n    expect good\n")
    assert result.holds, result


def test_dice_left_to_chance_must_not_matter() -> None:
    assert run("    roll check(n = 6)\n    expect size of pool = 6\n    expect total <= 6\n").holds
    result = run("    dice pool = 10\n    roll check(n = 2)\n    expect successes = 1\n")
    assert not result.holds
    assert result.checks[0].found.startswith("successes is 2 with pool = 10 ")


def test_chances_and_means_are_measured() -> None:
    lines = "    roll check(n = 1)\n    expect chance of good = 50%\n    expect chance of success = 49% within 1%\n"
    assert run(lines + "    expect mean of total >= 1/2\n").holds
    result = run(lines, Fraction(2, 3))
    assert [(check.found, check.wanted) for check in result.checks] == [
        ("chance of good is 2/3", "50%"),
        ("chance of success is 2/3", "49% within 1%"),
    ]


def test_an_approximate_value_within_a_distance() -> None:
    assert run("    roll check(n = 1)\n    expect factor = 1.414 within 0.001\n").holds
    result = run("    roll check(n = 1)\n    expect factor = 1.5 within 0.001\n")
    assert not result.holds
    assert result.checks[0].found.startswith("factor is about 1.41421")
    assert result.checks[0].wanted == "3/2 within 1/1000"


def test_what_keeps_an_example_from_running_is_reported() -> None:
    result = run("    dice pool = 1, 2, 3, 4\n    roll check\n    expect successes = 0\n")
    assert not result.holds
    assert result.error is not None
    assert "4 faces are given for pool, and only 3 drawn" in result.error.message
