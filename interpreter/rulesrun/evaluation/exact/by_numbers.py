"""Values that follow from unknown numbers that have nothing to do with one another, all at once.

In: a situation and the values that are asked. Out: what they are together, with weights, number by number of the laws;
or None where something else is unknown in them, or a number has no end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Any

from rulesrun.evaluation.exact.symbols import AnyShows, Inside, Linear, Ranges, UnknownPool, names_of, plain, slots_of

if TYPE_CHECKING:
    from rulesrun.evaluation.exact.seen import Seen
    from rulesrun.evaluation.exact.state import State
    from rulesrun.evaluation.exact.states import Run

Cases = list[tuple[Fraction, tuple[Any, ...]]]
Read = Callable[[Sequence[int]], Any]
"""A value where the numbers are so much."""


def by_numbers(run: Run, state: State, asked: Sequence[Any]) -> Cases | None:
    """What these values of a situation are together; None where that has to be found step by step."""
    forms = None if state.cells else _forms(asked)
    if not forms or not all(_plainly_listed(run.seen(state), form) for form in forms):
        return None
    groups = state.facts.groups(state.sources)
    weight = state.weight
    owned: set[frozenset[str]] = set()
    for form in forms:
        names = names_of(form)
        mine = {group for group in groups if not names.isdisjoint(group)}
        if not owned.isdisjoint(mine):
            return None
        owned |= mine
    laws = [run.law(state, form) for form in forms]
    if not all(law.is_finite for law in laws):
        return None
    for group in groups:
        if group not in owned:
            weight *= run.share({name: state.sources[name] for name in group}, state.facts.about(group), ())
    listed = [list(law.items()) for law in laws]
    ways = prod(map(len, listed))
    run.algebra.open(ways)
    reads = [_read(value, forms) for value in asked]
    if len(listed) == 1:
        return [(weight * share, tuple([read((number,)) for read in reads])) for number, share in listed[0]]
    found = []
    for numbers in product(*listed):
        values = [number for number, _ in numbers]
        found.append((prod((share for _, share in numbers), start=weight), tuple([read(values) for read in reads])))
    return found


def _forms(asked: Sequence[Any]) -> list[Linear] | None:
    """The numbers that the values read; None where they read something else."""
    forms: list[Linear] = []
    for value in asked:
        if isinstance(value, AnyShows | UnknownPool) or (type(value) is tuple and any(True for _ in _unknown(value))):
            return None
        if isinstance(value, Linear) and value.layered:
            return None
        form = value.canonical()[0] if isinstance(value, Linear) else value.form if isinstance(value, Inside) else None
        if form is not None and form not in forms:
            forms.append(form)
    return forms


def _unknown(value: tuple[Any, ...]) -> Iterator[Any]:
    return (slot for each in value for slot in slots_of(each))


def _plainly_listed(seen: Seen, form: Linear) -> bool:
    """Whether a number is to be known value by value, each of which is just itself."""
    algebra = seen.algebra
    if form in seen.facts.beyond or form in algebra.listed_below or algebra.scattered(seen.sources, form):
        return False
    return not seen.mixed(form) and seen.capped(form) is None


def _read(value: Any, forms: Sequence[Linear]) -> Read:
    match value:
        case Linear():
            constant, (form, factor) = value.constant, value.canonical()
            place = forms.index(form)
            if factor == 1:
                return lambda numbers: constant + numbers[place]
            return lambda numbers: plain(constant + factor * numbers[place])
        case Inside():
            ranges, place = value.ranges, forms.index(value.form)
            return lambda numbers: not ranges.meets(Ranges.of(numbers[place], numbers[place])).empty
        case _:
            return lambda numbers: value
