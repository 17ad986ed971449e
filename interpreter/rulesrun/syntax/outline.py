"""The lines and blocks of a text that does not parse, as far as they can be told from its white space.

In: a source. Out: its lines, each with the lines indented below it, and what is wrong with the indentation. A line
inside brackets continues; where a bracket is never closed, the line ends before one that plainly begins anew.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from rulesrun.diagnostics import Diagnostic, Label, Severity, Source
from rulesrun.record import field, record

TAB = 4
_WORDS = re.compile(r'"[^"\n]*"?|#[^\n]*|[()\[\]{}]|[^"#()\[\]{}]+')
_CARRIES_ON = re.compile(r"[,(\[{+*/^=<>:-]\s*$|\b(and|or|not|in|is|if)\s*$")
_CONTINUES = re.compile(r"[)\]},*/^=<>.]|(and|or|in|is|if|otherwise)\b")


@record
class Line:
    """A line with its continuations, from its first character to its last; `body` are the lines of its block."""

    start: int
    end: int
    width: int
    """How far it is indented, a tab counting as four blanks."""
    body: list[Line] = field(compare=False)


def outline(source: Source) -> tuple[list[Line], list[Diagnostic]]:
    """The lines at the margin with their blocks, and the problems of the indentation."""
    top: list[Line] = []
    open_lines: list[Line] = []
    problems: list[Diagnostic] = []
    kinds: set[str] = set()
    for line in _lines(source):
        indent = _indent(source, line)
        if not open_lines or line.width == 0:
            kinds = set()
        kinds |= set(indent)
        if kinds == {" ", "\t"} and not any(each.code == "mixed-indentation" for each in problems):
            message = "tabs and spaces are mixed in one block"
            problems.append(_problem(source, line, "mixed-indentation", message, "indent with spaces only"))
        closed: Line | None = None
        while open_lines and open_lines[-1].width >= line.width:
            closed = open_lines.pop()
        parent = open_lines[-1] if open_lines else None
        siblings = parent.body if parent else top
        if siblings and siblings[0].width != line.width and closed is not None and closed.width != line.width:
            hint = "begin it where the other lines of its block begin"
            problems.append(_problem(source, line, "indentation", "this line begins between two blocks", hint))
        elif not siblings and parent is None and line.width:
            hint = "begin it at the margin"
            problems.append(_problem(source, line, "indentation", "the first line of a file is indented", hint))
        siblings.append(line)
        open_lines.append(line)
    return top, problems


def _problem(source: Source, line: Line, code: str, message: str, hint: str) -> Diagnostic:
    indent = len(_indent(source, line))
    span = source.span(line.start - indent, line.start)
    return Diagnostic(code, Severity.ERROR, message, Label(span), hint=hint)


def _indent(source: Source, line: Line) -> str:
    return source.text[source.text.rfind("\n", 0, line.start) + 1 : line.start]


def _lines(source: Source) -> Iterator[Line]:
    """The lines in order, blank ones and comments left out, each still without its block."""
    text = source.text
    start = end = depth = first_width = 0
    last = ""
    for offset in source.line_starts:
        stop = text.find("\n", offset)
        row = text[offset : len(text) if stop < 0 else stop]
        words = row.lstrip(" \t")
        if not words or words.startswith("#"):
            continue
        begin = offset + len(row) - len(words)
        width = _width(row[: begin - offset])
        if depth and not (width > first_width or _CARRIES_ON.search(last) or _CONTINUES.match(words)):
            depth = 0
        if not depth:
            if end > start:
                yield Line(start, end, first_width, [])
            start, first_width = begin, width
        code, opened = _code(words)
        depth = max(0, depth + opened)
        last = code
        end = begin + len(code.rstrip(" \t"))
    if end > start:
        yield Line(start, end, first_width, [])


def _code(words: str) -> tuple[str, int]:
    """A row without its comment, and how many more brackets it opens than it closes."""
    opened = end = 0
    for word in _WORDS.finditer(words):
        if word.group().startswith("#"):
            break
        end = word.end()
        opened += (word.group() in "([{") - (word.group() in ")]}")
    return words[:end], opened


def _width(indent: str) -> int:
    return sum(TAB if each == "\t" else 1 for each in indent)
