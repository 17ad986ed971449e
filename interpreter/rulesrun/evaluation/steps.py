"""The lines of a rule as Python statements: the form that takes forced dice, asks, and records what happens.

In: a rule of a plan, and how its choices are to be made. Out: the statements of a function of the inputs and a `Play`
(`run`), which gives the value of every name. Pools are whole dice, and every value that comes up is shown to the
recorder (`see`), so that the trace can say how each line came out. `fast` writes the same lines for speed.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping, Sequence, Sized
from typing import NamedTuple, TypeVar, cast

from rulesrun.diagnostics import RulesError, Span
from rulesrun.evaluation import choices, operations, pools, throws
from rulesrun.evaluation.choices import Chosen, Offer
from rulesrun.evaluation.draws import BagLeft, Draws, Given, Numbered, Rolled, Shape, shape_finder, token
from rulesrun.evaluation.expressions import Writer, die_words
from rulesrun.evaluation.inputs import in_domain, number_bounds
from rulesrun.evaluation.python import (
    Constants,
    assign,
    attribute,
    binary,
    compared,
    compile_function,
    function_of,
    if_then,
    list_of,
    literal,
    method,
    negated,
    read,
    statement,
    tuple_of,
)
from rulesrun.evaluation.values import Value
from rulesrun.evaluation.walk import absent_kinds, bags_of, die_kinds, pools_read
from rulesrun.semantics.plan import (
    Advantage,
    Again,
    Against,
    AnyStep,
    BagDraw,
    Bind,
    Choice,
    Const,
    Define,
    Dice,
    DiceOption,
    DieKind,
    Draw,
    Each,
    Explode,
    Expr,
    Expression,
    Faces,
    FaceSet,
    Flag,
    Invoke,
    KeepDrop,
    Kind,
    LabelOption,
    Limit,
    Modifier,
    NewestGroup,
    Number,
    Outcome,
    OutcomeAs,
    Policy,
    PutBack,
    RangeOption,
    Repeat,
    Reroll,
    RolledDie,
    Rule,
    RulesetPlan,
    SameDice,
    Sides,
    Throw,
    Track,
    Update,
)

RUN, SEE = "run", "see"

T = TypeVar("T", bound=Sized)


class Door(NamedTuple):
    """What dice need that are themselves rolled."""

    draws: Draws


def unseen(key: int, value: Value) -> Value:
    """Shows a value to nobody."""
    return value


def limit_broken(step: Limit) -> None:
    """The error for a call that a rule forbids."""
    raise RulesError.of(step.text, code="limit", span=step.condition.span)


def numbered(value: Value, at: Expr) -> Numbered:
    """The die with so many sides."""
    sides = operations.die_sides(value, at)
    return Numbered(f"d{sides}", sides)


def count_items(items: T, draws: Draws, span: Span) -> T:
    """The items that something is done with, counted as work."""
    draws.count_work(len(items), span)
    return items


class StepWriter(Writer):
    """Writes the statements of a rule."""

    def __init__(self, ruleset: RulesetPlan, rule: Rule, choose: Mapping[str, Chosen]) -> None:
        self.local: dict[str, str] = {}
        super().__init__(Constants(), self._local, ruleset.tables)
        self.ruleset = ruleset
        self.rule = rule
        self.choose = choose
        self.known: list[str] = []
        self._door: ast.expr = attribute(read(RUN), "draws")
        self._shapes: dict[str, Shape] = {}
        self.shape_of = shape_finder(self._shapes)
        for kind in die_kinds(rule.steps, ruleset.bags.values()):
            if isinstance(kind, Faces | RolledDie):
                self._shapes[kind.name] = self.fixed_shape(kind)

    # ------------------------------------------------------------ the whole rule

    def function(self) -> Callable[..., dict[str, Value]]:
        """A function of the inputs in their order, then `run` and `see`: the value of every name."""
        parameters = [self.define(each.name) for each in self.rule.inputs]
        body = [*self.block(self.rule.steps)]
        names = [name for name in self.known if name in self.local]
        state = ast.Dict([literal(name) for name in names], [self.names(name) for name in names])
        return compile_function([*parameters, RUN, SEE], [*body, ast.Return(state)], self.constants, self.rule.span)

    def block(self, steps: Sequence[AnyStep]) -> list[ast.stmt]:
        """The statements of steps that begin with full bags of their own."""
        return [*self._fill_bags(steps), *self.sequence(steps)]

    def sequence(self, steps: Sequence[AnyStep]) -> list[ast.stmt]:
        """The statements of steps, one after another."""
        return [each for step in steps for each in self.step(step)]

    def define(self, name: str) -> str:
        """The variable of a name, which is known from here on."""
        if name not in self.local:
            self.local[name] = f"n{len(self.local)}"
        if name not in self.known:
            self.known.append(name)
        return self.local[name]

    def _local(self, name: str) -> ast.expr:
        return read(self.local[name])

    # ------------------------------------------------------------ expressions that show their value

    def value(self, e: Expression) -> ast.expr:
        """The value, shown to the recorder on its way."""
        tree = super().value(e)
        if isinstance(e, Const | Each | NewestGroup):
            return tree
        return ast.Call(read(SEE), [literal(id(e)), tree], [])

    def for_each(self, over: Expression | tuple[Expression, Expression], each: Expression) -> ast.expr:
        """The sum, its parts shown to the recorder."""
        tree = super().for_each(over, each)
        assert isinstance(tree, ast.Call)
        tree.args[0] = ast.Call(read(SEE), [literal(id(each) + 1), tree.args[0]], [])
        return tree

    def counted(self, items: ast.expr, each: Expression) -> ast.expr:
        """The items, with the work that they make counted."""
        return self.constants.call(count_items, items, self.draws(), self.span(each))

    def draws(self) -> ast.expr:
        """The door of draws."""
        return self._door

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

    def no_dice(self, name: str) -> ast.expr:
        """An empty pool under a name."""
        return tuple_of([])

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

    # ------------------------------------------------------------ choices

    def choice(self, step: Choice) -> list[ast.stmt]:
        """A decision where it is offered, else no, the lowest number, the first label, no dice."""
        policy = self.choose.get(step.name, step.policy)
        before: list[ast.stmt] = []
        low: ast.expr
        high: ast.expr
        if isinstance(step.options, RangeOption):
            ends = self.variable()
            pair = self.constants.call(
                choices.bounds,
                self.value(step.options.low),
                self.value(step.options.high),
                self.constants.name_of(step),
            )
            before.append(assign(ends, pair))
            low, high = (ast.Subscript(read(ends), literal(place), ast.Load()) for place in (0, 1))
            decided = self.policy_value(step, policy, low, high)
        elif isinstance(step.options, DiceOption):
            there = self.variable()
            before.append(assign(there, self.choice_pool(step, step.options.pool)))
            low, high = self.no_dice(step.name), read(there)
            decided = self.policy_value(step, policy, low, high)
        else:
            low, high = (self.plain_literal(value) for value in (choices.least(step), choices.greatest(step)))
            decided = self.policy_value(step, policy, low, high)
        name = self.define(step.name)
        taken = [assign(name, decided), *self.note_choice(step, policy, offered=True)]
        if step.condition is None:
            return [*before, *taken]
        return [
            *before,
            if_then(self.truth(step.condition), taken, [assign(name, low), *self.note_choice(step, policy, False)]),
        ]

    def plain_literal(self, value: Value) -> ast.expr:
        """A constant."""
        return literal(value) if isinstance(value, int | bool | str | None) else self.constants.name_of(value)

    def choice_pool(self, step: Choice, pool: Expression) -> ast.expr:
        """The dice to choose from."""
        return self.as_pool(pool)

    def note_choice(self, step: Choice, policy: Chosen, offered: bool) -> list[ast.stmt]:
        """The recorder hears of a choice, how it was made and whether it was offered."""
        arguments = [
            self.constants.name_of(step),
            self.names(step.name),
            self.constants.name_of(policy),
            literal(offered),
        ]
        return [statement(method(attribute(read(RUN), "recorder"), "chose", *arguments))]

    def policy_value(self, step: Choice, policy: Chosen, low: ast.expr, high: ast.expr) -> ast.expr:
        """What a policy chooses; `low` is what `never` chooses and `high` what `always` does."""
        word = policy if isinstance(policy, str) else policy.word
        match word:
            case "never":
                return low
            case "always":
                return high
            case "value":
                assert isinstance(policy, Policy) and policy.value is not None
                return self.checked_choice(step, policy.value, low, high)
            case _:
                return self.asked_choice(step, policy, low, high)

    def checked_choice(self, step: Choice, value: Expression, low: ast.expr, high: ast.expr) -> ast.expr:
        """What an expression chooses, held against what may be chosen."""
        known = self.constants.name_of
        match step.options:
            case None:
                return self.truth(value)
            case RangeOption():
                number = self.constants.call(operations.whole, self.value(value), known(value), literal(step.name))
                return self.constants.call(choices.chosen_number, number, low, high, known(step))
            case LabelOption(options):
                label = self.constants.call(choices.label_value, self.value(value), known(value))
                return self.constants.call(choices.chosen_option, label, known(options), known(step))
            case DiceOption():
                return self.constants.call(choices.chosen_dice, self.choice_pool(step, value), high, known(step))

    def asked_choice(self, step: Choice, policy: Chosen, low: ast.expr, high: ast.expr) -> ast.expr:
        """What the caller decides."""
        nothing = literal(None)
        state = ast.Dict([literal(name) for name in self.known], [self.names(name) for name in self.known])
        options = self.constants.name_of(choices.options_of(step))
        ends = [low, high] if isinstance(step.options, RangeOption) else [nothing, nothing]
        pool = high if isinstance(step.options, DiceOption) else nothing
        known = self.constants.name_of
        offer = self.constants.call(Offer, known(step), known(policy), state, options, *ends, pool)
        return method(read(RUN), "decide", offer)

    # ------------------------------------------------------------ bags

    def _fill_bags(self, steps: Sequence[AnyStep]) -> list[ast.stmt]:
        full: list[ast.stmt] = []
        for flat in bags_of(steps):
            bag = self.ruleset.bags[flat.rpartition(".")[2]]
            things: list[tuple[Shape, object, int]] = []
            for thing, number in bag.contents:
                if isinstance(thing, Sides | Faces | RolledDie):
                    things.append((self.fixed_shape(thing), (), number))
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

    def _bag(self, flat: str) -> str:
        return self.local.setdefault(f"bag {flat}", f"b{len(self.local)}")

    def _places(self, name: str) -> str:
        return self.local.setdefault(f"places {name}", f"p{len(self.local)}")

    # ------------------------------------------------------------ throws

    def draw(self, step: Draw) -> list[ast.stmt]:
        """The throw of the first case that holds."""
        name = self.define(step.name)
        result: list[ast.stmt] = [assign(name, self.no_dice(step.name))]
        for case in reversed(step.cases):
            throw = [assign(name, self.throw(literal(step.name), case.throw))]
            result = throw if case.condition is None else [if_then(self.truth(case.condition), throw, result)]
        return [*result, *self.note(step, self.names(step.name))]

    def throw(self, name: ast.expr, throw: Throw) -> ast.expr:
        """The pool of a throw."""
        known = self.constants.name_of
        thrower = self.constants.call(throws.Thrower, self.draws(), name, known(self.shape_of))
        groups = list_of([self.group(each) for each in throw.groups])
        return method(thrower, "throw", groups, list_of([self.modifier(each) for each in throw.modifiers]))

    def group(self, group: Dice | SameDice) -> ast.expr:
        """Dice to throw."""
        span = self.constants.name_of(group.span)
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
            case Explode(faces=faces, limit=limit, rolling=rolling, adding=adding):
                test = literal(None) if faces is None else self.test_of_die(faces)
                shape = literal(None) if rolling is None else self.shape(rolling)
                return call(throws.Explode, test, self.times(limit), shape, literal(adding), span)
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
