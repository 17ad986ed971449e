"""Text laid out in terminal cells: widths, padding, wrapping, colours.

In: text. Out: text that takes the number of cells that was asked for. Wide characters take two, combining marks none.
"""

import unicodedata
from dataclasses import dataclass

WIDTH = 80
"""All output is readable in this many columns."""


def width(text: str) -> int:
    """How many cells the text takes on a terminal."""
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


def columns(rows: list[list[str]], gap: int = 2, right: tuple[int, ...] = ()) -> list[str]:
    """Rows as lines with aligned columns; those numbered in `right` are aligned to the right."""
    widths = [max(width(cell) for cell in column) for column in zip(*rows, strict=True)]
    return [
        (" " * gap)
        .join(
            pad_left(cell, cells) if number in right else pad(cell, cells)
            for number, (cell, cells) in enumerate(zip(row, widths, strict=True))
        )
        .rstrip()
        for row in rows
    ]


def bar(share: float, cells: int) -> str:
    """A bar for a share between 0 and 1 of this many cells, in eighths of a cell; a share above 0 is always visible."""
    eighths = max(round(share * cells * 8), 1 if share > 0 else 0)
    return "█" * (eighths // 8) + "▏▎▍▌▋▊▉"[eighths % 8 - 1 : eighths % 8]


@dataclass(frozen=True, slots=True)
class Paint:
    """Colours for a terminal, or none. Widths are measured before painting."""

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
