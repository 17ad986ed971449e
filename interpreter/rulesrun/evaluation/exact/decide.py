"""The best or worst decision in the middle of a roll or a trial: what a player who knows the odds would do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from rulesrun.diagnostics import RulesError
from rulesrun.dice.series import TooLarge
from rulesrun.evaluation.exact.aims import good_outcome, worth
from rulesrun.evaluation.exact.bags import lay_out_bags
from rulesrun.evaluation.exact.chances import Algebra
from rulesrun.evaluation.exact.choose import best, offered
from rulesrun.evaluation.exact.draw import lay_out
from rulesrun.evaluation.exact.early import answers_early
from rulesrun.evaluation.exact.lines import Choose, Loop, Program, Set
from rulesrun.evaluation.exact.question import ExactQuestion
from rulesrun.evaluation.exact.seen import Uncapped
from rulesrun.evaluation.exact.state import State
from rulesrun.evaluation.exact.states import Run
from rulesrun.evaluation.exact.strategy import Strategy
from rulesrun.evaluation.walk import all_steps
from rulesrun.limits import within
from rulesrun.semantics import plan


class Decisions:
    """The best and worst decisions of a rule; what has been worked out for one helps with the next.

    `policies` are those in force, `aim` is what best is best for where a policy names nothing (by default the chance of
    a good outcome).
    """

    def __init__(
        self,
        ruleset: plan.RulesetPlan,
        rule: plan.Rule,
        policies: Mapping[str, plan.Policy],
        aim: plan.Expression | None,
    ) -> None:
        self._ruleset, self._rule = ruleset, rule
        self._question = ExactQuestion(rule, ruleset, [], policies, aim or good_outcome(rule))
        self._algebra = Algebra(ruleset.limits.states)
        self._algebra.natural = self._question.natural
        self._run = Run(self._algebra, ruleset, worth)
        self._early = {line.name: line for line in _early(self._question.program)}

    def matters(self, name: str) -> bool:
        """Whether what is aimed at depends on the choice."""
        return self._path(name) is not None

    def reads(self, name: str) -> tuple[str, ...]:
        """The names that tell the situations of a choice apart."""
        program = self._question.program
        found: set[str] = set()
        for place in self._path(name) or ():
            line = program.lines[place]
            if isinstance(line, Loop):
                found |= {*line.reads, *program.live[place + 1], line.step.turn} - {*line.updated}
                program = line.body
            else:
                found |= {*program.live[place], *program.live[place + 1]} - {name}
        early = self._early.keys() & found
        return tuple(sorted(found.union(*(self._early[each].reads for each in early)) - early))

    def option(self, name: str, known: Mapping[str, Any]) -> Any:
        """The option that is best (or worst) for the choice's aim, the first of equally good ones.

        `known` holds the values of all names so far, dice as pools, bags as what they hold. Raises `RulesError` where
        that is too much to work out.
        """
        lay_out(known.values(), self._rule, self._ruleset, self._algebra)
        path = self._path(name)
        assert path is not None
        try:
            while True:
                self._algebra.anew()
                try:
                    with within(self._ruleset.limits):
                        lay_out_bags(self._run, known)
                        return self._best(path, {**known, **self._answers(known)})
                except Uncapped as low:
                    self._algebra.further(low.wanted, low.period)
                    self._run = Run(self._algebra, self._ruleset, worth)
        except TooLarge as large:
            raise RulesError.of(
                f"what is best for {name} is too large to find: {large}",
                code="budget",
                span=next(
                    each.span
                    for each in all_steps(self._rule.steps)
                    if isinstance(each, plan.Choice) and each.name == name
                ),
                hint="give a policy such as `always`, `never` or a condition, or `--limit states=N`",
            ) from None

    def _best(self, path: Sequence[int], known: Mapping[str, Any]) -> Any:
        program = self._question.program
        place, *deeper = path
        if deeper:
            return Strategy.of(self._run, program, place, known).decided(deeper, known)
        line = program.lines[place]
        assert isinstance(line, Choose)
        state = State({name: known[name] for name in program.live[place] if name in known}, Fraction(1))
        return best(self._run, program, place, line, state, offered(line, self._run.seen(state)))

    def _answers(self, known: Mapping[str, Any]) -> dict[str, Any]:
        """What is worked out early from what is known."""
        seen = self._run.seen(State(dict(known), Fraction(1)))
        return {name: line.value(seen) for name, line in self._early.items() if line.reads <= known.keys()}

    def _path(self, name: str) -> tuple[int, ...] | None:
        return _path_to(self._question.program, name)


def _early(program: Program) -> Iterator[Set]:
    """The lines that ask throws early, those in repetitions too."""
    for line in program.lines:
        if isinstance(line, Set) and answers_early(line.name):
            yield line
        elif isinstance(line, Loop):
            yield from _early(line.body)


def _path_to(program: Program, name: str) -> tuple[int, ...] | None:
    """The place of a choice, behind those of the repetitions that it is in; None if nothing depends on it."""
    for place, line in enumerate(program.lines):
        if isinstance(line, Choose) and line.name == name:
            return (place,)
        if isinstance(line, Loop) and (deeper := _path_to(line.body, name)) is not None:
            return (place, *deeper)
    return None
