"""Tables: numbers without a row, numbers with two, faces of the table's die without a row, rows that no face points
to.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from itertools import islice
from math import ceil, floor

from rulesrun.diagnostics import Diagnostic, Span
from rulesrun.semantics import plan
from rulesrun.semantics.borne import number_on
from rulesrun.semantics.facts import MAX_FACES, faces_of
from rulesrun.semantics.items import key_span
from rulesrun.semantics.messages import items as say
from rulesrun.semantics.plan import Number

from .checked import Checked

MOST_OVERLAPS = 50
"""Overlaps that are shown of one table."""

Band = tuple[Number | None, Number | None, Span]


def gaps_and_overlaps(checked: Checked) -> Iterator[Diagnostic]:
    """Everything doubtful about the bands of the tables."""
    for name, item in checked.items.tables.items():
        table = _as_table(checked, name)
        if table is None:
            continue
        rows = zip(table.rows, item.rows, strict=True)
        bands: list[Band] = [(row.low, row.high, key_span(node)) for row, node in rows if row.key is None]
        bands.sort(key=lambda band: (band[0] is not None, band[0] or 0))
        if table.die is None:
            yield from _gaps(name, bands)
        else:
            yield from _faces(item.name.span, table, table.die, bands)
        yield from _overlaps(name, bands)


def _as_table(checked: Checked, name: str) -> plan.Table | None:
    """A table, or the first column of a two-way table; None for a faulty one."""
    two_way = checked.world.two_way.get(name)
    return checked.world.tables.get(name if two_way is None else two_way.columns[0][1])


def _gaps(name: str, bands: list[Band]) -> Iterator[Diagnostic]:
    reached: Band | None = None
    for band in bands:
        if reached is not None and reached[1] is not None and band[0] is not None:
            first, last = floor(reached[1]) + 1, ceil(band[0]) - 1
            if first <= last and not (_is_point(reached) and _is_point(band)):
                yield say.gap(band[2], name, _range(first, last), reached[2])
        if reached is None or (reached[1] is not None and (band[1] is None or band[1] > reached[1])):
            reached = band


def _is_point(band: Band) -> bool:
    """Between two single numbers nothing is meant to fit."""
    return band[0] == band[1]


def _overlaps(name: str, bands: list[Band]) -> Iterator[Diagnostic]:
    """A warning for every two bands that share numbers, up to the number that anybody reads."""
    return islice(_shared(name, bands), MOST_OVERLAPS)


def _shared(name: str, bands: list[Band]) -> Iterator[Diagnostic]:
    for index, band in enumerate(bands):
        for other in bands[index + 1 :]:
            if band[1] is not None and other[0] is not None and other[0] > band[1]:
                break
            if band[:2] == other[:2]:
                continue
            high = band[1] if other[1] is None else other[1] if band[1] is None else min(band[1], other[1])
            later, earlier = sorted((band, other), key=lambda each: -each[2].start)
            yield say.overlap(later[2], name, _range(other[0], high), earlier[2])


def _faces(at: Span, table: plan.Table, die: plan.DieKind, bands: list[Band]) -> Iterator[Diagnostic]:
    faces = faces_of(die)
    if faces is None or len(faces) > MAX_FACES:
        return
    numbers = sorted({number for face in faces if (number := number_on(face)) is not None})
    without = _outside(numbers, bands)
    if without:
        yield say.face_without_row(
            at, table.name, ", ".join(map(str, without[:6])) + (" …" if len(without) > 6 else "")
        )
    for band in bands:
        first = 0 if band[0] is None else bisect_left(numbers, band[0])
        if first == len(numbers) or (band[1] is not None and numbers[first] > band[1]):
            yield say.row_without_face(band[2], table.name)


def _outside(numbers: list[Number], bands: list[Band]) -> list[Number]:
    """The numbers in no band; both are in ascending order."""
    found: list[Number] = []
    waiting, reached, open_end = 0, None, False
    for number in numbers:
        while waiting < len(bands) and ((low := bands[waiting][0]) is None or low <= number):
            high = bands[waiting][1]
            open_end = open_end or high is None
            if high is not None and (reached is None or high > reached):
                reached = high
            waiting += 1
        if not open_end and (reached is None or reached < number):
            found.append(number)
    return found


def _range(low: Number | None, high: Number | None) -> str:
    if low is not None and low == high:
        return str(low)
    return f"{'' if low is None else low}..{'' if high is None else high}"
