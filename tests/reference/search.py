"""All ways in which the draws and decisions of a rule can go: depth first, each way a whole run with what came
before forced.

A run asks its `Script` for each draw and each decision. Where the script has no answer yet, the run is given up
(`Open`) and made again once for every answer. Probabilities are multiplied on the way down and added on the way up; at
a decision the branch with the best expected aim is taken, which is backward induction over everything that is known
there.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TypeVar

T = TypeVar("T")


class Mistake(Exception):
    """What the language calls an error of the rule or the call: it ends this way of the dice."""


class Unruled(Exception):
    """The language does not say what is right here, so that the reference has no opinion."""


class TooMany(Exception):
    """More runs than were allowed."""


@dataclass(frozen=True)
class Ending:
    """How one way of the dice ended.

    `values` are pairs of name and value; `aims` what the decisions made on this way aim at.
    """

    outcome: Hashable = None
    flags: frozenset[str] = frozenset()
    values: tuple[tuple[str, Hashable], ...] = ()
    aims: tuple[tuple[Hashable, Fraction], ...] = ()
    mistake: str | None = None


UNLISTED = Ending(outcome="(not followed to the end)")
Law = dict[Ending, Fraction]


@dataclass
class Open(Exception):
    """A draw (`weights`) or a decision (`ways`, for `aim`) that the script does not answer."""

    weights: tuple[Fraction, ...] = ()
    ways: int = 0
    aim: Hashable = None
    sign: int = 1
    of_dice: bool = False


@dataclass
class Script:
    """The answers to the first draws and decisions of a run, as positions among the possible ones."""

    made: Sequence[int]
    used: int = 0
    draws: int = 0

    def draw(self, things: Sequence[tuple[T, int]]) -> T:
        """One of the things, each with its weight."""
        self.draws += 1
        if len(things) == 1:
            return things[0][0]
        if self.used == len(self.made):
            total = sum(weight for _, weight in things)
            raise Open(tuple(Fraction(weight, total) for _, weight in things))
        return things[self._answer()][0]

    def decide(self, options: Sequence[T], aim: Hashable, sign: int, of_dice: bool) -> T:
        """The option with the highest (`sign` 1) or lowest (-1) expected aim, the first of equals."""
        if len(options) == 1:
            return options[0]
        if self.used == len(self.made):
            raise Open((), len(options), aim, sign, of_dice)
        return options[self._answer()]

    def _answer(self) -> int:
        self.used += 1
        return self.made[self.used - 1]


@dataclass
class Search:
    """`run` follows the rule with a script to its ending. `tied`: a decision about dice had several best answers."""

    run: Callable[[Script], Ending]
    max_draws: int
    max_runs: int
    runs: int = 0
    tied: bool = field(default=False)

    def law(self, made: tuple[int, ...] = ()) -> Law:
        """The chance of each ending, given the answers made."""
        self.runs += 1
        if self.runs > self.max_runs:
            raise TooMany
        try:
            return {self.run(Script(made)): Fraction(1)}
        except Open as question:
            if len(made) >= self.max_draws:
                return {UNLISTED: Fraction(1)}
            if not question.weights:
                return self._best([self.law((*made, way)) for way in range(question.ways)], question)
            mixed: Law = {}
            for way, weight in enumerate(question.weights):
                for ending, chance in self.law((*made, way)).items():
                    mixed[ending] = mixed.get(ending, Fraction(0)) + weight * chance
            return mixed

    def _best(self, branches: list[Law], question: Open) -> Law:
        for branch in branches:
            if any(ending.mistake for ending in branch):
                return branch
            if UNLISTED in branch:
                raise Unruled("the best of branches that were not followed to their ends")
            if any(question.aim not in dict(ending.aims) for ending in branch):
                return {Ending(mistake="nothing to be best for"): Fraction(1)}
        expected = [
            question.sign * sum((chance * dict(end.aims)[question.aim] for end, chance in branch.items()), Fraction(0))
            for branch in branches
        ]
        best = [branch for branch, value in zip(branches, expected, strict=True) if value == max(expected)]
        if question.of_dice and best[0] is not branches[0] and any(each != best[0] for each in best):
            self.tied = True
        return best[0]
