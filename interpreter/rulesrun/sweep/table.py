"""The odds of every combination of several inputs, all kept in memory.

In: a job of exact odds. Out: an `OddsTable` with a row for each combination.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from html import escape
from typing import Any

from rulesrun.diagnostics import RulesError
from rulesrun.evaluation.exact.answer import Answer
from rulesrun.evaluation.odds import Odds
from rulesrun.evaluation.values import nearest_float, value_text
from rulesrun.render.odds import mean_text
from rulesrun.render.rows import columns_of, csv_text
from rulesrun.render.values import percent
from rulesrun.semantics.plan import Constant
from rulesrun.sweep.grid import Grid
from rulesrun.sweep.job import Chunk, Exact, Job
from rulesrun.sweep.ordered import ordered_chunks

Packed = tuple[dict[str, Constant], Answer]
"""Odds without the rule that was asked."""


MOST_SHOWN = 100
"""A notebook shows no more rows."""


class OddsTable:
    """Odds by inputs. `rows` are `Odds`, each with its `inputs`; `swept` names the inputs that vary."""

    def __init__(self, asks: Exact, rows: Iterable[Odds], swept: Sequence[str]) -> None:
        self.rule = asks.rule.rule
        self.rows = tuple(rows)
        self.swept = tuple(swept)
        self._columns = columns_of(asks.rule, swept)

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[Odds]:
        return iter(self.rows)

    def __repr__(self) -> str:
        return f"<OddsTable of {self.rule.name}: {len(self.rows):,} rows by {', '.join(self.swept) or 'no input'}>"

    def _repr_html_(self) -> str:
        """A table for notebooks: the inputs that vary, then chances and means; of a long one the first rows."""
        heads = "".join(f"<th>{escape(each)}</th>" for each in (*self.swept, *self._columns.found))
        rows = ""
        for row in self.rows[:MOST_SHOWN]:
            record = self._columns.record(row)
            inputs = [escape(value_text(record[name])) for name in self.swept]
            found = [(name, record[name]) for name in self._columns.found]
            texts = [percent(each) if name in self._columns.chances else mean_text(each) for name, each in found]
            rows += "<tr>" + "".join(f"<td>{escape(each)}</td>" for each in (*inputs, *texts)) + "</tr>"
        more = f"<caption>the first {MOST_SHOWN} of {len(self):,} rows</caption>" if len(self) > MOST_SHOWN else ""
        return f"<table>{more}<tr>{heads}</tr>{rows}</table>"

    def records(self) -> list[dict[str, Any]]:
        """A flat dictionary for each row: the inputs that vary, the chance of each outcome and flag, and, of a rule
        without outcomes, the mean of each number (None where it is not known exactly); all numbers exact.
        """
        return [self._columns.record(row) for row in self.rows]

    def to_csv(self) -> str:
        """Comma-separated values with a heading: chances and means as decimals, and exactly in columns of their own."""
        return self._columns.csv_head() + csv_text(map(self._columns.cells, self.records()))

    def to_dataframe(self) -> Any:
        """A pandas DataFrame, chances and means as floats. Needs pandas; a `RulesError` where it is not installed."""
        try:
            from pandas import DataFrame
        except ImportError:
            raise RulesError.of(
                "a data frame needs the package pandas", code="no-pandas", hint="pip install 'rulesrun[notebook]'"
            ) from None
        floats = [
            {name: nearest_float(value) if isinstance(value, Fraction) else value for name, value in record.items()}
            for record in self.records()
        ]
        return DataFrame(floats, columns=[*self.swept, *self._columns.found])


def odds_table(asks: Exact, grid: Grid, workers: int = 1) -> OddsTable:
    """The table of a grid. Raises `RulesError` where a cell has no odds, and for more rows than the limits allow."""
    most = asks.rule.ruleset.limits.rows
    if grid.size > most:
        raise RulesError.of(
            f"{grid.size:,} combinations of inputs; the limit of a table is {most:,}",
            code="limit",
            hint="rows that are not kept have no limit: `--out FILE.csv`, `Rule.odds_rows`; or `--limit rows=N`",
        )
    return OddsTable(asks, odds_rows(asks, grid, 0, workers), grid.swept)


def odds_rows(asks: Exact, grid: Grid, first: int, workers: int) -> Iterator[Odds]:
    """The odds of a grid from the place `first` on. Raises `RulesError` at once where inputs do not fit."""
    job = Job(asks, grid, _as_it_is if workers == 1 else packed)
    job.check()
    return _one_by_one(job, first) if workers == 1 else _unpacked(asks, ordered_chunks(job, first, workers))


def _one_by_one(job: Job, first: int) -> Iterator[Odds]:
    for place, end in job.blocks(first):
        yield from job.rows(place, end)


def _as_it_is(odds: Odds) -> Odds:
    return odds


def _unpacked(asks: Exact, chunks: Iterator[Chunk]) -> Iterator[Odds]:
    for chunk in chunks:
        yield from (unpacked(asks, row) for row in chunk.rows)
        if chunk.error:
            raise chunk.error


def packed(odds: Odds) -> Packed:
    """Odds as they travel between processes."""
    return odds.inputs, odds.answer


def unpacked(asks: Exact, row: Packed) -> Odds:
    """The odds that were packed."""
    aim, budget = asks.aim or asks.rule.good, asks.budget or asks.rule.ruleset.limits.states
    return Odds(asks.rule, row[0], asks.choose, aim, asks.known, budget, answer=row[1])
