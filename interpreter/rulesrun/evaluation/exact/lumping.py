"""Faces that nothing tells apart are one face with their weights together, before dice are listed."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import Any

from rulesrun.evaluation.exact.drawn import Drawn
from rulesrun.evaluation.exact.facts import Facts
from rulesrun.evaluation.exact.sources import More, OneDie, Part, Source, Thrown, Weighted
from rulesrun.evaluation.exact.symbols import (
    AnyShows,
    Asked,
    Extreme,
    Floor,
    Inside,
    Linear,
    Modulo,
    Slot,
    UnknownPool,
    Without,
)


def lumped(source: Source, values: Iterable[Any], facts: Facts) -> Source:
    """The source with like faces merged, as far as these values and facts tell."""
    if not isinstance(source, Thrown | Drawn):
        return source
    told: dict[int, list[Sequence[Hashable]]] = {slot: [] for slot in range(len(source.looks))}
    reading = [*values, *map(AnyShows, facts.shown), *facts.inside]
    for (name, slot), vector in (pair for value in reading for pair in _vectors(value, source)):
        if name == source.name:
            told[slot].append(vector)
    for (name, slot), bits in facts.struck.items():
        if name == source.name:
            told[slot].append(_bits(bits, len(source.looks[slot].faces)))
    first: dict[tuple[int, Hashable], int] = {}
    like: dict[tuple[int, int], int] = {}
    for slot, look in enumerate(source.looks):
        for face in range(len(look.faces)):
            like[slot, face] = first.setdefault((slot, tuple(vector[face] for vector in told[slot])), face)
    if isinstance(source, Drawn):
        return Drawn(source.name, source.looks, _faces(source.faces, like), source.number, source.alike)
    parts = tuple(Part(part.count, merged(part.die, like)) for part in source.parts)
    return source if parts == source.parts else Thrown(source.name, source.looks, parts)


def merged(die: OneDie, like: dict[tuple[int, int], int]) -> OneDie:
    more = die.more
    if more is not None:
        more = More(more.total, _faces(more.stop, like), _faces(more.go, like), more.limit)
    return OneDie(die.total, _faces(die.stop, like), _faces(die.go, like), more)


def _faces(faces: Weighted, like: dict[tuple[int, int], int]) -> Weighted:
    found: dict[tuple[int, int], int] = {}
    for slot, face, weight in faces:
        key = (slot, like[slot, face])
        found[key] = found.get(key, 0) + weight
    return tuple((slot, face, weight) for (slot, face), weight in found.items())


def _vectors(value: Any, source: Source) -> Iterator[tuple[Slot, Sequence[Hashable]]]:
    """What a value reads of each face of the slots that it reads."""
    match value:
        case Linear():
            yield from value.terms
            for each, _ in value.leftovers:
                yield from _vectors(each, source)
        case Modulo():
            yield from value.terms
        case Floor():
            yield from _vectors(value.inner, source)
        case Extreme():
            yield from _vectors(value.items, source)
        case Asked():
            yield from _vectors(value.pool, source)
            yield from _vectors(value.other, source)
        case UnknownPool():
            yield from value.pieces
            for step in value.steps:
                if isinstance(step, Without):
                    yield from _vectors(step.other, source)
        case AnyShows():
            for slot, bits in value.marks:
                if slot[0] == source.name:
                    yield slot, _bits(bits, len(source.looks[slot[1]].faces))
        case Inside():
            yield from _vectors(value.form, source)
        case tuple():
            for each in value:
                yield from _vectors(each, source)
        case _:
            return


def _bits(bits: int, count: int) -> list[int]:
    return [bits >> place & 1 for place in range(count)]
