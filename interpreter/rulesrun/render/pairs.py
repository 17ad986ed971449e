"""Two rules side by side as rows: the inputs that vary, then each chance, or mean, before, after, and its change.

In: pairs of `Odds`. Out: a line of CSV or JSON, or a row of a table. `PairColumns` says what stands in it; it is the
same for all rows of a sweep, and travels with the work to other processes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from json import dumps
from typing import Any

from rulesrun.diagnostics import RulesError
from rulesrun.evaluation.distribution import Distribution
from rulesrun.evaluation.odds import Odds
from rulesrun.evaluation.rule_odds import RuleOdds
from rulesrun.evaluation.values import exact_text, nearest_float, value_text
from rulesrun.record import record
from rulesrun.render.odds import mean_of
from rulesrun.render.odds_json import chance_json, odds_json
from rulesrun.render.rows import Column, ExactColumns, csv_text, heading
from rulesrun.render.values import value_key
from rulesrun.semantics.plan import Kind

Pair = tuple[Odds, Odds]
Apart = tuple[Fraction | None, Fraction | None, Fraction | None]
"""Before, after, and the change; None where it is not known exactly."""

GOOD = "any good"
"""The chance of any good outcome; no outcome can bear this name."""

SIDES = ("before", "after", "change")


@record
class PairRow:
    """A row of a table: the inputs that vary as text, and what is measured."""

    inputs: tuple[str, ...]
    found: tuple[Apart, ...]


@record
class PairColumns(ExactColumns):
    """`chances`: the outcomes and flags of either rule. `values`: what else is asked, in the words of either rule.
    `measures`: what a table shows.
    """

    chances: tuple[str, ...]
    values: tuple[tuple[Column, Column], ...]
    measures: tuple[str, ...]

    @property
    def found(self) -> tuple[str, ...]:
        """The headings of what is computed."""
        names = (*self.chances, *(one.heading for one, _ in self.values))
        return tuple(f"{name} {side}" for name in names for side in SIDES)

    def csv_line(self, pair: Pair) -> str:
        """A row as a line of CSV."""
        found = [each for name in (*self.chances, *self._asked) for each in self.of(name, pair)]
        return csv_text([self.cells_of(pair[0].inputs, found)])

    def table_row(self, pair: Pair) -> PairRow:
        """A row of a table for people."""
        inputs = tuple(value_text(pair[0].inputs[name]) for name in self.swept)
        return PairRow(inputs, tuple(self.of(name, pair) for name in self.measures))

    def is_mean(self, measure: str) -> bool:
        """Whether a measure is a mean; else it is a chance."""
        return measure in self._asked and self._asked[measure][0].value.kind is not Kind.YES_NO

    @property
    def _asked(self) -> dict[str, tuple[Column, Column]]:
        return {one.heading: (one, other) for one, other in self.values}

    def of(self, name: str, pair: Pair) -> Apart:
        """What stands under a heading: an outcome, a flag, a value that is asked, or `GOOD`."""
        if name in self._asked:
            one, other = self._asked[name]
            return apart(one.found(pair[0]), other.found(pair[1]))
        if name == GOOD:
            return apart(pair[0].good, pair[1].good)
        return apart(_chance(pair[0], name), _chance(pair[1], name))


def apart(before: Fraction | None, after: Fraction | None) -> Apart:
    """Two numbers and the change from one to the other."""
    return before, after, None if before is None or after is None else after - before


def _chance(odds: Odds, name: str) -> Fraction:
    """The chance of an outcome or a flag; 0 where the rule has none of that name."""
    return odds[name] if name in odds.outcomes or name in odds.flags else Fraction(0)


def pair_columns(one: RuleOdds, other: RuleOdds, swept: Iterable[str], values: Sequence[str] = ()) -> PairColumns:
    """The columns of a comparison: chances of outcomes and flags, and the values asked for; without outcomes and
    values the means of the numbers that both rules have.
    """
    rules = one.rule, other.rule
    outcomes = dict.fromkeys(each.label for rule in rules for each in rule.outcomes)
    flags = dict.fromkeys(each.name for rule in rules for each in rule.flags)
    wanted = values or ([] if outcomes else [name for name in one.numbers if name in other.numbers])
    columns = tuple((_column(one, name), _column(other, name)) for name in wanted)
    for name, (mine, theirs) in zip(wanted, columns, strict=True):
        if mine.value.kind is not theirs.value.kind:
            raise RulesError.of(f"{name} is something else on each side, and cannot be compared", code="other-kind")
    asked = tuple(column.heading for column, _ in columns)
    good = (GOOD,) if one.rule.outcomes and other.rule.outcomes else tuple(outcomes)
    measures = asked if values else good if outcomes else (*flags, *asked)
    return PairColumns(tuple(swept), (*outcomes, *flags), columns, measures)


def _column(rule: RuleOdds, name: str) -> Column:
    value = rule.value(name)
    return Column(heading(name, value), value)


def spread_rows(before: Distribution, after: Distribution) -> list[tuple[str, Apart]]:
    """The chance of each value that is listed on either side, numbers in ascending order, an endless rest as `more`."""
    rows = [(value_text(value), apart(before[value], after[value])) for value in _listed(before, after)]
    if before.tail or after.tail:
        rest = [1 - sum((row[1][side] or Fraction(0) for row in rows), Fraction(0)) for side in (0, 1)]
        rows.append(("more", apart(*rest)))
    return rows


def _listed(*sides: Distribution) -> list[Any]:
    """What is listed on any side: numbers in ascending order, then other values."""
    values = dict.fromkeys(each for side in sides for each in side)
    numbers = [each for each in values if isinstance(each, int | Fraction) and not isinstance(each, bool)]
    return list(dict.fromkeys([*sorted(numbers), *values]))


def pair_json(pair: Pair, values: Sequence[str] = ()) -> dict[str, object]:
    """Both odds of one case, and the change of each chance; of the values asked for that of the mean, and of the chance
    of each value.
    """
    chances = [{**odds.outcomes, **odds.flags} for odds in pair]
    shared = [name for name in chances[0] if name in chances[1]]
    found: dict[str, object] = {
        "before": odds_json(pair[0], values or pair[0].numbers),
        "after": odds_json(pair[1], values or pair[1].numbers),
        "change": {name: chance_json(chances[1][name] - chances[0][name]) for name in shared},
    }
    if values:
        found["change_of"] = {name: _change_json(pair[0].of(name), pair[1].of(name)) for name in values}
    return found


def _change_json(before: Distribution, after: Distribution) -> dict[str, object]:
    change = apart(mean_of(before), mean_of(after))[2]
    mean = {} if change is None else {"mean": {"exact": exact_text(change), "value": nearest_float(change)}}
    changes = {value_key(each): exact_text(after[each] - before[each]) for each in _listed(before, after)}
    return {**mean, "exact": changes}


def pair_json_line(pair: Pair, values: Sequence[str] = ()) -> str:
    """Both odds of one case as a line of JSON."""
    return dumps(pair_json(pair, values), ensure_ascii=False) + "\n"


def pair_values_csv(pair: Pair, names: Sequence[str]) -> str:
    """How values of one case are spread on both sides, as CSV: a line for each result."""
    lines = [["name", "value", *SIDES, *(f"{side} exact" for side in SIDES)]]
    for name in names:
        for value, sides in spread_rows(*(odds.of(name) for odds in pair)):
            chances = [each or Fraction(0) for each in sides]
            lines.append([name, value, *(repr(nearest_float(each)) for each in chances), *map(exact_text, chances)])
    return csv_text(lines)
