"""Samples as text: chances with the intervals in which the true ones lie, how values are spread; sweeps as tables.

In: `Sample`s and the names that were asked for. Out: text of at most `WIDTH` columns, or the cells of lines of CSV. A
chance of 0% is one that never came up.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from rulesrun.evaluation.sample.result import CONFIDENCE, Interval, Sample, Sampled
from rulesrun.evaluation.values import value_text
from rulesrun.render.layout import PLAIN, Paint, bar, grid
from rulesrun.render.odds import BAR, MOST_VALUES, outcome_name, table_lines
from rulesrun.render.values import percent
from rulesrun.semantics.plan import Rule


def sample_text(rule: Rule, sample: Sample, values: Sequence[str], paint: Paint = PLAIN) -> str:
    """The chances of one case; `values` names the values to show."""
    rows = [(outcome_name(each, paint), *_chance(sample, each.label)) for each in rule.outcomes]
    if len(rows) > 2:
        rows.append(("good", *_chance(sample, "good", sample.good)))
    flags = [(paint.strong(each.name), *_chance(sample, each.name)) for each in rule.flags]
    lines = grid([*rows, *flags], right=(1,))
    parts = [[*lines[: len(rows)], *([""] if rows and flags else []), *lines[len(rows) :]]]
    spreads = zip(values, sample.spreads(values), strict=True)
    parts += [spread_lines(name, spread, paint) for name, spread in spreads]
    parts += [[f"{paint.strong(name)}: {policy}"] for name, policy in sample.policies.items()]
    return "\n\n".join(["\n".join(part) for part in parts if part] + [paint.faint(how_text(sample))])


def how_text(sample: Sample) -> str:
    """How many trials there were, and from which seed."""
    given = f", {sample.known:,} of them as given" if sample.known != sample.trials else ""
    return f"sampled: {sample.trials:,} trials{given}, seed {sample.seed}; {CONFIDENCE:.0%} intervals"


def _chance(sample: Sample, name: str, share: float | None = None) -> tuple[str, str, str]:
    share = sample[name] if share is None else share
    return percent(Fraction(share)), interval_text(sample.interval(name)), bar(Fraction(share), BAR)


def interval_text(interval: Interval) -> str:
    """An interval of a chance: `12.01% to 12.45%`."""
    low, high = interval
    return f"{percent(Fraction(low))} to {percent(Fraction(high))}"


def spread_lines(name: str, spread: Sampled, paint: Paint = PLAIN) -> list[str]:
    """How a value is spread: its mean and deviation where it is a number, then how often each came up."""
    counts = list(spread.counts())
    shown = counts
    if len(counts) > MOST_VALUES:
        likely = sorted((number for _, number in counts), reverse=True)[MOST_VALUES - 1]
        shown = [(value, number) for value, number in counts if number >= likely][:MOST_VALUES]
    top = max(number for _, number in shown)
    rows = [
        (
            value_text(value),
            percent(Fraction(number, spread.trials)),
            interval_text(spread.interval(value)),
            bar(Fraction(number, top), BAR),
        )
        for value, number in shown
    ]
    lines = [f"{paint.strong(name)}{_mean(spread) if spread.is_number else ''}", *grid(rows, right=(0, 1))]
    if len(shown) < len(counts):
        rest = Fraction(spread.trials - sum(number for _, number in shown), spread.trials)
        lines.append(f"  {len(counts) - len(shown):,} other values, together {percent(rest)}")
    return lines


def _mean(spread: Sampled) -> str:
    low, high = spread.mean_interval()
    return f": mean {spread.mean:.4g} ({low:.4g} to {high:.4g}), standard deviation {spread.sd:.3f}"


def sample_sweep_text(rule: Rule, rows: Sequence[Sample], swept: Sequence[str], values: Sequence[str]) -> str:
    """Many cases, a line each: the inputs that vary, then each chance, or mean, and how far off it may be."""
    names = [each.label for each in rule.outcomes] + [each.name for each in rule.flags]
    names = (["good"] if len(rule.outcomes) > 2 else []) + names
    means = list(values) or ([] if names else list(rows[0].numbers))
    heads = [*swept, *names, *(f"mean {name}" for name in means)]
    body = [
        [
            *(value_text(row.inputs[name]) for name in swept),
            *(_share_text(row, name) for name in names),
            *(_mean_text(spread) for spread in row.spreads(means)),
        ]
        for row in rows
    ]
    return "\n".join([*table_lines(heads, body, len(swept)), "", how_text(rows[0])])


def _share_text(row: Sample, name: str) -> str:
    share = row.good if name == "good" else row[name]
    low, high = row.interval(name)
    return f"{percent(Fraction(share))} ±{max(high - share, share - low):.2%}"


def _mean_text(spread: Sampled) -> str:
    if not spread.is_number:
        return "?"
    low, high = spread.mean_interval()
    return f"{spread.mean:.4g} ±{(high - low) / 2:.2g}"


def sample_rows(rule: Rule, rows: Iterable[Sample], swept: Sequence[str], values: Sequence[str]) -> list[list[str]]:
    """The lines of CSV: the inputs that vary; each chance, or mean, with the ends of its interval."""
    names = [each.label for each in rule.outcomes] + [each.name for each in rule.flags]
    found: list[list[str]] = []
    for row in rows:
        means = list(values) or ([] if names else list(row.numbers))
        if not found:
            heads = [*names, *(f"mean {name}" for name in means)]
            found.append(
                [*swept, *(f"{head}{end}" for head in heads for end in ("", " low", " high")), "trials", "seed"]
            )
        line = [value_text(row.inputs[name]) for name in swept]
        for name in names:
            line += [repr(each) for each in (row[name], *row.interval(name))]
        for spread in row.spreads(means):
            line += [repr(each) for each in (spread.mean, *spread.mean_interval())] if spread.is_number else [""] * 3
        found.append([*line, str(row.trials), str(row.seed)])
    return found
