"""The best decisions in a repetition: a stationary policy over the tracked values.

The places of the chain are taken from its ends backward. Where places lead to one another, policies are improved
until none is better
(Howard's policy iteration), each valued by an exact linear solve.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from flint import fmpq

from rulesrun.dice.series import TooLarge
from rulesrun.evaluation.exact.beyond import Beyond
from rulesrun.evaluation.exact.chain import Amount, ordered
from rulesrun.evaluation.exact.choose import best, offered
from rulesrun.evaluation.exact.lines import Choose, Program, choices_in, is_waiting
from rulesrun.evaluation.exact.loop import tidy
from rulesrun.evaluation.exact.states import Run, State

if TYPE_CHECKING:
    from rulesrun.evaluation.exact.loop import Chain, Place

Turns = Callable[["Place"], list[tuple[fmpq, tuple[Any, ...], int]]]


def decided_turns(run: Run, program: Program, place: int, chain: Chain) -> Turns:
    """What a turn does from each place when every decision in it is the best for the rest of the rule.

    Faces that are known to come are not known to the player: what lies behind a turn is worth what it would be without
    them.
    """
    plans = Strategy(run, program, place, chain)
    plans.weigh({_unforeseen(chain, to): amount for to, amount in chain.starts.items()})
    return plans.turns()


def _unforeseen(chain: Chain, place: Place) -> Place:
    """The same place without known faces."""
    values = (() if is_waiting(name) else value for name, value in zip(chain.names, place[0], strict=True))
    return tuple(values), place[1]


class Strategy:
    """What the places of a repetition are worth for its decisions, and what to decide there."""

    def __init__(self, run: Run, program: Program, place: int, chain: Chain) -> None:
        self.run, self.program, self.place, self.chain = run, program, place, chain
        self.worth: dict[Place, Fraction] = {}
        self.behind = 0
        self.choice = next(line for line in choices_in(chain.line.body) if line.policy.word in ("best", "worst"))

    def weigh(self, starts: Mapping[Place, Amount]) -> None:
        """Finds what all places are worth that the starts can lead to."""
        moves = self._all_moves(starts)
        for group in reversed(ordered(starts, moves)):
            self._value(group, moves)

    def turns(self) -> Turns:
        """What a turn does from each place."""
        known: dict[Place, list[tuple[fmpq, tuple[Any, ...], int]]] = {}

        def turn(place: Place) -> list[tuple[fmpq, tuple[Any, ...], int]]:
            if place not in known:
                inner = self._run()
                known[place] = [(fmpq(w.numerator, w.denominator), to[0], 0) for w, to in self._turn(inner, place)]
                named = zip(self.chain.names, place[0], strict=True)
                tracked = {name: value for name, value in named if not is_waiting(name)}
                for name, notes in inner.notes.items():
                    self.run.notes.setdefault(name, []).extend(
                        ({**tracked, **about}, option) for about, option in notes
                    )
            return known[place]

        return turn

    def at(self, body: int, line: Choose, env: Mapping[str, Any], turn: int) -> Any:
        """The best option of a choice in the middle of a turn, from the values that are known there."""
        self.behind = self.chain.following(turn)
        states = self._run(every=True).through(self.chain.line.body, [State(dict(env), Fraction(1))], body)
        after = self.run.known_tuples(states, self.chain.line.updated)
        self.weigh({(tuple(map(tidy, new)), self.behind): fmpq(1) for _, new in after})
        self.behind = self.chain.following(turn)
        run, state = self._run(), State(dict(env), Fraction(1))
        return best(run, self.chain.line.body, body, line, state, offered(run, line, state))

    def _run(self, every: bool = False) -> Run:
        """The body's own run: what lies behind a turn is worth what is known of it."""
        return Run(
            self.run.algebra, self.run.ruleset, lambda run, state, line: self._behind(run, state), follow_all=every
        )

    def _behind(self, run: Run, state: State) -> Fraction:
        total = Fraction(0)
        for weight, values in run.known_tuples([state], self.chain.line.updated):
            total += weight * self.worth[tuple(map(tidy, values)), self.behind]
        return total

    def _turn(self, run: Run, place: Place) -> list[tuple[Fraction, Place]]:
        values, turn = place
        line = self.chain.line
        following = self.behind = self.chain.following(turn)
        env = {**self.chain.env, **dict(zip(self.chain.names, values, strict=True)), line.step.turn: turn + 1}
        states = run.through(line.body, [State(env, Fraction(1))])
        after = run.known_tuples(states, line.updated)
        return [(weight, (tuple(map(tidy, new)), following)) for weight, new in after]

    def _all_moves(self, starts: Mapping[Place, Amount]) -> dict[Place, dict[Place, Amount]]:
        """Where any decisions can lead."""
        moves: dict[Place, dict[Place, Amount]] = {}
        waiting = list(starts)
        found = set(waiting)
        while waiting:
            place = waiting.pop()
            if self.chain.over(place):
                self.worth[place] = self._end_worth(place)
                continue
            moves[place] = {to: fmpq(1) for _, to in self._turn(self._run(every=True), place)}
            for to in moves[place]:
                if to not in found:
                    found.add(to)
                    waiting.append(to)
            if len(found) > self.run.algebra.budget:
                raise TooLarge(f"more than {self.run.algebra.budget:,} situations in a repetition")
        return moves

    def _end_worth(self, place: Place) -> Fraction:
        env = {**self.chain.env, **dict(zip(self.chain.names, place[0], strict=True))}
        value = self.run.value(self.program, self.place + 1, State(env, Fraction(1)), self.choice)
        if isinstance(value, Beyond):
            raise TooLarge("a repetition whose worth has no end")
        return Fraction(value)

    def _value(self, group: Sequence[Place], moves: Mapping[Place, Mapping[Place, Amount]]) -> None:
        if group[0] in self.worth:
            return
        if len(group) == 1 and group[0] not in moves[group[0]]:
            self.worth[group[0]] = self._worth_of_turn(self._turn(self._run(), group[0]))
            return
        for place in group:
            self.worth[place] = Fraction(0)
        worst = self.choice.policy.word == "worst"
        if worst:
            for place in group:
                self.worth[place] = Fraction(1)
        while True:
            policy = {place: self._turn(self._run(), place) for place in group}
            new = self._solved(group, policy)
            if all(new[place] == self.worth[place] for place in group):
                return
            self.worth |= new

    def _worth_of_turn(self, turn: Sequence[tuple[Fraction, Place]]) -> Fraction:
        return sum((weight * self.worth[to] for weight, to in turn), Fraction(0))

    def _solved(
        self, group: Sequence[Place], policy: Mapping[Place, Sequence[tuple[Fraction, Place]]]
    ) -> dict[Place, Fraction]:
        """The worth of each place of a group under a policy: x = r + P x."""
        size = len(group)
        index = {place: i for i, place in enumerate(group)}
        rows = [[Fraction(int(i == j)) for j in range(size)] + [Fraction(0)] for i in range(size)]
        for place, turn in policy.items():
            row = rows[index[place]]
            for weight, to in turn:
                if to in index:
                    row[index[to]] -= weight
                else:
                    row[size] += weight * self.worth[to]
        for i in range(size):
            pivot = next((r for r in range(i, size) if rows[r][i]), None)
            if pivot is None:
                continue
            rows[i], rows[pivot] = rows[pivot], rows[i]
            rows[i] = [x / rows[i][i] for x in rows[i]]
            for r in range(size):
                if r != i and rows[r][i]:
                    factor = rows[r][i]
                    rows[r] = [a - factor * b for a, b in zip(rows[r], rows[i], strict=True)]
        return {place: rows[index[place]][size] for place in group}
