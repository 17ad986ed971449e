"""What a character states: its traits and the entries of its lists, before anything is worked out."""

from __future__ import annotations

from collections.abc import Mapping

from rulesrun.record import record
from rulesrun.semantics.plan import Constant, Number

MAX_NAME = 100
"""No name of an entry is longer."""


@record
class Entry:
    """An entry of a list: its name as the character writes it, its number (None in a list of bare names), its traits by
    their bare names; those that are not stated are absent.
    """

    name: str
    number: Number | None
    traits: Mapping[str, Constant]


@record
class State:
    """Traits by their flat names, those that are not stated absent; the entries of every list, in the file's order."""

    traits: Mapping[str, Constant]
    lists: Mapping[str, tuple[Entry, ...]]


def folded(name: str) -> str:
    """The name of an entry as it is compared: `Heavy-Weapons`, `heavy_weapons` and `heavy weapons` are the same."""
    plain = name.casefold().strip()
    return " ".join(plain.replace("_", " ").replace("-", " ").split()) or plain
