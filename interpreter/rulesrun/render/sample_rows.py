"""Sampled sweeps as rows: the inputs that vary, then each chance, or mean, with the ends of its interval.

In: `Sample`s. Out: a line of CSV, or what a table for people shows. `SampleColumns` says what stands in them; it is the
same for all rows of a sweep, and travels with the work to other processes.
"""

from __future__ import annotations

from collections.abc import Sequence
from json import dumps
from typing import TYPE_CHECKING, Any

from rulesrun.evaluation.values import value_text
from rulesrun.record import record
from rulesrun.render.rows import csv_text, heading
from rulesrun.semantics.plan import Kind

if TYPE_CHECKING:
    from rulesrun.evaluation.rule_odds import RuleOdds
    from rulesrun.evaluation.sample.result import Sample, Sampled

Estimate = tuple[float, float, float]
"""A chance or a mean, and the ends of its interval."""

ENDS = ("", " low", " high")


@record
class SampleRow:
    """A row for people. `found` stands under the columns; None where a value was no number."""

    inputs: dict[str, Any]
    found: tuple[Estimate | None, ...]
    good: Estimate | None
    known: int


@record
class SampleColumns:
    """`swept`: the inputs that vary. `chances`: the outcomes and flags of the rule. `values`: what else is asked."""

    swept: tuple[str, ...]
    chances: tuple[str, ...]
    values: tuple[str, ...]
    found: tuple[str, ...]
    yes_or_no: tuple[bool, ...]
    """`found`: the headings of what is estimated. `yes_or_no`: for each value, whether its chance is."""

    @property
    def headings(self) -> tuple[str, ...]:
        """The headings of a line of CSV."""
        return (*self.swept, *(f"{each}{end}" for each in self.found for end in ENDS), "trials", "seed")

    @property
    def kinds(self) -> tuple[str, ...]:
        """What stands under the headings that follow the inputs."""
        return (*("double" for _ in self.found for _ in ENDS), "int", "string")

    def record(self, sample: Sample) -> SampleRow:
        """A row for people."""
        good = (sample.good, *sample.interval("good")) if sample.outcomes else None
        return SampleRow({name: sample.inputs[name] for name in self.swept}, self._found(sample), good, sample.known)

    def csv_line(self, sample: Sample) -> str:
        """A row as a line of CSV."""
        cells = [value_text(sample.inputs[name]) for name in self.swept]
        for each in self._found(sample):
            cells += [""] * len(ENDS) if each is None else map(repr, each)
        return csv_text([[*cells, str(sample.trials), str(sample.seed)]])

    def csv_head(self) -> str:
        """The line of CSV above all rows."""
        return csv_text([self.headings])

    def _found(self, sample: Sample) -> tuple[Estimate | None, ...]:
        chances = [(sample[name], *sample.interval(name)) for name in self.chances]
        return (*chances, *map(_estimate, sample.spreads(self.values)))


def _estimate(spread: Sampled) -> Estimate | None:
    if spread.is_number:
        return spread.mean, *spread.mean_interval()
    if spread.is_yes_or_no:
        return spread[True], *spread.interval(True)
    return None


def sample_columns(rule: RuleOdds, swept: Sequence[str], values: Sequence[str] = ()) -> SampleColumns:
    """The columns of a sampled sweep: chances of outcomes and flags, and the values asked for; of a rule without either
    the means of its numbers unless values are asked for.
    """
    chances = tuple(each.label for each in rule.rule.outcomes) + tuple(each.name for each in rule.rule.flags)
    wanted = tuple(values) or (() if chances else rule.numbers)
    asked = [rule.value(name) for name in wanted]
    found = (*chances, *map(heading, wanted, asked))
    return SampleColumns(tuple(swept), chances, wanted, found, tuple(each.kind is Kind.YES_NO for each in asked))


def sample_json_line(sample: Sample, values: Sequence[str] | None = None) -> str:
    """One case as a line of JSON."""
    return dumps(sample.to_json(values), ensure_ascii=False) + "\n"
