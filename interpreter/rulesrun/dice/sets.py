"""Questions about which faces are shown together: sets of equal faces, runs, different faces."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from rulesrun.dice.pool import Face, Group, Pool, State
from rulesrun.dice.questions import ALL, Answer, OfOnePool, Question, dice_in


@dataclass(frozen=True, slots=True)
class LargestSet(OfOnePool):
    """How many dice the widest set of equal faces has."""

    def start(self, sizes: tuple[int | None, ...]) -> State:
        return 0

    def next(self, state: State, face: Face, *numbers: int) -> tuple[State, int]:
        return max(state, numbers[0]), 0

    def tells(self, face: Face) -> object:
        return None


@dataclass(frozen=True, slots=True)
class FaceOfLargestSet(OfOnePool):
    """The face of the widest set of equal faces, the highest on ties; 0 of an empty pool."""

    either_way: ClassVar[bool] = False

    def start(self, sizes: tuple[int | None, ...]) -> State:
        return (0, 0)

    def next(self, state: State, face: Face, *numbers: int) -> tuple[State, int]:
        return ((numbers[0], face) if numbers[0] > state[0] else state), 0

    def answer(self, state: State, added: int, groups: Sequence[Group]) -> Answer:
        return state[1]


@dataclass(frozen=True, slots=True)
class SetsOf(Question):
    """How many faces are shown by so many dice as `sizes` says."""

    sizes: frozenset[int]
    pool: Pool = ALL

    @property
    def pools(self) -> tuple[Pool, ...]:
        return (self.pool,)

    def next(self, state: State, face: Face, *numbers: int) -> tuple[State, int]:
        return None, int(numbers[0] > 0 and numbers[0] in self.sizes)

    def most(self, groups: Sequence[Group]) -> int:
        return dice_in(groups, self.pool) // max(1, min(self.sizes, default=1))

    def tells(self, face: Face) -> object:
        return None

    def answer(self, state: State, added: int, groups: Sequence[Group]) -> Answer:
        return added


@dataclass(frozen=True, slots=True)
class Distinct(OfOnePool):
    """How many different faces are shown."""

    presence: ClassVar[bool] = True

    def next(self, state: State, face: Face, *numbers: int) -> tuple[State, int]:
        return None, int(numbers[0] > 0)

    def most(self, groups: Sequence[Group]) -> int:
        return len({face for g in self.pool.members(groups) for face, _ in groups[g].faces})

    def tells(self, face: Face) -> object:
        return None

    def answer(self, state: State, added: int, groups: Sequence[Group]) -> Answer:
        return added


@dataclass(frozen=True, slots=True)
class LongestRun(OfOnePool):
    """The length of the longest run of faces one apart."""

    presence: ClassVar[bool] = True

    def start(self, sizes: tuple[int | None, ...]) -> State:
        """The runs that can still grow, each by its last face and length, and the longest so far."""
        return ((), 0)

    def next(self, state: State, face: Face, *numbers: int) -> tuple[State, int]:
        runs, longest = state
        growing, length = [], 1
        for run in runs:
            apart = abs(run[0] - face)
            if apart < 1:
                growing.append(run)
            elif apart == 1:
                length = run[1] + 1
        if numbers[0]:
            growing.append((face, length))
            longest = max(longest, length)
        return (tuple(growing), longest), 0

    def answer(self, state: State, added: int, groups: Sequence[Group]) -> Answer:
        return state[1]


@dataclass(frozen=True, slots=True)
class AllEqual(OfOnePool):
    """Whether there are at least two dice and all show the same face."""

    presence: ClassVar[bool] = True

    def start(self, sizes: tuple[int | None, ...]) -> State:
        """How many dice are known to be there besides those seen, and how many were seen on the one face."""
        size = sizes[0]
        return (0 if size is None else min(size, 2), 0) if size is None or size >= 2 else None

    def next(self, state: State, face: Face, *numbers: int) -> tuple[State, int]:
        if state is None or not numbers[0]:
            return state, 0
        known, seen = state
        return (None if seen else (known, min(2, numbers[0]))), 0

    def settled(self, state: State) -> bool:
        return state is None

    def tells(self, face: Face) -> object:
        return None

    def answer(self, state: State, added: int, groups: Sequence[Group]) -> Answer:
        return state is not None and max(state) >= 2
