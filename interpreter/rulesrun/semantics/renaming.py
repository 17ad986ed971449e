"""Copies of plan parts under other names: how the steps of a rolled rule become steps of the rule that rolls it.

In: steps, expressions, domains. Out: equal parts in which names begin with a prefix, or stand for other expressions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar, cast

from rulesrun.record import changed, field_names

from . import plan

T = TypeVar("T")

NAMED = frozenset({"name", "drawn", "kept", "bag", "turn", "reroll_of"})
"""The fields of steps that hold flat names, one or several; so does `names`."""


def prefixed(part: T, prefix: str) -> T:
    """The part with `prefix` and a dot before every name in it."""
    return renamed(part, lambda name: f"{prefix}.{name}")


def renamed(part: T, rename: Callable[[str], str]) -> T:
    """The part with all its names changed."""
    return cast(T, _renamed(part, rename))


def _renamed(part: Any, rename: Callable[[str], str]) -> Any:
    if isinstance(part, tuple):
        return tuple(_renamed(each, rename) for each in part)
    if isinstance(part, plan.Var):
        return changed(part, name=rename(part.name))
    if (fields := _fields(part)) is None:
        return part
    new: dict[str, Any] = {}
    for name in fields:
        value = getattr(part, name)
        if isinstance(part, plan.Step) and name in NAMED:
            several = isinstance(value, tuple)
            new[name] = None if value is None else tuple(map(rename, value)) if several else rename(value)
        elif isinstance(part, plan.Invoke | plan.Repeat) and name == "names":
            new[name] = tuple(map(rename, value))
        else:
            new[name] = _renamed(value, rename)
    return type(part)(**new)


def replaced(part: T, values: Mapping[str, plan.Expression]) -> T:
    """The part with these names replaced by expressions."""
    return rebuilt(part, lambda each: values.get(each.name) if isinstance(each, plan.Var) else None)


def of_setting(part: T, setting: str) -> T:
    """The part with its constants marked as those of a setting."""
    return rebuilt(part, lambda each: changed(each, setting=setting) if isinstance(each, plan.Const) else None)


def rebuilt(part: T, instead: Callable[[Any], Any]) -> T:
    """The part with some of its parts replaced, outer ones first: `instead` gives what stands for one, None: itself."""
    return cast(T, _rebuilt(part, instead))


def _rebuilt(part: Any, instead: Callable[[Any], Any]) -> Any:
    if isinstance(part, tuple):
        return tuple(_rebuilt(each, instead) for each in part)
    if (fields := _fields(part)) is None:
        return part
    if (found := instead(part)) is not None:
        return found
    return type(part)(**{name: _rebuilt(getattr(part, name), instead) for name in fields})


def parts(part: object) -> Iterator[object]:
    """A part of a plan and everything in it, outer parts first."""
    waiting = [part]
    while waiting:
        each = waiting.pop()
        if isinstance(each, tuple):
            waiting.extend(reversed(each))
        elif fields := _fields(each):
            yield each
            waiting.extend([getattr(each, name) for name in reversed(fields)])


def names_in(part: object) -> frozenset[str]:
    """The names that a part reads."""
    return frozenset([each.name for each in parts(part) if isinstance(each, plan.Var)])


def _fields(part: object) -> tuple[str, ...] | None:
    """The fields of a part of a plan; None for anything else, places included."""
    of = type(part)
    if of not in _FIELDS:
        is_part = of.__module__ == plan.__name__ and hasattr(of, "__match_args__")
        _FIELDS[of] = field_names(part) if is_part else None
    return _FIELDS[of]


_FIELDS: dict[type, tuple[str, ...] | None] = {}
