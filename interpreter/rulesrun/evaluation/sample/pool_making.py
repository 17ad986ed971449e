"""Pools made from pools in many lanes at once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rulesrun.evaluation import operations
from rulesrun.evaluation.expressions import place_number
from rulesrun.evaluation.sample import ordering
from rulesrun.evaluation.sample.columns import (
    SMALL,
    Array,
    apply,
    at,
    ends,
    grouped,
    keys_of,
    number_array,
    truth_array,
    whole_numbers,
)
from rulesrun.evaluation.sample.dice import Dice, alike, merged_dice, no_dice, union, with_faces_as
from rulesrun.evaluation.sample.expressions import Expressions, clipped
from rulesrun.evaluation.sample.lanes import Lanes
from rulesrun.evaluation.sample.lists import cell_array, die_lanes
from rulesrun.semantics.borne import as_number, as_symbols
from rulesrun.semantics.plan import (
    Cancelled,
    Cases,
    Each,
    Expression,
    Kind,
    Natural,
    NewestGroup,
    Select,
    Showing,
    Union,
    Var,
    Where,
    WithEach,
)

_PARTS = {"number": as_number, "symbols": as_symbols}


class PoolMaking(Expressions):
    """Makes pools."""

    def pool(self, e: Expression, lanes: Lanes) -> Dice:
        """The pools that an expression is."""
        match e:
            case Var(name=name):
                held = lanes.get(name)
                if isinstance(held, Dice):
                    return held
            case NewestGroup():
                found = lanes.get("newest")
                assert isinstance(found, Dice)
                return found
            case Union(left=left, right=right):
                return self.joined([self.pool(left, lanes), self.pool(right, lanes)], lanes)
            case Cases(cases=cases):
                return self._pool_of_cases([(each.condition, each.value) for each in cases], e, lanes)
            case Select(which=which, number=number, pool=pool) if pool.kind is Kind.POOL:
                return self._select(e, which, number, self.pool(pool, lanes), lanes)
            case Showing(pool=pool, faces=faces) if pool.kind is Kind.POOL:
                dice = self.pool(pool, lanes)
                return dice.where(self.belongs(faces, dice, lanes))
            case Cancelled(pool=pool, by=by, when=None) if pool.kind is Kind.POOL and by.kind is Kind.POOL:
                return self._cancelled(e, self.pool(pool, lanes), self.pool(by, lanes), lanes)
            case WithEach(pool=pool, changed=new) if pool.kind is Kind.POOL:
                return self._with_each(self.pool(pool, lanes), new, lanes)
            case Where(pool=pool, condition=condition) if pool.kind is Kind.POOL:
                return self._where(self.pool(pool, lanes), condition, lanes)
            case Natural(pool=pool) if pool.kind is Kind.POOL:
                return self._natural(self.pool(pool, lanes), lanes)
        found = self.single.value(e, lanes)
        assert isinstance(found, Dice)
        return found

    def joined(self, dice: Sequence[Dice], lanes: Lanes) -> Dice:
        """All dice of several pools."""
        lanes.block.need(sum(each.rows for each in dice) * lanes.size)
        return union(dice)

    def _pool_of_cases(
        self, cases: Sequence[tuple[Expression | None, Expression]], e: Expression, lanes: Lanes
    ) -> Dice:
        found: list[tuple[Array | None, Dice]] = []
        covered = 0
        for mask, value in self.cases(cases, lanes):
            if mask is None:
                return self._dice_or_error(value, lanes)
            index = np.flatnonzero(mask)
            covered += len(index)
            found.append((index, self._dice_or_error(value, lanes.part(index))))
        if covered < lanes.size and e.optional:
            operations.dice(None, e)
        return merged_dice(lanes.size, found) if found else no_dice(lanes.size)

    def _dice_or_error(self, e: Expression, lanes: Lanes) -> Dice:
        if e.kind is not Kind.POOL and lanes.size:
            column = self.value(e, lanes)
            operations.dice(at(column, 0), e)
        return self.pool(e, lanes)

    def _select(self, e: Select, which: str, number: Expression, pool: Dice, lanes: Lanes) -> Dice:
        tags = lanes.block.tags
        if which == "nth":
            place = self.checked(self.value(number, lanes), lambda v: place_number(v, number), lambda low: low >= 1)
            return ordering.nth_highest(pool, clipped(place), tags, e.span)
        amount = clipped(self.amount(number, "the number of dice", lanes))
        return (ordering.highest if which == "highest" else ordering.lowest)(pool, amount, tags, e.span)

    def _cancelled(self, e: Cancelled, pool: Dice, by: Dice, lanes: Lanes) -> Dice:
        """What is left when each die of `by` takes away one with an equal face, of equal faces the higher die first."""
        if not isinstance(pool.tags, int) or pool.rows > ordering.NETWORK or by.rows > ordering.NETWORK:
            found = self.single.value(e, lanes)
            assert isinstance(found, Dice)
            return found
        if not pool.rows or not by.rows:
            return pool
        pool, by = alike([pool, by])
        there, takers = pool.present(), by.present()
        stay = there.copy()
        for row in range(pool.rows):
            face = pool.faces[row]
            taking = ((by.faces == face) & takers).sum(axis=0)
            before = ((pool.faces[:row] == face) & there[:row]).sum(axis=0) if row else 0
            stay[row] &= before >= taking
        return pool._replace(there=stay)

    def _with_each(self, pool: Dice, new: Expression, lanes: Lanes) -> Dice:
        lanes.count("work", pool.sizes(), new.span)
        if isinstance(new, Each) and new.word in _PARTS:
            return with_faces_as(pool, _PARTS[new.word])
        inner = die_lanes(lanes, pool)
        if not inner.size:
            return pool
        column = self.value(new, inner)
        if not whole_numbers(column):
            column = apply(lambda value: operations.new_face(value, new), column)
        low, high, meaning = 0, 0, None
        if whole_numbers(column):
            low, high = ends(column)
            values = number_array(column, inner.size)
        else:
            keyed = keys_of(column)
            groups = grouped(*keyed) if keyed else None
            meaning = tuple(at(column, lane) for lane in (groups.examples.tolist() if groups else [0]))
            values = groups.codes if groups else np.zeros(inner.size, np.int64)
            high = len(meaning) - 1
        return Dice(cell_array(values, pool, low), low, high, pool.there, pool.tags, meaning)

    def _where(self, pool: Dice, condition: Expression, lanes: Lanes) -> Dice:
        lanes.count("work", pool.sizes(), condition.span)
        inner = die_lanes(lanes, pool)
        if not inner.size:
            return pool
        holds = truth_array(self.truth(condition, inner), inner.size)
        return pool.where(cell_array(holds, pool, False))

    def _natural(self, pool: Dice, lanes: Lanes) -> Dice:
        tags = lanes.block.tags
        if not pool.rows:
            return pool
        marks = pool.tag_array()
        there = np.unique(marks)
        firsts = [tags.dice[tag].first for tag in there.tolist()]
        codes = np.searchsorted(there, marks)
        has = np.array([first is not None for first in firsts])[codes]
        if all(type(first) is int and -SMALL < first < SMALL for first in firsts if first is not None):
            numbers = [first if type(first) is int else 0 for first in firsts]
            faces = np.array(numbers, np.int64)[codes]
            found = Dice(faces, min(numbers), max(numbers), pool.there, pool.tags, None)
        else:
            meaning = tuple(dict.fromkeys(0 if first is None else first for first in firsts))
            places = np.array([meaning.index(0 if first is None else first) for first in firsts], np.int64)
            found = Dice(places[codes], 0, len(meaning) - 1, pool.there, pool.tags, meaning)
        return found if has.all() else found.where(has)
