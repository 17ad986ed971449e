"""The joint values of some forms, sorted by those that are certain: situations which ask in turn look up their rows."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from math import inf
from typing import TypeAlias

from rulesrun.evaluation.exact.symbols import Ranges

Rows: TypeAlias = Mapping[tuple[int, ...], int]
"""The weight of each combination of values."""
Index: TypeAlias = Mapping[tuple[int, ...], Rows]
"""The rows by the values of some of the forms."""


def index_of(rows: Rows, certain: Sequence[int]) -> Index:
    """The rows by the values of the `certain` forms, which are given by number."""
    found: dict[tuple[int, ...], dict[tuple[int, ...], int]] = {}
    for values, weight in rows.items():
        found.setdefault(tuple([values[at] for at in certain]), {})[values] = weight
    return found


def weights_within(rows: Rows, held: Sequence[Ranges | None], place: int | None) -> dict[int, int]:
    """The weight of each value of the form at `place` (None: of 0), where all lie in the ranges that hold them."""
    left: Collection[tuple[tuple[int, ...], int]] = rows.items()
    for at, ranges in enumerate(held):
        if ranges is not None:
            bounds = [(-inf if low is None else low, inf if high is None else high) for low, high in ranges.ranges]
            left = [row for row in left if any(low <= row[0][at] <= high for low, high in bounds)]
    result: dict[int, int] = {}
    for values, weight in left:
        value = 0 if place is None else int(values[place])
        result[value] = result.get(value, 0) + weight
    return result
