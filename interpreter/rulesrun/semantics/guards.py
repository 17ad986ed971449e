"""Which values are known not to be none, where some conditions hold and others do not.

In: conditions of a plan. Out: the reasons to be none that they exclude. Only what follows step by step from the
conditions is found: conjunctions, disjunctions of which one side is excluded, comparisons.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from . import plan
from .plan import Expression, Kind

Reasons = Callable[[Expression], frozenset[str]]
"""The reasons why a value may be none."""

MAX_CONDITIONS = 200
"""Where more conditions than this meet, no more is concluded from them."""


def excluded(
    held: Iterable[Expression], denied: Iterable[Expression], reasons: Reasons, rolls: Mapping[str, Expression]
) -> frozenset[str]:
    """The reasons that are excluded where all of `held` hold and none of `denied`; `rolls` are made where their
    condition holds.
    """
    true, false = _followed(list(held), list(denied))
    found: set[str] = set()
    for each in true:
        found |= _where_true(each, reasons)
    for each in false:
        found |= _where_false(each, reasons)
    for name, condition in rolls.items():
        needed, not_needed = _followed([condition], [])
        if all(each in true for each in needed) and all(each in false for each in not_needed):
            found.add(name)
    return frozenset(found)


def is_there(held: Iterable[Expression], denied: Iterable[Expression], value: Expression) -> bool:
    """Whether a value is known not to be none: `(TABLE at x) if TABLE at x != none`."""
    true, false = _followed(list(held), list(denied))
    unlike = [each for each in true if isinstance(each, plan.Compare) and each.operator == "!="]
    alike = [each for each in false if isinstance(each, plan.Compare) and each.operator == "="]
    return any(each.right.kind is Kind.NONE and each.left == value for each in (*unlike, *alike))


def _followed(held: list[Expression], denied: list[Expression]) -> tuple[list[Expression], list[Expression]]:
    """The parts of conditions that hold and that do not, taken apart as far as they go."""
    true: list[Expression] = []
    false: list[Expression] = []
    open_parts = [(each, True) for each in held] + [(each, False) for each in denied]
    joined: list[tuple[plan.And | plan.Or, bool]] = []
    while open_parts and len(true) + len(false) < MAX_CONDITIONS:
        each, holds = open_parts.pop()
        match each:
            case plan.Not(operand=operand):
                open_parts.append((operand, not holds))
            case plan.And(left=left, right=right) if holds:
                open_parts += [(left, True), (right, True)]
            case plan.Or(left=left, right=right) if not holds:
                open_parts += [(left, False), (right, False)]
            case _:
                (true if holds else false).append(each)
                if isinstance(each, plan.And | plan.Or):
                    joined.append((each, holds))
        if not open_parts:
            open_parts = _concluded(joined, true, false)
    return true, false


def _concluded(
    joined: list[tuple[plan.And | plan.Or, bool]], true: list[Expression], false: list[Expression]
) -> list[tuple[Expression, bool]]:
    """Of an `or` that holds, or an `and` that does not, the side that is left when the other is settled."""
    found: list[tuple[Expression, bool]] = []
    for each, holds in list(joined):
        for one, other in ((each.left, each.right), (each.right, each.left)):
            if _is(one, not holds, true, false) and not _is(other, holds, true, false):
                found.append((other, holds))
                joined.remove((each, holds))
                break
    return found


def _is(condition: Expression, holds: bool, true: list[Expression], false: list[Expression]) -> bool:
    """Whether a condition is known to hold, or not to."""
    match condition:
        case plan.Not(operand=operand):
            return _is(operand, not holds, true, false)
        case plan.And(left=left, right=right) if holds:
            return _is(left, True, true, false) and _is(right, True, true, false)
        case plan.Or(left=left, right=right) if not holds:
            return _is(left, False, true, false) and _is(right, False, true, false)
        case _:
            return condition in (true if holds else false)


def _where_true(condition: Expression, reasons: Reasons) -> frozenset[str]:
    match condition:
        case plan.Compare(operator="!=", left=left, right=right) if right.kind is Kind.NONE:
            return reasons(left)
        case plan.Compare(operator="=", left=left, right=right) if Kind.NONE not in (left.kind, right.kind):
            return (reasons(left) if not right.optional else frozenset()) | (
                reasons(right) if not left.optional else frozenset()
            )
        case plan.Compare(operator="<" | "<=" | ">" | ">=", left=left, right=right):
            return reasons(left) | reasons(right)
        case plan.IsLabel(value=value) | plan.InFaces(value=value):
            return reasons(value)
        case _:
            return reasons(condition)


def _where_false(condition: Expression, reasons: Reasons) -> frozenset[str]:
    match condition:
        case plan.Compare(operator="=", left=left, right=right) if right.kind is Kind.NONE:
            return reasons(left)
        case plan.Compare(operator="<" | "<=" | ">" | ">=", left=left, right=right):
            return reasons(left) | reasons(right)
        case plan.InFaces(value=value):
            return reasons(value)
        case plan.IsLabel():
            return frozenset()
        case _:
            return reasons(condition)
