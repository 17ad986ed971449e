"""Lanes: trials, or dice of trials, that are worked on together, and the values of names in them.

A condition splits lanes: what it guards is done on the lanes where it holds (`part`), which read the values of the
lanes they are part of. So nothing is worked out for a trial in which a roll would not work it out. A lane may also be
one die of a trial (`for each`); then several lanes stand for one trial.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np

from rulesrun.diagnostics import Span
from rulesrun.evaluation.limits import too_large
from rulesrun.evaluation.pools import Die
from rulesrun.evaluation.sample.bits import Bits
from rulesrun.evaluation.sample.columns import Array, Column
from rulesrun.evaluation.sample.dice import Dice
from rulesrun.evaluation.sample.tags import Tags
from rulesrun.limits import in_force

MOST_CELLS = 1 << 21
"""So many dice of all lanes together may lie in one array; beyond, fewer trials are worked on at once."""


class BlockTooLarge(Exception):
    """The dice of a block need more room than there is."""


class InBag(NamedTuple):
    """How many of each thing are left in the bags: a row for each thing, a column for each lane."""

    left: Array
    things: tuple[Die, ...]

    def take(self, index: Array) -> InBag:
        return self._replace(left=self.left[:, index])

    def at(self, lane: int) -> tuple[tuple[Die, int], ...]:
        """The things that are left in one lane, and how many of each."""
        numbers = self.left[:, lane].tolist()
        return tuple([(thing, number) for thing, number in zip(self.things, numbers, strict=True) if number])


Held: TypeAlias = Column | Dice | InBag


class Tally:
    """What each trial of a block has used so far, held against the bounds of one roll."""

    def __init__(self, trials: int) -> None:
        self._trials = trials
        self._all: dict[str, int] = {}
        self._each: dict[str, Array] = {}
        self._limits = in_force.get()

    def add(self, what: str, number: int | Array, lanes: Lanes, span: Span | None) -> None:
        """So many more `dice`, `turns` or `work` in each lane; an error where that is too many for one trial."""
        trials = lanes.trials
        if trials is None and isinstance(number, int):
            self._all[what] = self._all.get(what, 0) + number
        else:
            each = self._each.setdefault(what, np.zeros(self._trials, np.int64))
            where = np.arange(self._trials) if trials is None else trials
            np.add.at(each, where, number)
        most = self._all.get(what, 0)
        if what in self._each:
            most += int(self._each[what].max(initial=0))
        self._check(what, most, span)

    def _check(self, what: str, most: int, span: Span | None) -> None:
        bounds = self._limits
        match what:
            case "dice" if most > bounds.all_dice:
                raise too_large(f"more than {bounds.all_dice:,} dice in one roll", "all_dice", span)
            case "turns" if most > bounds.turns:
                hint = "does it ever end? `at most N times`"
                raise too_large(f"more than {bounds.turns:,} turns in one roll", "turns", span, hint)
            case "work" if most > bounds.work:
                raise too_large(f"more than {bounds.work:,} dice and items to look at in one roll", "work", span)


class Block:
    """What all lanes of a block of trials share: random numbers, tags, what was used. `room`: see `MOST_CELLS`."""

    def __init__(self, trials: int, seed: np.random.SeedSequence, natural: bool, room: int | None) -> None:
        self.bits = Bits(seed)
        self.tags = Tags(natural)
        self.tally = Tally(trials)
        self.lanes = Lanes(self, trials)
        self._room = room

    def need(self, cells: int) -> None:
        """Makes sure that an array of so many dice may be made."""
        if self._room is not None and cells > self._room:
            raise BlockTooLarge


class Lanes:
    """`trials`: the trial of each lane, None if the lanes are all trials of the block."""

    __slots__ = ("_from", "_index", "_trials", "block", "names", "size")

    def __init__(self, block: Block, size: int, origin: Lanes | None = None, index: Array | None = None) -> None:
        self.block = block
        self.size = size
        self.names: dict[str, Held] = {}
        self._from = origin
        self._index = index
        self._trials: Array | None = None

    def part(self, index: Array) -> Lanes:
        """Some of these lanes, in this order; one may come several times."""
        return Lanes(self.block, len(index), self, index)

    @property
    def origin(self) -> Array:
        """The places of these lanes among those that they are part of."""
        assert self._index is not None
        return self._index

    @property
    def trials(self) -> Array | None:
        if self._from is None:
            return None
        if self._trials is None:
            assert self._index is not None
            above = self._from.trials
            self._trials = self._index if above is None else above[self._index]
        return self._trials

    def get(self, name: str) -> Any:
        """The value of a name in each lane."""
        found = self.names.get(name)
        if found is None:
            assert self._from is not None and self._index is not None, name
            found = self.names[name] = self._from.get(name).take(self._index)
        return found

    def has(self, name: str) -> bool:
        """Whether a name has a value here."""
        return name in self.names or (self._from is not None and self._from.has(name))

    def count(self, what: str, number: int | Array, span: Span | None) -> None:
        """So many more `dice`, `turns` or `work` in each lane."""
        self.block.tally.add(what, number, self, span)
