"""Laws read from tables of joint answers: listed, packed into one polynomial, or from a walk over the faces."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm
from typing import Any

from rulesrun.dice import Law, joint
from rulesrun.dice.series import Irrational, TooLarge
from rulesrun.evaluation.exact.columns import MOST_WAYS, Columns
from rulesrun.evaluation.exact.drawn import Drawn
from rulesrun.evaluation.exact.elements import Elements
from rulesrun.evaluation.exact.enough import outdone
from rulesrun.evaluation.exact.facts import Facts
from rulesrun.evaluation.exact.forms import (
    bases_of,
    is_endless,
    marks_as_scores,
)
from rulesrun.evaluation.exact.indexed import Index, Rows, index_of, weights_within
from rulesrun.evaluation.exact.listing import listed
from rulesrun.evaluation.exact.onward import Bounds, limit, unsettled
from rulesrun.evaluation.exact.packing import Packing, Terms
from rulesrun.evaluation.exact.questions import NotWalkable, Table
from rulesrun.evaluation.exact.resolve import Resolver
from rulesrun.evaluation.exact.sources import Source
from rulesrun.evaluation.exact.symbols import (
    Asked,
    Linear,
    Ranges,
    Slot,
)
from rulesrun.evaluation.exact.tabled import Answers, Question, is_marks, listed_answers, ways

MAX_PACKED = 4_000_000
MOST_ASKED = 12
QUICK = 40_000
"""So many steps of a face walk are tried before dice are listed that can fall in many ways."""
STEPS = 4
"""To list one way in which dice can fall takes as long as so many steps of a face walk."""
JUDGED = 10
"""To judge one way in which dice can fall takes as long as so many steps."""
HANDFUL = 20
"""Dice that can fall in no more ways are listed at once."""
FEW_WAYS, MANY_WAYS = 300, 3_000
"""Dice that can fall in many ways, or in more than a few and are asked again, are listed as columns."""
MANY_ROWS = 30
"""More joint values than that are sorted by those that are certain."""


@dataclass(slots=True)
class JointTables(Elements):
    """Tables of joint answers, each computed once."""

    _tables: dict[object, Answers | Columns] = field(default_factory=dict)
    _columns: dict[object, Columns] = field(default_factory=dict)
    _values: dict[object, tuple[Rows, Fraction]] = field(default_factory=dict)
    _indexes: dict[object, Index] = field(default_factory=dict)
    _asked_often: dict[object, int] = field(default_factory=dict)
    _expected: dict[object, dict[Question, None]] = field(default_factory=dict)

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
        return Law.of(found, unit)

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
        besides: Sequence[Question],
    ) -> Answers | Columns:
        """The joint answers to all that is asked of these dice, and `besides` in other situations, as far as that is
        not too much.
        """
        apart = [isinstance(each, Asked) and unsettled(each, sources) for each in questions]
        if any(apart):
            return self._told_apart(sources, struck, questions)
        besides = [each for each in besides if not isinstance(each, Asked) or not unsettled(each, sources)]
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
        if many > MANY_WAYS or (many > HANDFUL and all(each in questions for each in besides)):
            found = None if often else self._quickly(sources, struck, questions, only_sums, min(QUICK, STEPS * many))
        if found is None and not bags and FEW_WAYS < many <= MOST_WAYS and (many > MANY_WAYS or often):
            columns = self._columns.get(key)
            if columns is None:
                columns = self._columns[key] = Columns(sources, struck, self.budget, self.work)
            if columns.can_answer(questions):
                self.methods.add(columns.method)
                self.count(columns.ways // MANY_WAYS)
                return columns
        if found is None:
            try:
                found = listed_answers(sources, struck, wanted, self.budget, self.work)
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

    def _told_apart(
        self, sources: Mapping[str, Source], struck: Mapping[Slot, int], questions: tuple[Question, ...]
    ) -> Answers:
        """The table of dice that explode adding and are told apart without an end."""
        bounds = Bounds(sources, struck, questions)
        weights: list[dict[tuple[Any, ...], Fraction]] = []
        for place in reversed(range(len(bounds.ratios) + 2)):
            below, out, asked = bounds.at(place)
            table = self._table(below, out, asked, ())
            found = table.answers(asked) if isinstance(table, Columns) else table
            order, unit = [found.places[each] for each in asked], found.share / found.total
            here: dict[tuple[Any, ...], Fraction] = {}
            for answers, weight in found.weights.items():
                told = bounds.answered(tuple([answers[at] for at in order]))
                here[told] = here.get(told, Fraction(0)) + weight * unit
            weights.append(here)
        self.methods.add("exploding dice, bound after bound")
        chances = limit(weights[::-1], bounds.ratios)
        bottom = lcm(*(chance.denominator for chance in chances.values()))
        whole = {answers: int(chance * bottom) for answers, chance in chances.items()}
        return Answers({each: at for at, each in enumerate(questions)}, whole, bottom, Fraction(1), "face walk")

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
        most: int,
    ) -> Answers | None:
        """The table by a method that does not list the dice, if that takes no more than `most` steps."""
        try:
            if only_sums:
                return None if is_endless(sources) else self._packed_answers(sources, struck, questions, most)
            return self._walked_answers(sources, struck, questions, most)
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
        forms = [*facts.inside, *([] if form is None else [form])]
        asked = [left for each in forms for left, _ in each.leftovers if isinstance(left, Asked)]
        if any(unsettled(each, sources) for each in asked):
            raise TooLarge("a question to exploding dice that are told apart without an end")
        if is_endless(sources):
            if outdone(sources, forms):
                raise Irrational("which of several faces without end shows most often")
            raise TooLarge("a question to an endless number of dice beside others")
        self.methods.add("listing")
        result: dict[int, Fraction] = {}
        for known, weight in listed(sources, self.budget):
            self.states += 1
            self.work(JUDGED)
            resolver = Resolver(known, sources)
            if resolver.facts(facts) is not None:
                value = 0 if form is None else int(resolver.value(form))
                result[value] = result.get(value, Fraction(0)) + weight
        return Law.of(result)
