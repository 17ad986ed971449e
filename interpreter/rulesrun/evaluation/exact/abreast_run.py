"""The work of one question for several cells of a table that go abreast."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import reduce
from itertools import accumulate
from operator import add
from typing import Any, TypeAlias

from rulesrun.dice import Law
from rulesrun.evaluation.exact.abreast import (
    Apart,
    NotAbreast,
    RangesEach,
    Shares,
    Swept,
    each_its_own,
    ranges_of,
    share_of,
)
from rulesrun.evaluation.exact.evaluate import Evaluated
from rulesrun.evaluation.exact.facts import Facts
from rulesrun.evaluation.exact.forms import only_form
from rulesrun.evaluation.exact.lines import Check, Probe, Program, Set, SkipUnless, Throw
from rulesrun.evaluation.exact.seen import Reveal, Seen, Split, Spread
from rulesrun.evaluation.exact.sources import Source
from rulesrun.evaluation.exact.state import State, told_apart
from rulesrun.evaluation.exact.states import Run
from rulesrun.evaluation.exact.symbols import AnyShows, Inside, Ranges
from rulesrun.semantics import plan

Weights: TypeAlias = dict[tuple[Any, ...], Fraction]


def may_go_abreast(program: Program, name: str) -> bool:
    """Whether the lines from the first on that reads a name are such that cells can pass them abreast."""
    lines = program.lines[program.first.get(name, len(program.lines)) :]
    return all(
        isinstance(line, Set | Check | SkipUnless | Probe) or (isinstance(line, Throw) and name not in line.reads)
        for line in lines
    )


class SeenAbreast(Seen):
    """One state of several cells while one of its lines is evaluated."""

    __slots__ = ("decided",)

    decided: dict[tuple[int, int, tuple[int, ...]], tuple[bool, object, object]]
    """What was decided before, by what is known and what is asked (both kept, so that they stay what they are)."""

    def decide(self, condition: AnyShows | Inside) -> bool:
        """Whether the condition holds in all cells; raises `Split` where the facts leave it open in all of them, and
        `Apart` where it is not the same in each.
        """
        if not isinstance(condition, Inside):
            return super().decide(condition)
        known = self.where(condition)
        if not (each_its_own(known) or each_its_own(condition.ranges)):
            return super().decide(condition)
        place = id(known), id(condition.ranges), self.cells
        if before := self.decided.get(place):
            return before[0]
        alike: dict[bool | None, list[int]] = {}
        for cell in self.cells:
            mine = ranges_of(known, cell)
            within = mine.meets(ranges_of(condition.ranges, cell))
            alike.setdefault(False if within.empty else True if within == mine else None, []).append(cell)
        if len(alike) > 1:
            raise Apart(alike.values())
        (decided,) = alike
        if decided is None:
            raise Split(condition)
        self.decided[place] = decided, known, condition.ranges
        return decided

    def where(self, condition: Inside) -> Ranges | RangesEach:
        """Where the form of a condition can lie by what is known."""
        known = self.facts.inside.get(condition.form)
        return self.bounds(condition.form) if known is None else known


@dataclass(slots=True)
class RunAbreast(Run):
    """The work of one question in so many `cells`. Raises `NotAbreast` where they have to be worked out one by one."""

    cells: int = 0
    sums: dict[int, tuple[Law, int, list[int], int]] = field(default_factory=dict)
    """For finite laws: the lowest value, the weights added up, and what they are divided by."""

    decided: dict[tuple[int, int, tuple[int, ...]], tuple[bool, object, object]] = field(default_factory=dict)

    def begin(self, waiting: Mapping[int, Sequence[State]], name: str, values: Sequence[int]) -> None:
        """Sets out with the number in place of a single value."""
        swept, cells = Swept(tuple(values)), tuple(range(self.cells))
        for states in waiting.values():
            for state in states:
                state.cells = cells
                if name in state.env:
                    state.env = {**state.env, name: swept}

    def seen(self, state: State) -> Seen:
        seen: Seen
        if state.cells:
            seen = SeenAbreast(state.env, state.sources, state.facts, self.algebra, self.ruleset)
            seen.cells, seen.decided = state.cells, self.decided
        else:
            seen = Seen(state.env, state.sources, state.facts, self.algebra, self.ruleset)
        return seen

    def key(self, state: State, live: tuple[str, ...]) -> object:
        return state.cells, Run.key(self, state, live)

    def opened(self, state: State, open_: Split | Spread | Reveal) -> list[State]:
        if not state.cells:
            return Run.opened(self, state, open_)
        if isinstance(open_, Split):
            condition = open_.condition
            if isinstance(condition, Inside):
                seen = self.seen(state)
                assert isinstance(seen, SeenAbreast)
                known = seen.where(condition)
                if each_its_own(known) or each_its_own(condition.ranges):
                    return [
                        self._where(state, condition, known, ranges)
                        for ranges in (condition.ranges, condition.ranges.rest())
                    ]
        elif _differs(state):
            raise NotAbreast
        found = Run.opened(self, state, open_)
        for each in found:
            each.cells = state.cells
        return found

    def _where(self, state: State, condition: Inside, known: Any, ranges: Any) -> State:
        each = {cell: ranges_of(known, cell).meets(ranges_of(ranges, cell)) for cell in state.cells}
        facts = state.facts
        inside: dict[Any, Any] = {**facts.inside, condition.form: RangesEach.of(each, self.cells)}
        learned = Facts(facts.struck, facts.shown, inside, facts.beyond)
        return State(state.env, state.weight, state.sources, learned, state.cells)

    def law(self, state: State, form: Any) -> Any:
        if _differs(state):
            raise NotAbreast
        return Run.law(self, state, form)

    # ------------------------------------------------------------ weights

    def share(self, sources: Mapping[str, Source], facts: Facts, cells: tuple[int, ...]) -> Any:
        if not _differ(facts):
            return self.algebra.chance(sources, facts)
        total: Any = None
        for names in facts.groups(sources):
            about = facts if len(names) == len(sources) else facts.about(names)
            own = {name: sources[name] for name in sorted(names)}
            part = self._share(own, about, cells) if _differ(about) else self.algebra.chance(own, about)
            total = part if total is None else total * part
        return total

    def _share(self, sources: Mapping[str, Source], facts: Facts, cells: tuple[int, ...]) -> Shares:
        """The weight of facts about throws that they join, in each cell."""
        form = only_form(facts)
        if form is None:
            return self._each({cell: self.algebra.mass(sources, _of_cell(facts, cell)) for cell in cells})
        ranges = facts.inside[form]
        parts = []
        for sign, law in self.algebra.signed_laws(sources, facts, form):
            part = self._within(law, {cell: ranges_of(ranges, cell) for cell in cells})
            parts.append(part if sign > 0 else Shares(tuple(-top for top in part.tops), part.bottom))
        return reduce(add, parts)

    def _within(self, law: Law, ranges: Mapping[int, Ranges]) -> Shares:
        """The weight of a law in the ranges of each cell."""
        if not law.is_finite:
            return self._each(
                {
                    cell: sum((law.mass_between(*pair) for pair in each.ranges), Fraction(0))
                    for cell, each in ranges.items()
                }
            )
        _, low, sums, bottom = self._sums(law)
        tops = [0] * self.cells
        end = len(sums) - 1
        for cell, each in ranges.items():
            for least, most in each.ranges:
                first = 0 if least is None else min(max(least - low, 0), end)
                last = end if most is None else min(max(most + 1 - low, 0), end)
                if first < last:
                    tops[cell] += sums[last] - sums[first]
        return Shares(tuple(tops), bottom)

    def _sums(self, law: Law) -> tuple[Law, int, list[int], int]:
        found = self.sums.get(id(law))
        if found is None:
            low, weights, bottom = law.weights()
            found = self.sums[id(law)] = law, low, list(accumulate(weights, initial=0)), bottom
        return found

    def _each(self, weights: Mapping[int, Fraction]) -> Shares:
        total = Shares((0,) * self.cells, 1)
        for cell, weight in weights.items():
            tops = [0] * self.cells
            tops[cell] = weight.numerator
            total = total + Shares(tuple(tops), weight.denominator)
        return total

    # ------------------------------------------------------------ what comes out

    def collected(
        self,
        states: Sequence[State],
        wanted: Sequence[Evaluated],
        holds: Evaluated | None,
        given: plan.Expression | None,
    ) -> list[Weights]:
        """For each cell the joint chances of labels and yes/no at the end, where `holds` does."""
        found: list[Weights] = [{} for _ in range(self.cells)]
        waiting = list(states)
        while waiting:
            state = waiting.pop()
            seen = self.seen(state)
            try:
                if holds is not None and not seen.truth(holds(seen), given):  # type: ignore[arg-type]
                    continue
                values = [value(seen) for value in wanted]
                known = tuple(value if type(value) is str else told_apart(seen.known(value)) for value in values)
            except Apart as apart:
                waiting += [State(state.env, state.weight, state.sources, state.facts, each) for each in apart.groups]
                continue
            except (Split, Spread, Reveal) as open_:
                waiting += self.opened(state, open_)
                continue
            weight = self.chance(state)
            for cell in state.cells:
                share = share_of(weight, cell)
                if share:
                    weights = found[cell]
                    weights[known] = weights[known] + share if known in weights else share
        return found


def _differ(facts: Facts) -> bool:
    """Whether facts are not the same in all cells."""
    return any(map(each_its_own, facts.inside.values()))


def _differs(state: State) -> bool:
    """Whether what is known in a state is not the same in all its cells."""
    conditions = (each for each in state.env.values() if isinstance(each, Inside))
    return _differ(state.facts) or any(each_its_own(each.ranges) for each in conditions)


def _of_cell(facts: Facts, cell: int) -> Facts:
    """The facts of one cell."""
    inside = {form: ranges_of(ranges, cell) for form, ranges in facts.inside.items()}
    return Facts(facts.struck, facts.shown, inside, facts.beyond)
