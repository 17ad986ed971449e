"""Plans kept between runs, so that `rulesrun hive.rules` starts in the time that Python itself takes.

In: the source of a ruleset. Out: the plan that the same text was compiled to before, or None. A plan is found only for
exactly the same texts (its own and those it is based on) and exactly the same rulesrun and Python. What is read back
can make nothing but the parts of plans, and only a file that belongs to the user is read. A store that is missing,
broken or not writable is no error.
"""

from __future__ import annotations

import io
import os
import pickle
import sys
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any
from zlib import crc32

from rulesrun.diagnostics import RulesError, Source
from rulesrun.library import Resolve
from rulesrun.record import changed
from rulesrun.semantics.plan import RulesetPlan

if TYPE_CHECKING:
    from rulesrun.semantics.plan_sheet import Sheet

MOST = 64
"""So many plans are kept; the oldest go first."""

Bases = Mapping[str, Source]
"""What a ruleset is based on: the sources, by the names that `based on` calls them."""

_MODULES = ("rulesrun.semantics.plan", "rulesrun.semantics.plan_sheet", "rulesrun.diagnostics", "rulesrun.limits")
_OTHERS = {("fractions", "Fraction"), ("builtins", "dict"), ("builtins", "getattr")}
_PARTS = ("syntax", "semantics", "semantics/checks", "semantics/messages", ".")


def kept_plan(source: Source, resolve: Resolve) -> tuple[RulesetPlan, Bases] | None:
    """The plan of a source and what it is based on, if the same was compiled before."""
    path = _path(source)
    if path is None:
        return None
    try:
        if hasattr(os, "getuid") and os.stat(path).st_uid != os.getuid():
            return None
        data = path.read_bytes()
        if crc32(data[4:]) != int.from_bytes(data[:4]):
            return None
        stream = io.BytesIO(data[4:])
        state, text, bases = _Reader(stream).load()
        if (state, text) != (_state(), source.text):
            return None
        found = {name: resolve(name) for name in bases}
        if any(found[name].text != bases[name] for name in bases):
            return None
        plan = _Reader(stream).load()
        if not isinstance(plan, RulesetPlan):
            return None
        sheet = stream.read()
        return (changed(plan, sheet_part=KeptSheet(sheet)) if sheet else plan), found
    except RulesError:
        return None
    except Exception:  # whatever is wrong with what was kept, the ruleset itself is at hand
        return None


def keep_plan(source: Source, bases: Bases, plan: RulesetPlan) -> None:
    """Keeps a plan for the next time."""
    path = _path(source)
    if path is None:
        return
    try:
        stream = io.BytesIO()
        _Writer(stream).dump((_state(), source.text, {name: each.text for name, each in bases.items()}))
        _Writer(stream).dump(changed(plan, sheet_part=None))
        if plan.sheet is not None:
            _Writer(stream).dump(plan.sheet)
        data = stream.getvalue()
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        scratch = path.with_suffix(f".{os.getpid()}")
        scratch.write_bytes(crc32(data).to_bytes(4) + data)
        scratch.replace(path)
        _forget_oldest(path.parent)
    except (OSError, ValueError, RecursionError, pickle.PicklingError):
        return


class KeptSheet:
    """A sheet as it is kept: it is read when somebody asks for it."""

    __slots__ = ("_data", "_sheet")

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._sheet: Sheet | None = None

    def __call__(self) -> Sheet:
        if self._sheet is None:
            self._sheet = _Reader(io.BytesIO(self._data)).load()
        return self._sheet


def packed(plan: RulesetPlan) -> bytes:
    """A plan as bytes, for another process."""
    stream = io.BytesIO()
    _Writer(stream).dump(changed(plan, sheet_part=plan.sheet))
    return stream.getvalue()


def unpacked(data: bytes) -> RulesetPlan:
    """The plan that was packed."""
    plan: RulesetPlan = _Reader(io.BytesIO(data)).load()
    return plan


class _Writer(pickle.Pickler):
    """Writes plans; the read-only mappings in them as dictionaries."""

    def __init__(self, stream: io.BytesIO) -> None:
        super().__init__(stream, protocol=5)

    def reducer_override(self, each: object) -> Any:
        return (dict, (dict(each),)) if isinstance(each, MappingProxyType) else NotImplemented


class _Reader(pickle.Unpickler):
    """Reads what `_Writer` wrote; anything else than parts of plans is refused."""

    def find_class(self, module: str, name: str) -> Any:
        if (module in _MODULES and "." not in name) or (module, name) in _OTHERS:
            return super().find_class(module, name)
        raise pickle.UnpicklingError(f"{module}.{name} is no part of a plan")


def _path(source: Source) -> Path | None:
    """Where the plan of a source is kept; None where the user has no home."""
    base = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    try:
        folder = Path(base) if base else Path.home() / ".cache"
    except RuntimeError:
        return None
    told = f"{source.name}\0{source.text}".encode("utf-8", "surrogatepass")
    return folder / "rulesrun" / f"plan-{crc32(told):08x}-{len(told):x}"


def _state() -> str:
    """What makes plans: this Python, and every file of the package that reads and checks rulesets."""
    package = Path(__file__).parent
    files = []
    for part in _PARTS:
        with os.scandir(package / part) as entries:
            for each in entries:
                if each.name.endswith(".py"):
                    stat = each.stat()
                    files.append((each.name, stat.st_size, stat.st_mtime_ns))
    return f"{sys.version} {sorted(files)}"


def _forget_oldest(folder: Path) -> None:
    plans = sorted(folder.glob("plan-*"), key=lambda each: each.stat().st_mtime, reverse=True)
    for each in plans[MOST:]:
        each.unlink(missing_ok=True)
