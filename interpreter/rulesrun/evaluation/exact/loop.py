"""Repetitions as absorbing Markov chains on the tracked values.

A turn's effect is computed once for all values of tracked numbers that the body only adds to. A number that nothing
in the repetition
reads is not part of the chain's states: it rides along as the exponent of a generating function, so that a repetition
without bound
still has exact odds, means and tails.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm
from typing import Any, TypeAlias, TypeVar

from flint import fmpq

from rulesrun.diagnostics import RulesError
from rulesrun.dice import Law
from rulesrun.dice.series import TooLarge
from rulesrun.evaluation import operations
from rulesrun.evaluation.exact.bags import contents
from rulesrun.evaluation.exact.beyond import Beyond, Lost, total_of
from rulesrun.evaluation.exact.chain import Amount, solved, to_fraction
from rulesrun.evaluation.exact.effort import STEPS
from rulesrun.evaluation.exact.lines import Loop, Program
from rulesrun.evaluation.exact.loop_unopened import followed_unopened
from rulesrun.evaluation.exact.seen import Reveal, Split, Spread
from rulesrun.evaluation.exact.sources import Counted
from rulesrun.evaluation.exact.state import State
from rulesrun.evaluation.exact.states import Run
from rulesrun.evaluation.exact.symbols import Linear, plain
from rulesrun.evaluation.limits import too_large
from rulesrun.evaluation.pools import Die, arranged
from rulesrun.limits import in_force

P = TypeVar("P", bound=Hashable)
Turn: TypeAlias = int
Place: TypeAlias = tuple[tuple[Any, ...], Turn]
"""Values of the updated names but the rider, and the turn as far as it matters."""
Moves: TypeAlias = list[tuple[Amount, tuple[Any, ...]]]


def repeated(run: Run, program: Program, place: int, line: Loop, states: Sequence[State]) -> list[State]:
    """The states behind a repetition; those that differ only in where they start go through it together."""
    followed = followed_unopened(run, line, program.live[place + 1], states)
    if followed is not None:
        return followed
    groups: dict[object, list[State]] = {}
    others = [name for name in program.live[place] if name not in line.updated]
    for state in _prepared(run, line, program.live[place], states):
        groups.setdefault((run.key(state, tuple(others)),), []).append(state)
    return [after for group in groups.values() for after in _through(run, program, place, line, group)]


def _prepared(run: Run, line: Loop, live: Sequence[str], states: Sequence[State]) -> Iterator[State]:
    """The states with everything known that the repetition reads; that is all, where it decides."""
    waiting = list(states)
    reads = {*line.reads, *live} if line.body.decides else line.reads
    while waiting:
        state = waiting.pop()
        env = {name: state.env[name] for name in live if name in state.env}
        now = State(env, state.weight, state.sources, state.facts)
        for bag in line.bags:
            env[bag] = contents(run, bag, state)
        try:
            seen = run.seen(now)
            known = {name: tidy(seen.known(env[name])) for name in sorted(reads) if name in env}
        except (Split, Spread, Reveal) as open_:
            waiting += run.opened(now, open_)
            continue
        except Lost:
            run.lost += run.chance(now)
            continue
        run.prune(now, live)
        yield State({**now.env, **known}, now.weight, now.sources, now.facts)


def tidy(value: Any) -> Any:
    """Dice in an order of their own, so that equal pools are equal."""
    match value:
        case (Die(), *_):
            return arranged(value)
        case _:
            return value


def _through(run: Run, program: Program, place: int, line: Loop, states: Sequence[State]) -> list[State]:
    state = states[0]
    chain, ends = _followed(run, program, place, line, states)
    found = []
    for (values, _), amount in ends.items():
        after = {**state.env, **dict(zip(chain.names, values, strict=True))}
        if not isinstance(amount, Law):
            found.append(State(after, to_fraction(amount), state.sources, state.facts))
        elif not amount.is_zero:
            rider, mass = chain.rider, amount.mass
            assert rider is not None
            name = f"{rider} after line {line.step.span.line}"
            if name in state.sources:
                raise TooLarge("an endless number that is counted again by another repetition")
            sign, end = _counted_from(amount)
            unit = Fraction(1, chain.lattice)
            after[rider] = Linear(plain(end * unit), (((name, 0), (plain(sign * unit),)),), ())
            law = amount.scaled(1 / mass).affine(sign, -sign * end)
            found.append(State(after, mass, {**state.sources, name: Counted(name, law)}, state.facts))
    return found


def _counted_from(law: Law) -> tuple[int, int]:
    """Up or down from which number it is counted, so that what is counted is not negative where that can be."""
    low, high = law.bounds
    if low is not None:
        return 1, min(0, low)
    return (1, 0) if high is None else (-1, high)


DEEPEST = Fraction(1, 10**100)
"""So far numbers without end are followed in a turn until what lies beyond them ends the repetition."""
MANY = 3_000
"""So many situations make it worth a try to take large numbers for one."""


def _followed(
    run: Run, program: Program, place: int, line: Loop, states: Sequence[State]
) -> tuple[Chain, Mapping[Place, Amount]]:
    """The chain with as few situations as will do, and its ends.

    A number that is only counted need not be part of the situations unless the end of the repetition really depends
    on it: one that is
    read behind the repetition becomes the rider, those that are not are left out. Whether it depends is seen by
    trying. Where numbers
    grow without end, all from some number on are taken for one (`saturate`), if that decides every condition.
    """
    if line.body.decides:
        from rulesrun.evaluation.exact.strategy import Strategy

        chain = Chain(run, line, states, None, frozenset())
        return chain, Strategy.of(run, program, place, chain.env).ends(chain.starts)
    live = program.live[place + 1]
    counters = {name for name in line.counters if all(type(state.env[name]) is int for state in states)}
    counted = set(counters)
    most, saturate, lattice = min(MANY, run.algebra.budget), None, 1
    while True:
        riders = counters if saturate else counted
        rider = next((name for name in line.updated if name in riders and name in live), None)
        left_out = frozenset(name for name in counted if name not in live)
        chain = Chain(run, line, states, rider, left_out, saturate, lattice)
        try:
            return chain, chain.ends(most)
        except Depends as depends:
            counted.discard(depends.name)
        except Finer as finer:
            lattice = finer.lattice
        except Lost:
            if saturate is None and run.algebra.tail > DEEPEST:
                run.algebra.tail **= 2
                run.kernels.clear()
                continue
            if saturate is None:
                raise TooLarge("an endless result inside a repetition that does not end beyond a bound") from None
            saturate *= 4
            if saturate > MANY:
                most, saturate = run.algebra.budget, None
        except TooMany:
            if most == run.algebra.budget or not counters - counted:
                if most == run.algebra.budget:
                    raise TooLarge(f"more than {most:,} situations in a repetition") from None
                most = run.algebra.budget
            elif saturate is None:
                saturate = 4
            else:
                most, saturate = run.algebra.budget, None


PLACE, TURN, WITHOUT_END = 10, 150, 4_000
"""So many steps a situation of a repetition takes, and another turn that is worked out for it; with numbers without end
more, and the square of how far they were followed.
"""


class TooMany(Exception):
    """More situations than asked for."""


class Depends(Exception):
    """The end of the repetition depends on a number that was to be left out."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


class Finer(Exception):
    """The rider gains parts of whole numbers: it is counted in units of one part of so many."""

    def __init__(self, lattice: int) -> None:
        super().__init__(lattice)
        self.lattice = lattice


@dataclass(slots=True)
class Chain:
    run: Run
    line: Loop
    states: Sequence[State]
    """Where it starts; they differ in the updated names and their weights."""
    rider: str | None
    left_out: frozenset[str]
    saturate: int | None = None
    """From this number on, counters that are part of the situations are taken for one."""
    lattice: int = 1
    """In units of one part of so many the rider is counted."""
    names: tuple[str, ...] = ()
    settled: int = 0
    period: int | None = None
    """The turn matters as it is before it has settled, then modulo the period (None: always as it is)."""
    times: int | None = None
    at_most: int | None = None
    known: dict[object, Any] = field(init=False)
    """What a turn does, by what it reads of the situation; shared with other starts that agree in the rest."""
    moves: dict[object, Moves] = field(init=False)
    """The same in the order of `names`."""
    adds: tuple[bool, ...] = field(init=False)
    """Which of the names are counters."""
    untold: frozenset[str | None] = field(init=False)
    """Names whose values are not part of a place, though the repetition gives them new ones."""
    told: dict[str, Any] = field(init=False)
    """What is known from before the repetition, less those."""
    read: tuple[int, ...] = field(init=False)
    """The places of the others."""
    most: Beyond | None = None
    """What stands for all numbers from `saturate` on."""
    alike: int = 1
    """So many turns look at the items that the first looks at."""
    final: Turn | None = None
    """The turn that is known to be the last, behind which only what is read behind the repetition matters."""

    def __post_init__(self) -> None:
        line, run = self.line, self.run
        fixed = sorted(line.body_reads - {*line.updated, line.step.turn})
        self.known = run.kernels.setdefault((id(line), *(self.env.get(name) for name in fixed)), {})
        out = self.left_out if self.saturate else self.left_out | {self.rider}
        self.names = tuple(name for name in line.updated if name not in out)
        self.untold = frozenset({*self.left_out, self.rider} - set(self.names)) & self.env.keys()
        self.told = {name: value for name, value in self.env.items() if name not in self.untold}
        self.adds = tuple(name in line.counters for name in self.names)
        self.read = tuple(at for at, adds in enumerate(self.adds) if not adds)
        self.moves = {}
        self.most = None if self.saturate is None else Beyond(self.saturate, True)
        seen = run.seen(State(dict(self.env), Fraction(1)))
        if line.times is not None:
            self.times = operations.natural_number(line.times(seen), line.step.times, "the number of turns")  # type: ignore[arg-type]
            if line.until is None and self.times > in_force.get().turns:
                raise too_large(f"{self.times:,} turns in one roll", "turns", line.step.times.span)  # type: ignore[union-attr]
            if line.until is None and line.last is not line.body:
                self.final = self.times - 1
            if line.until is None and line.alike:
                self.alike = max(1, self.times)
        if line.at_most is not None:
            self.at_most = operations.natural_number(line.at_most(seen), line.step.at_most, "the number of turns")  # type: ignore[arg-type]
        bounded = self.times is not None or self.at_most is not None
        if not bounded and line.rounds is not None and line.step.turn not in line.until_reads:
            rounds = [each(seen) for each in line.rounds]
            self.settled, self.period = max((new for new, _ in rounds), default=0), lcm(*(each for _, each in rounds))

    @property
    def env(self) -> Mapping[str, Any]:
        """The values that all starts share (and those of the first start)."""
        return self.states[0].env

    @property
    def starts(self) -> dict[Place, Amount]:
        """The weight of each place where it starts; of the rider, the law of its number."""
        found: dict[Place, Amount] = {}
        for state in self.states:
            place = (tuple(self._known(name, state.env[name]) for name in self.names), 0)
            weight = state.weight
            amount: Amount = fmpq(weight.numerator, weight.denominator)
            if self.rider is not None:
                amount = Law.point(state.env[self.rider] * self.lattice, weight)
            found[place] = found[place] + amount if place in found else amount  # type: ignore[operator]
        return found

    def _known(self, name: str, value: Any) -> Any:
        """A value as part of a place."""
        if self.saturate is None or name not in self.line.counters:
            return value
        return self.most if isinstance(value, Beyond) or value >= self.saturate else value

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
        env = {**self.told, **dict(zip(self.names, values, strict=True)), line.step.turn: turn + 1}
        seen = self.run.seen(State(env, Fraction(1)))
        try:
            return seen.truth(line.until(seen), line.step.until)  # type: ignore[arg-type]
        except KeyError as read:
            if read.args[0] in self.untold:
                raise Depends(read.args[0]) from None
            raise

    def turn_of(self, number: int) -> Turn:
        """The turn with so many turns before it, as far as it matters."""
        if self.period is None or number < self.settled:
            return number
        return self.settled + (number - self.settled) % self.period

    @property
    def counts_turns(self) -> bool:
        """Whether it matters which turn it is."""
        return self.period != 1 or self.settled > 0

    def following(self, turn: Turn) -> Turn:
        """The turn behind a turn, as far as it matters."""
        return self.turn_of(turn + 1)

    def after(self, place: Place) -> Mapping[Place, Amount]:
        """Where a turn leads and with which weight, as a law of what the rider gains."""
        following = self.following(place[1])
        found: dict[Place, Any] = {}
        for amount, changed in self.kernel(place):
            to = (changed, following)
            found[to] = found[to] + amount if to in found else amount
        return found

    def kernel(self, place: Place) -> Moves:
        """What a turn does: weights, as laws of what the rider gains, and the new values of the names."""
        values, turn = place
        reads_turn = self.line.step.turn in self.line.body_reads
        key = (tuple([values[at] for at in self.read]), turn if reads_turn else None, turn == self.final)
        moves = self.moves.get(key)
        if moves is None:
            moves = self.moves[key] = self._moves(key, dict(zip(self.names, values, strict=True)), turn)
        self.run.algebra.work(len(moves))
        if not any(self.adds):
            return moves
        if turn == self.final:
            kept = self.line.kept
            values = tuple([value if name in kept else 0 for name, value in zip(self.names, values, strict=True)])
        if self.saturate is not None:
            return [
                (
                    amount,
                    tuple(
                        self._counted(name, value, new) if name in self.line.counters else new
                        for name, value, new in zip(self.names, values, changed, strict=True)
                    ),
                )
                for amount, changed in moves
            ]
        return [
            (
                amount,
                tuple([total_of(a, b) if adds else b for a, b, adds in zip(values, changed, self.adds, strict=True)]),
            )
            for amount, changed in moves
        ]

    def _moves(self, key: object, values: Mapping[str, Any], turn: int) -> Moves:
        """What a turn does, in the order of `names`: of counters the gain."""
        known = self.known.get(key)
        if known is None:
            self.run.algebra.work(TURN)
            turned = self._turn(values, turn)
            self.run.algebra.work(STEPS * len(turned))
            ends = [abs(int(value.bound)) for _, new in turned for value in new if isinstance(value, Beyond)]
            if ends:
                self.run.algebra.work(WITHOUT_END + max(ends) ** 2)
            known = self.known[key] = [
                (weight, dict(zip(self.line.updated, new, strict=True))) for weight, new in turned
            ]
        weights: dict[tuple[Any, ...], dict[int, Fraction]] = {}
        for weight, new in known:
            changed = tuple([new[name] if name in self.line.counters else tidy(new[name]) for name in self.names])
            gain = 0 if self.rider is None else new[self.rider]
            if isinstance(gain, Beyond):
                assert self.rider is not None
                raise Depends(self.rider)
            gain *= self.lattice
            if gain.denominator != 1:
                raise Finer(self.lattice * gain.denominator)
            by_gain = weights.setdefault(changed, {})
            by_gain[int(gain)] = by_gain.get(int(gain), Fraction(0)) + weight
        if self.rider is not None:
            return [(Law.of(by_gain), changed) for changed, by_gain in weights.items()]
        return [
            (fmpq(w.numerator, w.denominator), changed) for changed, by_gain in weights.items() for w in (by_gain[0],)
        ]

    def _counted(self, name: str, value: Any, gain: Any) -> Any:
        if isinstance(gain, Beyond) or gain < 0:
            raise Lost
        return value if value is self.most else self._known(name, value + gain)

    def _turn(self, values: Mapping[str, Any], turn: int) -> list[tuple[Fraction, tuple[Any, ...]]]:
        line = self.line
        body, kept = (line.last, line.kept) if turn == self.final else (line.body, line.updated)
        env = {**self.env, **values, **dict.fromkeys(line.counters, 0), line.step.turn: turn + 1}
        env = {name: env[name] for name in body.live[0] if name in env}
        lost = self.run.lost
        with self.run.algebra.turn(self.alike):
            states = self.run.through(body, [State(env, Fraction(1))])
            if self.run.lost != lost:
                raise TooLarge("an endless result inside a repetition")
            turned = self.run.known_tuples(states, kept, bounded=True)
        if kept is line.updated:
            return turned
        return [
            (weight, tuple([known.get(name, 0) for name in line.updated]))
            for weight, new in turned
            for known in (dict(zip(kept, new, strict=True)),)
        ]

    def ends(self, most: int) -> Mapping[Place, Amount]:
        """The weight of every way in which the repetition can end. Raises `TooMany` over so many situations."""
        starts = self.starts
        moves: dict[Place, Mapping[Place, Amount]] = {}
        waiting = list(starts)
        found = set(waiting)
        over: set[Place] = set()
        while waiting:
            place = waiting.pop()
            if self.over(place):
                over.add(place)
                continue
            moves[place] = self.after(place)
            self.run.algebra.work(PLACE)
            for to in moves[place]:
                if to not in found:
                    found.add(to)
                    waiting.append(to)
            if len(found) > most:
                raise TooMany
        self.run.algebra.count(len(found))
        return self.solved(starts, moves, over)

    def solved(
        self, starts: Mapping[P, Amount], moves: Mapping[P, Mapping[P, Amount]], over: set[P]
    ) -> dict[P, Amount]:
        """The weights of the ends, whatever is told apart on the way."""
        self.run.algebra.methods.add("Markov chain")
        with self.ending():
            return solved(starts, moves, over, self.run.algebra.work)

    @contextmanager
    def ending(self) -> Iterator[None]:
        """Within, dividing by zero means that the repetition need not end."""
        try:
            yield
        except ZeroDivisionError:
            raise RulesError.of(
                "this repetition may never end: there is a situation that no turn leads out of",
                code="never-ends",
                span=self.line.step.span,
                hint="add a bound: `, at most 100 times`",
            ) from None
