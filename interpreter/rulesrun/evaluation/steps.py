"""The lines of a rule as Python statements: the form that takes forced dice, asks, and records what happens.

In: a rule of a plan, and how its choices are to be made. Out: the statements of a function of the inputs and a `Play`
(`run`), which gives the value of every name. Pools are whole dice, and every value that comes up is shown to the
recorder (`see`), so that the trace can say how each line came out. `fast` writes the same lines for speed.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping, Sequence

from rulesrun.evaluation.choice_writing import ChoiceWriter
from rulesrun.evaluation.choices import Chosen
from rulesrun.evaluation.draws import BagLeft, Shape, token
from rulesrun.evaluation.inputs import in_domain, limit_broken
from rulesrun.evaluation.python import (
    assign,
    attribute,
    binary,
    compared,
    compile_function,
    dict_of,
    if_then,
    list_of,
    literal,
    method,
    negated,
    read,
    statement,
)
from rulesrun.evaluation.rule_writing import RUN, SEE
from rulesrun.evaluation.values import Value
from rulesrun.evaluation.walk import absent_kinds, bags_of, pools_read
from rulesrun.semantics.domains import number_bounds
from rulesrun.semantics.plan import (
    AnyStep,
    BagDraw,
    Bind,
    Choice,
    Define,
    Draw,
    Expression,
    Faces,
    Flag,
    Invoke,
    Kind,
    Limit,
    Outcome,
    OutcomeAs,
    PutAllBack,
    PutBack,
    Repeat,
    RolledDie,
    Rule,
    RulesetPlan,
    Track,
    Update,
)


class StepWriter(ChoiceWriter):
    """Writes the statements of a rule."""

    def __init__(self, ruleset: RulesetPlan, rule: Rule, choose: Mapping[str, Chosen]) -> None:
        super().__init__(ruleset, rule, choose)
        self._open: tuple[str, ...] = ()
        """The bags of the rule and of the rolled rules that are being written."""
        self._bag_of: dict[str, str] = {}
        """The bag of each draw so far."""

    def function(self) -> Callable[..., dict[str, Value]]:
        """A function of the inputs in their order, then `run` and `see`: the value of every name."""
        parameters = [self.define(each.name) for each in self.rule.inputs]
        body = [*self.block(self.rule.steps)]
        names = [name for name in self.known if name in self.local]
        state = dict_of({name: self.names(name) for name in names})
        return compile_function([*parameters, RUN, SEE], [*body, ast.Return(state)], self.constants, self.rule.span)

    def block(self, steps: Sequence[AnyStep]) -> list[ast.stmt]:
        """The statements of steps that begin with full bags of their own."""
        before, self._open = self._open, (*self._open, *bags_of(steps))
        written = [*self._fill_bags(steps), *self.sequence(steps)]
        self._open = before
        return written

    def sequence(self, steps: Sequence[AnyStep]) -> list[ast.stmt]:
        """The statements of steps, one after another."""
        return [each for step in steps for each in self.step(step)]

    # ------------------------------------------------------------ steps

    def step(self, step: AnyStep) -> Iterable[ast.stmt]:
        """The statements of one line."""
        match step:
            case Limit(condition=condition):
                broken = statement(self.constants.call(limit_broken, self.constants.name_of(step)))
                return [if_then(negated(self.truth(condition)), [broken])]
            case Draw():
                return self.draw(step)
            case Define(name=name, value=value) | OutcomeAs(name=name, value=value):
                return self.defined(step, name, self.value_for(name, value))
            case Track(name=name, start=start):
                return self.defined(step, name, self.value_for(name, start))
            case Bind(name=name, value=value):
                return self.defined(step, name, self.bound(step, self.value(value)))
            case Flag(name=name, condition=condition):
                return self.defined(step, name, self.truth(condition))
            case Outcome(name=name, cases=cases):
                chosen = self.chosen([(each.condition, literal(each.label)) for each in cases])
                return self.defined(step, name, chosen)
            case Update(name=name, value=value, condition=condition):
                update = [assign(self.define(name), self.value_for(name, value)), *self.note(step, self.names(name))]
                return update if condition is None else [if_then(self.truth(condition), update)]
            case Invoke():
                return self.invoke(step)
            case Choice():
                return self.choice(step)
            case Repeat():
                return self.repeat(step)
            case BagDraw():
                return self.bag_draw(step)
            case PutBack(drawn=drawn, bag=bag, condition=condition):
                put = [
                    statement(method(read(self._bag(bag)), "put", read(self._places(drawn)))),
                    assign(self._places(drawn), list_of([])),
                    *self.note(step, literal(None)),
                ]
                return put if condition is None else [if_then(self.truth(condition), put)]
            case PutAllBack(bag=bag, drawn=drawn, kept=kept, condition=condition):
                put = [
                    statement(method(read(self._bag(bag)), "refill", *(read(self._places(name)) for name in kept))),
                    *(assign(self._places(name), list_of([])) for name in drawn),
                    *self.note(step, literal(None)),
                ]
                return put if condition is None else [if_then(self.truth(condition), put)]

    def value_for(self, name: str, value: Expression) -> ast.expr:
        """The value that a name gets."""
        return self.value(value)

    def defined(self, step: AnyStep, name: str, value: ast.expr) -> list[ast.stmt]:
        """A name gets its value, and the recorder hears of it."""
        return [assign(self.define(name), value), *self.note(step, self.names(name))]

    def note(self, step: AnyStep, value: ast.expr) -> list[ast.stmt]:
        """The recorder hears how a line came out."""
        return [statement(method(attribute(read(RUN), "recorder"), "note", self.constants.name_of(step), value))]

    def bound(self, step: Bind, value: ast.expr) -> ast.expr:
        """The value of an argument, held against its domain."""
        bounds = [literal(None) if bound is None else self.value(bound) for bound in number_bounds(step.domain)]
        known = self.constants.name_of
        return self.constants.call(in_domain, value, known(step), *bounds, known(self.ruleset.levels))

    def invoke(self, step: Invoke) -> list[ast.stmt]:
        """The steps of a rolled rule, or what its names are where it is not rolled."""
        noted = self.note(step, literal(True))
        taken = [*noted, *self.block(step.steps)]
        for name in step.names:
            self.define(name)
        if step.condition is None:
            return taken
        nothing = [assign(self.local[name], self.absent(name, kind)) for name, kind in absent_kinds(step).items()]
        return [if_then(self.truth(step.condition), taken, [*nothing, *self.note(step, literal(False))])]

    def absent(self, name: str, kind: Kind) -> ast.expr:
        """The value of a name of a rule that was not rolled."""
        match kind:
            case Kind.POOL:
                return self.no_dice(name)
            case Kind.YES_NO:
                return literal(False)
            case _:
                return literal(None)

    def repeat(self, step: Repeat) -> list[ast.stmt]:
        """A loop, its turns counted."""
        turn = self.define(step.turn)
        start: list[ast.stmt] = [assign(turn, literal(0))]
        conditions: list[ast.expr] = []
        for most, what in ((step.times, "the number of turns"), (step.at_most, "the number of turns")):
            if most is not None:
                bound = self.variable()
                start.append(assign(bound, self.amount(most, what)))
                conditions.append(compared(read(turn), ast.Lt(), read(bound)))
        if step.until is not None:
            conditions.append(negated(self.truth(step.until)))
        before = list(self.known)
        body: list[ast.stmt] = [
            assign(turn, binary(read(turn), ast.Add(), literal(1))),
            statement(method(self.draws(), "count_turn", self.constants.name_of(step.span))),
            *self.turn_work(step),
            *self.note(step, read(turn)),
            *self.sequence(step.steps),
        ]
        self.known = before
        condition = conditions[0] if len(conditions) == 1 else ast.BoolOp(ast.And(), conditions)
        self.known = [name for name in self.known if name != step.turn]
        return [*start, ast.While(condition, body, [])]

    def turn_work(self, step: Repeat) -> list[ast.stmt]:
        """The dice that a turn looks at, counted."""
        pools = [name for name in pools_read(step.steps) if name in self.known]
        if not pools:
            return []
        size: ast.expr = literal(0)
        for name in pools:
            size = binary(size, ast.Add(), self.constants.call(len, self.names(name)))
        return [statement(method(self.draws(), "count_work", size, self.constants.name_of(step.span)))]

    # ------------------------------------------------------------ bags

    def _fill_bags(self, steps: Sequence[AnyStep]) -> list[ast.stmt]:
        full: list[ast.stmt] = []
        for flat in bags_of(steps):
            bag = self.ruleset.bag(flat)
            things: list[tuple[Shape, object, int]] = []
            for thing, number in bag.contents:
                if isinstance(thing, Faces | RolledDie):
                    things.append((self.fixed_shape(thing), (thing.name,), number))
                else:
                    shape = token(thing)
                    things.append((shape, shape.faces[0], number))
            full.append(
                assign(self._bag(flat), self.constants.call(BagLeft, literal(bag.name), self.constants.name_of(things)))
            )
        return full

    def bag_draw(self, step: BagDraw) -> list[ast.stmt]:
        """Things out of a bag."""
        number = self.amount(step.number, "the number to draw")
        span = self.constants.name_of(step.span)
        drawn = method(self.draws(), "from_bag", literal(step.name), read(self._bag(step.bag)), number, span)
        places, name = self._places(step.name), self.define(step.name)
        self._bag_of[step.name] = step.bag
        taken = [
            assign(places, drawn),
            assign(name, self.bag_dice(step, method(read(self._bag(step.bag)), "dice", read(places)))),
        ]
        if step.condition is not None:
            nothing = [assign(places, list_of([])), assign(name, self.no_dice(step.name))]
            taken = [if_then(self.truth(step.condition), taken, nothing)]
        return [*taken, *self.note(step, self.names(step.name))]

    def bag_dice(self, step: BagDraw, dice: ast.expr) -> ast.expr:
        """The things drawn, as a pool."""
        return dice

    def bags_now(self) -> tuple[ast.expr, ast.expr]:
        bags = {flat: method(read(self._bag(flat)), "contents") for flat in self._open}
        out = {
            name: method(read(self._bag(bag)), "dice", read(self._places(name)))
            for name, bag in self._bag_of.items()
            if name in self.known and bag in bags
        }
        return dict_of(bags), dict_of(out)

    def _bag(self, flat: str) -> str:
        return self.local.setdefault(f"bag {flat}", f"b{len(self.local)}")

    def _places(self, name: str) -> str:
        return self.local.setdefault(f"places {name}", f"p{len(self.local)}")

    def draw(self, step: Draw) -> list[ast.stmt]:
        """The throw of the first case that holds."""
        name = self.define(step.name)
        result: list[ast.stmt] = [assign(name, self.no_dice(step.name))]
        for case in reversed(step.cases):
            throw = [assign(name, self.throw(literal(step.name), case.throw))]
            result = throw if case.condition is None else [if_then(self.truth(case.condition), throw, result)]
        return [*result, *self.note(step, self.names(step.name))]
