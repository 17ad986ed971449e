"""Sweeps as rows: the inputs that vary, then chances and means, each as a decimal and exactly.

In: `Odds`. Out: the cells of a table for people, or a line of CSV. `Columns` says what stands in them; it is the same
for all rows of a sweep, and travels with the work to other processes.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from rulesrun.evaluation.odds import Odds
from rulesrun.evaluation.rule_odds import RuleOdds
from rulesrun.evaluation.values import exact_text, nearest_float, value_text
from rulesrun.record import record
from rulesrun.render.odds import mean_of
from rulesrun.semantics.plan import Expression, Kind


@record
class Column:
    """A value that is asked of every row: its mean, or for yes and no the chance of yes."""

    heading: str
    value: Expression

    def found(self, odds: Odds) -> Fraction | None:
        """What stands in the row; None where it is not known exactly, or where it is no number."""
        if self.value.kind is Kind.YES_NO:
            return odds.chance_of(self.value)
        return mean_of(odds.distribution(self.value))


@record
class ExactColumns:
    """`swept`: the inputs that vary. Behind them stands what is found, as decimals, then exactly."""

    swept: tuple[str, ...]

    @property
    def found(self) -> tuple[str, ...]:
        """The headings of what is computed."""
        raise NotImplementedError

    @property
    def headings(self) -> tuple[str, ...]:
        """The headings of a line of CSV."""
        return (*self.swept, *self.found, *(f"{each} exact" for each in self.found))

    @property
    def kinds(self) -> tuple[str, ...]:
        """What stands under the headings that follow the inputs."""
        return (*("double" for _ in self.found), *("string" for _ in self.found))

    def csv_head(self) -> str:
        """The line of CSV above all rows."""
        return csv_text([self.headings])

    def cells_of(self, inputs: Mapping[str, Any], found: Sequence[Fraction | None]) -> list[str]:
        """The cells of a line of CSV. Empty: what is not known exactly; as a decimal, what no float reaches."""
        decimals = [None if each is None else nearest_float(each) for each in found]
        return [
            *(value_text(inputs[name]) for name in self.swept),
            *("" if each is None else repr(each) for each in decimals),
            *("" if each is None else exact_text(each) for each in found),
        ]


@record
class Columns(ExactColumns):
    """`chances`: the outcomes and flags of the rule. `values`: what else is asked."""

    chances: tuple[str, ...]
    values: tuple[Column, ...] = ()

    @property
    def found(self) -> tuple[str, ...]:
        """The headings of what is computed."""
        return (*self.chances, *(each.heading for each in self.values))

    def record(self, odds: Odds) -> dict[str, Any]:
        """A row as a flat dictionary, all numbers exact."""
        record: dict[str, Any] = {name: odds.inputs[name] for name in self.swept}
        record.update({name: odds[name] for name in self.chances})
        record.update({each.heading: each.found(odds) for each in self.values})
        return record

    def cells(self, record: dict[str, Any]) -> list[str]:
        """A record as the cells of a line of CSV."""
        return self.cells_of(record, [record[name] for name in self.found])

    def csv_line(self, odds: Odds) -> str:
        """A row as a line of CSV."""
        return csv_text([self.cells(self.record(odds))])


def columns_of(rule: RuleOdds, swept: Sequence[str], values: Sequence[str] = ()) -> Columns:
    """The columns of a sweep: chances of outcomes and flags, and the values asked for; of a rule without outcomes the
    means of its numbers unless values are asked for.
    """
    chances = [each.label for each in rule.rule.outcomes] + [each.name for each in rule.rule.flags]
    wanted = values or (() if rule.rule.outcomes else rule.numbers)
    asked = [(name, rule.value(name)) for name in wanted]
    return Columns(tuple(swept), tuple(chances), tuple(Column(heading(name, value), value) for name, value in asked))


def heading(name: str, value: Expression) -> str:
    """What stands above a value that is asked for."""
    return f"{'chance of' if value.kind is Kind.YES_NO else 'mean'} {name}"


def values_csv(odds: Odds, names: Sequence[str]) -> str:
    """How values of one case are spread, as CSV: a line for each result, an endless rest as `more`."""
    lines = [("name", "value", "chance", "exact")]
    for name in names:
        spread = odds.of(name)
        found = [*((value_text(value), chance) for value, chance in spread.items()), ("more", spread.tail)]
        lines += [(name, value, repr(float(chance)), str(chance)) for value, chance in found if chance]
    return csv_text(lines)


def csv_text(rows: Iterable[Sequence[str]]) -> str:
    """Rows as lines of CSV."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()
