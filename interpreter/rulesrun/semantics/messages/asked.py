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
