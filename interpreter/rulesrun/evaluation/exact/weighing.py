"""What situations weigh: the chance of the facts about their throws; equal ones are one, what is not read is let go."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from rulesrun.evaluation.exact.chances import Algebra
from rulesrun.evaluation.exact.facts import Facts
from rulesrun.evaluation.exact.seen import Seen
from rulesrun.evaluation.exact.sources import Source
from rulesrun.evaluation.exact.state import NO_FACTS, WHOLE, State, names_in, told_apart
from rulesrun.evaluation.exact.symbols import names_of
from rulesrun.semantics import plan

MOST_MET = 100_000
"""So many weights and laws are remembered from turn to turn."""


@dataclass(slots=True)
class Weighing:
    """Weighs the situations of one question."""

    algebra: Algebra
    ruleset: plan.RulesetPlan
    met: dict[object, Any] = field(default_factory=dict, kw_only=True)
    """Weights of facts about throws, and laws of numbers on them, which one turn after another meets."""
    expected: set[int] = field(default_factory=set, kw_only=True)
    """The places, by what is live there, whose questions are noted."""

    def seen(self, state: State) -> Seen:
        return Seen(state.env, state.sources, state.facts, self.algebra, self.ruleset)

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
        read = names_in(state.env.values())
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

    def law(self, state: State, form: Any) -> Any:
        """The law of a canonical form, weighed by the chance of the facts about the throws that it is bound to."""
        names = self.bound(state, form)
        sources, facts = {name: state.sources[name] for name in sorted(names)}, state.facts.about(names)
        if facts.inside:
            return self.algebra.law(sources, facts, form)
        return self._met_again(sources, facts, form, lambda: self.algebra.law(sources, facts, form))

    def bound(self, state: State, form: Any) -> frozenset[str]:
        """The throws that a form reads, with those that a fact reads together with one of them."""
        names = names_of(form)
        for group in state.facts.groups(state.sources):
            if not names.isdisjoint(group):
                names |= group
        return frozenset(names)

    def beside(self, state: State, names: frozenset[str]) -> Any:
        """The weight of a state but for these throws, to which no fact binds another."""
        rest = {name: source for name, source in state.sources.items() if name not in names}
        return state.weight * self.algebra.chance(rest, state.facts.without(names))
