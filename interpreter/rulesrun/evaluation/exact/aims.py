"""What choices are made for: whose aim it is, and what a situation at the end is worth for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from rulesrun.diagnostics import RulesError
from rulesrun.evaluation.exact.beyond import Beyond, arithmetic, total_of
from rulesrun.evaluation.exact.evaluate import Evaluated, compiled
from rulesrun.evaluation.exact.lines import Choose
from rulesrun.evaluation.exact.seen import Reveal, Seen, Split, Spread
from rulesrun.evaluation.exact.state import State
from rulesrun.evaluation.exact.states import Run
from rulesrun.evaluation.exact.symbols import Linear
from rulesrun.semantics import plan

WEIGHED = 6
"""So many steps it takes to weigh a situation for an aim."""


def good_outcome(rule: plan.Rule) -> plan.Expression | None:
    """The condition that the outcome is a good one; None for a rule without outcomes."""
    if not rule.outcomes:
        return None
    labels = frozenset(each.label for each in rule.outcomes if each.good)
    outcome = plan.Var(rule.span, plan.Kind.LABEL, False, "outcome")
    return plan.IsLabel(rule.span, plan.Kind.YES_NO, False, outcome, labels)


def worth(run: Run, state: State, line: Choose) -> Any:
    """What a state at a rule's end is worth for a choice's aim: its chance if the aim holds, or its share of the mean
    of a number, which may be beyond a bound.
    """
    assert line.aim is not None
    total: Any = Fraction(0)
    waiting = [state]
    aim = _compiled_aim(line.aim)
    while waiting:
        now = waiting.pop()
        run.algebra.work(WEIGHED)
        seen = run.seen(now)
        try:
            wanted = aim(seen)
            if _without_end(wanted, seen):
                total = total_of(total, _mean_share(run, now, wanted))
                continue
            value = seen.bounded(wanted)
        except (Split, Spread, Reveal) as open_:
            waiting += run.opened(now, open_)
            continue
        if isinstance(value, Beyond):
            total = total_of(total, arithmetic(value, run.chance(now), "*"))
        else:
            total = total_of(total, run.chance(now) * Fraction(value or 0))
    return total


def _without_end(value: Any, seen: Seen) -> bool:
    """Whether a value is an unknown number without end whose law is known."""
    if not isinstance(value, Linear) or value.layered or seen.capped(value) is not None:
        return False
    return None in seen.algebra.form_bounds(seen.sources, value.canonical()[0])


def _mean_share(run: Run, state: State, value: Linear) -> Fraction:
    """The share of the mean of an unknown number, weighed by the chance of the state."""
    form, factor = value.canonical()
    law = run.law(state, form)
    if law.is_zero:
        return Fraction(0)
    weight = run.beside(state, run.bound(state, form))
    return Fraction(weight * law.mass * (value.constant + factor * law.mean))


_AIMS: dict[int, tuple[plan.Expression, Evaluated]] = {}


def _compiled_aim(aim: plan.Expression) -> Evaluated:
    known = _AIMS.get(id(aim))
    if known is None or known[0] is not aim:
        if len(_AIMS) > 1000:
            _AIMS.clear()
        known = _AIMS[id(aim)] = (aim, compiled(aim))
    return known[1]


def aims_of(
    steps: Sequence[plan.AnyStep], policies: Mapping[str, plan.Policy], aim: plan.Expression | None
) -> list[plan.Expression]:
    """The aims of the choices that are decided by one."""
    found: list[plan.Expression] = []
    for step in steps:
        match step:
            case plan.Choice():
                policy = policies.get(step.name, step.policy)
                if policy.word in ("best", "worst"):
                    wanted = policy.aim or aim
                    if wanted is None:
                        raise RulesError.of(
                            f"{step.name} is to be made for the {policy.word}, and nothing says what that is",
                            code="no-aim",
                            span=step.span,
                            hint="give outcomes marked `+`, or write `best for EXPRESSION`",
                        )
                    found.append(wanted)
            case plan.Invoke() | plan.Repeat():
                found += aims_of(step.steps, policies, aim)
            case _:
                pass
    return found
