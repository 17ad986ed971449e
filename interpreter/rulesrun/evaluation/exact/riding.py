"""The law of one number of any size beside answers for which only so many equal dice are told apart.

Numbers of dice are cut off where one more changes no answer; the number that has no end, a sum or how many dice the
largest set has, rides along as the variable of the weights. Of the largest set it is told by how much one face leads
each other: where a further throw never lowers a lead, a face that once is behind stays behind.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from rulesrun.dice import Law
from rulesrun.dice.series import fraction
from rulesrun.evaluation.exact.alike import Die, classes_of
from rulesrun.evaluation.exact.enough import NEVER, ending, enough, is_largest_set, without_end
from rulesrun.evaluation.exact.facts import Facts
from rulesrun.evaluation.exact.forms import is_endless
from rulesrun.evaluation.exact.listing import throws
from rulesrun.evaluation.exact.resolve import Resolver
from rulesrun.evaluation.exact.sources import Again, Counted, Mixed, Source, Thrown
from rulesrun.evaluation.exact.symbols import (
    EVERYWHERE,
    Asked,
    Leftover,
    Linear,
    Number,
    Ranges,
    UnknownPool,
)
from rulesrun.evaluation.exact.tallies import MOST, Counts, Falls, Tallies, Weights

SIZE, FACE = "largest_set", "face_of_largest_set"
FEW = 6
"""Where so many equal dice are enough, they are counted with no number riding along."""


@dataclass(frozen=True, slots=True)
class Riding:
    """What is told apart of some dice, and the form whose number rides along (None: there is none)."""

    sources: Mapping[str, Source]
    facts: Facts
    form: Linear | None
    rider: Linear | None
    widest: UnknownPool | None
    """The pool of which it is told by how much one face leads, if there is one."""
    told: tuple[Linear, ...]
    """What is read of the numbers of dice."""
    most: Mapping[str, int]
    """From how many equal dice on one more changes none of `told`."""

    def laws(self, high: int | None) -> dict[int, Law] | None:
        """The law of the rider (of 0 without one), up to a number, beside each value of the form (0 where that is the
        rider, or where there is none) where the other facts hold; None where no face leads for good. Raises `TooLarge`.
        """
        if self.widest is None:
            return self._where_leads(None, high)
        for leading in sorted(set(_going_on(self.widest, self.sources)), reverse=True):
            try:
                return self._where_leads(leading, high)
            except Falls:
                pass
        return None

    # ------------------------------------------------------------ counting

    def _where_leads(self, leading: Number | None, high: int | None) -> dict[int, Law]:
        """The law where one face of the widest set's pool is the one that the others are held against."""
        counted: list[tuple[str, Die]] = []
        most: list[int] = []
        unlike: list[object] = []
        reads: dict[str, dict[Die, dict[int, int]]] = {}
        for name, source in self.sources.items():
            classes, distinct = classes_of(source, self.told, Facts({}, self.facts.shown))  # type: ignore[arg-type]
            places: dict[Die, int] = {}
            for die in dict.fromkeys(each for each in classes.values() if each is not None):
                places[die] = len(counted)
                counted.append((name, die))
                most.append(self.most.get(name, NEVER))
                unlike.append(distinct[die])
            reads[name] = {die: {} if stands is None else {places[stands]: 1} for die, stands in classes.items()}
        others: list[Number] = []
        if self.widest is not None:
            others = sorted({image for _, image in _images(self.widest, self.sources)} - {leading})
            first, room = len(counted), 1 + len(self.widest.fixed) + sum(map(ending, self.sources.values()))
            most += [1, *[room] * len(others)]
            unlike += [None, *[None if self._reads_face() else "behind"] * len(others)]
            for (name, die), image in _images(self.widest, self.sources):
                reads[name][die][first] = 1
                for place, other in enumerate(others, first + 1):
                    if image in (leading, other):
                        reads[name][die][place] = 1 if image == leading else -1
        fatal = tuple(self._fatal(reads, len(counted)))
        alone = len(self.sources) == 1
        found: Weights | None = None
        for name, source in self.sources.items():
            struck = {die for die in reads[name] if self.facts.struck.get((name, die[0]), 0) >> die[1] & 1}
            work = Tallies(
                tuple(most),
                {die: None if die in struck else _row(read, len(most)) for die, read in reads[name].items()},
                unlike if alone else [None] * len(most),
                None if self.rider is None else self._scores(name, source, leading),
                high,
                fatal,
            )
            here = _ways(work, source)
            found = here if found is None else work.times(found, here)
        return self._judged(found or {}, counted, leading, others)

    def _scores(self, name: str, source: Source, leading: Number | None) -> dict[Die, int]:
        """What each die adds to the number that rides along."""
        assert self.rider is not None
        sums = dict(self.rider.terms)
        scores = {
            (slot, face): int(sums[name, slot][face]) if (name, slot) in sums else 0
            for slot, look in enumerate(source.looks)
            for face in range(len(look.faces))
        }
        for left, factor in self.rider.leftovers:
            if _is(left, SIZE) and self.widest is not None:
                for (other, die), image in _images(self.widest, self.sources):
                    if other == name and image == leading:
                        scores[die] += int(factor)
        return scores

    @property
    def ranges(self) -> Ranges:
        """Where the rider lies."""
        return EVERYWHERE if self.rider is None else self.facts.inside.get(self.rider, EVERYWHERE)

    @property
    def high(self) -> int | None:
        """What the rider is at most where it is of interest, if it can be cut off there."""
        if self.rider is None or self.ranges.empty or self.rider.leftovers:
            return None
        if any(score < 0 for _, scores in self.rider.terms for score in scores):
            return None
        return self.ranges.ranges[-1][1]

    def _fatal(self, reads: Mapping[str, Mapping[Die, Mapping[int, int]]], places: int) -> Iterator[tuple[int, int]]:
        """From how many dice of a face on the largest set is larger than it may be, by place."""
        for form, ranges in self.facts.inside.items():
            if (
                form in self.told
                and is_largest_set(form)
                and not ranges.empty
                and (most := ranges.ranges[-1][1]) is not None
            ):
                ((asked, _),) = form.leftovers
                for (name, die), _ in _images(asked.pool, self.sources):  # type: ignore[union-attr]
                    yield from ((place, most + 1) for place in reads[name][die] if place < places)

    # ------------------------------------------------------------ judging

    def _judged(
        self, found: Weights, counted: Sequence[tuple[str, Die]], leading: Number | None, others: Sequence[Number]
    ) -> dict[int, Law]:
        """The laws, from the ways in which the dice can lie."""
        laws: dict[int, list[Law]] = {}
        for counts, weight in found.items():
            known: dict[str, list[Die]] = {name: [] for name in self.sources}
            for (name, die), count in zip(counted, counts, strict=False):
                known[name] += [die] * count
            resolver = Resolver({name: tuple(sorted(dice)) for name, dice in known.items()}, self.sources)
            if self.facts.shown and resolver.facts(Facts({}, self.facts.shown)) is None:
                continue
            size, face = self._widest(counts[len(counted) :], leading, others)
            if any(
                held.meets(Ranges.of(at, at)).empty
                for each, held in self.facts.inside.items()
                if each != self.rider
                for at in (self._value(each, resolver, size, face),)
            ):
                continue
            at = 0 if self.form is None or self.form == self.rider else self._value(self.form, resolver, size, face)
            if self.rider is None:
                law = Law.point(0, fraction(weight))
            else:
                law = weight.law.affine(1, self._value(self.rider, resolver, size, face))
            laws.setdefault(at, []).append(law)
        return {at: Law.total(each) for at, each in laws.items()}

    def _value(self, form: Linear, resolver: Resolver, size: int, face: Number) -> int:
        """The value of a form; of that which rides along, what it is beside that. `size`: by how much the widest set
        has more dice than the leading face; `face`: its face.
        """
        ridden = form == self.rider
        total: Number = 0 if ridden else resolver.value(Linear(0, form.terms, ()))
        for left, factor in form.leftovers:
            if self._leads(left, FACE):
                total += factor * face
            elif ridden and self._leads(left, SIZE):
                total += factor * size
            else:
                total += resolver.value(Linear(0, (), ((left, factor),)))
        return int(total)

    def _widest(self, leads: Counts, leading: Number | None, others: Sequence[Number]) -> tuple[int, Number]:
        """By how much the widest set has more dice than show the leading face unknown, and its face."""
        if self.widest is None:
            return 0, 0
        some, behind = leads[0], dict(zip(others, leads[1:], strict=True))
        known: list[object] = [die.face for die in self.widest.fixed]
        for other in behind:
            behind[other] += known.count(leading) - known.count(other)
        least = min(0, min(behind.values(), default=0))
        faces = [face for face, lead in behind.items() if lead == least] + ([leading] if least == 0 else [])
        return known.count(leading) - least, max(faces) if some or known else 0  # type: ignore[type-var, return-value]

    def _leads(self, left: Leftover, what: str) -> bool:
        return _is(left, what) and self.widest is not None and left.pool == self.widest  # type: ignore[union-attr]

    def _reads_face(self) -> bool:
        forms = (*self.facts.inside, *([] if self.form is None else [self.form]))
        return any(self._leads(left, FACE) for form in forms for left, _ in form.leftovers)


# ---------------------------------------------------------------- what may ride along


def riding(sources: Mapping[str, Source], facts: Facts, form: Linear | None, forms: Sequence[Linear]) -> Riding | None:
    """The number that is best left to ride along, and all that is told apart for the others; None where not all others
    are told by so many equal dice, or all by a few.
    """
    endless = [name for name, source in sources.items() if is_endless({name: source})]
    best: tuple[tuple[bool, int], Riding] | None = None
    for rider in (None, *forms):
        if rider is not None and not rider.terms and not any(_is(left, SIZE) for left, _ in rider.leftovers):
            continue
        leading = {
            left.pool
            for each in forms
            for left, _ in each.leftovers
            if isinstance(left, Asked)
            and (left.what == FACE or (left.what == SIZE and each == rider))
            and not left.pool.steps
        }
        if len(leading) > 1:
            continue
        widest = next(iter(leading), None)
        told = tuple(_told(forms, rider, widest))
        most = {name: NEVER if (few := enough(name, told, facts, sources)) is None else few for name in endless}
        highest = max(most.values())
        if rider is None and widest is None and highest <= FEW:
            return None
        found = Riding(sources, facts, form, rider, widest, told, most)
        cost = (found.high is None, highest)
        if highest < NEVER and (best is None or cost < best[0]):
            best = cost, found
    return None if best is None else best[1]


def _told(forms: Iterable[Linear], rider: Linear | None, widest: UnknownPool | None) -> Iterator[Linear]:
    """What of some forms is neither ridden along nor follows from which face leads."""
    for form in forms:
        left = tuple(
            (each, factor)
            for each, factor in form.leftovers
            if not (
                isinstance(each, Asked)
                and each.pool == widest
                and (each.what == FACE or (form == rider and each.what == SIZE))
            )
        )
        terms = () if form == rider else form.terms
        if left == form.leftovers and terms == form.terms:
            yield form
        elif left or terms:
            yield Linear(0, terms, left)


def _is(left: Leftover, what: str) -> bool:
    return isinstance(left, Asked) and left.what == what


def _images(pool: UnknownPool, sources: Mapping[str, Source]) -> Iterator[tuple[tuple[str, Die], Number]]:
    """The faces that a pool reads, with what they are seen as."""
    for (name, slot), images in pool.pieces:
        for face, image in enumerate(images):
            if image is not None:
                yield (name, (slot, face)), image  # type: ignore[misc]


def _going_on(pool: UnknownPool, sources: Mapping[str, Source]) -> Iterator[Number]:
    """What a pool sees the dice as of which there may be any number."""
    going = {(name, die) for name, source in sources.items() for die in without_end(source)}
    return (image for at, image in _images(pool, sources) if at in going)


def _ways(work: Tallies, source: Source) -> Weights:
    if isinstance(source, Thrown | Mixed | Again):
        return work.ways(source)
    if isinstance(source, Counted):
        return work.number(source.law)
    found: Weights = {}
    for dice, weight in throws(source, MOST):
        work.put(found, dice, weight)
    return found


def _row(numbers: Mapping[int, int], length: int) -> Counts:
    return tuple(numbers.get(place, 0) for place in range(length))
