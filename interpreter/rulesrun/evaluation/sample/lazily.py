"""What conditions guard: worked out only where they hold.

Where that is cheaper, it is worked out everywhere: an expression draws nothing and changes nothing, so an error that it
then meets where a roll would not have looked is forgotten, and it is worked out anew only where it must be.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from rulesrun.diagnostics import RulesError
from rulesrun.evaluation import operations
from rulesrun.evaluation.sample.columns import (
    Array,
    Column,
    Same,
    Truth,
    apply,
    filled,
    merged,
    truths,
)
from rulesrun.evaluation.sample.lanes import BlockTooLarge, Lanes
from rulesrun.semantics.plan import (
    Cancelled,
    Expression,
    ForEach,
    Where,
    WithEach,
)
from rulesrun.semantics.renaming import parts

FEW = 4
"""What holds in fewer than one in so many lanes is worked out only there."""


class Lazily(ABC):
    """Knows how to work out values and conditions, and does so where they are needed."""

    def __init__(self) -> None:
        self._heavy: dict[int, tuple[object, bool]] = {}

    @abstractmethod
    def value(self, e: Expression, lanes: Lanes) -> Column:
        """The value of an expression that is no pool."""

    def truth(self, e: Expression, lanes: Lanes) -> Same | Truth:
        """A condition."""
        column = self.value(e, lanes)
        if not truths(column):
            column = apply(lambda value: operations.truth(value, e), column)
        assert isinstance(column, Same | Truth)
        return column

    def guarded(self, lanes: Lanes, mask: Array, e: object, work: Callable[[Lanes], Column]) -> Column:
        """What is worked out from `e` where a mask holds; in other lanes anything of the same kind."""
        number = int(np.count_nonzero(mask))
        if number == lanes.size:
            return work(lanes)
        if number * FEW >= lanes.size and not self.is_heavy(e):
            try:
                return work(lanes)
            except (RulesError, BlockTooLarge):
                pass
        index = np.flatnonzero(mask)
        return filled(work(lanes.part(index)), index, lanes.size)

    def is_heavy(self, e: object) -> bool:
        """Whether something is done with each of many dice or items, which counts as work."""
        found = self._heavy.get(id(e))
        if found is None or found[0] is not e:
            heavy = any(isinstance(part, ForEach | WithEach | Where | Cancelled) for part in parts(e))
            found = self._heavy[id(e)] = (e, heavy)
        return found[1]

    def all_lanes(self, found: list[tuple[Array | None, Column]], lanes: Lanes, absent: Column) -> Column:
        """One column out of those for masks that exclude one another, and what holds elsewhere."""
        covered = sum(lanes.size if mask is None else int(np.count_nonzero(mask)) for mask, _ in found)
        if covered < lanes.size or not found:
            found.append((None, absent))
        *most, (_, last) = found
        return merged(lanes.size, [(None, last), *most])

    def cases(self, cases: Sequence[tuple[Expression | None, Any]], lanes: Lanes) -> list[tuple[Array | None, Any]]:
        """What is to be done where: masks (None: everywhere) that exclude one another, with what stands there."""
        open_: Array | None = None
        found: list[tuple[Array | None, Any]] = []
        for condition, value in cases:
            if condition is None:
                held: Column = Same(True)
            elif open_ is None:
                held = self.truth(condition, lanes)
            else:
                held = self.guarded(lanes, open_, condition, lambda part, e=condition: self.truth(e, part))  # type: ignore[misc]
            if isinstance(held, Same):
                if held.value:
                    found.append((open_, value))
                    break
                continue
            assert isinstance(held, Truth)
            mask = held.holds if open_ is None else held.holds & open_
            if mask.any():
                found.append((None if mask.all() else mask, value))
            open_ = ~mask if open_ is None else open_ & ~mask
            if not open_.any():
                break
        return found
