"""Lines and blocks: the lexer's tokens in, the same tokens with `_INDENT` and `_DEDENT` out.

A line inside brackets continues. A block may be indented by spaces or by tabs, not by both. The depth of brackets and of
blocks is bounded, so that no text can exhaust the stages behind.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NoReturn

from lark import Token
from lark.lark import PostLex

MAX_BRACKETS = 50
MAX_BLOCKS = 20

OPENING = {"LPAR": ")", "LSQB": "]", "LBRACE": "}", "_IN_BRACKET": ")"}
CLOSING = {"RPAR", "RSQB", "RBRACE"}


class LayoutSlip(Exception):
    """Where the layout is broken: offsets into the text, and what to say."""

    def __init__(self, start: int, end: int, message: str, code: str, hint: str) -> None:
        super().__init__(message)
        self.start, self.end, self.message, self.code, self.hint = start, end, message, code, hint


class Layout(PostLex):
    """Holds no state between texts; `always_accept` lets the contextual lexer read line ends everywhere."""

    always_accept = ("_NL",)

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        """The tokens with `_INDENT` and `_DEDENT`; raises `LayoutSlip` where the layout is broken."""
        blocks = [""]
        brackets: list[Token] = []
        last: Token | None = None
        for token in stream:
            last = token
            if token.type == "_NL":
                if not brackets:
                    yield token
                    yield from _open_and_close(token, blocks)
                continue
            if token.type in OPENING:
                brackets.append(token)
                if len(brackets) > MAX_BRACKETS:
                    _fail(token, f"brackets nest deeper than {MAX_BRACKETS}", "too-deep", "name parts of it on lines of their own")
            elif token.type in CLOSING:
                if not brackets:
                    _fail(token, f"`{token}` closes nothing", "bracket-not-open", "take it out, or open a bracket before it")
                opened = brackets.pop()
                if OPENING[opened.type] != token:
                    _fail(token, f"`{token}` does not close `{opened[-1]}`", "bracket-mismatch", f"write `{OPENING[opened.type]}`")
            yield token
        if brackets:
            token = brackets[-1]
            _fail(token, f"`{token[-1]}` is never closed", "bracket-not-closed", f"add `{OPENING[token.type]}` where it ends")
        for _ in blocks[1:]:
            yield Token.new_borrow_pos("_DEDENT", "", last) if last is not None else Token("_DEDENT", "")


def _open_and_close(line: Token, blocks: list[str]) -> Iterator[Token]:
    """The blocks that a new line opens or closes."""
    indent = line.rsplit("\n", 1)[1].split("#")[0]
    if indent == blocks[-1]:
        return
    if "\t" in indent and " " in indent or (blocks[-1] and indent and indent[0] != blocks[-1][0]):
        _fail(line, "tabs and spaces are mixed in one block", "mixed-indentation", "indent with spaces only")
    if len(indent) > len(blocks[-1]):
        blocks.append(indent)
        if len(blocks) > MAX_BLOCKS:
            _fail(line, f"blocks nest deeper than {MAX_BLOCKS}", "too-deep", "make the inner part a rule of its own")
        yield Token.new_borrow_pos("_INDENT", indent, line)
        return
    while len(blocks[-1]) > len(indent):
        blocks.pop()
        yield Token.new_borrow_pos("_DEDENT", indent, line)
    if blocks[-1] != indent:
        _fail(line, "this line begins between two blocks", "indentation", "begin it where the other lines of its block begin")


def _fail(token: Token, message: str, code: str, hint: str) -> NoReturn:
    start, end = token.start_pos or 0, token.end_pos or 0
    if token.type == "_NL":
        start = max(start, end - len(token.rsplit("\n", 1)[1]))
        end = max(end, start + 1)
    raise LayoutSlip(start, end, message, code, hint)
