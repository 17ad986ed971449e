"""Throws without end as finite ones: equal dice beyond those that anything tells apart are left out.

How many dice of each face lie there, cut off at some number, is a finite monoid, and a throw that goes on is a
geometric series over it: X = S + E X. Since numbers of dice only grow, the series is summed state by state in order of
size; a state that a further throw leaves as it is stands for all the throws that do. Nothing is lost.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from math import comb, factorial, lcm
from typing import Any, TypeAlias, TypeVar

from flint import fmpq, fmpq_poly

from rulesrun.dice.series import TooLarge
from rulesrun.evaluation.exact.alike import Die, classes_of
from rulesrun.evaluation.exact.enough import NEVER
from rulesrun.evaluation.exact.facts import Facts
from rulesrun.evaluation.exact.listing import goes_on, throws
from rulesrun.evaluation.exact.lumping import merged
from rulesrun.evaluation.exact.sources import Again, Listed, Mixed, OneDie, Part, Struck, Thrown, Weighted
from rulesrun.evaluation.exact.symbols import Linear

T = TypeVar("T")
W = TypeVar("W")
Counts: TypeAlias = tuple[int, ...]
"""How many dice there are of each class of faces."""
Weights: TypeAlias = dict[Counts, fmpq]
MOST = 30_000
"""So many ways to lie there at most."""


def saturated(source: Thrown | Mixed | Again, most: int, forms: Iterable[Linear], facts: Facts) -> Listed:
    """A throw of which no more than `most` equal dice are told apart, way by way. Raises `TooLarge`."""
    forms = list(forms)
    classes, unlike = classes_of(source, forms, facts)
    dice = tuple(dict.fromkeys(die for die in classes.values() if die is not None))
    work = _Saturation(dice, classes, most, [unlike[die] for die in dice])
    match source:
        case Mixed():
            found: Weights = {}
            for weight, thrown in source.options:
                share = fmpq(weight.numerator, weight.denominator)
                found = _plus(found, {counts: share * each for counts, each in work.thrown(thrown, False).items()})
        case Thrown():
            found = work.thrown(source, len(source.parts) == 1)
        case Again():
            found = work.again(source)
    bottom = lcm(*(int(weight.q) for weight in found.values()))
    ways = tuple(
        (
            tuple(die for die, count in zip(work.dice, counts, strict=True) for _ in range(count)),
            int(weight * bottom),
        )
        for counts, weight in found.items()
        if weight
    )
    return Listed(source.name, source.looks, ways, bottom)


def small_sets(source: Thrown | Again, form: Linear, facts: Facts) -> Callable[[int], fmpq] | None:
    """The chance that no face is shown by more than so many dice. None where a further throw is not always of one face.

    With rows of further throws of a number Y that is Gamma distributed, faces are shown independently (a negative
    multinomial is a mixture of Poisson laws): the chance is a product of cut exponential series in Y, in which each
    power of Y stands for its mean.
    """
    classes, unlike = classes_of(source, [form], facts)
    dice = tuple(dict.fromkeys(die for die in classes.values() if die is not None))
    work = _Saturation(dice, classes, NEVER, [unlike[die] for die in dice])
    endings = [part.die.more for part in (source.group if isinstance(source, Again) else source).parts]
    if isinstance(source, Again):
        if source.limit is not None or any(endings):
            return None
        first_going, first_stopping, go, stopping = work.throws_of(source)
        by_going = [first_stopping, work.times(first_going, stopping)]
    elif len(endings) == 1 and endings[0] is not None and endings[0].limit is None:
        by_going, go = work.chains(source.parts[0].die, source.parts[0].count)
    else:
        return None
    if any(sum(map(bool, counts)) != 1 for counts in go):
        return None
    struck = [index for index, die in enumerate(dice) if facts.struck.get((source.name, die[0]), 0) >> die[1] & 1]
    steps = [
        (index, count, share)
        for counts, share in go.items()
        for index, count in enumerate(counts)
        if count and index not in struck
    ]

    @cache
    def rows(going: int, room: tuple[int, ...]) -> fmpq:
        product = fmpq_poly([1])
        for (_, _, share), most in zip(steps, room, strict=True):
            product *= fmpq_poly([share**times / factorial(times) for times in range(most + 1)])
        return sum(
            (c * factorial(going - 1 + at) / factorial(going - 1) for at, c in enumerate(product.coeffs())), fmpq(0)
        )

    def chance(most: int) -> fmpq:
        total = fmpq(0)
        for going, weights in enumerate(by_going):
            for counts, weight in weights.items():
                if max(counts) <= most and not any(counts[index] for index in struck):
                    room = tuple((most - counts[index]) // count for index, count, _ in steps)
                    total += weight * rows(going, room) if going else weight
        return total

    return chance


@dataclass(frozen=True, slots=True)
class _Saturation:
    """Numbers of dice by class, cut off at `most`; each class has a die that stands for it."""

    dice: tuple[Die, ...]
    classes: Mapping[Die, Die | None]
    most: int
    unlike: Sequence[Hashable]
    """What has to be the same of classes whose numbers may be exchanged."""
    exchanged: list[list[int]] = field(default_factory=list)
    """The classes of which only the numbers matter, not which class has which: those are kept in descending order."""

    # ------------------------------------------------------------ throws

    def thrown(self, source: Thrown, alone: bool) -> Weights:
        """The ways of independent dice; `alone`: all of one sort, with no other throw in their place."""
        found: Weights = {self.nothing: fmpq(1)}
        for part in source.parts:
            if part.count:
                found = self.times(found, self.several(part.die, part.count, alone))
        return found

    def several(self, die: OneDie, count: int, alone: bool) -> Weights:
        """The ways of like dice, with all that they add; `alone`: no others lie beside them."""
        stop, go = self.faces(die.stop, die.total), self.faces(die.go, die.total)
        more = die.more
        if more is None or more.limit is not None:
            one = stop
            if more is not None:
                more_stop, more_go = self.faces(more.stop, more.total), self.faces(more.go, more.total)
                one = _plus(stop, self.repeated(go, more_stop, more_go, more.limit - 1))  # type: ignore[operator]
            return self.power(one, count)
        by_going, more_go = self.chains(die, count)
        if alone:
            self.exchange(stop, go, self.faces(more.stop, more.total), more_go)
        return self.closed(by_going, more_go)

    def chains(self, die: OneDie, count: int) -> tuple[list[Weights], Weights]:
        """The ways of like dice that explode without end but for what explosions add, by how many of them explode;
        and what a further explosion adds.
        """
        more = die.more
        assert more is not None
        stop, go = self.faces(die.stop, die.total), self.faces(die.go, die.total)
        ended = self.times(go, self.faces(more.stop, more.total))
        stops, ends = _powers(self, stop, count), _powers(self, ended, count)
        by_going = [
            _times(comb(count, going), self.times(stops[count - going], ends[going])) for going in range(count + 1)
        ]
        return by_going, self.faces(more.go, more.total)

    def closed(self, by_going: Sequence[Weights], go: Weights) -> Weights:
        """The ways with so many rows of any number of further throws beside each of `by_going`."""
        total: Weights = {}
        for part in reversed(by_going):
            total = _plus(self.endless(total, go), part)
        return total

    def again(self, source: Again) -> Weights:
        """The ways of a group that is thrown again."""
        first_going, first_stopping, going, stopping = laws = self.throws_of(source)
        self.exchange(*laws)
        if source.limit is None:
            return self.closed([first_stopping, self.times(first_going, stopping)], going)
        if source.limit == 0:
            return _plus(first_stopping, first_going)
        return _plus(first_stopping, self.repeated(first_going, stopping, going, source.limit - 1))

    def throws_of(self, source: Again) -> tuple[Weights, Weights, Weights, Weights]:
        """The ways of the first throw, and those of a further one: that bring another, and that do not."""
        first = self.parted(source, source.first, 0)
        return (*first, *self.parted(source, source.group, len(source.group.looks)))

    def parted(self, source: Again, group: Thrown, shift: int) -> tuple[Weights, Weights]:
        """The ways of one throw of the group that bring another, and those that do not."""
        if any(part.die.more is not None for part in group.parts):
            return self.parted_by_faces(source, group, shift)
        going: Weights = {}
        stopping: Weights = {}
        first: dict[Hashable, int] = {}
        like: dict[Die, int] = {}
        for slot, look in enumerate(group.looks):
            for face in range(len(look.faces)):
                key = (slot, self.classes[slot + shift, face], _asked(source, slot, face))
                like[slot, face] = first.setdefault(key, face)
        parts = tuple(Part(part.count, merged(part.die, like)) for part in group.parts)
        for dice, weight in throws(Thrown(group.name, group.looks, parts), MOST):
            into = going if goes_on(source, dice) else stopping
            counts = self.counted((slot + shift, face) for slot, face in dice)
            into[counts] = into.get(counts, fmpq(0)) + fmpq(weight.numerator, weight.denominator)
        return going, stopping

    def parted_by_faces(self, source: Again, group: Thrown, shift: int) -> tuple[Weights, Weights]:
        """As `parted`, for dice that explode, of which nothing is asked but which faces show."""
        assert isinstance(source.condition, Struck)
        moved = replace(self, classes={(slot - shift, face): die for (slot, face), die in self.classes.items()})
        going: Weights = {}
        for sign, masks in source.condition.terms:
            parts = tuple(Part(part.count, _without(part.die, masks)) for part in group.parts)
            found = moved.thrown(Thrown(group.name, group.looks, parts), False)
            going = _plus(going, _times(sign, found))
        return going, _plus(moved.thrown(group, False), _times(-1, going))

    def repeated(self, start: Weights, stop: Weights, go: Weights, limit: int) -> Weights:
        """`start`, then `go` at most `limit` times, then `stop`; after the last `go` that may be, one more as well."""
        total: Weights = {}
        for _ in range(limit):
            total, start = _plus(total, self.times(start, stop)), self.times(start, go)
        return _plus(total, self.times(start, _plus(stop, go)))

    def faces(self, faces: Weighted, total: int) -> Weights:
        """The ways of one die."""
        found: Weights = {}
        for slot, face, weight in faces:
            counts = self.counted([(slot, face)])
            found[counts] = found.get(counts, fmpq(0)) + fmpq(weight, total)
        return found

    # ------------------------------------------------------------ classes that stand for one another

    def exchange(self, *laws: Weights) -> None:
        """Finds the classes that all these laws treat alike, and that nothing read tells apart but as unlike."""
        left = list(range(len(self.dice)))
        while left:
            first = left.pop(0)
            alike = [other for other in left if self.may_swap(first, other, laws)]
            left = [each for each in left if each not in alike]
            if alike:
                self.exchanged.append([first, *alike])

    def may_swap(self, one: int, other: int, laws: Iterable[Weights]) -> bool:
        if self.unlike[one] is None or self.unlike[one] != self.unlike[other]:
            return False

        def swapped(counts: Counts) -> Counts:
            new = list(counts)
            new[one], new[other] = new[other], new[one]
            return tuple(new)

        return all(law.get(swapped(counts)) == weight for law in laws for counts, weight in law.items())

    def ordered(self, counts: Counts) -> Counts:
        """The same numbers with those of exchanged classes in descending order."""
        if not self.exchanged:
            return counts
        new = list(counts)
        for places in self.exchanged:
            for place, count in zip(places, sorted((counts[at] for at in places), reverse=True), strict=True):
                new[place] = count
        return tuple(new)

    # ------------------------------------------------------------ the monoid

    @property
    def nothing(self) -> Counts:
        return (0,) * len(self.dice)

    def counted(self, dice: Iterable[Die]) -> Counts:
        counts = [0] * len(self.dice)
        for die in dice:
            stands = self.classes[die]
            if stands is not None:
                counts[self.dice.index(stands)] += 1
        return tuple(min(count, self.most) for count in counts)

    def both(self, left: Counts, right: Counts) -> Counts:
        most = self.most
        return tuple([a + b if a + b < most else most for a, b in zip(left, right, strict=True)])

    def times(self, left: Weights, right: Weights) -> Weights:
        """Two throws together; the numbers of the right one are not in order."""
        found: Weights = {}
        for counts, weight in left.items():
            for others, share in right.items():
                both = self.ordered(self.both(counts, others))
                found[both] = found.get(both, fmpq(0)) + weight * share
            if len(found) > MOST:
                raise TooLarge(f"more than {MOST:,} ways in which endless dice can lie")
        return found

    def power(self, one: Weights, exponent: int) -> Weights:
        return _powers(self, one, exponent)[-1]

    def endless(self, start: Weights, go: Weights) -> Weights:
        """`start`, and then `go` any number of times."""
        ordered: Weights = {}
        for counts, weight in start.items():
            key = self.ordered(counts)
            ordered[key] = ordered.get(key, fmpq(0)) + weight
        return any_number_of(ordered, go, lambda one, more: self.ordered(self.both(one, more)), sum)


def any_number_of(
    start: Mapping[T, W], go: Mapping[T, W], both: Callable[[T, T], T], size: Callable[[T], int]
) -> dict[T, W]:
    """`start`, and then `go` any number of times: start / (1 - go), in a monoid in which a product with `go` is greater
    or the same. Weights are fractions of any sort.
    """
    found: dict[T, W] = {}
    waiting: dict[int, dict[T, Any]] = {}
    for each, weight in start.items():
        waiting.setdefault(size(each), {})[each] = weight
    while waiting:
        for each, weight in waiting.pop(min(waiting)).items():
            onward = [(both(each, step), share) for step, share in go.items()]
            stays: Any = sum(share for after, share in onward if after == each)
            found[each] = weight = weight / (1 - stays)
            for after, share in onward:
                if after != each:
                    there = waiting.setdefault(size(after), {})
                    there[after] = there.get(after, 0) + weight * share
        if len(found) > MOST:
            raise TooLarge(f"more than {MOST:,} ways in which endless dice can lie")
    return found


def _plus(left: Weights, right: Weights) -> Weights:
    found = dict(left)
    for counts, weight in right.items():
        found[counts] = found.get(counts, fmpq(0)) + weight
    return found


def _times(factor: int, weights: Weights) -> Weights:
    return {counts: weight * factor for counts, weight in weights.items()}


def _powers(work: _Saturation, one: Weights, highest: int) -> list[Weights]:
    found: list[Weights] = [{work.nothing: fmpq(1)}]
    for _ in range(highest):
        found.append(work.times(found[-1], one))
    return found


def _without(die: OneDie, masks: Sequence[int]) -> OneDie:
    """The die where it shows none of the masked faces."""

    def left(faces: Weighted) -> Weighted:
        return tuple((slot, face, weight) for slot, face, weight in faces if not masks[slot] >> face & 1)

    more = die.more
    if more is not None:
        more = replace(more, stop=left(more.stop), go=left(more.go))
    return replace(die, stop=left(die.stop), go=left(die.go), more=more)


def _asked(source: Again, slot: int, face: int) -> Hashable:
    """What the condition of an `again` reads of a face."""
    condition = source.condition
    if isinstance(condition, Struck):
        return tuple(masks[slot] >> face & 1 for _, masks in condition.terms)
    return condition.scores[slot][face]
