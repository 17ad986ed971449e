"""The best decisions in a repetition: what to do in every situation of its turns.

Each turn is followed once, with every option of its decisions; a repetition inside another belongs to the same graph.
From its ends backward each situation is then worth the best of its options. Where situations lead to one another, the
decisions are improved until none is better (Howard's policy iteration), each valued by an exact linear solve.

Several choices may have aims of their own: each takes what is best for its aim, knowing how the others decide.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from typing import Any, TypeAlias

from flint import fmpq

from rulesrun.dice.series import TooLarge
from rulesrun.evaluation.exact.bags import contents
from rulesrun.evaluation.exact.beyond import Beyond, Lost
from rulesrun.evaluation.exact.chain import Amount, ordered
from rulesrun.evaluation.exact.choose import offered
from rulesrun.evaluation.exact.improving import Improving
from rulesrun.evaluation.exact.lines import Choose, Loop, Program, choices_in, decides, is_best, is_waiting
from rulesrun.evaluation.exact.loop import Chain, Place, tidy
from rulesrun.evaluation.exact.state import State
from rulesrun.evaluation.exact.states import Run

OPTION, FALL, CASE = 5, 60, 10
"""So many steps it takes to follow an option; one behind which dice fall; and each case of how they fall."""
ONE = fmpq(1)


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """A repetition at work; inside another, what that one's turn goes on with."""

    chain: Chain
    around: Frame | None = None
    place: int = 0
    """Where its line stands in the body of the other."""
    turn: int = 0
    """The turn of the other, as far as it matters."""
    env: Mapping[str, Any] = field(default_factory=dict)
    """What is known in that turn before the repetition."""

    @property
    def body(self) -> Program:
        """The lines of a turn."""
        return self.chain.line.body


@dataclass(slots=True, eq=False)
class Situation:
    """Before a turn (`at` is None) or before a decision in it."""

    frame: Frame
    turn: int
    at: int | None
    values: tuple[Any, ...]
    options: list[tuple[Any, Ways]] | None = None
    """Every option with what it leads to, equal ones once; before a turn there is one, at the end none."""

    @property
    def line(self) -> Choose:
        """The choice that is decided."""
        assert self.at is not None
        return self.frame.body.lines[self.at]  # type: ignore[return-value]

    @property
    def env(self) -> dict[str, Any]:
        """What is known, by name."""
        names = self.frame.chain.names if self.at is None else self.frame.body.live[self.at]
        return dict(zip(names, self.values, strict=True))

    @property
    def about(self) -> dict[str, Any]:
        """What the decision may depend on: what is read later on, and the turns where they are counted."""
        assert self.at is not None
        found = {name: value for name, value in self.env.items() if name in self.frame.body.live[self.at + 1]}
        frame, turn = self.frame, self.turn
        while True:
            if frame.chain.counts_turns:
                found = {frame.chain.line.step.turn: turn + 1, **found}
            if frame.around is None:
                return {name: value for name, value in found.items() if name != self.line.name}
            known = frame.around.body.live[frame.place + 1]
            found = {**{name: value for name, value in frame.env.items() if name in known}, **found}
            frame, turn = frame.around, frame.turn


Ways: TypeAlias = tuple[tuple[fmpq, Situation], ...]
Worth: TypeAlias = tuple[fmpq, ...]
"""For each aim."""


class Strategy:
    """What the situations of a repetition are worth for its decisions, and what to decide there.

    Faces that are known to come are not known to the player: a decision is the one that is best without them.
    """

    def __init__(self, run: Run, program: Program, place: int, env: Mapping[str, Any]) -> None:
        self.run, self.program, self.place = run, program, place
        line = _loop(program, place)
        self.outermost = Frame(Chain(run, line, [State(dict(env), Fraction(1))], None, frozenset()))
        aims = {choice.aim: choice for choice in choices_in(line.body) if is_best(choice)}
        self.aims = list(aims.values())
        self.aim_of = {aim: number for number, aim in enumerate(aims)}
        self.worth: dict[Situation, Worth] = {}
        self.chosen: dict[Situation, int] = {}
        self._inner = Run(run.algebra, run.ruleset)
        self._frames: dict[object, Frame] = {}
        self._situations: dict[object, Situation] = {}

    @staticmethod
    def of(run: Run, program: Program, place: int, env: Mapping[str, Any]) -> Strategy:
        """The strategy of the repetition in this line, where so much is known before it."""
        line = _loop(program, place)
        read = {*line.reads, *program.live[place + 1]} - {*line.updated}
        known = {name: tidy(env[name]) for name in sorted(read) if name in env}
        key = (id(program), place, tuple(known.items()))
        if key not in run.strategies:
            run.strategies[key] = Strategy(run, program, place, known)
        return run.strategies[key]  # type: ignore[no-any-return]

    # ------------------------------------------------------------ what is asked

    def ends(self, starts: Mapping[Place, Amount]) -> dict[Place, Amount]:
        """The weight of every way in which the repetition ends, decided as well as can be; notes the decisions."""
        self.run.algebra.methods.add("backward induction")
        begin = {self.situation(self.outermost, place[1], None, place[0]): weight for place, weight in starts.items()}
        self._weigh(begin)
        moves: dict[Situation, Mapping[Situation, Amount]] = {}
        over: set[Situation] = set()
        waiting = list(begin)
        while waiting:
            now = waiting.pop()
            if now in moves or now in over:
                continue
            if not now.options:
                over.add(now)
                continue
            option, ways = now.options[self.chosen[now]]
            if now.at is not None:
                self.run.note(now.line, {n: v for n, v in now.about.items() if not is_waiting(n)}, option)
            moves[now] = {to: weight for weight, to in ways}
            waiting += moves[now]
        ends = self.outermost.chain.solved(begin, moves, over)
        return {(end.values, end.turn): weight for end, weight in ends.items()}

    def decided(self, path: Sequence[int], values: Mapping[str, Any]) -> Any:
        """The best option of a choice in the middle of a turn, from all that is known there.

        `path`: the places of the repetitions inside one another within this one, and of the choice.
        """
        *deeper, at = path
        frame = self.outermost
        for place in deeper:
            frame = self.inside(frame, place, _turn(frame, values), values)
        return self._decision(frame, _turn(frame, values), at, values)

    def _decision(self, frame: Frame, turn: int, at: int, env: Mapping[str, Any]) -> Any:
        now = self.situation(frame, turn, at, tuple(tidy(env[name]) for name in frame.body.live[at]))
        self._weigh([now])
        assert now.options
        return now.options[self.chosen[now]][0]

    # ------------------------------------------------------------ the situations

    def situation(self, frame: Frame, turn: int, at: int | None, values: tuple[Any, ...]) -> Situation:
        """The one situation that is so."""
        key = (frame, turn, at, values)
        found = self._situations.get(key)
        if found is None:
            self.run.algebra.count(1)
            found = self._situations[key] = Situation(frame, turn, at, values)
        return found

    def inside(self, around: Frame, place: int, turn: int, env: Mapping[str, Any]) -> Frame:
        """The repetition in a line of another's body, begun in this turn, where so much is known before it."""
        line = _loop(around.body, place)
        read = {*line.reads, *around.body.live[place + 1]} - {*line.updated}
        known = {name: tidy(env[name]) for name in sorted(read) if name in env}
        key = (around, place, turn, tuple(known.items()))
        if key not in self._frames:
            chain = Chain(self._inner, line, [State(dict(known), Fraction(1))], None, frozenset())
            self._frames[key] = Frame(chain, around, place, turn, known)
        return self._frames[key]

    def _weigh(self, starts: Iterable[Situation]) -> None:
        """Finds what all situations are worth that the starts can lead to, and what to decide there."""
        waiting = [start for start in starts if start not in self.worth]
        moves: dict[Situation, dict[Situation, Amount]] = {}
        while waiting:
            now = waiting.pop()
            if now not in moves:
                if now.options is None:
                    now.options = self._opened(now)
                moves[now] = {to: ONE for _, ways in now.options for _, to in ways if to not in self.worth}
                waiting += moves[now]
        for group in reversed(ordered(moves, moves)):
            first = group[0]
            if not first.options:
                self.worth[first] = self._end_worth(first)
            elif len(group) == 1 and first not in moves[first]:
                self.chosen[first], self.worth[first] = self._best(first)
            else:
                self._improve(group)

    def _opened(self, now: Situation) -> list[tuple[Any, Ways]]:
        """The options of a situation, and what each leads to."""
        frame, turn, at = now.frame, now.turn, now.at
        chain, env = frame.chain, now.env
        if at is None:
            if not chain.over((now.values, turn)):
                env = {**chain.env, **env, chain.line.step.turn: turn + 1}
                return [(None, self._followed(frame, turn, 0, env))]
            if frame.around is None:
                return []
            return [(None, self._followed(frame.around, frame.turn, frame.place + 1, {**frame.env, **env}))]
        options: Iterable[Any] = offered(now.line, self._inner.seen(State(env, Fraction(1))))
        if any(is_waiting(name) and value for name, value in env.items()):
            options = [self._decision(frame, turn, at, {n: () if is_waiting(n) else v for n, v in env.items()})]
        found: dict[object, tuple[Any, Ways]] = {}
        for option in options:
            self.run.algebra.work(OPTION)
            ways = self._followed(frame, turn, at + 1, {**env, now.line.name: option})
            found.setdefault(ways[0][1] if len(ways) == 1 else ways, (option, ways))
        return list(found.values())

    def _followed(self, frame: Frame, turn: int, at: int, env: Mapping[str, Any]) -> Ways:
        """What a turn leads to from before one of its lines: the next decisions, repetitions and turns."""
        body, run = frame.body, self._inner
        env = {name: env[name] for name in body.live[at] if name in env}
        if at >= body.straight:
            run.straight(body, at, env)
            return ((ONE, self._next(frame, turn, env)),)
        run.algebra.work(FALL)
        waiting = {at: [State(env, Fraction(1))]}
        found: dict[Situation, fmpq] = {}
        stops = [place for place in range(at, len(body.lines)) if decides(body.lines[place])]
        for start, stop in pairwise((at, *stops, len(body.lines))):
            try:
                run.up_to(body, waiting, start, stop)
                states = run.merged(waiting.pop(stop, []), body.live[stop])
                cases = run.known_tuples(states, body.live[stop])
            except Lost:
                run.lost += 1
            if run.lost:
                raise TooLarge("an endless result inside a repetition")
            run.algebra.work(CASE * len(cases))
            for weight, values in cases:
                share = fmpq(weight.numerator, weight.denominator)
                known = dict(zip(body.live[stop], values, strict=True))
                for part, to in self._before(frame, turn, stop, known):
                    found[to] = found.get(to, 0) + part * share
        return tuple((weight, to) for to, weight in found.items())

    def _before(self, frame: Frame, turn: int, at: int, env: Mapping[str, Any]) -> Ways:
        """The situation before a line that decides, or behind the last."""
        if at == len(frame.body.lines):
            return ((ONE, self._next(frame, turn, env)),)
        line, state = frame.body.lines[at], State(dict(env), Fraction(1))
        if isinstance(line, Loop):
            inner = self.inside(frame, at, turn, env)
            held = {bag: contents(self._inner, bag, state) for bag in line.bags}
            values = tuple(tidy(held[name] if name in held else env[name]) for name in line.updated)
            return ((ONE, self.situation(inner, 0, None, values)),)
        assert isinstance(line, Choose)
        seen = self._inner.seen(state)
        if line.condition is not None and not seen.truth(line.condition(seen), line.step.condition):  # type: ignore[arg-type]
            first = offered(line, self._inner.seen(state))[0]
            return self._followed(frame, turn, at + 1, {**env, line.name: first})
        return ((ONE, self.situation(frame, turn, at, tuple(tidy(env[name]) for name in frame.body.live[at]))),)

    def _next(self, frame: Frame, turn: int, env: Mapping[str, Any]) -> Situation:
        """The situation behind a turn."""
        values = tuple([tidy(env[name]) for name in frame.chain.names])
        return self.situation(frame, frame.chain.following(turn), None, values)

    # ------------------------------------------------------------ what they are worth

    def _end_worth(self, end: Situation) -> Worth:
        state = State({**self.outermost.chain.env, **end.env}, Fraction(1))
        found = []
        for aim in self.aims:
            value = self.run.value(self.program, self.place + 1, state.copy(), aim)
            if isinstance(value, Beyond):
                raise TooLarge("a repetition whose worth has no end")
            value = Fraction(value)
            found.append(fmpq(value.numerator, value.denominator))
        return tuple(found)

    def _best(self, now: Situation) -> tuple[int, Worth]:
        """The first of the best options, and what it is worth."""
        assert now.options
        worths = [self._mean(ways) for _, ways in now.options]
        if len(worths) == 1:
            return 0, worths[0]
        aim = self.aim_of[now.line.aim]
        take = min if now.line.policy.word == "worst" else max
        best = take(range(len(worths)), key=lambda option: worths[option][aim])
        return best, worths[best]

    def _mean(self, ways: Ways) -> Worth:
        if len(ways) == 1:
            return self.worth[ways[0][1]]
        each = [(weight, self.worth[to]) for weight, to in ways]
        return tuple(sum((weight * worth[aim] for weight, worth in each), fmpq(0)) for aim in range(len(self.aims)))

    def _improve(self, group: Sequence[Situation]) -> None:
        """Decides in situations that lead to one another."""
        ways = {each: [ways for _, ways in each.options or ()] for each in group}
        solved = [each for each in group if each.at is None]
        work = self.run.algebra.work
        improving = Improving(ways, solved, self.worth, len(self.aims), self._player, self._gain, work)
        with self.outermost.chain.ending():
            improving.improve()
        self.chosen |= improving.policy
        self.worth |= improving.worth

    def _player(self, now: Situation) -> tuple[int, str]:
        return self.aim_of[now.line.aim], now.line.policy.word

    def _gain(self, now: Situation, new: Worth, old: Worth) -> fmpq:
        aim = self.aim_of[now.line.aim]
        return old[aim] - new[aim] if now.line.policy.word == "worst" else new[aim] - old[aim]


def _loop(program: Program, place: int) -> Loop:
    line = program.lines[place]
    assert isinstance(line, Loop)
    return line


def _turn(frame: Frame, values: Mapping[str, Any]) -> int:
    """The turn that is being taken, as far as it matters."""
    return frame.chain.turn_of(values[frame.chain.line.step.turn] - 1)
