"""Syntax slips by example: what a line looks like around the place where the parser stops, and what to say then.

`slip_pattern` makes one; `dice_slips` and `line_slips` hold them. A pattern is a regular expression on the line in
which `‸` stands at the place; in it `NAME` and `DIE` stand for a name and for dice. Its group `bad` is the guilty
stretch, without it the word at the place is. In messages and hints `{group}` is what the group of that name holds,
and `{joined}` is `bad` with blanks and dashes made underscores.
"""

from __future__ import annotations

import re

from rulesrun.record import record

MARK = "\0"
"""Marks the place in a line; no source has it."""

_NAME = r"[^\W\d]\w*"
_DIE = r"[0-9]*d(?:[0-9]+|%|F\b|(?=[ \t]*[({]))"
_EDGES = str.maketrans("", "", MARK)


@record
class Pattern:
    """`starts`: the kinds of line (empty: any); `needs` and `lacks`: tokens that the parser would (not) have taken.

    The regular expression is compiled when a slip is looked for: most texts have none.
    """

    code: str
    starts: frozenset[str]
    regex: str
    message: str
    hint: str
    needs: frozenset[str]
    lacks: frozenset[str]

    def find(
        self, line: str, at: int, start: str, accepts: frozenset[str]
    ) -> tuple[int, int | None, str, str | None] | None:
        """The guilty stretch (no end: the word at its start), message and hint, if a line goes wrong in this way."""
        if (self.starts and start not in self.starts) or not self.needs <= accepts or self.lacks & accepts:
            return None
        match = re.search(self.regex, line[:at] + MARK + line[at:], re.DOTALL)
        if not match:
            return None
        words = {name: (text or "").translate(_EDGES).strip() for name, text in match.groupdict().items()}
        words["joined"] = re.sub(r"[\s-]+", "_", words.get("bad", ""))
        begin, end = match.span("bad") if "bad" in words else (-1, -1)
        message, hint = self.message.format(**words), self.hint.format(**words) if self.hint else None
        if begin < 0:
            return at, None, message, hint
        begin, end = begin - (begin > at), end - (end > at)
        while begin < end and line[begin].isspace():
            begin += 1
        while end > begin and line[end - 1].isspace():
            end -= 1
        return begin, end, message, hint


def slip_pattern(
    code: str, starts: str, regex: str, message: str, hint: str = "", *, needs: str = "", lacks: str = ""
) -> Pattern:
    """A pattern; the kinds of line and the tokens are separated by blanks."""
    written = regex.replace("‸", MARK).replace("NAME", _NAME).replace("DIE", _DIE)
    kinds, needed, lacking = (frozenset(each.split()) for each in (starts, needs, lacks))
    return Pattern(code, kinds, written, message, hint, needed, lacking)
