"""Numbers of dice as a monoid: how many there are of each class of faces, cut off where one more changes nothing.

A throw is an element of its algebra; one that goes on is a geometric series over it: X = S + E X. Since the numbers
only grow, the series is summed state by state in order of size; a state that a further throw leaves as it is stands for
all the throws that do. Nothing is lost. One further number, of any size, may ride along: then weights are laws of it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import comb
from typing import Any, TypeAlias, TypeVar

from flint import fmpq

from rulesrun.dice import Law
from rulesrun.dice.series import TooLarge
from rulesrun.evaluation.exact.alike import Die
from rulesrun.evaluation.exact.chain import Work
from rulesrun.evaluation.exact.listing import goes_on, throws
from rulesrun.evaluation.exact.lumping import merged
from rulesrun.evaluation.exact.sources import Again, Mixed, OneDie, Part, Struck, Thrown, Weighted

T = TypeVar("T")
W = TypeVar("W")
Counts: TypeAlias = tuple[int, ...]
"""How many dice there are of each class of faces."""
Weights: TypeAlias = dict[Counts, Any]
"""The ways in which dice can lie, with their weights: fractions (`fmpq`), or laws (`Ridden`)."""
MOST = 30_000
"""So many ways to lie there at most."""
MOST_PRODUCTS = 30_000
"""So many products of laws of a number that rides along at most."""
ONE = Fraction(1)


class Falls(Exception):
    """A further throw may lower one of the numbers."""


@dataclass(frozen=True, slots=True)
class Ridden:
    """A weight with the law of a number, of which nothing above `high` is kept."""

    law: Law
    high: int | None

    @staticmethod
    def cut(law: Law, high: int | None) -> Ridden:
        """The law up to there."""
        return Ridden(law if high is None else law.restrict(None, high), high)

    def __add__(self, other: Ridden | int) -> Ridden:
        return self if isinstance(other, int) else Ridden(self.law + other.law, self.high)

    __radd__ = __add__

    def __mul__(self, other: Ridden | int) -> Ridden:
        if isinstance(other, int):
            return Ridden(self.law.scaled(other), self.high)
        return Ridden.cut(self.law * other.law, self.high)

    def __bool__(self) -> bool:
        return not self.law.is_zero

    def repeated(self, stays: Ridden) -> Ridden:
        """This, and then `stays` any number of times."""
        return Ridden.cut(Law.geometric_sum(self.law, stays.law), self.high) if stays else self

    @staticmethod
    def total(weights: Iterable[Ridden]) -> Ridden:
        """The sum of many."""
        weights = list(weights)
        high = weights[0].high if weights else None
        return Ridden(Law.total(each.law for each in weights), high)


@dataclass(frozen=True, slots=True)
class Tallies:
    """How dice of one source are counted."""

    most: Counts
    """Where each number is cut off."""
    read: Mapping[Die, Counts | None]
    """What each die adds to the numbers; None for one that does not show."""
    unlike: Sequence[Hashable]
    """What has to be the same of numbers that may be exchanged; None for those that may not."""
    scores: Mapping[Die, int] | None = None
    """What each die adds to the number that rides along."""
    high: int | None = None
    """Above that, the number that rides along is of no interest."""
    fatal: tuple[tuple[int, int], ...] = ()
    """Places with numbers: a way that reaches one of them is of no interest."""
    work: Work = lambda steps: None
    """Counts steps, and may raise where they are too many."""
    exchanged: list[list[int]] = field(default_factory=list)
    """The numbers of which only the sizes matter, not which is which: those are kept in descending order."""

    # ------------------------------------------------------------ throws

    def ways(self, source: Thrown | Mixed | Again) -> Weights:
        """The ways in which a source can lie. Raises `TooLarge`, `Falls`."""
        match source:
            case Mixed():
                found: Weights = {}
                for share, thrown in source.options:
                    found = _plus(found, self.times(self.thrown(thrown, False), self.nothing(share)))
                return found
            case Thrown():
                return self.thrown(source, len(source.parts) == 1)
            case Again():
                return self.again(source)

    def number(self, law: Law) -> Weights:
        """The ways of a number of a known law, which stands as so many dice of one face. Raises `TooLarge`."""
        read, score = self.read[0, 0], self.score(0, 0)
        assert read is not None
        enough = max((-(-most // each) for each, most in zip(read, self.most, strict=True) if each), default=0)
        low = law.bounds[0]
        if enough and (low is None or low < 0):
            raise TooLarge("a number without an end on either side beside dice")
        found: Weights = {}
        for number in range(enough):
            self.put(found, [(0, 0)] * number, law[number])
        beyond = law.restrict(enough, None) if enough else law
        counts = self.both((0,) * len(self.most), tuple([each * enough for each in read]))
        if counts is not None:
            found[counts] = found.get(counts, 0) + self.weight_of(beyond, score)
        return found

    def thrown(self, source: Thrown, alone: bool) -> Weights:
        """The ways of independent dice; `alone`: all of one sort, with no other throw in their place."""
        found = self.nothing()
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
            return self.powers(one, count)[-1]
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
        stops, ends = self.powers(stop, count), self.powers(ended, count)
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
                key = (slot, self.read[slot + shift, face], self.score(slot + shift, face), _asked(source, slot, face))
                like[slot, face] = first.setdefault(key, face)
        parts = tuple(Part(part.count, merged(part.die, like)) for part in group.parts)
        for dice, weight in throws(Thrown(group.name, group.looks, parts), MOST):
            into = going if goes_on(source, dice) else stopping
            self.put(into, [(slot + shift, face) for slot, face in dice], weight)
        return going, stopping

    def parted_by_faces(self, source: Again, group: Thrown, shift: int) -> tuple[Weights, Weights]:
        """As `parted`, for dice that explode, of which nothing is asked but which faces show."""
        assert isinstance(source.condition, Struck)
        read = {(slot - shift, face): counts for (slot, face), counts in self.read.items()}
        scores = self.scores and {(slot - shift, face): score for (slot, face), score in self.scores.items()}
        moved = replace(self, read=read, scores=scores)
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
            self.put(found, [(slot, face)], Fraction(weight, total))
        return found

    # ------------------------------------------------------------ numbers that stand for one another

    def exchange(self, *laws: Weights) -> None:
        """Finds the numbers that all these laws treat alike, and that nothing read tells apart but as unlike."""
        left = list(range(len(self.most)))
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
        """The same numbers with those that are exchanged in descending order."""
        new = list(counts)
        for places in self.exchanged:
            for place, count in zip(places, sorted((counts[at] for at in places), reverse=True), strict=True):
                new[place] = count
        return tuple(new)

    # ------------------------------------------------------------ the monoid

    def nothing(self, weight: Fraction = ONE) -> Weights:
        """No dice."""
        return {(0,) * len(self.most): self.weight(weight, 0)}

    def weight(self, weight: Fraction, score: int) -> Any:
        if self.scores is None:
            return fmpq(weight.numerator, weight.denominator)
        return Ridden(Law.point(score, weight), self.high)

    def weight_of(self, law: Law, score: int) -> Any:
        """The weight of a number, of which each 1 adds so much to what rides along."""
        if self.scores is None:
            return fmpq(*law.mass.as_integer_ratio())
        return Ridden.cut(law.affine(score), self.high)

    def score(self, slot: int, face: int) -> int:
        return 0 if self.scores is None else self.scores[slot, face]

    def put(self, into: Weights, dice: Sequence[Die], weight: Fraction) -> None:
        """Adds a way in which these dice show."""
        total: Counts | None = (0,) * len(self.most)
        for die in dice:
            read = self.read[die]
            total = None if read is None or total is None else self.both(total, read)
        if total is not None:
            into[total] = into.get(total, 0) + self.weight(weight, sum(self.score(*die) for die in dice))

    def both(self, left: Counts, right: Counts) -> Counts | None:
        """The numbers together; None where that is of no interest."""
        found = tuple([a + b if a + b < most else most for a, b, most in zip(left, right, self.most, strict=True)])
        if self.fatal and any(found[place] >= number for place, number in self.fatal):
            return None
        return self.ordered(found) if self.exchanged else found

    def times(self, left: Weights, right: Weights) -> Weights:
        """Two throws together; the numbers of the right one are not in order."""
        if self.scores is not None and len(left) * len(right) > MOST_PRODUCTS:
            raise TooLarge(f"{len(left) * len(right):,} products of endless numbers")
        self.work(len(left) * len(right))
        found: Weights = {}
        for counts, weight in left.items():
            for others, share in right.items():
                both = self.both(counts, others)
                if both is not None:
                    found[both] = found.get(both, 0) + weight * share
            if len(found) > MOST:
                raise TooLarge(f"more than {MOST:,} ways in which endless dice can lie")
        return found

    def powers(self, one: Weights, highest: int) -> list[Weights]:
        found = [self.nothing()]
        for _ in range(highest):
            found.append(self.times(found[-1], one))
        return found

    def endless(self, start: Weights, go: Weights) -> Weights:
        """`start`, and then `go` any number of times. Raises `Falls`."""
        if any(number < 0 for counts in go for number in counts):
            raise Falls
        ordered: Weights = {}
        for counts, weight in start.items():
            key = self.ordered(counts)
            ordered[key] = ordered.get(key, 0) + weight
        if self.scores is None:
            return any_number_of(ordered, go, self.both, sum, work=self.work)
        return any_number_of(ordered, go, self.both, sum, Ridden.repeated, Ridden.total, self.work)


def _repeated(weight: Any, stays: Any) -> Any:
    return weight / (1 - stays)


def any_number_of(
    start: Mapping[T, W],
    go: Mapping[T, W],
    both: Callable[[T, T], T | None],
    size: Callable[[T], int],
    repeated: Callable[[W, Any], W] = _repeated,
    total: Callable[[Iterable[W]], Any] = sum,
    work: Work = lambda steps: None,
) -> dict[T, W]:
    """`start`, and then `go` any number of times: start / (1 - go), in a monoid in which a product with `go` is greater
    or the same, or left out (None). Weights are fractions of any sort; `repeated` divides a weight by 1 less another,
    `total` adds many. `work` counts steps, and may raise.
    """
    found: dict[T, W] = {}
    waiting: dict[int, dict[T, list[Any]]] = {}
    for each, weight in start.items():
        waiting.setdefault(size(each), {})[each] = [weight]
    while waiting:
        now = waiting.pop(min(waiting))
        work(len(now) * len(go))
        for each, weights in now.items():
            onward = [(both(each, step), share) for step, share in go.items()]
            stays: Any = total(share for after, share in onward if after == each)
            all_: Any = repeated(total(weights), stays)
            found[each] = all_
            for after, share in onward:
                if after is not None and after != each and (more := all_ * share):
                    waiting.setdefault(size(after), {}).setdefault(after, []).append(more)
        if len(found) > MOST:
            raise TooLarge(f"more than {MOST:,} ways in which endless dice can lie")
    return found


def _plus(left: Weights, right: Weights) -> Weights:
    found = dict(left)
    for counts, weight in right.items():
        found[counts] = found.get(counts, 0) + weight
    return found


def _times(factor: int, weights: Weights) -> Weights:
    return {counts: weight * factor for counts, weight in weights.items()}


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
