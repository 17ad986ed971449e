"""Syntax slips in the words of somebody who writes rules.

In: a line, the place where the parser stopped in it, and what it would have taken there. Out: a diagnostic that says
what is wrong, marks the guilty part, names what was expected, and gives the likely fix.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from rulesrun.diagnostics import Diagnostic, Label, Severity, Source
from rulesrun.record import record
from rulesrun.suggestions import nearest

from .dice_slips import DICE_SLIPS
from .expected import expected, phrases
from .line_slips import LINE_SLIPS
from .sheet_slips import SHEET_SLIPS
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

ITEM_WORDS = ("system", "based", "setting", "die", "bag", "levels", "table", "rule", "sheet", "example")
LINE_WORDS = (
    "given", "limit", "roll", "choice", "track", "repeat", "draw", "put", "flag", "outcome",
)  # fmt: skip
SHEET_WORDS = (
    "trait", "traits", "list", "value", "status", "limit", "budget", "advance", "action", "team", "private",
)  # fmt: skip
EXAMPLE_WORDS = ("dice", "choose", "set", "roll", "expect")
WORDS_OF = {
    "start": (ITEM_WORDS, "item"),
    "line": (LINE_WORDS, "line of a rule"),
    "sheet_line": (SHEET_WORDS, "line of a sheet"),
    "example_line": (EXAMPLE_WORDS, "line of an example"),
    "system_fact": (("about", "version", "source"), "line of a system"),
}
"""The words that may begin a line, by what the grammar calls it."""

OTHER_WORDS = frozenset({
    "keep", "drop", "highest", "lowest", "middle", "explode", "reroll", "again", "against", "once", "rolling", "adding",
    "times", "until", "becomes", "showing", "outranks", "when", "by", "default", "sum", "size", "dice", "for", "each",
    "die",
})  # fmt: skip
"""Words of the language that may also be names."""

MAX_NAME = 200
"""How long a name may be; the grammar holds the same bound."""

MAX_KNOWN = 600
"""Longer lines are not searched for known slips."""

FORMS = {
    "system": 'system "NAME"',
    "based": 'based on "FILE"',
    "setting": "setting NAME = VALUE",
    "die": "die NAME = FACE, FACE, FACE",
    "bag": "bag NAME = 6 green, 4 yellow",
    "levels": "levels NAME",
    "table": "table NAME",
    "rule": "rule NAME",
    "example": 'example "TEXT"',
    "trait": "trait NAME: DOMAIN = VALUE",
    "traits": "traits NAME: DOMAIN = VALUE",
    "list": "list NAME: DOMAIN",
    "value": "value NAME = EXPRESSION",
    "status": "status NAME if CONDITION",
    "budget": "budget NAME = POINTS",
    "advance": "advance NAME costs PRICE from TRAIT",
    "action": "action NAME(PARAMETER: DOMAIN): TRAIT += VALUE",
    "team": "team RULE",
    "given": "given NAME: DOMAIN = VALUE",
    "limit": 'limit "TEXT": CONDITION',
    "roll": "roll NAME = DICE",
    "choice": "choice NAME if CONDITION by default POLICY",
    "track": "track NAME = VALUE",
    "repeat": "repeat until CONDITION` or `repeat NUMBER times",
    "draw": "draw NAME = NUMBER from BAG",
    "put": "put NAME back` or `put BAG back except NAME",
    "flag": "flag NAME if CONDITION",
    "outcome": "outcome` or `outcome as NAME",
    "choose": "choose NAME = POLICY",
    "set": "set NAME = VALUE",
    "dice": "dice NAME = FACE, FACE",
    "expect": "expect CONDITION` or `expect chance of NAME = VALUE",
}
"""How a line that begins with a word is written; capitals stand for what is to be filled in."""

_TELLING = frozenset({
    "missing-otherwise", "missing-if", "missing-in", "missing-colon", "missing-comma", "missing-sign",
    "unfinished-line",
})  # fmt: skip
"""The slips for which it helps to say what was expected."""

_DEFINES = re.compile(
    r"^(given|setting|rule|table|levels|bag|die|roll|choice|track|draw|flag|set|[-+~])\s*$|\bone\s+of\s+([\w\s]+,)*\s*$"
)
_LAST_WORD = re.compile(r"[^\W\d]\w*(?=\s*$)")
_WORD = re.compile(r"[^\W\d]\w*")
_PIECE = re.compile(r'"[^"\n]*"?|\w+|[^\w\s]')
_NAME = r"[^\W\d]\w*"


@record
class Slip:
    """Where a line goes wrong: its text, where that begins in the source, the offset in it, and what the grammar
    calls it.

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
        self,
        code: str,
        message: str,
        hint: str | None = None,
        start: int | None = None,
        end: int | None = None,
        label: str = "",
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
    looks = _LOOKS if len(slip.text) <= MAX_KNOWN else _CHEAP_LOOKS
    for look in looks:
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
    word = re.compile(r"\w*").match(slip.text, slip.at)
    digit = next((at for at in range(slip.at, word.end() if word else 0) if _is_alien_digit(slip.text[at])), slip.at)
    if found := alien_character(slip.text, digit):
        start, end, message, hint = found
        return slip.problem("character", message, hint, start, end)
    return None


def _is_alien_digit(each: str) -> bool:
    return each.isnumeric() and not each.isascii() and not each.isalpha()


def _long_name(slip: Slip) -> Diagnostic | None:
    """A name whose first letters were read and whose rest was not."""
    start = slip.at - MAX_NAME
    if start < 0 or not _WORD.fullmatch(slip.text, start, slip.at + 1):
        return None
    word = _WORD.match(slip.text, start)
    end = word.end() if word else slip.at
    message = f"a name of {end - start:,} letters, where at most {MAX_NAME} are read"
    return slip.problem("too-long", message, "take a shorter one", start, end)


def _unclosed_text(slip: Slip) -> Diagnostic | None:
    row = slip.rest.split("\n", 1)[0]
    if not row.startswith('"') or row.count('"') != 1:
        return None
    hint = 'add `"` where it ends; a text stands on one line'
    return slip.problem("text-not-closed", "this text is never closed", hint, slip.at, slip.at + len(row.rstrip()))


def _unclosed_bracket(slip: Slip) -> Diagnostic | None:
    """A bracket left open in a row above, if the slip is at the first word of its row."""
    row = slip.text.rfind("\n", 0, slip.at) + 1
    if not row or slip.text[row : slip.at].strip():
        return None
    opened = _open_brackets(slip.text[:row])
    if not opened or not _open_brackets(slip.text):
        return None
    closing = {"(": ")", "[": "]", "{": "}"}[slip.text[opened[-1]]]
    message, hint = f"`{slip.text[opened[-1]]}` is never closed", f"add `{closing}` where it ends"
    return slip.problem("bracket-not-closed", message, hint, opened[-1], opened[-1] + 1)


def _open_brackets(text: str) -> list[int]:
    """Where the brackets begin that are open at the end of a text."""
    opened: list[int] = []
    for match in re.finditer(r'"[^"\n]*"|#[^\n]*|[()\[\]{}]', text):
        if match.group() in "([{":
            opened.append(match.start())
        elif match.group() in ")]}" and opened:
            opened.pop()
    return opened


def _sign(slip: Slip) -> Diagnostic | None:
    if found := foreign_sign(slip.text, slip.at):
        start, end, message, hint = found
        return slip.problem("foreign-sign", message, hint, start, end)
    return None


def _pattern(slip: Slip) -> Diagnostic | None:
    """A slip that is known by example."""
    for pattern in (*SHEET_SLIPS, *DICE_SLIPS, *LINE_SLIPS):
        if found := pattern.find(slip.text, slip.at, slip.start, slip.accepts):
            start, end, message, hint = found
            wanted = expected(slip.accepts) if pattern.code in _TELLING else ""
            label = f"expected {wanted}" if wanted else ""
            return slip.problem(pattern.code, message, hint, start, end, label)
    return None


def _reserved(slip: Slip) -> Diagnostic | None:
    """A word of the language, or a die, where a name belongs."""
    word = _WORD.match(slip.rest)
    if not word:
        return None
    name = word.group()
    if slip.at == 0:
        naming = slip.start == "line" and bool(re.match(r"\s*(=|[-+]=|becomes\b)", slip.rest[len(name) :]))
    else:
        naming = "NAME" in slip.accepts and bool(_DEFINES.search(slip.before))
    if not naming:
        return None
    if name in RESERVED:
        message = f"`{name}` cannot be a name: it {RESERVED[name]}"
        return slip.problem("reserved-word", message, f"take another, such as `{name}_value` or `the_{name}`")
    if re.fullmatch(r"d([0-9]+|F)", name) and not re.fullmatch(r"roll\s+", slip.before):
        message = f"`{name}` is a die and cannot be a name"
        return slip.problem("reserved-word", message, f"take another, such as `{name}_roll`")
    return None


def _capitals(slip: Slip) -> Diagnostic | None:
    """A word of the language in capitals, at the place or right before it."""
    for word in (_WORD.match(slip.text, slip.at), _LAST_WORD.search(slip.before)):
        small = word.group().casefold() if word else ""
        if word and small != word.group() and (small in RESERVED or (word.start() and small in OTHER_WORDS)):
            message = f"the words of the language are written small, unlike `{word.group()}`"
            return slip.problem("capitals", message, f"write `{small}`", word.start(), word.end())
    return None


def _first_word(slip: Slip) -> Diagnostic | None:
    """A line that begins with no word that may begin it."""
    word = _WORD.match(slip.text)
    if slip.start not in WORDS_OF or not word or not re.fullmatch(_NAME + r"\s*", slip.before or word.group()):
        return None
    first, end = word.group(), word.end()
    words, what = WORDS_OF[slip.start]
    shape = slip.text[end:]
    defines = re.match(r"\s*(=(?!=)|[-+]=|becomes\b)", shape)
    if first in words or first in RESERVED or (slip.start == "line" and defines):
        return None
    if first.casefold() in words:
        message = f"the words of the language are written small, unlike `{first}`"
        return slip.problem("capitals", message, f"write `{first.casefold()}`", 0, end)
    if slip.start != "start" and first in ITEM_WORDS and re.match(rf'\s+({_NAME}|")', shape):
        message, hint = f"`{first}` begins an item of its own and cannot stand inside another", "begin it at the margin"
        return slip.problem("item-inside", message, hint, 0, end)
    if slip.start == "start" and (first in LINE_WORDS or defines):
        hint = "indent it by four spaces below its `rule`"
        if defines:
            hint += f"; a number that a table may change is `setting {first} = …`"
        message = "a value is computed inside a rule" if defines else f"`{first}` belongs in a rule"
        return slip.problem("outside-rule", message, hint, 0, end)
    if slip.start == "example_line" and (first in LINE_WORDS or defines):
        hint = "an example has lines that begin with `dice`, `choose`, `set`, `roll` or `expect`"
        return slip.problem("rule-line-inside", "a line of a rule cannot stand in an example", hint, 0, end)
    if slip.start == "sheet_line" and first in LINE_WORDS:
        return None
    if slip.start in ("start", "line") and first in SHEET_WORDS and re.match(rf"\s+{_NAME}", shape):
        hint = "indent it by four spaces below `sheet`"
        return slip.problem("outside-rule", f"`{first}` belongs in the sheet", hint, 0, end)
    if slip.start != "example_line" and first in EXAMPLE_WORDS and re.match(r"\s", shape):
        hint = "indent it by four spaces below its `example`"
        return slip.problem("outside-rule", f"`{first}` belongs in an example", hint, 0, end)
    message = f"no {what} begins with `{first}`"
    if near := nearest(first, words):
        return slip.problem("unknown-word", message, f"did you mean `{near}`?", 0, end)
    if slip.start in ("start", "system_fact"):
        named = ", ".join(f"`{each}`" for each in words[:-1]).replace("`based`", "`based on`")
        return slip.problem("unknown-word", message, f"each {what} begins with {named} or `{words[-1]}`", 0, end)
    return None


def _misspelt(slip: Slip) -> Diagnostic | None:
    """A word that is nearly one that could stand here."""
    word = _WORD.match(slip.rest)
    if not word or len(word.group()) < 4:
        return None
    words = {each for phrase in phrases(slip.accepts) for each in re.findall(r"`([a-z]{3,})", phrase)}
    near = nearest(word.group(), words)
    if not near or near.startswith(word.group()):
        return None
    return slip.problem("misspelt", f"`{word.group()}` is not a word of the language", f"did you mean `{near}`?")


def _unknown_line(slip: Slip) -> Diagnostic | None:
    """A line of a rule or an example whose first word is followed by another word."""
    words, what = WORDS_OF.get(slip.start, ((), ""))
    found = re.fullmatch(rf"({_NAME})\s+", slip.before)
    if not words or not found or found[1] in words or not re.match(r"\w", slip.rest):
        return None
    named = ", ".join(f"`{each}`" for each in words[:-1])
    hint = f"it begins with {named} or `{words[-1]}`" + (", or is `NAME = VALUE`" if slip.start == "line" else "")
    return slip.problem("unknown-word", f"no {what} begins with `{found[1]}`", hint, 0, len(found[1]))


def _plain(slip: Slip) -> Diagnostic:
    """What stands there and what was expected, where nothing better is known."""
    wanted = expected(slip.accepts)
    label = f"expected {wanted}" if wanted else ""
    piece = _PIECE.match(slip.text, slip.at)
    if not piece:
        return slip.problem("unfinished-line", "the line ends too early", _form(slip), label=label)
    if piece.group() in RESERVED:
        message = f"`{piece.group()}` does not fit here: it {RESERVED[piece.group()]}"
    elif piece.group().startswith('"'):
        message = "a text does not fit here"
    else:
        message = f"`{_cut(piece.group())}` does not fit here"
    return slip.problem("unexpected", message, _form(slip), label=label)


def _form(slip: Slip) -> str | None:
    """How a line that begins so is written."""
    word = _WORD.match(slip.text)
    if not word or word.group() not in WORDS_OF.get(slip.start, ((), ""))[0]:
        return None
    form = FORMS.get(word.group())
    return f"such a line is written `{form}`" if form else None


def _cut(word: str) -> str:
    return word if len(word) <= 40 else word[:39] + "…"


_CHEAP_LOOKS: tuple[Callable[[Slip], Diagnostic | None], ...] = (
    _character, _long_name, _unclosed_text, _unclosed_bracket, _sign,
)  # fmt: skip
_LOOKS = (*_CHEAP_LOOKS, _reserved, _capitals, _first_word, _misspelt, _pattern, _unknown_line)
