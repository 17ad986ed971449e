"""States pass a program's lines one after another: split where a condition is open, merged where they are equal,
weighed where the
dice they know are read no more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from rulesrun.diagnostics import RulesError
from rulesrun.dice.series import TooLarge
from rulesrun.evaluation.exact.abreast import Apart
from rulesrun.evaluation.exact.beyond import Beyond, Lost, arithmetic, total_of
from rulesrun.evaluation.exact.by_numbers import by_numbers
from rulesrun.evaluation.exact.chances import Algebra
from rulesrun.evaluation.exact.drawn import Drawn
from rulesrun.evaluation.exact.evaluate import Evaluated
from rulesrun.evaluation.exact.facts import Facts
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
from rulesrun.evaluation.exact.listing import Dice, listed
from rulesrun.evaluation.exact.lumping import lumped
from rulesrun.evaluation.exact.resolve import NeedsAll, Resolver
from rulesrun.evaluation.exact.seen import Reveal, Seen, Split, Spread
from rulesrun.evaluation.exact.sources import Listed, Source
from rulesrun.evaluation.exact.suits import alike_draws
from rulesrun.evaluation.exact.symbols import Ranges, slots_of
from rulesrun.evaluation.exact.tabled import ways
from rulesrun.evaluation.pools import Die
from rulesrun.semantics import plan

NO_FACTS = Facts()
MOST_PROBED = 2_000
"""So many situations at most are looked at for errors in a value that nothing reads."""
FEW_WAYS = 100
"""Dice that fall in so few ways are looked at where several values of theirs have to be known."""
MOST_MET = 100_000
"""So many of them are remembered from turn to turn."""
WHOLE = Fraction(1)
"""The weight of a situation that nothing has been weighed in yet."""


class State:
    """Values by name, the throws that are unknown in them with what is known of them, and the weight so far.

    `cells`: the cells of a table that it is about where several go abreast; its weight may then be `Shares`.
    """

    __slots__ = ("cells", "env", "facts", "sources", "weight")

    def __init__(
        self,
        env: dict[str, Any],
        weight: Any,
        sources: Mapping[str, Source] | None = None,
        facts: Facts = NO_FACTS,
        cells: tuple[int, ...] = (),
    ) -> None:
        self.env, self.weight, self.sources, self.facts, self.cells = env, weight, sources or {}, facts, cells

    def copy(self) -> State:
        return self.with_env(self.env)

    def with_env(self, env: dict[str, Any]) -> State:
        """The same with other values."""
        return State(env, self.weight, self.sources, self.facts, self.cells)


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
class Run:
    """The work of one question."""

    algebra: Algebra
    ruleset: plan.RulesetPlan
    finish: Callable[[Run, State, Choose], Any] | None = None
    """What a state that has passed all lines is worth for the aim of a choice, weighed by its chance."""
    lost: Fraction = Fraction(0)
    """The weight of endless tails that were not followed."""
    cut: bool = False
    """Whether some of it are throws that were not listed, which following numbers further would not change."""
    kernels: dict[object, Any] = field(default_factory=dict)
    """What a turn of a repetition does, by what it reads."""
    met: dict[object, Any] = field(default_factory=dict)
    """Weights of facts about throws, and laws of numbers on them, which one turn after another meets."""
    expected: set[int] = field(default_factory=set)
    """The places, by what is live there, whose questions are noted."""
    decisions: dict[object, Any] = field(default_factory=dict)
    strategies: dict[object, Any] = field(default_factory=dict)
    """What to decide in repetitions, by what is known before them."""
    worth: dict[object, Any] = field(default_factory=dict)
    notes: dict[str, list[tuple[dict[str, Any], Any]]] = field(default_factory=dict)
    """What was decided at the choices whose policy is best or worst: the known values, and the option."""

    def seen(self, state: State) -> Seen:
        return Seen(state.env, state.sources, state.facts, self.algebra, self.ruleset)

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
            line = program.lines[place]
            if isinstance(line, Loop):
                from rulesrun.evaluation.exact.loop import repeated

                if line.only_probes:
                    with self._aside():
                        repeated(self, program, place, line, here)
                    waiting.setdefault(place + 1, []).extend(here)
                else:
                    waiting.setdefault(place + 1, []).extend(repeated(self, program, place, line, here))
                continue
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

    def merged(self, states: list[State], live: tuple[str, ...]) -> list[State]:
        """The states with nothing but what is still read; equal ones are one."""
        found: dict[object, State] = {}
        if len(states) > 2 and not (self.algebra.turning and id(live) in self.expected):
            self.expected.add(id(live))
            self.algebra.expect((state.sources, state.facts) for state in states)
        for state in states:
            self.prune(state, live)
            if not state.weight:
                continue
            if len(states) == 1:
                return [state]
            key = self.key(state, live)
            other = found.get(key)
            if other is None:
                found[key] = state
            else:
                other.weight += state.weight
        self.algebra.count(len(found))
        return list(found.values())

    def key(self, state: State, live: tuple[str, ...]) -> object:
        """Equal for states that go on alike."""
        env = state.env
        return (
            tuple(told_apart(env.get(name)) for name in live),
            frozenset(state.sources.items()),
            state.facts.key if state.sources else None,
        )

    def prune(self, state: State, live: Iterable[str]) -> None:
        """Forgets values that are not read, and weighs throws that no value reads."""
        env = state.env
        state.env = {name: env[name] for name in live if name in env}
        if not state.sources:
            return
        read = {slot[0] for value in state.env.values() for slot in _slots(value)}
        if not read:
            state.weight = self.chance(state)
            state.sources, state.facts = {}, NO_FACTS
            return
        if len(read) == len(state.sources):
            return
        for names in state.facts.groups(state.sources):
            if read.isdisjoint(names):
                about = state.facts.about(names)
                if about is not NO_FACTS:
                    state.weight *= self.share({name: state.sources[name] for name in names}, about, state.cells)
                state.facts = state.facts.without(names)
                state.sources = {name: source for name, source in state.sources.items() if name not in names}

    def chance(self, state: State) -> Any:
        """The weight of a state, its facts included."""
        if not state.sources:
            return state.weight
        share = self.share(state.sources, state.facts, state.cells)
        return share if state.weight is WHOLE else state.weight * share

    def share(self, sources: Mapping[str, Source], facts: Facts, cells: tuple[int, ...]) -> Any:
        """The weight of what the facts allow of these throws, in these cells."""
        return self._met_again(sources, facts, None, lambda: self.algebra.chance(sources, facts))

    def _met_again(self, sources: Mapping[str, Source], facts: Facts, form: Any, work_out: Callable[[], Any]) -> Any:
        """What is worked out of throws, once for all turns of a repetition."""
        if not self.algebra.turning:
            return work_out()
        key = frozenset(sources.items()), facts.key, form
        found = self.met.get(key)
        if found is None:
            if len(self.met) >= MOST_MET:
                self.met.clear()
            found = self.met[key] = work_out()
        return found

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
                    now.env = {**now.env, line.name: value}
                    found.append((place + 1, now))
                else:
                    found += self._step(program, place, line, now)
            except (Split, Spread) as open_:
                ways = self.opened(now, open_)
                waiting += ways
                self.algebra.open(len(ways))
                opened += len(ways)
                if opened > BEGUN:
                    foresee(self, program, place, waiting)
                    opened = -self.algebra.budget
            except Apart as apart:
                waiting += [State(now.env, now.weight, now.sources, now.facts, cells) for cells in apart.groups]
            except Reveal as open_:
                live = program.live[place]
                now.env = {name: now.env[name] for name in live if name in now.env}
                waiting += self.opened(now, open_)
            except Lost:
                self.lost += self.chance(now)
            except RulesError:
                if self.chance(now):
                    raise
        return found

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

    def known_tuples(self, states: Iterable[State], names: Sequence[str]) -> list[tuple[Fraction, tuple[Any, ...]]]:
        """The joint distribution of names behind the last line, with nothing unknown."""
        found: dict[object, list[Any]] = {}
        waiting = list(states)
        while waiting:
            state = waiting.pop()
            seen = self.seen(state)
            try:
                values = tuple(seen.known(state.env[name]) for name in names)
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
        unknown = [read for name in names if (read := frozenset(slot[0] for slot in _slots(state.env[name])))]
        if len(unknown) < 2:
            return None
        reads = frozenset().union(*unknown)
        return Reveal(reads) if ways({name: state.sources[name] for name in reads}) <= FEW_WAYS else None

    # ------------------------------------------------------------ what is open

    def opened(self, state: State, open_: Split | Spread | Reveal) -> list[State]:
        """The states in which what was open is known."""
        if isinstance(open_, Split):
            condition = open_.condition
            bounds = self.seen(state).bounds(condition.form) if hasattr(condition, "form") else Ranges.of(None, None)
            return [
                State(state.env, state.weight, state.sources, state.facts.learn(condition, holds, bounds))
                for holds in (True, False)
            ]
        if isinstance(open_, Spread):
            return self._spread(state, open_)
        return self._revealed(state, open_.names)

    def _spread(self, state: State, open_: Spread) -> list[State]:
        form = open_.form
        law = self.law(state, form)
        if law.is_zero:
            return []
        cap = self.seen(state).capped(form)
        low, high = law.bounds
        least, most = law.window(self.algebra.tail)
        if form in self.algebra.listed_below:
            most, high = self.algebra.listed_below[form] - 1, None
        if cap is not None and most >= cap:
            most, high = cap - 1, None
        found = [self._inside(state, form, Ranges.of(value, value)) for value, _ in law.restrict(least, most).items()]
        if high is None:
            found.append(self._inside(state, form, Ranges.of(most + 1, None), beyond=True))
        if low is None:
            found.append(self._inside(state, form, Ranges.of(None, least - 1), beyond=True))
        return found

    def _inside(self, state: State, form: Any, ranges: Ranges, beyond: bool = False) -> State:
        """The state with a form in ranges, by what is known of it before."""
        facts = state.facts
        before = facts.inside.get(form)
        both = ranges if before is None else before.meets(ranges)
        known = facts.beyond | {form} if beyond else facts.beyond
        return State(
            state.env,
            state.weight,
            state.sources,
            Facts(facts.struck, facts.shown, {**facts.inside, form: both}, known),
        )

    def law(self, state: State, form: Any) -> Any:
        """The law of a canonical form, weighed by the chance of the facts about the throws that it is bound to."""
        names = {slot[0] for slot in slots_of(form)}
        for group in state.facts.groups(state.sources):
            if not names.isdisjoint(group):
                names |= group
        group_names = frozenset(names)
        sources, facts = {name: state.sources[name] for name in sorted(group_names)}, state.facts.about(group_names)
        if facts.inside:
            return self.algebra.law(sources, facts, form)
        return self._met_again(sources, facts, form, lambda: self.algebra.law(sources, facts, form))

    def _revealed(self, state: State, names: frozenset[str]) -> list[State]:
        while True:
            try:
                return self._looked_at(state, names)
            except NeedsAll as joined:
                if joined.names <= names:
                    raise
                names |= joined.names

    def _alike(self, state: State, sources: Mapping[str, Source]) -> list[tuple[dict[str, Dice], Fraction]] | None:
        """All that can be drawn, where symbols may take each other's place, one draw for those that differ in that."""
        if len(sources) > 1:
            return None
        ((name, source),) = sources.items()
        if not isinstance(source, Drawn) or not source.alike or len(source.faces) < len(source.looks[0].faces):
            return None
        drawn = alike_draws(source, state.env, self.ruleset.bags.values())
        return None if drawn is None else [({name: dice}, weight) for dice, weight in drawn]

    def _looked_at(self, state: State, names: frozenset[str]) -> list[State]:
        self.algebra.methods.add("listing")
        sources = {name: state.sources[name] for name in sorted(names)}
        if not self.algebra.natural:
            sources = {name: lumped(source, state.env.values(), state.facts) for name, source in sources.items()}
        rest = {name: source for name, source in state.sources.items() if name not in names}
        found = []
        total = Fraction(0)
        caps = {
            (name, slot, len(look.faces) - 1)
            for name, source in sources.items()
            for slot, look in enumerate(source.looks)
            if look.cap is not None
        }
        for known, weight in self._alike(state, sources) or listed(sources, self.algebra.budget):
            if caps and any((name, *die) in caps for name, dice in known.items() for die in dice):
                continue
            total += weight
            resolver = Resolver(known, state.sources)
            facts = resolver.facts(state.facts)
            if facts is not None:
                env = {name: resolver.value(value) for name, value in state.env.items()}
                found.append(State(env, state.weight * weight, rest, facts))
        if total != 1:
            self.cut = True
            self.lost += state.weight * (1 - total)
        self.algebra.count(len(found))
        return found


def _hold(limit: Check, seen: Seen) -> None:
    """Raises the error of a limit that is not kept."""
    if not seen.truth(limit.condition(seen), limit.step.condition):
        raise RulesError.of(limit.step.text, code="limit", span=limit.step.span)


def _parts_ways(line: Any) -> bool:
    """Whether situations that are equal before a line are worth being looked up there."""
    return isinstance(line, Throw) or is_best(line)


def told_apart(value: Any) -> Any:
    """A value as a key: 1 and yes are not the same; a pool is the same in any order of its dice."""
    if type(value) is tuple and value and isinstance(value[0], Die):
        return frozenset(Counter(value).items())
    return (value,) if isinstance(value, bool) else value


def _slots(value: Any) -> Iterable[Any]:
    if type(value) is tuple:
        for each in value:
            yield from slots_of(each)
    elif isinstance(value, Beyond):
        yield from slots_of(value.growth.form) if value.growth is not None else ()
    else:
        yield from slots_of(value)


def values_of(value: Any, source: Source | None, question: Evaluated, seen: Seen) -> dict[Any, Fraction]:
    """The distribution of a question to a throw that stands alone."""
    run = Run(seen.algebra, seen.ruleset)
    if isinstance(source, Listed) and source.rest:
        raise TooLarge("a die whose rolled face has no end")
    states = [State({}, Fraction(1), {} if source is None else {source.name: source})]
    states[0].env["it"] = value
    found: dict[Any, Fraction] = {}
    while states:
        state = states.pop()
        inner = run.seen(state)
        inner.group = state.env["it"]
        try:
            answer = inner.known(question(inner))
        except (Split, Spread, Reveal) as open_:
            states += run.opened(state, open_)
            continue
        found[answer] = found.get(answer, Fraction(0)) + run.chance(state)
    return found
