"""From a source to its tree. The only module that runs the parser."""

from __future__ import annotations

from lark import UnexpectedInput

from ..diagnostics import RulesError, Source
from . import nodes
from .build import Builder
from .hints import explain
from .layout import LayoutSlip
from .tables import parser


def parse(source: Source) -> nodes.File:
    """The tree of a ruleset; raises `RulesError` at the first slip of syntax or layout."""
    try:
        tree = parser().parse(source.text + "\n")
    except LayoutSlip as slip:
        raise RulesError.of(slip.message, code=slip.code, hint=slip.hint, span=source.span(slip.start, slip.end)) from None
    except UnexpectedInput as slip:
        raise explain(slip, source) from None
    built: nodes.File = Builder(source).transform(tree)
    return built
