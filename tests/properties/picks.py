"""Where a generated ruleset's decisions come from: a seeded generator, Hypothesis, or a record that can be made
smaller.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import TypeVar

T = TypeVar("T")


@dataclass
class Picks:
    """`below(n)` gives a whole number from 0 up to n - 1; what is simplest stands first, so that smaller numbers
    make smaller rules.
    """

    below: Callable[[int], int]
    made: list[int] = field(default_factory=list)

    @classmethod
    def seeded(cls, seed: int | str) -> Picks:
        return cls(Random(seed).randrange)

    @classmethod
    def replayed(cls, record: Sequence[int]) -> Picks:
        """The decisions of a record again; behind its end always the first."""
        left = iter(record)
        return cls(lambda ways: min(next(left, 0), ways - 1))

    def number(self, low: int, high: int) -> int:
        if high <= low:
            return low
        picked = self.below(high - low + 1)
        self.made.append(picked)
        return low + picked

    def chance(self, percent: int) -> bool:
        return self.number(0, 99) >= 100 - percent

    def of(self, options: Sequence[T]) -> T:
        return options[self.number(0, len(options) - 1)]

    def some(self, options: Sequence[T], low: int, high: int) -> list[T]:
        """Different ones among the options, in their order."""
        left = list(range(len(options)))
        taken = [left.pop(self.number(0, len(left) - 1)) for _ in range(min(self.number(low, high), len(left)))]
        return [options[place] for place in sorted(taken)]


def smaller(record: list[int], fails: Callable[[list[int]], bool], tries: int = 600) -> list[int]:
    """A record that still fails: stretches left out and numbers made less, as long as that helps."""
    best, left = record, tries
    improved = True
    while improved and left > 0:
        improved = False
        for size in (32, 16, 8, 4, 2, 1):
            place = len(best) - size
            while place >= 0 and left > 0:
                left -= 1
                shorter = best[:place] + best[place + size :]
                if fails(shorter):
                    best, improved = shorter, True
                place -= size
        for place in range(len(best) - 1, -1, -1):
            if place < len(best) and best[place]:
                for value in {0, best[place] // 2, best[place] - 1}:
                    left -= 1
                    trial = [*best[:place], value, *best[place + 1 :]]
                    if left > 0 and value < best[place] and fails(trial):
                        best, improved = trial, True
                        break
    return best
