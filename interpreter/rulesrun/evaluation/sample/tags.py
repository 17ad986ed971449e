"""What a die is beside its face, in one small number: its tag.

Tags stand in a list that a block of trials fills as it goes. A tag's die has the face 0; everything else of it is that
of the dice that bear the tag: sides, target, kind, and what it showed first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np

from rulesrun.evaluation.pools import Die, order
from rulesrun.evaluation.sample.columns import SMALL, Array, grouped, grouped_numbers
from rulesrun.semantics.plan import Face

Tag: TypeAlias = "int | Array"
"""One tag for all dice of a pool, or an array that broadcasts to its faces."""


class Tags:
    """The tags of a block. `natural`: whether first faces are told apart."""

    def __init__(self, natural: bool) -> None:
        self.natural = natural
        self.dice: list[Die] = []
        self._places: dict[Die, int] = {}
        self._ranks: Array = np.zeros(0, np.int64)
        self.of(Die(0))

    def of(self, die: Die) -> int:
        """The tag of a die, whatever its face."""
        die = Die(0, die.sides, die.target, die.kind, die.first if self.natural else None)
        place = self._places.get(die)
        if place is None:
            place = self._places[die] = len(self.dice)
            self.dice.append(die)
        return place

    def showing_first(self, tags: Tag, faces: Array, meaning: tuple[Face, ...] | None) -> Tag:
        """The tags of dice that are thrown for the first time, or anew, and show these faces."""
        if not self.natural or not faces.size:
            return tags
        shown: Sequence[int]
        low = int(faces.min())
        span = int(faces.max()) - low + 1
        if span >= SMALL // (len(self.dice) + 1):
            found = grouped_numbers(faces.reshape(-1))
            numbers, low, span = found.codes, 0, len(found.examples)
            shown = [int(each) for each in faces.reshape(-1)[found.examples]]
        else:
            numbers, shown = faces.reshape(-1).astype(np.int64) - low, range(low, low + span)
        keys = np.broadcast_to(tags, faces.shape).reshape(-1).astype(np.int64) * span + numbers
        groups = grouped(keys, len(self.dice) * span)
        marks = []
        for lane in groups.examples.tolist():
            tag, place = divmod(int(keys[lane]), span)
            face = shown[place]
            marks.append(self.of(self.dice[tag]._replace(first=face if meaning is None else meaning[face])))
        return np.array(marks, np.int64)[groups.codes].reshape(faces.shape)

    def changed(self, tags: Tag, change: Callable[[Die], Die]) -> Tag:
        """The tags of dice that are changed."""
        if isinstance(tags, int):
            return self.of(change(self.dice[tags]))
        table = np.zeros(len(self.dice), np.int64)
        for tag in _there(tags):
            table[tag] = self.of(change(self.dice[tag]))
        return table[tags]

    def looked_up(self, tags: Tag, kind: Any, what: Callable[[Die], Any]) -> Any:
        """Something about each die: one value if all have one tag, else an array of a kind of numbers."""
        if isinstance(tags, int):
            return what(self.dice[tags])
        table = np.zeros(len(self.dice), kind)
        for tag in _there(tags):
            table[tag] = what(self.dice[tag])
        return table[tags]

    def ranks(self) -> Array:
        """The place of each tag among all, from the lowest die to the highest, of dice with equal faces."""
        if len(self._ranks) != len(self.dice):
            ranked = sorted(range(len(self.dice)), key=lambda tag: order(self.dice[tag]))
            self._ranks = np.empty(len(ranked), np.int64)
            self._ranks[ranked] = np.arange(len(ranked))
        return self._ranks


def _there(tags: Array) -> list[int]:
    """The different tags in an array."""
    found: list[int] = np.flatnonzero(np.bincount(tags.reshape(-1), minlength=1)).tolist()
    return found
