"""Endless chances beside an enumeration that is cut off: each lies where the enumeration leaves room."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from rulesrun import Distribution


def lies_where_enumeration_leaves_room(found: Distribution, enumerated: Mapping[Any, Fraction], room: Fraction) -> None:
    """Asserts that no chance is less than what was enumerated of it, nor all together by more than `room` greater."""
    excess = Fraction(0)
    for value in {*enumerated, *found}:
        assert found[value] >= enumerated.get(value, 0), value
        excess += found[value] - enumerated.get(value, Fraction(0))
    assert excess <= room
    assert sum((chance for _, chance in found.items()), Fraction(0)) + found.tail == 1
