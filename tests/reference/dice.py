"""Dice as single objects, pools of them, and every question that can be asked of the faces they show."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import combinations
from math import inf
from typing import Any, TypeAlias

from .search import Mistake, TooMany, Unruled

Face: TypeAlias = Fraction | tuple[Fraction | str, ...] | None
"""A number, the symbols on a face (with its number before them, if it has one; its name for a die that was drawn from
a bag and not yet thrown), or None for a die that lies nowhere yet.
"""


MANY = 7
"""All sets of dice are tried only of pools that are not larger."""


@dataclass(frozen=True)
class Kind:
    """A kind of dice, told apart by its name: its faces with their weights. `thrown` makes the face of a die that is
    itself a question to a throw.
    """

    name: str
    faces: tuple[tuple[Face, int], ...] = field(default=(), compare=False)
    thrown: Callable[[], Fraction] | None = field(default=None, compare=False)

    @property
    def sides(self) -> Fraction:
        if self.thrown:
            raise Unruled("how many sides a die has that is a question to a throw")
        return Fraction(sum(weight for _, weight in self.faces))

    @property
    def top(self) -> Face:
        if self.thrown:
            raise Unruled("the top face of a die that is a question to a throw")
        return max(number(face) for face, _ in self.faces)


UNSURE = ("which of several equal dice it was",)


@dataclass(frozen=True, eq=False)
class Die:
    """`first` is what it showed before any modifier, None for a die that a modifier added."""

    face: Face
    kind: Kind
    target: Fraction | None = None
    first: Face = None

    def alike(self, other: Die) -> bool:
        """Whether nothing in the language tells the two apart."""
        return (self.face, self.kind, self.target) == (other.face, other.kind, other.target)


@dataclass(frozen=True, eq=False)
class Pool:
    """`single`: dice written without a count."""

    dice: tuple[Die, ...] = ()
    single: bool = False

    def __add__(self, other: Pool) -> Pool:
        """The union; dice that are in both are in it twice."""
        return Pool((*self.dice, *(replace(die) for die in other.dice)), self.single and other.single)

    def but(self, dice: Iterable[Die]) -> Pool:
        """The pool with other dice, as a modifier leaves it."""
        return replace(self, dice=tuple(dice))

    @property
    def natural(self) -> Pool:
        """Its dice as they were first thrown, without those that were added later."""
        first = [die for die in self.dice if die.first is not None]
        if any(die.first is UNSURE for die in first):
            raise Unruled("which of several equal dice was kept, where they were first thrown differently")
        return Pool(tuple(replace(die, face=die.first) for die in first))


def plain(face: Face) -> Face:
    """The number of a face that bears one, without its symbols."""
    return face[0] if isinstance(face, tuple) and face and isinstance(face[0], Fraction) else face


def symbols(face: Face) -> tuple[str, ...]:
    """The symbols of a face, without its number."""
    return tuple(each for each in face if isinstance(each, str)) if isinstance(face, tuple) else ()


def number(face: Face) -> Fraction:
    face = plain(face)
    if type(face) is not Fraction:
        raise Mistake("symbols and dice that were not thrown are no numbers")
    return face


def numbers(dice: Iterable[Die]) -> list[Fraction]:
    return [number(die.face) for die in dice]


def level(a: Die, b: Die) -> bool:
    """Whether neither goes before the other: the same face on equally many sides, against the same target."""
    return a.face == b.face and a.target == b.target and (a.kind == b.kind or a.kind.sides == b.kind.sides)


def from_the_top(dice: Sequence[Die]) -> list[Die]:
    """Highest first; of equal numbers that with the later symbols, of equal faces the die with fewer sides first, of as
    many sides that against the higher target, and those without one last.
    """
    return sorted(sorted(dice, key=_place), key=lambda die: (number(die.face), symbols(die.face)), reverse=True)


def _place(die: Die) -> tuple[Fraction | float, bool, Fraction]:
    """Of dice that show the same that with the least goes first; a die that is itself a throw has no end of sides."""
    return inf if die.kind.thrown else die.kind.sides, die.target is None, -(die.target or Fraction(0))


def from_lowest(dice: Sequence[Die]) -> list[Die]:
    """The order in which a player goes through dice: as `from_the_top`, but from the lowest; no number is 0."""

    def place(die: Die) -> tuple[Any, ...]:
        face = plain(die.face)
        return face if type(face) is Fraction else 0, symbols(die.face), *(-each for each in _place(die))

    return sorted(dice, key=place)


def cut(dice: Sequence[Die], start: int, end: int) -> list[Die]:
    """Those from `start` up to `end` when counted from the top."""
    order = from_the_top(dice)
    for place in (start, end):
        if 0 < place < len(order) and level(order[place - 1], order[place]):
            equals = [die for die in order if level(die, order[place])]
            if not all(die.alike(equals[0]) for die in equals):
                raise Unruled("which of two dice goes first that differ only in their kinds, with as many sides")
    return order[max(0, start) : max(0, end)]


def remaining(stay: Iterable[Die], dice: Sequence[Die]) -> tuple[Die, ...]:
    """Those that stay; where an equal die went that was first thrown differently, it is not known which of them it
    is.
    """
    stay = list(stay)
    gone = [die for die in dice if die not in stay]

    def unsure(die: Die) -> bool:
        return any(die.face == other.face and die.first != other.first for other in gone)

    return tuple(replace(die, first=UNSURE) if unsure(die) else die for die in stay)


def middle(dice: Sequence[Die], keep: int) -> list[Die]:
    """With an odd excess one more goes from the top."""
    excess = max(0, len(dice) - keep)
    return cut(dice, excess - excess // 2, len(dice) - excess // 2)


# ---------------------------------------------------------------- questions to faces, of a pool or a list


def widest(faces: Sequence[Fraction]) -> tuple[int, Fraction]:
    """The size and the face of the largest set, the highest face on ties."""
    return max(((many, face) for face, many in Counter(faces).items()), default=(0, Fraction(0)))


def longest_run(faces: Sequence[Fraction]) -> int:
    shown = set(faces)
    best = 0
    for face in shown:
        length = 0
        while face + length in shown:
            length += 1
        best = max(best, length)
    return best


def middle_of(faces: Sequence[Fraction]) -> Fraction:
    return sorted(faces)[(len(faces) - 1) // 2] if faces else Fraction(0)


def outranks(a: Sequence[Fraction], b: Sequence[Fraction]) -> bool:
    return sorted(a, reverse=True) > sorted(b, reverse=True)


def wins(a: Sequence[Fraction], b: Sequence[Fraction]) -> int:
    return sum(x > y for x, y in zip(sorted(a, reverse=True), sorted(b, reverse=True), strict=False))


def most_groups(faces: Sequence[Fraction], reaches: Callable[[Fraction], bool]) -> int:
    """The most groups whose sums are right: the first die is left out, or in a group with any of the others."""
    if len(faces) > MANY:
        raise TooMany
    if not faces:
        return 0
    first, rest = faces[0], list(faces[1:])
    best = most_groups(rest, reaches)
    for size in range(len(rest) + 1):
        for places in combinations(range(len(rest)), size):
            if reaches(first + sum(rest[place] for place in places)):
                left = [face for place, face in enumerate(rest) if place not in places]
                best = max(best, 1 + most_groups(left, reaches))
    return best


# ---------------------------------------------------------------- cancelling


def cancelled(dice: Sequence[Die], by: Sequence[Die], goes: Callable[[Die, Die], bool]) -> list[Die]:
    """What is left when as many as possible go, one for one, the highest of them: every set of dice is tried,
    largest first.
    """
    if len(dice) > MANY:
        raise TooMany
    for many in range(min(len(dice), len(by)), 0, -1):
        found = [gone for gone in combinations(dice, many) if _matched(gone, list(by), goes)]
        if found:
            best = max(sorted(numbers(gone), reverse=True) for gone in found)
            lefts = [
                [die for die in dice if die not in gone]
                for gone in found
                if sorted(numbers(gone), reverse=True) == best
            ]
            if any(spelled(left) != spelled(lefts[0]) for left in lefts):
                raise Unruled("which of several equal faces is cancelled, where the dice are not alike")
            return lefts[0]
    return list(dice)


def equal_cancelled(dice: Sequence[Die], by: Sequence[Die]) -> list[Die]:
    """What is left when equal faces go one for one."""
    left = list(dice)
    for other in by:
        equal = [die for die in left if die.face == other.face]
        if equal:
            first = min(equal, key=_place)
            if not all(die.alike(first) for die in equal if level(die, first)):
                raise Unruled("which of several equal faces is cancelled, where the dice are of different kinds")
            left.remove(first)
    return left


def _matched(dice: Sequence[Die], by: list[Die], goes: Callable[[Die, Die], bool]) -> bool:
    """Whether each of the dice finds one of its own in `by`."""
    if not dice:
        return True
    first, *rest = dice
    return any(goes(first, other) and _matched(rest, [b for b in by if b is not other], goes) for other in by)


def spelled(dice: Iterable[Die]) -> Counter[tuple[Face, Kind, Fraction | None]]:
    return Counter((die.face, die.kind, die.target) for die in dice)
