"""Expressions of a plan in many lanes at once.

In: an expression and lanes. Out: a column, or pools. What has an array form is done by it; everything else by the
function of `operations` and `pools` that a roll uses, once for each different combination of values. What a condition
guards is worked out only where the condition holds, or, where that is cheaper, everywhere: an expression draws nothing
and changes nothing, so an error that it then meets where a roll would not have looked is forgotten.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from rulesrun.evaluation import operations, pools
from rulesrun.evaluation.expressions import in_faces
from rulesrun.evaluation.sample import numbers, ordering, questions
from rulesrun.evaluation.sample.columns import (
    Array,
    Coded,
    Column,
    Same,
    Truth,
    Whole,
    apply,
    bare,
    ends,
    number_array,
    options_of,
    whole_numbers,
)
from rulesrun.evaluation.sample.dice import Dice, Unusual
from rulesrun.evaluation.sample.face_sets import belonging
from rulesrun.evaluation.sample.lanes import Lanes
from rulesrun.evaluation.sample.lists import DIE, OTHER, SIDES, TARGET, die_lanes, item_lanes, summed
from rulesrun.evaluation.sample.planned_faces import PlannedFaces
from rulesrun.evaluation.sample.singly import Single
from rulesrun.semantics.borne import as_number, as_symbols
from rulesrun.semantics.domains import number_bounds
from rulesrun.semantics.plan import (
    And,
    Arithmetic,
    Cases,
    Compare,
    Const,
    Each,
    Expression,
    FaceSet,
    ForEach,
    Function,
    InFaces,
    IsLabel,
    ItemAt,
    Kind,
    ListOf,
    Negative,
    Not,
    NumberDomain,
    NumbersBetween,
    Or,
    Outranks,
    Question,
    Table,
    TableAt,
    Var,
    WinsOf,
    Within,
)

_WORDS = {"die": DIE, "other": OTHER, "target": TARGET, "sides": SIDES}


class Expressions(PlannedFaces):
    """Works out expressions; `tables` are the ruleset's."""

    def __init__(self, tables: Mapping[str, Table]) -> None:
        super().__init__()
        self.tables = tables
        self.single = Single(tables)

    def value(self, e: Expression, lanes: Lanes) -> Column:
        """The value of an expression that is no pool."""
        match e:
            case Const(value=value):
                return Same(value)
            case Var(name=name):
                return self._held(e, lanes.get(name), lanes)
            case Each(word="number" | "symbols" as word):
                return apply(as_number if word == "number" else as_symbols, self._held(e, lanes.get(DIE), lanes))
            case Each(word="other number"):
                return apply(as_number, self._held(e, lanes.get(OTHER), lanes))
            case Each(word=word):
                return self._held(e, lanes.get(_WORDS[word]), lanes)
            case ListOf(items=items):
                return apply(lambda *each: tuple(each), *(self.value(each, lanes) for each in items))
            case NumbersBetween(low=low, high=high):
                return apply(
                    lambda first, last: operations.numbers_between(first, last, e),
                    self.value(low, lanes),
                    self.value(high, lanes),
                )
            case Within(value=value):
                return self._within(e, self.value(value, lanes), lanes)
            case Arithmetic(left=left, right=right):
                return numbers.arithmetic(e, self.value(left, lanes), self.value(right, lanes))
            case Negative(operand=operand):
                column = self.value(operand, lanes)
                if isinstance(column, Whole):
                    return Whole(-column.numbers, -column.high, -column.low)
                return apply(lambda value: operations.negative(value, e), column)
            case Not(operand=operand):
                held = self.truth(operand, lanes)
                return Same(not held.value) if isinstance(held, Same) else Truth(~held.holds)
            case And() | Or():
                return self._joined(e, lanes)
            case Compare(left=left, right=right):
                return numbers.compare(e, self.value(left, lanes), self.value(right, lanes))
            case InFaces(value=value, faces=faces):
                return self._in_faces(e, self.value(value, lanes), faces, lanes)
            case IsLabel(value=value):
                return apply(lambda each: operations.is_label(each, e), self.value(value, lanes))
            case Cases(cases=cases):
                return self.chosen([(each.condition, each.value) for each in cases], lanes, Same(None))
            case Function():
                return self._function(e, lanes)
            case TableAt(table=table, index=index):
                rows = self.tables[table]
                return apply(lambda each: operations.table_at(rows, each, e), self.value(index, lanes))
            case ItemAt(items=items, index=index) if items.kind is not Kind.POOL:
                return apply(
                    lambda there, place: operations.item_at(there, place, e),
                    self.value(items, lanes),
                    self.value(index, lanes),
                )
            case Question():
                return self._question(e, lanes)
            case Outranks(left=left, right=right):
                return self._between(e, lanes, left, right)
            case WinsOf(left=left, right=right):
                return self._between(e, lanes, left, right)
            case ForEach(over=over, each=each):
                return self._for_each(e, over, each, lanes)
            case _:
                return self._singly(e, lanes)

    def amount(self, e: Expression, what: str, lanes: Lanes) -> Column:
        """A whole number that is not negative."""
        return self.checked(
            self.value(e, lanes), lambda value: operations.natural_number(value, e, what), lambda low: low >= 0
        )

    def checked(self, column: Column, check: Callable[[Any], Any], sure: Callable[[int], bool]) -> Column:
        """Whole numbers that pass a check; it need not be made if it is `sure` for the lowest."""
        if isinstance(column, Whole) and sure(column.low):
            return column
        return apply(check, column)

    def _held(self, e: Expression, held: Any, lanes: Lanes) -> Column:
        return self._singly(e, lanes) if isinstance(held, Dice) else held

    def _singly(self, e: Expression, lanes: Lanes) -> Column:
        found = self.single.value(e, lanes)
        assert not isinstance(found, Dice)
        return found

    def _joined(self, e: And | Or, lanes: Lanes) -> Column:
        stops = isinstance(e, Or)
        left = self.truth(e.left, lanes)
        if isinstance(left, Same):
            return left if left.value is stops else self.truth(e.right, lanes)
        open_ = ~left.holds if stops else left.holds
        if not open_.any():
            return left
        right = self.guarded(lanes, open_, e.right, lambda part: self.truth(e.right, part))
        there = bare(right)
        return Truth(left.holds | there if stops else left.holds & there)

    def chosen(
        self, cases: Sequence[tuple[Expression | None, Expression | Column]], lanes: Lanes, absent: Column
    ) -> Column:
        """The value of the first case that holds in each lane; `absent` where none does."""
        found: list[tuple[Array | None, Column]] = []
        for mask, value in self.cases(cases, lanes):
            if isinstance(value, Same | Whole | Truth | Coded):
                column: Any = value
            elif mask is None:
                column = self.value(value, lanes)
            else:
                column = self.guarded(lanes, mask, value, lambda part, value=value: self.value(value, part))  # type: ignore[misc]
            found.append((mask, column))
        return self.all_lanes(found, lanes, absent)

    def _function(self, e: Function, lanes: Lanes) -> Column:
        first = e.arguments[0]
        if e.name in ("round_up", "round_down") and isinstance(first, Arithmetic) and first.operator == "/":
            left, right = self.value(first.left, lanes), self.value(first.right, lanes)
            if (found := numbers.divided(e, left, right)) is not None:
                return found
            return numbers.function(e, [numbers.arithmetic(first, left, right)])
        return numbers.function(e, [self.value(each, lanes) for each in e.arguments])

    def _within(self, e: Within, value: Column, lanes: Lanes) -> Column:
        low, high = (Same(None) if bound is None else self.value(bound, lanes) for bound in number_bounds(e.domain))
        if isinstance(e.domain, NumberDomain) and surely_inside(value, low, high):
            return value
        return apply(lambda each, least, most: operations.within(each, least, most, e), value, low, high)

    def _in_faces(self, e: InFaces, value: Column, faces: FaceSet, lanes: Lanes) -> Column:
        tests, codes, members, _ = self.tests(faces, lanes)
        if members or codes is not None or not isinstance(value, Whole):
            if members:
                return self._singly(e, lanes)
            which = Same(0) if codes is None else Whole(codes, 0, len(tests) - 1)
            return apply(lambda each, place: in_faces(each, tests[place], e.value), value, which)
        row = Dice(value.numbers[None, :], value.low, value.high, None, 0, None)
        return Truth(belonging(row, tests, None)[0])

    # ------------------------------------------------------------ questions

    def _question(self, e: Question, lanes: Lanes) -> Column:
        if e.pool.kind is not Kind.POOL and not isinstance(e.pool, ListOf):
            return self._question_to_list(e, lanes)
        pool = self.as_pool(e.pool, lanes)
        if pool is None:
            return self._question_to_list(e, lanes)
        if e.asked == "groups":
            return self._singly(e, lanes)
        if e.asked == "sets":
            return self._sets(e, pool, lanes)
        if e.faces is not None:
            marks = (self.counts if e.asked in ("count", "pairs") else self.belongs)(e.faces, pool, lanes)
            return questions.with_faces(e.asked, pool, marks)
        try:
            return questions.about_faces(e.asked, pool, e.span)
        except Unusual:
            return self._singly(e, lanes)

    def _sets(self, e: Question, pool: Dice, lanes: Lanes) -> Column:
        assert e.faces is not None
        tests, codes, members, _ = self.tests(e.faces, lanes)
        if members:
            return self._singly(e, lanes)
        if not pool.rows:
            return Same(0)
        sizes = np.array([[test.contains(size) for size in range(pool.rows + 1)] for test in tests])
        return questions.sets(pool, sizes, codes)

    def _question_to_list(self, e: Question, lanes: Lanes) -> Column:
        items = self.value(e.pool, lanes)
        if e.pool.optional:
            items = apply(lambda value: operations.dice(value, e.pool), items)
        if e.faces is not None:
            tests, codes, members, _ = self.tests(e.faces, lanes)
            if members:
                return self._singly(e, lanes)
            which = Same(0) if codes is None else Whole(codes, 0, len(tests) - 1)
            return apply(lambda there, place: pools.ask(e.asked, there, e.span, tests[place]), items, which)
        return apply(lambda there: pools.ask(e.asked, there, e.span), items)

    def _between(self, e: Outranks | WinsOf, lanes: Lanes, left: Expression, right: Expression) -> Column:
        mine, theirs = self.as_pool(left, lanes), self.as_pool(right, lanes)
        if mine is None or theirs is None:
            return self._singly(e, lanes)
        try:
            if isinstance(e, Outranks):
                return Truth(ordering.outranks(mine, theirs, e.span))
            return Whole(ordering.wins(mine, theirs, e.span), 0, max(mine.rows, theirs.rows))
        except Unusual:
            return self._singly(e, lanes)

    def _for_each(
        self, e: ForEach, over: Expression | tuple[Expression, Expression], each: Expression, lanes: Lanes
    ) -> Column:
        if isinstance(over, tuple):
            low, high = over
            lists = apply(
                lambda first, last: operations.span_of_numbers(first, last, low, high),
                self.value(low, lanes),
                self.value(high, lanes),
            )
            inner, number = self._items(lists, each, lanes)
        elif over.kind is Kind.POOL:
            pool = self.pool(over, lanes)
            number = pool.sizes()
            lanes.count("work", number, each.span)
            lanes.block.need(pool.faces.size)
            inner = die_lanes(lanes, pool)
        else:
            lists = self.value(over, lanes)
            if over.optional:
                lists = apply(lambda value: operations.dice(value, over), lists)
            inner, number = self._items(lists, each, lanes)
        if not inner.size:
            return Same(0)
        parts_ = self.value(each, inner)
        found = summed(parts_, inner, lanes, int(np.max(number, initial=0)))
        return self._singly(e, lanes) if found is None else found

    def _items(self, lists: Column, each: Expression, lanes: Lanes) -> tuple[Lanes, Array | int]:
        most = max(map(len, options_of(lists)))
        lanes.block.need(most * lanes.size)
        inner, number = item_lanes(lanes, lists)
        lanes.count("work", number, each.span)
        return inner, number

    # ------------------------------------------------------------ pools

    def as_pool(self, e: Expression, lanes: Lanes) -> Dice | None:
        """A pool, or numbers of a list as dice; None for a list of anything else."""
        if e.kind is Kind.POOL:
            return self.pool(e, lanes)
        if isinstance(e, ListOf):
            columns = [self.value(each, lanes) for each in e.items]
            if columns and all(map(whole_numbers, columns)):
                low = min(ends(each)[0] for each in columns)
                high = max(ends(each)[1] for each in columns)
                rows = np.stack([number_array(each, lanes.size) for each in columns])
                return Dice(rows, low, high, None, 0, None)
        return None


def surely_inside(value: Column, low: Column, high: Column) -> bool:
    """Whether whole numbers surely lie between bounds, each a number that is the same in all lanes, or None."""
    if not whole_numbers(value):
        return False
    least, most = ends(value)
    for bound in (low, high):
        if not isinstance(bound, Same) or not (bound.value is None or type(bound.value) is int):
            return False
    return (low.value is None or low.value <= least) and (high.value is None or most <= high.value)  # type: ignore[union-attr]


def clipped(amount: Column) -> Any:
    """A number of dice as an array or one number."""
    return bare(amount) if whole_numbers(amount) else bare(apply(lambda each: min(each, 1 << 40), amount))
