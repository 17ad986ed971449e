"""The shape of every message: a code, a sentence, the guilty place, what explains it, the likely fix."""

from __future__ import annotations

from collections.abc import Iterable

from rulesrun.diagnostics import Diagnostic, Label, Severity, Span
from rulesrun.semantics.plan import Kind

A = {
    Kind.NUMBER: "a number",
    Kind.YES_NO: "yes or no",
    Kind.LABEL: "a label",
    Kind.TEXT: "a text",
    Kind.FACES: "faces",
    Kind.POOL: "dice",
    Kind.LIST: "a list",
    Kind.ROW: "a row of a table",
    Kind.NONE: "none",
}
"""How messages call each kind."""


def this_is(kind: Kind) -> str:
    """`this is a number`, `these are dice`."""
    return "these are dice" if kind is Kind.POOL else f"this is {A[kind]}"


def error(
    code: str,
    message: str,
    at: Span | None,
    label: str = "",
    *,
    also: Iterable[tuple[Span | None, str]] = (),
    notes: Iterable[str] = (),
    hint: str | None = None,
) -> Diagnostic:
    """A problem with which nothing is rolled."""
    return _problem(Severity.ERROR, code, message, at, label, also, notes, hint)


def warning(
    code: str,
    message: str,
    at: Span | None,
    label: str = "",
    *,
    also: Iterable[tuple[Span | None, str]] = (),
    notes: Iterable[str] = (),
    hint: str | None = None,
) -> Diagnostic:
    """Something that is probably not meant."""
    return _problem(Severity.WARNING, code, message, at, label, also, notes, hint)


def _problem(
    severity: Severity,
    code: str,
    message: str,
    at: Span | None,
    label: str,
    also: Iterable[tuple[Span | None, str]],
    notes: Iterable[str],
    hint: str | None,
) -> Diagnostic:
    primary = Label(at, label) if at else None
    return Diagnostic(
        code, severity, message, primary, tuple(Label(span, text) for span, text in also if span), tuple(notes), hint
    )


def did_you_mean(near: str | None, otherwise: str | None = None) -> str | None:
    """The hint with the nearest right name, or another hint if none is near."""
    return f"did you mean `{near}`?" if near else otherwise


def listed(words: Iterable[str], last: str = "or") -> str:
    """`a, b or c`."""
    found = list(words)
    return f" {last} ".join([", ".join(found[:-1]), found[-1]]) if len(found) > 1 else "".join(found)


def short(text: str) -> str:
    """A text of the source as a message may quote it."""
    line = " ".join(text.split())
    return line if len(line) <= 40 else line[:39] + "…"
