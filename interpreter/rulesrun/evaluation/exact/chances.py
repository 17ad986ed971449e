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

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import comb
from typing import Any, TypeVar

from rulesrun.dice import Law, joint
from rulesrun.dice.series import TooLarge, fraction
from rulesrun.evaluation.exact.celled import Celled
from rulesrun.evaluation.exact.columns import MOST_WAYS, Columns
from rulesrun.evaluation.exact.drawn import Drawn
from rulesrun.evaluation.exact.effort import Effort
from rulesrun.evaluation.exact.enough import enough, is_largest_set, past
from rulesrun.evaluation.exact.facts import Facts
from rulesrun.evaluation.exact.forms import (
    bases_of,
    factor_of,
    flips_of,
    hom_of,
    inclusion_exclusion,
    is_endless,
    is_scattered,
    leftovers_beside,
    marks_as_scores,
    only_form,
    reads_both,
    says_all_equal,
    within,
)
from rulesrun.evaluation.exact.indexed import Index, Rows, index_of, weights_within
from rulesrun.evaluation.exact.listing import ENDLESS_TAIL, listed
from rulesrun.evaluation.exact.middles import law_by_sums, middle_in
from rulesrun.evaluation.exact.packing import Packing, Terms
from rulesrun.evaluation.exact.parted import where_sum
from rulesrun.evaluation.exact.questions import NotWalkable, Table
from rulesrun.evaluation.exact.resolve import Resolver
from rulesrun.evaluation.exact.riding import riding
from rulesrun.evaluation.exact.runs import Unsettled, runnable
from rulesrun.evaluation.exact.saturated import saturated, small_sets
from rulesrun.evaluation.exact.sources import ONE, Again, Listed, Look, Mixed, Polynomial, Source, Thrown
from rulesrun.evaluation.exact.symbols import (
    EVERYWHERE,
    AnyShows,
    Asked,
    Linear,
    Modulo,
    Ranges,
    Scores,
    Slot,
    slots_of,
)
from rulesrun.evaluation.exact.tabled import Answers, Question, is_marks, listed_answers, ways

T = TypeVar("T")
MOST_MADE = 1_000
"""So many unknown numbers are remembered with what they were made of."""
MAX_PACKED = 4_000_000
MOST_ASKED = 12
MOST_JOINED = 300_000
"""Endless dice may lie together in so many ways at the most, each told as far as it matters."""
QUICK = 40_000
"""So many steps of a face walk are tried before dice are listed that can fall in many ways."""
FEW_WAYS, MANY_WAYS = 300, 3_000
"""Dice that can fall in many ways, or in more than a few and are asked again, are listed as columns."""
MANY_ROWS = 30
"""More joint values than that are sorted by those that are certain."""


@dataclass(slots=True)
class Algebra(Effort):
    """The work of one call: what it computed of throws it meets again, and how much."""

    kinds: dict[tuple[str, int | None], Look] = field(default_factory=dict)
    """The kinds of dice met so far, by name and sides, as they are when fresh."""
    cap: int = 250
    """Up to where dice that explode without end and are asked for more than their sum are told apart."""
    tail: Fraction = ENDLESS_TAIL
    """Numbers without end are followed one by one until less than this is left."""
    natural: bool = False
    """Whether what dice showed first is asked somewhere."""
    follows_growth: bool = False
    """Whether it is noted what a number is all along an endless row, for its mean."""
    before: Any = None
    """What the last cell of a table went through (`question.Before`)."""
    sums: dict[object, Any] = field(default_factory=dict)
    """Unknown numbers that were made of others, the last of them."""
    _laws: dict[object, Law] = field(default_factory=dict)
    _polynomials: dict[object, Polynomial] = field(default_factory=dict)
    _tables: dict[object, Answers | Columns] = field(default_factory=dict)
    _columns: dict[object, Columns] = field(default_factory=dict)
    _values: dict[object, tuple[Rows, Fraction]] = field(default_factory=dict)
    _indexes: dict[object, Index] = field(default_factory=dict)
    listed_below: dict[Linear, int] = field(default_factory=dict)
    """Forms of which no series gives the law, and up to where it was listed at last: what is missing lies beyond."""
    _small_sets: dict[object, Callable[[int], Any] | None] = field(default_factory=dict)
    _rows: dict[object, tuple[int | None, dict[int, Law] | None]] = field(default_factory=dict)
    _few: dict[object, tuple[int, Listed]] = field(default_factory=dict)
    _asked_often: dict[object, int] = field(default_factory=dict)
    _expected: dict[object, dict[Question, None]] = field(default_factory=dict)

    def made(self, key: object, make: Callable[[], T]) -> T:
        """What is made of unknown values, once for all situations and cells in which they are the same."""
        found = self.sums.get(key)
        if found is None:
            if len(self.sums) >= MOST_MADE:
                self.sums.clear()
            found = self.sums[key] = make()
        return found

    def scattered(self, sources: Mapping[str, Source], form: Linear) -> frozenset[str]:
        """The throws that can fall in far fewer ways than there are numbers in the reach of their share of a form, so
        that they are better looked at one by one than counted number by number.
        """
        names = {name for name, _ in slots_of(form)}
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

    def expect(self, situations: Iterable[tuple[Mapping[str, Source], Facts]]) -> None:
        """Notes what will be asked of the same dice in several situations, so that they are asked once."""
        for sources, facts in situations:
            if not any(isinstance(left, Asked) for form in facts.inside for left, _ in form.leftovers):
                continue
            for names in facts.groups(sources):
                about = facts.about(names)
                key = (tuple(sources[name] for name in sorted(names)), tuple(sorted(about.struck.items())))
                asked = [left for form in about.inside for left, _ in form.leftovers if isinstance(left, Asked)]
                self._expected.setdefault(key, {}).update(
                    dict.fromkeys((*asked, *bases_of(about.inside), *about.shown))
                )

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

    def mass(self, sources: Mapping[str, Source], facts: Facts) -> Fraction:
        """The weight of the facts about throws that they join."""
        form = only_form(facts)
        if form is None:
            return self.law(sources, facts, None).mass
        result: Fraction | None = None
        for sign, law in self.signed_laws(sources, facts, form):
            for low, high in facts.inside[form].ranges:
                share = law.mass_between(low, high)
                result = share if result is None else result + share if sign > 0 else result - share
        return Fraction(0) if result is None else result

    def signed_laws(self, sources: Mapping[str, Source], facts: Facts, form: Linear) -> Iterable[tuple[int, Law]]:
        """Laws of a form that, added and taken away, are its law where the faces show that have to; `form` is the
        `only_form` of the facts, and may be anywhere.
        """
        return ((sign, self._one_form(sources, struck, form)) for sign, struck in inclusion_exclusion(facts))

    def _one_form(self, sources: Mapping[str, Source], struck: Mapping[Slot, int], form: Linear | None) -> Law:
        """The law of a form with its leftovers modulo 2, at given struck faces."""
        key = (tuple(sources.values()), tuple(struck.items()), form)
        found = self._laws.get(key)
        if found is not None:
            return found
        self.methods.add("polynomial")
        terms = {} if form is None else dict(form.terms)
        modulos = (
            [] if form is None else [(each, int(factor)) for each, factor in form.leftovers if isinstance(each, Modulo)]
        )
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
        poly, low, bottom = ONE
        for name, source in sources.items():
            hom = hom_of(name, source, struck, terms, flips)
            key = (source, hom)
            one = self._polynomials.get(key)
            if one is None:
                assert isinstance(source, Thrown)
                one = self._polynomials[key] = source.polynomial(hom)
            poly, low, bottom = (poly * one[0], low + one[1], bottom * one[2]) if low or bottom != 1 else one
        self.states += 1
        return poly, low, bottom

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

    # ------------------------------------------------------------ several forms

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
            left = tuple(pair for pair in form.leftovers if any(slot[0] in names for slot in slots_of(pair[0])))
            if any(not {slot[0] for slot in slots_of(each)} <= names for each, _ in left):
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
            mine = {name for name, _ in slots_of(part)}
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
        if len(joint) != 1 or joint[0] not in facts.inside or joint[0].layered:
            return None
        if any(reads_both(AnyShows(marks), mine, others) for marks in facts.shown):
            return None
        (whole,) = joint
        left = tuple(pair for pair in whole.leftovers if any(slot[0] in mine for slot in slots_of(pair[0])))
        if any(reads_both(each, mine, others) for each, _ in whole.leftovers):
            return None
        first, factor = Linear(0, tuple(pair for pair in whole.terms if pair[0][0] in mine), left).canonical()
        rest = tuple(pair for pair in whole.leftovers if pair not in left)
        second, by = Linear(0, tuple(pair for pair in whole.terms if pair[0][0] in others), rest).canonical()
        inside = {each: ranges for each, ranges in facts.inside.items() if each != whole}
        reduced = Facts(facts.struck, facts.shown, inside, facts.beyond)
        laws = [
            self.law({name: sources[name] for name in sorted(names)}, reduced.about(names), each)
            for names, each in ((mine, first), (others, second))
        ]
        ranges = facts.inside[whole]
        if form == first:
            return where_sum(laws[0], int(factor), laws[1].affine(int(by)), ranges)
        if form == second:
            return where_sum(laws[1], int(by), laws[0].affine(int(factor)), ranges)
        if form is None or form == whole:
            both = within(laws[0].affine(int(factor)) * laws[1].affine(int(by)), ranges)
            return both if form is not None else both.affine(0)
        return None

    def _celled(
        self, sources: Mapping[str, Source], facts: Facts, form: Linear | None, forms: Sequence[Linear]
    ) -> Law | None:
        """The law by the runs of dice that explode without end; None where there are none, or they do not settle it."""
        if not all(map(runnable, sources.values())):
            return None
        if not is_endless(sources) or any(each.layered for each in forms):
            return None
        asked = tuple(dict.fromkeys(left for each in forms for left, _ in each.leftovers if isinstance(left, Asked)))
        if not asked and len(forms) < 2:
            return None
        questions = (*asked, *bases_of(forms), *map(facts.left, facts.shown))
        if not all(questions):
            return Law.of({})
        try:
            work = Celled(sources, facts, form, forms, questions, lambda finite: self._answers(finite, questions))
            found = work.law()
        except (Unsettled, NotWalkable):
            return None
        self.methods.add("runs of exploding dice")
        return found

    def _saturated(
        self, sources: Mapping[str, Source], facts: Facts, form: Linear | None, forms: Sequence[Linear]
    ) -> Law | None:
        """The law where so many equal dice are enough that throws without end are finite ones; None where they are
        not.
        """
        if not is_endless(sources) or any(each.layered for each in forms):
            return None
        if len(forms) < 2 and not any(isinstance(left, Asked) for each in forms for left, _ in each.leftovers):
            return None
        law = self._by_complement(sources, facts, form) if len(forms) > 1 else None
        if law is not None:
            return law
        for method in (self._largest_set, self._ridden, self._largest_set_beside):
            law = method(sources, facts, form, forms)
            if law is not None:
                return law
        finite: dict[str, Source] = {}
        for name, source in sources.items():
            if is_endless({name: source}):
                most = enough(name, forms, facts, sources)
                if most is None or not isinstance(source, Thrown | Mixed | Again):
                    return None
                source = self._of_few(source, most, forms, facts)
            finite[name] = source
        if ways(finite) > MOST_JOINED:
            raise TooLarge(f"{ways(finite):,} ways in which endless dice can lie together")
        self.methods.add("equal dice up to a number")
        try:
            return self._by_joint(finite, facts, form)
        except (NotWalkable, ValueError):
            return self._by_listing(finite, facts, form)

    def _ridden(
        self, sources: Mapping[str, Source], facts: Facts, form: Linear | None, forms: Sequence[Linear]
    ) -> Law | None:
        """The law where a number of any size rides along with what so many equal dice are enough for; None where that
        is not so, or no number has to.
        """
        found = riding(sources, facts, form, forms)
        if found is None or (found.rider is None and found.widest is None):
            return None
        others = tuple((each, held) for each, held in facts.inside.items() if each != found.rider)
        beside = None if form == found.rider else form
        key = (tuple(sources.values()), frozenset(facts.struck.items()), facts.shown, others, found.rider, beside)
        high, (known, laws) = found.high, self._rows.get(key, (0, None))
        if laws is None or (known is not None and (high is None or high > known)):
            high = None if high is None or known is None else max(high, 2 * known)
            laws = found.laws(high)
            if laws is None:
                return None
            self._rows[key] = high, laws
        self.methods.add("equal dice up to a number")
        if form is not None and form == found.rider:
            return within(laws.get(0, Law.of({})), found.ranges)
        return Law.of({at: within(law, found.ranges).mass for at, law in laws.items()})

    def _by_complement(self, sources: Mapping[str, Source], facts: Facts, form: Linear | None) -> Law | None:
        """The law where a sum, or beside a sum the largest set, has at least some size: without where it is smaller,
        which no endless dice are. None where no fact says so.
        """
        for each, ranges in facts.inside.items():
            if each == form or ranges.empty or ranges.ranges[-1][1] is not None:
                continue
            if is_largest_set(each) and form is not None and form.terms:
                low: int | None = 0
            elif each.terms and not each.leftovers:
                low = self.bounds(sources, each.terms)[0]
            else:
                continue
            if low is None or ranges == EVERYWHERE:
                continue
            inside = {other: held for other, held in facts.inside.items() if other != each}
            before = None if form is None else self.listed_below.pop(form, None)
            whole = self.law(sources, Facts(facts.struck, facts.shown, inside, facts.beyond), form)
            inside[each] = ranges.rest().meets(Ranges.of(low, None))
            if form is not None and form in self.listed_below:
                up_to = Ranges.of(None, self.listed_below[form] - 1)
                inside[form] = up_to.meets(inside.get(form, EVERYWHERE))
            elif form is not None and before is not None:
                self.listed_below[form] = before
            if inside[each].empty:
                return whole
            return whole - self.law(sources, Facts(facts.struck, facts.shown, inside, facts.beyond), form)
        return None

    def _largest_set(
        self, sources: Mapping[str, Source], facts: Facts, form: Linear | None, forms: Sequence[Linear]
    ) -> Law | None:
        """The law of the largest set, or of 0 where it lies in a range: listed, see `listed_below`. None for anything
        else, and where a further throw may be of several faces.
        """
        if len(forms) > 1 or len(sources) > 1 or not is_largest_set(forms[0], unknown_only=True):
            return None
        if facts.shown:
            return self._largest_set_shown(sources, facts, form, forms[0])
        (source,) = sources.values()
        key = (source, forms[0], frozenset(facts.struck.items()))
        if key not in self._small_sets:
            alone = isinstance(source, Thrown | Again)
            self._small_sets[key] = small_sets(source, forms[0], facts) if alone else None  # type: ignore[arg-type]
        at_most = self._small_sets[key]
        if at_most is None:
            return None
        self.methods.add("faces apart")
        ranges, whole = facts.inside.get(forms[0], EVERYWHERE), self.law(sources, Facts(facts.struck), None).mass
        no_end = not ranges.empty and ranges.ranges[-1][1] is None
        weights: dict[int, Fraction] = {}
        below, size = Fraction(0), 0
        while size < past(ranges) or (form is not None and no_end and whole - below >= self.tail):
            up_to = fraction(at_most(size))
            weights[size], below, size = up_to - below, up_to, size + 1
            self.count(1)
        held = {size: weight for size, weight in weights.items() if not ranges.meets(Ranges.of(size, size)).empty}
        if form is not None:
            if no_end:
                self.listed_below[form] = size
            return Law.of(held)
        beyond = whole - below if no_end else 0
        return Law.point(0, sum(held.values(), Fraction(0)) + beyond)

    def _largest_set_shown(
        self, sources: Mapping[str, Source], facts: Facts, form: Linear | None, largest: Linear
    ) -> Law | None:
        """As `_largest_set`, where faces have to show: listed as far as without them."""
        ranges = facts.inside.get(largest, EVERYWHERE)
        if form is not None and self._largest_set(sources, Facts(facts.struck, (), facts.inside), form, [form]) is None:
            return None
        if form in self.listed_below:
            ranges = ranges.meets(Ranges.of(None, self.listed_below[form] - 1))
        total = Law.of({})
        for sign, struck in inclusion_exclusion(facts):
            total = total + self.law(sources, Facts(struck, (), {largest: ranges}), form).scaled(sign)
        return total

    def _largest_set_beside(
        self, sources: Mapping[str, Source], facts: Facts, form: Linear | None, forms: Sequence[Linear]
    ) -> Law | None:
        """The law of the largest set beside other facts, listed; None for another form."""
        if form is None or form in facts.inside or not is_largest_set(form):
            return None
        whole, most = self.law(sources, facts, None).mass, 4
        while True:
            below = Facts(facts.struck, facts.shown, {**facts.inside, form: Ranges.of(None, most - 1)}, facts.beyond)
            found = self._saturated(sources, below, form, forms)
            if found is None or whole - found.mass < self.tail:
                break
            most += max(2, most // 4)
        self.listed_below[form] = most
        return found

    def _of_few(self, source: Thrown | Mixed | Again, most: int, forms: Sequence[Linear], facts: Facts) -> Listed:
        """The throw with no more equal dice told apart than are enough; with more where that is at hand."""
        mine = frozenset(each for each in forms if any(slot[0] == source.name for slot in slots_of(each)))
        here = facts.about(frozenset((source.name,)))
        key = (source, mine, here.shown, frozenset(here.struck.items()))
        known = self._few.get(key)
        if known is None or known[0] < most:
            found = saturated(source, most, mine, here)
            self.count(len(found.throws))
            known = self._few[key] = (most, found)
        return known[1]

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

    # ------------------------------------------------------------ walking the faces

    def _by_joint(self, sources: Mapping[str, Source], facts: Facts, form: Linear | None) -> Law:
        forms = [*facts.inside, *([] if form is None or form in facts.inside else [form])]
        asked = [left for each in forms for left, _ in each.leftovers if isinstance(left, Asked)]
        return self._from_table(sources, facts, form, forms, (*dict.fromkeys(asked), *bases_of(forms), *facts.shown))

    def _from_table(
        self,
        sources: Mapping[str, Source],
        facts: Facts,
        form: Linear | None,
        forms: list[Linear],
        questions: tuple[Question, ...],
    ) -> Law:
        """The law of a form read from a table of joint answers."""
        key = (tuple(sources.values()), tuple(sorted(facts.struck.items())))
        asked = (key, tuple(forms), facts.shown)
        known = self._values.get(asked)
        if known is None:
            table = self._tables.get(key)
            if table is None or not table.can_answer(questions):
                besides = (
                    *(table.places if isinstance(table, Answers) and table.method == "listing" else ()),
                    *self._expected.get(key, ()),
                )
                table = self._tables[key] = self._table(sources, facts.struck, questions, besides)
            known = self._values[asked] = table.values(forms, facts.shown), table.share / table.total
            self.count(len(known[0]))
        rows, unit = known
        held = [facts.inside.get(each) for each in forms]
        if len(rows) > MANY_ROWS:
            rows = self._agreeing(rows, asked, held)
        found = weights_within(rows, held, None if form is None else forms.index(form))
        return Law.of({value: weight * unit for value, weight in found.items()})

    def _agreeing(self, rows: Rows, asked: object, held: Sequence[Ranges | None]) -> Rows:
        """Those of the joint values of some forms that agree with the values which are certain, looked up."""
        certain = {at: ranges.only for at, ranges in enumerate(held) if ranges is not None and ranges.only is not None}
        if not certain:
            return rows
        key = (asked, tuple(certain))
        index = self._indexes.get(key)
        if index is None:
            index = self._indexes[key] = index_of(rows, tuple(certain))
        return index.get(tuple(certain.values()), {})

    def _table(
        self,
        sources: Mapping[str, Source],
        struck: Mapping[Slot, int],
        questions: tuple[Question, ...],
        besides: Iterable[Question],
    ) -> Answers | Columns:
        """The joint answers to all that is asked of these dice, and `besides` in other situations, as far as that is
        not too much.
        """
        bags = any(isinstance(source, Drawn) for source in sources.values())
        if bags:
            besides = [each for each in besides if not isinstance(each, Asked) or each.what != "all_equal"]
        wanted = tuple(dict.fromkeys((*besides, *questions)))
        if len(wanted) > MOST_ASKED:
            wanted = questions
        key = (tuple(sources.values()), tuple(sorted(struck.items())))
        many, often = ways(sources), self._asked_often.get(key, 0)
        self._asked_often[key] = often + 1
        only_sums = not any(isinstance(question, Asked) or is_marks(question) for question in questions)
        found: Answers | Columns | None = None
        if many > MANY_WAYS and not often:
            found = self._quickly(sources, struck, questions, only_sums)
        if found is None and not bags and FEW_WAYS < many <= MOST_WAYS and (many > MANY_WAYS or often):
            columns = self._columns.get(key)
            if columns is None:
                columns = self._columns[key] = Columns(sources, struck, self.budget)
            if columns.can_answer(questions):
                self.methods.add(columns.method)
                self.count(columns.ways // MANY_WAYS)
                return columns
        if found is None:
            try:
                found = listed_answers(sources, struck, wanted, self.budget)
            except TooLarge:
                found = None
        if found is None:
            if only_sums:
                found = self._packed_answers(sources, struck, questions)
            else:
                found = self._walked_answers(sources, struck, questions, self.budget)
        self.methods.add(found.method)
        self.count(len(found.weights))
        return found

    def _answers(self, sources: Mapping[str, Source], questions: tuple[Question, ...]) -> Answers:
        """The joint answers to these questions, of finite throws."""
        table = self._table(sources, {}, questions, ())
        return table.answers(questions) if isinstance(table, Columns) else table

    def _quickly(
        self,
        sources: Mapping[str, Source],
        struck: Mapping[Slot, int],
        questions: tuple[Question, ...],
        only_sums: bool,
    ) -> Answers | None:
        """The table by a method that does not list the dice, if that takes little."""
        try:
            if only_sums:
                return None if is_endless(sources) else self._packed_answers(sources, struck, questions, QUICK)
            return self._walked_answers(sources, struck, questions, QUICK)
        except (TooLarge, NotWalkable, ValueError):
            return None

    def _packed_answers(
        self,
        sources: Mapping[str, Source],
        struck: Mapping[Slot, int],
        bases: tuple[Terms, ...],
        most: int = MAX_PACKED,
    ) -> Answers:
        bounds = [self.bounds(sources, base) for base in bases]
        packing = Packing.of([(low or 0, high or 0) for low, high in bounds])
        if packing.size > most:
            raise TooLarge(f"{packing.size:,} combined results of {len(bases)} questions")
        law = self._element(sources, struck, packing.terms(list(bases)), ())
        offset, weights, bottom = law.weights()
        found = {tuple(packing.unpack(offset + index)): weight for index, weight in enumerate(weights) if weight}
        return Answers(
            {base: place for place, base in enumerate(bases)}, found, bottom, Fraction(1), "packed polynomial"
        )

    def _walked_answers(
        self, sources: Mapping[str, Source], struck: Mapping[Slot, int], wanted: tuple[Question, ...], budget: int
    ) -> Answers:
        table = Table(sources, struck, [each for each in wanted if isinstance(each, Asked)])
        places = {each: place for place, each in enumerate(wanted)}
        if not table.share:
            return Answers(places, {}, 1, Fraction(0), "face walk")
        questions = [
            table.question(each)
            if isinstance(each, Asked)
            else table.count(marks_as_scores(each, sources) if is_marks(each) else each)
            for each in wanted
        ]
        found = joint(table.groups, questions, budget)
        return Answers(
            places, found.weights, found.total, table.share, "face walk" if found.method == "walk" else found.method
        )

    def _by_listing(self, sources: Mapping[str, Source], facts: Facts, form: Linear | None) -> Law:
        """The plain way: everything that the dice can show, judged one by one."""
        if is_endless(sources):
            raise TooLarge("a question to an endless number of dice beside others")
        self.methods.add("listing")
        result: dict[int, Fraction] = {}
        for known, weight in listed(sources, self.budget):
            self.states += 1
            resolver = Resolver(known, sources)
            if resolver.facts(facts) is not None:
                value = 0 if form is None else int(resolver.value(form))
                result[value] = result.get(value, Fraction(0)) + weight
        return Law.of(result)

    # ------------------------------------------------------------ bounds

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
