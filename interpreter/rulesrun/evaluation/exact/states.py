"""Situations pass a program's lines one after another: split where a condition is open, merged where they are equal,
weighed where the dice they know are read no more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from rulesrun.diagnostics import RulesError
from rulesrun.dice.series import TooLarge
from rulesrun.evaluation.exact.abreast import Apart
from rulesrun.evaluation.exact.beyond import Beyond, Lost, arithmetic, total_of
from rulesrun.evaluation.exact.blended import blended
from rulesrun.evaluation.exact.by_numbers import by_numbers
from rulesrun.evaluation.exact.foresight import BEGUN, foresee
from rulesrun.evaluation.exact.lines import (
    Check,
    Choose,
    FillBag,
    Loop,
    Probe,
    Program,
    ReturnToBag,
    Set,
    SkipUnless,
    TakeFromBag,
    Throw,
    is_best,
)
from rulesrun.evaluation.exact.opening import Opening
from rulesrun.evaluation.exact.own_numbers import gathered
from rulesrun.evaluation.exact.seen import Reveal, Seen, Split, Spread
from rulesrun.evaluation.exact.sources import Listed
from rulesrun.evaluation.exact.state import NO_FACTS, State, names_in, told_apart
from rulesrun.evaluation.exact.symbols import Linear
from rulesrun.evaluation.exact.tabled import ways
from rulesrun.evaluation.inputs import limit_broken

MOST_PROBED = 2_000
"""So many situations at most are looked at for errors in a value that nothing reads."""
MANY = 20
"""Before decisions in more situations than so many it is asked whether there are too many options."""
FEW_WAYS = 100
"""Dice that fall in so few ways are looked at where several values of theirs have to be known."""


@dataclass(frozen=True, slots=True)
class Stop:
    """What waits before a line and further on, to go on from with other values of what is read only there."""

    waiting: Mapping[int, Sequence[State]]
    lost: Fraction

    @staticmethod
    def of(waiting: Mapping[int, Sequence[State]], lost: Fraction) -> Stop:
        return Stop({place: [state.copy() for state in states] for place, states in waiting.items()}, lost)

    def again(self, inputs: Mapping[str, Any]) -> dict[int, list[State]]:
        """The same with these inputs, as far as they are still read."""
        waiting = {place: [state.copy() for state in states] for place, states in self.waiting.items()}
        for states in waiting.values():
            for state in states:
                state.env = {name: inputs.get(name, value) for name, value in state.env.items()}
        return waiting


@dataclass(slots=True)
class Run(Opening):
    """The work of one question."""

    finish: Callable[[Run, State, Choose], Any] | None = None
    """What a state that has passed all lines is worth for the aim of a choice, weighed by its chance."""
    kernels: dict[object, Any] = field(default_factory=dict)
    """What a turn of a repetition does, by what it reads."""
    alongside: int = 1
    """How many situations there are before the line that is at work."""
    decisions: dict[object, Any] = field(default_factory=dict)
    strategies: dict[object, Any] = field(default_factory=dict)
    """What to decide in repetitions, by what is known before them."""
    worth: dict[object, Any] = field(default_factory=dict)
    notes: dict[str, list[tuple[dict[str, Any], Any]]] = field(default_factory=dict)
    """What was decided at the choices whose policy is best or worst: the known values, and the option."""

    # ------------------------------------------------------------ deciding

    def value(self, program: Program, place: int, state: State, line: Choose) -> Any:
        """What a state before a line is worth for the aim of a choice: a number, perhaps beyond a bound."""
        live = program.live[place]
        self.prune(state, live)
        key = (id(program), place, line.aim, self.key(state, live))
        found = self.worth.get(key)
        if found is None:
            found = self.worth[key] = self._value(program, place, state, line)
        return found

    def _value(self, program: Program, place: int, state: State, line: Choose) -> Any:
        """As `value`: up to the next throw or decision, from where on equal situations are worth the same."""
        assert self.finish is not None
        total: Any = Fraction(0)
        end = next((at for at in range(place + 1, len(program.lines)) if _parts_ways(program.lines[at])), None)
        if end is None:
            for after in self.through(program, [state], place):
                total = total_of(total, self.finish(self, after, line))
            return total
        waiting: dict[int, list[State]] = {place: [state]}
        self.up_to(program, waiting, place, end)
        for at, states in waiting.items():
            for here in self.merged(states, program.live[at]):
                ways = [(at, here)]
                if at == end and isinstance(program.lines[at], Choose):
                    ways = self._pass(program, at, here)
                for to, after in ways:
                    share, after.weight = after.weight, Fraction(1)
                    worth = self.value(program, to, after, line)
                    worth = arithmetic(worth, share, "*") if isinstance(worth, Beyond) else worth * share
                    total = total_of(total, worth)
        return total

    def note(self, line: Choose, known: dict[str, Any], option: Any) -> None:
        """Remembers a decision for the report."""
        self.notes.setdefault(line.name, []).append((known, option))

    # ------------------------------------------------------------ passing lines

    def through(self, program: Program, states: Sequence[State], start: int = 0) -> list[State]:
        """The states behind the last line."""
        return self.onward(program, {start: list(states)}, start)

    def onward(
        self, program: Program, waiting: dict[int, list[State]], start: int, stops: dict[int, Stop] | None = None
    ) -> list[State]:
        """The states behind the last line, from those `waiting` before lines; `stops` takes what waits at its places,
        which are those of `program.first`.
        """
        end = len(program.lines)
        self.up_to(program, waiting, start, end, stops)
        return self.merged(waiting.pop(end, []), program.live[end])

    def up_to(
        self,
        program: Program,
        waiting: dict[int, list[State]],
        start: int,
        end: int,
        stops: dict[int, Stop] | None = None,
    ) -> None:
        """Takes all that is `waiting` from one line to before another."""
        for place in range(start, end):
            if stops is not None and place in program.stops and place not in stops:
                stops[place] = Stop.of(waiting, self.lost)
            here = waiting.pop(place, None)
            if not here:
                continue
            if program.barriers[place]:
                here = self.merged(here, program.live[place])
            if place in program.blends:
                here = blended(here, program.live[place], *program.blends[place])
            line = program.lines[place]
            self.alongside = len(here)
            if isinstance(line, Loop):
                from rulesrun.evaluation.exact.loop import repeated

                self.followed = True
                if line.only_probes:
                    with self._aside():
                        repeated(self, program, place, line, here)
                    waiting.setdefault(place + 1, []).extend(here)
                else:
                    waiting.setdefault(place + 1, []).extend(repeated(self, program, place, line, here))
                continue
            self._foresee_options(program, place, here)
            for state in here:
                for target, after in self._pass(program, place, state):
                    waiting.setdefault(target, []).append(after)
        if stops is not None and end in program.stops and end not in stops:
            stops[end] = Stop.of(waiting, self.lost)

    def straight(self, program: Program, place: int, env: dict[str, Any]) -> None:
        """Takes values that are all known from before a line behind the last, where no dice fall from there on and
        nothing is decided (`Program.straight`).
        """
        seen = Seen(env, {}, NO_FACTS, self.algebra, self.ruleset)
        while place < len(program.lines):
            line = program.lines[place]
            place += 1
            match line:
                case Set():
                    value = line.value(seen)
                    env[line.name] = value if line.domain is None else line.domain(seen, value)
                case Probe():
                    line.value(seen)
                case Check():
                    _hold(line, seen)
                case SkipUnless():
                    if not seen.truth(line.condition(seen), line.step.condition):  # type: ignore[arg-type]
                        env.update(line.otherwise)
                        place += line.lines

    def _pass(self, program: Program, place: int, state: State) -> list[tuple[int, State]]:
        line = program.lines[place]
        found: list[tuple[int, State]] = []
        waiting = [state]
        opened = 0
        while waiting:
            now = waiting.pop()
            try:
                if type(line) is Set:
                    seen = self.seen(now)
                    value = line.value(seen)
                    if line.domain is not None:
                        value = line.domain(seen, value)
                    env = {**now.env, line.name: value}
                    if type(value) is Linear:
                        others = [env[name] for name in program.live[place + 1] if name != line.name and name in env]
                        own = gathered(self, now, value, line.name, others)
                        if own is not None:
                            env[line.name], now = own
                    now.env = env
                    found.append((place + 1, now))
                else:
                    found += self._step(program, place, line, now)
            except (Split, Spread) as open_:
                ways = self.opened(now, open_)
                waiting += ways
                self.algebra.open(len(ways))
                self._foresee_options(program, place, ways)
                opened += len(ways)
                if opened > BEGUN:
                    foresee(self, program, place, waiting)
                    opened = -self.algebra.budget
            except Apart as apart:
                waiting += [State(now.env, now.weight, now.sources, now.facts, cells) for cells in apart.groups]
            except Reveal as open_:
                live = program.live[place]
                now.env = {name: now.env[name] for name in live if name in now.env}
                ways = self.opened(now, open_)
                waiting += ways
                self._foresee_options(program, place, ways)
            except Lost:
                self.lost += self.chance(now)
            except RulesError:
                if self.chance(now):
                    raise
        return found

    def _foresee_options(self, program: Program, place: int, states: Sequence[State]) -> None:
        """Raises `TooLarge` where many situations have to be decided with more options than can be weighed."""
        line = program.lines[place]
        if len(states) > MANY and isinstance(line, Choose) and is_best(line):
            from rulesrun.evaluation.exact.choose import foresee_options

            foresee_options(self, program, place, line, states)

    def _step(self, program: Program, place: int, line: Any, state: State) -> list[tuple[int, State]]:
        match line:
            case Throw():
                seen = self.seen(state)
                value, source = line.throw(seen)
                state = state.with_env({**seen.env, line.name: value})
                if source is not None:
                    if line.name in state.sources:
                        raise Reveal(frozenset((line.name,)))
                    if isinstance(source, Listed) and source.rest:
                        self.cut = True
                        raise Lost
                    state.sources = {**state.sources, line.name: source}
            case SkipUnless():
                seen = self.seen(state)
                if not seen.truth(line.condition(seen), line.step.condition):  # type: ignore[arg-type]
                    return [(place + 1 + line.lines, state.with_env({**state.env, **line.otherwise}))]
            case Probe():
                self._probe(line, state)
            case Check():
                _hold(line, self.seen(state))
            case Choose():
                from rulesrun.evaluation.exact.choose import chosen

                return [(place + 1, after) for after in chosen(self, program, place, line, state)]
            case TakeFromBag():
                from rulesrun.evaluation.exact.bags import taken

                unseen = place in program.unseen and not state.cells and line.step.name not in state.sources
                return [(place + 1, after) for after in taken(self, line, state, unseen)]
            case ReturnToBag():
                from rulesrun.evaluation.exact.bags import returned

                return [(place + 1, returned(self, line, state))]
            case FillBag():
                from rulesrun.evaluation.exact.bags import refilled

                return [(place + 1, refilled(self, line, state))]
        return [(place + 1, state)]

    def _probe(self, line: Probe, state: State) -> None:
        """Raises the error that a roll from this state may meet."""
        waiting, tried = [state.with_env(dict(state.env))], 0
        with self._aside():
            while waiting and tried < MOST_PROBED:
                tried += 1
                now = waiting.pop()
                seen = self.seen(now)
                try:
                    line.value(seen)
                except (Split, Spread, Reveal) as open_:
                    waiting += self.opened(now, open_)
                except Lost:
                    continue
                except RulesError:
                    if self.chance(now):
                        raise

    @contextmanager
    def _aside(self) -> Iterator[None]:
        """Nothing that is looked at counts for what was asked; what takes too long to look at is let pass."""
        lost, cut, algebra = self.lost, self.cut, self.algebra
        states, budget = algebra.states, algebra.budget
        algebra.budget = min(budget, states + 10 * MOST_PROBED)
        try:
            yield
        except TooLarge:
            pass
        finally:
            self.lost, self.cut = lost, cut
            algebra.states, algebra.budget = states, budget

    def known_tuples(
        self, states: Iterable[State], names: Sequence[str], bounded: bool = False
    ) -> list[tuple[Fraction, tuple[Any, ...]]]:
        """The joint distribution of names behind the last line, with nothing unknown. `bounded`: but that a number may
        be `Beyond` a bound; else that raises `Lost`.
        """
        found: dict[object, list[Any]] = {}
        waiting = list(states)
        while waiting:
            state = waiting.pop()
            seen = self.seen(state)
            try:
                values = tuple((seen.bounded if bounded else seen.known)(state.env[name]) for name in names)
                cases = [(self.chance(state), values)]
            except (Split, Spread, Reveal) as open_:
                at_once = by_numbers(self, state, [state.env[name] for name in names])
                if at_once is None:
                    opened = self.opened(state, self._all_at_once(state, names) or open_)
                    waiting += opened
                    self.algebra.open(len(opened))
                    continue
                cases = at_once
            for weight, values in cases:
                if weight:
                    entry = found.setdefault(tuple(map(told_apart, values)), [Fraction(0), values])
                    entry[0] += weight
        return [(weight, values) for weight, values in found.values()]

    def _all_at_once(self, state: State, names: Sequence[str]) -> Reveal | None:
        """All throws that several of these values read, where the dice can fall in few ways: to look at them is less
        work than to open one value after another.
        """
        unknown = [read for name in names if (read := names_in((state.env[name],)))]
        if len(unknown) < 2:
            return None
        reads = frozenset().union(*unknown)
        return Reveal(reads) if ways({name: state.sources[name] for name in reads}) <= FEW_WAYS else None


def _hold(limit: Check, seen: Seen) -> None:
    """Raises the error of a limit that is not kept."""
    if not seen.truth(limit.condition(seen), limit.step.condition):
        limit_broken(limit.step)


def _parts_ways(line: Any) -> bool:
    """Whether situations that are equal before a line are worth being looked up there."""
    return isinstance(line, Throw) or is_best(line)
