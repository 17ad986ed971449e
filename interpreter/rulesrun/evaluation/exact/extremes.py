"""The highest or lowest of several independent numbers without end, by the chances that all of them are so low or high.

The chance that a number is at least so much follows a linear recurrence, and so do products of such chances.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from rulesrun.dice import Law
from rulesrun.dice.series import TooLarge
from rulesrun.dice.termwise import tail_chances, termwise
from rulesrun.evaluation.exact.symbols import Extreme, Linear, plain, slots_of

if TYPE_CHECKING:
    from rulesrun.evaluation.exact.seen import Seen
    from rulesrun.evaluation.exact.states import Run, State


def law_of_extreme(value: Any, seen: Seen, run: Run, state: State) -> tuple[Law, Linear, Fraction] | None:
    """The law of the highest or lowest of three or more numbers that no throw joins, some without end; what the value
    is of it, and the weight of all else in this situation. None for anything else.
    """
    if not isinstance(value, Linear) or value.terms or len(value.leftovers) != 1:
        return None
    ((extreme, factor),) = value.leftovers
    if not isinstance(extreme, Extreme) or len(extreme.items) < 3:
        return None
    laws: list[Law] = []
    used: set[str] = set()
    for item in extreme.items:
        found = _law_of(item, seen, run, state)
        if found is None or used & found[1]:
            return None
        laws.append(found[0])
        used |= found[1]
    if all(law.is_finite for law in laws):
        return None
    names = frozenset(used)
    weight = state.weight * run.algebra.chance(
        {name: source for name, source in state.sources.items() if name not in names}, state.facts.without(names)
    )
    for law in laws:
        weight *= law.mass
    if not weight:
        return Law.of({}), value, Fraction(0)
    whole = [law.scaled(1 / law.mass) for law in laws]
    run.algebra.methods.add("chances of all at once")
    law = highest_of(whole) if extreme.highest else lowest_of(whole)
    return law, Linear(value.constant, ((("", 0), (factor,)),), ()), weight


def _law_of(item: Any, seen: Seen, run: Run, state: State) -> tuple[Law, set[str]] | None:
    """The law of one of the numbers, with the throws that it is bound to; None where it is not known as a whole."""
    if not isinstance(item, Linear):
        return None if item.denominator != 1 else (Law.point(int(item)), set())
    form, factor = item.canonical()
    if item.layered or seen.capped(item) is not None or seen.mixed(item):
        return None
    if plain(Fraction(item.constant)).denominator != 1 or factor.denominator != 1:
        return None
    names = {slot[0] for slot in slots_of(form)}
    for group in state.facts.groups(state.sources):
        if not names.isdisjoint(group):
            names |= group
    law = run.law(state, form)
    if form in run.algebra.listed_below or law.is_zero:
        return None
    return law.affine(int(factor), int(item.constant)), names


def highest_of(laws: Sequence[Law]) -> Law:
    """The law of the highest of independent numbers. Raises `TooLarge`."""
    least = max(_low(law) for law in laws)
    above = Law.of({})
    for law in laws:
        more = tail_chances(law, least + 1).affine(1, -1)
        above = above + more - termwise(above, more)
    return Law.point(least) + above.affine(1, 1) - above


def lowest_of(laws: Sequence[Law]) -> Law:
    """The law of the lowest of independent numbers. Raises `TooLarge`."""
    least = min(_low(law) for law in laws)
    all_above = tail_chances(laws[0], least)
    for law in laws[1:]:
        all_above = termwise(all_above, tail_chances(law, least))
    return all_above - all_above.restrict(least + 1, None).affine(1, -1)


def _low(law: Law) -> int:
    low, _ = law.bounds
    if low is None:
        raise TooLarge("the highest or lowest of numbers that have no end below")
    return low
