"""Playing every way that dice can fall, and adding up the chances: plain, slow, and without the language."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement
from math import factorial, prod
from typing import Any

Law = dict[Any, Fraction]
"""The chance of each result."""

Answers = dict[str, Fraction]
"""Each answer by its key."""


class Table:
    """Where a game is played: `roll` and `pool` follow one branch of all that can happen and remember its chance."""

    def __init__(self, path: list[int]) -> None:
        self.path, self.at, self.chance = path, 0, Fraction(1)
        self.widths: list[int] = []

    def pick(self, options: list[tuple[Any, Fraction]]) -> Any:
        step = self.path[self.at] if self.at < len(self.path) else 0
        if self.at >= len(self.path):
            self.path.append(0)
        self.at += 1
        self.widths.append(len(options))
        self.chance *= options[step][1]
        return options[step][0]

    def roll(self, faces: int | Iterable[Any]) -> Any:
        return self.pick(weights(faces))

    def pool(self, number: int, faces: int | Iterable[Any]) -> tuple[Any, ...]:
        """So many equal dice, sorted."""
        shown: tuple[Any, ...] = self.pick(multisets(number, faces if isinstance(faces, int) else tuple(faces)))
        return shown

    def of(self, law: Law) -> Any:
        return self.pick(list(law.items()))


def weights(faces: int | Iterable[Any]) -> list[tuple[Any, Fraction]]:
    shown = list(range(1, faces + 1)) if isinstance(faces, int) else list(faces)
    return [(face, Fraction(times, len(shown))) for face, times in Counter(shown).items()]


@cache
def multisets(number: int, faces: int | tuple[Any, ...]) -> list[tuple[Any, Fraction]]:
    shares = dict(weights(faces))
    result = []
    for shown in combinations_with_replacement(sorted(shares), number):
        counts = Counter(shown)
        ways = factorial(number) // prod(factorial(times) for times in counts.values())
        result.append(
            (shown, ways * prod((shares[face] ** times for face, times in counts.items()), start=Fraction(1)))
        )
    return result


def law(play: Callable[[Table], Hashable]) -> Law:
    """The chance of each result of a game that ends."""
    chances: Law = {}
    path: list[int] = []
    while True:
        table = Table(path)
        result = play(table)
        chances[result] = chances.get(result, Fraction(0)) + table.chance
        path = path[: table.at]
        while path and path[-1] + 1 == table.widths[len(path) - 1]:
            path.pop()
        if not path:
            assert sum(chances.values()) == 1
            return chances
        path[-1] += 1


def chance(chances: Law, holds: Callable[[Any], bool]) -> Fraction:
    return sum((weight for result, weight in chances.items() if holds(result)), Fraction(0))


def mean(chances: Law, value: Callable[[Any], Any] = lambda result: result) -> Fraction:
    return sum((weight * value(result) for result, weight in chances.items()), Fraction(0))


def exploding(sides: int, on: Iterable[int], cap: int) -> Law:
    """The sum of a die that goes on at `on`; everything from `cap` up is one result."""
    again = set(on)
    done: Law = {}
    open_: Law = {0: Fraction(1)}
    while open_:
        sofar, weight = open_.popitem()
        if sofar >= cap:
            done[cap] = done.get(cap, Fraction(0)) + weight
            continue
        for face in range(1, sides + 1):
            target = open_ if face in again else done
            value = min(cap, sofar + face)
            target[value] = target.get(value, Fraction(0)) + weight / sides
    return done


def successes(sides: int, good: Iterable[int], on: Iterable[int], cap: int) -> Law:
    """How many of the faces of an exploding die are good; `cap` and more are one result."""
    scoring, again = set(good), set(on)
    assert again <= scoring
    done: Law = {}
    weight = Fraction(1)
    for scored in range(cap):
        for face in set(range(1, sides + 1)) - again:
            value = min(cap, scored + (face in scoring))
            done[value] = done.get(value, Fraction(0)) + weight / sides
        weight *= Fraction(len(again), sides)
    done[cap] = done.get(cap, Fraction(0)) + weight
    return done


def first_and_sum(sides: int, cap: int) -> Law:
    """The sum of a die that explodes on its top face, with the face shown first."""
    result: Law = {(face, face): Fraction(1, sides) for face in range(1, sides)}
    for value, weight in exploding(sides, [sides], cap).items():
        key = (min(cap, sides + value), sides)
        result[key] = result.get(key, Fraction(0)) + weight / sides
    return result
