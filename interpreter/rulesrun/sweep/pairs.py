"""Two rules asked about the same cells, row by row side by side.

In: what is asked of each, and their grids. Out: rows that are pairs of odds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from rulesrun.diagnostics import RulesError
from rulesrun.evaluation.odds import Odds
from rulesrun.record import record
from rulesrun.semantics.plan import Constant
from rulesrun.sweep.grid import Grid
from rulesrun.sweep.job import Exact


@record
class Both:
    """What is asked of two rules. `fixed` are the inputs of the second that do not vary."""

    one: Exact
    other: Exact
    swept: tuple[str, ...]
    fixed: dict[str, Any]

    def rows(self, cells: Iterable[Mapping[str, object]]) -> Iterator[tuple[Odds, Odds]]:
        """The odds of both rules for each cell."""
        listed = list(cells)
        yield from zip(self.one.rows(listed), self.other.rows(map(self._other, listed)), strict=True)

    def inputs(self, cell: Mapping[str, object]) -> dict[str, Constant]:
        """The inputs of the first rule; raises `RulesError` if those of either do not fit."""
        self.other.inputs(self._other(cell))
        return self.one.inputs(cell)

    def _other(self, cell: Mapping[str, object]) -> dict[str, object]:
        return self.fixed | {name: cell[name] for name in self.swept}


def both(one: Exact, grid: Grid, other: Exact, other_grid: Grid) -> Both:
    """Both rules at the cells of the first grid. Raises `RulesError` if other inputs vary in the second."""
    if grid.swept != other_grid.swept:
        raise RulesError.of("the two rules do not take the same inputs", code="other-inputs")
    fixed = {name: values[0] for name, values in other_grid.values.items() if name not in grid.swept}
    return Both(one, other, grid.swept, fixed)
