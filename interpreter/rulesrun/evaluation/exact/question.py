"""What can be asked of a rule, exactly: the joint chances of several values, or the law of one number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rulesrun.diagnostics import RulesError
from rulesrun.dice.cost import counted
from rulesrun.dice.series import EndlessWays, Irrational, TooLarge
from rulesrun.evaluation.exact.abreast import NotAbreast, Shares, only_compared
from rulesrun.evaluation.exact.abreast_run import RunAbreast, may_go_abreast
from rulesrun.evaluation.exact.aims import aims_of, worth
from rulesrun.evaluation.exact.answer import Answer
from rulesrun.evaluation.exact.beyond import Lost
from rulesrun.evaluation.exact.chances import Algebra
from rulesrun.evaluation.exact.collecting import Deeper, collected
from rulesrun.evaluation.exact.evaluate import Evaluated, compiled
from rulesrun.evaluation.exact.lines import Loop, Program, waiting_of
from rulesrun.evaluation.exact.listing import ENDLESS_TAIL
from rulesrun.evaluation.exact.margins import with_margins
from rulesrun.evaluation.exact.program import Asked, compiled_program, summed_only
from rulesrun.evaluation.exact.seen import Uncapped
from rulesrun.evaluation.exact.state import WHOLE, State
from rulesrun.evaluation.exact.states import Run, Stop
from rulesrun.evaluation.exact.suits import ALL_READ, suits_of
from rulesrun.limits import within
from rulesrun.semantics import plan
from rulesrun.semantics.renaming import names_in, parts

_SINGLE = (plan.Kind.LABEL, plan.Kind.YES_NO)
"""What has few values, and each of them one chance."""


@dataclass(frozen=True, slots=True)
class Before:
    """What the last cell of a table went through, and with which inputs."""

    program: Program
    inputs: Mapping[str, Any]
    told: tuple[int, int]
    """How far dice that explode without end were told apart."""
    stops: dict[int, Stop]


@dataclass(slots=True)
class ExactQuestion:
    """A question to a rule, compiled: expressions over its names at its end."""

    rule: plan.Rule
    ruleset: plan.RulesetPlan
    wanted: Sequence[plan.Expression]
    policies: Mapping[str, plan.Policy] = field(default_factory=dict)
    aim: plan.Expression | None = None
    given: plan.Expression | None = None
    known: Mapping[str, Sequence[plan.Face]] = field(default_factory=dict)
    """Faces that are known of draws, in the order drawn."""
    probing: bool = False
    """Whether errors count that a roll meets in values which nothing reads."""
    program: Program = field(init=False)
    evaluated: Sequence[Evaluated] = field(init=False)
    holds: Evaluated | None = field(init=False)
    natural: bool = field(init=False)
    follows_growth: bool = field(init=False)
    """Whether a mean may be asked for, and nothing but dice that are thrown once lies behind it."""
    abreast: frozenset[str] = field(init=False)
    """The inputs of which several values can be answered at once."""

    def __post_init__(self) -> None:
        aims = aims_of(self.rule.steps, self.policies, self.aim)
        steps, asked = self.rule.steps, (*self.wanted, *([] if self.given is None else [self.given]))
        if not aims:
            steps, asked = with_margins(steps, asked)
        reads = names_in(asked) | names_in(tuple(aims))
        asking = (*steps, *asked, *aims)
        suits = ALL_READ if self.known else suits_of(asking, self)
        self.program = compiled_program(
            steps,
            reads,
            Asked(self.policies, self.aim, summed_only(asking), frozenset(self.known), self.probing, suits),
        )
        self.evaluated = [compiled(each) for each in asked[: len(self.wanted)]]
        self.natural = any(isinstance(each, plan.Natural) for each in parts(asking))
        self.holds = None if self.given is None else compiled(asked[-1])
        self.follows_growth = len(self.wanted) == 1 and self.wanted[0].kind is plan.Kind.NUMBER
        self.follows_growth &= not self.program.decides and not any(isinstance(x, Loop) for x in self.program.lines)
        self.abreast = frozenset()
        if not self.program.decides and all(each.kind in _SINGLE for each in self.wanted):
            names = only_compared(asking, (each.name for each in self.rule.inputs))
            self.abreast = frozenset(name for name in names if may_go_abreast(self.program, name))

    def answer(self, inputs: Mapping[str, Any], budget: int, algebra: Algebra | None = None) -> Answer:
        """The answer for complete inputs. Raises `RulesError`, for work over the budget too."""
        shared = algebra is not None and not self.program.decides
        algebra = algebra or Algebra(budget)
        algebra.natural, algebra.tail = self.natural, ENDLESS_TAIL
        algebra.follows_growth = self.follows_growth
        start = self._start(inputs)
        try:
            while True:
                run = Run(algebra, self.ruleset, worth)
                try:
                    with within(self.ruleset.limits), counted(algebra.compute):
                        states = self._passed(run, start, shared)
                        return collected(run, states, self.evaluated, self.holds, self.given)
                except Uncapped as low:
                    algebra.further(low.wanted, low.period)
                except Deeper:
                    algebra.tail, algebra.before = algebra.tail**2, None
        except Irrational:
            raise RulesError.of(
                f"{self.rule.name} has no exact chance here that is a fraction: of its endless dice some count up and"
                " others down, or several faces outdo each other in turn, and the exact numbers are irrational in"
                " general",
                code="endless",
                span=self.rule.span,
                hint="`odds --sample 100000` estimates it; a limit such as `at most 20 times` makes it finite",
            ) from None
        except TooLarge as large:
            more = (
                "bound what goes on without end, as with `at most 5 times`"
                if isinstance(large, EndlessWays)
                else f"ask for smaller numbers, allow more (`--budget {budget * 10}`)"
            )
            raise RulesError.of(
                f"{self.rule.name} is too large for exact odds: {large}",
                code="budget",
                span=self.rule.span,
                hint=f"{more}, or estimate: `odds --sample 100000`",
            ) from None

    def _passed(self, run: Run, inputs: Mapping[str, Any], shared: bool) -> list[State]:
        """The states at the end; those of a table's cells start where they differ from the cell before."""
        program, algebra = self.program, run.algebra
        if not shared:
            return run.through(program, [State(dict(inputs), WHOLE)])
        end = len(program.lines)
        waiting, start, stops = self._on_the_way(run, inputs, end)
        found = run.onward(program, waiting, start, stops)
        algebra.before = Before(program, inputs, algebra.told, stops)
        return found

    def _on_the_way(
        self, run: Run, inputs: Mapping[str, Any], latest: int
    ) -> tuple[dict[int, list[State]], int, dict[int, Stop]]:
        """Where the cell before went along, up to the place `latest`: what waits, from which line on, and the stops
        until there.
        """
        program, algebra = self.program, run.algebra
        before, algebra.before = algebra.before, None
        if before is None or before.program is not program or before.told != algebra.told:
            return {0: [State(dict(inputs), WHOLE)]}, 0, {}
        for name, value in inputs.items():
            if value != before.inputs[name] or type(value) is not type(before.inputs[name]):
                latest = min(latest, program.first.get(name, latest))
        start = max((place for place in before.stops if place <= latest), default=0)
        stops = {place: stop for place, stop in before.stops.items() if place <= start}
        if not start:
            return {0: [State(dict(inputs), WHOLE)]}, 0, stops
        run.lost = stops[start].lost
        return stops[start].again(inputs), start, stops

    def _start(self, inputs: Mapping[str, Any]) -> dict[str, Any]:
        """What names stand for before the first line."""
        return {**inputs, **{waiting_of(name): tuple(faces) for name, faces in self.known.items()}}

    def answers(
        self, cells: Sequence[Mapping[str, Any]], name: str, budget: int, algebra: Algebra
    ) -> list[Answer] | None:
        """The answers for cells that differ in nothing but a whole number, one of those that may go `abreast`; None
        where they have to be answered one by one, as for errors.
        """
        algebra.natural, algebra.tail, algebra.follows_growth = self.natural, ENDLESS_TAIL, False
        start, program = self._start(cells[0]), self.program
        run = RunAbreast(algebra, self.ruleset, cells=len(cells))
        latest = program.first.get(name, len(program.lines))
        try:
            with within(self.ruleset.limits), counted(algebra.compute):
                waiting, place, stops = self._on_the_way(run, start, latest)
                run.up_to(program, waiting, place, latest, stops)
                before = Before(program, start, algebra.told, stops)
                run.begin(waiting, name, [each[name] for each in cells])
                found = run.collected(run.onward(program, waiting, latest), self.evaluated, self.holds, self.given)
        except (NotAbreast, RulesError, TooLarge, Uncapped, Lost):
            return None
        if isinstance(run.lost, Shares) or run.lost:
            return None
        algebra.before = before
        methods, states = frozenset(algebra.methods), algebra.states
        return [Answer(weights, None, 1, run.lost, [], {}, methods, states) for weights in found]
