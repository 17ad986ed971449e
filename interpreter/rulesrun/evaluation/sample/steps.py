"""The lines of a rule in many lanes at once.

In: the steps of a plan, lanes that hold its inputs. Out: lanes that hold every name. A rolled rule that is not rolled
everywhere, and the turns of a repetition, run on the lanes that take part; what they define is then put together with
what holds in the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rulesrun.evaluation.inputs import in_domain, limit_broken
from rulesrun.evaluation.sample.columns import (
    Array,
    Column,
    Same,
    apply,
    assembled,
    filled,
    number_array,
    truth_array,
)
from rulesrun.evaluation.sample.dice import Dice, merged_dice, no_dice
from rulesrun.evaluation.sample.drawing import Bags
from rulesrun.evaluation.sample.expressions import surely_inside
from rulesrun.evaluation.sample.lanes import Held, InBag, Lanes
from rulesrun.evaluation.walk import absent_kinds, pools_read
from rulesrun.semantics import plan
from rulesrun.semantics.domains import number_bounds


class Steps(Bags):
    """Runs the lines of a rule."""

    def run(self, lanes: Lanes) -> None:
        """The whole rule, on lanes without names."""
        lanes.names |= {name: Same(value) for name, value in self.inputs.items()}
        self.block(self.rule.steps, lanes)

    def block(self, steps: Sequence[plan.AnyStep], lanes: Lanes) -> None:
        """Steps that begin with full bags of their own."""
        self.fill_bags(steps, lanes)
        for step in steps:
            self.step(step, lanes)

    def step(self, step: plan.AnyStep, lanes: Lanes) -> None:
        """One line."""
        match step:
            case plan.Limit(condition=condition):
                if not truth_array(self.truth(condition, lanes), lanes.size).all():
                    limit_broken(step)
            case plan.Draw():
                lanes.names[step.name] = self._draw(step, lanes)
            case plan.Define(name=name, value=value) | plan.OutcomeAs(name=name, value=value):
                lanes.names[name] = self.held(value, lanes)
            case plan.Track(name=name, start=start):
                lanes.names[name] = self.held(start, lanes)
            case plan.Bind():
                lanes.names[step.name] = self._bound(step, lanes)
            case plan.Flag(name=name, condition=condition):
                lanes.names[name] = self.truth(condition, lanes)
            case plan.Outcome(name=name, cases=cases):
                labels: list[tuple[plan.Expression | None, plan.Expression | Column]] = [
                    (each.condition, Same(each.label)) for each in cases
                ]
                lanes.names[name] = self.chosen(labels, lanes, Same(None))
            case plan.Update():
                lanes.names[step.name] = self._updated(step, lanes)
            case plan.Invoke():
                self._invoke(step, lanes)
            case plan.Choice():
                self.choice(step, lanes)
            case plan.Repeat():
                self._repeat(step, lanes)
            case plan.BagDraw():
                self.bag_draw(step, lanes)
            case plan.PutBack():
                self.put_back(step, lanes)
            case plan.PutAllBack():
                self.put_all_back(step, lanes)

    def held(self, e: plan.Expression, lanes: Lanes) -> Column | Dice:
        """The value of an expression of any kind."""
        return self.pool(e, lanes) if e.kind is plan.Kind.POOL else self.value(e, lanes)

    def _draw(self, step: plan.Draw, lanes: Lanes) -> Dice:
        found: list[tuple[Array | None, Dice]] = []
        for mask, throw in self.cases([(case.condition, case.throw) for case in step.cases], lanes):
            if mask is None:
                return self.throw(throw, lanes)
            index = np.flatnonzero(mask)
            found.append((index, self.throw(throw, lanes.part(index))))
        if found:
            lanes.block.need(max(pool.rows for _, pool in found) * lanes.size)
        return merged_dice(lanes.size, found) if found else no_dice(lanes.size)

    def _bound(self, step: plan.Bind, lanes: Lanes) -> Column:
        value = self.value(step.value, lanes)
        low, high = (Same(None) if bound is None else self.value(bound, lanes) for bound in number_bounds(step.domain))
        if isinstance(step.domain, plan.NumberDomain) and surely_inside(value, low, high):
            return value
        levels = self.ruleset.levels
        return apply(lambda each, least, most: in_domain(each, step, least, most, levels), value, low, high)

    def _updated(self, step: plan.Update, lanes: Lanes) -> Column | Dice:
        old = lanes.get(step.name)
        for mask, _ in self.cases([(step.condition, None)], lanes):
            if mask is None:
                return self.held(step.value, lanes)
            if isinstance(old, Dice) or step.value.kind is plan.Kind.POOL:
                yes, no = np.flatnonzero(mask), np.flatnonzero(~mask)
                return merged_dice(lanes.size, [(yes, self.pool(step.value, lanes.part(yes))), (no, old.take(no))])
            new = self.guarded(lanes, mask, step.value, lambda part: self.value(step.value, part))
            return self.all_lanes([(mask, new)], lanes, old)
        return old  # type: ignore[no-any-return]

    # ------------------------------------------------------------ rolled rules

    def _invoke(self, step: plan.Invoke, lanes: Lanes) -> None:
        kinds = absent_kinds(step)
        taken: tuple[Array, Lanes] | None = None
        for mask, _ in self.cases([(step.condition, None)], lanes):
            if mask is None:
                self.block(step.steps, lanes)
                return
            index = np.flatnonzero(mask)
            part = lanes.part(index)
            self.block(step.steps, part)
            taken = index, part
        for name in step.names:
            lanes.names[name] = self._or_absent(name, kinds[name], taken, lanes)

    def _or_absent(self, name: str, kind: plan.Kind, taken: tuple[Array, Lanes] | None, lanes: Lanes) -> Held:
        found: Any = None
        if taken is not None and taken[1].has(name):
            found = taken[1].get(name)
        if kind is plan.Kind.POOL or isinstance(found, Dice):
            return no_dice(lanes.size) if taken is None else merged_dice(lanes.size, [(taken[0], found)])
        absent = Same(False if kind is plan.Kind.YES_NO else None)
        if taken is None or found is None:
            return absent
        mask = np.zeros(lanes.size, bool)
        mask[taken[0]] = True
        return self.all_lanes([(mask, filled(found, taken[0], lanes.size))], lanes, absent)

    # ------------------------------------------------------------ repetitions

    def _repeat(self, step: plan.Repeat, lanes: Lanes) -> None:
        carried = [*_updated_names(step.steps), *self.carried_bags(step.steps)]
        carried = [name for name in carried if lanes.has(name)]
        what = "the number of turns"
        bounds = [self.amount(each, what, lanes) for each in (step.times, step.at_most) if each is not None]
        over: list[tuple[Array, dict[str, Any]]] = []
        index, turn = np.arange(lanes.size), 0
        here = lanes.part(index)
        here.names |= {name: lanes.get(name) for name in carried}
        pools = pools_read(step.steps)
        while True:
            here.names[step.turn] = Same(turn)
            goes = self._goes(step, bounds, turn, index, lanes, here)
            if not goes.all():
                stops = np.flatnonzero(~goes)
                over.append((index[stops], {name: here.get(name).take(stops) for name in carried}))
                stays = np.flatnonzero(goes)
                index = index[stays]
                values = {name: here.get(name).take(stays) for name in carried}
                here = lanes.part(index)
                here.names |= values
            if not len(index):
                break
            turn += 1
            here.names[step.turn] = Same(turn)
            here.count("turns", 1, step.span)
            here.count("work", sum(_size(here, name) for name in pools), step.span)
            for each in step.steps:
                self.step(each, here)
        for name in carried:
            parts = [(there, values[name]) for there, values in over]
            lanes.names[name] = _put_together(lanes.size, parts)

    def _goes(
        self, step: plan.Repeat, bounds: Sequence[Column], turn: int, index: Array, lanes: Lanes, here: Lanes
    ) -> Array:
        """Which lanes take another turn."""
        goes = np.ones(len(index), bool)
        for bound in bounds:
            goes &= turn < (bound.value if isinstance(bound, Same) else number_array(bound, lanes.size)[index])
        if step.until is None or not goes.any():
            return goes
        until = step.until
        done = self.guarded(here, goes, until, lambda part: self.truth(until, part))
        return goes & ~truth_array(done, len(index))


def _updated_names(steps: Sequence[plan.AnyStep]) -> list[str]:
    """The tracked names that steps update."""
    found: dict[str, None] = {}
    for step in steps:
        if isinstance(step, plan.Update):
            found[step.name] = None
        elif isinstance(step, plan.Repeat):
            found |= dict.fromkeys(_updated_names(step.steps))
    return list(found)


def _size(lanes: Lanes, name: str) -> Any:
    """How many dice a pool has that is known before the turn."""
    if not lanes.has(name):
        return 0
    held = lanes.get(name)
    return held.sizes() if isinstance(held, Dice) else 0


def _put_together(size: int, parts: Sequence[tuple[Array, Any]]) -> Held:
    first = parts[0][1]
    if isinstance(first, Dice):
        return merged_dice(size, parts)
    if isinstance(first, InBag):
        left = np.empty((first.left.shape[0], size), np.int64)
        for index, bag in parts:
            left[:, index] = bag.left
        return first._replace(left=left)
    return assembled(size, parts)
