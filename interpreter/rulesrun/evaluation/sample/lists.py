"""Lanes of dice, items and numbers: what `for each` and `with each` look at, a lane for each."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np

from rulesrun.evaluation.sample.columns import (
    SMALL,
    Array,
    Coded,
    Column,
    Same,
    Truth,
    Whole,
    bare,
    ends,
    options_of,
    scaled,
    spread,
    whole_numbers,
)
from rulesrun.evaluation.sample.dice import Dice
from rulesrun.evaluation.sample.lanes import Held, Lanes
from rulesrun.evaluation.sample.tags import Tags

DIE, OTHER, TARGET, SIDES, NEWEST = "each die", "each other", "each target", "each sides", "newest"
"""The names under which lanes hold what the words of a die mean."""


def die_lanes(lanes: Lanes, pool: Dice) -> Lanes:
    """A lane for each die that is there, with its face, target and sides."""
    if pool.there is None:
        index = np.tile(np.arange(pool.lanes), pool.rows)
        faces, tags = pool.faces.reshape(-1), pool.tags
        if not isinstance(tags, int):
            tags = np.broadcast_to(tags, pool.faces.shape).reshape(-1)
    else:
        row, index = np.nonzero(pool.there)
        faces, tags = pool.faces[row, index], pool.tags
        if not isinstance(tags, int):
            tags = np.broadcast_to(tags, pool.faces.shape)[row, index]
    found = lanes.part(index)
    die: Column = Whole(faces.astype(np.int64), pool.low, pool.high)
    if pool.meaning is not None:
        die = Coded(faces.astype(np.int64), pool.meaning)
    found.names |= {DIE: die, **_beside_the_face(tags, lanes.block.tags)}
    return found


def _beside_the_face(tags: Any, known: Tags) -> dict[str, Held]:
    if isinstance(tags, int):
        return {TARGET: Same(known.dice[tags].target), SIDES: Same(known.dice[tags].sides)}
    if not len(tags):
        return {TARGET: Same(None), SIDES: Same(None)}
    there, codes = np.unique(tags, return_inverse=True)
    dice = [known.dice[tag] for tag in there.tolist()]
    codes = codes.reshape(-1)
    return {TARGET: spread([die.target for die in dice], codes), SIDES: spread([die.sides for die in dice], codes)}


def cell_array(values: Array, pool: Dice, filler: Any) -> Array:
    """One value for each die that is there (see `die_lanes`), as an array of the pool's shape."""
    if pool.there is None:
        return values.reshape(pool.faces.shape)
    found = np.full(pool.faces.shape, filler, values.dtype)
    found[np.nonzero(pool.there)] = values
    return found


def item_lanes(lanes: Lanes, lists: Column) -> tuple[Lanes, Array | int]:
    """A lane for each item of each list (or range), and how many items each list has."""
    options: Sequence[Any] = options_of(lists)
    lengths = np.array([len(each) for each in options], np.int64)
    starts = np.cumsum(lengths) - lengths
    codes = lists.codes if isinstance(lists, Coded) else np.zeros(lanes.size, np.int64)
    number = lengths[codes]
    index = np.repeat(np.arange(lanes.size), number)
    place = np.arange(len(index)) - np.repeat(np.cumsum(number) - number, number)
    found = lanes.part(index)
    items = [item for each in options for item in each]
    die = spread(items, place + starts[codes][index]) if items else Same(None)
    found.names |= {DIE: die, TARGET: Same(None), SIDES: Same(None)}
    return found, (int(lengths[0]) if isinstance(lists, Same) else number)


def summed(parts: Column, inner: Lanes, lanes: Lanes, rows: int) -> Column | None:
    """The sum of what is in the inner lanes of each lane, at most `rows` of them; None for what is no exact number."""
    index = inner.origin
    bottom = 1
    if isinstance(parts, Truth):
        return None
    if not whole_numbers(parts):
        values = options_of(parts)
        if not all(type(each) is int or isinstance(each, Fraction) for each in values):
            return None
        bottom = lcm(*(Fraction(each).denominator for each in values))
        numbers = [int(each * bottom) for each in values]
        if max(map(abs, numbers), default=0) >= SMALL // max(1, rows):
            return None
        codes = parts.codes if isinstance(parts, Coded) else np.zeros(inner.size, np.int64)
        parts = Whole(np.array(numbers, np.int64)[codes], min(numbers), max(numbers))
    low, high = ends(parts)
    low, high = min(low, 0) * rows, max(high, 0) * rows
    if max(-low, high) >= SMALL:
        return None
    if inner.size == rows * lanes.size:
        array = np.broadcast_to(np.asarray(bare(parts), np.int64), (inner.size,))
        if inner.size and (index[: lanes.size] == np.arange(lanes.size)).all() and rows:
            sums = array.reshape(rows, lanes.size).sum(axis=0, dtype=np.int64)
            return scaled(sums, bottom) if bottom != 1 else Whole(sums, low, high)
    sums = np.zeros(lanes.size, np.int64)
    np.add.at(sums, index, np.broadcast_to(np.asarray(bare(parts), np.int64), (inner.size,)))
    return scaled(sums, bottom) if bottom != 1 else Whole(sums, low, high)
