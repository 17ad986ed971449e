"""Samples as text: chances with the intervals in which the true ones lie, how values are spread; sweeps as tables.

In: `Sample`s, or the rows of a sampled sweep. Out: text of at most `WIDTH` columns. A chance of 0% is one that never
came up.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from rulesrun.evaluation.sample.result import CONFIDENCE, Interval, Sample, Sampled
from rulesrun.evaluation.values import value_text
from rulesrun.render.layout import PLAIN, Paint, bar, grid
from rulesrun.render.odds import BAR, MOST_VALUES, outcome_name, table_lines
from rulesrun.render.sample_rows import Estimate, SampleColumns, SampleRow
from rulesrun.render.values import deviation, percent
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
    return _how(sample.trials, [sample.known], sample.seed)


def _how(trials: int, known: Sequence[int], seed: int) -> str:
    often = f"{known[0]:,}" if len(known) == 1 else f"{known[0]:,} to {known[-1]:,}"
    given = "" if list(known) == [trials] else f", {often} of them as given"
    return f"sampled: {trials:,} trials{given}, seed {seed}; {CONFIDENCE:.0%} intervals"


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
    return f": mean {spread.mean:.4g} ({low:.4g} to {high:.4g}), standard deviation {deviation(spread.sd)}"


def sample_sweep_text(rule: Rule, columns: SampleColumns, rows: Sequence[SampleRow], trials: int, seed: int) -> str:
    """Many cases, a line each: the inputs that vary, then each chance, or mean, and how far off it may be."""
    good = len(rule.outcomes) > 2
    heads = [*columns.swept, *(["good"] if good else []), *columns.found]
    means = len(columns.chances)
    body = [
        [
            *(value_text(row.inputs[name]) for name in columns.swept),
            *([_share_text(row.good)] if good else []),
            *map(_share_text, row.found[:means]),
            *map(_mean_text, row.found[means:], columns.yes_or_no),
        ]
        for row in rows
    ]
    known = sorted({row.known for row in rows})
    return "\n".join([*table_lines(heads, body, len(columns.swept)), "", _how(trials, known, seed)])


def _share_text(found: Estimate | None) -> str:
    if found is None:
        return "?"
    share, low, high = found
    return f"{percent(Fraction(share))} ±{percent(Fraction(max(high - share, share - low)))}"


def _mean_text(found: Estimate | None, yes_or_no: bool) -> str:
    if yes_or_no or found is None:
        return _share_text(found)
    mean, low, high = found
    return f"{mean:.4g} ±{(high - low) / 2:.2g}"
