"""Mistakes that people make in YAML, told by what was meant and how to write it.

In: a text that is no YAML, where the reader gave up, and of what it complained. Out: a `Slip`: the place of the
mistake, which is often a line above, what is wrong there, and the likely fix. PyYAML reports what it noticed; a person
wants to know what was forgotten.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from rulesrun.record import record

MAX_SHOWN = 50
"""A fix that is longer is told without the text of the file."""

_KEY = re.compile(r"[\w.’'-]+(?: [\w.’'-]+)*")
_CLOSERS = {"{": "}", "[": "]"}


@record
class Slip:
    """`start` and `end`: the place. `others`: further places, each with what is there."""

    start: int
    end: int
    message: str
    hint: str | None = None
    others: tuple[tuple[int, str], ...] = ()


@record
class _Line:
    """A line: where it begins, its text, and how far it is indented."""

    start: int
    text: str

    @property
    def indent(self) -> int:
        return len(self.text) - len(self.text.lstrip(" "))

    @property
    def body(self) -> str:
        return self.text.strip()

    @property
    def at(self) -> int:
        return self.start + self.indent


def slip_of(text: str, at: int, problem: str, began: int | None) -> Slip:
    """The mistake behind a problem that was noticed at a place; `began` is where what is not complete begins."""
    lines = _lines(text)
    here = next(each for each in reversed(lines) if each.start <= at or each is lines[0])
    character = text[at : at + 1]
    if character == "\t" and "cannot start any token" in problem:
        if text[here.start : at].strip():
            return Slip(at, at + 1, "a tab stands between a name and its value", "write a blank instead of the tab")
        return Slip(at, at + 1, "a tab begins this line", "YAML is indented with blanks: two for each level")
    if "cannot start any token" in problem:
        return Slip(at, at + 1, f"a value cannot begin with {character}", _in_quotes(here, at))
    if "mapping values are not allowed" in problem:
        return _second_colon(lines, here, at)
    if "could not find expected ':'" in problem:
        line = here if began is None else next(each for each in reversed(lines) if each.start <= began)
        return _no_pair(line) or Slip(line.at, line.at + 1, "a `:` is missing here", "a line each is `name: value`")
    if "unexpected end of stream" in problem and began is not None:
        return _unclosed_quote(text, began)
    if "escape" in problem:
        return Slip(
            at, at + 1, "an unknown escape in a quoted text", "write `\\\\` for a backslash, or use single quotes"
        )
    if (found := re.match(r"expected ',' or '(.)'", problem)) and began is not None:
        return _unclosed_bracket(text, at, began, found[1])
    if "but got '<stream end>'" in problem and began is not None:
        return _unclosed_bracket(text, at, began, _CLOSERS.get(text[began : began + 1], "]"))
    if "expected <block end>" in problem:
        return _unexpected(lines, here, at)
    if "expected '<document start>'" in problem:
        return _outside(lines, here, at)
    if "chomping or indentation" in problem or "expected a comment or a line break" in problem:
        start = max(text.rfind(each, here.start, at) for each in "|>")
        message = f"a value that begins with `{text[start : start + 1]}` means a text of several lines"
        return Slip(start, start + 1, message, _in_quotes(here, start))
    return Slip(at, at + 1, f"this is not YAML: {problem}")


def not_pairs(text: str, start: int) -> Slip | None:
    """What a text that is one long word for YAML was meant to be; `start` is where it begins."""
    return _no_pair(next(each for each in reversed(_lines(text)) if each.start <= start))


def _lines(text: str) -> list[_Line]:
    found, place = [], 0
    for each in text.splitlines(keepends=True) or [""]:
        found.append(_Line(place, each.rstrip("\r\n")))
        place += len(each)
    return found


def _before(lines: Sequence[_Line], line: _Line) -> _Line | None:
    """The line above that says something."""
    above = [each for each in lines if each.start < line.start and each.body and not each.body.startswith("#")]
    return above[-1] if above else None


def _fix(text: str) -> str:
    return f"write `{text}`" if len(text) <= MAX_SHOWN else "a line each is `name: value`"


def _in_quotes(line: _Line, at: int) -> str:
    """The value from a place to the end of its line, as it would stand in quotes."""
    value = line.text[at - line.start :].split(" #")[0].strip()
    if not value or len(value) > MAX_SHOWN or '"' in value or "\\" in value:
        return "put the text in quotes"
    return f'put the text in quotes: "{value}"'


def _no_pair(line: _Line) -> Slip | None:
    """A line that should be `name: value` and has no `: `."""
    body, start = line.body.removeprefix("- "), line.at + (2 if line.body.startswith("- ") else 0)
    if re.search(r":(?: |$)", body):
        return None
    for sign, what in (("：", "a `：` is not a colon for YAML"), ("=", "names and values are not joined by `=`")):
        name, found, value = body.partition(sign)
        if found and _KEY.fullmatch(name.strip()):
            place = start + len(name)
            return Slip(place, place + 1, what, _fix(f"{name.strip()}: {value.strip()}"))
    if (tight := re.match(r"([^\s:\"'{\[]+):(\S.*)", body)) is not None:
        place = start + len(tight[1])
        return Slip(place, place + 1, "a blank is missing behind this `:`", _fix(f"{tight[1]}: {tight[2]}"))
    if _KEY.match(body) is None:
        return None
    name, _, value = body.partition(" ")
    fix = f"{name}: {value.strip()}" if value else f"{name}:"
    return Slip(start + len(name) - 1, start + len(name), "a `:` is missing behind this name", _fix(fix))


def _second_colon(lines: Sequence[_Line], here: _Line, at: int) -> Slip:
    """A `:` within a text: of its own line, or of one that goes on from the line above."""
    first = re.match(r"\s*(?:- )?[^:#]*?:(?= )", here.text)
    if first is not None and here.start + first.end() - 1 < at:
        value = here.start + first.end() + 1
        return Slip(
            at,
            at + 1,
            "a second `:` on one line",
            f"a text that holds a colon stands in quotes; {_in_quotes(here, value)}",
        )
    above = _before(lines, here)
    if above is not None and above.indent >= here.indent and (found := _no_pair(above)) is not None:
        return found
    if above is not None and above.indent < here.indent:
        if (found := _no_pair(above)) is not None:
            return found
        column = above.indent + 1
        return Slip(
            here.at, at + 1, "this line is indented deeper than the one above, which has its value already",
            f"begin it in column {column}, as the line above",
        )  # fmt: skip
    return Slip(
        at,
        at + 1,
        "a `:` is not expected here",
        "a line each is `name: value`; a text that holds a colon stands in quotes",
    )


def _unclosed_quote(text: str, began: int) -> Slip:
    quote = text[began : began + 1]
    return Slip(
        began, began + 1, "a quotation mark opens here and never closes", f"close the text with another `{quote}`"
    )


def _unclosed_bracket(text: str, at: int, began: int, closing: str) -> Slip:
    opening = text[began : began + 1]
    if text[at : at + 1] in ("}", "]", ")"):
        other = (began, f"this `{opening}` is open")
        return Slip(
            at, at + 1, f"`{opening}` is closed by `{closing}`, not by `{text[at]}`", f"write `{closing}`", (other,)
        )
    if "\n" in text[began:at] or at >= len(text):
        return Slip(
            began, began + 1, f"this `{opening}` is not closed", f"close it with `{closing}` behind its last part"
        )
    other = (began, f"within this `{opening}`")
    return Slip(
        at,
        at + 1,
        "a `,` is missing before this",
        f"parts between `{opening}` and `{closing}` are separated by `,`",
        (other,),
    )


def _unexpected(lines: Sequence[_Line], here: _Line, at: int) -> Slip:
    """Something behind a value that is complete, or a line that stands in no column of those above."""
    before = here.text[: at - here.start].rstrip()
    character = here.text[at - here.start : at - here.start + 1]
    if before and character in ("}", "]"):
        return Slip(at, at + 1, f"this `{character}` closes nothing", "take it out")
    if before and before[-1] in "\"'":
        return _behind_quote(lines, here, at, before[-1])
    if character == ":" and not before:
        return Slip(at, at + 1, "a name is missing before this `:`", "a line each is `name: value`")
    if character == "-" and not before:
        return Slip(
            at, at + 1, "an item of a list stands among names and values", "indent a list below the name that it is for"
        )
    if before:
        return Slip(at, at + 1, "something stands behind a value that is complete", "a line each is `name: value`")
    columns = sorted({each.indent + 1 for each in lines if each.start < here.start and each.body})
    wanted = " or ".join(str(each) for each in columns)
    return Slip(
        at,
        at + 1,
        "this line is indented otherwise than those above it",
        f"begin it in column {wanted}, where those begin",
    )


def _behind_quote(lines: Sequence[_Line], here: _Line, at: int, quote: str) -> Slip:
    """A text in quotes that ends too early: it holds its own quotation mark, or it was opened lines above."""
    opened = here.text[: at - here.start].rstrip()[:-1]
    if re.search(rf"(?:^|[:\-\[{{,] *){quote}[^{quote}]*$", opened):
        place = at - (len(here.text[: at - here.start]) - len(opened))
        other = '"' if quote == "'" else "'"
        message = "the text in quotes ends here, and more stands behind it"
        return Slip(
            place, place + 1, message, f"put all of it between `{other}` and `{other}`, or none of it in quotes"
        )
    above = [
        each for each in lines if each.start < here.start and re.search(rf"(?:: |- ){quote}[^{quote}]*$", each.text)
    ]
    if above:
        line = above[-1]
        place = line.start + line.text.rindex(quote)
        return Slip(
            place,
            place + 1,
            "a quotation mark opens here and is not closed on its line",
            f"close the text with another `{quote}`",
        )
    return Slip(at, at + 1, "something stands behind a text in quotes", "put all of it in quotes, or nothing")


def _outside(lines: Sequence[_Line], here: _Line, at: int) -> Slip:
    """A line that stands left of the first one, or behind all that there is."""
    before = here.text[: at - here.start].strip()
    character = here.text[at - here.start : at - here.start + 1]
    if before and character in ("}", "]"):
        return Slip(at, at + 1, f"this `{character}` closes nothing", "take it out")
    first = next((each for each in lines if each.body and not each.body.startswith("#")), here)
    if first.indent > here.indent:
        return Slip(
            first.at,
            first.at + 1,
            "the first line is indented deeper than others",
            "begin every outermost name in column 1",
        )
    return Slip(at, at + 1, "this belongs to nothing above it", "a line each is `name: value`")
