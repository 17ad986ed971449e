"""The best or worst decision in the middle of a roll: what a player who knows the odds would do."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from rulesrun.diagnostics import RulesError, Span
from rulesrun.dice.series import TooLarge
from rulesrun.evaluation.choices import Offer, first
from rulesrun.evaluation.exact.bags import lay_out_bags
from rulesrun.evaluation.exact.chances import Algebra
from rulesrun.evaluation.exact.choose import best, offered
from rulesrun.evaluation.exact.draw import lay_out
from rulesrun.evaluation.exact.lines import Choose, Loop, choices_in
from rulesrun.evaluation.exact.loop import Chain, tidy
from rulesrun.evaluation.exact.question import MAX_CAP, ExactQuestion, worth
from rulesrun.evaluation.exact.seen import Uncapped
from rulesrun.evaluation.exact.states import Run, State
from rulesrun.evaluation.exact.strategy import Strategy
from rulesrun.evaluation.walk import all_steps
from rulesrun.limits import within
from rulesrun.semantics import plan


def decision(
    ruleset: plan.RulesetPlan,
    rule: plan.Rule,
    inputs: Mapping[str, Any],
    offer: Offer,
    known: Mapping[str, Any],
    policies: Mapping[str, plan.Policy],
    aim: plan.Expression | None,
) -> Any:
    """The option of the offer that is best (or worst) for its aim, the first where nothing depends on it.

    `known` holds the values of all names so far, dice as pools, bags as what they hold; `policies` are those in force,
    `aim` is what best is best for where a policy names nothing (by default the chance of a good outcome). Raises
    `RulesError` for a choice inside a repetition that is in another.
    """
    if aim is None and rule.outcomes:
        labels = frozenset(each.label for each in rule.outcomes if each.good)
        outcome = plan.Var(rule.span, plan.Kind.LABEL, False, "outcome")
        aim = plan.IsLabel(rule.span, plan.Kind.YES_NO, False, outcome, labels)
    question = ExactQuestion(rule, ruleset, [], policies, aim)
    values, name = {**inputs, **known}, offer.step.name
    if not any(line.name == name for line in choices_in(question.program)):
        return first(offer)
    try:
        for place, line in enumerate(question.program.lines):
            if isinstance(line, Choose) and line.name == name:
                env = {each: values[each] for each in question.program.live[place] if each in values}
                return _best(question, place, line, env, known)
            if isinstance(line, Loop):
                for body, choice in enumerate(line.body.lines):
                    if isinstance(choice, Choose) and choice.name == name:
                        return _best_of_turn(question, place, line, body, choice, values)
    except TooLarge as large:
        raise RulesError.of(
            f"what is best for {name} is too large to find: {large}",
            code="budget",
            span=next(
                each.span for each in all_steps(rule.steps) if isinstance(each, plan.Choice) and each.name == name
            ),
            hint="give a policy such as `always`, `never` or a condition, or `--limit states=N`",
        ) from None
    raise RulesError.of(
        f"{name} is decided inside a repetition, where a roll cannot ask for the best",
        code="best-in-repeat",
        hint="give a policy such as `always`, `never` or a condition",
    )


def _where(rule: plan.Rule, name: str) -> Span:
    return next(step.span for step in all_steps(rule.steps) if isinstance(step, plan.Choice) and step.name == name)


def _best(question: ExactQuestion, place: int, line: Choose, env: Mapping[str, Any], known: Mapping[str, Any]) -> Any:
    """The best option, from the values that are still read at that place."""

    def decided(run: Run) -> Any:
        state = State(dict(env), Fraction(1))
        return best(run, question.program, place, line, state, offered(run, line, state))

    return _worked_out(question, known, decided)


def _best_of_turn(
    question: ExactQuestion, place: int, loop: Loop, body: int, line: Choose, values: Mapping[str, Any]
) -> Any:
    """The best option in the middle of a turn, where all that follows is played as well as can be."""
    reads = {*loop.reads, *loop.updated, *question.program.live[place + 1]}
    outside = {name: tidy(values[name]) for name in reads if name in values}
    inside = {name: values[name] for name in loop.body.live[body] if name in values}
    turn = values[loop.step.turn] - 1

    def decided(run: Run) -> Any:
        chain = Chain(run, loop, [State(outside, Fraction(1))], None, frozenset())
        return Strategy(run, question.program, place, chain).at(body, line, inside, chain.turn_of(turn))

    return _worked_out(question, values, decided)


def _worked_out(question: ExactQuestion, known: Mapping[str, Any], decided: Callable[[Run], Any]) -> Any:
    ruleset = question.ruleset
    algebra = Algebra(ruleset.limits.states)
    algebra.natural = question.natural
    lay_out(known.values(), question.rule, ruleset, algebra)
    while True:
        try:
            with within(ruleset.limits):
                run = Run(algebra, ruleset, worth)
                lay_out_bags(run, known)
                return decided(run)
        except Uncapped as low:
            if low.wanted > MAX_CAP:
                raise TooLarge(f"exploding dice up to {low.wanted:,}") from None
            algebra.cap = 2 * low.wanted
