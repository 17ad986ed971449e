"""What is open in a situation is made known: a condition holds or not, a number has each of its values, dice are
looked at.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from rulesrun.dice.series import TooLarge
from rulesrun.evaluation.exact.drawn import Drawn
from rulesrun.evaluation.exact.evaluate import Evaluated
from rulesrun.evaluation.exact.facts import Facts
from rulesrun.evaluation.exact.listing import Dice, listed
from rulesrun.evaluation.exact.lumping import lumped
from rulesrun.evaluation.exact.resolve import NeedsAll, Resolver
from rulesrun.evaluation.exact.seen import Reveal, Seen, Split, Spread
from rulesrun.evaluation.exact.sources import Listed, Source
from rulesrun.evaluation.exact.state import State
from rulesrun.evaluation.exact.suits import alike_draws
from rulesrun.evaluation.exact.symbols import Ranges
from rulesrun.evaluation.exact.weighing import Weighing

LOOKED_AT = 4
"""So many steps each way to fall takes that is looked at."""


@dataclass(slots=True)
class Opening(Weighing):
    """Makes known what is open in the situations of one question."""

    lost: Fraction = field(default=Fraction(0), kw_only=True)
    """The weight of endless tails that were not followed."""
    cut: bool = field(default=False, kw_only=True)
    """Whether some of it are throws that were not listed, which following numbers further would not change."""
    followed: bool = field(default=False, kw_only=True)
    """Whether some number without end was followed until little was left."""

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
        self.followed |= low is None or (high is None and (cap is None or most < cap - 1))
        found = [self._inside(state, form, Ranges.of(value, value)) for value in law.restrict(least, most).values()]
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
            (name, slot, place)
            for name, source in sources.items()
            for slot, look in enumerate(source.looks)
            for place in look.tail
        }
        for known, weight in self._alike(state, sources) or listed(sources, self.algebra.most_open):
            self.algebra.work(LOOKED_AT)
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


def values_of(value: Any, source: Source | None, question: Evaluated, seen: Seen) -> dict[Any, Fraction]:
    """The distribution of a question to a throw that stands alone."""
    run = Opening(seen.algebra, seen.ruleset)
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
