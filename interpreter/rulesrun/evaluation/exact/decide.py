"""The best or worst decision in the middle of a roll: what a player who knows the odds would do."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from rulesrun.diagnostics import RulesError
from rulesrun.evaluation.exact.chances import Algebra
from rulesrun.evaluation.exact.choose import best, offered
from rulesrun.evaluation.exact.draw import lay_out
from rulesrun.evaluation.exact.program import Choose
from rulesrun.evaluation.exact.question import ExactQuestion, worth
from rulesrun.evaluation.exact.states import Run, State
from rulesrun.semantics import plan


def decision(
    ruleset: plan.RulesetPlan,
    rule: plan.Rule,
    inputs: Mapping[str, Any],
    name: str,
    known: Mapping[str, Any],
    policies: Mapping[str, plan.Policy],
    aim: plan.Expression | None,
) -> Any:
    """The option for the choice `name` that is best (or worst) for its aim.

    `known` holds the values of all names so far, dice as pools; `policies` are those in force, `aim` is what best is
    best for where a
    policy names nothing (by default the chance of a good outcome). Raises `RulesError` for a choice inside a
    repetition.
    """
    if aim is None and rule.outcomes:
        labels = frozenset(each.label for each in rule.outcomes if each.good)
        outcome = plan.Var(rule.span, plan.Kind.LABEL, False, "outcome")
        aim = plan.IsLabel(rule.span, plan.Kind.YES_NO, False, outcome, labels)
    question = ExactQuestion(rule, ruleset, [], policies, aim)
    for place, line in enumerate(question.program.lines):
        if isinstance(line, Choose) and line.name == name:
            algebra = Algebra(ruleset.limits.states)
            algebra.natural = question.natural
            lay_out(known.values(), rule, ruleset, algebra)
            run = Run(algebra, ruleset, worth)
            env = {
                each: {**inputs, **known}[each]
                for each in question.program.live[place]
                if each in known or each in inputs
            }
            state = State(env, Fraction(1))
            return best(run, question.program, place, line, state, offered(run, line, state))
    raise RulesError.of(
        f"{name} is decided inside a repetition, where a roll cannot ask for the best",
        code="best-in-repeat",
        hint="give a policy such as `always`, `never` or a condition",
    )
