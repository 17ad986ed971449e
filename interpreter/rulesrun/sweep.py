"""The odds of a rule for every combination of several inputs.

In: inputs of which some are given several values. Out: the combinations, and an `OddsTable` with a row for each.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any

from rulesrun.diagnostics import RulesError
from rulesrun.evaluation.inputs import flat, full_name
from rulesrun.evaluation.odds import Odds
from rulesrun.evaluation.values import value_text
from rulesrun.render.odds import mean_of
from rulesrun.semantics.plan import Domain, ListDomain, Rule

MAX_ROWS = 100_000
"""No table has more rows."""


def combinations(rule: Rule, given: Mapping[str, object]) -> tuple[Iterator[dict[str, object]], tuple[str, ...]]:
    """Every combination of the values given, the last input varying fastest; and the full names of those that vary."""
    domains = {each.name: each.domain for each in rule.inputs}
    values: dict[str, Sequence[object]] = {}
    swept = []
    for name, value in flat(given):
        full = full_name(rule, name, domains, "input")
        if full in values:
            raise RulesError.of(f"{full} is given twice", code="given-twice")
        several = _several(value, domains[full])
        if several is not None:
            swept.append(full)
        values[full] = [value] if several is None else several
    size = prod(map(len, values.values()))
    if size > MAX_ROWS:
        raise RulesError.of(f"{size:,} combinations of inputs; the limit is {MAX_ROWS:,}", code="limit")
    return (dict(zip(values, each, strict=True)) for each in product(*values.values())), tuple(swept)


def _several(value: object, domain: Domain) -> Sequence[object] | None:
    """The values of a sweep; None for a single value."""
    if isinstance(value, str | Mapping) or not isinstance(value, Iterable):
        return None
    values = list(value)
    if isinstance(domain, ListDomain) and not (
        values and all(isinstance(each, list | tuple | range) for each in values)
    ):
        return None
    return values


class OddsTable:
    """Odds by inputs. `rows` are `Odds`, each with its `inputs`; `swept` names the inputs that vary."""

    def __init__(self, rule: Rule, rows: Sequence[Odds], swept: Sequence[str]) -> None:
        self.rule = rule
        self.rows = tuple(rows)
        self.swept = tuple(swept)

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[Odds]:
        return iter(self.rows)

    def records(self) -> list[dict[str, Any]]:
        """A flat dictionary for each row: the inputs that vary, the chance of each outcome and flag, and, of a rule
        without outcomes, the mean of each number (None where it is not known exactly); all numbers exact.
        """
        return [self._record(row) for row in self.rows]

    def _record(self, row: Odds) -> dict[str, Any]:
        record: dict[str, Any] = {name: row.inputs[name] for name in self.swept}
        record.update(row.outcomes)
        record.update(row.flags)
        if not row.outcomes:
            record.update({f"mean {name}": mean_of(row.of(name)) for name in row.numbers})
        return record

    def to_csv(self) -> str:
        """Comma-separated values with a heading: chances and means as decimals, and exactly in columns of their own."""
        records = self.records()
        exact = [name for name in (records[0] if records else ()) if name not in self.swept]
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow([*self.swept, *exact, *(f"{name} exact" for name in exact)])
        for record in records:
            inputs = [value_text(record[name]) for name in self.swept]
            found = [record[name] for name in exact]
            floats = ["" if each is None else float(each) for each in found]
            writer.writerow([*inputs, *floats, *("" if each is None else str(each) for each in found)])
        return text.getvalue()

    def to_dataframe(self) -> Any:
        """A pandas DataFrame, chances and means as floats. Needs pandas."""
        from pandas import DataFrame

        floats = [
            {name: float(value) if isinstance(value, Fraction) else value for name, value in record.items()}
            for record in self.records()
        ]
        return DataFrame(floats)
