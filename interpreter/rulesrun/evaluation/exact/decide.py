"""The best or worst decision in the middle of a roll: what a player who knows the odds would do."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from rulesrun.diagnostics import RulesError
from rulesrun.dice.series import TooLarge
from rulesrun.evaluation.exact.chances import Algebra
from rulesrun.evaluation.exact.choose import best, offered
from rulesrun.evaluation.exact.draw import lay_out
from rulesrun.evaluation.exact.program import Choose
from rulesrun.evaluation.exact.question import MAX_CAP, ExactQuestion, worth
from rulesrun.evaluation.exact.seen import Uncapped
from rulesrun.evaluation.exact.states import Run, State
from rulesrun.limits import within
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
            values = {**inputs, **known}
            env = {each: values[each] for each in question.program.live[place] if each in values}
            try:
                return _best(question, place, line, env, known)
            except TooLarge as large:
                raise RulesError.of(
                    f"what is best for {name} is too large to find: {large}",
                    code="budget",
                    span=line.step.span,
                    hint="give a policy such as `always`, `never` or a condition, or `--limit states=N`",
                ) from None
    raise RulesError.of(
        f"{name} is decided inside a repetition, where a roll cannot ask for the best",
        code="best-in-repeat",
        hint="give a policy such as `always`, `never` or a condition",
    )


def _best(question: ExactQuestion, place: int, line: Choose, env: Mapping[str, Any], known: Mapping[str, Any]) -> Any:
    """The best option, from the values that are still read at that place."""
    ruleset = question.ruleset
    algebra = Algebra(ruleset.limits.states)
    algebra.natural = question.natural
    lay_out(known.values(), question.rule, ruleset, algebra)
    while True:
        run, state = Run(algebra, ruleset, worth), State(dict(env), Fraction(1))
        try:
            with within(ruleset.limits):
                return best(run, question.program, place, line, state, offered(run, line, state))
        except Uncapped as low:
            if low.wanted > MAX_CAP:
                raise TooLarge(f"exploding dice up to {low.wanted:,}") from None
            algebra.cap = 2 * low.wanted
