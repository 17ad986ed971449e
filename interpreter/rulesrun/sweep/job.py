"""A sweep as work that can be cut up and carried elsewhere: what is asked, of which cells, and what a row looks like.

In: a `Job` and the places of some cells. Out: a `Chunk` of their rows, and the error that ended it, if one did. A chunk
depends on nothing but the job and its places: whoever computes it, and in whatever order, the rows are the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol

from rulesrun.diagnostics import RulesError
from rulesrun.evaluation.exact.chances import Algebra
from rulesrun.evaluation.odds import Odds, Policies
from rulesrun.evaluation.rule_odds import RuleOdds
from rulesrun.evaluation.values import value_text
from rulesrun.record import changed, record
from rulesrun.semantics.plan import Constant, Expression
from rulesrun.sweep.grid import Grid

MOST_TOGETHER = 128
"""No chunk has more rows: what they have in common is kept in memory, and a process that is stopped loses its chunk."""

LEAST_CHUNKS = 16
"""A sweep is cut into at least so many chunks if it has the rows, so that all processes have work to the end."""


class Asks(Protocol):
    """What is asked of each cell."""

    def rows(self, cells: Iterable[Mapping[str, object]]) -> Iterator[Any]:
        """An answer for each cell, in order."""
        ...

    def inputs(self, cell: Mapping[str, object]) -> dict[str, Constant]:
        """A value for every input; raises `RulesError` if those of the cell do not fit."""
        ...


@record
class Exact:
    """The exact odds of a rule; the fields are those of `RuleOdds.odds`."""

    rule: RuleOdds
    choose: Policies
    aim: Expression | None
    known: Expression | None
    budget: int | None

    def rows(self, cells: Iterable[Mapping[str, object]]) -> Iterator[Odds]:
        """The odds of each cell; the cells share the work that they have in common."""
        return self.rule.table(cells, choose=self.choose, aim=self.aim, known=self.known, budget=self.budget)

    def odds(self, cell: Mapping[str, object], algebra: Algebra | None = None) -> Odds:
        """The odds of one cell."""
        return self.rule.odds(
            cell, choose=self.choose, aim=self.aim, known=self.known, budget=self.budget, algebra=algebra
        )

    def inputs(self, cell: Mapping[str, object]) -> dict[str, Constant]:
        """A value for every input; raises `RulesError` if those of the cell do not fit."""
        return self.rule.inputs(cell)


@record
class Chunk:
    """Rows in order; with an error the cell after the last of them has none."""

    rows: Sequence[Any]
    error: RulesError | None = None


@record
class Job:
    """`form` makes a row of an answer; like the rest of the job it must be picklable. `together`: no chunk has more."""

    asks: Asks
    grid: Grid
    form: Callable[[Any], Any]
    together: int = MOST_TOGETHER

    def check(self) -> None:
        """Raises `RulesError` for the first value of an input that does not fit, before any work is done."""
        for cell in self.grid.edges():
            try:
                self.asks.inputs(cell)
            except RulesError as error:
                raise self._placed(error, cell) from None

    def chunks(self, first: int = 0) -> Iterator[tuple[int, int]]:
        """The places at which chunks begin and end; the first chunk is the one that holds the place `first`."""
        size = self.grid.size
        together = max(1, min(MOST_TOGETHER, self.together, size // LEAST_CHUNKS))
        return ((place, min(place + together, size)) for place in range(first // together * together, size, together))

    def blocks(self, first: int = 0) -> Iterator[tuple[int, int]]:
        """As `chunks`, for a single process: as long as may be, from the very place `first` on."""
        together = max(1, min(MOST_TOGETHER, self.together))
        return ((place, min(place + together, self.grid.size)) for place in range(first, self.grid.size, together))

    def chunk(self, first: int, end: int) -> Chunk:
        """The rows of the cells from `first` up to, not including, `end`."""
        rows: list[Any] = []
        try:
            rows.extend(self.rows(first, end))
        except RulesError as error:
            return Chunk(rows, error)
        return Chunk(rows)

    def rows(self, first: int, end: int) -> Iterator[Any]:
        """The rows of a chunk, one by one; raises `RulesError` at a cell that has none."""
        done = first
        try:
            for answer in self.asks.rows(self.grid.cells(first, end)):
                yield self.form(answer)
                done += 1
        except RulesError as error:
            raise self._placed(error, next(self.grid.cells(done, end))) from None

    def _placed(self, error: RulesError, cell: Mapping[str, object]) -> RulesError:
        """The error with the inputs at which it arose."""
        if not self.grid.swept:
            return error
        at = ", ".join(f"{name}={_text(cell[name])}" for name in self.grid.swept)
        first, *others = error.diagnostics
        return RulesError([changed(first, notes=(*first.notes, f"this is the row {at}")), *others])


def _text(value: Any) -> str:
    return value_text(tuple(value) if isinstance(value, list | range) else value)
