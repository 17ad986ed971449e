"""The law of one number beside others: apart where no fact joins them, packed into one where a fact does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb

from rulesrun.dice import Law
from rulesrun.dice.series import TooLarge
from rulesrun.evaluation.exact.drawn import Drawn
from rulesrun.evaluation.exact.facts import Facts
from rulesrun.evaluation.exact.forms import (
    bases_of,
    factor_of,
    inclusion_exclusion,
    is_endless,
    leftovers_beside,
    reads_both,
    within,
)
from rulesrun.evaluation.exact.indexed import weights_within
from rulesrun.evaluation.exact.joint_tables import JointTables
from rulesrun.evaluation.exact.packing import Packing, Terms
from rulesrun.evaluation.exact.parted import sum_where, where_sum
from rulesrun.evaluation.exact.sources import Source
from rulesrun.evaluation.exact.symbols import (
    AnyShows,
    Asked,
    Linear,
    Ranges,
    names_of,
)
from rulesrun.evaluation.exact.tabled import Answers


@dataclass(slots=True)
class SeveralNumbers(JointTables):
    """Laws of several numbers at once."""

    def _all_equal(self, sources: Mapping[str, Source], facts: Facts, form: Linear | None, equal: Linear) -> Law:
        """The law where things drawn are all equal, or are not: face by face, out of bags without all others."""
        (asked, _) = equal.leftovers[0]
        assert isinstance(asked, Asked)
        rest = Facts(facts.struck, facts.shown, {f: r for f, r in facts.inside.items() if f != equal}, facts.beyond)
        holds = [not facts.inside[equal].meets(Ranges.of(value, value)).empty for value in (0, 1)]
        whole = self.law(sources, rest, form) if holds[0] else Law.of({})
        if holds[0] == holds[1]:
            return whole
        for shown in {image for _, images in asked.pool.pieces for image in images}:
            fewer, share = dict(sources), Fraction(1)
            for (name, _), images in asked.pool.pieces:
                source = sources[name]
                assert isinstance(source, Drawn)
                kept = fewer[name] = source.only(face for face, image in enumerate(images) if image == shown)
                share *= Fraction(comb(kept.size, kept.number), comb(source.size, source.number))
            if share:
                law = self.law(fewer, rest, form).scaled(share)
                whole = whole + law if holds[1] else whole - law
        return whole

    def _independent(self, sources: Mapping[str, Source], facts: Facts, form: Linear | None) -> Law | None:
        """The law of a sum over throws that no fact joins, as a product; None where there is but one such part."""
        groups = facts.groups(sources)
        if len(groups) < 2:
            return None
        if form is None:
            return Law.point(0, self.chance(sources, facts))
        if form.layered or (not facts.inside and not facts.shown and not is_endless(sources)):
            return None
        law = Law.point(0)
        for names in groups:
            terms = tuple(pair for pair in form.terms if pair[0][0] in names)
            left = tuple(pair for pair in form.leftovers if not names.isdisjoint(names_of(pair[0])))
            if any(not names_of(each) <= names for each, _ in left):
                return None
            own, about = {name: sources[name] for name in sorted(names)}, facts.about(names)
            if not terms and not left:
                law = law.scaled(self.law(own, about, None).mass)
                continue
            part, factor = Linear(0, terms, left).canonical()
            law = law * self.law(own, about, part).affine(int(factor))
        return law

    def _apart(
        self, sources: Mapping[str, Source], facts: Facts, form: Linear | None, forms: Sequence[Linear]
    ) -> Law | None:
        """The law where one of two forms is a part of the other: a + b given a. None where it is not so."""
        if len(forms) != 2:
            return None
        for whole, part in (forms, forms[::-1]):
            if (form is not None and form != whole) or part not in facts.inside or whole.layered or part.layered:
                continue
            mine = names_of(part)
            factor = factor_of(whole, part, mine)
            rest = Linear(
                0, tuple(pair for pair in whole.terms if pair[0][0] not in mine), leftovers_beside(whole, mine)
            )
            if factor is None or not (rest.terms or rest.leftovers):
                continue
            others = {name: source for name, source in sources.items() if name not in mine}
            own = {name: sources[name] for name in sorted(mine)}
            names = frozenset(mine)
            about, besides = facts.about(names), facts.without(names)
            about = Facts(about.struck, about.shown, {part: facts.inside[part]})
            besides = Facts(besides.struck, besides.shown, {})
            law = self.law(own, about, part).affine(factor)
            if others:
                reduced, by = rest.canonical()
                law = law * self.law(others, besides, reduced).affine(int(by))
            return within(law, facts.inside[whole]) if whole in facts.inside else law
        return None

    def _parted(
        self, sources: Mapping[str, Source], facts: Facts, form: Linear | None, forms: Sequence[Linear]
    ) -> Law | None:
        """The law where the throws are in two parts, and one sum joins a number of each; None where it is not so."""
        if not is_endless(sources) or len(sources) < 2:
            return None
        for name in sources:
            found = self._in_two_parts(sources, facts, form, forms, frozenset((name,)))
            if found is not None:
                return found
        return None

    def _in_two_parts(
        self,
        sources: Mapping[str, Source],
        facts: Facts,
        form: Linear | None,
        forms: Sequence[Linear],
        mine: frozenset[str],
    ) -> Law | None:
        others = frozenset(sources) - mine
        joint = [each for each in forms if reads_both(each, mine, others)]
        if not 1 <= len(joint) <= 2 or any(each.layered for each in joint):
            return None
        whole = next((each for each in joint if each != form and each in facts.inside), None)
        if whole is None and len(joint) == 1 and joint[0] in facts.inside:
            (whole,) = joint
        if whole is None or any(reads_both(AnyShows(marks), mine, others) for marks in facts.shown):
            return None
        left = tuple(pair for pair in whole.leftovers if not mine.isdisjoint(names_of(pair[0])))
        if any(reads_both(each, mine, others) for each, _ in whole.leftovers):
            return None
        first, factor = Linear(0, tuple(pair for pair in whole.terms if pair[0][0] in mine), left).canonical()
        rest = tuple(pair for pair in whole.leftovers if pair not in left)
        second, by = Linear(0, tuple(pair for pair in whole.terms if pair[0][0] in others), rest).canonical()
        multiples: tuple[int, int] | None = None
        other = next((each for each in joint if each != whole), None)
        if other is not None:
            times_first, times_second = factor_of(other, first, mine), factor_of(other, second, others)
            if times_first is None or times_second is None or form not in (None, other):
                return None
            multiples = times_first, times_second
        inside = {each: ranges for each, ranges in facts.inside.items() if each not in joint}
        reduced = Facts(facts.struck, facts.shown, inside, facts.beyond)
        laws = [
            self.law({name: sources[name] for name in sorted(names)}, reduced.about(names), each)
            for names, each in ((mine, first), (others, second))
        ]
        ranges = facts.inside[whole]
        if multiples is not None and other is not None:
            law = sum_where((laws[0], laws[1]), (int(factor), int(by)), multiples, ranges)
            law = within(law, facts.inside[other]) if other in facts.inside else law
            return law if form is not None else Law.point(0, law.mass)
        if form == first:
            return where_sum(laws[0], int(factor), laws[1].affine(int(by)), ranges)
        if form == second:
            return where_sum(laws[1], int(by), laws[0].affine(int(factor)), ranges)
        if form is None or form == whole:
            both = within(laws[0].affine(int(factor)) * laws[1].affine(int(by)), ranges)
            return both if form is not None else both.affine(0)
        return None

    def _packed(self, sources: Mapping[str, Source], facts: Facts, form: Linear | None, forms: list[Linear]) -> Law:
        bases = bases_of(forms)
        bounds = [self.bounds(sources, base) for base in bases]
        endless = [i for i, (low, high) in enumerate(bounds) if low is None or high is None]
        if endless:
            return self._packed_endless(sources, facts, form, list(bases), bounds, endless)
        return self._from_table(sources, facts, form, forms, (*bases, *facts.shown))

    def _packed_endless(
        self,
        sources: Mapping[str, Source],
        facts: Facts,
        form: Linear | None,
        bases: list[Terms],
        bounds: list[tuple[int | None, int | None]],
        endless: list[int],
    ) -> Law:
        """One form without end beside others: ranges without end are taken by their complements, which are finite."""
        for each, ranges in facts.inside.items():
            if ranges.ranges and any(low is None or high is None for low, high in ranges.ranges):
                low, high = self.form_bounds(sources, each)
                other = ranges.rest().meets(Ranges.of(low, high))
                if any(end is None for pair in other.ranges for end in pair):
                    continue
                if low is None or high is None:
                    rest = {f: r for f, r in facts.inside.items() if f != each}
                    complement = ranges.rest().meets(Ranges.of(low, high))
                    whole = self.law(sources, Facts(facts.struck, facts.shown, rest), form)
                    if complement.empty:
                        return whole
                    return whole - self.law(sources, Facts(facts.struck, facts.shown, {**rest, each: complement}), form)
        return self._packed_truncated(sources, facts, form, bases, bounds, endless)

    def _packed_truncated(
        self,
        sources: Mapping[str, Source],
        facts: Facts,
        form: Linear | None,
        bases: list[Terms],
        bounds: list[tuple[int | None, int | None]],
        endless: list[int],
    ) -> Law:
        """As `_packed`, where every endless form is held in finite ranges by a fact of its own."""
        forms = [*facts.inside, *([] if form is None or form in facts.inside else [form])]
        limits: list[tuple[int, int]] = []
        for i, base in enumerate(bases):
            low, high = bounds[i]
            if i in endless:
                ranges = facts.inside.get(Linear(0, base, ()))
                if ranges is None or low is None:
                    raise TooLarge("two endless results at once")
                if ranges.empty:
                    return Law.of({})
                high = ranges.ranges[-1][1]
                if high is None:
                    raise TooLarge("two endless results at once")
            limits.append((low or 0, high or 0))
        if len(endless) > 1:
            raise TooLarge("two endless results at once")
        order = [i for i in range(len(bases)) if i not in endless] + endless
        packing = Packing.of([limits[i] for i in order])
        packed = packing.terms([bases[i] for i in order])
        top = packing.top
        places = {bases[i]: at for at, i in enumerate(order)}
        held = [facts.inside.get(each) for each in forms]
        place = None if form is None else forms.index(form)
        found: dict[int, Fraction] = {}
        for sign, struck in inclusion_exclusion(facts):
            law = self._element(sources, struck, packed, ()).restrict(None, top)
            offset, weights, bottom = law.weights()
            rows = {tuple(packing.unpack(offset + index)): weight for index, weight in enumerate(weights) if weight}
            table = Answers(places, rows, bottom, Fraction(1), "packed polynomial")
            for value, weight in weights_within(table.values(forms, ()), held, place).items():
                found[value] = found.get(value, Fraction(0)) + Fraction(sign * weight, bottom)
        return Law.of(found)
