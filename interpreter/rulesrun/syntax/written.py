"""A ruleset as it was written: its lines with their words, comments and empty lines, which a tree has no place for.

In: a source that parses. Out: its lines in order. Words are those of the grammar's own lexer; what lies between them is
blank or comment.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lark import Token

from rulesrun.diagnostics import Source
from rulesrun.record import changed, field, record

from .tables import parser

TAB = 4


@record
class Remark:
    """A comment on a row of its own."""

    text: str
    depth: int
    after_blank: bool
    """Whether an empty row stands before it."""


@record
class Word:
    """A word or sign, with its name in the grammar; `breaks` are the ends of rows before it, each with its comment."""

    kind: str
    text: str
    breaks: tuple[str, ...]


@record
class WrittenLine:
    """A line with its continuations: `remarks` stand before it, `comment` behind it."""

    depth: int
    words: list[Word] = field(compare=False)
    remarks: tuple[Remark, ...]
    after_blank: bool
    comment: str


def written_lines(source: Source) -> list[WrittenLine]:
    """The lines of a source that parses; the last has no words, only what stands at the end of the file."""
    text = source.text
    lines: list[WrittenLine] = []
    words: list[Word] = []
    columns = [0]
    depth = end = 0
    before: tuple[tuple[Remark, ...], bool] = ((), False)
    for token in _tokens(text):
        if token.type == "_INDENT":
            depth += 1
        elif token.type == "_DEDENT":
            depth -= 1
        elif token.type == "_NL":
            if words:
                lines.append(WrittenLine(depth, words, *before, ""))
                words = []
        elif not words:
            column = _width(text[text.rfind("\n", 0, token.start_pos or 0) + 1 : token.start_pos])
            before = _between(
                text[end : token.start_pos], lines, [*columns[:depth], column, *columns[depth + 1 :]], depth
            )
            columns[depth:] = [column]
            words = [Word(token.type, _plain(token), ())]
            end = token.end_pos or 0
        else:
            rows = text[end : token.start_pos].split("\n")
            breaks = [row.strip(" \t") for index, row in enumerate(rows[:-1]) if not index or row.strip(" \t")]
            words.append(Word(token.type, _plain(token), tuple(breaks)))
            end = token.end_pos or 0
    before = _between(text[end:] + "\n", lines, columns, 0)
    return [*lines, WrittenLine(0, [], *before, "")]


def _between(gap: str, lines: list[WrittenLine], columns: list[int], depth: int) -> tuple[tuple[Remark, ...], bool]:
    """What stands before a line of this depth; the comment behind the line above is given to that line.

    `columns` are where the blocks around begin. A remark belongs to the deepest that begins no further right than it.
    """
    first, *rows = gap.split("\n")[:-1] or [""]
    if lines and first.strip(" \t"):
        lines[-1] = changed(lines[-1], comment=first.strip(" \t"))
    elif first.strip(" \t"):
        rows = [first, *rows]
    remarks: list[Remark] = []
    blank = False
    deepest = max(depth, lines[-1].depth if lines else 0)
    for row in rows:
        comment = row.strip(" \t")
        if comment:
            column = _width(row[: len(row) - len(row.lstrip(" \t"))])
            open_blocks = [
                level for level in range(depth, min(deepest, len(columns) - 1) + 1) if columns[level] <= column
            ]
            remarks.append(Remark(comment, max(open_blocks, default=depth), blank))
        blank = not comment
    return tuple(remarks), blank


def _tokens(text: str) -> Iterator[Token]:
    session = parser().parse_interactive(text + "\n", "start")
    lexer: Any = session.lexer_thread
    for token in lexer.lex(session.parser_state):
        session.feed_token(token)
        yield token


def _plain(token: Token) -> str:
    """A token's text with single blanks between its words."""
    if token.type == "TEXT":
        return str(token)
    if token.type == "_IN_BRACKET":
        return "in ("
    return "".join(token.split()) if token.type == "WEIGHT" else " ".join(token.split())


def _width(indent: str) -> int:
    return sum(TAB if each == "\t" else 1 for each in indent)
