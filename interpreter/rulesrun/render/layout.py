"""Text laid out in terminal cells: widths, padding, wrapping, colours.

In: text. Out: text that takes the number of cells that was asked for. Wide characters take two, combining marks none.
"""

import re
import unicodedata
from collections.abc import Sequence
from fractions import Fraction

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

    The columns numbered in `right` are aligned to the right; the last one is wrapped within `cells`, and goes below
    where there is no room for it.
    """
    used = [number for number in range(len(rows[0])) if any(row[number] for row in rows)] if rows else []
    widths = {number: max(width(row[number]) for row in rows) for number in used}
    lines = []
    for row in rows:
        start = " " * indent
        for number in used[:-1]:
            start += (pad_left if number in right else pad)(row[number], widths[number]) + "  "
        last = row[used[-1]] if used else ""
        if used and used[-1] in right:
            lines.append(start + pad_left(last, widths[used[-1]]))
            continue
        if width(start) > cells * 3 // 4 and last:
            lines += [start, *wrap(last, cells, " " * (indent + 4))]
        else:
            lines += wrap(last, cells, start)
    return [line.rstrip() for line in lines]


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
