"""The streams of a command: where results and errors go, and what a terminal allows that a pipe does not."""

from __future__ import annotations

import io
import os
import re
import sys
from collections.abc import Iterable
from typing import TextIO

from rulesrun.cli.progress import Progress
from rulesrun.diagnostics import Diagnostic, RulesError
from rulesrun.record import record
from rulesrun.render.layout import Paint
from rulesrun.render.problems import problems_text

MOST_PROBLEMS = 100
"""Nobody reads more at once."""

_HIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]")
"""What a terminal would obey instead of showing it."""

_OWN = re.compile(r"(\x1b\[(?:0|1|2|36|1;31|1;32|1;33)m)")
"""The colours that `Paint` writes."""


def visible(text: str, colours: bool) -> str:
    """The text with everything that a terminal would obey made visible (`\\u001b`); colours of our own stay if wanted.

    Texts come from files of strangers, names of files and typed words.
    """
    if _HIDDEN.search(text) is None:
        return text
    parts = _OWN.split(text) if colours else [text]
    return "".join(part if place % 2 else _HIDDEN.sub(_escaped, part) for place, part in enumerate(parts))


def _escaped(found: re.Match[str]) -> str:
    return f"\\u{ord(found.group()):04x}"


@record
class Terminal:
    """Standard input, output and error of one command, with the colours that each of the last two allows."""

    stdin: TextIO
    stdout: TextIO
    stderr: TextIO
    paint: Paint
    error_paint: Paint

    @classmethod
    def of_process(cls) -> Terminal:
        """The streams of this process; colours only on a terminal, and none where NO_COLOR is set."""
        stdin, stdout, stderr = (stream or io.StringIO() for stream in (sys.stdin, sys.stdout, sys.stderr))
        for stream in (stdout, stderr):
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(encoding="utf-8", errors="backslashreplace")
        return cls(stdin, stdout, stderr, _paint(stdout), _paint(stderr))

    def say(self, text: str = "") -> None:
        """A result, on standard output."""
        print(visible(text, self.paint.on), file=self.stdout)

    def write(self, text: str) -> None:
        """A part of a result, on standard output at once."""
        self.stdout.write(_HIDDEN.sub(_escaped, text))
        self.stdout.flush()

    def say_json(self, data: object) -> None:
        """A result for programs, on one line of standard output."""
        from json import dumps

        print(_HIDDEN.sub(_escaped, dumps(data, ensure_ascii=False)), file=self.stdout)

    def note(self, text: str) -> None:
        """Something beside the result, on standard error."""
        print(visible(text, self.error_paint.on), file=self.stderr)

    def complain(self, problems: Iterable[Diagnostic]) -> None:
        """Diagnostics, on standard error; of very many the first."""
        found = list(problems)
        self.note(problems_text(found[:MOST_PROBLEMS], self.error_paint))
        if len(found) > MOST_PROBLEMS:
            self.note(f"\n{len(found) - MOST_PROBLEMS:,} more are not shown")

    def flush(self) -> None:
        """Write out what has been said; raises BrokenPipeError if nobody reads it any more."""
        self.stdout.flush()

    def silence(self) -> None:
        """Say nothing more: the reader of standard output has left."""
        os.dup2(os.open(os.devnull, os.O_WRONLY), self.stdout.fileno())

    def read_input(self) -> bytes:
        """All of standard input."""
        return self.stdin.buffer.read() if isinstance(self.stdin, io.TextIOWrapper) else self.stdin.read().encode()

    def ask(self, question: str) -> str:
        """A line from the person at the terminal; an error where there is no terminal to ask on."""
        if not self.stdin.isatty():
            raise RulesError.of("nobody can be asked: standard input is not a terminal", hint="choose a policy instead")
        print(visible(question, self.error_paint.on), end=" ", file=self.stderr, flush=True)
        answer = self.stdin.readline()
        if not answer:
            raise KeyboardInterrupt
        return answer.strip()

    def progress(self, total: int, streams: bool = False) -> Progress:
        """Shows how much of a total is done: a bar on a terminal, nothing elsewhere, or where results stream to it."""
        return Progress(self.stderr, total, shown=not (streams and self.stdout.isatty()))


def _paint(stream: TextIO) -> Paint:
    return Paint(stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb")
