"""Laws of throws without end that are asked for more than a sum: by runs, or by so many equal dice as are enough."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from rulesrun.dice import Law
from rulesrun.dice.series import TooLarge, fraction
from rulesrun.evaluation.exact.celled import Celled
from rulesrun.evaluation.exact.enough import enough, is_largest_set, past, uncounted
from rulesrun.evaluation.exact.facts import Facts
from rulesrun.evaluation.exact.forms import (
    bases_of,
    inclusion_exclusion,
    is_endless,
    within,
)
from rulesrun.evaluation.exact.listing import ENDLESS_TAIL
from rulesrun.evaluation.exact.questions import NotWalkable
from rulesrun.evaluation.exact.riding import riding
from rulesrun.evaluation.exact.runs import Unsettled, runnable
from rulesrun.evaluation.exact.saturated import saturated, small_sets
from rulesrun.evaluation.exact.several_numbers import SeveralNumbers
from rulesrun.evaluation.exact.sources import Again, Listed, Mixed, Source, Thrown
from rulesrun.evaluation.exact.symbols import (
    EVERYWHERE,
    Asked,
    Linear,
    Ranges,
    slots_of,
)
from rulesrun.evaluation.exact.tabled import ways

MOST_JOINED = 300_000
"""Endless dice may lie together in so many ways at the most, each told as far as it matters."""


@dataclass(slots=True)
class WithoutEnd(SeveralNumbers):
    """Laws of throws without end."""

    tail: Fraction = ENDLESS_TAIL
    """Numbers without end are followed one by one until less than this is left."""
    listed_below: dict[Linear, int] = field(default_factory=dict)
    """Forms of which no series gives the law, and up to where it was listed at last: what is missing lies beyond."""
    _small_sets: dict[object, Callable[[int], Any] | None] = field(default_factory=dict)
    _rows: dict[object, tuple[int | None, dict[int, Law] | None]] = field(default_factory=dict)
    _few: dict[object, tuple[int, Listed]] = field(default_factory=dict)

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
            cells = Celled(
                sources, facts, form, forms, questions, lambda finite: self._answers(finite, questions), self.work
            )
            found = cells.law()
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
            more = None if form is None or form in inside else uncounted(form, each, sources)
            if form is not None and more is not None and (high := inside[each].ranges[-1][1]) is not None:
                inside[form] = Ranges.of(None, high + more)
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
        struck = {slot: bits for slot, bits in facts.struck.items() if slot[0] == source.name}
        shown = tuple(marks for marks in facts.shown if any(slot[0] == source.name for slot, _ in marks))
        here = Facts(struck, shown)
        key = (source, mine, here.shown, frozenset(here.struck.items()))
        known = self._few.get(key)
        if known is None or known[0] < most:
            found = saturated(source, most, mine, here, self.work)
            self.count(len(found.throws))
            known = self._few[key] = (most, found)
        return known[1]
