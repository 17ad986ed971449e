"""What a caller asks of a rule and cannot have."""

from __future__ import annotations

from rulesrun.diagnostics import Diagnostic, Span
from rulesrun.semantics.plan import Kind

from .shape import A, error, short


def no_single_value(at: Span, text: str, got: Kind) -> Diagnostic:
    hint = (
        f"ask a question: `sum of {short(text)}`, `count 6 in {short(text)}`" if got in (Kind.POOL, Kind.LIST) else None
    )
    return error("no-single-value", f"`{short(text)}` is {A[got]}, not a single value", at, hint=hint)


def not_a_goal(at: Span, text: str) -> Diagnostic:
    hint = f"write `chance of ({short(text)}) = 65%` or `mean of NAME = 12`"
    return error("not-a-goal", "a goal is a chance or a mean, and what it should be", at, hint=hint)


def goal_is_no_place(at: Span) -> Diagnostic:
    hint = "use `=`, `<`, `<=`, `>` or `>=`"
    return error("not-a-goal", "nothing comes nearest to being different", at, hint=hint)


def goal_not_constant(at: Span) -> Diagnostic:
    message = "what a goal wants is a number known before the roll"
    return error("not-a-goal", message, at, hint="write `= 65%` or `= 12`")
