"""Pools of many trials at once: a row for each die, a column for each lane.

Rows are as many as the largest pool has dice; `there` says which dice are there. Faces are numbers, or, with a
`meaning`, places in a list of faces of any kind. As in a roll, no answer depends on the order of the dice.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import lcm
from typing import Any, NamedTuple

import numpy as np

from rulesrun.diagnostics import Span
from rulesrun.evaluation.pools import Die, rank
from rulesrun.evaluation.sample.columns import SMALL, Array
from rulesrun.evaluation.sample.tags import Tag, Tags
from rulesrun.semantics.borne import as_number
from rulesrun.semantics.plan import Face


class Unusual(Exception):
    """Numbers that have no array form; the caller asks lane by lane."""


class Dice(NamedTuple):
    """`faces` lie from `low` to `high`; `there` None: all dice are there; `meaning` None: faces are numbers."""

    faces: Array
    low: int
    high: int
    there: Array | None
    tags: Tag
    meaning: tuple[Face, ...] | None

    @property
    def rows(self) -> int:
        """How many dice the largest pool has."""
        return int(self.faces.shape[0])

    @property
    def lanes(self) -> int:
        """How many pools there are."""
        return int(self.faces.shape[1])

    def take(self, index: Array) -> Dice:
        """The pools of these lanes."""
        tags = self.tags if isinstance(self.tags, int) or self.tags.shape[1] == 1 else self.tags[:, index]
        there = None if self.there is None else self.there[:, index]
        return Dice(self.faces[:, index], self.low, self.high, there, tags, self.meaning)

    def at_rows(self, rows: slice) -> Dice:
        """The dice of these rows."""
        tags = self.tags if isinstance(self.tags, int) else self.tags[rows]
        there = None if self.there is None else self.there[rows]
        return Dice(self.faces[rows], self.low, self.high, there, tags, self.meaning)

    def where(self, mask: Array) -> Dice:
        """Those dice for which the mask holds."""
        return self._replace(there=mask if self.there is None else self.there & mask)

    def sizes(self) -> Array | int:
        """How many dice each pool has."""
        return self.rows if self.there is None else counted(self.there)

    def present(self) -> Array:
        """Which dice are there, as an array."""
        return np.ones(self.faces.shape, bool) if self.there is None else self.there

    def tag_array(self) -> Array:
        """The tag of each die."""
        return np.broadcast_to(np.asarray(self.tags, np.int64), self.faces.shape)


def no_dice(lanes: int) -> Dice:
    """Empty pools."""
    return Dice(np.zeros((0, lanes), np.int8), 0, 0, None, 0, None)


def counted(mask: Array) -> Array:
    """How many of each lane's dice a mask holds for."""
    kind: Any = np.uint8 if mask.shape[0] < 256 else np.int32
    sums: Array = np.add.reduce(mask.view(np.int8) if mask.dtype == bool else mask, axis=0, dtype=kind)
    return sums.astype(np.int64)


_KINDS = ((127, np.int8), (32_767, np.int16), (2**31 - 1, np.int32))


def face_kind(low: int, high: int) -> Any:
    """The narrowest kind of array numbers that holds faces and one beyond at both ends."""
    most = max(-low, high)
    for bound, kind in _KINDS:
        if most < bound:
            return kind
    return np.int64


# ---------------------------------------------------------------- pools together


def with_meaning(pool: Dice, meaning: tuple[Face, ...]) -> Dice:
    """The same pool with its faces as places in a longer list that holds them all."""
    places = {face: place for place, face in enumerate(meaning)}
    if pool.meaning is None:
        table = np.zeros(pool.high - pool.low + 1, np.int64)
        for face in shown_numbers(pool):
            table[face - pool.low] = places[face]
        faces = table[np.clip(pool.faces.astype(np.int64), pool.low, pool.high) - pool.low]
    else:
        faces = np.array([places[face] for face in pool.meaning], np.int64)[pool.faces]
    return Dice(faces, 0, len(meaning) - 1, pool.there, pool.tags, meaning)


def shown_numbers(pool: Dice) -> list[int]:
    """The different faces of pools of numbers."""
    faces = pool.faces if pool.there is None else pool.faces[pool.there]
    return [int(face) for face in np.unique(faces)]


def alike(pools: Sequence[Dice]) -> list[Dice]:
    """The pools with faces of one form."""
    if all(pool.meaning is None for pool in pools):
        return list(pools)
    first = pools[0].meaning
    if all(pool.meaning == first for pool in pools):
        return list(pools)
    faces: dict[Face, None] = {}
    for pool in pools:
        faces.update(dict.fromkeys(shown_numbers(pool) if pool.meaning is None else pool.meaning))
    meaning = tuple(faces) or (0,)
    return [with_meaning(pool, meaning) for pool in pools]


def _ends(pools: Sequence[Dice]) -> tuple[int, int]:
    filled = [pool for pool in pools if pool.rows] or list(pools)
    return min(pool.low for pool in filled), max(pool.high for pool in filled)


def one_tag(pools: Sequence[Dice]) -> int | None:
    """The tag that all dice bear; None where they differ."""
    tags = {pool.tags if isinstance(pool.tags, int) else None for pool in pools if pool.rows}
    return (tags.pop() if len(tags) == 1 else None) if tags else 0


def union(pools: Sequence[Dice]) -> Dice:
    """All dice of several pools in the same lanes."""
    pools = [pool for pool in pools if pool.rows] or list(pools[:1])
    if len(pools) == 1:
        return pools[0]
    pools = alike(pools)
    low, high = _ends(pools)
    kind = face_kind(low, high)
    faces = np.concatenate([pool.faces.astype(kind, copy=False) for pool in pools])
    there = None
    if any(pool.there is not None for pool in pools):
        there = np.concatenate([pool.present() for pool in pools])
    tag: Tag | None = one_tag(pools)
    if tag is None:
        narrow = all(isinstance(pool.tags, int) or pool.tags.shape[1] == 1 for pool in pools)
        lanes = 1 if narrow else pools[0].lanes
        tag = np.concatenate([np.broadcast_to(np.asarray(pool.tags, np.int64), (pool.rows, lanes)) for pool in pools])
    return Dice(faces, low, high, there, tag, pools[0].meaning)


def merged_dice(size: int, parts: Sequence[tuple[Array | None, Dice]]) -> Dice:
    """One pool in each of `size` lanes, out of pools for the lanes at several indices; no dice elsewhere."""
    pools = alike([pool for _, pool in parts])
    parts = [(index, pool) for (index, _), pool in zip(parts, pools, strict=True)]
    if len(parts) == 1 and parts[0][0] is None:
        return pools[0]
    low, high = _ends(pools)
    rows = max(pool.rows for pool in pools)
    faces = np.full((rows, size), low, face_kind(low, high))
    there = np.zeros((rows, size), bool)
    tag: Tag | None = one_tag(pools)
    tags = None if tag is not None else np.zeros((rows, size), np.int64)
    for index, pool in parts:
        where = slice(None) if index is None else index
        faces[: pool.rows, where] = pool.faces
        there[: pool.rows, where] = pool.present()
        there[pool.rows :, where] = False
        if tags is not None:
            tags[: pool.rows, where] = pool.tag_array()
    whole = None if there.all() else there
    return Dice(faces, low, high, whole, tags if tags is not None else tag or 0, pools[0].meaning)


def compact(pool: Dice) -> Dice:
    """The same pools with their dice in the first rows."""
    if pool.there is None:
        return pool
    sizes = counted(pool.there)
    rows = int(sizes.max(initial=0))
    if rows == pool.rows:
        return pool
    places = np.cumsum(pool.there, axis=0, dtype=np.int64) - 1
    row, lane = np.nonzero(pool.there)
    slot = places[row, lane]
    faces = np.full((rows, pool.lanes), pool.low, pool.faces.dtype)
    faces[slot, lane] = pool.faces[row, lane]
    tags = pool.tags
    if not isinstance(tags, int):
        moved = np.zeros((rows, pool.lanes), np.int64)
        moved[slot, lane] = pool.tag_array()[row, lane]
        tags = moved
    there = np.arange(rows)[:, None] < sizes
    return Dice(faces, pool.low, pool.high, None if there.all() else there, tags, pool.meaning)


def with_faces_as(pool: Dice, of: Callable[[Face], Face]) -> Dice:
    """The same dice, each showing what the function makes of its face."""
    faces: Sequence[Face] = shown_numbers(pool) if pool.meaning is None else pool.meaning
    new = [of(face) for face in faces]
    meaning: tuple[Face, ...] | None = None
    if all(type(face) is int and -SMALL < face < SMALL for face in new):
        codes: list[Any] = list(new)
    else:
        meaning = tuple(dict.fromkeys(new))
        places = {face: place for place, face in enumerate(meaning)}
        codes = [places[face] for face in new]
    low, high = (min(codes), max(codes)) if codes else (0, 0)
    here = np.searchsorted(np.array(faces), pool.faces).clip(0, len(faces) - 1) if pool.meaning is None else pool.faces
    table = np.array(codes or [0], face_kind(low, high))
    return Dice(table[here], low, high, pool.there, pool.tags, meaning)


def firsts_of_number(pool: Dice) -> Array:
    """For faces with a meaning: the first of all that bear the same number."""
    assert pool.meaning is not None
    numbers = [as_number(face) for face in pool.meaning]
    return np.array([numbers.index(number) for number in numbers], np.int64)


# ---------------------------------------------------------------- faces as numbers


def numbers_of(pool: Dice, span: Span) -> tuple[Array, int, int, int]:
    """The faces as numbers, times a bottom that makes them whole: array, low, high, bottom. An error for symbols."""
    if pool.meaning is None:
        return pool.faces, pool.low, pool.high, 1
    ranks = _ranks_of(pool, span)
    bottom = lcm(*(Fraction(each).denominator for each in ranks))
    table = [int(each * bottom) for each in ranks]
    low, high = min(table), max(table)
    if low <= -SMALL or high >= SMALL:
        raise Unusual
    return np.array(table, np.int64)[pool.faces], low, high, bottom


def ranks_of(pool: Dice, span: Span) -> Array:
    """For faces with a meaning: the place of each among all in their order; equal ones have the same."""
    ranks = _ranks_of(pool, span)
    assert pool.meaning is not None
    keys = [(rank, face[1:] if isinstance(face, tuple) else ()) for rank, face in zip(ranks, pool.meaning, strict=True)]
    places = {key: place for place, key in enumerate(sorted(set(keys)))}
    return np.array([places[key] for key in keys], np.int64)


def _ranks_of(pool: Dice, span: Span) -> list[Any]:
    assert pool.meaning is not None
    faces = pool.faces if pool.there is None else pool.faces[pool.there]
    seen = np.bincount(faces.reshape(-1).astype(np.int64), minlength=len(pool.meaning))
    return [rank(face, span) if seen[code] else 0 for code, face in enumerate(pool.meaning)]


# ---------------------------------------------------------------- whole dice


def dice_at(pool: Dice, tags: Tags, lane: int) -> tuple[Die, ...]:
    """The dice of one lane, as a roll has them."""
    found = []
    for row in range(pool.rows):
        if pool.there is None or pool.there[row, lane]:
            face = int(pool.faces[row, lane])
            tag = (
                pool.tags
                if isinstance(pool.tags, int)
                else int(np.broadcast_to(pool.tags, pool.faces.shape)[row, lane])
            )
            found.append(tags.dice[tag]._replace(face=face if pool.meaning is None else pool.meaning[face]))
    return tuple(found)


def dice_of(pools: Sequence[Sequence[Die]], codes: Array, tags: Tags) -> Dice:
    """The pools with these dice, by the place of each lane's pool among them."""
    faces = [die.face for pool in pools for die in pool]
    meaning: tuple[Face, ...] | None = None
    if not all(type(face) is int and -SMALL < face < SMALL for face in faces):
        meaning = tuple(dict.fromkeys(faces))
    places = {face: place for place, face in enumerate(meaning)} if meaning else {}
    numbers: list[Any] = [places[face] if meaning else face for face in faces]
    low, high = (min(numbers), max(numbers)) if numbers else (0, 0)
    rows = max(map(len, pools), default=0)
    table = np.full((rows, max(1, len(pools))), low, face_kind(low, high))
    marks = np.zeros((rows, max(1, len(pools))), np.int64)
    there = np.zeros((rows, max(1, len(pools))), bool)
    rest = iter(numbers)
    for lane, pool in enumerate(pools):
        for row, die in enumerate(pool):
            table[row, lane], marks[row, lane], there[row, lane] = next(rest), tags.of(die), True
    whole = Dice(table, low, high, there, marks, meaning).take(codes)
    return whole._replace(there=None) if whole.there is not None and whole.there.all() else whole
