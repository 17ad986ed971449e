"""Bags that hold one thing in some situations and another in others, as the law of what is drawn next.

Who draws k things more out of a bag, and does nothing else with it, tells two bags apart only by the chances of the
next k things. So situations that differ in nothing but what was drawn, and is read no more, are one situation whose bag
is a `Blend`: each multiset of k things with its chance. Of k things, the first n are any n of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb, gcd, lcm
from typing import Any

from rulesrun.evaluation.exact.drawn import multisets, number_of_draws
from rulesrun.evaluation.exact.lines import Choose, Line, Loop, TakeFromBag, still_out
from rulesrun.evaluation.exact.state import State, told_apart
from rulesrun.evaluation.exact.suits import Contents
from rulesrun.evaluation.pools import Die
from rulesrun.semantics import plan

MOST_WAYS = 120
"""In so many ways at most the next things may fall for bags to be blended."""
WORTH = 3
"""So many situations must become one on average."""


@dataclass(frozen=True, slots=True)
class Blend:
    """The next `number` things out of a bag: in how many of `whole` cases they are which."""

    number: int
    whole: int
    cases: tuple[tuple[Contents, int], ...]

    def drawn(self, number: int) -> list[tuple[tuple[Die, ...], Fraction, Blend]]:
        """What the next `number` things may be, each with its chance and what comes behind it."""
        found: dict[Contents, dict[Contents, int]] = {}
        for things, cases in self.cases:
            counts = [count for _, count in things]
            for chosen, ways in multisets(counts, number):
                taken, left = [], list(counts)
                for place, many in chosen:
                    taken.append((things[place][0], many))
                    left[place] -= many
                behind = tuple([(die, count) for (die, _), count in zip(things, left, strict=True) if count])
                rest = found.setdefault(tuple(taken), {})
                rest[behind] = rest.get(behind, 0) + cases * ways
        whole = self.whole * comb(self.number, number)
        result = []
        for first, rest in found.items():
            cases = sum(rest.values())
            dice = tuple([die for die, many in first for _ in range(many)])
            result.append((dice, Fraction(cases, whole), _blend(self.number - number, cases, rest)))
        return result

    def only(self, number: int) -> Blend:
        """As far as the next `number` things go."""
        if number >= self.number:
            return self
        found: dict[Contents, int] = {}
        for things, cases in self.cases:
            _add_next(found, things, number, cases)
        return _blend(number, self.whole * comb(self.number, number), found)


def _blend(number: int, whole: int, cases: Mapping[Contents, int]) -> Blend:
    common = gcd(whole, *cases.values())
    return Blend(number, whole // common, tuple([(things, each // common) for things, each in cases.items()]))


def _add_next(found: dict[Contents, int], things: Contents, number: int, cases: int) -> None:
    """Adds in how many ways the next `number` things out of these are which, each way so many cases."""
    for chosen, ways in multisets([count for _, count in things], number):
        taken = tuple([(things[place][0], many) for place, many in chosen])
        found[taken] = found.get(taken, 0) + cases * ways


def blends_of(lines: Sequence[Line], live: Sequence[frozenset[str]]) -> dict[int, tuple[str, int]]:
    """The draws before which bags may be blended: the bag, and how many things at most are drawn of it from there."""
    found: dict[int, tuple[str, int]] = {}
    spoilt: set[str] = set()
    more: dict[str, int] = {}
    for place in range(len(lines) - 1, -1, -1):
        line = lines[place]
        if isinstance(line, Choose | Loop):
            return found
        if not isinstance(line, TakeFromBag):
            spoilt |= line.reads
            continue
        bag, number = line.step.bag, line.step.number
        plain = isinstance(number, plan.Const) and type(number.value) is int and line.known is None
        if not plain or line.suits.alike or still_out(line.step.name) in live[place + 1] or bag in live[-1]:
            spoilt.add(bag)
            continue
        assert isinstance(number, plan.Const) and isinstance(number.value, int)
        more[bag] = more.get(bag, 0) + number.value
        if bag not in spoilt:
            found[place] = bag, more[bag]
    return found


def blended(states: list[State], live: Iterable[str], bag: str, number: int) -> list[State]:
    """The states before a draw, those as one that differ only in what the bag holds, as far as it pays."""
    names = [name for name in live if name != bag]
    groups: dict[object, list[State]] = {}
    for state in states:
        if state.sources or state.cells or bag not in state.env:
            return states
        key = tuple([told_apart(state.env.get(name)) for name in names])
        groups.setdefault(key, []).append(state)
    if len(groups) * WORTH > len(states) or not all(_fits(state.env[bag], number) for state in states):
        return states
    return [_as_one(group, bag, number) for group in groups.values()]


def _fits(there: Blend | Contents, number: int) -> bool:
    """Whether so many things are there, and the ways in which they can be drawn are few."""
    if isinstance(there, Blend):
        return there.number >= number
    counts = [count for _, count in there]
    return sum(counts) >= number and number_of_draws(counts, number) <= MOST_WAYS


def _as_one(group: Sequence[State], bag: str, number: int) -> State:
    bags: dict[Any, Fraction] = {}
    for state in group:
        there = state.env[bag]
        there = there.only(number) if isinstance(there, Blend) else there
        bags[there] = bags.get(there, Fraction(0)) + state.weight
    sizes = {there: there.whole if isinstance(there, Blend) else _ways(there, number) for there in bags}
    bottom = lcm(*(weight.denominator * sizes[there] for there, weight in bags.items()))
    cases: dict[Contents, int] = {}
    for there, weight in bags.items():
        share = weight.numerator * (bottom // (weight.denominator * sizes[there]))
        if isinstance(there, Blend):
            for things, each in there.cases:
                cases[things] = cases.get(things, 0) + share * each
        else:
            _add_next(cases, there, number, share)
    total = sum(cases.values())
    first = group[0]
    return State({**first.env, bag: _blend(number, total, cases)}, Fraction(total, bottom))


def _ways(there: Contents, number: int) -> int:
    return comb(sum(count for _, count in there), number)
