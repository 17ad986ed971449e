"""Dice that explode adding to themselves, told apart without an end: answered below one bound after another.

Beyond some number such a die shows what is `step` higher with `ratio` times the chance. A question that only asks which
faces are equal and which are higher is answered alike when all of them are moved up together. So the weight of an
answer, with all dice below a bound that goes up by whole periods, is a constant and a geometric sequence for every
product of the dice's ratios. The constant is the chance; a few bounds are enough to tell it from the rest.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from math import lcm
from typing import Any, TypeAlias

from flint import fmpq

from rulesrun.dice.adding import Onward
from rulesrun.dice.series import TooLarge
from rulesrun.evaluation.exact.questions import NotWalkable
from rulesrun.evaluation.exact.sources import Source, Thrown
from rulesrun.evaluation.exact.symbols import Asked, Keep, Only, Slot, UnknownPool, Without
from rulesrun.evaluation.exact.totals import die_up_to

Images: TypeAlias = tuple[Any, ...]
Weights: TypeAlias = Mapping[tuple[Any, ...], Fraction]

OF_FACES = frozenset({"highest", "lowest", "middle", "face_of_largest_set"})
"""Questions whose answer is a face."""
TOLD_APART = frozenset(
    {"largest_set", "face_of_largest_set", "distinct", "longest_run", "all_equal", "sets", "outranks", "wins"}
)
"""Questions that tell faces apart however high they are."""
LONGEST = 1_000
"""A period has so many numbers at the most."""
MOST_BOUNDS = 80
"""So many bounds at the most."""


def rising(images: Sequence[Any]) -> bool:
    """Whether the number of the highest face, which stands for all from there on, is another for each of them."""
    return len(images) > 1 and isinstance(images[-1], int | Fraction) and images[-1] != images[-2]


def goes_on(source: Source, slot: int, images: Sequence[Any]) -> bool:
    """Whether capped dice of a throw can be told apart further up than they are listed."""
    if not isinstance(source, Thrown):
        return False
    if not rising(images):
        return True
    dice = [part.die for part in source.parts if part.count and any(at == slot for at, _, _ in part.die.stop)]
    return images[-1] > images[-2] and all(die.onward is not None for die in dice)


def unsettled(asked: Asked, sources: Mapping[str, Source]) -> bool:
    """Whether faces that a cap stands for have to be told apart to answer this."""
    tails = [
        (sources[name].looks[place], images)
        for pool in _pools(asked)
        for (name, place), images in pool.pieces
        if sources[name].looks[place].cap is not None
    ]
    if not any(rising(images) for _, images in tails):
        return False
    if asked.what in TOLD_APART or any(isinstance(step, Without) for pool in _pools(asked) for step in pool.steps):
        return True
    if asked.what != "score" or not any(isinstance(step, Keep) for step in asked.pool.steps):
        return False
    by_die: dict[Any, int] = dict(asked.detail or ())  # type: ignore[arg-type]
    return len({by_die[images[-1], look.sides, look.target, look.kind] for look, images in tails}) > 1


def _pools(asked: Asked) -> Iterator[UnknownPool]:
    """The pools of a question, with those that cancel them."""
    waiting = [pool for pool in (asked.pool, asked.other) if pool is not None]
    while waiting:
        pool = waiting.pop()
        yield pool
        waiting += [step.other for step in pool.steps if isinstance(step, Without)]


@dataclass(frozen=True, slots=True)
class _Tail:
    """Capped dice: from the face `first` on, in its place among those listed, nothing tells faces apart but the faces
    that the others show. What `first` shows is `image`, and rises by `slope` with each face; `top` is what the cap
    shows.
    """

    place: int
    first: int
    image: int
    slope: int
    top: int
    count: int
    onward: Onward

    def below(self, bound: int) -> range:
        """The faces from the first on that show less than a bound."""
        return range(self.first, self.first + max(0, -((self.image - bound) // self.slope)))

    def shows(self, face: int) -> int:
        return self.image + self.slope * (face - self.first)


@dataclass(frozen=True)
class Bounds:
    """Questions to dice some of which go on, `at` one bound after another. Raises `NotWalkable`, `TooLarge`."""

    sources: Mapping[str, Source]
    struck: Mapping[Slot, int]
    questions: tuple[Any, ...]

    @cached_property
    def tails(self) -> Mapping[Slot, _Tail]:
        """The dice that go on."""
        images = {
            (slot, images)
            for pool in self._all_pools()
            for slot, images in pool.pieces
            if self.sources[slot[0]].looks[slot[1]].cap is not None and rising(images)
        }
        found = {slot: self._tail(slot, shown) for slot, shown in images}
        if len(found) < len(images):
            raise NotWalkable
        return found

    def _all_pools(self) -> Iterable[UnknownPool]:
        return (pool for each in self.questions if isinstance(each, Asked) for pool in _pools(each))

    def _tail(self, slot: Slot, images: Images) -> _Tail:
        source = self.sources[slot[0]]
        assert isinstance(source, Thrown)
        faces: tuple[Any, ...] = source.looks[slot[1]].faces
        slope, rest = divmod(images[-1] - images[-2], faces[-1] - faces[-2])
        parts = [part for part in source.parts if part.count and part.die.stop[0][0] == slot[1]]
        ways = {part.die.onward for part in parts}
        if rest or slope < 1 or None in ways or len({(way.step, way.ratio) for way in ways}) != 1:  # type: ignore[union-attr]
            raise NotWalkable
        onward = max((way for way in ways if way is not None), key=lambda way: way.start)
        place = max(
            self._alike(slot),
            _constant(
                [0]
                + [slope * (b - a) - (y - x) for (a, b), (x, y) in zip(pairwise(faces), pairwise(images), strict=True)]
            ),
        )
        return _Tail(place, faces[place], images[place], slope, images[-1], sum(part.count for part in parts), onward)

    def _alike(self, slot: Slot) -> int:
        """From which place on no question tells the listed faces of a slot apart by what they are."""
        count, look = len(self.sources[slot[0]].looks[slot[1]].faces), self.sources[slot[0]].looks[slot[1]]
        bits = self.struck.get(slot, 0)
        found = [_constant(_as_list(bits, count))]
        for each in self.questions:
            if not isinstance(each, Asked):
                found += [_constant(_as_list(told, count)) for at, told in each if at == slot]
                continue
            for pool in _pools(each):
                for at, images in pool.pieces:
                    if at != slot:
                        continue
                    if each.what in OF_FACES:
                        found.append(count - 1)
                    if not rising(images):
                        found.append(_constant(images))
                    found += [
                        _constant([face in step.faces for face in images])
                        for step in pool.steps
                        if isinstance(step, Only)
                    ]
            if each.what == "score":
                by_die: dict[Any, int] = dict(each.detail or ())  # type: ignore[arg-type]
                for at, images in each.pool.pieces:
                    if at == slot:
                        found.append(_constant([by_die[face, look.sides, look.target, look.kind] for face in images]))
        return max(found)

    @cached_property
    def period(self) -> int:
        """By so much all faces can be moved up together."""
        period = lcm(*(tail.slope * tail.onward.step for tail in self.tails.values()))
        if period > LONGEST:
            raise TooLarge(f"exploding dice that are alike only every {period:,} numbers")
        return period

    @cached_property
    def start(self) -> int:
        """Above all numbers that are told one by one, and where each further one is like one a period below."""
        numbers: list[Any] = [tail.shows(max(tail.first, tail.onward.start)) for tail in self.tails.values()]
        for pool in self._all_pools():
            numbers += [die.face for die in pool.fixed]
            for slot, images in pool.pieces:
                if slot not in self.tails:
                    numbers += [face for face in images if face is not None]
        runs = any(isinstance(each, Asked) and each.what == "longest_run" for each in self.questions)
        return int(max(numbers)) + 1 + (self.period * sum(tail.count for tail in self.tails.values()) if runs else 0)

    @cached_property
    def ratios(self) -> list[Fraction]:
        """The ratios, other than 1, of the sequences that the weight of an answer adds up."""
        counts: dict[Fraction, int] = {}
        for tail in self.tails.values():
            ratio = tail.onward.ratio ** (self.period // (tail.slope * tail.onward.step))
            counts[ratio] = counts.get(ratio, 0) + tail.count
        found = {Fraction(1)}
        for ratio, count in counts.items():
            found = {each * ratio**number for each in found for number in range(count + 1)}
            if len(found) > MOST_BOUNDS:
                raise TooLarge("so many exploding dice told apart without an end")
        return sorted(found - {1}, reverse=True)

    def at(self, place: int) -> tuple[Mapping[str, Source], Mapping[Slot, int], tuple[Any, ...]]:
        """The throws with all dice below a bound, what is struck out of them, and the questions."""
        bound = self.start + place * self.period
        more = {slot: tail.below(bound) for slot, tail in self.tails.items()}
        sources = {name: self._listed(source, more) for name, source in self.sources.items()}
        struck = {slot: self._further(self.struck.get(slot, 0), slot, more) for slot in {*self.struck, *more}}
        for slot in more:
            struck[slot] |= 1 << (len(sources[slot[0]].looks[slot[1]].faces) - 1)
        return sources, struck, tuple([self._question(each, more) for each in self.questions])

    def _listed(self, source: Source, more: Mapping[Slot, range]) -> Source:
        """The throw with so many faces told one by one, and one last face for all beyond."""
        mine = {slot: faces for (name, slot), faces in more.items() if name == source.name}
        if not mine or not isinstance(source, Thrown):
            return source
        looks = list(source.looks)
        for slot, faces in mine.items():
            listed = (*looks[slot].faces[: self.tails[source.name, slot].place], *faces, faces.stop)
            looks[slot] = replace(looks[slot], faces=listed, cap=None)
        parts = []
        for part in source.parts:
            slot = part.die.stop[0][0]
            here = part.count and slot in mine
            parts.append(replace(part, die=die_up_to(slot, looks[slot].faces, part.die)) if here else part)  # type: ignore[arg-type]
        return Thrown(source.name, tuple(looks), tuple(parts))

    def _question(self, question: Any, more: Mapping[Slot, range]) -> Any:
        if not isinstance(question, Asked):
            return tuple([(slot, self._further(each, slot, more)) for slot, each in question])
        detail: Any = self._scores(question, more) if question.what == "score" else question.detail
        other = None if question.other is None else self._pool(question.other, more)
        return Asked(question.what, self._pool(question.pool, more), detail, other)

    def _further(self, told: Any, slot: Slot, more: Mapping[Slot, range]) -> Any:
        """Marks, or scores, with those of the further faces, which are that of the cap."""
        if slot not in more:
            return told
        place, number = self.tails[slot].place, len(more[slot]) + 1
        if not isinstance(told, int):
            return (*told[:place], *told[-1:] * number)
        last = told >> (len(self.sources[slot[0]].looks[slot[1]].faces) - 1) & 1
        return told & (1 << place) - 1 | (((1 << number) - 1) << place if last else 0)

    def _scores(self, asked: Asked, more: Mapping[Slot, range]) -> frozenset[Any]:
        """The scores with those of the further faces, which are that of the cap."""
        scores: dict[Any, int] = dict(asked.detail or ())  # type: ignore[arg-type]
        for slot, images in asked.pool.pieces:
            if slot in more:
                look = self.sources[slot[0]].looks[slot[1]]
                kind = look.sides, look.target, look.kind
                for face in self._images(slot, images, more):
                    scores.setdefault((face, *kind), scores[(images[-1], *kind)])
        return frozenset(scores.items())

    def _pool(self, pool: UnknownPool, more: Mapping[Slot, range]) -> UnknownPool:
        pieces = tuple((slot, self._images(slot, images, more)) for slot, images in pool.pieces)
        steps: list[Any] = []
        for step in pool.steps:
            match step:
                case Only(faces):
                    for (slot, images), (_, longer) in zip(pool.pieces, pieces, strict=True):
                        if slot in more and images[-1] in faces:
                            faces = faces.union(longer[self.tails[slot].place :])
                    steps.append(Only(faces))
                case Without(other):
                    steps.append(Without(self._pool(other, more)))
                case _:
                    steps.append(step)
        return UnknownPool(pieces, tuple(steps), pool.fixed)

    def _images(self, slot: Slot, images: Images, more: Mapping[Slot, range]) -> Images:
        if slot not in more or not rising(images):
            return tuple(self._further(images, slot, more))
        tail, faces = self.tails[slot], more[slot]
        return (*images[: tail.place], *map(tail.shows, (*faces, faces.stop)))

    def answered(self, answers: tuple[Any, ...]) -> tuple[Any, ...]:
        """The answers with one face for all from a cap on."""
        return tuple(
            [answer if top is None else min(answer, top) for answer, top in zip(answers, self._tops, strict=True)]
        )

    @cached_property
    def _tops(self) -> list[int | None]:
        """For each question whose answer is a face the lowest that stands for all above it."""
        tops: list[int | None] = []
        for each in self.questions:
            slots = [slot for slot, _ in each.pool.pieces] if isinstance(each, Asked) and each.what in OF_FACES else []
            tops.append(min((self.tails[slot].top for slot in slots if slot in self.tails), default=None))
        return tops


def _constant(told: Sequence[Any]) -> int:
    """From which place on all that is told of faces is as for the last."""
    place = len(told) - 1
    while place and told[place - 1] == told[-1]:
        place -= 1
    return place


def _as_list(told: Any, count: int) -> Sequence[Any]:
    """Marks as a list."""
    return [told >> place & 1 for place in range(count)] if isinstance(told, int) else tuple(told)


def limit(weights: Sequence[Weights], ratios: Sequence[Fraction]) -> dict[tuple[Any, ...], Fraction]:
    """What each key's weight comes to in the end, where it is a constant and geometric sequences of these ratios.

    There have to be two more weights than ratios: the last shows whether they are that, and if not `TooLarge` is
    raised.
    """
    found: dict[tuple[Any, ...], Fraction] = {}
    for key in {key for each in weights for key in each}:
        row = [fmpq(*each[key].as_integer_ratio()) if key in each else fmpq(0) for each in weights]
        for ratio in ratios:
            by = fmpq(ratio.numerator, ratio.denominator)
            row = [(after - by * before) / (1 - by) for before, after in pairwise(row)]
        if row[0] != row[1]:
            raise TooLarge("exploding dice that are told apart in no regular way")
        if row[0]:
            found[key] = Fraction(int(row[0].p), int(row[0].q))
    return found
