"""Exact odds as text: outcomes and flags with bars, values with their spread, choices with what they gain.

In: `Odds` and the names that were asked for. Out: text of at most `WIDTH` columns. Every chance is rounded correctly,
and shown exactly where its fraction is short.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from math import isfinite
from typing import Any

from rulesrun.diagnostics import RulesError
from rulesrun.evaluation.distribution import Distribution
from rulesrun.evaluation.odds import Odds
from rulesrun.evaluation.values import value_text
from rulesrun.render.card import MARKS
from rulesrun.render.layout import PLAIN, Paint, bar, grid, width, wrap
from rulesrun.render.values import decimal, deviation, percent
from rulesrun.semantics.plan import OutcomeLabel, Rule

BAR = 24
"""Cells of the longest bar."""

LONGEST_FRACTION = 15
"""Longer fractions are left to `--json`."""

MOST_VALUES = 40
"""Of a value with more different results only the likely ones are listed."""


_PART = re.compile(r"[^_ ]+_?|_")
"""A part of a heading that may stand on a line of its own."""


def odds_text(rule: Rule, odds: Odds, values: Iterable[str], paint: Paint = PLAIN) -> str:
    """The chances of one case; `values` names the values to show."""
    parts = [_chances(rule, odds, paint)] if odds.outcomes or odds.flags else []
    parts += [distribution_lines(name, odds.of(name), paint) for name in values]
    parts += [choice_lines(name, choice, paint) for name, choice in odds.policies.items()]
    method = f"exact: {odds.method['algorithm']}, {odds.method['states']:,} states"
    return "\n\n".join(["\n".join(part) for part in parts if part] + [paint.faint(method)])


def _chances(rule: Rule, odds: Odds, paint: Paint) -> list[str]:
    rows = [(outcome_name(each, paint), *_chance(odds[each.label])) for each in rule.outcomes]
    if len(rows) > 2:
        rows.append(("good", *_chance(odds.good)))
    flags = [(paint.strong(each.name), *_chance(odds[each.name])) for each in rule.flags]
    lines = grid([*rows, *flags], right=(1, 2))
    return [*lines[: len(rows)], *([""] if rows and flags else []), *lines[len(rows) :]]


def outcome_name(outcome: OutcomeLabel, paint: Paint) -> str:
    """An outcome with its mark."""
    shade = {True: paint.good, False: paint.bad, None: paint.strong}[outcome.good]
    return shade(f"{MARKS[outcome.good]} {outcome.label}")


def _chance(chance: Fraction) -> tuple[str, str, str]:
    return percent(chance), _exact(chance), bar(chance, BAR)


def _exact(number: Fraction) -> str:
    return short_text(number)


def distribution_lines(name: str, spread: Distribution, paint: Paint = PLAIN) -> list[str]:
    """How a value is spread: its mean and deviation where it is a number, then its chances."""
    items = list(spread.items())
    numbers = all(isinstance(value, int | Fraction) and not isinstance(value, bool) for value, _ in items)
    shown = items
    if len(items) > MOST_VALUES:
        likely = sorted((chance for _, chance in items), reverse=True)[MOST_VALUES - 1]
        shown = [(value, chance) for value, chance in items if chance >= likely][:MOST_VALUES]
    top = max((chance for _, chance in shown), default=Fraction(1))
    rows = [(value_text(value), percent(chance), _exact(chance), bar(chance / top, BAR)) for value, chance in shown]
    lines = [f"{paint.strong(name)}{_mean(spread) if numbers else ''}", *grid(rows, right=(0, 1, 2))]
    if len(shown) < len(items):
        rest = 1 - spread.tail - sum((chance for _, chance in shown), Fraction(0))
        lines.append(f"  {len(items) - len(shown):,} other values, together {percent(rest)}")
    if spread.tail:
        lines.append(f"  more, without end: {percent(spread.tail)}")
    return lines


def _mean(spread: Distribution) -> str:
    mean = mean_of(spread)
    if mean is None:
        return ": the mean is not known exactly"
    exact = short_text(mean)
    exact = f" ({exact})" if mean.denominator != 1 and exact else ""
    apart = f", standard deviation {deviation(spread.sd)}" if isfinite(spread.sd) else ""
    return f": mean {decimal(mean)}{exact}{apart}"


def short_text(number: Fraction) -> str:
    """The fraction, or nothing where it is long."""
    bits = number.numerator.bit_length() + number.denominator.bit_length()
    text = str(number) if bits < 8 * LONGEST_FRACTION else ""
    return text if len(text) <= LONGEST_FRACTION else ""


def mean_of(spread: Distribution) -> Fraction | None:
    """The mean of a number; None where it is not known exactly, or where the value may be something else."""
    try:
        return spread.mean
    except RulesError:
        return None


def mean_text(mean: Fraction | None) -> str:
    """A mean for people; `?` where it is not known."""
    return "?" if mean is None else decimal(mean)


def choice_lines(name: str, choice: Mapping[str, Any], paint: Paint = PLAIN) -> list[str]:
    """How a choice is made, what that gains over other ways, and when to do what."""
    lines = [f"{paint.strong(name)}: {choice['policy']}"]
    gains = [
        f"{points(gain)} over {word}"
        for word, gain in choice.get("gain", {}).items()
        if gain and word != choice["policy"]
    ]
    if gains:
        lines += wrap(", ".join(gains), first="  ")
    situations = choice.get("when", [])
    for situation in situations[:MOST_VALUES]:
        words = ", ".join(f"{each} {value_text(value)}" for each, value in situation.items())
        lines += wrap(words, first="  when ")
    if len(situations) > MOST_VALUES:
        lines.append(f"  and in {len(situations) - MOST_VALUES:,} more situations")
    return lines


def points(change: Fraction) -> str:
    """A change of a chance in percentage points, with its sign."""
    if not change:
        return "0%"
    sign = "+" if change > 0 else "-"
    size = percent(abs(change))
    return f"{'<' + sign + size[1:] if size.startswith('<') else sign + size}"


def table_lines(heads: Sequence[str], body: Sequence[Sequence[str]], fixed: int, cells: int = 80) -> list[str]:
    """A table under its headings. Where they make it too wide they are broken at `_` and blanks; where it still is,
    those past the first `fixed` become letters, explained above.
    """

    def lines_of(heads: Sequence[Sequence[str]]) -> list[str]:
        deep = max(map(len, heads))
        columns = [["", *head][max(place - deep + len(head) + 1, 0)] for head in heads for place in range(deep)]
        above = [columns[place::deep] for place in range(deep)]
        return grid([*above, *body], indent=0, right=tuple(range(len(heads))), cells=10_000)

    for lines in (lines_of([[head] for head in heads]), lines_of([_PART.findall(head) or [head] for head in heads])):
        if max(map(width, lines)) <= cells:
            return lines
    letters = [f"({_letters(place)})" for place in range(len(heads) - fixed)]
    legend = [f"{letter} {head}" for letter, head in zip(letters, heads[fixed:], strict=True)]
    return [*legend, "", *lines_of([[head] for head in (*heads[:fixed], *letters)])]


def _letters(place: int) -> str:
    """`a` to `z`, then `aa` and on."""
    return (_letters(place // 26 - 1) if place >= 26 else "") + chr(ord("a") + place % 26)
