"""Pools: groups of like dice, and which of their dice a question looks at.

A `Group` is a number of independent equal dice. A `Pool` names the groups by their tags and the steps (selections and
cancellings) that dice must pass, one after another, to be counted. All methods walk the faces from one end and tell a
pool, face by face, how many dice of each group show it; the pool answers how many of those it keeps.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import Any, Literal, Protocol

Face = int | Fraction
Numbers = tuple[int, ...]  # a number of dice for each group
State = Any

Kind = Literal["keep highest", "keep lowest", "keep middle", "drop highest", "drop lowest"]
WITHOUT_END = 1 << 60


@dataclass(frozen=True, slots=True)
class Group:
    """`count` independent dice with the same weighted faces; at equal faces those of a lower `place` rank higher.

    `drawn`: these are so many cards instead, drawn without putting back out of so many of each face as it weighs.
    """

    count: int
    faces: tuple[tuple[Face, int], ...]
    tag: int = 0
    place: int = 0
    drawn: bool = False

    @property
    def ways(self) -> int:
        """The weight of all throws."""
        return self.of(self.count, sum(weight for _, weight in self.faces))

    def of(self, count: int, weight: int) -> int:
        """The weight of all throws of so many of the dice on faces of this weight."""
        return comb(weight, count) if self.drawn else weight**count

    def shows(self, face: Face) -> bool:
        """Whether the dice have this face."""
        return any(face == each for each, _ in self.faces)


class Walker(Protocol):
    """One step made ready for the groups at hand: a state machine over faces."""

    @property
    def start(self) -> State: ...

    @property
    def reach(self) -> int:
        """After so many dice it is done."""

    def next(self, state: State, face: Face, shown: Numbers, kept: Numbers) -> tuple[State, Numbers]:
        """From all dice that show the face and those left by earlier steps: the new state and the dice that stay."""

    def done(self, state: State) -> bool:
        """Whether no die of a face still to come can stay."""


class Step(Protocol):
    """Something that takes dice out of a pool."""

    def ready(
        self, groups: Sequence[Group], members: frozenset[int], size: int | None, upward: bool
    ) -> tuple[Walker, int | None]:
        """The walker over `groups` for the pool of these `members`, and how many of its `size` dice stay (None where
        chance decides).
        """

    def reversible(self) -> bool:
        """Whether the step can be walked from the lowest face."""

    def tells(self, face: Face) -> object:
        """Faces for which this is equal may be taken for one."""


@dataclass(frozen=True, slots=True)
class Selection:
    """Keep or drop so many of the highest, lowest or middle dice.

    Of dice with equal faces the one of a lower place ranks higher, then the group named first. `keep middle` drops one
    more from the top where the excess is odd. Raises ValueError where ranks from the other end than the faces come from
    are asked for in a pool whose size is left to chance.
    """

    kind: Kind
    count: int

    def ready(
        self, groups: Sequence[Group], members: frozenset[int], size: int | None, upward: bool
    ) -> tuple[Walker, int | None]:
        order = sorted(members, key=lambda g: (groups[g].place, g))
        if not upward:
            first, last = self.ranks(size)
        elif size is None:
            order, (first, last) = order[::-1], self.turned.ranks(None)
        else:
            order, (last, first) = order[::-1], (size - rank for rank in self.ranks(size))
        left = None if size is None else last - first
        return _Ranks(tuple(order), first, last), left

    @property
    def turned(self) -> Selection:
        """The same with high and low exchanged."""
        turned: dict[Kind, Kind] = {
            "keep highest": "keep lowest",
            "keep lowest": "keep highest",
            "drop highest": "drop lowest",
            "drop lowest": "drop highest",
        }
        return Selection(turned.get(self.kind, self.kind), self.count)

    def ranks(self, size: int | None) -> tuple[int, int]:
        """First rank kept and first rank no longer kept, counted from the highest die."""
        count = max(0, self.count)
        if size is None:
            if self.kind == "keep highest":
                return 0, count
            if self.kind == "drop highest":
                return count, WITHOUT_END
            raise ValueError("a pool whose size is left to chance has no ranks from its other end")
        count = min(count, size)
        match self.kind:
            case "keep highest":
                return 0, count
            case "keep lowest":
                return size - count, size
            case "drop highest":
                return count, size
            case "drop lowest":
                return 0, size - count
            case "keep middle":
                first = (size - count + 1) // 2
                return first, first + count

    def reversible(self) -> bool:
        return True

    def tells(self, face: Face) -> object:
        return None


@dataclass(frozen=True, slots=True)
class Showing:
    """Only the dice that show one of these faces stay."""

    faces: frozenset[Face]

    def ready(
        self, groups: Sequence[Group], members: frozenset[int], size: int | None, upward: bool
    ) -> tuple[Walker, int | None]:
        return _Shown(self.faces), None

    def reversible(self) -> bool:
        return True

    def tells(self, face: Face) -> object:
        return face in self.faces


@dataclass(frozen=True, slots=True)
class InSets:
    """Only dice stay whose face is shown by so many dice: pairs of a face and a number."""

    sets: frozenset[tuple[Face, int]]

    def ready(
        self, groups: Sequence[Group], members: frozenset[int], size: int | None, upward: bool
    ) -> tuple[Walker, int | None]:
        return _Together(self.sets), None

    def reversible(self) -> bool:
        return True

    def tells(self, face: Face) -> object:
        return face


@dataclass(frozen=True, slots=True)
class Cancelled:
    """Equal faces go one for one with the dice of another pool; those that would rank higher go first."""

    by: Pool

    def ready(
        self, groups: Sequence[Group], members: frozenset[int], size: int | None, upward: bool
    ) -> tuple[Walker, int | None]:
        order = tuple(sorted(members, key=lambda g: (groups[g].place, g)))
        return _Cancelling(order, self.by.ready(groups, upward)), None

    def reversible(self) -> bool:
        return all(step.reversible() for step in self.by.steps)

    def tells(self, face: Face) -> object:
        return face


@dataclass(frozen=True, slots=True)
class Pool:
    """The dice of the groups with these tags (None: all) that the steps leave, one step after another."""

    tags: frozenset[int] | None = None
    steps: tuple[Step, ...] = ()

    def members(self, groups: Sequence[Group]) -> frozenset[int]:
        return frozenset(g for g, group in enumerate(groups) if self.tags is None or group.tag in self.tags)

    def read(self, groups: Sequence[Group]) -> frozenset[int]:
        """All groups that decide what is in the pool, also those of pools that cancel it."""
        others = [step.by.read(groups) for step in self.steps if isinstance(step, Cancelled)]
        return self.members(groups).union(*others)

    def ready(self, groups: Sequence[Group], upward: bool = False) -> ReadyPool:
        members = self.members(groups)
        size: int | None = sum(groups[g].count for g in members)
        walkers = []
        for step in self.steps:
            walker, size = step.ready(groups, members, size, upward)
            walkers.append(walker)
        return ReadyPool(tuple(g in members for g in range(len(groups))), tuple(walkers), size)

    def size(self, groups: Sequence[Group]) -> int | None:
        """The number of dice that the steps leave, None if chance decides."""
        try:
            return self.ready(groups).size
        except ValueError:
            return None

    def merges(self, groups: Sequence[Group], alike: bool) -> bool:
        """Whether neighbouring faces may be taken for one, if a question counts them the same.

        `alike`: whether it also counts all groups the same; if not, ranks among several groups forbid it.
        """
        ranked = any(isinstance(step, Selection) for step in self.steps)
        return alike or not ranked or len(self.members(groups)) <= 1


@dataclass(frozen=True, slots=True)
class ReadyPool:
    """A pool made ready for its groups; `size` is the number of dice it keeps, None if chance decides."""

    inside: tuple[bool, ...]
    walkers: tuple[Walker, ...]
    size: int | None

    @property
    def start(self) -> State:
        return tuple(walker.start for walker in self.walkers)

    def next(self, state: State, face: Face, shown: Numbers) -> tuple[State, Numbers]:
        kept = tuple(count if inside else 0 for count, inside in zip(shown, self.inside, strict=True))
        states = []
        for walker, before in zip(self.walkers, state, strict=True):
            after, kept = walker.next(before, face, shown, kept)
            states.append(after)
        return tuple(states), kept

    @property
    def reach(self) -> int:
        """After so many dice no further one can be kept."""
        return min((walker.reach for walker in self.walkers), default=WITHOUT_END)

    def done(self, state: State) -> bool:
        return any(walker.done(before) for walker, before in zip(self.walkers, state, strict=True))


@dataclass(frozen=True, slots=True)
class _Ranks:
    """Keeps the ranks from `first` up to but not including `last`; the state is the number of dice passed."""

    order: tuple[int, ...]
    first: int
    last: int
    start: State = 0

    @property
    def reach(self) -> int:
        return self.last

    def next(self, state: State, face: Face, shown: Numbers, kept: Numbers) -> tuple[State, Numbers]:
        passed: int = state
        stay = list(kept)
        for g in self.order:
            count = kept[g]
            if count:
                stay[g] = max(0, min(passed + count, self.last) - max(passed, self.first))
                passed += count
        return min(passed, self.last), tuple(stay)

    def done(self, state: State) -> bool:
        return bool(state >= self.last)


@dataclass(frozen=True, slots=True)
class _Shown:
    faces: frozenset[Face]
    start: State = None
    reach: int = WITHOUT_END

    def next(self, state: State, face: Face, shown: Numbers, kept: Numbers) -> tuple[State, Numbers]:
        return None, (kept if face in self.faces else (0,) * len(kept))

    def done(self, state: State) -> bool:
        return False


@dataclass(frozen=True, slots=True)
class _Together:
    sets: frozenset[tuple[Face, int]]
    start: State = None
    reach: int = WITHOUT_END

    def next(self, state: State, face: Face, shown: Numbers, kept: Numbers) -> tuple[State, Numbers]:
        return None, (kept if (face, sum(kept)) in self.sets else (0,) * len(kept))

    def done(self, state: State) -> bool:
        return False


@dataclass(frozen=True, slots=True)
class _Cancelling:
    order: tuple[int, ...]
    other: ReadyPool
    reach: int = WITHOUT_END

    @property
    def start(self) -> State:
        return self.other.start

    def next(self, state: State, face: Face, shown: Numbers, kept: Numbers) -> tuple[State, Numbers]:
        after, others = self.other.next(state, face, shown)
        going, stay = sum(others), list(kept)
        for g in self.order:
            gone = min(going, stay[g])
            stay[g] -= gone
            going -= gone
        return after, tuple(stay)

    def done(self, state: State) -> bool:
        return False
