"""Syntax slips in the words of somebody who writes rules.

In: a line, the place where the parser stopped in it, and what it would have taken there. Out: a diagnostic that says what
is wrong, marks the guilty part, names what was expected, and gives the likely fix.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from rulesrun.diagnostics import Diagnostic, Label, Severity, Source
from rulesrun.record import record
from rulesrun.suggestions import nearest
from .expected import expected
from .hint_patterns import MARK, PATTERNS, Pattern
from .signs import alien_character, foreign_sign

RESERVED: dict[str, str] = {
    "and": "joins conditions",
    "or": "joins conditions and faces",
    "not": "reverses a condition",
    "if": "begins a condition",
    "otherwise": "begins the last case",
    "in": "asks whether a value is among faces",
    "is": "compares labels",
    "of": "goes with `sum of`, `one of` and others",
    "yes": "is a value",
    "no": "is a value",
    "none": "is a value and a question",
    "count": "asks how many dice show a face",
    "any": "asks whether some die shows a face",
    "all": "asks whether all dice show a face",
    "distinct": "asks how many different faces there are",
    "natural": "asks for the faces first thrown",
}
"""The words that can never be names, with what each does."""

ITEM_WORDS = ("system", "based", "setting", "die", "bag", "levels", "table", "rule", "example")
LINE_WORDS = (
    "given", "limit", "roll", "choice", "track", "repeat", "draw", "put", "flag", "outcome",
)  # fmt: skip
EXAMPLE_WORDS = ("dice", "choose", "set", "roll", "expect")
WORDS_OF = {
    "start": (ITEM_WORDS, "an item"),
    "line": (LINE_WORDS, "a line of a rule"),
    "example_line": (EXAMPLE_WORDS, "a line of an example"),
    "system_fact": (("about", "version", "source"), "a line of a system"),
}
"""The words that may begin a line, by what the grammar calls it."""

_WORD = re.compile(r"[^\W\d]\w*")
_PIECE = re.compile(r'"[^"\n]*"?|\w+|[^\w\s]')
_NAME = r"[^\W\d]\w*"


@record
class Slip:
    """Where a line goes wrong: its text, where that begins in the source, the offset in it, and what the grammar calls it.

    `accepts` are the tokens that the parser would have taken at the place.
    """

    source: Source
    offset: int
    text: str
    at: int = 0
    accepts: frozenset[str] = frozenset()
    start: str = ""

    @property
    def rest(self) -> str:
        """The line from the place on."""
        return self.text[self.at :]

    @property
    def before(self) -> str:
        """The line up to the place."""
        return self.text[: self.at]

    def problem(
        self, code: str, message: str, hint: str | None = None, start: int | None = None, end: int | None = None, label: str = ""
    ) -> Diagnostic:
        """A diagnostic about a stretch of the line; unless told otherwise, the word at the place."""
        if start is None:
            start = self.at
        if end is None:
            piece = _PIECE.match(self.text, start)
            end = piece.end() if piece else start
        span = self.source.span(self.offset + start, self.offset + end)
        return Diagnostic(code, Severity.ERROR, message, Label(span, label), hint=hint)


def explain(slip: Slip) -> Diagnostic:
    """The diagnostic for a slip."""
    for look in _LOOKS:
        if problem := look(slip):
            return problem
    return _plain(slip)


def explain_missing_block(slip: Slip) -> Diagnostic:
    """The diagnostic for a line that needs indented lines below it and has none."""
    end = len(slip.text)
    word = _WORD.match(slip.text)
    first = word.group() if word else ""
    hint = "write them below it, indented by four spaces"
    if re.search(r"(=|\bbecomes)\s*$", slip.text):
        message, hint = "a value is missing behind this", "write the value, or cases on indented lines below it"
    elif slip.start == "start" and first:
        message = f"this {first} has no lines"
    else:
        message = f"`{first}` needs indented lines below it"
    return slip.problem("missing-block", message, hint, 0, end)


# ---------------------------------------------------------------- what to look for, in this order


def _character(slip: Slip) -> Diagnostic | None:
    if found := alien_character(slip.text, slip.at):
        start, end, message, hint = found
        return slip.problem("character", message, hint, start, end)
    return None


def _unclosed_text(slip: Slip) -> Diagnostic | None:
    if not slip.rest.startswith('"') or slip.rest.count('"', 0, len(slip.rest.split("\n", 1)[0])) % 2 == 0:
        return None
    row = slip.rest.split("\n", 1)[0]
    hint = 'add `"` where it ends; a text stands on one line'
    return slip.problem("text-not-closed", "this text is never closed", hint, slip.at, slip.at + len(row.rstrip()))


def _unclosed_bracket(slip: Slip) -> Diagnostic | None:
    """A bracket left open in a row above, if the slip is at the first word of its row."""
    row = slip.text.rfind("\n", 0, slip.at) + 1
    if not row or slip.text[row : slip.at].strip():
        return None
    opened: list[int] = []
    for match in re.finditer(r'"[^"\n]*"|#[^\n]*|[()\[\]{}]', slip.text[:row]):
        if match.group() in "([{":
            opened.append(match.start())
        elif match.group() in ")]}" and opened:
            opened.pop()
    if not opened:
        return None
    closing = {"(": ")", "[": "]", "{": "}"}[slip.text[opened[-1]]]
    message, hint = f"`{slip.text[opened[-1]]}` is never closed", f"add `{closing}` where it ends"
    return slip.problem("bracket-not-closed", message, hint, opened[-1], opened[-1] + 1)


def _sign(slip: Slip) -> Diagnostic | None:
    if found := foreign_sign(slip.text, slip.at):
        start, end, message, hint = found
        return slip.problem("foreign-sign", message, hint, start, end)
    return None


def _pattern(slip: Slip) -> Diagnostic | None:
    subject = slip.before + MARK + slip.rest
    for pattern in PATTERNS:
        if (not pattern.starts or slip.start in pattern.starts) and pattern.needs <= slip.accepts:
            if pattern.lacks & slip.accepts:
                continue
            if match := pattern.regex.search(subject):
                return _matched(slip, pattern, match)
    return None


def _matched(slip: Slip, pattern: Pattern, match: re.Match[str]) -> Diagnostic:
    groups = {name: (text or "").replace(MARK, "").strip() for name, text in match.groupdict().items()}
    start, end = match.span("bad") if "bad" in groups else (slip.at, None)
    if end is not None:
        end -= end > slip.at
        start -= start > slip.at
        while start < end and slip.text[start].isspace():
            start += 1
        while end > start and slip.text[end - 1].isspace():
            end -= 1
    hint = pattern.hint.format(**groups) if pattern.hint else None
    label = f"expected {expected(slip.accepts)}" if pattern.expects and expected(slip.accepts) else ""
    return slip.problem(pattern.code, pattern.message.format(**groups), hint, start, end, label)


def _reserved(slip: Slip) -> Diagnostic | None:
    """A word of the language, or a die, where a name belongs."""
    word = _WORD.match(slip.rest)
    if not word:
        return None
    name = word.group()
    defined = re.match(r"\s*(=|:(?!=)|[-+]=|becomes\b)", slip.rest[len(name) :])
    naming = (slip.at == 0 and slip.start == "line" and defined) or (
        "NAME" in slip.accepts and not slip.accepts & {"LPAR", "NUMBER"}
    )
    if not naming:
        return None
    if name in RESERVED:
        message = f"`{name}` cannot be a name: it {RESERVED[name]}"
        return slip.problem("reserved-word", message, f"take another, such as `{name}_value` or `the_{name}`")
    if re.fullmatch(r"d([0-9]+|F)", name):
        message = f"`{name}` is a die and cannot be a name"
        return slip.problem("reserved-word", message, f"take another, such as `{name}_roll`")
    return None


def _first_word(slip: Slip) -> Diagnostic | None:
    """A line that begins with no word that may begin it."""
    if slip.start not in WORDS_OF:
        return None
    word = _WORD.match(slip.text)
    if not word or not re.fullmatch(_NAME + r"\s*", slip.before or word.group()):
        return None
    first = word.group()
    words, what = WORDS_OF[slip.start]
    if first in words or first in RESERVED:
        return None
    shape = slip.text[len(first) :]
    defines = re.match(r"\s*(=(?!=)|[-+]=|becomes\b)", shape)
    if slip.start == "line" and defines:
        return None
    end = len(first)
    if first.casefold() in words:
        hint = f"write `{first.casefold()}`"
        return slip.problem("unknown-word", f"words of the language are written small: `{first}`", hint, 0, end)
    if slip.start != "start" and first in ITEM_WORDS and re.match(rf'\s+({_NAME}|")', shape):
        message, hint = f"`{first}` begins an item of its own and cannot stand inside another", "begin it at the margin"
        return slip.problem("item-inside", message, hint, 0, end)
    if slip.start == "start" and (first in LINE_WORDS or defines):
        what = "a value is computed" if defines else f"`{first}` stands"
        hint = "indent it by four spaces below its `rule`"
        if defines:
            hint += f"; a number that a table may change is `setting {first} = …`"
        return slip.problem("outside-rule", f"{what} inside a rule", hint, 0, end)
    if first in EXAMPLE_WORDS and slip.start != "example_line" and re.match(r"\s", shape):
        hint = "indent it by four spaces below its `example`"
        return slip.problem("outside-rule", f"`{first}` stands inside an example", hint, 0, end)
    if slip.start == "example_line" and (first in LINE_WORDS or defines):
        hint = "an example has lines that begin with `dice`, `choose`, `set`, `roll` or `expect`"
        return slip.problem("rule-line-inside", "a line of a rule cannot stand in an example", hint, 0, end)
    if near := nearest(first, words):
        return slip.problem("unknown-word", f"`{first}` begins no {what.split(' ', 1)[1]}", f"did you mean `{near}`?", 0, end)
    if slip.start == "start" or slip.start == "system_fact":
        hint = f"{what} begins with " + ", ".join(f"`{each}`" for each in words[:-1]) + f" or `{words[-1]}`"
        return slip.problem("unknown-word", f"`{first}` begins no {what.split(' ', 1)[1]}", hint.replace("`based`", "`based on`"), 0, end)
    return None


_LOOKS: tuple[Callable[[Slip], Diagnostic | None], ...] = (
    _character, _unclosed_text, _unclosed_bracket, _sign, _reserved, _first_word, _pattern,
)  # fmt: skip


def _plain(slip: Slip) -> Diagnostic:
    """What stands there and what was expected, where nothing better is known."""
    wanted = expected(slip.accepts)
    label = f"expected {wanted}" if wanted else ""
    piece = _PIECE.match(slip.text, slip.at)
    if not piece:
        return slip.problem("unfinished-line", "the line ends too early", None, label=label)
    what = "this text does not fit here" if piece.group().startswith('"') else f"`{piece.group()}` does not fit here"
    return slip.problem("unexpected", what, None, label=label)
