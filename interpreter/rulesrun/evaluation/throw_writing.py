"""Throws of a plan as Python trees: the dice, and what is done to them."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from typing import NamedTuple, cast

from rulesrun.evaluation import operations, pools, throws
from rulesrun.evaluation.choices import Chosen
from rulesrun.evaluation.draws import Draws, Given, Numbered, Rolled, Shape, shape_finder
from rulesrun.evaluation.expressions import die_words
from rulesrun.evaluation.python import (
    attribute,
    compile_function,
    function_of,
    list_of,
    literal,
    method,
    read,
)
from rulesrun.evaluation.rule_writing import RUN, SEE, RuleWriter
from rulesrun.evaluation.values import Value
from rulesrun.evaluation.walk import die_kinds
from rulesrun.semantics.plan import (
    Advantage,
    Again,
    Against,
    Const,
    DiceOfSizes,
    DieKind,
    Explode,
    Expr,
    Expression,
    Faces,
    FaceSet,
    Group,
    KeepDrop,
    Modifier,
    Number,
    Reroll,
    RolledDie,
    Rule,
    RulesetPlan,
    SameDice,
    Sides,
    Throw,
)


class Door(NamedTuple):
    """What dice need that are themselves rolled."""

    draws: Draws


class ThrowWriter(RuleWriter):
    """Writes throws. `shape_of` finds the shape of a die that lies on the table, to throw it again."""

    def __init__(self, ruleset: RulesetPlan, rule: Rule, choose: Mapping[str, Chosen]) -> None:
        super().__init__(ruleset, rule, choose)
        self._shapes: dict[str, Shape] = {}
        self.shape_of = shape_finder(self._shapes)
        for kind in die_kinds(rule.steps, ruleset.bags.values()):
            if isinstance(kind, Faces | RolledDie):
                self._shapes[kind.name] = self.fixed_shape(kind)

    def throw(self, name: ast.expr, throw: Throw) -> ast.expr:
        """The pool of a throw."""
        known = self.constants.name_of
        thrower = self.constants.call(throws.Thrower, self.draws(), name, known(self.shape_of))
        groups = list_of([self.group(each) for each in throw.groups])
        return method(thrower, "throw", groups, list_of([self.modifier(each) for each in throw.modifiers]))

    def group(self, group: Group) -> ast.expr:
        """Dice to throw."""
        span = self.constants.name_of(group.span)
        if isinstance(group, DiceOfSizes):
            known = self.constants.name_of(group.sizes)
            sizes = self.constants.call(operations.sizes_of_dice, self.value(group.sizes), known)
            return self.constants.call(throws.DiceOfSizes, sizes, span)
        if isinstance(group, SameDice):
            return self.constants.call(throws.SameDice, self.whole_dice(group.pool), span)
        modifiers = list_of([self.modifier(each) for each in group.modifiers])
        return self.constants.call(
            throws.NewDice, self.shape(group.kind), self.dice_number(group.count), modifiers, span
        )

    def whole_dice(self, e: Expression) -> ast.expr:
        """A pool of whole dice."""
        return self.as_pool(e)

    def dice_number(self, count: Expression | None) -> ast.expr:
        """How many dice a group throws."""
        if count is None:
            return literal(1)
        return self.constants.call(operations.dice_number, self.value(count), self.constants.name_of(count))

    def shape(self, kind: DieKind) -> ast.expr:
        """A die before it is thrown."""
        if isinstance(kind, Sides) and not (isinstance(kind.sides, Const)):
            return self.constants.call(numbered, self.value(kind.sides), self.constants.name_of(kind.sides))
        return self.constants.name_of(self.fixed_shape(kind))

    def fixed_shape(self, kind: DieKind) -> Shape:
        """A die whose faces are known before the roll."""
        match kind:
            case Sides(sides=sides):
                assert isinstance(sides, Const)
                return numbered(sides.value, sides)
            case Faces():
                return Given.of(kind)
            case RolledDie(name=name):
                return Rolled(name, self._rolled(kind))

    def _rolled(self, kind: RolledDie) -> Callable[[Draws, str], Number]:
        outside, self._door = self._door, attribute(read(RUN), "draws")
        pool = self.throw(read("name"), kind.throw)
        self._door = outside
        span = self.constants.name_of(kind.throw.span)
        face = self.constants.call(pools.ask, literal(kind.asked), pool, span)
        roll = compile_function([RUN, SEE, "name"], [ast.Return(face)], self.constants, kind.throw.span)
        return lambda draws, name: cast("Number", roll(Door(draws), unseen, name))

    def modifier(self, modifier: Modifier) -> ast.expr:
        """What is done to the dice to its left, its numbers known."""
        call, span = self.constants.call, self.constants.name_of(modifier.span)
        match modifier:
            case KeepDrop(word=word, which=which, number=number):
                amount = self.amount(number, f"the number of dice to {word}")
                return call(throws.Keep, literal(word), literal(which), amount, span)
            case Explode(faces=faces, limit=limit, rolling=rolling, adding=adding, many=many):
                test = literal(None) if faces is None else self.test_of_die(faces)
                shape = literal(None) if rolling is None else self.shape(rolling)
                return call(
                    throws.Explode, test, self.times(limit), shape, literal(adding), self.dice_number(many), span
                )
            case Reroll(faces=faces, limit=limit, dice=dice):
                return call(throws.Reroll, self.test_of_die(faces), self.times(limit), self.times(dice), span)
            case Again(condition=condition, limit=limit):
                newest = self.variable()
                with self.words({"newest": self.newest(newest)}):
                    holds = function_of([newest], self.truth(condition))
                return call(throws.Again, holds, self.times(limit), span)
            case Advantage(number=number, at_most=at_most):
                known = self.constants.name_of(number)
                amount = call(operations.whole, self.value(number), known, literal("an advantage"))
                return call(throws.Advantage, amount, self.times(at_most), span)
            case Against(target=target):
                return call(
                    throws.Against, call(operations.exact, self.value(target), self.constants.name_of(target)), span
                )

    def newest(self, variable: str) -> ast.expr:
        """The newest group, as questions take pools."""
        return read(variable)

    def test_of_die(self, faces: FaceSet) -> ast.expr:
        """The faces meant, as a function of the die."""
        die = self.variable()
        with self.words(die_words(die)):
            return function_of([die], self.test(faces))

    def times(self, limit: Expression | None) -> ast.expr:
        """A bound on how often; None where there is none."""
        return literal(None) if limit is None else self.amount(limit, "the number of times")


def unseen(key: int, value: Value) -> Value:
    """Shows a value to nobody."""
    return value


def numbered(value: Value, at: Expr) -> Numbered:
    """The die with so many sides."""
    sides = operations.die_sides(value, at)
    return Numbered(f"d{sides}", sides)
