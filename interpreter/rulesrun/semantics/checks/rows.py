"""Tables: numbers without a row, numbers with two, faces of the table's die without a row, rows that no face points
to.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil, floor

from rulesrun.diagnostics import Diagnostic, Span
from rulesrun.semantics import plan
from rulesrun.semantics.facts import MAX_FACES, faces_of
from rulesrun.semantics.items import key_span
from rulesrun.semantics.messages import items as say
from rulesrun.semantics.plan import Number

from .checked import Checked

Band = tuple[Number | None, Number | None, Span]


def gaps_and_overlaps(checked: Checked) -> Iterator[Diagnostic]:
    """Everything doubtful about the bands of the tables."""
    for name, table in checked.world.tables.items():
        rows = zip(table.rows, checked.items.tables[name].rows, strict=True)
        bands: list[Band] = [(row.low, row.high, key_span(node)) for row, node in rows if row.key is None]
        bands.sort(key=lambda band: (band[0] is not None, band[0] or 0))
        if table.die is None:
            yield from _gaps(name, bands)
        else:
            yield from _faces(checked.items.tables[name].name.span, table, table.die, bands)
        yield from _overlaps(name, bands)


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
    numbers = sorted(face for face in faces if not isinstance(face, tuple))
    without = [face for face in numbers if not any(_within(face, band) for band in bands)]
    if without:
        yield say.face_without_row(
            at, table.name, ", ".join(map(str, without[:6])) + (" …" if len(without) > 6 else "")
        )
    for band in bands:
        if not any(_within(face, band) for face in numbers):
            yield say.row_without_face(band[2], table.name)


def _within(face: Number, band: Band) -> bool:
    return (band[0] is None or band[0] <= face) and (band[1] is None or face <= band[1])


def _range(low: Number | None, high: Number | None) -> str:
    if low is not None and low == high:
        return str(low)
    return f"{'' if low is None else low}..{'' if high is None else high}"
