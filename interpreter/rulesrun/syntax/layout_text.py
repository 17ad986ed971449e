"""The canonical layout of a ruleset.

In: a source. Out: its text with indentation by four blanks, one blank around operators and behind commas, columns in
lines that belong together, one empty line between items; comments and single empty lines stay. The text means what it
meant, and laying it out again changes nothing.
"""

from __future__ import annotations

from itertools import zip_longest

from rulesrun.diagnostics import Source
from rulesrun.record import record

from .parser import parse
from .spacing import INDENT, rows
from .written import Word, WrittenLine, written_lines

MAX_COLUMN = 60
MAX_NAME = 24
"""A cell, or the name before `=`, that is wider than this does not push the columns of other lines to the right."""

_BLOCKS = {
    "SYSTEM": "fact", "LEVELS": "level", "TABLE": "row", "RULE": "line", "EXAMPLE": "example", "_REPEAT": "line",
    "_OUTCOME": "outcome", "SHEET": "sheet", "TRAITS": "member", "LIST": "entry", "BUDGET": "line", "TEAM": "line",
}  # fmt: skip
"""What a block holds, by the first word of the line above it."""

_BEFORE_CONDITION = ("case", "outcome")
_NAMED = frozenset({"_GIVEN", "_ROLL", "_VALUE_WORD", "define", "entry"})
"""Lines whose first column is a name, followed by a single blank."""

_TIGHT = frozenset({"row", "level"})
"""Lines whose columns are all followed by a single blank."""

_ALONE = frozenset({"SETTING", "DIE", "BAG", "_BASED_ON"})
"""Items of one line; several of a kind may stand together."""


@record
class Laid:
    """A line laid out: what aligns it with its neighbours, its cells, the rows below the first, its comment."""

    group: str
    depth: int
    cells: tuple[str, ...]
    rows: tuple[str, ...]
    comment: str


def format_text(source: Source) -> str:
    """The text in its canonical layout; raises `RulesError` if the source does not parse."""
    parse(source)
    lines = written_lines(source)
    laid = _laid(lines)
    out: list[str] = []
    start = 0
    while start < len(lines):
        stop = start + 1
        while stop < len(lines) and _together(lines[stop], laid[start], laid[stop]):
            stop += 1
        for index, text in enumerate(_aligned(laid[start:stop]), start):
            _append(out, lines[index - 1] if index else None, lines[index], text)
        start = stop
    while out and not out[-1].strip():
        out.pop()
    return "".join(f"{row}\n" for row in out)


def _laid(lines: list[WrittenLine]) -> list[Laid]:
    """Each line laid out by itself."""
    laid: list[Laid] = []
    blocks = ["start"]
    for line in lines:
        del blocks[line.depth + 1 :]
        block = blocks[line.depth]
        first, *more = rows(line.words, block, line.depth)
        group, cells = ("", [first]) if more else _cells(line.words, block)
        laid.append(Laid(group, line.depth, tuple(cells), tuple(more), line.comment))
        kind = _kind(line.words)
        blocks.append(_BLOCKS.get(kind, "case" if line.words and line.words[-1].kind in ("EQUALS", "UPDATE") else ""))
    return laid


def _kind(words: list[Word]) -> str:
    """What kind of line it is: its first word, or the one behind `private`."""
    kinds = [word.kind for word in words[:2]]
    return "" if not kinds else kinds[-1] if kinds[0] == "PRIVATE" else kinds[0]


def _cells(words: list[Word], block: str) -> tuple[str, list[str]]:
    """What the line is aligned with (empty: nothing), and its cells."""
    if not words:
        return "", [""]
    first = _kind(words)
    if block in _BEFORE_CONDITION:
        return block, _split(words, block, {"_IF", "OTHERWISE"})
    if block == "row":
        return block, _split_row(words)
    if block == "level":
        return block, [words[0].text, *_split(words[1:], block, set())]
    if first == "_GIVEN" or (block == "entry" and first == "NAME"):
        first = "entry" if first == "NAME" else first
        colon = next(index for index, word in enumerate(words) if word.kind == "COLON") + 1
        return first, ["".join(rows(words[:colon], block, 0)), *_split(words[colon:], block, set())]
    if block == "member" or (block == "sheet" and first in ("TRAIT", "LIST")):
        return first, _split(words, block, set())
    if first == "STATUS" and block == "sheet":
        return first, _split(words, block, {"_IF"})
    defines = first in ("_ROLL", "_VALUE_WORD") or [word.kind for word in words[:2]] == ["NAME", "EQUALS"]
    if words[-1].kind != "EQUALS" and defines:
        equals = next(index for index, word in enumerate(words) if word.kind == "EQUALS")
        parts = _split(words[equals:], block, {"_IF"} if first == "_ROLL" else set())
        return "define" if first == "NAME" else first, ["".join(rows(words[:equals], block, 0)), *parts]
    if first in ("SETTING", "DIE", "BAG", "_FLAG"):
        return first, _split(words, block, set())
    return "", ["".join(rows(words, block, 0))]


def _split(words: list[Word], block: str, at: set[str]) -> list[str]:
    """The words up to the first of these kinds outside brackets, those from it on, and the text at the end."""
    ends = len(words) - (words[-1].kind == "TEXT" and len(words) > 1 and words[-2].kind != "EQUALS")
    depth = 0
    parts = [words[:ends], words[ends:]]
    for index, word in enumerate(words[:ends]):
        depth += (word.kind in ("LPAR", "LSQB", "LBRACE", "_IN_BRACKET")) - (word.kind in ("RPAR", "RSQB", "RBRACE"))
        if not depth and word.kind in at:
            parts[:1] = [words[:index], words[index:ends]]
            break
    return ["".join(rows(part, block, 0)) for part in parts if part]


def _split_row(words: list[Word]) -> list[str]:
    """A row of a table: its key, and each of its entries."""
    cells: list[list[Word]] = [[]]
    for index, word in enumerate(words):
        before = words[index - 1].kind if index else ""
        starts = word.kind in ("NAME", "TEXT", "MINUS", "PLUS") or (
            word.kind in ("NUMBER", "PERCENT") and before not in ("MINUS", "PLUS", "SLASH", "_DOTDOT")
        )
        starts = starts or (word.kind == "_DOTDOT" and before == "NAME")
        if starts and index and before != "_DOTDOT":
            cells.append([])
        cells[-1].append(word)
    return ["".join(rows(cell, "row", 0)) for cell in cells]


def _together(line: WrittenLine, first: Laid, this: Laid) -> bool:
    """Whether a line stands in the columns of the lines above it, the first of which is given."""
    blank = line.after_blank or any(each.after_blank for each in line.remarks)
    return bool(this.group) and this.group == first.group and this.depth == first.depth and not blank


def _aligned(group: list[Laid]) -> list[list[str]]:
    """The rows of each line of a group, with its cells in columns."""
    texts = [list(each.cells) for each in group]
    named, tight = group[0].group in _NAMED, group[0].group in _TIGHT
    limit = MAX_NAME if named else MAX_COLUMN
    columns = zip_longest(*[cells[:-1] for cells in texts], fillvalue="")
    widths = [
        max((len(cell) for cell in column if len(cell) <= (MAX_COLUMN if index else limit)), default=0)
        for index, column in enumerate(columns)
    ]
    done: list[list[str]] = []
    for cells, each in zip(texts, group, strict=True):
        row = INDENT * each.depth
        for index, cell in enumerate(cells[:-1]):
            row += cell.ljust(widths[index]) + (" " if tight or (named and not index) else "  ")
        row += cells[-1]
        last = [row, *each.rows]
        if each.comment:
            last[-1] += f"  {each.comment}"
        done.append(last)
    return done


def _append(out: list[str], above: WrittenLine | None, line: WrittenLine, text: list[str]) -> None:
    """Puts a line with its remarks below the rows that are there, with the empty rows that were or should be."""
    opening = above is None or above.depth < line.depth
    wanted = bool(line.words) and not line.depth and above is not None and not _stand_together(above, line)
    for place, remark in enumerate(line.remarks):
        due = wanted and not remark.depth
        if due or (remark.after_blank and (place or not opening)):
            out.append("")
        wanted = wanted and not due
        out.append(INDENT * remark.depth + remark.text)
    if wanted or (line.after_blank and (line.remarks or not opening)):
        out.append("")
    out += text


def _stand_together(above: WrittenLine, line: WrittenLine) -> bool:
    """Whether no empty row is needed between two items: both are of one line and of one kind."""
    kind = line.words[0].kind
    return not above.depth and kind in _ALONE and kind == above.words[0].kind
