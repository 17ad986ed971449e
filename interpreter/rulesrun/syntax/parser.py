"""From a source to its tree; a text that does not parse is answered with all its slips."""

from __future__ import annotations

from typing import Any

from lark import UnexpectedInput

from rulesrun.diagnostics import Diagnostic, Label, RulesError, Severity, Source

from . import nodes
from .build import Builder
from .layout import LayoutSlip
from .tables import parser


def parse(source: Source) -> nodes.File:
    """The tree of a ruleset; raises `RulesError` with every slip of syntax and layout."""
    file: nodes.File = _tree(source, "start")
    return file


def parse_policy(source: Source) -> nodes.Policy:
    """The tree of a policy that a caller gives: `best`, or a condition or value, whose word is "value"."""
    policy: nodes.Policy = _tree(source, "alone_policy")
    return policy


def parse_value(source: Source) -> nodes.Expression:
    """The tree of a condition or value that a caller gives; `best` is a name there, as everywhere but in policies."""
    value: nodes.Expression = _tree(source, "alone_value")
    return value


def parse_goal(source: Source) -> nodes.Expect:
    """The tree of a goal that a caller gives: `chance of success = 65%`, `mean of total >= 12`."""
    goal: nodes.Expect = _tree(source, "alone_goal")
    return goal


def parse_throw(source: Source) -> nodes.File:
    """The tree of a ruleset whose one rule throws what a caller gives: `4d6, keep highest 3`, `2d20kh1 + 5`."""
    file: nodes.File = _tree(source, "alone_throw")
    return file


def parse_setting(source: Source) -> nodes.Expression | nodes.Faces:
    """The tree of a setting's value that a caller gives: `7..10`, `yes`, `whole_team`."""
    value: nodes.Expression | nodes.Faces = _tree(source, "alone_setting")
    return value


def _tree(source: Source, start: str) -> Any:
    try:
        tree = parser().parse(source.text + "\n", start)
    except (LayoutSlip, UnexpectedInput) as slip:
        raise RulesError(_problems(source, start, slip) or [_problem(source, slip)]) from None
    builder = Builder(source)
    built = builder.transform(tree)
    if builder.problems:
        raise RulesError(builder.problems)
    return built


def _problems(source: Source, start: str, slip: LayoutSlip | UnexpectedInput) -> list[Diagnostic]:
    from .slips import slip_of_text, slips  # all that is known of slips is read only when there is one

    if start == "start":
        return slips(source, slip.start if isinstance(slip, LayoutSlip) else slip.pos_in_stream or 0)
    problem = slip_of_text(source, start)
    return [problem] if problem else []


def _problem(source: Source, slip: LayoutSlip | UnexpectedInput) -> Diagnostic:
    """The bare slip, for a text whose lines are right one by one."""
    size = len(source.text)
    if isinstance(slip, LayoutSlip):
        span = source.span(min(slip.start, size), min(slip.end, size))
        return Diagnostic(slip.code, Severity.ERROR, slip.message, Label(span), hint=slip.hint)
    at = min(slip.pos_in_stream or 0, size)
    message = "the text cannot be read from here on"
    return Diagnostic("unexpected", Severity.ERROR, message, Label(source.span(at, min(at + 1, size))))
