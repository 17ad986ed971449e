"""Dice thrown, and thrown anew, in many lanes at once."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import numpy as np

from rulesrun.diagnostics import Span
from rulesrun.evaluation import operations, pools
from rulesrun.evaluation.draws import Given, Numbered, Rolled, Shape, shape_finder
from rulesrun.evaluation.pools import Die
from rulesrun.evaluation.sample import questions
from rulesrun.evaluation.sample.cells import (
    Faces,
    cells,
    listed,
    thrown,
    thrown_each,
)
from rulesrun.evaluation.sample.columns import (
    Array,
    Coded,
    Column,
    Same,
    apply,
    ends,
    number_array,
    whole_numbers,
)
from rulesrun.evaluation.sample.dice import Dice, Unusual, dice_at, merged_dice
from rulesrun.evaluation.sample.lanes import Lanes
from rulesrun.evaluation.sample.lists import die_lanes
from rulesrun.evaluation.sample.pool_making import PoolMaking
from rulesrun.evaluation.throw_writing import numbered
from rulesrun.evaluation.walk import die_kinds
from rulesrun.semantics import plan
from rulesrun.semantics.renaming import parts


class NewDice(PoolMaking):
    """Throws dice. The rules' named dice are known by their names."""

    def __init__(self, ruleset: plan.RulesetPlan, rule: plan.Rule) -> None:
        super().__init__(ruleset.tables)
        self.ruleset = ruleset
        self.rule = rule
        self._shapes: dict[str, Shape] = {}
        self._rolled: dict[str, plan.RolledDie] = {}
        self.shape_of = shape_finder(self._shapes)
        for kind in die_kinds(rule.steps, ruleset.bags.values()):
            if isinstance(kind, plan.Faces | plan.RolledDie):
                self._shapes[kind.name] = self.fixed_shape(kind)

    @abstractmethod
    def throw(self, throw: plan.Throw, lanes: Lanes) -> Dice:
        """The pools of a throw."""

    def fixed_shape(self, kind: plan.DieKind) -> Shape:
        """A die whose faces are known before the roll."""
        match kind:
            case plan.Sides(sides=sides):
                assert isinstance(sides, plan.Const)
                return numbered(sides.value, sides)
            case plan.Faces():
                return Given.of(kind)
            case plan.RolledDie(name=name):
                self._rolled[name] = kind
                return Rolled(name, _never_called)

    def _dice_number(self, e: plan.Expression, lanes: Lanes) -> Column:
        return apply(lambda value: operations.dice_number(value, e), self.value(e, lanes))

    def _prepare_kind(self, kind: plan.DieKind, lanes: Lanes) -> None:
        if isinstance(kind, plan.Sides):
            sides = kind.sides
            lanes.names[key_of(kind)] = self.checked(
                self.value(sides, lanes), lambda value: operations.die_sides(value, sides), lambda low: low >= 1
            )

    def _new_faces(self, kind: plan.Sides | plan.Faces, rows: int, lanes: Lanes) -> tuple[Faces, Any]:
        """Faces for so many rows of new dice in all lanes, and their tags, which broadcast to them."""
        bits, tags = lanes.block.bits, lanes.block.tags
        number = rows * lanes.size
        if isinstance(kind, plan.Sides):
            sides = lanes.get(key_of(kind))
            if not isinstance(sides, Same):
                marks = apply(lambda each: tags.of(Die(0, each, None, f"d{each}")), sides)
                tiled = sides.take(np.tile(np.arange(lanes.size), rows))
                return thrown_each(tiled, number, bits), _tag_row(marks)
            shape: Shape = Numbered(f"d{sides.value}", sides.value)
        else:
            shape = self.fixed_shape(kind)
        assert not isinstance(shape, Rolled)
        return thrown(shape, number, bits), tags.of(Die(0, shape.sides, None, shape.name))

    def _rolled_dice(self, kind: plan.RolledDie, lanes: Lanes) -> Dice:
        """A die in each lane whose face is itself rolled."""
        pool = self.throw(kind.throw, lanes)
        tags = lanes.block.tags
        try:
            column = questions.about_faces(kind.asked, pool, kind.throw.span)
        except Unusual:
            answers = [pools.ask(kind.asked, dice_at(pool, tags, lane), kind.throw.span) for lane in range(lanes.size)]
            faces = listed(answers)
        else:
            faces = faces_of(column, lanes.size)
        marks = tags.of(Die(0, None, None, kind.name))
        return faces.dice(tags.showing_first(marks, faces.array.reshape(1, -1), faces.meaning))

    def _again_thrown(self, dice: Dice, lanes: Lanes, span: Span) -> Dice:
        """The same dice, one in each lane, with new faces; their tags stay."""
        tags = lanes.block.tags
        if isinstance(dice.tags, int):
            return self._shape_thrown(self.shape_of(tags.dice[dice.tags]), dice, lanes, span)
        marks = np.broadcast_to(dice.tags, dice.faces.shape)[0]
        found: list[tuple[Array | None, Dice]] = []
        for tag in np.unique(marks).tolist():
            index = np.flatnonzero(marks == tag)
            one = dice.take(index)
            found.append((index, self._shape_thrown(self.shape_of(tags.dice[tag]), one, lanes.part(index), span)))
        return merged_dice(lanes.size, found)

    def _shape_thrown(self, shape: Shape, dice: Dice, lanes: Lanes, span: Span) -> Dice:
        """Dice of one shape with new faces; a card or token stays what it is."""
        if isinstance(shape, Rolled):
            return self._rolled_dice(self._rolled[shape.name], lanes)._replace(tags=dice.tags)
        lanes.count("dice", 1, span)
        if isinstance(shape, Given) and shape.name not in self._shapes:
            return dice
        return thrown(shape, lanes.size, lanes.block.bits).dice(dice.tags)

    def _is_token(self, shape: Shape) -> bool:
        return isinstance(shape, Given) and shape.name not in self._shapes

    def of_dice(self, faces: plan.FaceSet, pool: Dice, lanes: Lanes) -> Array:
        """Whether each die belongs to a set of faces, which may speak of the die's target and sides."""
        if not any(isinstance(part, plan.Each) for part in parts(faces)):
            return self.belongs(faces, pool, lanes)
        row, lane = np.nonzero(pool.present())
        found = np.zeros(pool.faces.shape, bool)
        if len(row):
            dice = cells(pool, row, lane)
            found[row, lane] = self.belongs(faces, dice, die_lanes(lanes.part(lane), dice))[0]
        return found


def faces_of(column: Column, size: int) -> Faces:
    """A column of numbers as faces."""
    if whole_numbers(column):
        low, high = ends(column)
        return Faces(number_array(column, size), low, high)
    if isinstance(column, Coded):
        return Faces(column.codes, 0, len(column.values) - 1, column.values)
    assert isinstance(column, Same)
    return Faces(np.zeros(size, np.int64), 0, 0, (column.value,))


def _tag_row(marks: Column) -> Any:
    return marks.value if isinstance(marks, Same) else number_array(marks, 0)[None, :]


def key_of(part: object) -> str:
    """The name under which lanes hold the number of a part of a throw."""
    return f"number of {id(part)}"


def _never_called(*arguments: object) -> Any:
    raise AssertionError("dice that are rolled are rolled by their throw")
