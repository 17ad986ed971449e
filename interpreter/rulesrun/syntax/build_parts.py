"""What all builders share: places, words, numbers, and the bounds on them.

In: Lark's tokens and places. Out: parts of our own tree; `problems` where a number or a nesting is beyond the bounds.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, TypeVar

from lark import Token, Transformer_NonRecursive, v_args
from lark.tree import Meta

from rulesrun.diagnostics import Diagnostic, Label, Severity, Source, Span
from rulesrun.limits import in_force

from . import nodes as n

RAISE_SIDES = "`--limit sides=N` raises the limit for files of your own"

P = TypeVar("P", bound=n.Part)


@v_args(meta=True)
class Parts(Transformer_NonRecursive[Token, Any]):
    """One use for one text. Every method gets the place of its grammar rule and the parts that the grammar keeps."""

    def __init__(self, source: Source) -> None:
        super().__init__()
        self.source = source
        self.problems: list[Diagnostic] = []
        """What is wrong though the grammar admits it; the tree is worth nothing if there is any."""
        self._limits = in_force.get()
        self._faces = 0
        self._depths: dict[int, tuple[int, n.Part]] = {}

    def _refuse(self, code: str, span: Span, message: str, hint: str | None = None) -> None:
        self.problems.append(Diagnostic(code, Severity.ERROR, message, Label(span), hint=hint))

    def _at(self, meta: Meta) -> Span:
        return self.source.span(0, 0) if meta.empty else self.source.span(meta.start_pos, meta.end_pos)

    def _span(self, token: Token) -> Span:
        start = token.start_pos or 0
        return self.source.span(start, start + len(token))

    def _word(self, token: Token) -> n.Word:
        return n.Word(self._span(token), str(token))

    def _text(self, token: Token | None) -> str:
        """What stands between the quotes; empty where no text is written."""
        return str(token)[1:-1] if token is not None else ""

    def _literal(self, token: Token) -> Any:
        """A token's text, where the grammar admits just the words that the tree's field admits."""
        return str(token)

    def _deep(self, part: P, *inner: n.Part | None) -> P:
        """Remembers how deep a part nests (and keeps it, so that its id stays its own) and refuses what is too deep."""
        depth = 1 + max((self._depths[id(each)][0] for each in inner if id(each) in self._depths), default=0)
        if depth > self._limits.nesting and all(each.code != "too-deep" for each in self.problems):
            hint = "name parts of it on lines of their own; many numbers are `sum of [1, 2, 3]`; or `--limit nesting=N`"
            self._refuse("too-deep", part.span, f"this nests deeper than {self._limits.nesting}", hint)
        self._depths[id(part)] = (depth, part)
        return part

    def _in_order(self, modifiers: Sequence[P]) -> tuple[P, ...]:
        """The modifiers of a throw, each of which works on what the ones before it leave; too many are refused."""
        most = self._limits.nesting
        if len(modifiers) > most and all(each.code != "too-deep" for each in self.problems):
            hint = "name what is left by then, `left = highest 3 of pool`, and go on from there; or `--limit nesting=N`"
            self._refuse("too-deep", modifiers[most].span, f"more than {most} modifiers one after the other", hint)
        return tuple(modifiers)

    def _listed(self, span: Span, faces: int) -> bool:
        """Whether so many faces may be listed one by one; says once if not."""
        self._faces += faces
        most, together = self._limits.faces, self._limits.all_faces
        if faces <= most and self._faces <= together:
            return True
        if all(each.code != "too-many-faces" for each in self.problems):
            message = f"a die of {faces:,} written faces, where at most {most:,} are read"
            if faces <= most:
                message = f"more than {together:,} faces in the ranges of one file"
            name = "faces" if faces > most else "all_faces"
            self._refuse("too-many-faces", span, message, f"a die from 1 up is `d100`; or `--limit {name}=N`")
        return False

    # ------------------------------------------------------------ numbers

    def _value(self, token: Token) -> Fraction:
        """The number of a token such as `3`, `0.25`, `35%`."""
        return self._digits(token.removesuffix("%"), self._span(token)) / (100 if token.endswith("%") else 1)

    def _digits(self, digits: str, span: Span) -> Fraction:
        if len(digits) > self._limits.digits:
            message = f"a number of {len(digits):,} digits, where at most {self._limits.digits:,} are read"
            self._refuse("too-long", span, message, "write it as a power or a product, or `--limit digits=N`")
            return Fraction(1)
        return Fraction(digits)

    def _sides(self, digits: str, span: Span) -> Fraction:
        """The number of sides of a die."""
        number = self._digits(digits, span)
        if number > self._limits.sides:
            self._refuse("too-many-sides", span, "a die of so many sides is not read", RAISE_SIDES)
        return number

    def _whole(self, token: Token) -> int:
        if "." in token:
            hint = f"write `{token.partition('.')[0]}`"
            self._refuse("whole-number", self._span(token), "a whole number belongs here", hint)
        return int(self._digits(str(token), self._span(token)))

    def _times(self, token: Token | None) -> int:
        """The number of a token such as `x3`; 1 where none is written."""
        return int(self._digits(token[1:].strip(), self._span(token))) if token is not None else 1

    def number(self, meta: Meta, parts: list[Any]) -> n.Number:
        return n.Number(self._at(meta), self._value(parts[0]))

    def number_literal(self, meta: Meta, parts: list[Any]) -> n.Number:
        tokens = [part for part in parts if part is not None]
        numbers = [self._value(token) for token in tokens if token.type in ("NUMBER", "PERCENT")]
        if len(numbers) == 2 and numbers[1] == 0:
            self._refuse("division-by-zero", self._at(meta), "division by zero")
            numbers.pop()
        value = numbers[0] / numbers[1] if len(numbers) == 2 else numbers[0]
        return n.Number(self._at(meta), -value if tokens[0].type == "MINUS" else value)
