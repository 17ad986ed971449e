"""Throws whose dice do not stay independent, listed one by one with their weights, modifier after modifier."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from itertools import groupby, islice
from math import lcm
from random import Random
from typing import Any

from rulesrun.dice.series import EndlessWays, TooLarge
from rulesrun.evaluation import pools
from rulesrun.evaluation.exact.chances import Algebra
from rulesrun.evaluation.exact.foresight import surely_too_many
from rulesrun.evaluation.exact.listing import ENDLESS_TAIL, MOST_ENDLESS, throws
from rulesrun.evaluation.exact.modifiers import exploded, explodes, final_faces, never_ends
from rulesrun.evaluation.exact.sources import SAME, Again, Listed, Look, Mixed, OneDie, Part, Source, Thrown
from rulesrun.evaluation.exact.stage import Stage
from rulesrun.evaluation.exact.symbols import PoolStep, UnknownPool
from rulesrun.evaluation.exact.tallies import any_number_of
from rulesrun.evaluation.pools import Die, Pool, rank
from rulesrun.semantics import plan
from rulesrun.semantics.borne import as_number, is_marked

Weights = dict[Pool, Fraction]


@dataclass(slots=True)
class Laid:
    """Independent dice as far as the modifiers so far made them."""

    looks: list[Look]
    parts: list[Part]
    again: Again | None = None
    steps: tuple[PoolStep, ...] = ()
    fixed: Pool = ()
    """Known dice beside them, which no modifier can reach any more."""


def slots_of_all(groups: Sequence[Laid]) -> tuple[list[Look], list[list[int]]]:
    """The looks of all groups, each once, and for each group the places of its own among them."""
    looks: list[Look] = []
    alike: dict[tuple[object, ...], list[int]] = {}

    def place_of(look: Look) -> int:
        near = alike.setdefault((look.kind, look.sides, look.target, len(look.faces)), [])
        for place in near:
            if looks[place] == look:
                return place
        near.append(len(looks))
        looks.append(look)
        return near[-1]

    return looks, [[place_of(look) for look in group.looks] for group in groups]


@dataclass(slots=True)
class Enumerated:
    """Pools with their weights; what is missing from 1 is a tail that was not listed."""

    weights: Weights
    exploding: tuple[Stage, Algebra] | None = None
    """An explosion without end that is still to come, after which nothing does."""

    def placed(self, name: str) -> tuple[Any, Source | None]:
        """The pool under a name, and its source."""
        if self.exploding is not None:
            return self._exploded(name, *self.exploding)
        looks: dict[tuple[object, ...], list[Any]] = {}
        for pool in self.weights:
            for die in pool:
                faces = looks.setdefault(_look_key(die), [])
                if die.face not in faces:
                    faces.append(die.face)
        keys = list(looks)
        made = tuple(
            Look(tuple(faces), (1,) * len(faces), sides, target, kind, SAME if is_same else first)  # type: ignore[arg-type]
            for (sides, target, kind, is_same, first), faces in looks.items()
        )
        bottom = lcm(*(weight.denominator for weight in self.weights.values()))
        items = tuple(
            (
                tuple(sorted((keys.index(_look_key(die)), looks[_look_key(die)].index(die.face)) for die in pool)),
                int(weight * bottom),
            )
            for pool, weight in self.weights.items()
        )
        if not made:
            return (), None
        pieces = tuple(((name, slot), look.faces) for slot, look in enumerate(made))
        return UnknownPool(pieces), Listed(name, made, items, bottom)

    def _exploded(self, name: str, stage: Stage, algebra: Algebra) -> tuple[Any, Source | None]:
        """One of the pools, each die of which may explode."""
        looks: list[Look] = []
        options = []
        for pool, weight in self.weights.items():
            parts = []
            for die, count in Counter(pool).items():
                look = replace(algebra.kinds[die.kind, die.sides], target=die.target)
                if look not in looks:
                    looks.append(look)
                place = (looks.index(look), look.faces.index(die.face), 1)
                parts.append(Part(count, OneDie(1, (place,))))
            looks, parts = exploded(looks, parts, stage, False, algebra, False)
            options.append((weight, parts))
        made = tuple((weight, Thrown(name, tuple(looks), tuple(parts))) for weight, parts in options)
        pieces = tuple(((name, slot), look.faces) for slot, look in enumerate(looks))
        return UnknownPool(pieces), Mixed(name, tuple(looks), made)


SORTED, SORTED_BESIDE = 6, 6
"""So many dice put in order cost as much as one state, and two pools that are joined as so many dice more."""

MANY_POOLS = 1_000
"""What a modifier does to fewer pools is not foreseen: it does not take long."""


def _look_key(die: Die) -> tuple[object, ...]:
    same = die.first == die.face and die.first is not None
    return (die.sides, die.target, die.kind, same, None if same else die.first)


def enumerated(
    groups: Sequence[Laid], own: Sequence[Sequence[Stage]], stages: Sequence[Stage], algebra: Algebra
) -> Enumerated:
    """All pools that the groups, each with its own modifiers, and then the modifiers of all together can make."""
    work = _Work(algebra)
    total: Weights = {(): Fraction(1)}
    for group, modifiers in zip(groups, own, strict=True):
        source = Thrown("", tuple(group.looks), tuple(group.parts))
        weights: Weights = {}
        for dice, weight in throws(source, algebra.budget):
            faces = [(group.looks[slot], group.looks[slot].faces[face]) for slot, face in dice]
            pool = _tidy(Die(face, look.sides, look.target, look.kind, face) for look, face in faces)  # type: ignore[arg-type]
            weights[pool] = weights.get(pool, Fraction(0)) + weight
        for place, stage in enumerate(modifiers):
            weights = work.apply(weights, stage, _enough(modifiers[place + 1 :]))
        total = work.join(total, weights)
    for place, stage in enumerate(stages):
        if place == len(stages) - 1 and not work.endless and _explodes_at_last(stage, total, algebra):
            return Enumerated(total, (stage, algebra))
        total = work.apply(total, stage, _enough(stages[place + 1 :]))
    return Enumerated(total)


def _explodes_at_last(stage: Stage, weights: Weights, algebra: Algebra) -> bool:
    """Whether an explosion without end can be left open after known dice."""
    modifier = stage.modifier
    if not isinstance(modifier, plan.Explode) or modifier.adding or stage.limit is not None or stage.many != 1:
        return False
    dice = {die for pool in weights for die in pool}
    shown = all(die.face in algebra.kinds[die.kind, die.sides].faces for die in dice)
    return shown and bool(dice) and not algebra.natural


def _enough(stages: Sequence[Stage]) -> int | None:
    """How many equal dice are enough for the modifiers that follow: all that may be kept; None where any number may."""
    total = 0
    for stage in stages:
        modifier = stage.modifier
        if isinstance(modifier, plan.Against):
            continue
        if not isinstance(modifier, plan.KeepDrop) or modifier.which == "middle":
            return None
        total += stage.number
        if modifier.word == "keep":
            return total
    return None


def _tidy(dice: Any) -> Pool:
    return tuple(sorted(dice, key=_in_order))


@lru_cache(maxsize=4096)
def _in_order(die: Die) -> str:
    return repr(die)


@dataclass(slots=True)
class _Work:
    algebra: Algebra
    endless: bool = False
    """Whether a modifier so far has no end, so that something stays open whatever is listed."""
    work: int = 0
    ordered: int = 0
    """Dice of pools that were put in order."""
    most: int | None = None
    """So many equal dice are enough for what follows the modifier at work."""

    def tidy(self, dice: Any) -> Pool:
        """Dice in order, no more of them equal than are enough."""
        pool = _tidy(dice)
        if self.most is None:
            return pool
        return tuple(die for _, equal in groupby(pool) for die in islice(equal, self.most))

    def join(self, left: Mapping[Pool, Fraction], right: Mapping[Pool, Fraction]) -> Weights:
        if len(left) * len(right) > (MOST_ENDLESS if self.endless else self.algebra.budget):
            raise self._large(f"{len(left) * len(right):,} ways in which the dice can fall")
        self.algebra.states += len(left) * len(right)
        self.work += len(left) * len(right)
        if self.endless and self.work > 10 * MOST_ENDLESS:
            raise EndlessWays("so many ways in which the dice can explode")
        found: Weights = {}
        for pool, weight in left.items():
            self.ordered += len(right) * (SORTED_BESIDE + len(pool))
            if self.ordered > SORTED * self.algebra.budget:
                raise self._too_many()
            for other, more in right.items():
                both = self.tidy((*pool, *other))
                found[both] = found.get(both, Fraction(0)) + weight * more
        return found

    def apply(self, weights: Weights, stage: Stage, most: int | None = None) -> Weights:
        """The pools after a modifier; `most` equal dice are enough for what follows."""
        modifier = stage.modifier
        without_end = isinstance(modifier, plan.Explode | plan.Again) and stage.limit is None
        several = isinstance(modifier, plan.Explode) and (modifier.adding or stage.many != 1)
        self.most = most if without_end and not several else None
        self.endless |= without_end and self.most is None
        match modifier:
            case plan.KeepDrop():
                change = pools.keep if modifier.word == "keep" else pools.drop
                return self._mapped(
                    weights, lambda pool: {change(pool, modifier.which, stage.number, modifier.span): Fraction(1)}
                )
            case plan.Against():
                return self._mapped(
                    weights, lambda pool: {tuple(die._replace(target=stage.target) for die in pool): Fraction(1)}
                )
            case plan.Explode():
                chains: dict[object, Weights] = {}
                return self._mapped(
                    weights, lambda pool: self._each(pool, lambda die: self._chain(die, stage, modifier, chains))
                )
            case plan.Reroll():
                return self._mapped(weights, lambda pool: self._rerolled(pool, stage))
            case plan.Again():
                return self._again(weights, stage)
            case plan.Advantage():
                return _advantage(weights, stage)

    def any_number_of(self, start: Weights, go: Weights) -> Weights:
        """`start`, and then `go` any number of times."""
        return any_number_of(start, go, lambda pool, more: self.tidy((*pool, *more)), len)

    def _large(self, what: str) -> TooLarge:
        return EndlessWays(what) if self.endless else TooLarge(what)

    def _too_many(self) -> TooLarge:
        return TooLarge(f"more than {self.algebra.budget:,} ways in which dice can fall, one modifier after another")

    def _foresee(self, weights: Weights, change: Callable[[Pool], object]) -> None:
        """Raises `TooLarge` where a modifier would put in order far more dice than may be, as `foresight` tells it."""
        before = self.work, self.ordered, self.algebra.states
        left = SORTED * self.algebra.budget - self.ordered
        listed, random = list(weights), Random(len(weights))

        def too_high() -> float:
            self.ordered = before[1]
            change(random.choice(listed))
            return (self.ordered - before[1]) * len(listed) / max(left, 1)

        if surely_too_many(too_high):
            raise self._too_many()
        self.work, self.ordered, self.algebra.states = before

    def _mapped(self, weights: Weights, change: Callable[[Pool], Mapping[Pool, Fraction]]) -> Weights:
        if len(weights) > MANY_POOLS:
            self._foresee(weights, change)
        found: Weights = {}
        for pool, weight in weights.items():
            for new, share in change(pool).items():
                new = _tidy(new)
                found[new] = found.get(new, Fraction(0)) + weight * share
            if len(found) > (MOST_ENDLESS if self.endless else self.algebra.budget):
                raise self._large(f"more than {len(found) - 1:,} ways in which the dice can fall")
        return found

    def _each(self, pool: Pool, change: Callable[[Die], Mapping[Pool, Fraction]]) -> Weights:
        found: Weights = {(): Fraction(1)}
        for die in pool:
            found = self.join(found, change(die))
        return found

    def _look(self, die: Die) -> Look:
        return self.algebra.kinds[die.kind, die.sides]

    def _chain(self, die: Die, stage: Stage, modifier: plan.Explode, known: dict[object, Weights]) -> Weights:
        """A die and all that it adds."""
        look = self._look(die)
        if not explodes(stage, die, look) or stage.limit == 0:
            return {(die._replace(face=as_number(die.face)) if modifier.adding else die,): Fraction(1)}
        added = look if stage.look is None else stage.look
        key = (die.kind, die.sides, die.target)
        if key not in known:
            known[key] = self._added(added, die.target, stage, modifier)
        found: Weights = {}
        for others, weight in known[key].items():
            if modifier.adding:
                new: Pool = (die._replace(face=sum((rank(other.face) for other in others), rank(die.face))),)
            else:
                new = (die, *others)
            found[new] = found.get(new, Fraction(0)) + weight
        return found

    def _added(self, look: Look, target: Any, stage: Stage, modifier: plan.Explode) -> Weights:
        """The dice that an explosion adds, one after another."""
        whole = sum(look.weights)
        dice = [Die(face, look.sides, target, look.kind, None) for face in look.faces]  # type: ignore[arg-type]
        goes = [explodes(stage, die, look) for die in dice]
        if all(goes) and stage.limit is None:
            raise never_ends(modifier, "explodes")
        if stage.many != 1:
            shares = [Fraction(weight, whole) for weight in look.weights]
            return self._several_added(list(zip(dice, shares, goes, strict=True)), stage)
        if self.most is not None:
            stop: Weights = {}
            going: Weights = {}
            for die, share, go in zip(dice, look.weights, goes, strict=True):
                (going if go else stop)[die,] = Fraction(share, whole)
            return self.join(self.any_number_of({(): Fraction(1)}, going), stop)
        found: Weights = {}
        before: Weights = {(): Fraction(1)}
        number = 0
        while before and (stage.limit is not None or sum(before.values()) >= ENDLESS_TAIL):
            number += 1
            last = stage.limit is not None and number >= stage.limit
            following: Weights = {}
            for others, weight in before.items():
                for die, more, go in zip(dice, look.weights, goes, strict=True):
                    into = following if go and not last else found
                    new = _tidy((*others, die))
                    into[new] = into.get(new, Fraction(0)) + weight * Fraction(more, whole)
            before = following
            if len(found) > (self.algebra.budget if stage.limit is not None else MOST_ENDLESS):
                large = TooLarge if stage.limit is not None else EndlessWays
                raise large("so many ways in which the dice can explode")
        return found

    def _several_added(self, faces: Sequence[tuple[Die, Fraction, bool]], stage: Stage) -> Weights:
        """The dice that an explosion adds, several at once, each of which may explode again."""
        going = stage.many * sum((share for _, share, go in faces if go), Fraction(0))
        if stage.limit is None and going > 1:
            raise never_ends(stage.modifier, "may add ever more dice")
        found: Weights = {}
        depth = 0
        while stage.limit is None or depth < stage.limit:
            depth += 1
            one: Weights = {}
            for die, share, go in faces:
                behind: Mapping[Pool, Fraction] = {(): Fraction(1)}
                if go and (stage.limit is None or depth > 1):
                    behind = found
                for others, weight in behind.items():
                    pool = _tidy((die, *others))
                    one[pool] = one.get(pool, Fraction(0)) + share * weight
            found = {(): Fraction(1)}
            for _ in range(stage.many):
                found = self.join(found, one)
            if stage.limit is None and (sum(found.values()) > 1 - ENDLESS_TAIL or not stage.many):
                break
        return found or {(): Fraction(1)}

    def _rerolled(self, pool: Pool, stage: Stage) -> Weights:
        assert stage.fits is not None
        bad = (
            [die for die in pools.ascending(pool) if stage.fits(die)]
            if _ordered(pool)
            else [die for die in pool if stage.fits(die)]
        )
        if stage.dice is not None:
            bad = bad[: stage.dice]
        if stage.limit == 0:
            bad = []
        kept = pools.without(pool, bad)
        found: Weights = {kept: Fraction(1)}
        for die in bad:
            look = self._look(die)
            faces = zip(look.faces, final_faces(look, stage), strict=True)
            found = self.join(found, {(die._replace(face=face),): share for face, share in faces if share})  # type: ignore[arg-type]
        return found

    def _again(self, weights: Weights, stage: Stage) -> Weights:
        assert stage.holds is not None
        going = {pool: weight for pool, weight in weights.items() if stage.holds(pool)}
        stopping = {pool: weight for pool, weight in weights.items() if pool not in going}
        if going and not stopping and stage.limit is None:
            raise never_ends(stage.modifier, "brings another throw")
        found = dict(weights if stage.limit == 0 else stopping)
        before: Weights = {} if stage.limit == 0 else going
        weights, stopping, going = (_later(each) for each in (weights, stopping, going))
        if self.most is not None:
            for pool, weight in self.join(self.any_number_of(before, going), stopping).items():
                found[pool] = found.get(pool, Fraction(0)) + weight
            return found
        rounds = 0
        while before:
            rounds += 1
            last = stage.limit is not None and rounds >= stage.limit
            for pool, weight in self.join(before, weights if last else stopping).items():
                found[pool] = found.get(pool, Fraction(0)) + weight
            if last:
                break
            if stage.limit is None and len(found) > MOST_ENDLESS:
                raise EndlessWays("so many ways in which dice can be thrown again")
            before = self.join(before, going)
            if stage.limit is None and sum(before.values()) < ENDLESS_TAIL:
                break
        return found


def _later(weights: Mapping[Pool, Fraction]) -> Weights:
    """The same dice as further ones, which were not there at first."""
    found: Weights = {}
    for pool, weight in weights.items():
        later = _tidy(die._replace(first=None) for die in pool)
        found[later] = found.get(later, Fraction(0)) + weight
    return found


def _ordered(pool: Pool) -> bool:
    return not any(isinstance(die.face, tuple) and die.face and not is_marked(die.face) for die in pool)


def _advantage(weights: Weights, stage: Stage) -> Weights:
    """The throw with the highest or lowest sum of several; among equal sums the first, so that each keeps its share."""
    if stage.number == 0:
        return weights
    by_sum: dict[Any, Fraction] = {}
    for pool, weight in weights.items():
        total = pools.total(pools.shown(pool), stage.modifier.span)
        by_sum[total] = by_sum.get(total, Fraction(0)) + weight
    times = 1 + abs(stage.number)
    share: dict[Any, Fraction] = {}
    before = Fraction(0)
    for total in sorted(by_sum, reverse=stage.number < 0):
        after = before + by_sum[total]
        share[total] = (after**times - before**times) / by_sum[total]
        before = after
    return {
        pool: weight * share[pools.total(pools.shown(pool), stage.modifier.span)] for pool, weight in weights.items()
    }
