"""The parser's tables: built from `grammar/rules.lark` once, then read from the user's cache folder.

What is cached is plain data (numbers, text, lists), never code, guarded by a checksum, and only in a file that
belongs to the user. A cache that is missing, broken or not writable is no error: the tables are built again, which
takes half a second.
"""

from __future__ import annotations

import hashlib
import marshal
import os
import sys
from functools import cache
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from threading import Lock
from typing import Any

from lark import Lark
from lark.grammar import Rule
from lark.lexer import TerminalDef

from .layout import Layout

STARTS = (
    "start", "alone_policy", "alone_value", "alone_setting", "alone_goal", "alone_throw",
    "system_fact", "level", "columns", "row", "line", "case", "roll_case", "outcome_line", "example_line",
    "sheet_line", "member", "entry_line", "budget_line", "sheet_update", "team_line",
)  # fmt: skip
"""What may be parsed: a file, a text that a caller gives, a line of each kind of block."""

OPTIONS: dict[str, Any] = {
    "start": list(STARTS), "parser": "lalr", "maybe_placeholders": True, "propagate_positions": True,
}  # fmt: skip


@cache
def parser() -> Lark:
    """The parser of the rules language, safe to share between threads."""
    grammar = files("rulesrun.grammar").joinpath("rules.lark").read_text(encoding="utf-8")
    path = _path(grammar)
    with _BUILDING:
        kept = _read(path) if path else None
        if kept is not None:
            return kept
        built = Lark(grammar, postlex=Layout(), **OPTIONS)
        if path:
            _write(path, built)
        return built


_BUILDING = Lock()
"""Lark reads a grammar by `ast.literal_eval`, which in CPython 3.11 fails where several threads are in it at once."""


def _path(grammar: str) -> Path | None:
    """Where the tables of this grammar, this Lark and this Python are kept; None where the user has no home."""
    told = f"{grammar}\0{OPTIONS}\0{Layout.always_accept}\0{version('lark')}\0{sys.version}"
    base = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    try:
        folder = Path(base) if base else Path.home() / ".cache"
    except RuntimeError:
        return None
    return folder / "rulesrun" / f"grammar-{hashlib.sha256(told.encode()).hexdigest()[:32]}"


def _read(path: Path) -> Lark | None:
    try:
        if hasattr(os, "getuid") and os.stat(path).st_uid != os.getuid():
            return None
        content = path.read_bytes()
        data = content[32:]
        if hashlib.sha256(data).digest() != content[:32]:
            return None
        tables: Any = marshal.loads(data)
        loaded: Lark = Lark.__new__(Lark)._load(tables, postlex=Layout())
        return loaded
    except Exception:  # whatever is wrong with a cache, the grammar itself is at hand
        return None


def _write(path: Path, built: Lark) -> None:
    try:
        data, memo = built.memo_serialize([TerminalDef, Rule])
        data["options"] = {name: value for name, value in data["options"].items() if name != "postlex"}
        content = marshal.dumps({"data": data, "memo": memo})
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        scratch = path.with_suffix(f".{os.getpid()}")
        scratch.write_bytes(hashlib.sha256(content).digest() + content)
        scratch.replace(path)
    except (OSError, ValueError, RuntimeError):
        return
