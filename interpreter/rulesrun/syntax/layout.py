"""Lines and blocks: the lexer's tokens in, the same tokens with `_INDENT` and `_DEDENT` out.

A line inside brackets continues. A block may be indented by spaces or by tabs, not by both. The depth of brackets and
of blocks and the length of a line are bounded, so that no text can exhaust the stages behind. The tokens of line ends
and blocks are put at the end of the last word before them, so that no part of the tree spans blanks, comments or
empty lines.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NoReturn

from lark import Token
from lark.lark import PostLex

from rulesrun.limits import in_force

OPENING = {"LPAR": ")", "LSQB": "]", "LBRACE": "}", "_IN_BRACKET": ")"}
CLOSING = {"RPAR", "RSQB", "RBRACE"}


class LayoutSlip(Exception):
    """Where the layout is broken: offsets into the text, and what to say."""

    def __init__(self, start: int, end: int, message: str, code: str, hint: str) -> None:
        super().__init__(message)
        self.start, self.end, self.message, self.code, self.hint = start, end, message, code, hint


class Layout(PostLex):
    """Holds no state between texts.

    `always_accept` lets the contextual lexer read line ends everywhere, and names: so that no word is cut where a
    keyword ends (`keephighest`).
    """

    always_accept = ("_NL", "NAME")

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        """The tokens with `_INDENT` and `_DEDENT`; raises `LayoutSlip` where the layout is broken."""
        blocks = [""]
        brackets: list[Token] = []
        words = end = 0
        limits = in_force.get()
        for token in stream:
            if token.type == "_NL":
                if not brackets:
                    words = 0
                    yield _moved("_NL", token, end)
                    yield from _open_and_close(token, blocks, end)
                continue
            end = token.end_pos or 0
            words += 1
            if words > limits.words:
                hint = "compute parts of it on lines of their own, or `--limit words=N`"
                _fail(token, f"more than {limits.words:,} words and signs on one line", "too-long", hint)
            if token.type in OPENING:
                brackets.append(token)
                if len(brackets) > limits.brackets:
                    hint = "compute parts of it on lines of their own, or `--limit brackets=N`"
                    _fail(token, f"brackets nest deeper than {limits.brackets}", "too-deep", hint)
            elif token.type in CLOSING:
                if not brackets:
                    hint = "take it out, or open a bracket before it"
                    _fail(token, f"`{token}` closes nothing", "bracket-not-open", hint)
                opened = brackets.pop()
                if OPENING[opened.type] != token:
                    hint = f"write `{OPENING[opened.type]}`"
                    _fail(token, f"`{token}` does not close `{opened[-1]}`", "bracket-mismatch", hint)
            yield token
        if brackets:
            token = brackets[-1]
            hint = f"add `{OPENING[token.type]}` where it ends"
            _fail(token, f"`{token[-1]}` is never closed", "bracket-not-closed", hint)
        for _ in blocks[1:]:
            yield Token("_DEDENT", "", start_pos=end, end_pos=end)


def _moved(kind: str, token: Token, end: int) -> Token:
    """A token of this kind with a line end's text, put where the last word ended."""
    return Token(kind, str(token), start_pos=end, end_pos=end)


def _open_and_close(line: Token, blocks: list[str], end: int) -> Iterator[Token]:
    """The blocks that a new line opens or closes."""
    indent = line.rsplit("\n", 1)[1]
    if indent == blocks[-1]:
        return
    if ("\t" in indent and " " in indent) or (blocks[-1] and indent and indent[0] != blocks[-1][0]):
        _fail(line, "tabs and spaces are mixed in one block", "mixed-indentation", "indent with spaces only")
    if len(indent) > len(blocks[-1]):
        blocks.append(indent)
        if len(blocks) - 1 > in_force.get().blocks:
            hint = "make the inner part a rule of its own, or `--limit blocks=N`"
            _fail(line, f"blocks nest deeper than {in_force.get().blocks}", "too-deep", hint)
        yield _moved("_INDENT", line, end)
        return
    while len(blocks[-1]) > len(indent):
        blocks.pop()
        yield _moved("_DEDENT", line, end)
    if blocks[-1] != indent:
        hint = "begin it where the other lines of its block begin"
        _fail(line, "this line begins between two blocks", "indentation", hint)


def _fail(token: Token, message: str, code: str, hint: str) -> NoReturn:
    start, end = token.start_pos or 0, token.end_pos or 0
    if token.type == "_NL":
        start = max(start, end - len(token.rsplit("\n", 1)[1]))
        end = max(end, start + 1)
    raise LayoutSlip(start, end, message, code, hint)
