"""Estimates asked of the cells of a grid, as `job.Exact` asks exact odds.

In: a rule, how many trials, a seed. Out: a `Sample` for each cell. Every cell is sampled from the seed itself, as a
call with the inputs of that cell alone would be: so a row depends neither on the rows before it nor on who computes it,
and rows differ by their inputs more than by luck.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from rulesrun.evaluation.odds import Policies
from rulesrun.evaluation.roll import RuleRoller
from rulesrun.evaluation.rule_odds import RuleOdds
from rulesrun.evaluation.sample.result import Sample
from rulesrun.evaluation.sample.sampling import sampled
from rulesrun.record import record
from rulesrun.semantics.plan import Constant, Expression

TRIALS_TOGETHER = 200_000
"""A chunk of rows has no more trials, if it has more than one row: a process that is stopped loses its chunk."""


@record
class Estimates:
    """So many `trials` of each cell. `of`: values that are counted along. `threads` work on each; None: one a core."""

    rule: RuleOdds
    choose: Policies
    aim: Expression | None
    known: Expression | None
    trials: int
    seed: int
    of: tuple[str, ...] = ()
    threads: int | None = 1

    @property
    def together(self) -> int:
        """How many rows a chunk of these should have at most."""
        return max(1, TRIALS_TOGETHER // self.trials)

    def rows(self, cells: Iterable[Mapping[str, object]]) -> Iterator[Sample]:
        """The estimates for each cell."""
        roller = RuleRoller(self.rule.ruleset, self.rule.rule)
        for cell in cells:
            yield self.sample(cell, roller)

    def inputs(self, cell: Mapping[str, object]) -> dict[str, Constant]:
        """A value for every input; raises `RulesError` if those of the cell do not fit."""
        return self.rule.inputs(cell)

    def sample(
        self,
        cell: Mapping[str, object],
        roller: RuleRoller,
        progress: Callable[[int], None] | None = None,
        keep_interrupted: bool = False,
    ) -> Sample:
        """The estimates for one cell; `roller` rolls the rule once first, for the errors that every roll has.

        `progress` hears how many trials are done. `keep_interrupted`: an interruption by the keyboard ends the work
        with what is done by then.
        """
        words = {self.choose.get(name, step.policy).word for name, step in self.rule.choices.items()}
        if words.isdisjoint(("best", "worst")):
            roller.tried(cell, self.seed, self.choose)
        return sampled(
            self.rule, cell, self.trials, self.seed, choose=self.choose, aim=self.aim, known=self.known, of=self.of,
            workers=self.threads, progress=progress, keep_interrupted=keep_interrupted,
        )  # fmt: skip
