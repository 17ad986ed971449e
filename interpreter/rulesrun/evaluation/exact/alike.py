"""Faces that nothing tells apart are of one class; classes may be exchanged where only the sizes of sets are asked."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from rulesrun.evaluation.exact.facts import Facts
from rulesrun.evaluation.exact.sources import Again, Mixed, Thrown
from rulesrun.evaluation.exact.symbols import SCORED, Asked, Linear, Modulo, Slot, UnknownPool, Without

Die: TypeAlias = tuple[int, int]
"""A slot and a face, by number."""
_OF_SIZES = ("sets", "largest_set", "all_equal", "distinct")


class _Faces(Protocol):
    def __getitem__(self, face: int, /) -> Hashable: ...


def classes_of(
    source: Thrown | Mixed | Again, forms: Sequence[Linear], facts: Facts
) -> tuple[dict[Die, Die | None], dict[Die, Hashable]]:
    """For each face of each slot the one that stands for all that are read like it, None where nothing is read; and for
    each of those, what else is read than sets of equal faces, whichever they are (None: it may not be exchanged).
    """
    sets = _pools_of_sets(source.name, forms)
    scored = any(isinstance(each, Asked) and each.what in SCORED for form in forms for each, _ in form.leftovers)
    read: list[dict[Hashable, _Faces]] = [{} for _ in source.looks]
    for tag, (name, slot), faces in _readings(forms, facts):
        if name == source.name:
            read[slot][tag] = faces
    first: dict[Hashable, Die] = {}
    found: dict[Die, Die | None] = {}
    unlike: dict[Die, Hashable] = {}
    shown: list[Hashable] = []
    for slot, look in enumerate(source.looks):
        for face in range(len(look.faces)):
            reading = frozenset((tag, faces[face]) for tag, faces in read[slot].items() if faces[face] is not None)
            key = ((look.sides, look.target, look.kind) if scored else None, reading)
            found[slot, face] = stands = first.setdefault(key, (slot, face)) if reading else None
            if stands == (slot, face):
                unlike[stands] = (key[0], frozenset((tag, None if tag in sets else to) for tag, to in reading))
                shown += [each for each in reading if each[0] in sets]
    if len(set(shown)) < len(shown):
        unlike = dict.fromkeys(unlike)
    return found, unlike


def _pools_of_sets(name: str, forms: Iterable[Linear]) -> set[Hashable]:
    """The pools of one throw that are asked for nothing but how many equal faces there are."""
    found: set[Hashable] = set()
    others: set[Hashable] = set()
    for form in forms:
        for each, _ in form.leftovers:
            if isinstance(each, Asked):
                pools = {tag for pool in (each.pool, each.other) for tag, _, _ in _pool_readings(pool)}
                alone = not each.pool.steps and not each.pool.fixed and all(at[0] == name for at, _ in each.pool.pieces)
                if alone and each.what in _OF_SIZES:
                    found |= pools
                else:
                    others |= pools
    return found - others


def _readings(forms: Iterable[Linear], facts: Facts) -> Iterator[tuple[Hashable, Slot, _Faces]]:
    """What is read of each face of a slot, None for nothing, with a name for each reading."""
    for form in forms:
        for terms in (form.terms, *(each.terms for each, _ in form.leftovers if isinstance(each, Modulo))):
            for slot, scores in terms:
                yield terms, slot, [score or None for score in scores]
        for each, _ in form.leftovers:
            if isinstance(each, Asked):
                for pool in (each.pool, each.other):
                    yield from _pool_readings(pool)
    for marks in facts.shown:
        for slot, bits in marks:
            yield marks, slot, _Marked(bits)
    for slot, bits in facts.struck.items():
        yield "struck", slot, _Marked(bits)


def _pool_readings(pool: UnknownPool | None) -> Iterator[tuple[Hashable, Slot, _Faces]]:
    if pool is None:
        return
    for slot, images in pool.pieces:
        yield pool, slot, images
    for step in pool.steps:
        if isinstance(step, Without):
            yield from _pool_readings(step.other)


@dataclass(frozen=True, slots=True)
class _Marked:
    """Marks of faces, face by face."""

    bits: int

    def __getitem__(self, face: int) -> bool | None:
        return True if self.bits >> face & 1 else None
