"""Bags in many lanes at once: drawing without putting back, and putting back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rulesrun.evaluation.draws import Shape, token
from rulesrun.evaluation.pools import Die
from rulesrun.evaluation.sample.cells import listed
from rulesrun.evaluation.sample.choosing import Choices
from rulesrun.evaluation.sample.columns import Array, Same
from rulesrun.evaluation.sample.dice import Dice, no_dice
from rulesrun.evaluation.sample.expressions import clipped
from rulesrun.evaluation.sample.lanes import InBag, Lanes
from rulesrun.evaluation.walk import bags_of
from rulesrun.semantics import plan


class Bags(Choices):
    """Draws from bags."""

    def fill_bags(self, steps: Sequence[plan.AnyStep], lanes: Lanes) -> None:
        """Full bags for a rule that begins."""
        for flat in bags_of(steps):
            numbers = np.array([number for _, number in self.ruleset.bag(flat).contents], np.int64)
            things = tuple(Die(face, shape.sides, None, shape.name, face) for shape, face in self._things(flat))
            lanes.names[flat] = InBag(np.repeat(numbers[:, None], lanes.size, axis=1), things)

    def _things(self, flat: str) -> list[tuple[Shape, Any]]:
        found: list[tuple[Shape, Any]] = []
        for thing, _ in self.ruleset.bag(flat).contents:
            if isinstance(thing, plan.Faces | plan.RolledDie):
                found.append((self.fixed_shape(thing), (thing.name,)))
            else:
                shape = token(thing)
                found.append((shape, shape.faces[0]))
        return found

    def bag_draw(self, step: plan.BagDraw, lanes: Lanes) -> None:
        """Things out of a bag, all that are left if there are no more."""
        found: list[tuple[Array | None, Any]] = []
        what = "the number to draw"
        for mask, _ in self.cases([(step.condition, None)], lanes):
            if mask is None:
                found.append((mask, self.amount(step.number, what, lanes)))
            else:
                found.append(
                    (mask, self.guarded(lanes, mask, step.number, lambda part: self.amount(step.number, what, part)))
                )
        wanted = clipped(self.all_lanes(found, lanes, Same(0)))
        bag = lanes.get(step.bag)
        left = np.array(bag.left)
        sizes = left.sum(axis=0)
        number = np.minimum(wanted, sizes)
        rows = int(np.max(number, initial=0))
        lanes.count("dice", number, step.span)
        lanes.block.need(max(rows, len(left)) * lanes.size)
        places = np.zeros((rows, lanes.size), np.int64)
        there = np.arange(rows)[:, None] < number
        for row in range(rows):
            lane = np.flatnonzero(there[row])
            drawn = lanes.block.bits.below_each(sizes[lane] - row)
            place = (np.cumsum(left[:, lane], axis=0) <= drawn).sum(axis=0)
            places[row, lane] = place
            left[place, lane] -= 1
        lanes.names[step.bag] = bag._replace(left=left)
        lanes.names[_places(step.name)] = Dice(places, 0, len(left), None if there.all() else there, 0, None)
        lanes.names[step.name] = self._drawn(step.bag, places, there, lanes)

    def _drawn(self, flat: str, places: Array, there: Array, lanes: Lanes) -> Dice:
        things = self._things(flat)
        tags = lanes.block.tags
        faces = listed([face for _, face in things])
        marks = np.array([tags.of(Die(0, shape.sides, None, shape.name, face)) for shape, face in things], np.int64)
        if not places.shape[0]:
            return no_dice(lanes.size)
        return Dice(
            faces.array[places], faces.low, faces.high, None if there.all() else there, marks[places], faces.meaning
        )

    def put_back(self, step: plan.PutBack, lanes: Lanes) -> None:
        """What was drawn under a name goes back."""
        drawn = lanes.get(_places(step.drawn))
        for mask, _ in self.cases([(step.condition, None)], lanes):
            back = drawn.present() if mask is None else drawn.present() & mask
            bag = lanes.get(step.bag)
            left = np.array(bag.left)
            row, lane = np.nonzero(back)
            np.add.at(left, (drawn.faces[row, lane], lane), 1)
            lanes.names[step.bag] = bag._replace(left=left)
            lanes.names[_places(step.drawn)] = drawn.where(~back)

    def put_all_back(self, step: plan.PutAllBack, lanes: Lanes) -> None:
        """Everything goes back but what some draws hold."""
        bag = lanes.get(step.bag)
        for mask, _ in self.cases([(step.condition, None)], lanes):
            here = np.ones(lanes.size, bool) if mask is None else mask
            full = np.array([number for _, number in self.ruleset.bag(step.bag).contents], np.int64)
            left = np.where(here, full[:, None], bag.left)
            for name in step.kept:
                held = lanes.get(_places(name))
                row, lane = np.nonzero(held.present() & here)
                np.subtract.at(left, (held.faces[row, lane], lane), 1)
            lanes.names[step.bag] = bag._replace(left=left)
            for name in step.drawn:
                places = lanes.get(_places(name))
                lanes.names[_places(name)] = places.where(~(places.present() & here))

    def out_of(self, bag: str, name: str, lanes: Lanes) -> Dice:
        places = lanes.get(_places(name))
        return self._drawn(bag, places.faces, places.present(), lanes)

    def carried_bags(self, steps: Sequence[plan.AnyStep]) -> list[str]:
        """The names that hold the bags of steps, and what was drawn from them."""
        found: dict[str, None] = {}
        for step in steps:
            match step:
                case plan.BagDraw(bag=bag):
                    found[bag] = None
                case plan.PutBack(bag=bag, drawn=drawn):
                    found |= {bag: None, _places(drawn): None}
                case plan.PutAllBack(bag=bag, drawn=drawn):
                    found |= {bag: None, **dict.fromkeys(map(_places, drawn))}
                case plan.Repeat(steps=inner):
                    found |= dict.fromkeys(self.carried_bags(inner))
        return list(found)


def _places(name: str) -> str:
    return f"places {name}"
