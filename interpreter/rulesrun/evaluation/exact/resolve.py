"""Looking at dice: unknown values with the dice of some throws made known, answered with the operations that a roll
uses.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from math import floor
from typing import Any

from rulesrun.evaluation import pools
from rulesrun.evaluation.exact.facts import Facts
from rulesrun.evaluation.exact.listing import Dice
from rulesrun.evaluation.exact.sources import SAME, Look, Source
from rulesrun.evaluation.exact.symbols import (
    AnyShows,
    Asked,
    Extreme,
    Floor,
    InSets,
    Inside,
    Keep,
    Leftover,
    Linear,
    Modulo,
    Number,
    Only,
    PoolStep,
    Ranges,
    Scores,
    Slot,
    UnknownPool,
    Without,
    add,
    linear,
    names_of,
    times,
)
from rulesrun.evaluation.pools import Die, Pool, arranged


class NeedsAll(Exception):
    """A value joins these throws: they have to be looked at together."""

    def __init__(self, names: frozenset[str]) -> None:
        super().__init__(names)
        self.names = names


def die_of(look: Look, face: int, image: object) -> Die:
    """A die of a slot that shows the image of one of its faces."""
    first = look.faces[face] if look.first is SAME else look.first
    return Die(image, look.sides, look.target, look.kind, first)  # type: ignore[arg-type]


def identity(die: Die) -> tuple[object, ...]:
    """What a score can tell of a die."""
    return (die.face, die.sides, die.target, die.kind)


class Resolver:
    """The dice that lie on the table, by the name of their throw."""

    def __init__(self, known: Mapping[str, Dice], sources: Mapping[str, Source]) -> None:
        self.known, self.sources = known, sources

    def value(self, value: Any) -> Any:
        """The value with these throws known; what does not read them as it is. Raises `NeedsAll`."""
        match value:
            case Linear():
                return self._linear(value)
            case UnknownPool():
                return self._pool(value)
            case AnyShows():
                return self._any(value)
            case Inside():
                return inside(self._linear(value.form), value.ranges)
            case tuple() if not isinstance(value, Die) and any(isinstance(each, Linear) for each in value):
                return tuple(self.value(each) for each in value)
            case _:
                return value

    def facts(self, facts: Facts) -> Facts | None:
        """The facts that are left to hold of other throws; None where one does not hold. Raises `NeedsAll`."""
        for name, dice in self.known.items():
            if any(facts.struck.get((name, slot), 0) >> face & 1 for slot, face in dice):
                return None
        beyond = frozenset(form for form in facts.beyond if self.known.keys().isdisjoint(names_of(form)))
        result = Facts({slot: bits for slot, bits in facts.struck.items() if slot[0] not in self.known}, beyond=beyond)
        for condition in (
            *map(AnyShows, facts.shown),
            *(Inside(form, ranges) for form, ranges in facts.inside.items()),
        ):
            holds = self.value(condition)
            if holds is False:
                return None
            if isinstance(holds, AnyShows):
                result = Facts(result.struck, (*result.shown, holds.marks), result.inside, beyond)
            elif isinstance(holds, Inside):
                before = result.inside.get(holds.form)
                both = holds.ranges if before is None else before.meets(holds.ranges)
                if both.empty:
                    return None
                result = Facts(result.struck, result.shown, {**result.inside, holds.form: both}, beyond)
        return result

    def _any(self, value: AnyShows) -> AnyShows | bool:
        rest = []
        for (name, slot), bits in value.marks:
            if name not in self.known:
                rest.append(((name, slot), bits))
            elif any(at == slot and bits >> face & 1 for at, face in self.known[name]):
                return not value.negated
        return AnyShows(tuple(rest), value.negated) if rest else value.negated

    def _scores(self, terms: tuple[tuple[Slot, Scores], ...]) -> tuple[Number, dict[Slot, Scores]]:
        """The sum over known dice, and the terms of the others."""
        sure: Number = 0
        rest: dict[Slot, Scores] = {}
        for (name, slot), scores in terms:
            if name in self.known:
                sure += sum(scores[face] for at, face in self.known[name] if at == slot)
            else:
                rest[name, slot] = scores
        return sure, rest

    def _linear(self, value: Linear) -> Linear | Number:
        sure, rest = self._scores(value.terms)
        result: Linear | Number = linear(value.constant + sure, rest, {})
        for each, factor in value.leftovers:
            left = self._leftover(each)
            result = add(result, times(left, factor))
        return result

    def _leftover(self, each: Leftover) -> Linear | Number:
        match each:
            case Modulo():
                return self._modulo(each)
            case Asked():
                return self._asked(each)
            case Floor():
                inner = self._linear(each.inner)
                return Linear(0, (), ((Floor(inner), 1),)) if isinstance(inner, Linear) else floor(inner)
            case Extreme():
                items = tuple(self._linear(item) if isinstance(item, Linear) else item for item in each.items)
                if any(isinstance(item, Linear) for item in items):
                    return Linear(0, (), ((Extreme(each.highest, items), 1),))
                return max(items) if each.highest else min(items)  # type: ignore[type-var]

    def _modulo(self, each: Modulo) -> Linear | Number:
        sure, rest = self._scores(each.terms)
        if not rest:
            return int(sure) % each.modulus
        left = Linear(0, (), ((Modulo(tuple(sorted(rest.items())), each.modulus), 1),))
        if int(sure) % each.modulus == 0:
            return left
        if each.modulus == 2:
            return add(1, left, -1)
        raise NeedsAll(names_of(each))

    def _asked(self, each: Asked) -> Linear | Number:
        reads = names_of(each)
        if reads.isdisjoint(self.known):
            return Linear(0, (), ((each, 1),))
        if not reads <= self.known.keys():
            raise NeedsAll(reads)
        return self.answered(each)

    def answered(self, each: Asked) -> Number:
        """The answer to a question that reads known throws only."""
        if each.other is None and not each.pool.steps:
            return answer(each, (*each.pool.fixed, *self.dice_of(each.pool)), None)
        pool, other = self._pool(each.pool), None if each.other is None else self._pool(each.other)
        return answer(each, pool, other)  # type: ignore[arg-type]

    def _pool(self, pool: UnknownPool) -> UnknownPool | Pool:
        reads = names_of(pool)
        if reads.isdisjoint(self.known) and reads:
            return pool
        if pool.steps and not reads <= self.known.keys():
            raise NeedsAll(frozenset(reads))
        pieces, dice = [], list(pool.fixed)
        for (name, slot), images in pool.pieces:
            if name not in self.known:
                pieces.append(((name, slot), images))
                continue
            look = self.sources[name].looks[slot]
            dice += [
                die_of(look, face, images[face])
                for at, face in self.known[name]
                if at == slot and images[face] is not None
            ]
        if pieces:
            return UnknownPool(tuple(pieces), (), arranged(dice))
        return stepped(arranged(dice), pool.steps, self._pool)

    def dice_of(self, pool: UnknownPool | None) -> Pool:
        """The known dice of a pool, before its steps and without its fixed dice."""
        if pool is None:
            return ()
        dice = []
        for (name, slot), images in pool.pieces:
            if name in self.known:
                look = self.sources[name].looks[slot]
                dice += [
                    die_of(look, face, images[face])
                    for at, face in self.known[name]
                    if at == slot and images[face] is not None
                ]
        return tuple(dice)


def stepped(dice: Pool, steps: Iterable[PoolStep], pool_of: Callable[[UnknownPool], Any]) -> Pool:
    """What the steps of a pool leave of its dice; `pool_of` gives the known dice of another pool."""
    for step in steps:
        match step:
            case Keep(kind, number):
                word, which = kind.split()
                change = pools.keep if word == "keep" else pools.drop
                dice = change(dice, which, number, _NOWHERE)
            case Only(faces):
                dice = tuple(die for die in dice if die.face in faces)
            case InSets(sets):
                there = Counter(pools.shown(dice))
                dice = tuple(die for die in dice if (die.face, there[die.face]) in sets)
            case Without(other):
                dice = pools.cancelled(dice, pool_of(other), _NOWHERE)
    return dice


_NOWHERE: Any = None
"""Questions with an `Asked` are only made of dice that show numbers, so no error needs a place."""


def answer(asked: Asked, pool: Pool, other: Pool | None) -> Number:
    """The answer to a question that walks the faces, from known dice."""
    match asked.what:
        case "outranks" | "wins":
            assert other is not None
            ask: Callable[..., Any] = pools.outranks if asked.what == "outranks" else pools.wins
            return int(ask(pools.shown(pool), pools.shown(other), _NOWHERE))
        case "sets":
            assert asked.detail is not None
            return sum(1 for size in Counter(pools.shown(pool)).values() if size in asked.detail)
        case "score":
            assert isinstance(asked.detail, frozenset)
            scores = dict(asked.detail)  # type: ignore[arg-type]
            return sum(scores[identity(die)] for die in pool)
        case "matched":
            by_number: dict[Any, int] = dict(asked.detail or ())  # type: ignore[arg-type]
            there = Counter(pools.shown(pool))
            return sum(by_number[*identity(die), there[die.face]] for die in pool)
        case word:
            return int(pools.ask(word, pool, _NOWHERE))  # type: ignore[arg-type]


def inside(value: Linear | Number, ranges: Ranges) -> Inside | bool:
    """Whether a number lies in ranges of whole numbers: yes or no, or the condition on its canonical form."""
    if not isinstance(value, Linear):
        return value.denominator == 1 and not ranges.meets(Ranges.of(int(value), int(value))).empty
    form, factor = value.canonical()
    return Inside(form, moved(ranges, value.constant, factor))


def moved(ranges: Ranges, constant: Number, factor: Number) -> Ranges:
    """The whole numbers v for which constant + factor * v lies between the ends of a range."""
    found = []
    for low, high in ranges.ranges:
        a = None if low is None else Fraction(low - constant) / Fraction(factor)
        b = None if high is None else Fraction(high - constant) / Fraction(factor)
        if factor < 0:
            a, b = b, a
        least = None if a is None else -(-a.numerator // a.denominator)
        most = None if b is None else b.numerator // b.denominator
        if least is None or most is None or least <= most:
            found.append((least, most))
    return Ranges(tuple(sorted(found, key=lambda pair: (pair[0] is not None, pair[0] or 0))))
