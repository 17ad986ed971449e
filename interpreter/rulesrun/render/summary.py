"""Many rolls of a rule, counted: how often each outcome and flag came, and how the values are spread.

In: rolls, one by one. Out: a table with bars, or the counts for JSON. Memory does not grow with the number of rolls.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from rulesrun.evaluation.roll import Roll
from rulesrun.evaluation.values import nearest_float, value_text
from rulesrun.render.layout import PLAIN, Paint, bar, grid
from rulesrun.render.rolls import own_values
from rulesrun.render.values import decimal, percent, value_key
from rulesrun.semantics.plan import Rule

BAR = 24
"""Cells of the longest bar."""

MOST_ROWS = 24
"""Values with more different results are shown by their mean, least and greatest only."""


class Tally:
    """Counts what rolls of one rule came to; add each roll once."""

    def __init__(self, rule: Rule) -> None:
        self.rule = rule
        self.rolls = 0
        self.outcomes: Counter[str] = Counter()
        self.flags: Counter[str] = Counter()
        self.values: dict[str, Counter[object]] = {}

    def add(self, roll: Roll) -> None:
        """One more roll."""
        self.rolls += 1
        if roll.outcome is not None:
            self.outcomes[roll.outcome] += 1
        self.flags.update(roll.flags)
        for name, value in own_values(self.rule, roll).items():
            self.values.setdefault(name, Counter())[value] += 1

    def text(self, paint: Paint = PLAIN) -> str:
        """The table: outcomes in the rule's order, flags, values."""
        shades = {True: paint.good, False: paint.bad, None: paint.strong}
        rows = [(shades[each.good](each.label), *self._share(self.outcomes[each.label])) for each in self.rule.outcomes]
        parts = [[f"{self.rolls:,} rolls", *grid(rows, right=(1, 2))]]
        if self.flags:
            parts.append(
                grid([(each.name, *self._share(self.flags[each.name])) for each in self.rule.flags], right=(1, 2))
            )
        varied = {name: counts for name, counts in self.values.items() if len(counts) > 1 or not self.rule.outcomes}
        for name, counts in varied.items():
            parts.append(self._spread(name, counts, whole=not self.rule.outcomes))
        return "\n\n".join("\n".join(part) for part in parts if part)

    def to_json(self) -> dict[str, Any]:
        """The counts, for programs."""
        return {
            "times": self.rolls,
            "outcomes": {each.label: self.outcomes[each.label] for each in self.rule.outcomes},
            "flags": {each.name: self.flags[each.name] for each in self.rule.flags},
            "values": {name: _value_json(counts) for name, counts in self.values.items()},
        }

    def _share(self, count: int) -> tuple[str, str, str]:
        share = Fraction(count, self.rolls)
        return f"{count:,}", percent(share), bar(share, BAR)

    def _spread(self, name: str, counts: Counter[object], whole: bool) -> list[str]:
        head = name
        if numbers := _numbers(counts):
            mean, least, most = _mean(numbers), min(numbers), max(numbers)
            head += f": mean {mean_text(mean)}, {value_text(least)} to {value_text(most)}"
        elif not whole:
            return []
        if not whole or len(counts) > MOST_ROWS:
            return [head]
        keys = sorted(numbers) if numbers else sorted(counts, key=value_text)
        return [head, *grid([(value_text(key), *self._share(counts[key])) for key in keys], right=(0, 1, 2))]


def _numbers(counts: Mapping[object, int]) -> dict[int | Fraction, int]:
    """The counts, if all that was counted is numbers."""
    numbers = {
        value: count
        for value, count in counts.items()
        if isinstance(value, int | Fraction) and not isinstance(value, bool)
    }
    return numbers if len(numbers) == len(counts) else {}


def mean_text(mean: Fraction) -> str:
    """A mean of rolls: three decimals, as the rolls do not tell more."""
    return f"{float(mean):.3f}" if abs(mean) < 10**15 else decimal(mean)


def _mean(numbers: Mapping[int | Fraction, int]) -> Fraction:
    return Fraction(sum(value * count for value, count in numbers.items())) / sum(numbers.values())


def _value_json(counts: Counter[object]) -> dict[str, Any]:
    numbers = _numbers(counts)
    ordered = sorted(numbers.items()) if numbers else sorted(counts.items(), key=lambda pair: value_text(pair[0]))
    found: dict[str, Any] = {"counts": {value_key(value): count for value, count in ordered}}
    return found | ({"mean": nearest_float(_mean(numbers))} if numbers else {})
