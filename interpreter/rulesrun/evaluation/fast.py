"""The lines of a rule as the Python that a programmer would write by hand for it.

In: a rule whose choices need nobody to decide. Out: a function of the inputs and `getrandbits`, which gives the
values and the faces drawn. Pools of which only faces are asked are plain lists of faces, questions to them are loops in
place, and operations that cannot fail (see `static`) are Python's own. Everything else is written as `steps` writes it,
and the same dice give the same values either way.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from rulesrun.diagnostics import Span
from rulesrun.evaluation import operations, pools
from rulesrun.evaluation.bare_faces import given_faces, kept_faces
from rulesrun.evaluation.choices import Chosen
from rulesrun.evaluation.draws import Draws, Numbered, numbered_faces
from rulesrun.evaluation.fast_expressions import FastExpressions
from rulesrun.evaluation.python import (
    assign,
    attribute,
    binary,
    compared,
    compile_function,
    list_of,
    literal,
    method,
    read,
    statement,
    tuple_of,
)
from rulesrun.evaluation.reader import GIVEN, inputs_read, reading
from rulesrun.evaluation.static import COUNT, of_domain
from rulesrun.limits import in_force
from rulesrun.semantics.plan import (
    AnyStep,
    BagDraw,
    Bind,
    Choice,
    Const,
    Dice,
    Draw,
    Expression,
    Faces,
    Invoke,
    KeepDrop,
    Kind,
    NumberDomain,
    Outcome,
    Repeat,
    Rule,
    RulesetPlan,
    Sides,
    Table,
    Throw,
    Track,
    Var,
    YesNoDomain,
)
from rulesrun.semantics.renaming import parts

BITS, DOOR = "bits", "door"


class FastWriter(FastExpressions):
    """Writes a rule for speed. `values` are the names whose values the function gives, `dice` those of the draws."""

    def __init__(
        self,
        ruleset: RulesetPlan,
        rule: Rule,
        choose: Mapping[str, Chosen],
        values: Sequence[str],
        dice: Sequence[str],
        tables: Mapping[str, Table],
    ) -> None:
        super().__init__(ruleset, rule, choose)
        self.values = values
        self.dice_names = dice
        self.rolled_tables = tables
        self._door = read(DOOR)
        self._uses_door = False
        self._maybe = 0
        self._most_dice = 0
        self._counts: list[tuple[ast.Expr, ast.expr, Span]] = []
        self._raw: dict[str, str] = {}
        self._raw_at_start: list[str] = []

    def function(self) -> Callable[..., Any]:
        """A function of the inputs in their order and `getrandbits`: the values, and the faces of the draws."""
        parameters, body, result = self._written()
        return compile_function([*parameters, BITS], [*body, ast.Return(result)], self.constants, self.rule.span)

    def reading_function(self) -> Callable[..., Any]:
        """A function of inputs by name and `getrandbits`: the inputs in their order, and what `function` gives; None
        where anything about the inputs is unusual.
        """
        _, body, result = self._written()
        first = reading(self.rule, self.ruleset, self.constants, self.local)
        both = ast.Return(tuple_of([inputs_read(self.rule, self.local), result]))
        return compile_function([GIVEN, BITS], [*first, *body, both], self.constants, self.rule.span)

    def _written(self) -> tuple[list[str], list[ast.stmt], ast.expr]:
        """The variables of the inputs, the statements, and what they come to."""
        for each in self.rule.inputs:
            self.knowledge.names[each.name] = of_domain(each.domain)
            if each.kind is Kind.LABEL:
                self._labels.add(each.name)
        parameters = [self.define(each.name) for each in self.rule.inputs]
        body = self.block(self.rule.steps)
        self._count_where_needed()
        values = tuple_of([self._result(name) for name in (*self.values, "outcome")])
        dice = tuple_of([self._drawn(name) for name in self.dice_names])
        start = [assign(raw, list_of([])) for raw in self._raw_at_start]
        if self._uses_door:
            start.append(assign(DOOR, self.constants.call(Draws, read(BITS))))
        return parameters, [*start, *body], tuple_of([values, dice])

    def _result(self, name: str) -> ast.expr:
        if name not in self.local:
            return literal(None)
        if name not in self.rolled_tables:
            return self.names(name)
        faces = self.constants.call(pools.shown, self.names(name))
        return self.constants.call(operations.table_row, self.constants.name_of(self.rolled_tables[name]), faces)

    def _drawn(self, name: str) -> ast.expr:
        if name in self._raw:
            return read(self._raw[name])
        return method(attribute(self.draws(), "drawn"), "get", literal(name), list_of([]))

    def draws(self) -> ast.expr:
        """The door of draws, made at the start of the function where anything needs it."""
        self._uses_door = True
        return self._door

    # ------------------------------------------------------------ steps

    def step(self, step: AnyStep) -> Iterable[ast.stmt]:
        """The statements of one line, and what is known after it."""
        if isinstance(step, Track):
            self.knowledge.tracked(step, self.rule.steps)
        written = list(super().step(step))
        self.knowledge.define(step)
        match step:
            case Invoke(condition=condition) if condition is not None:
                self.knowledge.absent(step)
            case Outcome(name=name):
                self._labels.add(name)
            case Bind(name=name, value=value) if value.kind is Kind.LABEL and isinstance(value, Const | Var):
                if isinstance(value, Const) or value.name in self._labels:
                    self._labels.add(name)
            case _:
                pass
        return written

    def note(self, step: AnyStep, value: ast.expr) -> list[ast.stmt]:
        """Nobody listens."""
        return []

    def note_choice(self, step: Choice, policy: Chosen, offered: bool) -> list[ast.stmt]:
        """Nobody listens."""
        return []

    def invoke(self, step: Invoke) -> list[ast.stmt]:
        """The steps of a rolled rule; draws that may not happen have drawn nothing."""
        self._maybe += step.condition is not None
        written = super().invoke(step)
        self._maybe -= step.condition is not None
        return written

    def repeat(self, step: Repeat) -> list[ast.stmt]:
        """A loop, its turns counted."""
        self.knowledge.names[step.turn] = COUNT
        self._repeating += 1
        written = super().repeat(step)
        self._repeating -= 1
        return written

    def bag_dice(self, step: BagDraw, dice: ast.expr) -> ast.expr:
        """The things drawn, as a pool."""
        return dice if step.name in self.whole_names else self.constants.call(pools.shown, dice)

    def bound(self, step: Bind, value: ast.expr) -> ast.expr:
        """The value of an argument; unchecked where nothing can be wrong with it."""
        known = self.knowledge.of(step.value)
        match step.domain:
            case NumberDomain(low=None, high=None, whole=True) if known.plain and known.whole:
                return value
            case YesNoDomain() if known.plain and step.value.kind is Kind.YES_NO:
                return value
            case _ if isinstance(step.value, Var) and of_domain(step.domain) == known and self._same_input(step):
                return value
            case _:
                return super().bound(step, value)

    def _same_input(self, step: Bind) -> bool:
        """Whether the argument is an input of this rule with the very same constant domain."""
        assert isinstance(step.value, Var)
        name = step.value.name
        domain = next((each.domain for each in self.rule.inputs if each.name == name), None)
        return domain == step.domain and not any(isinstance(part, Var) for part in parts(domain))

    # ------------------------------------------------------------ draws

    def draw(self, step: Draw) -> list[ast.stmt]:
        """A throw; faces alone where they are enough."""
        simple = all(_simple(case.throw) for case in step.cases)
        if step.name in self.whole_names or self._repeating or not simple or step.name in self._raw:
            return super().draw(step)
        name, raw = self.define(step.name), f"r{len(self._raw)}"
        self._raw[step.name] = raw
        if self._maybe:
            self._raw_at_start.append(raw)
        result: list[ast.stmt] = [assign(raw, list_of([])), assign(name, read(raw))]
        for case in reversed(step.cases):
            throw = [*self._throwing(raw, case.throw), assign(name, self._kept(read(raw), case.throw))]
            result = throw if case.condition is None else [ast.If(self.truth(case.condition), throw, result)]
        return result

    def throw(self, name: ast.expr, throw: Throw) -> ast.expr:
        """The pool of a throw, as whole dice or faces."""
        tree = super().throw(name, throw)
        if isinstance(name, ast.Constant) and name.value not in self.whole_names:
            return self.constants.call(pools.shown, tree)
        return tree

    def _throwing(self, raw: str, throw: Throw) -> list[ast.stmt]:
        """Statements that gather the faces of a throw in a list."""
        first: list[ast.stmt] = []
        then: list[ast.stmt] = [assign(raw, list_of([]))]
        for group in throw.groups:
            assert isinstance(group, Dice)
            sides = self._named(self._sides(group.kind), first) if isinstance(group.kind, Sides) else None
            number = self._named(self._number_of_dice(group.count), first)
            then.append(self._counted(number, group.span))
            if isinstance(sides, ast.Constant) and isinstance(sides.value, int) and sides.value > 1:
                then.append(self._loop(raw, number, sides.value))
                continue
            if sides is None:
                shape = self.constants.name_of(self.fixed_shape(group.kind))
                faces = self.constants.call(given_faces, number, shape, read(BITS))
            else:
                faces = self.constants.call(numbered_faces, number, sides, read(BITS))
            then.append(statement(method(read(raw), "extend", faces)))
        return [*first, *then]

    def _named(self, value: ast.expr, statements: list[ast.stmt]) -> ast.expr:
        """The value, under a name of its own from here on unless it is a constant."""
        if isinstance(value, ast.Constant):
            return value
        name = self.variable()
        statements.append(assign(name, value))
        return read(name)

    def _sides(self, kind: Sides) -> ast.expr:
        if isinstance(kind.sides, Const):
            shape = self.fixed_shape(kind)
            assert isinstance(shape, Numbered)
            return literal(shape.sides)
        return self.constants.call(operations.die_sides, self.value(kind.sides), self.constants.name_of(kind.sides))

    def _counted(self, number: ast.expr, span: Span) -> ast.stmt:
        """The statement that counts so many dice; it does so only if there may be too many in one roll."""
        counted = ast.Expr(literal(None))
        self._counts.append((counted, number, span))
        known = number.value if isinstance(number, ast.Constant) else None
        self._most_dice += known if isinstance(known, int) else in_force.get().dice
        return counted

    def _count_where_needed(self) -> None:
        if self._uses_door or self._most_dice > in_force.get().all_dice:
            for counted, number, span in self._counts:
                counted.value = method(self.draws(), "count_dice", number, self.constants.name_of(span))

    def _loop(self, raw: str, number: ast.expr, sides: int) -> ast.stmt:
        """What `draws.numbered_faces` does, in place: so many dice, thrown onto those that lie there."""
        one = self.variable()
        throw = assign(one, ast.Call(read(BITS), [literal((sides - 1).bit_length())], []))
        again = ast.While(compared(read(one), ast.GtE(), literal(sides)), [throw], [])
        put = statement(method(read(raw), "append", binary(read(one), ast.Add(), literal(1))))
        return ast.For(
            ast.Name(self.variable(), ast.Store()), self.constants.call(range, number), [throw, again, put], []
        )

    def _number_of_dice(self, count: Expression | None) -> ast.expr:
        """How many dice a group throws; asked in place whether so many may be thrown, where it is a whole number."""
        if isinstance(count, Const) and type(count.value) is int and 0 <= count.value <= in_force.get().dice:
            return literal(count.value)
        if count is None or not (self.knowledge.of(count).plain and self.knowledge.of(count).whole):
            return self.dice_number(count)
        number = self.variable()
        known = ast.NamedExpr(ast.Name(number, ast.Store()), self.value(count))
        fits = ast.Compare(literal(0), [ast.LtE(), ast.LtE()], [known, literal(in_force.get().dice)])
        refused = self.constants.call(operations.dice_number, read(number), self.constants.name_of(count))
        return ast.IfExp(fits, read(number), refused)

    def _kept(self, faces: ast.expr, throw: Throw) -> ast.expr:
        for modifier in throw.modifiers:
            assert isinstance(modifier, KeepDrop)
            number = self.amount(modifier.number, f"the number of dice to {modifier.word}")
            span = self.constants.name_of(modifier.span)
            faces = self.constants.call(
                kept_faces, faces, literal(modifier.word), literal(modifier.which), number, span
            )
        return faces


def _simple(throw: Throw) -> bool:
    """Whether the faces alone are enough: plain dice, of which some may be kept."""
    return all(
        isinstance(group, Dice) and not group.modifiers and isinstance(group.kind, Sides | Faces)
        for group in throw.groups
    ) and all(isinstance(modifier, KeepDrop) for modifier in throw.modifiers)
