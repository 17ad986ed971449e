"""Sweeps as text: a grid where two inputs vary, a table with a line for each case.

In: the records of a sweep. Out: text of at most `WIDTH` columns where the headings allow it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import Any

from rulesrun.evaluation.values import value_text
from rulesrun.render.layout import WIDTH, grid, width, wrap
from rulesrun.render.odds import mean_text, table_lines
from rulesrun.render.rows import Columns
from rulesrun.render.values import percent
from rulesrun.semantics.plan import Kind, Rule

MOST_LINES = 40
"""Of more cases only the grid is shown, where there is one."""

Record = Mapping[str, Any]


def sweep_text(rule: Rule, columns: Columns, records: Sequence[Record]) -> str:
    """The chances of many cases. With two inputs that vary the grids of what matters most come first; the table of all
    chances follows, if it says more and is not long.
    """
    shown = _grid_columns(rule, columns)
    grids = _grids(columns, shown, records) if len(columns.swept) == 2 else []
    told = {each for each, _ in shown} | ({each.label for each in rule.outcomes} if len(rule.outcomes) < 3 else set())
    more = [name for name in columns.found if name not in told]
    parts = ["\n".join(each) for each in grids]
    if not grids or (more and len(records) <= MOST_LINES):
        parts.append("\n".join(_table(rule, columns, records)))
    elif more:
        parts.append("\n".join(wrap(f"--csv gives the chances of {', '.join(more)} too", rest="")))
    return "\n\n".join(parts)


def _cell(columns: Columns, name: str, record: Record) -> str:
    """A chance or a mean of a row."""
    means = {each.heading for each in columns.values if each.value.kind is not Kind.YES_NO}
    return mean_text(record[name]) if name in means else percent(record[name])


def _good(rule: Rule, record: Record) -> str:
    """The chance of any good outcome."""
    return percent(sum((record[each.label] for each in rule.outcomes if each.good), Fraction(0)))


def _grid_columns(rule: Rule, columns: Columns) -> list[tuple[str, Callable[[Record], str]]]:
    """What the grids show: the values asked for, else the chance of a good outcome, else flags and means."""
    if rule.outcomes and not columns.values:
        good = [each.label for each in rule.outcomes if each.good]
        return [(good[0] if len(good) == 1 else "good", partial(_good, rule))]
    names = [each.heading for each in columns.values] if columns.values else columns.chances
    return [(name, partial(_cell, columns, name)) for name in names]


def _grids(
    columns: Columns, shown: Sequence[tuple[str, Callable[[Record], str]]], records: Sequence[Record]
) -> list[list[str]]:
    """A grid for each measure, the first input down and the second across; none where one would be too wide."""
    down, across = columns.swept
    rows, heads = (list(dict.fromkeys(value_text(record[name]) for record in records)) for name in (down, across))
    found = []
    for name, cell in shown:
        cells = {(value_text(record[down]), value_text(record[across])): cell(record) for record in records}
        body = [[row, *(cells.get((row, head), "") for head in heads)] for row in rows]
        lines = grid([[down, *heads], *body], indent=0, right=tuple(range(len(heads) + 1)), cells=10_000)
        found.append([f"{name}, by {down} (down) and {across} (across)", *lines])
    return found if all(width(line) <= WIDTH for lines in found for line in lines) else []


def _table(rule: Rule, columns: Columns, records: Sequence[Record]) -> list[str]:
    good = ["good"] if len(rule.outcomes) > 2 else []
    heads = [*columns.swept, *good, *columns.found]
    body = [
        [
            *(value_text(record[name]) for name in columns.swept),
            *(_good(rule, record) for _ in good),
            *(_cell(columns, name, record) for name in columns.found),
        ]
        for record in records
    ]
    return table_lines(heads, body, len(columns.swept))
