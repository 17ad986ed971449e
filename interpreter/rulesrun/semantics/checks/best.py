"""Choices made `best` where nothing says what is best."""

from __future__ import annotations

from collections.abc import Iterator

from rulesrun.diagnostics import Diagnostic
from rulesrun.semantics import plan
from rulesrun.semantics.messages import calls as say
from rulesrun.semantics.renaming import parts

from .checked import Checked, own_steps


def best_without_aim(checked: Checked) -> Iterator[Diagnostic]:
    """`best` is best for a good outcome of the outermost rule: without outcomes it needs an aim of its own."""
    for rule in checked.world.rules.values():
        if rule.outcomes:
            continue
        for step in own_steps(rule.steps):
            if isinstance(step, plan.Choice) and _aimless(step):
                yield say.best_without_aim(step.span, step.name, rule.name)
            if isinstance(step, plan.Invoke) and checked.world.rules[step.rule].outcomes:
                for choice in parts(step.steps):
                    if isinstance(choice, plan.Choice) and _aimless(choice):
                        yield say.best_without_aim(step.span, choice.name, rule.name)


def _aimless(choice: plan.Choice) -> bool:
    return choice.policy.word in ("best", "worst") and choice.policy.aim is None
