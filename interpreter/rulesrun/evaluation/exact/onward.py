"""Dice that explode adding to themselves, told apart without an end: answered below one bound after another.

Beyond some number such a die shows what is `step` higher with `ratio` times the chance. A question that only asks which
faces are equal and which are higher is answered alike when all of them are moved up together. So the weight of an
answer, with all dice below a bound that goes up by whole periods, is a constant and a geometric sequence for every
product of the dice's ratios. The constant is the chance; a few bounds are enough to tell it from the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
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
from rulesrun.evaluation.exact.sources import Look, Source, Thrown
from rulesrun.evaluation.exact.symbols import SCORED, Asked, InSets, Keep, Only, Slot, UnknownPool, Without
from rulesrun.evaluation.exact.totals import die_up_to

Images: TypeAlias = tuple[Any, ...]
Weights: TypeAlias = Mapping[tuple[Any, ...], Fraction]

OF_FACES = frozenset({"highest", "lowest", "middle", "face_of_largest_set"})
"""Questions whose answer is a face."""
TOLD_APART = frozenset(
    {
        "largest_set", "face_of_largest_set", "distinct", "longest_run", "all_equal", "sets", "outranks", "wins",
        "matched",
    }
)  # fmt: skip
"""Questions that tell faces apart however high they are."""
LONGEST = 1_000
"""A period has so many numbers at the most."""
MOST_BOUNDS = 80
"""So many bounds at the most."""


def rising(told: Sequence[Any], look: Look) -> bool:
    """Whether what is told of faces that stand for others too is a number that is not the same for all of those."""
    return any(isinstance(told[at], int | Fraction) and told[at] != told[at - look.period] for at in look.tail)


def falling(told: Sequence[Any], look: Look) -> bool:
    """Whether such a number gets lower with the face."""
    return rising(told, look) and any(
        told[at] < told[at - look.period] for at in look.tail if isinstance(told[at], int | Fraction)
    )


def goes_on(source: Source, slot: int, images: Sequence[Any]) -> bool:
    """Whether capped dice of a throw can be told apart further up than they are listed."""
    if not isinstance(source, Thrown):
        return False
    look = source.looks[slot]
    if not rising(images, look):
        return True
    dice = [part.die for part in source.parts if part.count and any(at == slot for at, _, _ in part.die.stop)]
    return not falling(images, look) and all(die.onward is not None for die in dice)


def unsettled(asked: Asked, sources: Mapping[str, Source]) -> bool:
    """Whether faces that others stand for have to be told apart to answer this."""
    tails = [
        (sources[name].looks[place], images)
        for pool in _pools(asked)
        for (name, place), images in pool.pieces
        if sources[name].looks[place].cap is not None
    ]
    if not any(rising(images, look) for look, images in tails):
        return False
    if asked.what in TOLD_APART or any(
        isinstance(step, Without | InSets) for pool in _pools(asked) for step in pool.steps
    ):
        return True
    if asked.what != "score" or not any(isinstance(step, Keep) for step in asked.pool.steps):
        return False
    by_die: dict[Any, int] = dict(asked.detail or ())  # type: ignore[arg-type]
    told = [[_score(by_die, image, look) for image in images] for look, images in tails]
    if all(rising(scores, look) for scores, (look, _) in zip(told, tails, strict=True)):
        return len({tuple(scores[look.tail.start :]) for scores, (look, _) in zip(told, tails, strict=True)}) > 1
    return len({scores[at] for scores, (look, _) in zip(told, tails, strict=True) for at in look.tail}) > 1


def _score(by_die: Mapping[Any, int], image: Any, look: Look) -> int:
    return 0 if image is None else by_die[image, look.sides, look.target, look.kind]


def _pools(asked: Asked) -> Iterator[UnknownPool]:
    """The pools of a question, with those that cancel them."""
    waiting = [pool for pool in (asked.pool, asked.other) if pool is not None]
    while waiting:
        pool = waiting.pop()
        yield pool
        waiting += [step.other for step in pool.steps if isinstance(step, Without)]


@dataclass(frozen=True, slots=True)
class _Tail:
    """Capped dice: from the face `first` on, in its place among those listed, nothing tells faces that are multiples of
    a period apart from one another but the faces that the others show. The first of them show `shown`, a period of
    them, and each is higher by `rise` a period further on; `top` is what the cap shows.
    """

    place: int
    first: int
    shown: tuple[int, ...]
    rise: int
    top: int
    count: int
    onward: Onward

    @property
    def period(self) -> int:
        return len(self.shown)

    @property
    def moved(self) -> int:
        """By so much all that is shown can be moved up."""
        return self.rise * lcm(self.onward.step, self.period) // self.period

    def ratio(self, moved: int) -> Fraction:
        """How many times the chance a face has that shows so much more."""
        return self.onward.ratio ** (moved * self.period // (self.rise * self.onward.step))

    def below(self, bound: int) -> range:
        """The faces from the first on that show less than a bound."""
        number = sum(max(0, -((image - bound) // self.rise)) for image in self.shown)
        return range(self.first, self.first + number)

    def shows(self, face: int) -> int:
        periods, place = divmod(face - self.first, self.period)
        return self.shown[place] + self.rise * periods


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
            if rising(images, self._look(slot))
        }
        found = {slot: self._tail(slot, shown) for slot, shown in images}
        if len(found) < len(images):
            raise NotWalkable
        return found

    def _look(self, slot: Slot) -> Look:
        return self.sources[slot[0]].looks[slot[1]]

    def _all_pools(self) -> Iterable[UnknownPool]:
        return (pool for each in self.questions if isinstance(each, Asked) for pool in _pools(each))

    def _tail(self, slot: Slot, images: Images) -> _Tail:
        source, look = self.sources[slot[0]], self._look(slot)
        assert isinstance(source, Thrown)
        faces: tuple[Any, ...] = look.faces
        cap = look.tail.start
        if any(type(image) is not int for image in images):
            raise NotWalkable
        period = look.period
        rise = images[cap] - images[cap - period]
        parts = [part for part in source.parts if part.count and part.die.stop[0][0] == slot[1]]
        ways = {part.die.onward for part in parts}
        if rise < 1 or None in ways or len({(way.step, way.ratio) for way in ways}) != 1:  # type: ignore[union-attr]
            raise NotWalkable
        onward = max((way for way in ways if way is not None), key=lambda way: way.start)
        line = [rise * face - period * image for face, image in zip(faces, images, strict=True)]
        place = max(self._alike(slot), _periodic(line, period))
        shown = images[place : place + period]
        if any(after < before for before, after in pairwise((*shown, shown[0] + rise))):
            raise NotWalkable
        count = sum(part.count for part in parts)
        return _Tail(place, faces[place], shown, rise, images[cap], count, onward)

    def _alike(self, slot: Slot) -> int:
        """From which place on no question tells the listed faces of a slot apart by what they are."""
        look = self._look(slot)
        told: list[Sequence[Any]] = [_as_list(self.struck.get(slot, 0), look)]
        place = 0
        for each in self.questions:
            if not isinstance(each, Asked):
                told += [_as_list(scores, look) for at, scores in each if at == slot]
                continue
            for pool in _pools(each):
                for images in (images for at, images in pool.pieces if at == slot):
                    place = max(place, look.tail.start if each.what in OF_FACES else 0)
                    told += [_shown(step, images) for step in pool.steps if isinstance(step, Only | InSets)]
            if each.what in SCORED:
                told += [_told(each, images, look) for at, images in each.pool.pieces if at == slot]
        return max(place, *(_periodic(each, look.period) for each in told))

    @cached_property
    def period(self) -> int:
        """By so much all faces can be moved up together."""
        period = lcm(*(tail.moved for tail in self.tails.values()))
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
            ratio = tail.ratio(self.period)
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
            looks[slot] = replace(looks[slot], faces=listed, cap=faces.stop, period=1)
        parts = []
        for part in source.parts:
            slot = part.die.stop[0][0]
            here = part.count and slot in mine
            parts.append(replace(part, die=die_up_to(slot, looks[slot], part.die)) if here else part)
        for slot in mine:
            looks[slot] = replace(looks[slot], cap=None)
        return Thrown(source.name, tuple(looks), tuple(parts))

    def _question(self, question: Any, more: Mapping[Slot, range]) -> Any:
        if not isinstance(question, Asked):
            return tuple([(slot, self._further(each, slot, more)) for slot, each in question])
        detail: Any = self._scores(question, more) if question.what in SCORED else question.detail
        other = None if question.other is None else self._pool(question.other, more)
        return Asked(question.what, self._pool(question.pool, more), detail, other)

    def _further(self, told: Any, slot: Slot, more: Mapping[Slot, range]) -> Any:
        """Marks, or what is told of each face, with what is told of the further faces, period for period."""
        if slot not in more:
            return told
        tail, number = self.tails[slot], len(more[slot]) + 1
        each = _as_list(told, self._look(slot))
        again = each[tail.place : tail.place + tail.period]
        longer = (*each[: tail.place], *(again[at % tail.period] for at in range(number)))
        return longer if not isinstance(told, int) else sum(1 << at for at, marked in enumerate(longer) if marked)

    def _scores(self, asked: Asked, more: Mapping[Slot, range]) -> frozenset[Any]:
        """The scores with those of the further faces."""
        found: dict[Any, int] = dict(asked.detail or ())  # type: ignore[arg-type]
        for slot, images in asked.pool.pieces:
            if slot in more:
                told = self._further(_told(asked, images, self._look(slot)), slot, more)
                for image, scores in zip(self._images(slot, images, more), told, strict=True):
                    found.update(((image, *rest), score) for rest, score in scores)
        return frozenset(found.items())

    def _pool(self, pool: UnknownPool, more: Mapping[Slot, range]) -> UnknownPool:
        pieces = tuple((slot, self._images(slot, images, more)) for slot, images in pool.pieces)
        steps: list[Any] = []
        for step in pool.steps:
            match step:
                case Only(faces):
                    for (slot, images), (_, longer) in zip(pool.pieces, pieces, strict=True):
                        told = self._further(_shown(step, images), slot, more)
                        faces = faces.union(image for image, shows in zip(longer, told, strict=True) if shows)
                    steps.append(Only(faces))
                case InSets(sets):
                    for (slot, images), (_, longer) in zip(pool.pieces, pieces, strict=True):
                        told = self._further(_shown(step, images), slot, more)
                        sets = sets.union((image, n) for image, shows in zip(longer, told, strict=True) for n in shows)
                    steps.append(InSets(sets))
                case Without(other):
                    steps.append(Without(self._pool(other, more)))
                case _:
                    steps.append(step)
        return UnknownPool(pieces, tuple(steps), pool.fixed)

    def _images(self, slot: Slot, images: Images, more: Mapping[Slot, range]) -> Images:
        if slot not in more or not rising(images, self._look(slot)):
            return tuple(self._further(images, slot, more))
        tail, faces = self.tails[slot], more[slot]
        return (*images[: tail.place], *map(tail.shows, (*faces, faces.stop)))

    def answered(self, answers: tuple[Any, ...]) -> tuple[Any, ...]:
        """The answers with the faces from a cap on for all further ones."""
        return tuple([answer if top is None else top(answer) for answer, top in zip(answers, self._tops, strict=True)])

    @cached_property
    def _tops(self) -> list[Callable[[Any], Any] | None]:
        """For each question whose answer is a face what stands for one."""
        return [_top(self._tails_of(each)) if _is_face(each) else None for each in self.questions]

    def _tails_of(self, asked: Asked) -> list[_Tail]:
        return [self.tails[slot] for slot, _ in asked.pool.pieces if slot in self.tails]


def _is_face(question: Any) -> bool:
    return isinstance(question, Asked) and question.what in OF_FACES


def _top(tails: Sequence[_Tail]) -> Callable[[Any], Any] | None:
    """What stands for a face that some tails show: the lowest that stands for all above, or that which is whole periods
    lower.
    """
    tops = {(tail.top, tail.rise if tail.period > 1 else 0) for tail in tails}
    if not tops:
        return None
    top, rise = min(tops)
    if not any(rise for _, rise in tops):
        return lambda face: min(face, top)
    if len(tops) > 1:
        raise NotWalkable
    return lambda face: face if face < top else top + (face - top) % rise


def _shown(step: Only | InSets, images: Images) -> list[Any]:
    """What a step tells of each face: whether the dice stay that show it, or on how many dice."""
    if isinstance(step, Only):
        return [image in step.faces for image in images]
    numbers: dict[object, set[int]] = {}
    for face, number in step.sets:
        numbers.setdefault(face, set()).add(number)
    return [frozenset(numbers.get(image, ())) for image in images]


def _told(asked: Asked, images: Images, look: Look) -> list[Any]:
    """The scores of each face, with what else of a die they depend on."""
    scores: dict[Any, set[Any]] = {}
    for (face, *rest), score in asked.detail or ():  # type: ignore[misc]
        scores.setdefault((face, *rest[:3]), set()).add((tuple(rest), score))
    return [frozenset(scores[image, look.sides, look.target, look.kind]) for image in images]


def _periodic(told: Sequence[Any], period: int) -> int:
    """From which place on what is told of faces is the same a period further on."""
    place = len(told) - period
    while place and told[place - 1] == told[place - 1 + period]:
        place -= 1
    return place


def _as_list(told: int | Sequence[Any], look: Look) -> Sequence[Any]:
    """Marks as a list."""
    return [told >> at & 1 for at in range(len(look.faces))] if isinstance(told, int) else told


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
