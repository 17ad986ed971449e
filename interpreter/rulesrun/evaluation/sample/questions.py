"""Questions to many pools at once: sums, ends, sets and runs."""

from __future__ import annotations

from typing import Any

import numpy as np

from rulesrun.diagnostics import Span
from rulesrun.evaluation.sample.columns import Array, Column, Same, Truth, Whole, scaled
from rulesrun.evaluation.sample.dice import Dice, Unusual, counted, face_kind, numbers_of
from rulesrun.evaluation.sample.ordering import ascending
from rulesrun.semantics.plan import Asked


def number_column(numbers: Any, low: int, high: int) -> Column:
    """A column of whole numbers that are the same in all lanes, or an array of them."""
    if np.ndim(numbers) == 0:
        return Same(int(numbers))
    return Whole(numbers.astype(np.int64, copy=False), low, high)


def with_faces(asked: Asked, pool: Dice, marks: Array) -> Column:
    """`count`, `any`, `all`, `none` and `pairs`; `marks` say how often each die counts."""
    if pool.rows == 0:
        return Same({"count": 0, "pairs": 0, "any": False, "all": False, "none": True}[asked])
    if asked == "all":
        belongs = marks if pool.there is None else marks | ~pool.there
        holds = belongs.all(axis=0)
        return Truth(np.asarray(holds if pool.there is None else holds & pool.there.any(axis=0)))
    if pool.there is not None:
        marks = marks * pool.there
    if asked == "any":
        return Truth(np.asarray(marks.any(axis=0)))
    if asked == "none":
        return Truth(~np.asarray(marks.any(axis=0)))
    if marks.dtype == bool:
        number, most = counted(marks), pool.rows
    else:
        number, most = marks.sum(axis=0, dtype=np.int64), pool.rows * int(marks.max(initial=0))
    return Whole(number, 0, most) if asked == "count" else Whole(number // 2, 0, most // 2)


def about_faces(asked: Asked, pool: Dice, span: Span) -> Column:
    """The answer to any other question; raises `Unusual` where faces have no array form."""
    if asked == "size":
        return number_column(pool.sizes(), 0, pool.rows)
    if pool.rows == 0:
        return Same(False) if asked == "all_equal" else Same(0)
    match asked:
        case "sum":
            return _sum(pool, span)
        case "highest" | "lowest":
            return _end(asked, pool, span)
        case "middle":
            return _middle(pool, span)
        case "longest_run":
            return _longest_run(pool, span)
        case _:
            return _sets(asked, pool)


def _sum(pool: Dice, span: Span) -> Column:
    faces, low, high, bottom = numbers_of(pool, span)
    ends = min(low, 0) * pool.rows, max(high, 0) * pool.rows
    kind: Any = face_kind(*ends)
    if face_kind(*ends) is np.int64 and max(-ends[0], ends[1]) >= 1 << 62:
        raise Unusual
    if pool.there is not None:
        faces = faces * pool.there
    sums = np.add.reduce(faces, axis=0, dtype=kind).astype(np.int64)
    if bottom != 1:
        return scaled(sums, bottom)
    if pool.there is None:
        ends = low * pool.rows, high * pool.rows
    return Whole(sums, *ends)


def _end(asked: str, pool: Dice, span: Span) -> Column:
    faces, low, high, bottom = numbers_of(pool, span)
    if pool.there is not None:
        beyond = low - 1 if asked == "highest" else high + 1
        faces = np.where(pool.there, faces.astype(face_kind(low, high)), np.array(beyond, face_kind(low, high)))
    found = (faces.max(axis=0) if asked == "highest" else faces.min(axis=0)).astype(np.int64)
    if pool.there is not None:
        found = np.where(pool.there.any(axis=0), found, 0)
        low, high = min(low, 0), max(high, 0)
    return scaled(found, bottom) if bottom != 1 else Whole(found, low, high)


def _middle(pool: Dice, span: Span) -> Column:
    faces, low, high, bottom = numbers_of(pool, span)
    kind = face_kind(low, high)
    faces = faces.astype(kind, copy=False)
    if pool.there is None:
        found = ascending(faces)[(pool.rows - 1) // 2].astype(np.int64)
    else:
        sizes = counted(pool.there)
        rows = ascending(np.where(pool.there, faces, np.array(high + 1, kind)))
        place = np.maximum(sizes - 1, 0) // 2
        found = np.where(sizes > 0, np.take_along_axis(rows, place[None, :], axis=0)[0], 0).astype(np.int64)
        low, high = min(low, 0), max(high, 0)
    return scaled(found, bottom) if bottom != 1 else Whole(found, low, high)


def _sorted(pool: Dice) -> tuple[Array, Array]:
    """Faces in ascending order, those that are not there behind the others; and the sizes."""
    kind = face_kind(pool.low, pool.high)
    faces = pool.faces.astype(kind, copy=False)
    if pool.there is None:
        return ascending(faces), np.full(pool.lanes, pool.rows)
    return ascending(np.where(pool.there, faces, np.array(pool.high + 1, kind))), counted(pool.there)


def _sets(asked: Asked, pool: Dice) -> Column:
    """What is asked of groups of equal faces: in sorted rows each group is a run of equal ones."""
    if asked == "face_of_largest_set" and pool.meaning is not None:
        raise Unusual
    faces, sizes = _sorted(pool)
    lanes = pool.lanes
    run = np.ones(lanes, np.int64)
    widest = (sizes > 0).astype(np.int64)
    groups = widest.copy()
    best = np.where(sizes > 0, faces[0], 0).astype(np.int64)
    for row in range(1, pool.rows):
        here = row < sizes
        same = here & (faces[row] == faces[row - 1])
        run = np.where(same, run + 1, 1)
        groups += here & ~same
        wider = here & (run >= widest)
        if asked == "face_of_largest_set":
            best = np.where(wider, faces[row], best)
        widest = np.where(wider, run, widest)
    match asked:
        case "all_equal":
            return Truth((sizes >= 2) & (groups == 1))
        case "distinct":
            return Whole(groups, 0, pool.rows)
        case "largest_set":
            return Whole(widest, 0, pool.rows)
        case _:
            return Whole(best, min(pool.low, 0), max(pool.high, 0))


def sets(pool: Dice, wanted: Array, codes: Array | None) -> Column:
    """How many faces are shown by so many dice as are `wanted`: a row for each set of sizes, which is a lane's at its
    place in `codes`.
    """
    faces, sizes = _sorted(pool)
    which = 0 if codes is None else codes
    run = np.ones(pool.lanes, np.int64)
    number = np.zeros(pool.lanes, np.int64)
    for row in range(1, pool.rows):
        same = (row < sizes) & (faces[row] == faces[row - 1])
        number += (row <= sizes) & ~same & wanted[which, run]
        run = np.where(same, run + 1, 1)
    number += (sizes == pool.rows) & wanted[which, run]
    return Whole(number, 0, pool.rows)


def _longest_run(pool: Dice, span: Span) -> Column:
    if pool.meaning is not None:
        raise Unusual
    faces, sizes = _sorted(pool)
    run = (sizes > 0).astype(np.int64)
    longest = run.copy()
    for row in range(1, pool.rows):
        here = row < sizes
        step = faces[row].astype(np.int64) - faces[row - 1]
        run = np.where(step == 1, run + 1, np.where(step == 0, run, 1))
        longest = np.where(here & (run > longest), run, longest)
    return Whole(longest, 0, pool.rows)
