"""Which names a repetition only adds to: what a turn does is the same whatever they are."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rulesrun.semantics import plan
from rulesrun.semantics.renaming import names_in


def updates(steps: Sequence[plan.AnyStep]) -> Iterable[plan.Update]:
    """The lines that give a name another value, those of inner repetitions and rolled rules too."""
    for step in steps:
        match step:
            case plan.Update():
                yield step
            case plan.Repeat() | plan.Invoke():
                yield from updates(step.steps)
            case _:
                pass


def only_counted(name: str, steps: Sequence[plan.AnyStep]) -> bool:
    """Whether every update of the name adds a number that does not read it, and nothing else in the body reads it."""
    for step in steps:
        match step:
            case plan.Update(name=updated, value=value, condition=condition) if updated == name:
                if name in names_in(condition) or not _adds(name, value):
                    return False
            case plan.Repeat():
                if name in names_in(step.until) | names_in(step.times) | names_in(step.at_most):
                    return False
                if not only_counted(name, step.steps):
                    return False
            case plan.Invoke():
                if name in names_in(step.condition) or not only_counted(name, step.steps):
                    return False
            case _:
                if name in names_in(step):
                    return False
    return True


def _adds(name: str, value: plan.Expression) -> bool:
    match value:
        case plan.Arithmetic(operator="+" | "-", left=plan.Var(name=left), right=right):
            return left == name and name not in names_in(right)
        case plan.Cases(cases=cases):
            return all(
                ((isinstance(case.value, plan.Var) and case.value.name == name) or _adds(name, case.value))
                and name not in names_in(case.condition)
                for case in cases
            )
        case _:
            return False
