"""Throws in many lanes at once: the dice, and what is done to them, in the order written.

The numbers of a throw (how many dice, how many to keep) are worked out before its first die falls, as in a roll. They
are held by the lanes, so that lanes which throw once more, or some of which do, read theirs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rulesrun.diagnostics import Span
from rulesrun.evaluation import operations, pools
from rulesrun.evaluation.draws import Numbered
from rulesrun.evaluation.pools import Die
from rulesrun.evaluation.sample import ordering, questions
from rulesrun.evaluation.sample.cells import (
    cells,
    neat,
    put_back,
    stacked,
    thrown,
    where_dice,
)
from rulesrun.evaluation.sample.columns import (
    Array,
    Coded,
    Column,
    Same,
    Whole,
    apply,
    at,
    bare,
    ends,
    number_array,
    spread,
    together,
    truth_array,
    whole_numbers,
)
from rulesrun.evaluation.sample.dice import Dice, Unusual, dice_at, merged_dice, no_dice, union
from rulesrun.evaluation.sample.exploding import Exploding
from rulesrun.evaluation.sample.expressions import clipped
from rulesrun.evaluation.sample.lanes import Lanes
from rulesrun.evaluation.sample.lists import NEWEST
from rulesrun.evaluation.sample.new_dice import key_of
from rulesrun.evaluation.sample.singly import pool_keys
from rulesrun.limits import in_force
from rulesrun.semantics import plan


class Throws(Exploding):
    """Throws dice and does to them what is written."""

    def throw(self, throw: plan.Throw, lanes: Lanes) -> Dice:
        """The pools of a throw."""
        for group in throw.groups:
            self._prepare_group(group, lanes)
        for modifier in throw.modifiers:
            self._prepare(modifier, lanes)
        return self._thrown(throw.groups, throw.modifiers, lanes)

    def _prepare_group(self, group: plan.Group, lanes: Lanes) -> None:
        if isinstance(group, plan.DiceOfSizes):
            lanes.names[key_of(group)] = self._sizes(group.sizes, lanes)
            return
        if isinstance(group, plan.SameDice):
            lanes.names[key_of(group)] = self.pool(group.pool, lanes)
            return
        self._prepare_kind(group.kind, lanes)
        if group.count is not None:
            lanes.names[key_of(group)] = self._dice_number(group.count, lanes)
        else:
            lanes.names[key_of(group)] = Same(1)
        for modifier in group.modifiers:
            self._prepare(modifier, lanes)

    def _sizes(self, e: plan.Expression, lanes: Lanes) -> Column:
        """Lists of numbers of sides."""
        if e.kind is not plan.Kind.POOL:
            return apply(lambda sizes: tuple(operations.sizes_of_dice(sizes, e)), self.value(e, lanes))
        pool = self.pool(e, lanes)
        groups = together(pool_keys(pool, lanes))
        tags = lanes.block.tags
        examples = [0] if groups is None else groups.examples.tolist()
        found = [tuple(operations.sizes_of_dice(dice_at(pool, tags, lane), e)) for lane in examples]
        return Same(found[0]) if groups is None else spread(found, groups.codes)

    def _prepare(self, modifier: plan.Modifier, lanes: Lanes) -> None:
        match modifier:
            case plan.KeepDrop(word=word, number=number):
                lanes.names[key_of(modifier)] = self.amount(number, f"the number of dice to {word}", lanes)
            case plan.Explode(limit=limit, rolling=rolling, many=many):
                self._prepare_times(modifier, limit, lanes)
                if many is not None:
                    lanes.names[key_of(modifier) + " many"] = self._dice_number(many, lanes)
                if rolling is not None:
                    self._prepare_kind(rolling, lanes)
            case plan.Reroll(limit=limit, dice=dice):
                self._prepare_times(modifier, limit, lanes)
                if dice is not None:
                    lanes.names[key_of(modifier) + " dice"] = self.amount(dice, "the number of times", lanes)
            case plan.Again(limit=limit):
                self._prepare_times(modifier, limit, lanes)
            case plan.Advantage(number=number, at_most=at_most):
                lanes.names[key_of(modifier)] = self.checked(
                    self.value(number, lanes),
                    lambda value: operations.whole(value, number, "an advantage"),
                    lambda low: True,
                )
                if at_most is not None:
                    lanes.names[key_of(modifier) + " most"] = self.amount(at_most, "the number of times", lanes)
            case plan.Against(target=target):
                lanes.names[key_of(modifier)] = self.checked(
                    self.value(target, lanes), lambda value: operations.exact(value, target), lambda low: True
                )

    def _prepare_times(self, modifier: plan.Modifier, limit: plan.Expression | None, lanes: Lanes) -> None:
        if limit is not None:
            lanes.names[key_of(modifier)] = self.amount(limit, "the number of times", lanes)

    def _thrown(
        self, groups: Sequence[plan.Group], modifiers: Sequence[plan.Modifier], lanes: Lanes,
        plain: bool = False,
    ) -> Dice:  # fmt: skip
        """The groups, then the modifiers from left to right; `plain`: the groups without modifiers of their own."""
        if not modifiers:
            return self.joined([self._group(group, lanes, plain) for group in groups], lanes)
        *left, last = modifiers
        match last:
            case plan.Again():
                return self._again(groups, left, last, lanes, plain)
            case plan.Advantage():
                return self._advantage(groups, left, last, lanes, plain)
        pool = self._thrown(groups, left, lanes, plain)
        match last:
            case plan.KeepDrop(word=word, which=which):
                number = clipped(lanes.get(key_of(last)))
                return ordering.kept(pool, word, which, number, lanes.block.tags, last.span)
            case plan.Explode(adding=True):
                return self._explode_adding(pool, last, lanes)
            case plan.Explode():
                return self._explode(pool, last, lanes)
            case plan.Reroll():
                return self._reroll(pool, last, lanes)
            case plan.Against():
                return self._against(pool, lanes.get(key_of(last)), lanes)
        raise AssertionError(f"no modifier of a plan: {last!r}")

    def _group(self, group: plan.Group, lanes: Lanes, plain: bool) -> Dice:
        if isinstance(group, plan.SameDice):
            return self._same_dice(lanes.get(key_of(group)), group.span, lanes)
        if isinstance(group, plan.DiceOfSizes):
            return self._of_sizes(lanes.get(key_of(group)), group.span, lanes)
        if group.modifiers and not plain:
            return self._thrown([group], group.modifiers, lanes, plain=True)
        count = lanes.get(key_of(group))
        rows = ends(count)[1]
        if rows <= 0:
            return no_dice(lanes.size)
        if isinstance(count, Whole):
            rows = int(count.numbers.max(initial=0))
        if not isinstance(group.kind, plan.RolledDie):
            lanes.count("dice", bare(count), group.span)
        lanes.block.need(rows * lanes.size)
        there = np.arange(rows)[:, None] < count.numbers if isinstance(count, Whole) else None
        if isinstance(group.kind, plan.RolledDie):
            row, lane = np.nonzero(np.ones((rows, lanes.size), bool) if there is None else there)
            dice = self._rolled_dice(group.kind, lanes.part(lane))
            mask = np.ones((rows, lanes.size), bool) if there is None else there
            return stacked(dice, mask, row, lane)
        faces, tags = self._new_faces(group.kind, rows, lanes)
        shape = (rows, lanes.size)
        array = faces.array.reshape(shape)
        marks = lanes.block.tags.showing_first(tags, array, faces.meaning)
        return Dice(array, faces.low, faces.high, there, marks, faces.meaning)

    def _of_sizes(self, sizes: Column, span: Span, lanes: Lanes) -> Dice:
        """A die for each number of a list."""
        if isinstance(sizes, Coded):
            found: list[tuple[Array | None, Dice]] = []
            for code, each in enumerate(sizes.values):
                index = np.flatnonzero(sizes.codes == code)
                found.append((index, self._of_sizes(Same(each), span, lanes.part(index))))
            return merged_dice(lanes.size, found)
        assert isinstance(sizes, Same)
        lanes.count("dice", len(sizes.value), span)
        lanes.block.need(len(sizes.value) * lanes.size)
        tags, rows = lanes.block.tags, []
        for each in sizes.value:
            faces = thrown(Numbered(f"d{each}", each), lanes.size, lanes.block.bits)
            marks = tags.showing_first(tags.of(Die(0, each, None, f"d{each}")), faces.array[None, :], faces.meaning)
            rows.append(faces.dice(marks))
        return union(rows) if rows else no_dice(lanes.size)

    def _same_dice(self, pool: Dice, span: Span, lanes: Lanes) -> Dice:
        mask = pool.present()
        row, lane = np.nonzero(mask)
        if not len(row):
            return pool
        dice = self._again_thrown(cells(pool, row, lane), lanes.part(lane), span)
        marks = lanes.block.tags.showing_first(dice.tags, dice.faces, dice.meaning)
        return put_back(pool, row, lane, dice._replace(tags=marks))

    def _again(
        self, groups: Sequence[plan.Group], left: Sequence[plan.Modifier], how: plan.Again,
        lanes: Lanes, plain: bool,
    ) -> Dice:  # fmt: skip
        newest = self._thrown(groups, left, lanes, plain)
        result, rows, here, times = [newest], newest.rows, lanes, 0
        index = np.arange(lanes.size)
        while True:
            if how.limit is not None:
                open_ = np.flatnonzero(times < number_array(lanes.get(key_of(how)), lanes.size)[index])
                if not len(open_):
                    break
                if len(open_) < here.size:
                    here, newest, index = here.part(open_), newest.take(open_), index[open_]
            here.names[NEWEST] = newest
            goes = np.flatnonzero(truth_array(self.truth(how.condition, here), here.size))
            if not len(goes):
                break
            here, index = here.part(goes), index[goes]
            here.count("turns", 1, how.span)
            newest = self._thrown(groups, left, here, plain)
            newest = newest._replace(tags=here.block.tags.changed(newest.tags, lambda die: die._replace(first=None)))
            rows += newest.rows
            lanes.block.need(rows * lanes.size)
            result.append(merged_dice(lanes.size, [(index, newest)]))
            times += 1
        return neat(self.joined(result, lanes))

    def _advantage(
        self, groups: Sequence[plan.Group], left: Sequence[plan.Modifier], how: plan.Advantage,
        lanes: Lanes, plain: bool,
    ) -> Dice:  # fmt: skip
        number = clipped_both(lanes.get(key_of(how)))
        further = np.abs(number)
        if how.at_most is not None:
            further = np.minimum(further, clipped(lanes.get(key_of(how) + " most")))
        best = self._thrown(groups, left, lanes, plain)
        best_sum = self._sum_of(best, how.span, lanes)
        for turn in range(int(np.max(further, initial=0))):
            some = None if np.ndim(further) == 0 else np.flatnonzero(further > turn)
            here = lanes if some is None or len(some) == lanes.size else lanes.part(some)
            here.count("turns", 1, how.span)
            other = self._thrown(groups, left, here, plain)
            other_sum = self._sum_of(other, how.span, here)
            if here is not lanes:
                assert some is not None
                other = merged_dice(lanes.size, [(some, other)])
                every = np.array(best_sum)
                every[some] = other_sum
                other_sum = every
            better = np.where(np.asarray(number) > 0, other_sum > best_sum, other_sum < best_sum)
            best = where_dice(better, other, best)
            best_sum = np.where(better, other_sum, best_sum)
        return best

    def _sum_of(self, pool: Dice, span: Span, lanes: Lanes) -> Array:
        """The sum of each pool; of numbers that are not whole as objects."""
        try:
            column = questions.about_faces("sum", pool, span)
        except Unusual:
            tags = lanes.block.tags
            sums = [pools.ask("sum", dice_at(pool, tags, lane), span) for lane in range(lanes.size)]
            return np.array(sums, object)
        if whole_numbers(column):
            return number_array(column, lanes.size)
        return np.array([at(column, lane) for lane in range(lanes.size)], object)

    def _against(self, pool: Dice, target: Column, lanes: Lanes) -> Dice:
        tags = lanes.block.tags
        if isinstance(target, Same):
            return pool._replace(tags=tags.changed(pool.tags, lambda die: die._replace(target=target.value)))
        if not pool.rows:
            return pool
        column = target if isinstance(target, Whole | Coded) else None
        assert column is not None
        values, codes = np.unique(column.numbers if isinstance(column, Whole) else column.codes, return_inverse=True)
        targets = [int(each) if isinstance(column, Whole) else column.values[each] for each in values.tolist()]
        keys = pool.tag_array() * len(targets) + codes.reshape(-1)
        there, places = np.unique(keys, return_inverse=True)
        found = [
            tags.of(tags.dice[key // len(targets)]._replace(target=targets[key % len(targets)]))
            for key in there.tolist()
        ]
        return pool._replace(tags=np.array(found, np.int64)[places.reshape(keys.shape)])


def clipped_both(amount: Column) -> Any:
    """A number that may be negative as an array or one number, at most as far from 0 as any bound of a roll."""
    if whole_numbers(amount):
        return bare(amount)
    most = 4 * in_force.get().turns
    return bare(apply(lambda each: max(-most, min(each, most)), amount))
