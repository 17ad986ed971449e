"""Questions that compare two pools."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from rulesrun.dice.pool import Face, Group, Pool, State
from rulesrun.dice.questions import Answer, Question, dice_in


@dataclass(frozen=True, slots=True)
class _OfTwoPools(Question):
    first: Pool
    second: Pool
    either_way: ClassVar[bool] = False

    @property
    def pools(self) -> tuple[Pool, ...]:
        return (self.first, self.second)


@dataclass(frozen=True, slots=True)
class Wins(_OfTwoPools):
    """Both pools sorted and compared die by die: how many the first wins. Ties and unmatched dice do not count."""

    def start(self, sizes: tuple[int | None, ...]) -> State:
        return 0

    def next(self, state: State, face: Face, *numbers: int) -> tuple[State, int]:
        """The state is by how many dice the first pool is ahead: those wait, higher than what comes, to be matched."""
        return state + numbers[0] - numbers[1], min(numbers[1], max(state, 0))

    def most(self, groups: Sequence[Group]) -> int:
        return min(dice_in(groups, self.first), dice_in(groups, self.second))

    def answer(self, state: State, added: int, groups: Sequence[Group]) -> Answer:
        return added


@dataclass(frozen=True, slots=True)
class Outranks(_OfTwoPools):
    """Whether the first pool is higher: highest dice first, then the next; a longer pool beats its own prefix."""

    def start(self, sizes: tuple[int | None, ...]) -> State:
        return 0

    def next(self, state: State, face: Face, *numbers: int) -> tuple[State, int]:
        return state or (numbers[0] > numbers[1]) - (numbers[0] < numbers[1]), 0

    def settled(self, state: State) -> bool:
        return bool(state)

    def answer(self, state: State, added: int, groups: Sequence[Group]) -> Answer:
        return bool(state > 0)
