"""Lines of outcomes and cases that can never be reached, whatever the settings are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rulesrun.diagnostics import Diagnostic, Span
from rulesrun.semantics import plan
from rulesrun.semantics.constants import literal_number
from rulesrun.semantics.messages import lines as say
from rulesrun.semantics.plan import Expression
from rulesrun.semantics.renaming import parts

from .checked import Checked, own_parts

MAX_COMPARED = 50
"""Every line is held against so many of the first ones."""


def unreachable(checked: Checked) -> Iterator[Diagnostic]:
    """Lines behind `otherwise`, and lines whose condition holds only where an earlier one does."""
    for lines in checked.read.values():
        for own in own_parts(lines.steps):
            for part in parts(own):
                match part:
                    case plan.Outcome(cases=cases):
                        places = {each.label: each.span for each in lines.outcomes}
                        yield from _outcomes(cases, places)
                    case plan.Cases(cases=cases):
                        yield from _cases([each.condition for each in cases], [each.value.span for each in cases])
                    case plan.Draw(cases=cases):
                        yield from _cases([each.condition for each in cases], [each.throw.span for each in cases])
                    case _:
                        pass


def _outcomes(cases: Sequence[plan.OutcomeCase], places: Mapping[str, Span]) -> Iterator[Diagnostic]:
    for index, earlier in _hidden([case.condition for case in cases]):
        case = cases[index]
        at = places[case.label] if case.condition is None else case.condition.span
        yield say.outcome_unreachable(at, case.label, None if earlier is None else earlier.span)


def _cases(conditions: Sequence[Expression | None], values: Sequence[Span]) -> Iterator[Diagnostic]:
    for index, earlier in _hidden(conditions):
        condition = conditions[index]
        at = values[index] if condition is None else condition.span
        yield say.case_unreachable(at, None if earlier is None else earlier.span)


def _hidden(conditions: Sequence[Expression | None]) -> Iterator[tuple[int, Expression | None]]:
    """The places of lines that are never reached, each with the earlier condition that takes all its cases."""
    for index, condition in enumerate(conditions):
        before = conditions[: min(index, MAX_COMPARED)]
        if None in before or (condition is not None and _is_word(condition, False)):
            yield index, None
        elif (
            taken := next((each for each in before if each is not None and _takes(each, condition)), None)
        ) is not None:
            yield index, taken


def _takes(earlier: Expression, condition: Expression | None) -> bool:
    """Whether the earlier condition holds wherever the later one does."""
    if _is_word(earlier, True):
        return True
    return condition is not None and _implies(condition, earlier)


def _implies(one: Expression, other: Expression) -> bool:
    if one == other:
        return True
    match one, other:
        case plan.Or(left=left, right=right), _:
            return _implies(left, other) and _implies(right, other)
        case _, plan.And(left=left, right=right):
            return _implies(one, left) and _implies(one, right)
        case plan.And(left=left, right=right), _:
            return _implies(left, other) or _implies(right, other) or _either(one, other)
        case _, plan.Or():
            return _either(one, other)
        case plan.Compare(), plan.Compare():
            return _compared(one, other)
        case plan.IsLabel(), plan.IsLabel():
            return one.value == other.value and one.labels <= other.labels
        case _:
            return False


def _either(one: Expression, other: Expression) -> bool:
    return isinstance(other, plan.Or) and (_implies(one, other.left) or _implies(one, other.right))


def _compared(one: plan.Compare, other: plan.Compare) -> bool:
    """`x >= 10` holds only where `x >= 5` does."""
    a, b = literal_number(one.right), literal_number(other.right)
    if one.left != other.left or a is None or b is None:
        return False
    match one.operator, other.operator:
        case (">" | ">=" | "=", ">="):
            return a >= b
        case (">", ">") | (">", "!="):
            return a >= b
        case (">=" | "=", ">"):
            return a > b
        case ("<" | "<=" | "=", "<="):
            return a <= b
        case ("<", "<") | ("<", "!="):
            return a <= b
        case ("<=" | "=", "<"):
            return a < b
        case ("=", "!="):
            return a != b
        case _:
            return False


def _is_word(condition: Expression, value: bool) -> bool:
    """Whether a condition is the word yes, or no."""
    return isinstance(condition, plan.Const) and condition.value is value and not condition.setting
