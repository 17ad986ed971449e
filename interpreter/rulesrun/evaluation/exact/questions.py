"""Questions that walk the faces, put to `rulesrun.dice`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from math import comb
from types import MappingProxyType
from typing import Any, cast

from rulesrun import dice
from rulesrun.evaluation.exact.drawn import Drawn
from rulesrun.evaluation.exact.resolve import identity
from rulesrun.evaluation.exact.sources import Source, Thrown, Weighted
from rulesrun.evaluation.exact.symbols import Asked, InSets, Keep, Number, Only, PoolStep, Slot, UnknownPool, Without
from rulesrun.evaluation.pools import Die, ascending


class NotWalkable(Exception):
    """The dice can be listed, but these questions cannot be walked."""


class Table:
    """The dice that some questions read, as groups of `rulesrun.dice`: a tag for each slot, a face for each of its
    faces.

    `share` is the weight of throws without struck faces. Raises `NotWalkable` for sources whose number of dice is
    left to chance, for symbols, and where two questions see the same dice with different faces.
    """

    def __init__(self, sources: Mapping[str, Source], struck: Mapping[Slot, int], asked: Iterable[Asked]) -> None:
        self.sources = sources
        self.tags: dict[Slot, int] = {}
        self.faces: dict[Slot, tuple[object, ...]] = {}
        self.fixed: dict[tuple[Die, ...], dict[Die, int]] = {}
        self.share = Fraction(1)
        for each in asked:
            for pool in (each.pool, each.other):
                if pool is not None:
                    self._see(pool)
        groups = list[tuple[Die, dice.Group]]()
        for name, source in sources.items():
            if not isinstance(source, Thrown | Drawn):
                raise NotWalkable
            for slot, look in enumerate(source.looks):
                self.tags[name, slot] = len(self.tags)
                self.faces.setdefault((name, slot), look.faces)
            drawn = isinstance(source, Drawn)
            for count, shown, ways in _alike(source):
                slot = shown[0][0]
                if any(at != slot for at, _, _ in shown):
                    raise NotWalkable
                bits = struck.get((name, slot), 0)
                kept = [(self.faces[name, slot][face], weight) for _, face, weight in shown if not bits >> face & 1]
                if any(not isinstance(face, int | Fraction) for face, _ in kept):
                    raise NotWalkable
                left = sum(weight for _, weight in kept)
                if (count and not left) or (drawn and count > left):
                    self.share = Fraction(0)
                    continue
                look = source.looks[slot]
                faces: Any = tuple(kept)
                group = dice.Group(count, faces, self.tags[name, slot], drawn=drawn)
                self.share *= Fraction(group.ways, ways)
                groups.append((Die(0, look.sides, look.target, look.kind), group))
        for dice_, tags in self.fixed.items():
            for die, count in Counter(map(_plain, dice_)).items():
                faces = ((die.face, 1),)
                groups.append((die._replace(face=0), dice.Group(count, faces, tags[die])))
        places = {die: place for place, die in enumerate(ascending({die for die, _ in groups})[::-1])}
        self.groups = tuple(replace(group, place=places[die]) for die, group in groups)

    def _see(self, pool: UnknownPool) -> None:
        if pool.fixed and pool.fixed not in self.fixed:
            last = sum(map(len, self.fixed.values()))
            dice_ = dict.fromkeys(map(_plain, pool.fixed))
            self.fixed[pool.fixed] = {die: -place for place, die in enumerate(dice_, last + 1)}
        for slot, images in pool.pieces:
            if any(image is None for image in images):
                raise NotWalkable
            if self.faces.setdefault(slot, images) != images:
                raise NotWalkable
        for step in pool.steps:
            if isinstance(step, Without):
                self._see(step.other)

    def pool(self, pool: UnknownPool) -> dice.Pool:
        """The pool of `rulesrun.dice` for one of ours."""
        tags = {self.tags[slot] for slot, _ in pool.pieces}.union(self.fixed.get(pool.fixed, {}).values())
        return dice.Pool(frozenset(tags), tuple(self._step(step) for step in pool.steps))

    def _step(self, step: PoolStep) -> dice.Step:
        match step:
            case Keep(kind, number):
                return dice.Selection(kind, number)
            case Only(faces):
                return dice.Showing(faces)  # type: ignore[arg-type]
            case InSets(sets):
                return dice.InSets(sets)  # type: ignore[arg-type]
            case Without(other):
                return dice.Cancelled(self.pool(other))

    def count(
        self,
        scores: Iterable[tuple[Slot, Sequence[Number]]],
        pool: dice.Pool | None = None,
        fixed: Mapping[tuple[int, dice.Face], int] = MappingProxyType({}),
    ) -> dice.Count:
        """The sum of whole scores, by default over all dice of the slots that have some."""
        by_face = dict(fixed)
        tags = set()
        for slot, numbers in scores:
            tags.add(self.tags[slot])
            for face, number in zip(self.faces[slot], numbers, strict=True):
                if by_face.setdefault((self.tags[slot], face), int(number)) != number:  # type: ignore[arg-type]
                    raise NotWalkable
        return dice.Count(by_face, pool if pool is not None else dice.Pool(frozenset(tags)))

    def question(self, asked: Asked) -> dice.Question:
        """The question of `rulesrun.dice` for one of ours."""
        pool = self.pool(asked.pool)
        match asked.what:
            case "score":
                assert isinstance(asked.detail, frozenset)
                by_die = dict(asked.detail)  # type: ignore[arg-type]
                scores = []
                for slot, images in asked.pool.pieces:
                    look = self.sources[slot[0]].looks[slot[1]]
                    scores.append((slot, tuple(by_die[image, look.sides, look.target, look.kind] for image in images)))
                tags = self.fixed.get(asked.pool.fixed, {})
                return self.count(scores, pool, {(tag, die.face): by_die[identity(die)] for die, tag in tags.items()})  # type: ignore[misc]
            case "matched":
                return self._matched(asked, pool)
            case "sets":
                assert asked.detail is not None
                return dice.SetsOf(asked.detail, pool)  # type: ignore[arg-type]
            case "outranks" | "wins":
                assert asked.other is not None
                other = self.pool(asked.other)
                return dice.Outranks(pool, other) if asked.what == "outranks" else dice.Wins(pool, other)
            case word:
                return _OF_ONE_POOL[word](pool)

    def _matched(self, asked: Asked, pool: dice.Pool) -> dice.Question:
        tags: list[tuple[tuple[object, ...], int]] = []
        for slot, images in asked.pool.pieces:
            look = self.sources[slot[0]].looks[slot[1]]
            tags += [((image, look.sides, look.target, look.kind), self.tags[slot]) for image in images]
        tags += [(identity(die), tag) for die, tag in self.fixed.get(asked.pool.fixed, {}).items()]
        by_die: dict[tuple[object, ...], list[tuple[int, int]]] = {}
        for (*die, number), score in cast("frozenset[Any]", asked.detail):
            by_die.setdefault(tuple(die), []).append((number, score))
        scores: dict[Any, int] = {}
        for die, tag in dict.fromkeys(tags):
            scores.update(((tag, die[0], number), score) for number, score in by_die[die])
        return dice.Matched(scores, pool)


def _alike(source: Thrown | Drawn) -> Iterator[tuple[int, Weighted, int]]:
    """The dice that are alike, by number, the faces of one, and the weight of all that they can show."""
    if isinstance(source, Drawn):
        yield source.number, source.faces, comb(source.size, source.number)
        return
    for part in source.parts:
        if part.die.more is not None:
            raise NotWalkable
        yield part.count, part.die.stop, part.die.total**part.count


def _plain(die: Die) -> Die:
    """The die without what it showed first, which no score tells."""
    return die._replace(first=None)


_OF_ONE_POOL = {
    "highest": dice.Highest,
    "lowest": dice.Lowest,
    "middle": dice.Middle,
    "size": dice.Size,
    "largest_set": dice.LargestSet,
    "face_of_largest_set": dice.FaceOfLargestSet,
    "distinct": dice.Distinct,
    "longest_run": dice.LongestRun,
    "all_equal": dice.AllEqual,
}
