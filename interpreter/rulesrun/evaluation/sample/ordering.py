"""Which dice of many pools are the highest, lowest and middle ones; pools compared die by die."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache

import numpy as np

from rulesrun.diagnostics import Span
from rulesrun.evaluation.sample.columns import Array
from rulesrun.evaluation.sample.dice import Dice, counted, face_kind, numbers_of, ranks_of
from rulesrun.evaluation.sample.tags import Tag, Tags

NETWORK = 48
"""Up to so many rows are sorted by comparing whole rows."""


@cache
def comparisons(rows: int) -> tuple[tuple[int, int], ...]:
    """Pairs of rows which, put in order one after another, sort any numbers.

    K. E. Batcher, Sorting networks and their applications (1968), in the form for any number of rows (Knuth, TAOCP 3,
    algorithm 5.2.2M).
    """
    return tuple(_merge_exchange(rows))


def _merge_exchange(rows: int) -> Iterator[tuple[int, int]]:
    if rows < 2:
        return
    top = 1 << ((rows - 1).bit_length() - 1)
    p = top
    while p > 0:
        q, r, d = top, 0, p
        while True:
            for i in range(rows - d):
                if i & p == r:
                    yield i, i + d
            if q == p:
                break
            d, q, r = q - p, q >> 1, p
        p >>= 1


def ascending(matrix: Array) -> Array:
    """The rows sorted from the lowest to the highest, lane by lane."""
    if matrix.shape[0] < 2:
        return matrix
    if matrix.shape[0] > NETWORK:
        return np.sort(matrix, axis=0)
    rows = list(matrix)
    for one, other in comparisons(len(rows)):
        low = np.minimum(rows[one], rows[other])
        rows[other] = np.maximum(rows[one], rows[other])
        rows[one] = low
    return np.stack(rows)


def ordered(pool: Dice, tags: Tags, span: Span, absent_last: bool) -> Dice:
    """The dice from the lowest to the highest, those that are not there behind them all or before them all."""
    if pool.meaning is None and isinstance(pool.tags, int):
        keys, last = pool.faces.astype(face_kind(pool.low, pool.high), copy=False), pool.high + 1
        keys, there = _in_order(pool, keys, last if absent_last else pool.low - 1)
        return pool._replace(faces=keys if there is None else np.clip(keys, pool.low, pool.high), there=there)
    codes = 1 if pool.meaning is None else len(pool.meaning)
    places = pool.faces.astype(np.int64) - pool.low if pool.meaning is None else ranks_of(pool, span)[pool.faces]
    ranks = tags.ranks()
    many = len(ranks)
    keys = places * many + (ranks[pool.tags] if not isinstance(pool.tags, int) else 0)
    if pool.meaning is not None:
        keys = keys * codes + pool.faces
    last = (pool.high - pool.low + 1) * many * codes
    keys, there = _in_order(pool, keys.astype(face_kind(-1, last)), last if absent_last else -1)
    numbers = np.clip(keys, 0, last - 1).astype(np.int64)
    marks: Tag = pool.tags
    if not isinstance(marks, int):
        by_rank = np.empty(many, np.int64)
        by_rank[ranks] = np.arange(many)
        marks = by_rank[numbers // codes % many]
    faces = numbers % codes if pool.meaning is not None else numbers // many + pool.low
    return Dice(faces, pool.low, pool.high, there, marks, pool.meaning)


def _in_order(pool: Dice, keys: Array, absent: int) -> tuple[Array, Array | None]:
    """The keys sorted, and which of them are those of dice that are there."""
    if pool.there is None:
        return ascending(keys), None
    keys = ascending(np.where(pool.there, keys, np.array(absent, keys.dtype)))
    return keys, keys != absent


def _at_once(pool: Dice, number: int | Array, extreme: Callable[..., Array]) -> Dice | None:
    """What needs no order: all dice, or the one that is the extreme of plain dice; None where it does."""
    if not isinstance(number, int):
        return None
    if number >= pool.rows:
        return pool
    if number == 1 and pool.there is None and pool.meaning is None and isinstance(pool.tags, int):
        return pool._replace(faces=extreme(pool.faces, axis=0, keepdims=True))
    return None


def highest(pool: Dice, number: int | Array, tags: Tags, span: Span) -> Dice:
    """The `number` highest dice, all if there are no more."""
    at_once = _at_once(pool, number, np.max)
    if at_once is not None:
        return at_once
    most = int(np.max(number, initial=0))
    whole = ordered(pool, tags, span, absent_last=False)
    start = max(0, pool.rows - most)
    found = whole.at_rows(slice(start, None))
    if isinstance(number, int):
        return found
    return found.where(np.arange(start, pool.rows)[:, None] >= pool.rows - number)


def lowest(pool: Dice, number: int | Array, tags: Tags, span: Span) -> Dice:
    """The `number` lowest dice, all if there are no more."""
    at_once = _at_once(pool, number, np.min)
    if at_once is not None:
        return at_once
    most = int(np.max(number, initial=0))
    found = ordered(pool, tags, span, absent_last=True).at_rows(slice(0, most))
    return found if isinstance(number, int) else found.where(np.arange(found.rows)[:, None] < number)


def middle(pool: Dice, number: int | Array, tags: Tags, span: Span) -> Dice:
    """The `number` dice in the middle; of an odd excess one more goes from the top."""
    whole = ordered(pool, tags, span, absent_last=True)
    sizes = np.asarray(pool.sizes())
    number = np.minimum(number, sizes)
    first = (sizes - number) // 2
    row = np.arange(pool.rows)[:, None]
    mask = np.broadcast_to((row >= first) & (row < first + number), pool.faces.shape)
    return whole.where(mask)


def nth_highest(pool: Dice, number: int | Array, tags: Tags, span: Span) -> Dice:
    """The die that is the `number`-th highest, counted from 1; no dice where there is none."""
    if pool.rows == 0:
        return pool
    whole = ordered(pool, tags, span, absent_last=False)
    if isinstance(number, int):
        row = pool.rows - number
        return whole.at_rows(slice(row, row + 1)) if row >= 0 else whole.at_rows(slice(0, 0))
    place = pool.rows - number
    index = np.maximum(place, 0)[None, :]
    there = (place >= 0)[None, :]
    if whole.there is not None:
        there = there & np.take_along_axis(whole.there, index, axis=0)
    marks = whole.tags if isinstance(whole.tags, int) else np.take_along_axis(whole.tag_array(), index, axis=0)
    return Dice(np.take_along_axis(whole.faces, index, axis=0), pool.low, pool.high, there, marks, pool.meaning)


def kept(pool: Dice, word: str, which: str, number: int | Array, tags: Tags, span: Span) -> Dice:
    """The dice that `keep highest/lowest/middle N` or `drop highest/lowest N` leaves."""
    if which == "middle":
        return middle(pool, number, tags, span)
    if word == "drop":
        which = "lowest" if which == "highest" else "highest"
        left = np.maximum(0, pool.sizes() - number)
        number = int(left) if np.ndim(left) == 0 else left
    return (highest if which == "highest" else lowest)(pool, number, tags, span)


# ---------------------------------------------------------------- pools compared


def descending(pool: Dice, span: Span, bottom: int) -> tuple[Array, Array]:
    """The faces as numbers (times `bottom`) from the highest down, and which are there."""
    faces, low, _, mine = numbers_of(pool, span)
    numbers = faces.astype(np.int64) * (bottom // mine)
    absent = low * (bottom // mine) - 1
    if pool.there is not None:
        numbers = np.where(pool.there, numbers, absent)
    numbers = ascending(numbers)[::-1]
    sizes = pool.rows if pool.there is None else counted(pool.there)
    there = np.broadcast_to(np.arange(pool.rows)[:, None] < sizes, numbers.shape)
    return numbers, there


def outranks(left: Dice, right: Dice, span: Span) -> Array:
    """Whether the highest is higher, on ties the next, and so on; more dice win over fewer that begin the same."""
    bottom = _bottom(left, right, span)
    (mine, has), (theirs, have) = descending(left, span, bottom), descending(right, span, bottom)
    found = np.zeros(left.lanes, bool)
    open_ = np.ones(left.lanes, bool)
    for row in range(left.rows):
        if row >= right.rows:
            return np.asarray(found | (open_ & has[row]))
        both = has[row] & have[row]
        found |= open_ & ((both & (mine[row] > theirs[row])) | (has[row] & ~have[row]))
        open_ &= both & (mine[row] == theirs[row])
    return found


def wins(left: Dice, right: Dice, span: Span) -> Array:
    """Both sorted and compared one to one: how many of the left are higher."""
    bottom = _bottom(left, right, span)
    (mine, has), (theirs, have) = descending(left, span, bottom), descending(right, span, bottom)
    rows = min(left.rows, right.rows)
    return counted(has[:rows] & have[:rows] & (mine[:rows] > theirs[:rows]))


def _bottom(left: Dice, right: Dice, span: Span) -> int:
    return int(np.lcm(numbers_of(left, span)[3], numbers_of(right, span)[3]))
