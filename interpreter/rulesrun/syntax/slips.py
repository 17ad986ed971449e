"""Every slip of a text that does not parse, each found in its own line.

In: a source. Out: its problems, in order. A line needs only the kind of its block to be judged, so a slip in one line
hides no slip in another and brings no further ones.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import Any

from lark import Token, UnexpectedCharacters, UnexpectedToken
from lark.parsers.lalr_interactive_parser import InteractiveParser

from rulesrun.diagnostics import Diagnostic, Label, Severity, Source
from rulesrun.record import record
from rulesrun.suggestions import nearest

from .hints import Slip, explain, explain_missing_block
from .layout import LayoutSlip
from .outline import Line, outline
from .tables import parser

MAX_PROBLEMS = 100
"""So many problems are reported at most; a text with more is something else than a ruleset."""

_BODIES = {
    "system": "system_fact", "levels": "level", "table": "row", "rule": "line", "example": "example_line",
    "sheet": "sheet_line",
}  # fmt: skip
_SHEET_BODIES = {
    "traits": "member", "list": "entry_line", "budget": "budget_line", "action": "sheet_update",
    "advance": "sheet_update", "team": "team_line",
}  # fmt: skip
_TWO_WAY = re.compile(r"table[ \t]+\w+[ \t]+by\b")
_WORD = re.compile(r"[^\W\d]\w*")


@record
class Block:
    """Lines that are judged alike: `start` is what the grammar calls one of them, None where it is not known."""

    start: str | None
    lines: list[Line]


def slips(source: Source, first: int) -> list[Diagnostic]:
    """The problems of a file that parses up to the offset `first`."""
    top, problems = outline(source)
    right = bisect_right(top, first, key=lambda line: line.start) - 1
    top = top[max(0, right - 1) :]
    blocks = [Block("start", top)]
    while blocks and len(problems) < MAX_PROBLEMS:
        block = blocks.pop()
        problems += _problems(source, block, blocks)
    return sorted(problems, key=lambda each: each.primary.span.start if each.primary else 0)


def slip_of_text(source: Source, start: str) -> Diagnostic | None:
    """The problem of a text that a caller gives."""
    whole = Line(0, len(source.text.rstrip()), 0, [])
    if not source.text.strip():
        return Diagnostic("missing-value", Severity.ERROR, "a value is missing", Label(source.span(0, 0)))
    return _judge(source, whole, start)


def _problems(source: Source, block: Block, blocks: list[Block]) -> list[Diagnostic]:
    """The problems of a block's lines; the blocks below them are put on the list."""
    found: list[Diagnostic] = []
    stray = ""
    for line in block.lines:
        problem = _judge(source, line, block.start) if block.start else None
        at_start = problem is not None and problem.primary is not None and problem.primary.span.start == line.start
        follows = at_start and problem and (stray == "missing-block" or stray == problem.code == "outside-rule")
        if problem and not follows:
            found.append(problem)
        if not follows:
            stray = problem.code if problem else ""
        if len(found) >= MAX_PROBLEMS:
            break
        if line.body:
            sibling = problem is not None and problem.code == "indentation"
            body_start = block.start if sibling else _body_start(source, line, block.start)
            if body_start == "row" and _TWO_WAY.match(source.text, line.start, line.end):
                blocks.append(Block("columns", line.body[:1]))
                blocks.append(Block(body_start, line.body[1:]))
            else:
                blocks.append(Block(body_start, line.body))
    return found


def _body_start(source: Source, line: Line, start: str | None) -> str | None:
    """What the grammar calls the lines of this line's block, by the first words of the line."""
    text = source.text[line.start : line.end]
    word = _WORD.match(text)
    first = word.group().casefold() if word else ""
    if start == "start":
        return _BODIES.get(nearest(first, _BODIES) or "")
    if start in ("sheet_line", "entry_line", "budget_line", "team_line") and re.search(r"=[ \t:]*$", text):
        return "case"
    if start == "sheet_line":
        second = _WORD.match(text, word.end() + 1) if word and first == "private" else None
        return _SHEET_BODIES.get(nearest(second.group() if second else first, _SHEET_BODIES) or "")
    if start != "line":
        return None
    if first == "repeat":
        return "line"
    if re.match(r"roll\b[^=]*=?[ \t:]*$", text):
        return "roll_case"
    if re.search(r"(=|\bbecomes)[ \t:]*$", text):
        return "case"
    return "outcome_line" if nearest(first, ["outcome"]) else None


def _judge(source: Source, line: Line, start: str) -> Diagnostic | None:
    """What is wrong with a line of this kind, by itself."""
    text = source.text[line.start : line.end]
    session = _session(text, start)
    fed = 0
    end = 0
    try:
        for token in _tokens(session):
            session.feed_token(token)
            fed += 1
            end = token.end_pos or end
    except LayoutSlip as slip:
        span = source.span(line.start + slip.start, min(line.start + slip.end, line.end))
        return Diagnostic(slip.code, Severity.ERROR, slip.message, Label(span), hint=slip.hint)
    except UnexpectedToken as slip:
        at = end if slip.token.type == "_NL" else slip.token.start_pos or 0
    except UnexpectedCharacters as slip:
        at = slip.pos_in_stream or 0
    else:
        return _judge_block(source, line, session, start)
    session = _session(text, start)
    for _, token in zip(range(fed), _tokens(session), strict=False):
        session.feed_token(token)
    return explain(Slip(source, line.start, text, at, _accepts(session), start))


def _judge_block(source: Source, line: Line, session: InteractiveParser, start: str) -> Diagnostic | None:
    """What is wrong between a line, right by itself, and the block that is or is not below it."""
    if line.body and not _takes(session, "_INDENT"):
        first = line.body[0]
        span = source.span(source.text.rfind("\n", 0, first.start) + 1, first.start)
        message = "this line is indented, but the line above it opens no block"
        return Diagnostic(
            "indentation", Severity.ERROR, message, Label(span), hint="begin it where the line above begins"
        )
    if not line.body and not _takes(session, "$END"):
        return explain_missing_block(Slip(source, line.start, source.text[line.start : line.end], start=start))
    return None


def _session(text: str, start: str) -> InteractiveParser:
    return parser().parse_interactive(text + "\n", start)


def _tokens(session: InteractiveParser) -> Iterator[Token]:
    lexer: Any = session.lexer_thread
    tokens: Iterator[Token] = lexer.lex(session.parser_state)
    return tokens


def _accepts(session: InteractiveParser) -> frozenset[str]:
    parser_at: Any = session
    return frozenset(parser_at.accepts())


def _takes(session: InteractiveParser, kind: str) -> bool:
    """Whether the parser would take this token next; nothing is fed to it after this."""
    try:
        session.feed_token(Token(kind, ""))
    except UnexpectedToken:
        return False
    return True
