"""Which lines a roll may stop at with an error, though nothing that is asked reads their value.

A division by a number that may be 0, an item of a list that may not be there, `none` where a number is meant, an
argument outside its domain, a number of dice below 0. What cannot fail costs nothing.
"""

from __future__ import annotations

from rulesrun.semantics import plan
from rulesrun.semantics.renaming import parts


def may_fail(part: object) -> bool:
    """Whether evaluating an expression or a throw may be an error."""
    return any(_fails(each) for each in parts(part))


def throw_may_fail(step: plan.Draw) -> bool:
    """Whether a throw may be asked for fewer than no dice, or for dice without sides."""
    return any(
        isinstance(each, plan.Negative) or (isinstance(each, plan.Arithmetic) and each.operator in "-/")
        for each in parts(step.cases)
    )


def choice_may_fail(step: plan.Choice, value: plan.Expression | None) -> bool:
    """Whether what a choice offers may be no whole number, or the value that a policy takes not be offered."""
    match step.options:
        case plan.RangeOption(low=low, high=high):
            numbers = [low, high]
        case plan.DiceOption(number=number):
            numbers = [] if number is None else [number]
        case _:
            numbers = []
    return (
        may_fail((step.condition, step.options, value))
        or (step.options is not None and value is not None)
        or not all(isinstance(number, plan.Const) for number in numbers)
    )


def _fails(part: object) -> bool:
    match part:
        case plan.Arithmetic(operator="/" | "^", right=plan.Const(value=value)):
            return not value or _may_be_none(part.left)
        case plan.Arithmetic(operator="/" | "^"):
            return True
        case plan.Arithmetic():
            return _may_be_none(part.left) or _may_be_none(part.right)
        case plan.Compare(operator=operator):
            return operator not in ("=", "!=") and (_may_be_none(part.left) or _may_be_none(part.right))
        case plan.Negative():
            return _may_be_none(part.operand)
        case plan.Function():
            return any(map(_may_be_none, part.arguments))
        case plan.ItemAt():
            return not part.around
        case _:
            return False


def _may_be_none(at: plan.Expression) -> bool:
    return at.optional and not (isinstance(at, plan.Const) and at.value is not None)
