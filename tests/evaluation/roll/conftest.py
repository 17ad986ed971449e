"""Rulesets as text, compiled and rolled."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import pytest

from rulesrun.diagnostics import RulesError, Source
from rulesrun.evaluation.roll import Roll, RuleRoller
from rulesrun.semantics.compile import compile_ruleset
from rulesrun.semantics.plan import RulesetPlan
from rulesrun.syntax.parser import parse


class RollsText(Protocol):
    """Rolls the last rule of a text."""

    def __call__(
        self,
        text: str,
        dice: Mapping[str, Sequence[object]] | None = None,
        choose: Mapping[str, Any] | None = None,
        seed: int = 1,
        **given: object,
    ) -> Roll: ...


def plan_of(text: str) -> RulesetPlan:
    """The plan of a ruleset without its first line."""
    return compile_ruleset([parse(Source.of_text("test.rules", 'system "Test"\n' + text))])


def roller_of(text: str) -> RuleRoller:
    """The last rule of a text, ready to be rolled."""
    plan = plan_of(text)
    return RuleRoller(plan, list(plan.rules.values())[-1])


@pytest.fixture
def plan() -> Callable[[str], RulesetPlan]:
    return plan_of


@pytest.fixture
def roller() -> Callable[[str], RuleRoller]:
    return roller_of


@pytest.fixture
def roll() -> RollsText:
    """Rolls a rule in both forms; they must agree."""

    def rolled(
        text: str,
        dice: Mapping[str, Sequence[object]] | None = None,
        choose: Mapping[str, Any] | None = None,
        seed: int = 1,
        **given: object,
    ) -> Roll:
        made = roller_of(text)
        result = made.roll(given, dice=dice, choose=choose, seed=seed)
        replayed = made.roll(given, dice=result.dice, choose=choose, seed=seed)
        unforced = made.roll(given, choose=choose, seed=seed)
        recorded = made.roll(given, choose=choose, seed=seed, dice=dict.fromkeys(result.dice, ()))
        for a, b in ((result, replayed), (unforced, recorded)):
            assert (a.values, a.flags, a.outcome, a.dice) == (b.values, b.flags, b.outcome, b.dice)
        return result

    return rolled


@pytest.fixture
def refused(roll: RollsText) -> Callable[..., RulesError]:
    """The error of a roll that must fail, in the fast form as in the recording one."""

    def error_of(text: str, **call: Any) -> RulesError:
        made = roller_of(text)
        given = {name: value for name, value in call.items() if name not in ("dice", "choose")}
        errors: list[RulesError] = []
        for _ in ("recording", "fast"):
            with pytest.raises(RulesError) as caught:
                made.roll(given, dice=call.get("dice"), choose=call.get("choose"), seed=1)
            errors.append(caught.value)
        first, second = errors
        assert (first.message, first.line, first.column) == (second.message, second.line, second.column)
        return first

    return error_of
