"""Questions asked of pools, each a small state machine over the faces.

Faces come from the highest down (from the lowest up only if every question is `either_way`). At each face `next` is
told how many dice of each of the question's pools show it, and returns its new state and what it adds to an additive
answer; `answer` turns the last state and the sum of additions into the answer. A new question is one more small
class.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from rulesrun.dice.pool import Face, Group, Numbers, Pool, Selection, State

ALL = Pool()
Answer = object


@dataclass(frozen=True, slots=True)
class Question:
    """What all questions share; the defaults are those of a question without state."""

    either_way: ClassVar[bool] = True  # the order in which faces come does not matter
    presence: ClassVar[bool] = False  # only whether a face is shown matters, not by how many dice
    merges: ClassVar[bool] = False  # n dice on one face and m on another, `tells` being equal, count as n + m on one

    @property
    def pools(self) -> tuple[Pool, ...]:
        raise NotImplementedError

    def start(self, sizes: tuple[int | None, ...]) -> State:
        """The state before any face; `sizes` are the numbers of dice in the pools, None if chance decides."""
        return None

    def next(self, state: State, face: Face, *numbers: int) -> tuple[State, int]:
        """The state after `numbers` dice of the pools showed `face`, and what they add (at least 0)."""
        raise NotImplementedError

    def next_kept(
        self, state: State, face: Face, shown: Numbers, kept: tuple[Numbers, ...], groups: Sequence[Group]
    ) -> tuple[State, int]:
        """As `next`, for questions that also read which groups the dice are of."""
        return self.next(state, face, *map(sum, kept))

    def settled(self, state: State) -> bool:
        """Whether no further die can change the answer."""
        return False

    def most(self, groups: Sequence[Group]) -> int:
        """The largest possible sum of what is added."""
        return 0

    def closing(self, left: Numbers, groups: Sequence[Group]) -> int:
        """What is still added when the question is answered while so many dice of each group were not looked at."""
        return 0

    def tells(self, face: Face) -> object:
        """`next` does the same for faces for which this is equal."""
        return face

    def tells_groups(self, face: Face, groups: Sequence[Group]) -> bool:
        """Whether equal faces of different groups count differently."""
        return False

    def answer(self, state: State, added: int, groups: Sequence[Group]) -> Answer:
        """From the last state and the sum of what was added."""
        return state

    def simpler(self, groups: Sequence[Group]) -> Question:
        """A question with the same answers for these groups that is easier, where there is one."""
        return self


@dataclass(frozen=True, slots=True)
class OfOnePool(Question):
    """A question about one pool, the whole throw unless named."""

    pool: Pool = ALL

    @property
    def pools(self) -> tuple[Pool, ...]:
        return (self.pool,)


def dice_in(groups: Sequence[Group], *pools: Pool) -> int:
    """How many dice the groups of the pools have, before any step."""
    return sum(groups[g].count for pool in pools for g in pool.members(groups))


def most_kept(groups: Sequence[Group], pool: Pool) -> int:
    """How many dice can be left in the pool after its steps."""
    size = pool.size(groups)
    return dice_in(groups, pool) if size is None else size


@dataclass(frozen=True, slots=True)
class _Scored(Question):
    """The sum of a score for each die of a pool; those without one score 0."""

    score: Mapping[Any, int]
    pool: Pool = ALL
    least: int = field(init=False, repr=False, compare=False)  # 0 or the least score: what is added is counted from it

    @property
    def pools(self) -> tuple[Pool, ...]:
        return (self.pool,)

    def __post_init__(self) -> None:
        object.__setattr__(self, "least", min(0, min(self.score.values(), default=0)))

    def told(self, group: Group, face: Face, there: int) -> object:
        """What the score of a die of a group goes by, where so many of the pool show its face."""
        raise NotImplementedError

    def next_kept(
        self, state: State, face: Face, shown: Numbers, kept: tuple[Numbers, ...], groups: Sequence[Group]
    ) -> tuple[State, int]:
        score, least, there = self.score, self.least, sum(kept[0])
        added = sum(
            n * score.get(self.told(group, face, there), 0) for n, group in zip(kept[0], groups, strict=True) if n
        )
        inside = (count for count, group in zip(shown, groups, strict=True) if self._holds(group))
        return None, (added - least * sum(inside) if least else added)

    def _holds(self, group: Group) -> bool:
        return self.pool.tags is None or group.tag in self.pool.tags

    def closing(self, left: Numbers, groups: Sequence[Group]) -> int:
        return -self.least * sum(count for count, group in zip(left, groups, strict=True) if self._holds(group))

    def most(self, groups: Sequence[Group]) -> int:
        best = max(0, max(self.score.values(), default=0))
        return best * most_kept(groups, self.pool) - self.least * dice_in(groups, self.pool)

    def answer(self, state: State, added: int, groups: Sequence[Group]) -> Answer:
        return added + self.least * dice_in(groups, self.pool)


@dataclass(frozen=True, slots=True)
class Count(_Scored):
    """The sum of a score for each die by its tag and face (those not named score 0)."""

    merges: ClassVar[bool] = True

    def told(self, group: Group, face: Face, there: int) -> object:
        return group.tag, face

    def tells(self, face: Face) -> object:
        return tuple(sorted((tag, value) for (tag, other), value in self.score.items() if other == face and value))

    def tells_groups(self, face: Face, groups: Sequence[Group]) -> bool:
        scores = {self.score.get((group.tag, face), 0) for group in groups if self._holds(group) and group.shows(face)}
        return len(scores) > 1

    def simpler(self, groups: Sequence[Group]) -> Question:
        """Without scores of faces that no die shows: what is told of a face is told of the dice that show it."""
        shown = {(group.tag, face) for group in groups for face, _ in group.faces}
        if self.score.keys() <= shown:
            return self
        return Count({key: value for key, value in self.score.items() if key in shown}, self.pool)


@dataclass(frozen=True, slots=True)
class Matched(_Scored):
    """The sum of a score for each die by its tag, its face and how many dice of the pool show that face."""

    def told(self, group: Group, face: Face, there: int) -> object:
        return group.tag, face, there

    def tells_groups(self, face: Face, groups: Sequence[Group]) -> bool:
        return len({group.tag for group in groups if self._holds(group)}) > 1


@dataclass(frozen=True, slots=True)
class Size(OfOnePool):
    """How many dice are in the pool."""

    merges: ClassVar[bool] = True

    def next(self, state: State, face: Face, *numbers: int) -> tuple[State, int]:
        return None, numbers[0]

    def most(self, groups: Sequence[Group]) -> int:
        return most_kept(groups, self.pool)

    def tells(self, face: Face) -> object:
        return None

    def answer(self, state: State, added: int, groups: Sequence[Group]) -> Answer:
        return added


@dataclass(frozen=True, slots=True)
class Highest(OfOnePool):
    """The highest face; 0 of an empty pool."""

    either_way: ClassVar[bool] = False
    presence: ClassVar[bool] = True

    def next(self, state: State, face: Face, *numbers: int) -> tuple[State, int]:
        return (face if state is None and numbers[0] else state), 0

    def settled(self, state: State) -> bool:
        return state is not None

    def answer(self, state: State, added: int, groups: Sequence[Group]) -> Answer:
        return 0 if state is None else state


@dataclass(frozen=True, slots=True)
class Lowest(OfOnePool):
    """The lowest face; 0 of an empty pool."""

    either_way: ClassVar[bool] = False
    presence: ClassVar[bool] = True

    def next(self, state: State, face: Face, *numbers: int) -> tuple[State, int]:
        return (face if numbers[0] else state), 0

    def answer(self, state: State, added: int, groups: Sequence[Group]) -> Answer:
        return 0 if state is None else state


@dataclass(frozen=True, slots=True)
class Middle(OfOnePool):
    """The face in the middle, the lower of two; 0 of an empty pool."""

    either_way: ClassVar[bool] = False

    def start(self, sizes: tuple[int | None, ...]) -> State:
        """Each face shown and by how many dice, from the highest down."""
        return ()

    def next(self, state: State, face: Face, *numbers: int) -> tuple[State, int]:
        return ((*state, (face, numbers[0])) if numbers[0] else state), 0

    def answer(self, state: State, added: int, groups: Sequence[Group]) -> Answer:
        faces = [face for face, count in state for _ in range(count)]
        return faces[len(faces) // 2] if faces else 0

    def simpler(self, groups: Sequence[Group]) -> Question:
        """The one die of that rank, where it is certain to be there."""
        size = self.pool.size(groups)
        if not size:
            return self
        ranks = Selection("keep highest", size // 2 + 1), Selection("keep lowest", 1)
        return Highest(Pool(self.pool.tags, (*self.pool.steps, *ranks)))
