"""What a sample shows: chances with their intervals, and how values are spread.

In: counts of trials. Out: a `Sample`. Every chance is how often something came up among the trials; its interval is
Wilson's. Source: E. B. Wilson, Probable inference, the law of succession, and statistical inference (1927).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from html import escape
from math import sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

from rulesrun.diagnostics import RulesError
from rulesrun.evaluation.distribution import no_mean
from rulesrun.evaluation.of_rule import OfRule
from rulesrun.evaluation.values import nearest_float, value_text
from rulesrun.semantics import plan
from rulesrun.semantics.constants import is_number

if TYPE_CHECKING:
    from rulesrun.evaluation.rule_odds import RuleOdds
    from rulesrun.evaluation.sample.blocks import Counted, Counts

CONFIDENCE = 0.95
"""How sure intervals are unless another confidence is asked for."""

Interval = tuple[float, float]

Count = Callable[[Sequence[Sequence[plan.Expression]]], "Counted"]
"""Counts values in the same trials."""


def wilson(number: int, trials: int, confidence: float = CONFIDENCE) -> Interval:
    """The interval in which a chance lies with this confidence, if something came up in `number` of the trials."""
    z = _sigmas(confidence)
    share = number / trials
    whole = 1 + z * z / trials
    middle = (share + z * z / (2 * trials)) / whole
    half = z * sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials)) / whole
    return (0.0 if number == 0 else max(0.0, middle - half)), (1.0 if number == trials else min(1.0, middle + half))


def _sigmas(confidence: float) -> float:
    if not 0 < confidence < 1:
        raise RulesError.of(f"a confidence lies between 0 and 1, and this is {confidence}", code="bad-confidence")
    return NormalDist().inv_cdf((1 + confidence) / 2)


class Sample(OfRule):
    """Estimated chances: `sample["success"]` is how often an outcome or flag came up; see `interval`, `chance`, `of`.

    `trials` is how many there were, `known` in how many of them what is given held (all, if nothing is), `seed` from
    which all of them follow. `complete` is no if the work was interrupted before all trials were made.
    """

    def __init__(
        self,
        asked: RuleOdds,
        inputs: Mapping[str, plan.Constant],
        policies: Mapping[str, str],
        seed: int,
        counted: Counted,
        size: int,
        wanted: int,
        of: Sequence[str],
        count: Count,
    ) -> None:
        self._asked, self._count, self._size = asked, count, size
        self._singly = counted.singly
        self._along = dict(zip(of, counted.counts[1:], strict=True))
        self._policies = dict(policies)
        self.inputs, self.seed = dict(inputs), seed
        self.trials, self.known, self.complete = counted.trials, counted.known, counted.trials == wanted
        if not self.known:
            raise RulesError.of(
                f"what is given did not come up in {self.trials:,} trials, so nothing follows from it",
                code="given-impossible",
                hint="more trials, or exact odds",
            )
        rule = asked.rule
        self._often = dict.fromkeys((*(each.label for each in rule.outcomes), *(f.name for f in rule.flags)), 0)
        first = 1 if rule.outcomes else 0
        for values, number in counted.counts[0].items():
            if first and values[0][1] is not None:
                self._often[values[0][1]] += number
            for flag, (_, holds) in zip(rule.flags, values[first:], strict=True):
                if holds is True:
                    self._often[flag.name] += number
        self.joint: dict[tuple[Any, ...], float] = {
            tuple(value for _, value in values): number / self.known for values, number in counted.counts[0].items()
        }

    @property
    def outcomes(self) -> dict[str, float]:
        """How often each outcome came up."""
        return {each.label: self._share(self._often[each.label]) for each in self._asked.rule.outcomes}

    @property
    def flags(self) -> dict[str, float]:
        """How often each flag held."""
        return {each.name: self._share(self._often[each.name]) for each in self._asked.rule.flags}

    @property
    def policies(self) -> dict[str, str]:
        """How each choice was made."""
        return dict(self._policies)

    def __getitem__(self, name: str) -> float:
        """How often an outcome or flag came up. Raises KeyError for a name that the rule lacks."""
        if name in self._often:
            return self._share(self._often[name])
        raise self._lacks(name, self._often)

    @property
    def good(self) -> float:
        """How often an outcome marked + came up. Raises `RulesError` for a rule without outcomes."""
        return self._share(self._good())

    def chance(self, condition: str) -> float:
        """How often an outcome, a flag or any condition in the language held, in the same trials."""
        return self._share(self._number(condition))

    def interval(self, condition: str, confidence: float = CONFIDENCE) -> Interval:
        """Wilson's interval for the chance of an outcome, a flag, `good`, or any condition: it holds the true chance in
        that share of all samples.
        """
        return wilson(self._number(condition), self.known, confidence)

    def of(self, name: str) -> Sampled:
        """How a value, or an expression over values, is spread, in the same trials."""
        return self.spreads([name])[0]

    def spreads(self, names: Sequence[str]) -> list[Sampled]:
        """How several values are spread, counted together."""
        missing = [name for name in names if name not in self._along]
        counts = self._count([[self._asked.value(name)] for name in missing]).counts if missing else ()
        found = {**self._along, **dict(zip(missing, counts, strict=True))}
        return [Sampled(found[name]) for name in names]

    @property
    def method(self) -> dict[str, Any]:
        """How it was computed: in blocks of how many trials, and what had no array form but was worked out as in a
        roll, once for each different situation (`singly`).
        """
        found: dict[str, Any] = {"algorithm": "sample", "trials": self.trials, "block": self._size}
        if self._singly:
            found["singly"] = sorted(self._singly)
        return found

    def to_json(self, values: Sequence[str] | None = None, confidence: float = CONFIDENCE) -> dict[str, Any]:
        """Plain data for `json.dumps`; `values` names the values to give, by default those that the outcome uses."""
        from rulesrun.evaluation.sample.as_json import sample_json

        return sample_json(self, self.numbers if values is None else values, confidence)

    def __repr__(self) -> str:
        chances = ", ".join(f"{name}: {self[name]:.4f}" for name in self._often)
        return f"<Sample of {self.rule}, {self.trials:,} trials: {chances or ', '.join(self.numbers)}>"

    def _repr_html_(self) -> str:
        """A table with bars, for notebooks."""
        rows = ""
        for name, number in self._often.items():
            low, high = wilson(number, self.known)
            share = self._share(number)
            rows += (
                f"<tr><td>{escape(name)}</td><td>{share:.2%}</td><td>{low:.2%} to {high:.2%}</td>"
                f"<td><div style='background:#69c;height:1em;width:{share * 12:.2f}em'></div></td></tr>"
            )
        return f"<table><caption>{escape(self.system)}: {escape(self.rule)}</caption>{rows}</table>"

    def _share(self, number: int) -> float:
        return number / self.known

    def _good(self) -> int:
        return sum(self._often[label] for label in self._good_labels())

    def _number(self, condition: str) -> int:
        if condition in self._often:
            return self._often[condition]
        if condition == "good" and self._asked.rule.outcomes:
            return self._good()
        counted = self._count([[self._asked.condition(condition)]])
        return counted.counts[0].get(((bool, True),), 0)


class Sampled:
    """How a value is spread among the trials: how often each came up."""

    def __init__(self, counts: Counts) -> None:
        self._counts = {key[0]: number for key, number in counts.items()}
        self.trials = sum(self._counts.values())

    def __getitem__(self, value: object) -> float:
        """How often a value came up."""
        return self._number(value) / self.trials

    def interval(self, value: object, confidence: float = CONFIDENCE) -> Interval:
        """Wilson's interval for the chance of a value."""
        return wilson(self._number(value), self.trials, confidence)

    def items(self) -> Iterator[tuple[Any, float]]:
        """Values and how often they came up: numbers in ascending order, then other values."""
        yield from ((value, number / self.trials) for value, number in self._listed)

    def counts(self) -> Iterator[tuple[Any, int]]:
        """Values and in how many trials they came up, in the order of `items`."""
        yield from self._listed

    def __iter__(self) -> Iterator[Any]:
        return (value for value, _ in self._listed)

    def __len__(self) -> int:
        return len(self._listed)

    @cached_property
    def _listed(self) -> tuple[tuple[Any, int], ...]:
        numbers = sorted(((value, n) for (_, value), n in self._counts.items() if is_number(value)), key=lambda p: p[0])
        others = [(value, n) for (_, value), n in self._counts.items() if not is_number(value)]
        return (*numbers, *sorted(others, key=lambda pair: value_text(pair[0])))

    @property
    def is_number(self) -> bool:
        """Whether only numbers came up."""
        return all(is_number(value) for value, _ in self._listed)

    @property
    def is_yes_or_no(self) -> bool:
        """Whether only yes and no came up."""
        return all(isinstance(value, bool) for value, _ in self._listed)

    @cached_property
    def _sums(self) -> tuple[Fraction, Fraction]:
        if not self.is_number:
            raise no_mean(value for value, _ in self._listed if not is_number(value))
        first = sum((value * n for value, n in self._listed), Fraction(0))
        return first / self.trials, sum((Fraction(value) ** 2 * n for value, n in self._listed), Fraction(0))

    @property
    def mean(self) -> float:
        """The mean. Raises `RulesError` where something else than a number came up."""
        return _as_float(self._sums[0])

    @property
    def sd(self) -> float:
        """The standard deviation, estimated for the value itself (not for its mean)."""
        mean, squares = self._sums
        return sqrt(_as_float((squares - self.trials * mean**2) / max(1, self.trials - 1)))

    def mean_interval(self, confidence: float = CONFIDENCE) -> Interval:
        """The interval in which the mean lies with this confidence, by the normal law of means."""
        half = _sigmas(confidence) * self.sd / sqrt(self.trials)
        return self.mean - half, self.mean + half

    def at_least(self, value: int | Fraction) -> float:
        """How often the number was at least this."""
        return sum(n for each, n in self._listed if is_number(each) and each >= value) / self.trials

    def at_most(self, value: int | Fraction) -> float:
        """How often the number was at most this."""
        return sum(n for each, n in self._listed if is_number(each) and each <= value) / self.trials

    def __repr__(self) -> str:
        shown = ", ".join(f"{value_text(value)}: {share:.4f}" for value, share in list(self.items())[:12])
        return f"<Sampled {shown}{', …' if len(self) > 12 else ''}>"

    def _number(self, value: object) -> int:
        return next((n for (_, each), n in self._counts.items() if _equal(each, value)), 0)


def _as_float(number: int | Fraction) -> float:
    found = nearest_float(number)
    if found is None:
        raise RulesError.of(
            "numbers of this size cannot be estimated", code="too-large", hint="ask for exact odds, or for a chance"
        )
    return found


def _equal(one: object, other: object) -> bool:
    return one == other and isinstance(one, bool) == isinstance(other, bool)
