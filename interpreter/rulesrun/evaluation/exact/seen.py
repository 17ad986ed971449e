"""What an expression may read while it is evaluated, and how it asks for more than is known."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from math import floor
from typing import Any, TypeVar, cast

from rulesrun.evaluation import operations
from rulesrun.evaluation.exact import beyond
from rulesrun.evaluation.exact.beyond import Beyond, Lost
from rulesrun.evaluation.exact.chances import Algebra
from rulesrun.evaluation.exact.facts import Facts
from rulesrun.evaluation.exact.growth import Growth
from rulesrun.evaluation.exact.onward import OF_FACES, falling, rising
from rulesrun.evaluation.exact.sources import Source
from rulesrun.evaluation.exact.symbols import (
    EVERYWHERE,
    SCORED,
    AnyShows,
    Asked,
    Extreme,
    Floor,
    Inside,
    Linear,
    Number,
    Ranges,
    Slot,
    UnknownPool,
    names_of,
    plain,
    slots_of,
)
from rulesrun.evaluation.pools import Die
from rulesrun.semantics import plan

T = TypeVar("T")


class Split(Exception):
    """A condition is not decided by the facts: evaluate again with it, and with its opposite."""

    def __init__(self, condition: AnyShows | Inside) -> None:
        super().__init__(condition)
        self.condition = condition


class Spread(Exception):
    """A number has to be known: evaluate again with each of the values of this form."""

    def __init__(self, form: Linear) -> None:
        super().__init__(form)
        self.form = form


class Reveal(Exception):
    """Dice have to be looked at: evaluate again with each of the ways in which these throws can fall."""

    def __init__(self, names: frozenset[str]) -> None:
        super().__init__(names)
        self.names = names


class Uncapped(Exception):
    """Dice that may explode without end have to be known further up than they are, or told apart by what they leave
    when they are divided by a period.
    """

    def __init__(self, wanted: int, period: int = 1) -> None:
        super().__init__(wanted, period)
        self.wanted, self.period = wanted, period


class Seen:
    """One state while one of its lines is evaluated."""

    __slots__ = ("algebra", "cells", "die", "env", "facts", "group", "other", "ruleset", "sources")

    def __init__(
        self,
        env: dict[str, Any],
        sources: Mapping[str, Source],
        facts: Facts,
        algebra: Algebra,
        ruleset: plan.RulesetPlan,
    ) -> None:
        self.env, self.sources, self.facts, self.algebra, self.ruleset = env, sources, facts, algebra, ruleset
        self.die: Die | None = None
        self.other: Die | None = None
        self.group: Any = None
        self.cells: tuple[int, ...] = ()

    def with_die(self, die: Any, ask: Callable[[], T]) -> T:
        """The answer to what is asked of one die."""
        before, self.die = self.die, die
        try:
            return ask()
        finally:
            self.die = before

    def truth(self, value: Any, at: plan.Expr) -> bool:
        """Yes or no for certain; raises `Split`."""
        if value is True or value is False:
            return value
        if isinstance(value, AnyShows | Inside):
            return self.decide(value)
        return operations.truth(value, at)

    def decide(self, condition: AnyShows | Inside) -> bool:
        """Whether the condition holds; raises `Split` where the facts leave it open."""
        unbounded = not isinstance(condition, Inside) or condition.form in self.facts.inside
        bounds = EVERYWHERE if unbounded else self.bounds(condition.form)  # type: ignore[union-attr]
        decided = self.facts.decide(condition, bounds)
        if decided is None:
            if isinstance(condition, Inside):
                self.look_at_scattered(condition.form)
            raise Split(condition)
        return decided

    def bounds(self, form: Linear) -> Ranges:
        """Where a canonical form can lie."""
        return Ranges.of(*self.algebra.form_bounds(self.sources, form))

    def known(self, value: Any) -> Any:
        """The value with nothing unknown in it; raises `Spread`, `Reveal`, `Split`, or `Lost` where it lies beyond a
        bound.
        """
        if type(value) is int:
            return value
        found = self.bounded(value)
        if isinstance(found, Beyond):
            raise Lost
        return found

    def bounded(self, value: Any) -> Any:
        """As `known`, but a number may be `Beyond` a bound."""
        if isinstance(value, Linear):
            if value.layered or self.mixed(value):
                return self.total(value.constant, self.parts(value))
            return self._number(value)
        if isinstance(value, UnknownPool):
            raise Reveal(names_of(value))
        if isinstance(value, AnyShows | Inside):
            return self.decide(value)
        if type(value) is not tuple or not value or type(value[0]) is Die:
            return value
        if any(isinstance(each, Linear | UnknownPool | AnyShows | Inside) for each in value):
            return tuple(self.known(each) for each in value)
        return value

    def _number(self, value: Linear) -> Any:
        form, factor = value.canonical()
        ranges = self.facts.inside.get(form)
        if ranges is None:
            self.look_at_scattered(form)
            raise Spread(form)
        if form in self.facts.beyond:
            low, high = ranges.ranges[0]
            if high is None and low is not None:
                return Beyond(plain(value.constant + factor * low), factor > 0, self._growth(value))
            if low is None and high is not None:
                return Beyond(plain(value.constant + factor * high), factor < 0, self._growth(value))
        only = ranges.only
        if only is None:
            raise Spread(form)
        number = plain(value.constant + factor * only)
        cap = self.capped(form)
        return Beyond(number, factor > 0) if cap is not None and only >= cap else number

    def _growth(self, value: Linear) -> Growth | None:
        """What it is at each number of its form; None where that is not known, as of dice known only up to a cap."""
        form, factor = value.canonical()
        if not self.algebra.follows_growth or self.capped(form) is not None:
            return None
        return Growth.of(form, value.constant, factor)

    def look_at_scattered(self, form: Linear) -> None:
        """Raises `Reveal` for throws of which a form has few values far apart."""
        if scattered := self.algebra.scattered(self.sources, form):
            raise Reveal(scattered)

    def mixed(self, value: Linear) -> bool:
        """Whether dice that are known only up to a cap are joined with others, so that each part has to be known by
        itself: not where all that is added up goes one way, which is far enough if one part is.
        """
        if len(value.leftovers) + len(value.terms) < 2:
            return False
        if not any(self.sources[name].looks[slot].cap is not None for name, slot in slots_of(value)):
            return False
        signs = {x > 0 for _, scores in value.terms for x in scores if x}
        return bool(value.leftovers) or len(signs) > 1

    def parts(self, value: Linear) -> Iterator[tuple[Linear, Number]]:
        """What adds up to a number that is layered or mixed, beside its constant: each a part with a factor."""
        capped = {pair for pair in value.terms if self.sources[pair[0][0]].looks[pair[0][1]].cap is not None}
        for terms in (*((pair,) for pair in capped), tuple(pair for pair in value.terms if pair not in capped)):
            if terms:
                yield Linear(0, terms, ()), 1
        for each, factor in value.leftovers:
            yield Linear(0, (), ((each, 1),)), factor

    def is_settled(self, part: Linear) -> bool:
        """Whether it is known which number a part is, or that it lies beyond a bound."""
        form, _ = part.canonical()
        return form in self.facts.beyond or (form in self.facts.inside and self.facts.inside[form].only is not None)

    def total(self, constant: Number, parts: Iterable[tuple[Linear, Number]]) -> Any:
        """The sum of known parts, perhaps beyond a bound."""
        total: Any = constant
        for part, factor in parts:
            total = _plus(total, self._part(part), factor)
        return total

    def _part(self, part: Linear) -> Any:
        match part.leftovers[0][0] if part.leftovers else None:
            case Floor(inner):
                found = self.bounded(inner)
                return beyond.function("round_down", [found]) if isinstance(found, Beyond) else floor(found)
            case Extreme(highest, items):
                return beyond.extreme(highest, [self.bounded(item) for item in items])
            case _:
                return self._number(part)

    def capped(self, form: Linear) -> int | None:
        """From where on the values of a form are only known to be that high, because dice that it adds up are known
        only up to a cap. None where all are exact.
        """
        caps: list[int] = []
        for (name, place), scores in form.terms:
            look = self.sources[name].looks[place]
            if rising(scores, look):
                others = (self.count((name, place)) or 1) - 1
                caps.append(int(min(scores[at] for at in look.tail) + min(0, *scores) * others))
        for each, _ in form.leftovers:
            if isinstance(each, Asked):
                caps += self._capped_answer(each)
        return min(caps, default=None)

    def _capped_answer(self, asked: Asked) -> Iterable[int]:
        scores: dict[Any, Any] = dict(cast("frozenset[Any]", asked.detail)) if asked.what in SCORED else {}
        for (name, place), images in asked.pool.pieces:
            look = self.sources[name].looks[place]
            if look.cap is None:
                continue
            kind = look.sides, look.target, look.kind
            for rest in {tuple(rest) for _, *rest in scores if tuple(rest[:3]) == kind}:
                shown = [scores[image, *rest] for image in images]
                if rising(shown, look):
                    lowest = min(shown[at] for at in look.tail)
                    yield int(lowest + min(0, *scores.values()) * self._others(asked.pool))
            if asked.what in OF_FACES and rising(images, look):
                yield min(int(images[at]) for at in look.tail)  # type: ignore[call-overload]

    def _others(self, pool: UnknownPool) -> int:
        """How many dice lie beside one of a pool."""
        counts = [self.count(slot) for slot, _ in pool.pieces]
        if None in counts:
            raise Reveal(names_of(pool))
        return sum(count for count in counts if count is not None) + len(pool.fixed) - 1

    def count(self, slot: Slot) -> int | None:
        """How many dice of a slot lie there, None if that is left to chance."""
        return self.sources[slot[0]].count(slot[1])

    def score(self, constant: Number, scores: Mapping[Slot, tuple[Number, ...]]) -> Linear | Number:
        """The sum of scores over dice; where their number is known, the score of the first face is taken into the
        constant, or, of capped dice whose scores go on, the one that leaves all others on one side of 0.
        """
        terms = []
        for slot, numbers in scores.items():
            self.algebra.look_at(len(numbers))
            base, look = numbers[0], self.sources[slot[0]].looks[slot[1]]
            if rising(numbers, look):
                base = max(numbers) if falling(numbers, look) else min(numbers)
            if base:
                count = self.count(slot)
                if count is not None:
                    constant += base * count
                    numbers = tuple(plain(x - base) for x in numbers)
            if any(numbers):
                terms.append((slot, numbers))
        if not terms:
            return plain(Fraction(constant)) if isinstance(constant, Fraction) else constant
        terms.sort()
        return Linear(plain(constant), tuple(terms), ())


def _plus(total: Any, part: Any, factor: Number) -> Any:
    if isinstance(total, Beyond) or isinstance(part, Beyond):
        return beyond.arithmetic(
            total, beyond.arithmetic(part, factor, "*") if isinstance(part, Beyond) else part * factor, "+"
        )
    return plain(total + part * factor)
