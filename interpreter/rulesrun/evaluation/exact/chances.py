"""The chance of facts, and the law of a form given facts, by algebra.

| facts | method |
|---|---|
| faces struck | evaluate the throw without them |
| a set of faces of which one shows | with and without them: inclusion and exclusion |
| one form in ranges | the coefficients of its polynomial or series |
| leftovers modulo 2 (pairs) | the evaluations at +1 and -1 |
| several forms | one polynomial with packed exponents |
| answers of questions that walk the faces | `dice.joint` |
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm
from typing import Any, TypeVar

from rulesrun.dice import Law
from rulesrun.dice.series import TooLarge
from rulesrun.evaluation.exact.beside_bounded import beside_bounded
from rulesrun.evaluation.exact.facts import Facts
from rulesrun.evaluation.exact.forms import (
    inclusion_exclusion,
    is_endless,
    is_scattered,
    only_form,
    says_all_equal,
    within,
)
from rulesrun.evaluation.exact.middles import law_by_sums, middle_in
from rulesrun.evaluation.exact.questions import NotWalkable
from rulesrun.evaluation.exact.sources import Again, Look, Source
from rulesrun.evaluation.exact.symbols import Asked, Linear, Modulo, names_of
from rulesrun.evaluation.exact.without_end import WithoutEnd

T = TypeVar("T")
MOST_MADE = 1_000
"""So many unknown numbers are remembered with what they were made of."""

MAX_CAP = 20_000
"""Dice that explode without end are told apart up to there at the most."""
LONGEST = 60
"""And by what they leave when they are divided by so much at the most."""
BITS = 600_000
"""A chance takes one step for so many of the square of how many digits it has in base 2."""


@dataclass(slots=True)
class Algebra(WithoutEnd):
    """The work of one call: what it computed of throws it meets again, and how much."""

    kinds: dict[tuple[str, int | None], Look] = field(default_factory=dict)
    """The kinds of dice met so far, by name and sides, as they are when fresh."""
    cap: int = 250
    """Up to where dice that explode without end and are asked for more than their sum are told apart."""
    period: int = 1
    """And above that by what they leave when they are divided by this."""
    natural: bool = False
    """Whether what dice showed first is asked somewhere."""
    follows_growth: bool = False
    """Whether it is noted what a number is all along an endless row, for its mean."""
    before: Any = None
    """What the last cell of a table went through (`question.Before`)."""
    sums: dict[object, Any] = field(default_factory=dict)
    """Unknown numbers that were made of others, the last of them."""

    def made(self, key: object, make: Callable[[], T]) -> T:
        """What is made of unknown values, once for all situations and cells in which they are the same."""
        found = self.sums.get(key)
        if found is None:
            if len(self.sums) >= MOST_MADE:
                self.sums.clear()
            found = self.sums[key] = make()
        return found

    @property
    def told(self) -> tuple[int, int]:
        """How far such dice are told apart."""
        return self.cap, self.period

    def further(self, wanted: int, period: int) -> None:
        """From now on such dice are told apart up to there, and by what they leave. Raises `TooLarge`."""
        if wanted > MAX_CAP:
            raise TooLarge(f"exploding dice up to {wanted:,}")
        if lcm(period, self.period) > LONGEST:
            raise TooLarge(f"exploding dice by what they leave when they are divided by {period:,}")
        if wanted > self.cap:
            self.cap = 2 * wanted
        self.period = lcm(period, self.period)

    def scattered(self, sources: Mapping[str, Source], form: Linear) -> frozenset[str]:
        """The throws that can fall in far fewer ways than there are numbers in the reach of their share of a form, so
        that they are better looked at one by one than counted number by number.
        """
        names = names_of(form)
        return frozenset(name for name in names if is_scattered(sources[name], name, form))

    def chance(self, sources: Mapping[str, Source], facts: Facts) -> Fraction:
        """The weight of what the facts allow of these throws; throws that no fact joins multiply."""
        if not facts.struck and not facts.shown and not facts.inside:
            return Fraction(1)
        groups = facts.groups(sources)
        if len(groups) == 1:
            return self.mass({name: sources[name] for name in sorted(sources)}, facts)
        result = Fraction(1)
        for names in groups:
            about = facts.about(names)
            if about.struck or about.shown or about.inside:
                result *= self.mass({name: sources[name] for name in sorted(names)}, about)
        return result

    def law(self, sources: Mapping[str, Source], facts: Facts, form: Linear | None) -> Law:
        """The law of a canonical form (None: of 0) where the facts hold; `sources` are those that facts and form
        read.
        """
        forms = list(facts.inside)
        if form is not None and form not in facts.inside:
            forms.append(form)
        if facts.shown and len(forms) > 1:
            total_ = Law.of({})
            for sign, struck in inclusion_exclusion(facts):
                law = self.law(sources, Facts(struck, (), facts.inside), form)
                total_ = total_ + law if sign > 0 else total_ - law
            return total_
        equal = next((each for each in facts.inside if each != form and says_all_equal(each, sources)), None)
        if equal is not None:
            return self._all_equal(sources, facts, form, equal)
        if len(sources) > 1:
            product_ = self._independent(sources, facts, form)
            if product_ is not None:
                return product_
        if len(forms) > 1:
            apart = self._apart(sources, facts, form, forms)
            if apart is not None:
                return apart
            parted = self._parted(sources, facts, form, forms)
            if parted is not None:
                return parted
        middle = middle_in(forms) if is_endless(sources) else None
        if middle is not None:
            return law_by_sums(middle, facts, form, lambda about, each: self.law(sources, about, each))
        if len(forms) > 1 and is_endless(sources):
            beside = beside_bounded(
                facts,
                form,
                forms,
                [self.form_bounds(sources, each) for each in forms],
                lambda struck, terms: self._element(sources, struck, terms, ()),
            )
            if beside is not None:
                self.methods.add("packed polynomial")
                return beside
        again = any(isinstance(source, Again) for source in sources.values())
        for method in (self._saturated, self._celled) if again else (self._celled, self._saturated):
            found = method(sources, facts, form, forms)
            if found is not None:
                return found
        if any(isinstance(each, Asked) for f in forms for each, _ in f.leftovers):
            try:
                return self._by_joint(sources, facts, form)
            except (NotWalkable, ValueError):
                return self._by_listing(sources, facts, form)
        if len(forms) > 1 or any(
            isinstance(each, Modulo) and each.modulus != 2 for f in forms for each, _ in f.leftovers
        ):
            return self._packed(sources, facts, form, forms)
        only = forms[0] if forms else None
        total: Law | None = None
        for sign, struck in inclusion_exclusion(facts):
            law = self._one_form(sources, struck, only)
            total = (law if sign > 0 else law.scaled(-1)) if total is None else total + law if sign > 0 else total - law
        if total is None:
            return Law.of({})
        return within(total, facts.inside[only]) if only is not None and only in facts.inside else total

    def mass(self, sources: Mapping[str, Source], facts: Facts) -> Fraction:
        """The weight of the facts about throws that they join."""
        form = only_form(facts)
        if form is None:
            return self.law(sources, facts, None).mass
        result: Fraction | None = None
        for sign, law in self.signed_laws(sources, facts, form):
            for low, high in facts.inside[form].ranges:
                share = law.mass_between(low, high)
                self.work(share.denominator.bit_length() ** 2 // BITS)
                result = share if result is None else result + share if sign > 0 else result - share
        return Fraction(0) if result is None else result

    def signed_laws(self, sources: Mapping[str, Source], facts: Facts, form: Linear) -> Iterable[tuple[int, Law]]:
        """Laws of a form that, added and taken away, are its law where the faces show that have to; `form` is the
        `only_form` of the facts, and may be anywhere.
        """
        return ((sign, self._one_form(sources, struck, form)) for sign, struck in inclusion_exclusion(facts))
