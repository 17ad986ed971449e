"""Repetitions as absorbing Markov chains on the tracked values.

A turn's effect is computed once for all values of tracked numbers that the body only adds to. A number that nothing in the repetition
reads is not part of the chain's states: it rides along as the exponent of a generating function, so that a repetition without bound
still has exact odds, means and tails.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any, TypeAlias

from rulesrun.dice import Law
from rulesrun.dice.series import TooLarge
from rulesrun.diagnostics import RulesError
from rulesrun.evaluation import operations
from rulesrun.evaluation.exact.bags import contents
from rulesrun.evaluation.exact.chain import Amount, solved
from rulesrun.evaluation.exact.program import Loop, Program
from rulesrun.evaluation.exact.sources import Counted
from rulesrun.evaluation.exact.states import Run, State
from rulesrun.evaluation.exact.symbols import Linear

Turn: TypeAlias = int
Place: TypeAlias = tuple[tuple[Any, ...], Turn]
"""Values of the updated names but the rider, and the turn as far as it matters."""


def repeated(run: Run, program: Program, place: int, line: Loop, state: State) -> list[State]:
    """The states behind a repetition."""
    seen = run.seen(state)
    env = dict(state.env)
    for bag in line.bags:
        env[bag] = contents(run, bag, state)
    for name in line.reads:
        if name in env:
            env[name] = seen.known(env[name])
    state = State(env, state.weight, state.sources, state.facts)
    chain, ends = _followed(run, program, place, line, env)
    found = []
    for (values, _), amount in ends.items():
        after = {**env, **dict(zip(chain.names, values, strict=True))}
        sources, weight = state.sources, state.weight
        if isinstance(amount, Law):
            if amount.is_zero:
                continue
            rider, mass = chain.rider, amount.mass
            assert rider is not None
            name = f"{rider} after line {line.step.span.line}"
            if name in sources:
                raise TooLarge("an endless number that is counted again by another repetition")
            sources = {**sources, name: Counted(name, amount.scaled(1 / mass))}
            after[rider] = Linear(env[rider], (((name, 0), (1,)),), ())
            weight *= mass
        else:
            weight *= amount
        found.append(State(after, weight, sources, state.facts))
    return found


def _followed(run: Run, program: Program, place: int, line: Loop, env: Mapping[str, Any]) -> tuple[Chain, Mapping[Place, Amount]]:
    """The chain with as few names as will do, and its ends.

    A number that is only counted need not be part of the places unless the end of the repetition really depends on it: one that is
    read behind the repetition becomes the rider, those that are not are left out. Whether it depends is seen by trying.
    """
    if line.body.decides:
        from rulesrun.evaluation.exact.strategy import decided_turns

        chain = Chain(run, line, env, None, frozenset())
        chain.turns = decided_turns(run, program, place, chain)
        return chain, chain.ends()
    live = program.live[place + 1]
    counted = {name for name in line.counters if type(env[name]) is int}
    while True:
        rider = next((name for name in line.updated if name in counted and name in live), None)
        chain = Chain(run, line, env, rider, frozenset(name for name in counted if name not in live))
        try:
            return chain, chain.ends()
        except Depends as depends:
            counted.discard(depends.name)


class Depends(Exception):
    """The end of the repetition depends on a number that was to be left out."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


@dataclass(slots=True)
class Chain:
    run: Run
    line: Loop
    env: Mapping[str, Any]
    rider: str | None
    left_out: frozenset[str]
    names: tuple[str, ...] = ()
    period: int | None = None
    """The turn matters modulo this (None: it matters as it is)."""
    times: int | None = None
    at_most: int | None = None
    turns: Any = None
    """What a turn does from a place, where choices decide it; by default `kernel`."""
    _kernels: dict[Hashable, list[tuple[Fraction, tuple[Any, ...]]]] | None = None

    def __post_init__(self) -> None:
        line, run = self.line, self.run
        self.names = tuple(name for name in line.updated if name != self.rider and name not in self.left_out)
        seen = run.seen(State(dict(self.env), Fraction(1)))
        if line.times is not None:
            self.times = operations.natural_number(line.times(seen), line.step.times, "the number of turns")  # type: ignore[arg-type]
        if line.at_most is not None:
            self.at_most = operations.natural_number(line.at_most(seen), line.step.at_most, "the number of turns")  # type: ignore[arg-type]
        bounded = self.times is not None or self.at_most is not None
        if bounded or line.turn_lists is None or line.step.turn in line.until_reads:
            self.period = None
        elif line.step.turn in line.body_reads:
            self.period = lcm(*(max(1, len(each(seen))) for each in line.turn_lists))
        else:
            self.period = 1
        self._kernels = {}

    @property
    def start(self) -> Place:
        return tuple(self.env[name] for name in self.names), 0

    def over(self, place: Place) -> bool:
        """Whether the repetition ends before another turn."""
        values, turn = place
        line = self.line
        if self.times is not None and turn >= self.times:
            return True
        if self.at_most is not None and turn >= self.at_most:
            return True
        if line.until is None:
            return False
        env = {**self.env, **dict(zip(self.names, values, strict=True)), line.step.turn: turn + 1}
        missing = {*self.left_out, self.rider} & env.keys()
        for name in missing:
            del env[name]  # type: ignore[arg-type]
        seen = self.run.seen(State(env, Fraction(1)))
        try:
            return seen.truth(line.until(seen), line.step.until)  # type: ignore[arg-type]
        except KeyError as read:
            if read.args[0] in missing:
                raise Depends(read.args[0]) from None
            raise

    def following(self, turn: Turn) -> Turn:
        """The turn behind a turn, as far as it matters."""
        return turn + 1 if self.period is None else (turn + 1) % self.period

    def after(self, place: Place) -> Mapping[Place, Amount]:
        """Where a turn leads and with which weight, as a law of what the rider gains."""
        following = self.following(place[1])
        found: dict[Place, Any] = {}
        riders: dict[Place, dict[int, Fraction]] = {}
        for weight, changed, gain in self.kernel(place):
            to = (changed, following)
            if self.rider is None:
                found[to] = found.get(to, Fraction(0)) + weight
            else:
                gains = riders.setdefault(to, {})
                gains[gain] = gains.get(gain, Fraction(0)) + weight
        if self.rider is not None:
            return {to: Law.of(gains) for to, gains in riders.items()}
        return found

    def kernel(self, place: Place) -> list[tuple[Fraction, tuple[Any, ...], int]]:
        """What a turn does: weights, new values of the names, and what the rider gains."""
        values, turn = place
        line = self.line
        read = tuple(value for name, value in zip(self.names, values, strict=True) if name not in line.counters)
        key = (read, turn if line.step.turn in line.body_reads else None)
        assert self._kernels is not None
        if self.turns is not None:
            return self.turns(place)  # type: ignore[no-any-return]
        known = self._kernels.get(key)
        if known is None:
            known = self._kernels[key] = self._turn(dict(zip(self.names, values, strict=True)), turn)
        found = []
        order = line.updated
        for weight, new in known:
            by_name = dict(zip(order, new, strict=True))
            changed = tuple(
                value + by_name[name] if name in line.counters else by_name[name] for name, value in zip(self.names, values, strict=True)
            )
            found.append((weight, changed, by_name[self.rider] if self.rider is not None else 0))
        return found

    def _turn(self, values: Mapping[str, Any], turn: int) -> list[tuple[Fraction, tuple[Any, ...]]]:
        line = self.line
        env = {**self.env, **values, **dict.fromkeys(line.counters, 0), line.step.turn: turn + 1}
        lost = self.run.lost
        states = self.run.through(line.body, [State(env, Fraction(1))])
        if self.run.lost != lost:
            raise TooLarge("an endless result inside a repetition")
        return self.tuples(states, line.updated)

    def tuples(self, states: list[State], names: Sequence[str]) -> list[tuple[Fraction, tuple[Any, ...]]]:
        """The joint distribution of names, with nothing unknown."""
        return self.run.known_tuples(states, names)

    def ends(self) -> Mapping[Place, Amount]:
        """The weight of every way in which the repetition can end."""
        start = self.start
        one: Amount = Fraction(1) if self.rider is None else Law.point(0)
        moves: dict[Place, Mapping[Place, Amount]] = {}
        waiting = [start]
        found = {start}
        over: set[Place] = set()
        budget = self.run.algebra.budget
        while waiting:
            place = waiting.pop()
            if self.over(place):
                over.add(place)
                continue
            moves[place] = self.after(place)
            for to in moves[place]:
                if to not in found:
                    found.add(to)
                    waiting.append(to)
            if len(found) > budget:
                raise TooLarge(f"more than {budget:,} situations in a repetition")
        self.run.algebra.count(len(found))
        self.run.algebra.methods.add("Markov chain")
        try:
            return solved(start, one, moves, over)
        except ZeroDivisionError:
            raise RulesError.of(
                "this repetition may never end: there is a situation that no turn leads out of",
                code="never-ends",
                span=self.line.step.span,
                hint="add a bound: `, at most 100 times`",
            ) from None
