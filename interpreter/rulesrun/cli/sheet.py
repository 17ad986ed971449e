"""`rulesrun sheet FILE CHARACTER`: a character, judged; what it does; and its file, written back."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from rulesrun.cli.arguments import Call
from rulesrun.cli.characters import judged_character
from rulesrun.cli.rulesets import open_ruleset
from rulesrun.cli.terminal import Terminal
from rulesrun.diagnostics import RulesError
from rulesrun.record import record
from rulesrun.render.layout import wrap
from rulesrun.render.sheet import sheet_text, visible_broken
from rulesrun.render.sheet_json import sheet_json

if TYPE_CHECKING:
    from rulesrun.sheets.character import Character

DONE, FAILED, WRONG = 0, 1, 2


@record
class Told:
    """What may be said of an action: it was done (None), why it was refused, or that nobody else may know."""

    action: str
    refusal: str | None
    hidden: bool


def run(call: Call, terminal: Terminal) -> int:
    """Show the character, after what it does; 1 if a limit is broken or an action refused, 2 if the file is wrong."""
    if call.rule is not None or call.inputs:
        raise RulesError.of("one character at a time", hint=f"usage: {call.command.usage}")
    file, reveal = call.files[1], "reveal" in call.switches
    ruleset = open_ruleset(call.files[0], call, terminal)
    character = judged_character(call, ruleset, file)
    actions = call.lists.get("do", ())
    if "write" in call.switches:
        _must_be_writable(file, actions)
    if character.faults:
        _show(call, character, [], reveal, terminal)
        terminal.flush()
        terminal.complain(character.faults if reveal else character.discreet_faults)
        return WRONG
    told = []
    for action in actions:
        character, said = perform(character, action, reveal)
        told.append(said)
    if "write" in call.switches:
        _write(Path(file), character.to_yaml())
    _show(call, character, told, reveal, terminal)
    refused = any(each.refusal is not None for each in told)
    return FAILED if refused or visible_broken(character, reveal) else DONE


def perform(character: Character, action: str, reveal: bool) -> tuple[Character, Told]:
    """The character after an action, and what may be said of it: the same whatever came of it, if that is private."""
    from rulesrun.sheets.character import PrivateError

    try:
        done = character.done(action)
    except PrivateError:
        if reveal:
            raise
        return character, Told(action, None, True)
    hidden = done.private and not reveal
    return done.character, Told(action, None if hidden else done.refusal, hidden)


def _show(call: Call, character: Character, told: list[Told], reveal: bool, terminal: Terminal) -> None:
    if "json" in call.switches:
        actions = [{"action": each.action, "done": _done(each), "refusal": each.refusal} for each in told]
        terminal.say_json({**sheet_json(character, reveal), **({"actions": actions} if told else {})})
        return
    for each in told:
        for line in wrap(_said(each), rest="  "):
            terminal.say(line)
    if told:
        file = call.files[1]
        note = f"{file} is written" if "write" in call.switches else f"{file} is as it was; --write writes it"
        terminal.say(terminal.paint.faint(note) + "\n")
    terminal.say(sheet_text(character, reveal, terminal.paint))


def _done(each: Told) -> bool | None:
    return None if each.hidden else each.refusal is None


def _said(each: Told) -> str:
    if each.hidden:
        return f"{each.action}: what came of it is private; --reveal shows it"
    return f"{each.action}: done" if each.refusal is None else f"{each.action}: refused - {each.refusal}"


def _must_be_writable(file: str, actions: tuple[str, ...]) -> None:
    if not actions:
        raise RulesError.of("nothing was done that could be written", hint='--do "ACTION" does something')
    if not os.path.exists(file):
        name = file if file.endswith(".yaml") else f"{file}.yaml"
        raise RulesError.of(f"{file} is bundled, and stays as it is", hint=f"rulesrun copy {name} gives you your own")


def _write(path: Path, text: str) -> None:
    """Write a character file whole or not at all, with the line ends and the byte order mark that it had."""
    try:
        path = path.resolve()
        before = path.read_bytes()
        data = text.replace("\n", "\r\n" if b"\r\n" in before else "\n").encode()
        data = (b"\xef\xbb\xbf" if before.startswith(b"\xef\xbb\xbf") else b"") + data
        scratch = path.with_name(f".{path.name}.{os.getpid()}")
        try:
            scratch.write_bytes(data)
            scratch.chmod(path.stat().st_mode & 0o777)
            scratch.replace(path)
        finally:
            scratch.unlink(missing_ok=True)
    except OSError as error:
        raise RulesError.of(f"{path.name} cannot be written: {error.strerror}", code="unwritable") from None
