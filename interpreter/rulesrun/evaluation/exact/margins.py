"""Margins of dice that explode adding get a name of their own: `sum of attack >= sum of defence + 2` is asked as
`margin >= 2` behind a line `margin = sum of attack - sum of defence`.

A value with a name is a number of its own where nothing else reads its dice (`own_numbers`); within a comparison both
sides would have to be known. Where something is decided, situations are told apart by names that the rule gives: there
no other is added.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

from rulesrun.evaluation.exact.fallible import may_fail
from rulesrun.semantics import plan
from rulesrun.semantics.renaming import names_in, parts, rebuilt

T = TypeVar("T")
Signed = tuple[plan.Expression, bool]
"""What is added, or (False) taken away."""


def with_margins(
    steps: Sequence[plan.AnyStep], asked: Sequence[plan.Expression]
) -> tuple[tuple[plan.AnyStep, ...], tuple[plan.Expression, ...]]:
    """The same steps and expressions at their end, with names for margins."""
    if not any(isinstance(each, plan.Explode) and each.adding and each.limit is None for each in parts(tuple(steps))):
        return tuple(steps), tuple(asked)
    margins = _Margins({getattr(step, "name", "") for step in steps} - _changed(steps))
    found: list[plan.AnyStep] = []
    for step in steps:
        new = step
        if isinstance(step, plan.Define | plan.Flag | plan.Outcome):
            new = margins.named(step)
            found += margins.new()
        found.append(new)
    named = tuple(map(margins.named, asked))
    return (*found, *margins.new()), named


def _changed(steps: Sequence[plan.AnyStep]) -> set[str]:
    """The names that a repetition changes."""
    return {name for each in parts(tuple(steps)) if isinstance(each, plan.Repeat) for name in each.names}


class _Margins:
    """The margins met so far."""

    def __init__(self, names: set[str]) -> None:
        self._names = names
        """Those that a rule's steps give once and for all."""
        self._found: dict[plan.Expression, plan.Var] = {}
        self._waiting: list[plan.Define] = []

    def new(self) -> list[plan.Define]:
        """The lines that name the margins met since this was asked last."""
        waiting, self._waiting = self._waiting, []
        return waiting

    def named(self, part: T) -> T:
        """A line or an expression with names for the margins in it; one that is a margin is left as it is."""
        whole = part.value if isinstance(part, plan.Define) else part
        return part if isinstance(whole, plan.Arithmetic) else rebuilt(part, self._instead)

    def _instead(self, part: Any) -> plan.Expression | None:
        """What stands for a comparison of dice with dice, or for a sum of several numbers that dice give."""
        sides: tuple[plan.Expression, ...]
        match part:
            case plan.Compare(left=left, right=right):
                sides, terms = (left, right), [*_terms(left, True), *_terms(right, False)]
            case plan.Arithmetic(operator="+" | "-"):
                sides, terms = (part,), [*_terms(part, True)]
            case _:
                return None
        unknown = sorted((term for term in terms if self._is_unknown(term[0])), key=_first)
        if len(unknown) < 2 or not _is_plain(sides):
            return None
        known = [term for term in terms if not self._is_unknown(term[0])]
        upright = unknown[0][1]
        margin = self._named(_sum(unknown if upright else _negative(unknown), part))
        if isinstance(part, plan.Arithmetic):
            return _sum([(margin, upright), *known], part)
        rest = _sum(_negative(known) if upright else known, part)
        ends = (margin, rest) if upright else (rest, margin)
        return plan.Compare(part.span, part.kind, part.optional, part.operator, *ends)

    def _named(self, value: plan.Expression) -> plan.Var:
        var = self._found.get(value)
        if var is None:
            var = plan.Var(value.span, plan.Kind.NUMBER, False, f"margin, {len(self._found) + 1}")
            self._found[value] = var
            self._waiting.append(plan.Define(value.span, var.name, value))
        return var

    def _is_unknown(self, term: plan.Expression) -> bool:
        return bool(names := names_in(term)) and names <= self._names


def _is_plain(numbers: tuple[plan.Expression, ...]) -> bool:
    """Whether numbers can be worked out at any time, and ask dice."""
    if any(each.kind is not plan.Kind.NUMBER or each.optional for each in numbers) or may_fail(numbers):
        return False
    within = list(parts(numbers))
    return any(isinstance(each, plan.Question) for each in within) and not any(
        isinstance(each, plan.Each) for each in within
    )


def _terms(at: plan.Expression, added: bool) -> Iterator[Signed]:
    match at:
        case plan.Arithmetic(operator="+" | "-" as operator):
            yield from _terms(at.left, added)
            yield from _terms(at.right, added == (operator == "+"))
        case plan.Negative():
            yield from _terms(at.operand, not added)
        case _:
            yield at, added


def _negative(terms: Sequence[Signed]) -> list[Signed]:
    return [(term, not added) for term, added in terms]


def _first(term: Signed) -> list[str]:
    """What terms are ordered by."""
    return sorted(names_in(term[0]))


def _sum(terms: Sequence[Signed], at: plan.Expr) -> plan.Expression:
    """All terms, as they are added up; 0 where there are none."""
    total: plan.Expression = plan.Const(at.span, plan.Kind.NUMBER, False, 0)
    for place, (term, added) in enumerate(terms):
        if place == 0 and added:
            total = term
        else:
            total = plan.Arithmetic(at.span, plan.Kind.NUMBER, False, "+" if added else "-", total, term)
    return total
