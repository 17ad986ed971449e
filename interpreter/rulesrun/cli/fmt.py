"""`rulesrun fmt [--check] FILE...`: rulesets in their canonical layout; comments stay, and so do line endings."""

from __future__ import annotations

from os.path import exists
from pathlib import Path

from rulesrun.cli.arguments import Call
from rulesrun.cli.terminal import Terminal
from rulesrun.diagnostics import RulesError, Source
from rulesrun.library import read_ruleset
from rulesrun.syntax.layout_text import format_text


def run(call: Call, terminal: Terminal) -> int:
    """Lay out every file, or say which would change: then 1; 2 if one cannot be read, after the others are done."""
    lay_out = check if "check" in call.switches else write
    status = 0
    for file in call.files:
        try:
            changes = lay_out(file, terminal)
        except RulesError as error:
            terminal.complain(error.diagnostics)
            status = 2
        else:
            status = max(status, 1 if changes and lay_out is check else 0)
    return status


def check(file: str, terminal: Terminal) -> bool:
    """Whether the layout of a file would change; says so if it does."""
    before = _text(file, terminal)
    changes = _laid_out(_source(file, before), before) != before
    if changes:
        terminal.say(f"{_shown(file)}: the layout would change")
    return changes


def write(file: str, terminal: Terminal) -> bool:
    """Lays out a file in its place, standard input onto standard output; whether the text has changed."""
    before = _text(file, terminal)
    after = _laid_out(_source(file, before), before)
    if file == "-":
        terminal.stdout.write(after)
    elif after != before:
        if not exists(file):
            raise RulesError.of(
                f"{file} is bundled and stays as it is", code="bundled", hint=f"rulesrun copy {file} takes a copy"
            )
        try:
            Path(file).write_bytes(after.encode())
        except OSError as error:
            raise RulesError.of(f"{file} cannot be written: {error.strerror}", code="unwritable") from None
        terminal.say(f"{file}: laid out")
    return after != before


def _text(file: str, terminal: Terminal) -> str:
    """The text as it is kept, line endings and all."""
    if file == "-":
        data = terminal.read_input()
    elif exists(file):
        read_ruleset(file)  # refuses what is no file, or too long
        data = Path(file).read_bytes()
    else:
        return read_ruleset(file).text
    Source.of_bytes(_shown(file), data)  # refuses what is no text
    return data.decode()


def _source(file: str, text: str) -> Source:
    return Source.of_text(_shown(file), text)


def _laid_out(source: Source, before: str) -> str:
    """The text in its canonical layout, with the line endings that the first line has."""
    after = format_text(source)
    first = before.partition("\n")[0]
    return after.replace("\n", "\r\n") if first.endswith("\r") else after


def _shown(file: str) -> str:
    return "<stdin>" if file == "-" else file
