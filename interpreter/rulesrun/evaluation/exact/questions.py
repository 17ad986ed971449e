"""Questions that walk the faces, put to `rulesrun.dice`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from types import MappingProxyType
from typing import Any

from rulesrun import dice
from rulesrun.evaluation.exact.resolve import identity
from rulesrun.evaluation.exact.sources import Source, Thrown
from rulesrun.evaluation.exact.symbols import Asked, Keep, Number, Only, Slot, UnknownPool, Without
from rulesrun.evaluation.pools import Die


class NotWalkable(Exception):
    """The dice can be listed, but these questions cannot be walked."""


class Table:
    """The dice that some questions read, as groups of `rulesrun.dice`: a tag for each slot, a face for each of its
    faces.

    `share` is the weight of throws without struck faces. Raises `NotWalkable` for sources whose number of dice is
    left to chance, for
    symbols, and where two questions see the same dice with different faces.
    """

    def __init__(self, sources: Mapping[str, Source], struck: Mapping[Slot, int], asked: Iterable[Asked]) -> None:
        self.sources = sources
        self.tags: dict[Slot, int] = {}
        self.faces: dict[Slot, tuple[object, ...]] = {}
        self.fixed: dict[tuple[Die, ...], int] = {}
        self.share = Fraction(1)
        for each in asked:
            for pool in (each.pool, each.other):
                if pool is not None:
                    self._see(pool)
        groups = []
        for name, source in sources.items():
            if not isinstance(source, Thrown):
                raise NotWalkable
            for slot, look in enumerate(source.looks):
                self.tags[name, slot] = len(self.tags)
                self.faces.setdefault((name, slot), look.faces)
            for part in source.parts:
                if part.die.more is not None:
                    raise NotWalkable
                slot = part.die.stop[0][0]
                if any(at != slot for at, _, _ in part.die.stop):
                    raise NotWalkable
                bits = struck.get((name, slot), 0)
                kept = [
                    (self.faces[name, slot][face], weight) for _, face, weight in part.die.stop if not bits >> face & 1
                ]
                if any(not isinstance(face, int | Fraction) for face, _ in kept):
                    raise NotWalkable
                if part.count and not kept:
                    self.share = Fraction(0)
                    continue
                self.share *= Fraction(sum(weight for _, weight in kept), part.die.total) ** part.count
                sides = source.looks[slot].sides or 0
                faces: Any = tuple(kept)
                groups.append(dice.Group(part.count, faces, self.tags[name, slot], sides))
        for dice_, tag in self.fixed.items():
            for face, count in Counter(die.face for die in dice_).items():
                groups.append(dice.Group(count, ((face, 1),), tag))  # type: ignore[arg-type]
        self.groups = tuple(groups)

    def _see(self, pool: UnknownPool) -> None:
        if pool.fixed:
            self.fixed.setdefault(pool.fixed, -1 - len(self.fixed))
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
        tags = {self.tags[slot] for slot, _ in pool.pieces} | ({self.fixed[pool.fixed]} if pool.fixed else set())
        return dice.Pool(frozenset(tags), tuple(self._step(step) for step in pool.steps))

    def _step(self, step: Keep | Only | Without) -> dice.Step:
        match step:
            case Keep(kind, number):
                return dice.Selection(kind, number)
            case Only(faces):
                return dice.Showing(faces)  # type: ignore[arg-type]
            case Without(other):
                return dice.Cancelled(self.pool(other))

    def count(
        self,
        scores: Iterable[tuple[Slot, Sequence[Number]]],
        pool: dice.Pool | None = None,
        fixed_scores: Mapping[object, int] = MappingProxyType({}),
        fixed: tuple[Die, ...] = (),
    ) -> dice.Count:
        """The sum of whole scores, by default over all dice of the slots that have some."""
        by_face: dict[tuple[int, dice.Face], int] = {}
        tags = set()
        for slot, numbers in scores:
            tags.add(self.tags[slot])
            for face, number in zip(self.faces[slot], numbers, strict=True):
                if by_face.setdefault((self.tags[slot], face), int(number)) != number:  # type: ignore[arg-type]
                    raise NotWalkable
        for face, number in fixed_scores.items():
            by_face[self.fixed[fixed], face] = number  # type: ignore[index]
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
                return self.count(
                    scores, pool, {die.face: by_die[identity(die)] for die in asked.pool.fixed}, asked.pool.fixed
                )
            case "sets":
                assert asked.detail is not None
                return dice.SetsOf(asked.detail, pool)  # type: ignore[arg-type]
            case "outranks" | "wins":
                assert asked.other is not None
                other = self.pool(asked.other)
                return dice.Outranks(pool, other) if asked.what == "outranks" else dice.Wins(pool, other)
            case word:
                return _OF_ONE_POOL[word](pool)


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
