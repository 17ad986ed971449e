"""What a changed rule changes, as text: chances before and after, the largest change first; values with their spread.

In: pairs of `Odds`, or the rows of a sweep of them. Out: text of at most `WIDTH` columns where the headings allow it.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import isfinite

from rulesrun.diagnostics import RulesError
from rulesrun.evaluation.distribution import Distribution
from rulesrun.render.layout import PLAIN, WIDTH, Paint, grid, width
from rulesrun.render.odds import MOST_VALUES, mean_of, mean_text, outcome_name, points, table_lines
from rulesrun.render.pairs import GOOD, Apart, Pair, PairColumns, PairRow, apart, spread_rows
from rulesrun.render.values import deviation, percent
from rulesrun.semantics.plan import Rule


def comparison_text(
    rules: tuple[Rule, Rule],
    pair: Pair,
    columns: PairColumns,
    names: tuple[str, str],
    asked: Sequence[str],
    paint: Paint = PLAIN,
) -> str:
    """One case: every chance, the largest change first; means; the values asked for, each with all that it can be."""
    marks = {each.label: outcome_name(each, paint) for rule in reversed(rules) for each in rule.outcomes}
    found = {name: columns.of(name, pair) for name in columns.chances}
    ordered = sorted(found, key=lambda name: _size(found[name]))
    rows = [(marks.get(name, name), *_chances(found[name])) for name in ordered]
    if len(rules[0].outcomes) > 2 and rules[1].outcomes:
        rows.append(("good", *_chances(apart(pair[0].good, pair[1].good))))
    if not asked:
        rows += [(one.heading, *_means(columns.of(one.heading, pair))) for one, _ in columns.values]
    parts = [grid([("", *names, "change"), *rows], right=(1, 2, 3))] if rows else []
    parts += [_spread(name, names, pair[0].of(name), pair[1].of(name), paint) for name in asked]
    return "\n\n".join("\n".join(part) for part in parts)


def _spread(name: str, names: tuple[str, str], before: Distribution, after: Distribution, paint: Paint) -> list[str]:
    """A value on both sides: its mean and deviation where it is a number, then the chance of all that it can be."""
    rows: list[tuple[str, ...]] = []
    mean = apart(mean_of(before), mean_of(after))
    if mean[:2] != (None, None):
        rows.append(("mean", *_means(mean)))
        deviations = [_deviation(side) for side in (before, after)]
        if all(deviations):
            rows.append(("deviation", *deviations, ""))
    listed = spread_rows(before, after)
    shown = listed
    if len(listed) > MOST_VALUES:
        likely = sorted((max(row[1][0] or 0, row[1][1] or 0) for row in listed), reverse=True)[MOST_VALUES - 1]
        shown = [row for row in listed if max(row[1][0] or 0, row[1][1] or 0) >= likely][:MOST_VALUES]
    rows += [(value, *_chances(sides)) for value, sides in shown]
    lines = grid([(paint.strong(name), *names, "change"), *rows], right=(0, 1, 2, 3))
    if len(shown) < len(listed):
        lines.append(f"  {len(listed) - len(shown):,} other values, less likely")
    return lines


def _deviation(spread: Distribution) -> str:
    """The standard deviation; nothing where it is not known."""
    try:
        return deviation(spread.sd) if isfinite(spread.sd) else ""
    except RulesError:
        return ""


def sweep_text(columns: PairColumns, names: tuple[str, str], rows: Sequence[PairRow]) -> str:
    """A line for each combination, the largest change first. Of several measures, or with a long name, each has a table
    of its own.
    """
    sides = [*names, "change"]
    measures = ["good" if each == GOOD else each for each in columns.measures]
    heads = [f"{measures[0]}: {side}" for side in sides]
    if len(measures) == 1 and sum(width(head) + 2 for head in (*columns.swept, *heads)) <= WIDTH + 2:
        return "\n".join(_table(columns, 0, heads, rows))
    tables = [[measure, *_table(columns, place, sides, rows)] for place, measure in enumerate(measures)]
    return "\n\n".join(map("\n".join, tables))


def _table(columns: PairColumns, place: int, heads: Sequence[str], rows: Sequence[PairRow]) -> list[str]:
    """What is measured at a place, on both sides."""
    texts = _means if columns.is_mean(columns.measures[place]) else _chances
    listed = sorted(rows, key=lambda row: _size(row.found[place]))
    body = [[*row.inputs, *texts(row.found[place])] for row in listed]
    return table_lines([*columns.swept, *heads], body, len(columns.swept))


def _size(sides: Apart) -> Fraction:
    """The largest change sorts first, one that is not known last."""
    return Fraction(1) if sides[2] is None else -abs(sides[2])


def _chances(sides: Apart) -> tuple[str, str, str]:
    before, after, change = (each or Fraction(0) for each in sides)
    return percent(before), percent(after), points(change)


def _means(sides: Apart) -> tuple[str, str, str]:
    """Two means and the change from one to the other."""
    before, after, change = sides
    text = mean_text(change)
    if change is not None and change > 0:
        text = f"~+{text[1:]}" if text.startswith("~") else f"+{text}"
    return mean_text(before), mean_text(after), text
