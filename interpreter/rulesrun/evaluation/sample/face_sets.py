"""Which dice of many pools belong to a set of faces, and how often each counts.

A set is made concrete by the same `FaceTest` as in a roll, once for each different set that its expressions give; the
test then says of each different face whether it belongs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from rulesrun.evaluation.faces import FaceTest
from rulesrun.evaluation.sample.columns import Array
from rulesrun.evaluation.sample.dice import Dice, shown_numbers

SPAN = 1 << 12
"""Numbers are told apart by a table if no more than so many lie between the lowest and the highest."""


def belonging(pool: Dice, tests: Sequence[FaceTest], codes: Array | None) -> Array:
    """Whether each die belongs to its set: the first of `tests`, or the one at its lane's (or its own) place."""
    if codes is None and pool.meaning is None and pool.high - pool.low < SPAN:
        return _compared(pool, tests[0])
    return _table_of(pool, tests, codes, lambda test, face: test.contains(face), bool)


def counting(pool: Dice, tests: Sequence[FaceTest], codes: Array | None) -> Array:
    """How often each die counts: once if it belongs, for symbols as often as the face bears one of them."""
    if pool.meaning is None:
        return belonging(pool, tests, codes)
    return _table_of(pool, tests, codes, lambda test, face: test.count(face), np.int16)


def _table_of(
    pool: Dice, tests: Sequence[FaceTest], codes: Array | None, of: Callable[[FaceTest, Any], Any], kind: Any
) -> Array:
    if pool.meaning is not None:
        faces: Sequence[Any] = pool.meaning
        places: Array = pool.faces
    elif pool.high - pool.low < SPAN:
        faces = range(pool.low, pool.high + 1)
        places = pool.faces - pool.low if pool.low else pool.faces
    else:
        faces = shown_numbers(pool) or [0]
        places = np.clip(np.searchsorted(np.array(faces), pool.faces), 0, len(faces) - 1)
    table = np.array([[of(test, face) for face in faces] for test in tests], kind)
    return table[0][places] if codes is None else table[codes, places]


def _compared(pool: Dice, test: FaceTest) -> Array:
    """By comparing with the ends of the rows of faces that belong."""
    faces = pool.faces
    holds = [test.contains(face) for face in range(pool.low, pool.high + 1)]
    starts = [place for place, here in enumerate(holds) if here and (place == 0 or not holds[place - 1])]
    if not starts:
        return np.zeros(faces.shape, bool)
    found: Array | None = None
    for start in starts:
        end = start
        while end + 1 < len(holds) and holds[end + 1]:
            end += 1
        first, last = start + pool.low, end + pool.low
        if first == last:
            one = faces == first
        elif start == 0 and end == len(holds) - 1:
            one = np.ones(faces.shape, bool)
        elif start == 0:
            one = faces <= last
        elif end == len(holds) - 1:
            one = faces >= first
        else:
            one = (faces >= first) & (faces <= last)
        found = one if found is None else found | one
    assert found is not None
    return found
