"""Cells of a table that differ in one number, which is only compared: they go through a rule abreast.

Such a number stands as `Swept`, with a value for each cell. A comparison with it is one condition whose ranges differ
by cell (`RangesEach`), so that the situations of a rule are followed once for all cells in which they are decided
alike; where they are not, cells part (`Apart`). Weights are then `Shares`, one a cell.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NoReturn

from rulesrun.evaluation.exact.symbols import AnyShows, Inside, Ranges
from rulesrun.semantics import plan
from rulesrun.semantics.renaming import parts


class NotAbreast(Exception):
    """These cells have to be worked out one by one."""


class Apart(Exception):
    """Something is not the same in all cells: evaluate again for each of these groups of them."""

    def __init__(self, groups: Iterable[Sequence[int]]) -> None:
        self.groups = tuple(map(tuple, groups))
        super().__init__(self.groups)


@dataclass(frozen=True, slots=True)
class Swept:
    """A whole number for each cell."""

    values: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class RangesEach:
    """Ranges for each cell, None for cells that the situation is not about. Nothing but the cells' own work may read
    them: whatever asks them as if they were `Ranges` ends the going abreast.
    """

    by: tuple[Ranges | None, ...]

    @staticmethod
    def of(ranges: Mapping[int, Ranges], cells: int) -> RangesEach:
        return RangesEach(tuple(ranges.get(cell) for cell in range(cells)))

    def rest(self) -> RangesEach:
        """All other whole numbers."""
        return RangesEach(tuple(None if each is None else each.rest() for each in self.by))

    @property
    def ranges(self) -> NoReturn:
        raise NotAbreast

    @property
    def only(self) -> NoReturn:
        raise NotAbreast

    @property
    def empty(self) -> NoReturn:
        raise NotAbreast

    def meets(self, other: object) -> NoReturn:
        raise NotAbreast


def each_its_own(ranges: object) -> bool:
    """Whether ranges differ by cell."""
    return type(ranges) is RangesEach


def ranges_of(ranges: Any, cell: int) -> Ranges:
    """The ranges of one cell."""
    if type(ranges) is RangesEach:
        ranges = ranges.by[cell]
    assert ranges is not None
    return ranges  # type: ignore[no-any-return]


@dataclass(frozen=True, slots=True)
class Shares:
    """A weight for each cell: whole numbers out of `bottom`, not in lowest terms."""

    tops: tuple[int, ...]
    bottom: int

    def of(self, cell: int) -> Fraction:
        """The weight of one cell."""
        return Fraction(self.tops[cell], self.bottom)

    def __bool__(self) -> bool:
        return any(self.tops)

    def __mul__(self, other: Shares | Fraction) -> Shares:
        if isinstance(other, Shares):
            return Shares(tuple(a * b for a, b in zip(self.tops, other.tops, strict=True)), self.bottom * other.bottom)
        return Shares(tuple(top * other.numerator for top in self.tops), self.bottom * other.denominator)

    __rmul__ = __mul__

    def __add__(self, other: Shares | Fraction) -> Shares:
        if not isinstance(other, Shares):
            other = Shares((other.numerator,) * len(self.tops), other.denominator)
        if self.bottom == other.bottom:
            return Shares(tuple(a + b for a, b in zip(self.tops, other.tops, strict=True)), self.bottom)
        tops = (a * other.bottom + b * self.bottom for a, b in zip(self.tops, other.tops, strict=True))
        return Shares(tuple(tops), self.bottom * other.bottom)

    __radd__ = __add__


def share_of(weight: Shares | Fraction, cell: int) -> Fraction:
    """The weight of one cell, of a weight that may be the same for all."""
    return weight.of(cell) if isinstance(weight, Shares) else weight


def joined(answers: Mapping[int, bool | AnyShows | Inside], cells: int) -> Any:
    """Answers to a comparison in each cell as one. Raises `Apart` where they cannot be one."""
    alike: dict[object, list[int]] = {}
    for cell, answer in answers.items():
        alike.setdefault((Inside, answer.form) if isinstance(answer, Inside) else answer, []).append(cell)
    if len(alike) > 1:
        raise Apart(alike.values())
    first, *others = answers.values()
    if not isinstance(first, Inside) or all(other == first for other in others):
        return first
    ranges = {cell: answer.ranges for cell, answer in answers.items() if isinstance(answer, Inside)}
    return Inside(first.form, RangesEach.of(ranges, cells))  # type: ignore[arg-type]


def only_compared(asking: object, names: Iterable[str]) -> frozenset[str]:
    """The names of numbers that are read nowhere but as one side of a comparison."""
    compared: dict[str, int] = {}
    read: dict[str, int] = {}
    for part in parts(asking):
        match part:
            case plan.Compare(left=left, right=right):
                for side, other in ((left, right), (right, left)):
                    if isinstance(side, plan.Var) and side.kind is plan.Kind.NUMBER and not _is(side.name, other):
                        compared[side.name] = compared.get(side.name, 0) + 1
            case plan.Var(name=name):
                read[name] = read.get(name, 0) + 1
            case _:
                pass
    return frozenset(name for name in names if read.get(name, 0) == compared.get(name, 0))


def _is(name: str, at: plan.Expression) -> bool:
    return isinstance(at, plan.Var) and at.name == name
