"""Text laid out in terminal cells: widths, padding, wrapping, colours.

In: text. Out: text that takes the number of cells that was asked for. Wide characters take two, combining marks none.
"""

import re
import unicodedata
from collections.abc import Sequence
from fractions import Fraction
from itertools import zip_longest

from rulesrun.record import record

WIDTH = 80
"""All output is readable in this many columns."""


_COLOUR = re.compile(r"\x1b\[[0-9;]*m")


def width(text: str) -> int:
    """How many cells the text takes on a terminal; colours take none."""
    if "\x1b" in text:
        text = _COLOUR.sub("", text)
    return len(text) if text.isascii() else sum(map(_cells, text))


def _cells(character: str) -> int:
    if unicodedata.combining(character) or unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def pad(text: str, cells: int) -> str:
    """The text with blanks after it up to this width; a longer one stays as it is."""
    return text + " " * (cells - width(text))


def pad_left(text: str, cells: int) -> str:
    """The text with blanks before it up to this width; a longer one stays as it is."""
    return " " * (cells - width(text)) + text


def wrap(text: str, cells: int = WIDTH, first: str = "", rest: str | None = None) -> list[str]:
    """The text broken at blanks into lines of at most this width, the first begun with `first`, the others with `rest`.

    Without `rest` the others are indented as far as the first. A word wider than a line keeps a line to itself.
    """
    rest = " " * width(first) if rest is None else rest
    lines, line, empty = [], first, True
    for word in text.split():
        if not empty and width(line) + 1 + width(word) > cells:
            lines.append(line)
            line, empty = rest, True
        line += word if empty else " " + word
        empty = False
    return [*lines, line.rstrip()]


def grid(rows: Sequence[Sequence[str]], indent: int = 2, right: tuple[int, ...] = (), cells: int = WIDTH) -> list[str]:
    """Rows as lines with aligned columns, two blanks apart; empty columns are left out.

    The columns numbered in `right` are aligned to the right. Where the rows are wider than `cells`, the widest columns
    but the first are wrapped.
    """
    used = [number for number in range(len(rows[0])) if any(row[number] for row in rows)] if rows else []
    widths = _fitted([[row[number] for row in rows] for number in used], cells - indent - 2 * (len(used) - 1))
    lines = []
    for row in rows:
        columns = [wrap(row[number], room) for number, room in zip(used, widths, strict=True)]
        for parts in zip_longest(*columns, fillvalue=""):
            aligned = [
                (pad_left if number in right else pad)(part, room)
                for number, room, part in zip(used, widths, parts, strict=True)
            ]
            lines.append((" " * indent + "  ".join(aligned)).rstrip())
    return lines


def _fitted(columns: Sequence[Sequence[str]], room: int) -> list[int]:
    """The widths of columns: as wide as their cells, the widest cut down as far as their words allow until all fit."""
    widths = [max(map(width, column)) for column in columns]
    least = [max(width(word) for cell in column for word in cell.split() or [""]) for column in columns]
    least[:1] = widths[:1]
    while sum(widths) > room:
        wide = [place for place in range(len(widths)) if widths[place] > least[place]]
        if not wide:
            break
        widths[max(wide, key=lambda place: widths[place])] -= 1
    return widths


def bar(share: Fraction, cells: int) -> str:
    """A bar for a share between 0 and 1 of this many cells, in eighths of a cell; a share above 0 is always visible."""
    eighths = max(round(share * cells * 8), 1 if share > 0 else 0)
    return "█" * (eighths // 8) + "▏▎▍▌▋▊▉"[eighths % 8 - 1 : eighths % 8]


@record
class Paint:
    """Colours for a terminal, or none."""

    on: bool = False

    def _in(self, code: str, text: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self.on and text else text

    def strong(self, text: str) -> str:
        """What the eye should find first."""
        return self._in("1", text)

    def faint(self, text: str) -> str:
        """What may be skipped."""
        return self._in("2", text)

    def good(self, text: str) -> str:
        """A good outcome, a test that holds."""
        return self._in("1;32", text)

    def bad(self, text: str) -> str:
        """A bad outcome, an error."""
        return self._in("1;31", text)

    def warning(self, text: str) -> str:
        """A warning."""
        return self._in("1;33", text)

    def name(self, text: str) -> str:
        """A name of the ruleset."""
        return self._in("36", text)


PLAIN = Paint()
