"""The law of one number over throws that were not looked at: a polynomial or series, with leftovers modulo 2."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from rulesrun.dice import Law
from rulesrun.evaluation.exact.effort import Effort
from rulesrun.evaluation.exact.facts import Facts
from rulesrun.evaluation.exact.forms import (
    flips_of,
    hom_of,
)
from rulesrun.evaluation.exact.sources import ONE, Polynomial, Source, Thrown
from rulesrun.evaluation.exact.symbols import (
    Linear,
    Modulo,
    Scores,
    Slot,
)


@dataclass(slots=True)
class Elements(Effort, ABC):
    """Laws of single numbers, each computed once."""

    _laws: dict[object, Law] = field(default_factory=dict)
    _polynomials: dict[object, Polynomial] = field(default_factory=dict)

    @abstractmethod
    def law(self, sources: Mapping[str, Source], facts: Facts, form: Linear | None) -> Law:
        """The law of a canonical form (None: of 0) where the facts hold."""

    @abstractmethod
    def chance(self, sources: Mapping[str, Source], facts: Facts) -> Fraction:
        """The weight of what the facts allow of these throws."""

    def _one_form(self, sources: Mapping[str, Source], struck: Mapping[Slot, int], form: Linear | None) -> Law:
        """The law of a form with its leftovers modulo 2, at given struck faces."""
        key = (tuple(sources.values()), tuple(struck.items()), form)
        found = self._laws.get(key)
        if found is not None:
            return found
        self.methods.add("polynomial")
        terms, left = ({}, ()) if form is None else (dict(form.terms), form.leftovers)
        modulos = [(each, int(factor)) for each, factor in left if isinstance(each, Modulo)]
        if all(isinstance(source, Thrown) and source.finite for source in sources.values()):
            poly, low, bottom = self._signed(sources, struck, terms, modulos, ())
            law = Law.from_poly(poly, bottom, low)
        else:
            law = self._signed_laws(sources, struck, terms, modulos, ())
        self._laws[key] = law
        return law

    def _signed(
        self,
        sources: Mapping[str, Source],
        struck: Mapping[Slot, int],
        terms: Mapping[Slot, Scores],
        modulos: Sequence[tuple[Modulo, int]],
        odd: tuple[Modulo, ...],
    ) -> Polynomial:
        """The polynomial of terms and modulos: even and odd parts are half the sum and difference of the evaluations
        at +1 and -1.
        """
        if not modulos:
            return self._polynomial(sources, struck, terms, odd)
        (modulo, factor), *rest = modulos
        plus, low, bottom = self._signed(sources, struck, terms, rest, odd)
        minus, _, _ = self._signed(sources, struck, terms, rest, (*odd, modulo))
        even, uneven = plus + minus, plus - minus
        if factor < 0:
            low += factor
            even = even.left_shift(-factor)
        else:
            uneven = uneven.left_shift(factor)
        return even + uneven, low, bottom * 2

    def _polynomial(
        self,
        sources: Mapping[str, Source],
        struck: Mapping[Slot, int],
        terms: Mapping[Slot, Scores],
        odd: tuple[Modulo, ...],
    ) -> Polynomial:
        flips = flips_of(odd)
        product: Polynomial | None = None
        for name, source in sources.items():
            hom = hom_of(name, source, struck, terms, flips)
            key = (source, hom)
            one = self._polynomials.get(key)
            if one is None:
                assert isinstance(source, Thrown)
                one = self._polynomials[key] = source.polynomial(hom)
            if product is None:
                product = one
            else:
                poly, low, bottom = product
                product = poly * one[0], low + one[1], bottom * one[2]
        self.states += 1
        return ONE if product is None else product

    def _signed_laws(
        self,
        sources: Mapping[str, Source],
        struck: Mapping[Slot, int],
        terms: Mapping[Slot, Scores],
        modulos: Sequence[tuple[Modulo, int]],
        odd: tuple[Modulo, ...],
    ) -> Law:
        """As `_signed`, for dice that may have no end."""
        if not modulos:
            return self._element(sources, struck, terms, odd)
        (modulo, factor), *rest = modulos
        plus = self._signed_laws(sources, struck, terms, rest, odd)
        minus = self._signed_laws(sources, struck, terms, rest, (*odd, modulo))
        return (plus + minus + (plus - minus).affine(1, factor)).scaled(Fraction(1, 2))

    def _element(
        self,
        sources: Mapping[str, Source],
        struck: Mapping[Slot, int],
        terms: Mapping[Slot, Scores],
        odd: tuple[Modulo, ...],
    ) -> Law:
        """The product of the throws' elements, with the signs of the modulos in `odd`."""
        flips = flips_of(odd)
        law: Law | None = None
        for name, source in sources.items():
            hom = hom_of(name, source, struck, terms, flips)
            key = (source, hom)
            one = self._laws.get(key)
            if one is None:
                one = self._laws[key] = source.element(hom)
            law = one if law is None else law * one
        self.states += 1
        return law if law is not None else Law.point(0)

    def bounds(
        self, sources: Mapping[str, Source], terms: Iterable[tuple[Slot, Scores]]
    ) -> tuple[int | None, int | None]:
        """Where a sum of whole scores can lie."""
        low: int | None = 0
        high: int | None = 0
        for (name, slot), scores in terms:
            least, most = sources[name].bounds(slot, scores)  # type: ignore[arg-type]
            low = None if low is None or least is None else low + least
            high = None if high is None or most is None else high + most
        return low, high

    def form_bounds(self, sources: Mapping[str, Source], form: Linear) -> tuple[int | None, int | None]:
        """Where a canonical form can lie; wide where leftovers are asked."""
        low, high = self.bounds(sources, form.terms)
        for each, factor in form.leftovers:
            if not isinstance(each, Modulo):
                return None, None
            reach = int(factor) * (each.modulus - 1)
            low = None if low is None else low + min(0, reach)
            high = None if high is None else high + max(0, reach)
        return low, high
