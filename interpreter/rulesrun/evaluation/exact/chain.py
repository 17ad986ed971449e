"""Absorbing Markov chains, solved exactly: the weight with which each final place is reached.

Amounts are exact fractions, or `Law`s when a number is counted on the way: adding and multiplying them adds and
multiplies generating
functions. Places are taken in an order in which every group of places that lead to one another comes after all that
lead to it; such
a group is solved by eliminating its places one after another.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TypeAlias, TypeVar

from flint import fmpq, fmpq_mat

from rulesrun.dice import Law

Amount: TypeAlias = fmpq | Law
MOST_AT_ONCE = 1_000
"""So many places are solved as one matrix; more of them, which mostly lead to few others, one after another."""
CUBES = 3_000
"""A matrix takes one step for so many of its number of places to the third power."""
Work: TypeAlias = Callable[[int], None]
P = TypeVar("P", bound=Hashable)


def to_fraction(amount: fmpq) -> Fraction:
    """The same number; it is in lowest terms already."""
    found = object.__new__(Fraction)
    found._numerator, found._denominator = int(amount.p), int(amount.q)  # type: ignore[attr-defined]
    return found


def solved(
    starts: Mapping[P, Amount], moves: Mapping[P, Mapping[P, Amount]], over: set[P], work: Work = lambda steps: None
) -> dict[P, Amount]:
    """The weights of the final places. Raises ZeroDivisionError where a place, once reached, is never left for good.

    `work` counts the steps that it takes, and may raise where they are too many.
    """
    amounts = dict(starts)
    ends: dict[P, Amount] = {}
    for group in ordered(starts, moves):
        here = {place: amounts.pop(place) for place in group if place in amounts}
        if group[0] in over and len(group) == 1:
            ends[group[0]] = here[group[0]]
            continue
        visits = _visits(group, here, moves, work)
        inside = set(group)
        for place, amount in visits.items():
            onward = moves[place]
            work(len(onward) * 2 * _cost(amount))
            for to, weight in onward.items():
                if to not in inside:
                    more = amount * weight  # type: ignore[operator]
                    amounts[to] = amounts[to] + more if to in amounts else more  # type: ignore[operator]
    return ends


def _visits(
    group: Sequence[P], inflow: Mapping[P, Amount], moves: Mapping[P, Mapping[P, Amount]], work: Work
) -> dict[P, Amount]:
    """How often each place of a group is visited, on average."""
    if len(group) == 1:
        place = group[0]
        stays = moves[place].get(place)
        return {place: inflow[place] if stays is None else _times(inflow[place], _ever(stays), work)}
    if len(group) <= MOST_AT_ONCE and not any(isinstance(amount, Law) for amount in inflow.values()):
        work(len(group) ** 3 // CUBES)
        return _visits_at_once(group, inflow, moves)  # type: ignore[arg-type]
    inside = set(group)
    between = {place: {to: weight for to, weight in moves[place].items() if to in inside} for place in group}
    leading_to: dict[P, set[P]] = {place: set() for place in group}
    for source, goes in between.items():
        for to in goes:
            leading_to[to].add(source)
    flow = dict(inflow)
    eliminated: list[tuple[P, Amount, dict[P, Amount]]] = []
    while between:
        place = _cheapest(between, leading_to)
        out = between.pop(place)
        stays = out.pop(place, None)
        loops = None if stays is None else _ever(stays)
        out = {to: weight if loops is None else _times(loops, weight, work) for to, weight in out.items()}
        into = {source: between[source].pop(place) for source in leading_to.pop(place) if source in between}
        for to in out:
            leading_to[to].discard(place)
        for source, weight in into.items():
            goes = between[source]
            for to, more in out.items():
                step = _times(weight, more, work)
                goes[to] = goes[to] + step if to in goes else step  # type: ignore[operator]
                leading_to[to].add(source)
        if place in flow:
            for to, more in out.items():
                step = _times(flow[place], more, work)
                flow[to] = flow[to] + step if to in flow else step  # type: ignore[operator]
        eliminated.append((place, loops if loops is not None else _one_like(more_of(moves, place)), into))
    visits: dict[P, Amount] = {}
    for place, loops, into in reversed(eliminated):
        total: Amount | None = flow.get(place)
        for source, weight in into.items():
            if source in visits:
                more = _times(visits[source], weight, work)
                total = more if total is None else total + more  # type: ignore[operator]
        if total is not None:
            visits[place] = _times(total, loops, work)
    return visits


def _visits_at_once(
    group: Sequence[P], inflow: Mapping[P, fmpq], moves: Mapping[P, Mapping[P, fmpq]]
) -> dict[P, Amount]:
    """The same for exact fractions: the equations of the group solved by Dixon's method, modulo powers of a prime."""
    at = {place: number for number, place in enumerate(group)}
    equations, known = fmpq_mat(len(group), len(group)), fmpq_mat(len(group), 1)
    for place, number in at.items():
        equations[number, number] += 1
        known[number, 0] = inflow.get(place, fmpq(0))
        for to, weight in moves[place].items():
            if to in at:
                equations[at[to], number] -= weight
    visits = equations.solve(known, algorithm="dixon")  # type: ignore[call-arg]
    return {place: visits[number, 0] for place, number in at.items() if visits[number, 0]}


def _cheapest(between: Mapping[P, Mapping[P, Amount]], leading_to: Mapping[P, set[P]]) -> P:
    """The place that the fewest ways lead through; just the first, where there are so many that to look costs more."""
    if len(between) > MOST_AT_ONCE:
        return next(iter(between))
    return min(between, key=lambda place: len(between[place]) * len(leading_to[place]))


def more_of(moves: Mapping[P, Mapping[P, Amount]], place: P) -> Amount:
    return next(iter(moves[place].values()))


def _one_like(amount: Amount) -> Amount:
    return Law.point(0) if isinstance(amount, Law) else fmpq(1)


def _times(left: Amount, right: Amount, work: Work) -> Amount:
    work(_cost(left) + _cost(right))
    return left * right  # type: ignore[operator]


def _cost(amount: Amount) -> int:
    """About how many steps a product takes for its size: those of polynomials are reduced, too."""
    if not isinstance(amount, Law):
        return 2 + int(amount.q).bit_length() // 500
    steps = 4
    for series in (amount.up, amount.down):
        if series is not None:
            length, bits = series.num.length() + series.den.length(), series.num.height_bits()
            steps += length * bits // 1_200 if series.finite else length * length * bits // 150_000
    return steps


def _ever(stays: Amount) -> Amount:
    """1 + stays + stays^2 + ... Raises ZeroDivisionError where that has no end."""
    if isinstance(stays, Law):
        if stays.mass == 1:
            raise ZeroDivisionError
        return Law.geometric_sum(Law.point(0), stays)
    return 1 / (1 - stays)


def ordered(starts: Iterable[P], moves: Mapping[P, Mapping[P, Amount]]) -> list[list[P]]:
    """The groups of places that lead to one another, every group behind those that lead to it (Tarjan, without
    recursion).
    """
    index: dict[P, int] = {}
    low: dict[P, int] = {}
    on_stack: set[P] = set()
    stack: list[P] = []
    groups: list[list[P]] = []
    for start in starts:
        work: list[tuple[P, Iterator[P]]] = []
        if start not in index:
            _enter(start, moves, index, low, stack, on_stack, work)
        while work:
            place, rest = work[-1]
            for to in rest:
                if to not in index:
                    _enter(to, moves, index, low, stack, on_stack, work)
                    break
                if to in on_stack:
                    low[place] = min(low[place], index[to])
            else:
                work.pop()
                if work:
                    before = work[-1][0]
                    low[before] = min(low[before], low[place])
                if low[place] == index[place]:
                    at = len(stack) - 1
                    while stack[at] != place:
                        at -= 1
                    groups.append(stack[at:][::-1])
                    on_stack.difference_update(stack[at:])
                    del stack[at:]
    groups.reverse()
    return groups


def _enter(
    place: P,
    moves: Mapping[P, Mapping[P, Amount]],
    index: dict[P, int],
    low: dict[P, int],
    stack: list[P],
    on_stack: set[P],
    work: list[tuple[P, Iterator[P]]],
) -> None:
    index[place] = low[place] = len(index)
    stack.append(place)
    on_stack.add(place)
    work.append((place, iter(moves.get(place, ()))))
