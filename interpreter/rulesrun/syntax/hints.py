"""Syntax slips in the words of somebody who writes rules: Lark's complaint in, a `RulesError` out."""

from __future__ import annotations

from lark import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from ..diagnostics import RulesError, Source


def explain(slip: UnexpectedInput, source: Source) -> RulesError:
    """The error for a slip."""
    start = min(slip.pos_in_stream or 0, len(source.text))
    if isinstance(slip, UnexpectedToken):
        return RulesError.of(f"unexpected `{slip.token}` {slip.token.type} {sorted(slip.accepts or slip.expected)}", code="syntax", span=source.span(start, start + len(slip.token)))
    assert isinstance(slip, UnexpectedCharacters)
    return RulesError.of(f"unexpected {source.text[start:start+1]!r}", code="syntax", span=source.span(start, start + 1))
