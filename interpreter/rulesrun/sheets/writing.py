"""A changed character as text: what is changed is written in its place, every other letter and comment stays.

In: the source of a character and edits, each a path of keys. Out: the new text. PyYAML says where each value stands,
so only those letters are replaced; a YAML library that writes whole documents would lose comments between brackets,
columns and blank lines.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from fractions import Fraction
from typing import TypeAlias

from rulesrun.diagnostics import RulesError, Source
from rulesrun.record import record
from rulesrun.sheets.document import Entries, Items, Node, Word, read_document

Path: TypeAlias = tuple[str, ...]

INDENT = 2
"""So many blanks are put before the keys of a group that is written for the first time."""

_PLAIN = re.compile(r"[^\W\d_](?:[\w '()./+-]*[\w')])?")
_OTHER_MEANING = {"yes", "no", "none", "true", "false", "on", "off", "null", "y", "n"}


@record
class Put:
    """A value, written as YAML writes it (`written`), that stands at a path from now on."""

    path: Path
    text: str


@record
class Take:
    """What stands at a path goes."""

    path: Path


@record
class Join:
    """One more item of the list at a path, which is begun if it is not there."""

    path: Path
    text: str


Edit: TypeAlias = Put | Take | Join


def written(value: int | Fraction | bool | str | None, is_text: bool = False) -> str:
    """A value as a character file writes it; `is_text` for a text, which is quoted where it would be read otherwise."""
    if isinstance(value, str):
        plain = _PLAIN.fullmatch(value) and not (is_text and value.casefold() in _OTHER_MEANING)
        return value if plain else json.dumps(value, ensure_ascii=False)
    if value is None or isinstance(value, bool):
        return {None: "none", True: "yes", False: "no"}[value]
    return str(value)


def edited(source: Source, edits: Iterable[Edit]) -> Source:
    """The source after all edits; raises `RulesError` where a place cannot be written to."""
    for edit in edits:
        root, _ = read_document(source)
        match edit:
            case Put():
                text = _put(source, root, edit)
            case Join():
                text = _joined(source, root, edit)
            case Take():
                text = _taken(source, root, edit)
        source = Source.of_text(source.name, text)
    return source


def _put(source: Source, root: Entries, edit: Put) -> str:
    here, path = root, edit.path
    while found := _value(here, path[0]):
        if len(path) == 1:
            return _replaced(source, found, edit)
        if isinstance(found, Word):
            return _filled(source, here, found, path[1:], edit)
        if not isinstance(found, Entries):
            raise _unwritable(source, edit)
        here, path = found, path[1:]
    return _added(source, here, path, edit)


def _value(entries: Entries, key: str) -> Node | None:
    return next((value for name, value in entries.pairs if name.text == key), None)


def _replaced(source: Source, found: Node, edit: Put) -> str:
    text, span = source.text, found.span
    if not isinstance(found, Word):
        raise _unwritable(source, edit)
    if span.start < span.end:
        return text[: span.start] + edit.text + text[span.end :]
    colon = "" if text[span.start - 1] == ":" else ":"
    return f"{text[: span.start]}{colon} {edit.text}{text[span.end :]}"


def _filled(source: Source, outer: Entries, found: Word, path: Path, edit: Put) -> str:
    """With keys for a key that has nothing behind it yet."""
    if found.text or not found.plain:
        raise _unwritable(source, edit)
    text, at = source.text, found.span.start
    if outer.flow:
        colon = "" if text[at - 1] == ":" else ":"
        return f"{text[:at]}{colon} {_in_braces(path, edit.text)}{text[at:]}"
    indent = _indent(outer) + INDENT
    return _with_lines(text, at, _lines(path, edit.text, indent))


def _added(source: Source, here: Entries, path: Path, edit: Put) -> str:
    text = source.text
    if not here.flow:
        return _with_lines(text, here.span.end, _lines(path, edit.text, _indent(here)))
    pair = _in_braces(path, edit.text)[1:-1]
    if not here.pairs:
        return f"{text[: here.span.start + 1]}{pair}{text[here.span.start + 1 :]}"
    at = here.pairs[-1][1].span.end
    return f"{text[:at]}, {pair}{text[at:]}"


def _joined(source: Source, root: Entries, edit: Join) -> str:
    text, found = source.text, _at(root, edit.path)
    if not isinstance(found, Items):
        return _put(source, root, Put(edit.path, f"[{edit.text}]"))
    if not found.flow:
        first = found.span.column - 1
        return _with_lines(text, found.span.end, f"{' ' * first}- {edit.text}\n")
    at = found.items[-1].span.end if found.items else found.span.start + 1
    return f"{text[:at]}{', ' if found.items else ''}{edit.text}{text[at:]}"


def _taken(source: Source, root: Entries, edit: Take) -> str:
    text, here = source.text, _at(root, edit.path[:-1])
    if isinstance(here, Entries):
        parts = [(name.text, name.span.start, value.span.end) for name, value in here.pairs]
    elif isinstance(here, Items):
        parts = [(each.text, each.span.start, each.span.end) for each in here.items if isinstance(each, Word)]
    else:
        raise _unwritable(source, edit)
    keys = [key for key, _, _ in parts]
    if edit.path[-1] not in keys:
        raise _unwritable(source, edit)
    place = keys.index(edit.path[-1])
    _, start, end = parts[place]
    if not here.flow:
        line_start = text.rfind("\n", 0, start) + 1
        return text[:line_start] + text[_line_end(text, end) :]
    if place + 1 < len(parts):
        end = parts[place + 1][1]
    elif place:
        start = parts[place - 1][2]
    return text[:start] + text[end:]


def _at(root: Entries, path: Path) -> Node | None:
    here: Node | None = root
    for key in path:
        here = _value(here, key) if isinstance(here, Entries) else None
    return here


def _indent(entries: Entries) -> int:
    return entries.pairs[0][0].span.column - 1


def _lines(path: Path, value: str, indent: int) -> str:
    """A line for each key of a path, each further in; the value stands behind the last."""
    keys = [f"{' ' * (indent + INDENT * depth)}{written(key, is_text=True)}:" for depth, key in enumerate(path)]
    return "\n".join(keys) + f" {value}\n"


def _in_braces(path: Path, value: str) -> str:
    for key in reversed(path):
        value = f"{{{written(key, is_text=True)}: {value}}}"
    return value


def _with_lines(text: str, after: int, lines: str) -> str:
    """The text with lines put in behind the line in which a place lies."""
    at = _line_end(text, after)
    joint = "" if at == 0 or text[at - 1] == "\n" else "\n"
    return text[:at] + joint + lines + text[at:]


def _line_end(text: str, at: int) -> int:
    """The start of the line behind the one of this place."""
    found = text.find("\n", at)
    return len(text) if found < 0 else found + 1


def _unwritable(source: Source, edit: Edit) -> RulesError:
    return RulesError.of(
        f"{': '.join(edit.path)} cannot be changed where it stands",
        code="unwritable",
        hint="write it as `name: value`, a line each",
        file=source.name,
    )
