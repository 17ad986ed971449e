"""The law of a form where dice explode without end and are asked for more than one sum: cell by cell of their runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from math import gcd, prod
from typing import Any, TypeAlias

from rulesrun.dice import Law
from rulesrun.dice.series import TooLarge
from rulesrun.evaluation.exact.facts import Facts
from rulesrun.evaluation.exact.resolve import moved
from rulesrun.evaluation.exact.runs import (
    Chains,
    Laying,
    Place,
    Unsettled,
    fixed_in,
    growth,
    growth_together,
    layings,
    numbers_in,
    runs_of,
    tells_apart,
)
from rulesrun.evaluation.exact.sources import Again, Mixed, OneDie, Part, Source, Thrown
from rulesrun.evaluation.exact.stretches import Facing, Stretch, facing, of_chain
from rulesrun.evaluation.exact.symbols import EVERYWHERE, Asked, Linear, Modulo, Ranges
from rulesrun.evaluation.exact.tabled import Answers, is_marks

Tabulate: TypeAlias = Callable[[Mapping[str, Source]], Answers]
"""The joint answers to all questions, for finite throws."""
Values: TypeAlias = tuple[int, ...]
MOST_CELLS = 3_000


@dataclass(slots=True)
class Celled:
    """The work for one form and some facts. `questions` are those whose answers make up the forms, and marks."""

    sources: Mapping[str, Source]
    facts: Facts
    form: Linear | None
    forms: Sequence[Linear]
    questions: Sequence[Any]
    tabulate: Tabulate
    work: Callable[[int], None]
    """Counts steps, and may raise where they are too many."""
    ranges: list[Ranges] = field(init=False)

    def __post_init__(self) -> None:
        self.ranges = [self.facts.inside.get(each, EVERYWHERE) for each in self.forms]

    def law(self) -> Law:
        """The law of the form where the facts hold (of 0 without a form). Raises `Unsettled`, `TooLarge`."""
        total = Law.of({})
        options = [
            layings(source, self.facts.struck)
            for source in self.sources.values()
            if isinstance(source, Thrown | Mixed | Again)
        ]
        for laid in product(*options):
            weight = Fraction(1)
            for each in laid:
                weight *= each.weight
            if weight:
                total = total + self._of_laying(laid).scaled(weight)
        return total

    def _of_laying(self, laid: Sequence[Laying]) -> Law:
        chains = _chains(laid)
        runs = [(chain, place) for chain in chains for place in range(len(chain.go))]
        dice = sum(part.count for each in laid for part in each.parts) + fixed_in(self.questions)
        least = 2 * dice + numbers_in(self.questions) + 3
        pairs = facing(self.questions, runs, dice, least)
        growths = [self._growth(chain, chain.go[place][0], runs) for chain, place in runs]
        together = {(pair.first, pair.second): self._together(pair, runs) for pair in pairs}
        blocks = [pair.parts(runs[pair.first][0], runs[pair.second][0]) for pair in pairs]
        paired = {number for pair in pairs for number in (pair.first, pair.second)}
        for chain in chains:
            mine = [number for number, (other, _) in enumerate(runs) if other is chain]
            if paired.isdisjoint(mine):
                steps = -(-least // chain.dice)
                if (steps + 1) ** len(mine) > MOST_CELLS:
                    raise TooLarge(f"{(steps + 1) ** len(mine):,} combinations of how many dice explode")
                blocks.append(of_chain(chain, mine, steps))
        if prod(map(len, blocks)) > MOST_CELLS:
            raise TooLarge(f"{prod(map(len, blocks)):,} combinations of how many dice explode")

        def slopes(grown: tuple[int, ...]) -> list[int]:
            more = together.get((min(grown), max(grown)), [0] * len(self.forms))
            return [more[at] + sum(growths[run][at] for run in grown) for at in range(len(self.forms))]

        total = Law.of({})
        for cell in product(*blocks):
            total = total + self._of_cell(laid, runs, cell, slopes)
        return total

    def _together(self, pair: Facing, runs: Sequence[tuple[Chains, int]]) -> list[int]:
        """By how much each form grows where both runs of a pair do, beyond what each does by itself."""
        named = [(chain.name, chain.go[at][0]) for chain, at in runs]
        found = []
        for form in self.forms:
            more = 0
            for left, factor in form.leftovers:
                if isinstance(left, Asked) and tells_apart(left, named):
                    (mine,), (others,) = runs_of(left.pool, named), runs_of(left.other, named)  # type: ignore[arg-type]
                    if {mine, others} == {pair.first, pair.second}:
                        more += int(factor) * growth_together(left, named) * runs[pair.first][0].dice
            found.append(more)
        return found

    def _growth(self, chain: Chains, place: Place, runs: Sequence[tuple[Chains, int]]) -> list[int]:
        """By how much each form grows with a run; a Modulo must not feel it."""
        source = self.sources[chain.name]
        look = source.looks[place[0]]
        key = (look.sides, look.target, look.kind)
        slopes: dict[Any, int] = {}
        known = [(other.name, other.go[at][0]) for other, at in runs]
        for question in self.questions:
            if isinstance(question, Asked):
                slopes[question] = growth(question, chain.name, place, key, known)
            elif not is_marks(question):
                slopes[question] = int(dict(question).get((chain.name, place[0]), {place[1]: 0})[place[1]])
        found = []
        for form in self.forms:
            slope = slopes[form.terms] if form.terms else 0
            for left, factor in form.leftovers:
                if isinstance(left, Modulo):
                    if slopes[left.terms] * chain.dice % left.modulus:
                        raise Unsettled
                else:
                    slope += int(factor) * slopes[left]
            found.append(slope * chain.dice)
        return found

    def _of_cell(
        self,
        laid: Sequence[Laying],
        runs: Sequence[tuple[Chains, int]],
        cell: Sequence[Stretch],
        slopes_of: Callable[[tuple[int, ...]], list[int]],
    ) -> Law:
        grows = [grown for stretch in cell for grown in stretch.grows]
        by_growth = [slopes_of(grown) for grown in grows]
        slopes = [[each[at] for each in by_growth] for at in range(len(self.forms))]
        direction = next((_primitive(each) for each in slopes if any(each)), [0] * len(grows))
        multiples = [_multiple(each, direction) if any(each) else 0 for each in slopes]
        chances, place = Law.point(0), 0
        for stretch in cell:
            chances = chances * stretch.law(direction[place : place + len(stretch.grows)])
            place += len(stretch.grows)
        if chances.is_zero:
            return Law.of({})
        lengths = {run: length for stretch in cell for run, length in stretch.lengths.items()}
        values = self._values(laid, runs, lengths)
        for steps in (1, 2) if grows else ():
            self._verify(laid, runs, lengths, grows, slopes, steps, values)
        total = Law.of({})
        for (starts, holds), weight in values.items():
            if holds:
                total = total + self._within(chances, starts, multiples).scaled(weight)
        return total

    def _within(self, along: Law, starts: Values, multiples: Sequence[int]) -> Law:
        """The law of the form where all forms lie in their ranges: each is its start plus a multiple of one number."""
        for start, multiple, ranges in zip(starts, multiples, self.ranges, strict=True):
            if not multiple:
                if ranges.meets(Ranges.of(start, start)).empty:
                    return Law.of({})
            elif ranges != EVERYWHERE:
                kept = Law.of({})
                for low, high in moved(ranges, start, multiple).ranges:
                    kept = kept + along.restrict(low, high)
                along = kept
        if self.form is None:
            return along.affine(0)
        at = self.forms.index(self.form)
        return along.affine(multiples[at], starts[at])

    def _values(
        self, laid: Sequence[Laying], runs: Sequence[tuple[Chains, int]], lengths: Mapping[int, int]
    ) -> dict[tuple[Values, bool], Fraction]:
        """The joint values of all forms, and whether all marks show, with runs of these lengths."""
        finite: dict[str, Source] = {}
        for (name, source), each in zip(self.sources.items(), laid, strict=True):
            long = []
            for run, (chain, at) in enumerate(runs):
                length = lengths[run]
                if chain.name == name and length:
                    slot, face = chain.go[at][0]
                    long.append(Part(length * chain.dice, OneDie(1, ((slot, face, 1),))))
            finite[name] = Thrown(name, source.looks, (*each.parts, *long))
        table = self.tabulate(finite)
        self.work(len(table.weights) * len(self.questions))
        found: dict[tuple[Values, bool], Fraction] = {}
        for answers, weight in table.weights.items():
            by_question = {question: answers[table.places[question]] for question in self.questions}
            key = (
                tuple(value_of(form, by_question) for form in self.forms),
                all(answer for question, answer in by_question.items() if is_marks(question)),
            )
            found[key] = found.get(key, Fraction(0)) + weight * table.share / table.total
        return found

    def _verify(
        self,
        laid: Sequence[Laying],
        runs: Sequence[tuple[Chains, int]],
        lengths: Mapping[int, int],
        grows: Sequence[tuple[int, ...]],
        slopes: Sequence[Sequence[int]],
        steps: int,
        values: Mapping[tuple[Values, bool], Fraction],
    ) -> None:
        """Makes sure that longer runs change all answers by what they are said to."""
        longer = dict(lengths)
        for grown in grows:
            for run in grown:
                longer[run] += steps
        more = [steps * sum(each) for each in slopes]
        expected = {
            (tuple(a + b for a, b in zip(starts, more, strict=True)), holds): weight
            for (starts, holds), weight in values.items()
        }
        if self._values(laid, runs, longer) != expected:
            raise Unsettled


def _chains(laid: Sequence[Laying]) -> list[Chains]:
    return [chain for each in laid for chain in each.chains]


def _primitive(slopes: Sequence[int]) -> list[int]:
    common = gcd(*slopes)
    return [slope // common for slope in slopes]


def _multiple(slopes: Sequence[int], direction: Sequence[int]) -> int:
    """The number m with slopes = m * direction. Raises `Unsettled` where there is none."""
    first = next(at for at, slope in enumerate(direction) if slope)
    whole, rest = divmod(slopes[first], direction[first])
    if rest or any(slope != whole * along for slope, along in zip(slopes, direction, strict=True)):
        raise Unsettled
    return whole


def value_of(form: Linear, answers: Mapping[Any, Any]) -> int:
    """The value of a form, by the answers to its questions; a Modulo as what is left over."""
    value = int(answers[form.terms]) if form.terms else 0
    for left, factor in form.leftovers:
        if isinstance(left, Modulo):
            value += int(factor) * (int(answers[left.terms]) % left.modulus)
        else:
            value += int(factor) * int(answers[left])
    return value
