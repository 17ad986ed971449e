"""From a source to its tree. The only module that runs the parser."""

from __future__ import annotations

from typing import Any

from lark import UnexpectedInput

from ..diagnostics import RulesError, Source
from . import nodes
from .build import Builder
from .hints import explain
from .layout import LayoutSlip
from .tables import parser


def parse(source: Source) -> nodes.File:
    """The tree of a ruleset; raises `RulesError` at the first slip of syntax or layout."""
    file: nodes.File = _tree(source, "start")
    return file


def parse_policy(source: Source) -> nodes.Policy:
    """The tree of a text that a caller gives: a policy (`best`, `never`), or a condition or value, which is a policy of word "value"."""
    policy: nodes.Policy = _tree(source, "alone_policy")
    return policy


def parse_setting(source: Source) -> nodes.Expression | nodes.Faces:
    """The tree of a setting's value that a caller gives: `7..10`, `yes`, `whole_team`."""
    value: nodes.Expression | nodes.Faces = _tree(source, "alone_setting")
    return value


def _tree(source: Source, start: str) -> Any:
    try:
        tree = parser().parse(source.text + "\n", start)
    except LayoutSlip as slip:
        raise RulesError.of(slip.message, code=slip.code, hint=slip.hint, span=source.span(slip.start, slip.end)) from None
    except UnexpectedInput as slip:
        raise explain(slip, source) from None
    return Builder(source).transform(tree)
