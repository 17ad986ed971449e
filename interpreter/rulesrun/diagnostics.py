"""Where something stands in a ruleset and what is wrong with it.

In: the text of a ruleset. Out: a `Source` with normalised text, `Span`s into it, `Diagnostic`s about spans, and
`RulesError`, the one exception that users of the package have to know. Nothing here renders or prints.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from enum import Enum

from rulesrun.limits import in_force
from rulesrun.record import field, record

_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


@record
class Source:
    """The text of one file: no BOM, every line ending a single newline, no control characters but newline and tab.

    Make one with `Source.of_text` or `Source.of_bytes`. Two sources are equal only if they are the same object, so
    spans compare and hash without looking at the text.
    """

    name: str
    text: str = field(repr=False)
    line_starts: tuple[int, ...] = field(repr=False)

    __eq__ = object.__eq__
    __hash__ = object.__hash__

    @classmethod
    def of_text(cls, name: str, text: str) -> Source:
        """The source of a text; raises `RulesError` for control characters and for texts that are too long."""
        source = cls._of_lines(name, text)
        text, most = source.text, in_force.get().characters
        if len(text) > most:
            raise RulesError.of(
                f"{name} is too long: at most {most:,} characters are read",
                code="too-long",
                span=Span(source, most, most + 1),
                label="they end here",
                hint="`--limit characters=N` raises it for files of your own",
            )
        if bad := _CONTROL.search(text):
            code = ord(bad.group())
            turns = code > 0x2000
            raise RulesError.of(
                f"a character (U+{code:04X}) that turns the direction of text: what is shown is not what stands here"
                if turns
                else f"a control character (U+{code:04X}) in the text: this is not a plain text file",
                code="control-character",
                hint="take it out; letters of any script need none" if turns else None,
                span=Span(source, bad.start(), bad.end()),
            )
        return source

    @classmethod
    def _of_lines(cls, name: str, text: str) -> Source:
        text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
        return cls(name, text, (0, *(match.end() for match in re.finditer("\n", text))))

    @classmethod
    def of_bytes(cls, name: str, data: bytes) -> Source:
        """The source of a file's bytes, which must be UTF-8; raises `RulesError` where they are not."""
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            source = cls._of_lines(name, error.object.decode("utf-8", "replace"))
            at = len(cls._of_lines(name, error.object[: error.start].decode("utf-8")).text)
            offset = error.start + len(data) - len(error.object)
            raise RulesError.of(
                f"{name} is not a text file in UTF-8 (byte {data[offset]:#04x} at offset {offset})",
                code="not-utf-8",
                span=Span(source, at, at + 1),
                hint="save it as UTF-8",
            ) from None
        return cls.of_text(name, text)

    @property
    def lines(self) -> tuple[str, ...]:
        """The lines without their newlines; a text that ends in a newline has an empty last line."""
        return tuple(self.text.split("\n"))

    def line(self, number: int) -> str:
        """The line with this number, counted from 1, without its newline."""
        start = self.line_starts[number - 1]
        end = self.line_starts[number] - 1 if number < len(self.line_starts) else len(self.text)
        return self.text[start:end]

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset, both counted from 1; columns count characters."""
        line = bisect_right(self.line_starts, offset)
        return line, offset - self.line_starts[line - 1] + 1

    def span(self, start: int, end: int) -> Span:
        """The span from one offset up to, not including, another."""
        return Span(self, start, end)


@record
class Span:
    """A stretch of a source: `start` included, `end` not, both offsets into `source.text`."""

    source: Source
    start: int
    end: int

    @property
    def text(self) -> str:
        """What stands there."""
        return self.source.text[self.start : self.end]

    @property
    def line(self) -> int:
        """The line of the first character, counted from 1."""
        return self.source.position(self.start)[0]

    @property
    def column(self) -> int:
        """The column of the first character, counted from 1."""
        return self.source.position(self.start)[1]

    @property
    def end_line(self) -> int:
        """The line of the place just after the last character."""
        return self.source.position(self.end)[0]

    @property
    def end_column(self) -> int:
        """The column of the place just after the last character."""
        return self.source.position(self.end)[1]

    def to(self, other: Span) -> Span:
        """The span from the start of this one to the end of another in the same source."""
        return Span(self.source, self.start, other.end)


class Severity(Enum):
    """How bad it is: with an error nothing is rolled."""

    ERROR = "error"
    WARNING = "warning"


@record
class Label:
    """A span and what is to be said of it; the text may be empty."""

    span: Span
    text: str = ""


@record
class Diagnostic:
    """One problem, in the one shape that every stage uses.

    `code` is the stable name of the kind of problem (`unknown-name`). `primary` is the guilty part, None where no
    source is at fault, as in a call with a wrong input (`file` may then still name one); `secondary` are places that
    explain it ("first defined here"); `notes` are further facts, `hint` is the likely fix.
    """

    code: str
    severity: Severity
    message: str
    primary: Label | None = None
    secondary: tuple[Label, ...] = ()
    notes: tuple[str, ...] = ()
    hint: str | None = None
    file: str | None = None

    @property
    def is_error(self) -> bool:
        """Whether this is an error, not a warning."""
        return self.severity is Severity.ERROR


class RulesError(Exception):
    """What is wrong with a ruleset, an input or a call; every error of this package is one.

    `diagnostics` holds all problems found. `message`, `hint`, `file`, `line` and `column` are those of the first error
    among them; the last three are None where no source is at fault.
    """

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics: tuple[Diagnostic, ...] = tuple(diagnostics)
        first = next((each for each in self.diagnostics if each.is_error), self.diagnostics[0])
        span = first.primary.span if first.primary else None
        self.message: str = first.message
        self.hint: str | None = first.hint
        self.file: str | None = span.source.name if span else first.file
        self.line: int | None = span.line if span else None
        self.column: int | None = span.column if span else None
        super().__init__(self.diagnostics)

    @classmethod
    def of(
        cls,
        message: str,
        *,
        code: str = "call",
        span: Span | None = None,
        label: str = "",
        secondary: Iterable[Label] = (),
        notes: Iterable[str] = (),
        hint: str | None = None,
        file: str | None = None,
    ) -> RulesError:
        """An error with a single diagnostic."""
        primary = Label(span, label) if span else None
        return cls([Diagnostic(code, Severity.ERROR, message, primary, tuple(secondary), tuple(notes), hint, file)])

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.file, self.line, self.column) if part is not None)
        lines = [f"{place}: {self.message}" if place else self.message]
        if self.hint:
            lines.append(f"hint: {self.hint}")
        return "\n".join(lines)
