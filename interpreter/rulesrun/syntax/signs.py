"""Signs and characters that the language does not have, with what is probably meant.

In: the text at a slip. Out: the guilty stretch, what is wrong with it, and the likely fix; or None.
"""

from __future__ import annotations

import re
import unicodedata

SIGNS: tuple[tuple[str, str], ...] = (
    (r"==+", "equality is a single `=`: write `a = b`"),
    (r"!==", "inequality is written `!=`"),
    (r"=>", "at least is written `>=`"),
    (r"=<", "at most is written `<=`"),
    (r"<>", "inequality is written `!=`"),
    (r"&&", "write `and`"),
    (r"\|\|?", "write `or`"),
    (r"\*\*", "a power is written `^`"),
    (r"//+", "a comment begins with `#`; division rounded down is `round_down(a / b)`"),
    (r"/\*", "a comment begins with `#` and ends with the line"),
    (r"\.\.\.+", "a range has two dots: `6..10`"),
    (r":=", "a value is defined with `=`: `NAME = VALUE`"),
    (r"(?<![\w%)!])!(?=\s*[\w(])", "write `not`: `not x`"),
    (r"%(?=\s*[\w(])", "there is no sign for the remainder; write `remainder(a, b)`"),
    (r"\+\+|--(?=\s*$)", "a tracked value is changed with `NAME += 1` or `NAME -= 1`"),
    (r";", "one thing stands on a line: begin a new line"),
    (r"'[^']*'|'", 'texts are written in double quotes: "text"'),
    (r"\?", "a choice of two values is written `A if CONDITION otherwise B`"),
    (r"\\", "a line goes on by itself inside brackets"),
    (r"[@$`]", "take it out"),
)
"""Signs of other languages, as patterns, with the hint."""

MEANT = {
    "\u2212": "-", "\u2010": "-", "\u2011": "-", "\u2012": "-", "\u2013": "-", "\u2014": "-", "\u2015": "-",
    "\ufe63": "-",
    "\u00d7": "*", "\u22c5": "*", "\u00b7": "*", "\u2217": "*", "\u00f7": "/", "\u2215": "/", "\u2044": "/",
    "\u2264": "<=", "\u2265": ">=", "\u2260": "!=", "\u2026": "..", "\u201c": '"', "\u201d": '"', "\u201e": '"',
    "\u201f": '"', "\u00ab": '"', "\u00bb": '"', "\u2018": '"', "\u2019": '"', "\u201a": '"', "\u2039": '"',
    "\u203a": '"', "\u2033": '"', "\u2192": "=", "\u2227": "and", "\u2228": "or", "\u00ac": "not", "\u00bd": "1/2",
    "\u00bc": "1/4", "\u00be": "3/4", "\u00b2": "^2", "\u00b3": "^3", "\u200b": "", "\u200c": "", "\u200d": "",
    "\u2060": "", "\ufeff": "", "\u00ad": "",
}  # fmt: skip
"""What a character that looks like another probably means."""

_ALIEN = re.compile(r"[^\x20-\x7e\t\n]")


def foreign_sign(text: str, at: int) -> tuple[int, int, str, str] | None:
    """The sign of another language that stands at or around this place: start, end, message, hint."""
    begin = text.rfind("\n", 0, at) + 1
    for pattern, hint in SIGNS:
        for match in re.compile(pattern).finditer(text, max(begin, at - 3), at + 80):
            if match.start() <= at < match.end():
                sign = match.group()
                what = f"`{sign}` is not written so" if len(sign) > 1 else f"`{sign}` means nothing here"
                return match.start(), match.end(), what, hint
    return None


def alien_character(text: str, at: int) -> tuple[int, int, str, str] | None:
    """The character that no keyboard's ASCII has and that stands at this place: start, end, message, hint."""
    if at >= len(text) or not _ALIEN.match(text, at):
        return None
    each = text[at]
    plain = MEANT.get(each, unicodedata.normalize("NFKC", each))
    name = unicodedata.name(each, "no name").lower()
    shown = f"`{each}` " if each.isprintable() else ""
    what = f"the character {shown}(U+{ord(each):04X}, {name}) means nothing here"
    end = at + 1
    if each.isdecimal():
        while end < len(text) and text[end].isdigit() and not text[end].isascii():
            end += 1
        plain = unicodedata.normalize("NFKC", text[at:end])
    if plain == '"':
        hint = 'write plain double quotes: "text"'
    elif not plain:
        hint = "take it out; it cannot be seen"
    elif plain == " " or each.isspace():
        hint = "write a plain blank"
    elif plain.isascii() and plain.isprintable():
        hint = f"write `{plain}`"
    else:
        hint = "take it out, or put it into a text in quotes"
    return at, end, what, hint
