"""Some dice of many pools taken out one by one, thrown anew, and put back or added.

Dice that are taken out lie in pools of one die, a lane for each: so a die in its lane reads what its trial reads.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rulesrun.evaluation.draws import Given, Numbered
from rulesrun.evaluation.sample.bits import MIDDLE, Bits
from rulesrun.evaluation.sample.columns import (
    SMALL,
    Array,
    Column,
    at,
    ends,
    keys_of,
    number_array,
    together,
    whole_numbers,
)
from rulesrun.evaluation.sample.dice import Dice, alike, compact, face_kind, merged_dice
from rulesrun.semantics.plan import Face

LOOKED_UP = 1 << 12
"""Weights that add up to no more are looked up in a table."""


def cells(pool: Dice, row: Array, lane: Array) -> Dice:
    """The dice at these rows and lanes as pools of one die."""
    tags = pool.tags if isinstance(pool.tags, int) else pool.tag_array()[row, lane][None, :]
    return Dice(pool.faces[row, lane][None, :], pool.low, pool.high, None, tags, pool.meaning)


def put_back(pool: Dice, row: Array, lane: Array, dice: Dice) -> Dice:
    """The pools with other dice at these rows and lanes."""
    pool, dice = alike([pool, dice])
    low, high = min(pool.low, dice.low), max(pool.high, dice.high)
    faces = pool.faces.astype(face_kind(low, high), copy=True)
    faces[row, lane] = dice.faces[0]
    tags = pool.tags
    if not (isinstance(tags, int) and isinstance(dice.tags, int) and tags == dice.tags):
        tags = np.array(pool.tag_array())
        tags[row, lane] = dice.tags if isinstance(dice.tags, int) else np.broadcast_to(dice.tags, dice.faces.shape)[0]
    return Dice(faces, low, high, pool.there, tags, pool.meaning)


def stacked(dice: Dice, mask: Array, row: Array, lane: Array) -> Dice:
    """Dice that come from the rows and lanes where a mask holds, as pools of as many lanes as the mask has."""
    slot = (np.cumsum(mask, axis=0, dtype=np.int64) - 1)[row, lane]
    rows = int(slot.max(initial=-1)) + 1
    lanes = mask.shape[1]
    faces = np.full((rows, lanes), dice.low, dice.faces.dtype)
    there = np.zeros((rows, lanes), bool)
    faces[slot, lane], there[slot, lane] = dice.faces[0], True
    tags = dice.tags
    if not isinstance(tags, int):
        marks = np.zeros((rows, lanes), np.int64)
        marks[slot, lane] = np.broadcast_to(tags, dice.faces.shape)[0]
        tags = marks
    return Dice(faces, dice.low, dice.high, None if there.all() else there, tags, dice.meaning)


def neat(pool: Dice) -> Dice:
    """The same pools, compact where many rows are nearly empty."""
    if pool.there is None or pool.rows < 4:
        return pool
    most = int(np.max(pool.sizes(), initial=0))
    return compact(pool) if most * 4 < pool.rows * 3 else pool


def where_dice(mask: Array, one: Dice, other: Dice) -> Dice:
    """The first pool where the mask holds, else the second."""
    alike_tags = isinstance(one.tags, int) and one.tags == other.tags
    if one.rows == other.rows and alike_tags and one.meaning == other.meaning:
        low, high = min(one.low, other.low), max(one.high, other.high)
        there = None
        if one.there is not None or other.there is not None:
            there = np.where(mask, one.present(), other.present())
        return Dice(np.where(mask, one.faces, other.faces), low, high, there, one.tags, one.meaning)
    yes, no = np.flatnonzero(mask), np.flatnonzero(~mask)
    return merged_dice(len(mask), [(yes, one.take(yes)), (no, other.take(no))])


# ---------------------------------------------------------------- new faces


class Faces:
    """Faces as arrays have them: numbers from `low` to `high`, or places in `meaning`."""

    __slots__ = ("array", "high", "low", "meaning")

    def __init__(self, array: Array, low: int, high: int, meaning: tuple[Face, ...] | None = None) -> None:
        self.array, self.low, self.high, self.meaning = array, low, high, meaning

    def dice(self, tags: Any) -> Dice:
        """Pools of one die with these faces."""
        return Dice(self.array.reshape(1, -1), self.low, self.high, None, tags, self.meaning)


def thrown(shape: Numbered | Given, number: int, bits: Bits) -> Faces:
    """So many faces of a die."""
    if isinstance(shape, Numbered):
        if shape.sides >= SMALL:
            return listed([int(each) + 1 for each in bits.below(shape.sides, number)])
        faces = bits.below(shape.sides, number)
        if shape.sides > MIDDLE:
            return Faces(faces + 1, 1, shape.sides)
        faces = faces.astype(face_kind(1, shape.sides), copy=False)
        faces += 1
        return Faces(faces, 1, shape.sides)
    total = shape.bounds[-1]
    numbers = [face for face in shape.faces if type(face) is int and -SMALL < face < SMALL]
    meaning = None if len(numbers) == len(shape.faces) else tuple(dict.fromkeys(shape.faces))
    values = numbers if meaning is None else [meaning.index(face) for face in shape.faces]
    low, high = (min(values), max(values)) if meaning is None else (0, len(meaning) - 1)
    table = np.array(values, face_kind(low, high))
    drawn = bits.below(total, number)
    if total <= LOOKED_UP:
        sides = np.repeat(table, np.diff([0, *shape.bounds]))
        return Faces(sides[drawn], low, high, meaning)
    bounds = np.array(shape.bounds, np.int64 if total < SMALL else object)
    return Faces(table[np.searchsorted(bounds, drawn, side="right")], low, high, meaning)


def thrown_each(sides: Column, number: int, bits: Bits) -> Faces:
    """A face for each of so many dice of different sides."""
    if whole_numbers(sides) and ends(sides)[1] <= MIDDLE:
        return Faces(bits.below_each(number_array(sides, number)) + 1, 1, ends(sides)[1])
    keyed = keys_of(sides)
    groups = together([keyed])
    if groups is None:
        return thrown(Numbered("", at(sides, 0)), number, bits)
    found: list[Any] = [0] * number
    for code, example in enumerate(groups.examples.tolist()):
        where = np.flatnonzero(groups.codes == code).tolist()
        several = bits.below(at(sides, example), len(where))
        for place, each in zip(where, several.tolist(), strict=True):
            found[place] = int(each) + 1
    return listed(found)


def listed(faces: Sequence[Any]) -> Faces:
    """Faces of any kind as an array."""
    if all(type(face) is int and -SMALL < face < SMALL for face in faces):
        low, high = min(faces, default=0), max(faces, default=0)
        return Faces(np.array(faces, np.int64), low, high)
    meaning = tuple(dict.fromkeys(faces))
    places = {face: place for place, face in enumerate(meaning)}
    return Faces(np.array([places[face] for face in faces], np.int64), 0, len(meaning) - 1, meaning)
