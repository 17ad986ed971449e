"""Where rulesets come from: files on disk, and those that are bundled with the package.

In: what a user calls a file. Out: its `Source`. A path that exists comes first; a bundled name (`hive.rules` or `hive`)
is found from any folder. A file that another is based on lies beside it or is bundled: a stranger's ruleset reads no
other.
"""

import re
from collections.abc import Callable
from importlib.resources import files
from importlib.resources.abc import Traversable
from os import PathLike, fspath
from os.path import exists, isdir, isfile
from pathlib import Path

from rulesrun.diagnostics import RulesError, Source
from rulesrun.limits import in_force
from rulesrun.suggestions import nearest

RULES = ".rules"
CHARACTER = ".yaml"
SYSTEMS = ("hive.rules", "polity.rules", "gifts.rules", "twist.rules")
"""The bundled rulesets that are whole games; the others show single mechanics, or change one of these."""

_DIE = re.compile(r"^(?![\w.]+\s*=)(?:.*[\s+-])?[0-9]*d(?:[0-9]|%|F\b|[ \t]*[({])")

Resolve = Callable[[str], Source]
"""Finds the file that a `based on` names; raises `RulesError`, without a place, if it may not or cannot be read."""


def bundled(suffix: str = RULES) -> tuple[str, ...]:
    """The names of the bundled files with this suffix, in alphabetical order."""
    return tuple(sorted(each.name for each in _shelf().iterdir() if each.name.endswith(suffix)))


def bundled_text(name: str) -> str:
    """The text of a bundled file, by its full name."""
    return (_shelf() / name).read_text(encoding="utf-8")


def find_bundled(name: str, suffix: str = RULES) -> str | None:
    """The full name of the bundled file that is called so, with or without its suffix; None if there is none."""
    names = bundled(suffix)
    return next((each for each in (name, name + suffix) if each in names), None)


def is_ruleset(name: str) -> bool:
    """Whether a word of a command means a file, or dice thrown without one."""
    return is_file(name) or is_throw(name)


def is_file(name: str) -> bool:
    """Whether a word of a command means a file: it ends in `.rules`, or exists, or is bundled."""
    return name.endswith(RULES) or name == "-" or exists(name) or find_bundled(name) is not None


def is_throw(name: str) -> bool:
    """Whether a word of a command means dice thrown without a file: something in it is a die, as in `2d20kh1 + 5`."""
    return _DIE.search(name) is not None and not is_file(name)


def read_ruleset(file: str | PathLike[str]) -> Source:
    """The source of a path or, if nothing of that name exists, of a bundled name."""
    name = fspath(file)
    path = Path(name)
    if exists(path):
        return _read(path, name)
    if found := find_bundled(name):
        return Source.of_text(found, bundled_text(found))
    raise RulesError.of(f"there is no file {name}", code="no-file", hint=_nearest_file(path), file=None)


def read_character_file(file: str | PathLike[str]) -> Source:
    """The source of a character: a path or, if nothing of that name exists, a bundled name (`armistad.yaml`)."""
    name = fspath(file)
    path = Path(name)
    if exists(path):
        return _read(path, name, "a character")
    if found := find_bundled(name, CHARACTER):
        return Source.of_text(found, bundled_text(found))
    raise RulesError.of(f"there is no character {name}", code="no-file", hint=_nearest_character(path))


def resolver(file: str | PathLike[str] | None) -> Resolve:
    """Finds what a ruleset is based on: beside the file, never outside its folder, else among the bundled.

    Without a file (a text, standard input, a bundled ruleset) only the bundled ones are found.
    """
    folder = Path(file).parent if file is not None and exists(file) else None

    def resolve(name: str) -> Source:
        if folder is not None:
            path = folder / name
            if Path(name).is_absolute() or not path.resolve().is_relative_to(folder.resolve()):
                raise RulesError.of(f'"{name}" lies outside the folder of this file', code="outside")
            if exists(path):
                if not isfile(path):
                    raise RulesError.of(f'"{name}" is no plain file', code="no-file")
                return _read(path, str(path))
        if found := find_bundled(name):
            return Source.of_text(found, bundled_text(found))
        raise RulesError.of(
            f'there is no file "{name}" beside this one', code="no-file", hint=_nearest_file(Path(name))
        )

    return resolve


def _shelf() -> Traversable:
    return files("rulesrun.rulesets")


def _read(path: Path, name: str, what: str = "a ruleset") -> Source:
    try:
        if isdir(path):
            raise RulesError.of(f"{name} is a folder, not {what}", code="folder", hint="name a file in it")
        with path.open("rb") as stream:
            data = stream.read(4 * in_force.get().characters + 4)
    except OSError as error:
        raise RulesError.of(f"{name} cannot be read: {error.strerror}", code="unreadable") from None
    return Source.of_bytes(name, data)


def _beside(path: Path, suffix: str) -> list[str]:
    """The names of the files with this suffix in the folder of a path."""
    try:
        return [each.name for each in path.parent.iterdir() if each.name.endswith(suffix) and exists(each)]
    except OSError:
        return []


def _nearest_character(path: Path) -> str:
    near = nearest(path.name, [*_beside(path, CHARACTER), *bundled(CHARACTER)])
    return f"did you mean {near}?" if near else "a character is a YAML file; `rulesrun list` names the bundled ones"


def _nearest_file(path: Path) -> str:
    beside = _beside(path, RULES)
    near = nearest(path.name, [*beside, *bundled(), *(each.removesuffix(RULES) for each in bundled())])
    return f"did you mean {near}?" if near else "`rulesrun list` shows the bundled rulesets"
