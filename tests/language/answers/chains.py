"""Turn after turn until a game ends: what a turn does is played out, and the turns are taken out one by one."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from fractions import Fraction
from typing import Any

from tests.language.answers.play import Law, Table, law


def _one(turn: Callable[[Table, Any], Hashable], here: Any) -> Law:
    """Where one turn leads."""
    return law(lambda t: turn(t, here))


def played(
    start: Hashable, over: Callable[[Any], bool], turn: Callable[[Table, Any], Hashable]
) -> tuple[Law, Fraction]:
    """The chance of each situation in which a game ends, and how many turns it lasts on average."""
    moves: dict[Any, Law] = {}
    waiting = [start]
    while waiting:
        here = waiting.pop()
        if here not in moves and not over(here):
            moves[here] = _one(turn, here)
            waiting += moves[here]
    lasts = dict.fromkeys(moves, Fraction(1))
    comes_from: dict[Any, set[Any]] = {}
    for here, there in moves.items():
        for to in there:
            comes_from.setdefault(to, set()).add(here)
    for here in [each for each in reversed(moves) if each != start]:
        there, lasted = moves.pop(here), lasts.pop(here)
        again = 1 / (1 - there.pop(here, Fraction(0)))
        for to in there:
            comes_from[to].discard(here)
        for before in comes_from.pop(here) - {here}:
            share = moves[before].pop(here) * again
            lasts[before] += share * lasted
            for to, weight in there.items():
                moves[before][to] = moves[before].get(to, Fraction(0)) + share * weight
                comes_from[to].add(before)
    if not moves:
        return {start: Fraction(1)}, Fraction(0)
    again = 1 / (1 - moves[start].pop(start, Fraction(0)))
    return {end: weight * again for end, weight in moves[start].items()}, lasts[start] * again


def turns(start: Hashable, over: Callable[[Any], bool], turn: Callable[[Table, Any], Hashable], most: int) -> Law:
    """The chance of each situation after so many turns at most; what is over stays as it is."""
    moves: dict[Any, Law] = {}
    now: Law = {start: Fraction(1)}
    for _ in range(most):
        after: Law = {}
        for here, weight in now.items():
            if here not in moves:
                moves[here] = {here: Fraction(1)} if over(here) else _one(turn, here)
            for to, share in moves[here].items():
                after[to] = after.get(to, Fraction(0)) + weight * share
        now = after
    return now
