"""Numbers that are the highest, the lowest or rounded of others without end, as numbers of their own.

Where nothing else reads the dice behind `max(trait, wild)`, their law is all that is left to know of them: one number
without an end takes their place. Then a margin of two such numbers is a difference like any other, with a law without
end on either side.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import count
from math import lcm
from typing import Any

from rulesrun.dice import Law
from rulesrun.dice.divided import divided
from rulesrun.dice.series import TooLarge
from rulesrun.evaluation.exact.extremes import highest_of, lowest_of
from rulesrun.evaluation.exact.facts import Facts
from rulesrun.evaluation.exact.forms import reads_endless
from rulesrun.evaluation.exact.lined import law_of, laws_of_outermost
from rulesrun.evaluation.exact.sources import Counted
from rulesrun.evaluation.exact.state import State, names_in
from rulesrun.evaluation.exact.symbols import (
    Asked,
    Extreme,
    Floor,
    Leftover,
    Linear,
    Number,
    add,
    linear,
    names_of,
    plain,
    slots_of,
    times,
)
from rulesrun.evaluation.exact.weighing import Weighing


@dataclass(slots=True)
class _Taken:
    """The situation while numbers take the place of throws."""

    run: Weighing
    state: State
    name: str
    read: set[str]
    """The throws that other values read."""
    reads: dict[str, int]
    """How often each throw is read in the value itself."""


def gathered(run: Weighing, state: State, value: Any, name: str, others: Iterable[Any]) -> tuple[Any, State] | None:
    """The value and the situation in which its extremes and roundings are numbers of their own, as far as nothing in
    the `others` reads the same throws; None where there is none. `name`: of the value.
    """
    if not isinstance(value, Linear) or not (value.layered or _capped(state, value)) or state.cells:
        return None
    if not reads_endless(value, state.sources) and not _capped(state, value):
        return None
    read = names_in(others)
    reads: dict[str, int] = {}
    for each in _occurrences(value):
        reads[each] = reads.get(each, 0) + 1
    taken = _Taken(run, state, name, read, reads)
    found = _plainer(taken, value)
    return None if taken.state is state else (found, taken.state)


def _capped(state: State, value: Linear) -> bool:
    """Whether dice are in it that are known only up to a cap."""
    return any(state.sources[name].looks[slot].cap is not None for name, slot in slots_of(value))


def _occurrences(value: Any) -> Iterable[str]:
    """The throws that a number reads, once for each of its terms, leftovers and items that reads them."""
    if not isinstance(value, Linear):
        return
    yield from {slot[0] for slot, _ in value.terms}
    for each, _ in value.leftovers:
        match each:
            case Floor():
                yield from _occurrences(each.inner)
            case Extreme():
                for item in each.items:
                    yield from _occurrences(item)
            case _:
                yield from names_of(each)


def _plainer(taken: _Taken, value: Linear | Number) -> Linear | Number:
    """The value with numbers of their own in place of extremes and roundings, from the inside out."""
    if not isinstance(value, Linear):
        return value
    value = _lined(taken, value)
    if not isinstance(value, Linear) or not value.layered:
        return value
    found: Linear | Number = linear(value.constant, dict(value.terms), {})
    for each, factor in value.leftovers:
        match each:
            case Floor():
                inner = _plainer(taken, each.inner)
                part = _rounded(taken, inner) if isinstance(inner, Linear) else inner // 1
            case Extreme():
                part = _extreme(taken, each.highest, [_plainer(taken, item) for item in each.items])
            case _:
                part = linear(0, {}, {each: 1})
        found = add(found, times(part, factor))
    return found


def _lined(taken: _Taken, value: Linear) -> Linear | Number:
    """The value with numbers in place of all that it asks of dice that explode adding, throw by throw."""
    found: Linear | Number = value
    direct = [*dict.fromkeys(slot[0] for slot, _ in value.terms)]
    for each, _ in value.leftovers:
        if isinstance(each, Asked):
            direct += names_of(each)
    for name in dict.fromkeys(direct):
        facts = taken.state.facts
        bound = any(name in group and len(group) > 1 for group in facts.groups(taken.state.sources))
        if name in taken.read or bound or taken.reads.get(name, 0) > direct.count(name):
            continue
        if not _untold(facts, frozenset((name,))):
            continue
        try:
            whole = law_of(value, name, taken.state.sources)
        except TooLarge:
            continue
        if whole is None:
            continue
        law, constant, bottom = whole
        assert isinstance(found, Linear)
        rest = linear(
            found.constant,
            {slot: scores for slot, scores in found.terms if slot[0] != name},
            {each: factor for each, factor in found.leftovers if name not in _asked(each)},
        )
        number = _number(taken, frozenset((name,)), law)
        taken.run.algebra.methods.add("exploding dice in line")
        found = add(add(rest, constant), times(number, Fraction(1, bottom)))
    return found if found is not value else _outermost(taken, value)


def _untold(facts: Facts, names: frozenset[str]) -> bool:
    """Whether no fact reads these throws."""
    return facts.about(names) == facts.about(frozenset())


def _outermost(taken: _Taken, value: Linear) -> Linear | Number:
    """The value with a number in place of the highest or lowest of unlike dice, some of which explode adding, where
    nothing else reads them.
    """
    found: Linear | Number = value
    for asked, factor in value.leftovers:
        names = _asked(asked)
        if any(taken.reads.get(name, 0) > 1 for name in names) or names & taken.read:
            continue
        if not _untold(taken.state.facts, names):
            continue
        laws = laws_of_outermost(asked, taken.state.sources)
        if laws is None:
            continue
        known = [int(die.face) for die in asked.pool.fixed]  # type: ignore[union-attr, arg-type]
        try:
            law = _extreme_law(laws, known, asked.what == "highest")  # type: ignore[union-attr]
        except TooLarge:
            continue
        number = times(_number(taken, names, law), factor)
        taken.run.algebra.methods.add("highest and lowest of exploding dice")
        found = add(add(found, Linear(0, (), ((asked, factor),)), -1), number)
    return found


def _asked(left: Leftover) -> frozenset[str]:
    """The throws of which something is asked."""
    return names_of(left) if isinstance(left, Asked) else frozenset()


def _rounded(taken: _Taken, inner: Linear) -> Linear | Number:
    kept: Leftover = Floor(inner)
    names = _own(taken, inner)
    if names is None:
        return linear(0, {}, {kept: 1})
    form, factor = inner.canonical()
    constant, step = Fraction(inner.constant), Fraction(factor)
    bottom = lcm(constant.denominator, step.denominator)
    law = taken.run.law(taken.state, form)
    if form in taken.run.algebra.listed_below:
        return linear(0, {}, {kept: 1})
    try:
        whole = divided(law.affine(int(step * bottom), int(constant * bottom)), bottom)
    except TooLarge:
        return linear(0, {}, {kept: 1})
    return _number(taken, names, whole)


def _extreme(taken: _Taken, highest: bool, items: Sequence[Linear | Number]) -> Linear | Number:
    """The highest or lowest of numbers; those among them that nothing else reads are one."""
    known = [item for item in items if not isinstance(item, Linear)]
    numbers = [item for item in items if isinstance(item, Linear)]
    free: list[Linear] = []
    names: frozenset[str] = frozenset()
    for item in numbers:
        own = _own(taken, item)
        whole = item.canonical()[1].denominator == Fraction(item.constant).denominator == 1
        if own is not None and whole and names.isdisjoint(own):
            free.append(item)
            names |= own
    same = linear(0, {}, {Extreme(highest, tuple(items)): 1})
    if not all(number.denominator == 1 for number in known) or len(free) + bool(known) < 2:
        return same
    laws = []
    for item in free:
        form, factor = item.canonical()
        laws.append(taken.run.law(taken.state, form).affine(int(factor), int(item.constant)))
        if form in taken.run.algebra.listed_below:
            return same
    try:
        law = _extreme_law(laws, [int(number) for number in known], highest)
    except TooLarge:
        return same
    rest = [item for item in numbers if not any(item is each for each in free)]
    number = _number(taken, names, law)
    return linear(0, {}, {Extreme(highest, (*rest, number)): 1}) if rest else number


def _extreme_law(laws: Sequence[Law], known: Sequence[int], highest: bool) -> Law:
    """The law of the highest or lowest of independent numbers and known ones; its weight is the product of theirs."""
    weight = Fraction(1)
    for law in laws:
        weight *= law.mass
    if not weight:
        return Law.of({})
    whole = [law.scaled(1 / law.mass) for law in laws]
    if not highest:
        if any(law.down is not None for law in whole):
            return _extreme_law([law.affine(-1) for law in laws], [-number for number in known], True).affine(-1)
        return lowest_of([*whole, *([Law.point(min(known))] if known else [])]).scaled(weight)
    if known:
        least = max(known)
        clipped = []
        for law in whole:
            above = law.restrict(least + 1, None)
            clipped.append(above + Law.point(least, 1 - above.mass))
        whole = clipped
    return highest_of(whole).scaled(weight)


def _own(taken: _Taken, item: Linear) -> frozenset[str] | None:
    """The throws that a number is bound to, if no other value reads them and its law is known as a whole; None else."""
    state, run = taken.state, taken.run
    seen = run.seen(state)
    if item.layered or seen.mixed(item) or seen.capped(form := item.canonical()[0]) is not None:
        return None
    names, mine = run.bound(state, item), names_of(item)
    if names & taken.read or any(taken.reads.get(each, 0) > (each in mine) for each in names):
        return None
    return None if form in state.facts.beyond or form in run.algebra.listed_below else names


def _number(taken: _Taken, names: frozenset[str], law: Law) -> Linear | Number:
    """The number of this law, which bears the weight of all that is known of the throws in whose place it stands."""
    state = taken.state
    facts, sources = state.facts.without(names), {n: s for n, s in state.sources.items() if n not in names}
    mass = law.mass
    if not mass:
        taken.state = State(state.env, Fraction(0), sources, facts)
        return 0
    law = law.scaled(1 / mass)
    low, high = law.bounds
    if low is not None and low == high:
        taken.state = State(state.env, state.weight * mass, sources, facts)
        return low
    if low is not None:
        sign, end = 1, min(0, low)
    else:
        sign, end = (1, 0) if high is None else (-1, high)
    numbered = (f"{taken.name}, number {number}" for number in count(1))
    counted = next(name for name in numbered if name not in state.sources)
    sources[counted] = Counted(counted, law.affine(sign, -sign * end))
    taken.state = State(state.env, state.weight * mass, sources, facts)
    taken.reads[counted] = 1
    return Linear(plain(end), (((counted, 0), (sign,)),), ())
