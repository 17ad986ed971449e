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
from rulesrun.evaluation.choices import Chosen
from rulesrun.evaluation.draws import Bits, Draws, Given, Numbered, Shape, numbered_faces
from rulesrun.evaluation.expressions import Writer, die_words, item_words, numbers_as_dice
from rulesrun.evaluation.faces import FaceTest
from rulesrun.evaluation.pools import Die, rank
from rulesrun.evaluation.python import (
    assign,
    attribute,
    binary,
    compared,
    compile_function,
    function_of,
    list_of,
    listed,
    literal,
    method,
    negated,
    read,
    tuple_of,
)
from rulesrun.evaluation.static import COUNT, NOTHING, Knowledge, of_domain, whole_pools
from rulesrun.evaluation.steps import StepWriter
from rulesrun.semantics.plan import (
    AnyStep,
    Arithmetic,
    BagDraw,
    Bind,
    Cancelled,
    Cases,
    Choice,
    Compare,
    Const,
    Dice,
    Draw,
    Each,
    Expression,
    Face,
    FaceBetween,
    FaceCompare,
    FaceIs,
    FaceParity,
    Faces,
    FaceSet,
    Function,
    InFaces,
    Invoke,
    IsLabel,
    KeepDrop,
    Kind,
    Natural,
    Negative,
    NewestGroup,
    NumberDomain,
    Outcome,
    Policy,
    Question,
    Repeat,
    Rule,
    RulesetPlan,
    Select,
    Showing,
    Sides,
    Table,
    Throw,
    Track,
    Union,
    Var,
    WithEach,
    YesNoDomain,
)
from rulesrun.semantics.renaming import parts

BITS, DOOR = "bits", "door"

_COMPARISONS: Mapping[str, Callable[[], ast.cmpop]] = {
    "=": ast.Eq,
    "!=": ast.NotEq,
    "<": ast.Lt,
    "<=": ast.LtE,
    ">": ast.Gt,
    ">=": ast.GtE,
}
_ARITHMETIC: Mapping[str, Callable[[], ast.operator]] = {"+": ast.Add, "-": ast.Sub, "*": ast.Mult}


class FastWriter(StepWriter):
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
        self.knowledge = Knowledge(ruleset.bags)
        policies = [each.value for each in choose.values() if isinstance(each, Policy) and each.value is not None]
        self.whole_names = whole_pools(rule.steps, policies)
        super().__init__(ruleset, rule, choose)
        self.values = values
        self.dice_names = dice
        self.rolled_tables = tables
        self._door = read(DOOR)
        self._uses_door = False
        self._repeating = 0
        self._each = 0
        self._maybe = 0
        self._raw: dict[str, str] = {}
        self._raw_at_start: list[str] = []
        self._labels: set[str] = set()

    def function(self) -> Callable[..., Any]:
        """A function of the inputs in their order and `getrandbits`: the values, and the faces of the draws."""
        for each in self.rule.inputs:
            self.knowledge.names[each.name] = of_domain(each.domain)
            if each.kind is Kind.LABEL:
                self._labels.add(each.name)
        parameters = [self.define(each.name) for each in self.rule.inputs]
        body = self.block(self.rule.steps)
        values = tuple_of([self._result(name) for name in (*self.values, "outcome")])
        dice = tuple_of([self._drawn(name) for name in self.dice_names])
        start = [assign(raw, list_of([])) for raw in self._raw_at_start]
        if self._uses_door:
            start.append(assign(DOOR, self.constants.call(Draws, read(BITS))))
        result = ast.Return(tuple_of([values, dice]))
        return compile_function([*parameters, BITS], [*start, *body, result], self.constants, self.rule.span)

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

    def value_for(self, name: str, value: Expression) -> ast.expr:
        """The value that a name gets; pools as whole dice where that is asked."""
        if value.kind is Kind.POOL:
            return self.whole(value) if name in self.whole_names else self.faces(value)
        return self.value(value)

    def no_dice(self, name: str) -> ast.expr:
        """An empty pool under a name."""
        return tuple_of([]) if name in self.whole_names else list_of([])

    def choice_pool(self, step: Choice, pool: Expression) -> ast.expr:
        """The dice to choose from."""
        return self.value_for(step.name, pool)

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
            throw = [assign(raw, self._faces_of(case.throw)), assign(name, self._kept(read(raw), case.throw))]
            result = throw if case.condition is None else [ast.If(self.truth(case.condition), throw, result)]
        return result

    def throw(self, name: ast.expr, throw: Throw) -> ast.expr:
        """The pool of a throw, as whole dice or faces."""
        tree = super().throw(name, throw)
        if isinstance(name, ast.Constant) and name.value not in self.whole_names:
            return self.constants.call(pools.shown, tree)
        return tree

    def _faces_of(self, throw: Throw) -> ast.expr:
        groups = []
        for group in throw.groups:
            assert isinstance(group, Dice)
            number = self.dice_number(group.count)
            if isinstance(group.kind, Sides):
                sides = self._sides(group.kind)
                groups.append(self.constants.call(numbered_faces, number, sides, read(BITS)))
            else:
                shape = self.constants.name_of(self.fixed_shape(group.kind))
                groups.append(self.constants.call(given_faces, number, shape, read(BITS)))
        tree = groups[0]
        for other in groups[1:]:
            tree = binary(tree, ast.Add(), other)
        return tree

    def _sides(self, kind: Sides) -> ast.expr:
        if isinstance(kind.sides, Const):
            shape = self.fixed_shape(kind)
            assert isinstance(shape, Numbered)
            return literal(shape.sides)
        return self.constants.call(operations.die_sides, self.value(kind.sides), self.constants.name_of(kind.sides))

    def _kept(self, faces: ast.expr, throw: Throw) -> ast.expr:
        for modifier in throw.modifiers:
            assert isinstance(modifier, KeepDrop)
            number = self.amount(modifier.number, f"the number of dice to {modifier.word}")
            span = self.constants.name_of(modifier.span)
            faces = self.constants.call(
                kept_faces, faces, literal(modifier.word), literal(modifier.which), number, span
            )
        return faces

    def newest(self, variable: str) -> ast.expr:
        """The newest group, as questions take pools."""
        return self.constants.call(pools.shown, read(variable))

    def whole_dice(self, e: Expression) -> ast.expr:
        """A pool of whole dice."""
        return self.whole(e)

    # ------------------------------------------------------------ expressions

    def value(self, e: Expression) -> ast.expr:
        """The value of an expression; a pool's faces."""
        of = self.knowledge.of
        match e:
            case Arithmetic(operator="+" | "-" | "*" as operator, left=left, right=right):
                known, a, b = of(e), of(left), of(right)
                if a.plain and b.plain and a.whole and b.whole and known.bits is not None:
                    return binary(self.value(left), _ARITHMETIC[operator](), self.value(right))
            case Negative(operand=operand) if of(operand).plain and of(operand).whole:
                return ast.UnaryOp(ast.USub(), self.value(operand))
            case Compare(operator=operator, left=left, right=right) if of(left).plain and of(right).plain:
                return compared(self.value(left), _COMPARISONS[operator](), self.value(right))
            case InFaces(value=value, faces=faces) if of(value).plain and isinstance(value, Var):
                test = self._in_place(faces, self.names(value.name))
                if test is not None:
                    return test
            case IsLabel(value=Var(name=name), labels=labels) if name in self._labels:
                return compared(self.names(name), ast.In(), self.constants.name_of(labels))
            case Function(name="min" | "max" as name, arguments=arguments) if all(of(each).plain for each in arguments):
                if len(arguments) > 1:
                    return self.constants.call(min if name == "min" else max, *map(self.value, arguments))
            case Function(name="abs", arguments=(argument,)) if of(argument).plain:
                return self.constants.call(abs, self.value(argument))
            case Function(name="round_up" | "round_down", arguments=(argument,)) if (
                of(argument).plain and of(argument).whole
            ):
                return self.value(argument)
            case _ if e.kind is Kind.POOL and not isinstance(e, NewestGroup):
                return self.faces(e)
            case NewestGroup():
                return Writer.value(self, e)
        return Writer.value(self, e)

    def truth(self, e: Expression) -> ast.expr:
        """A condition."""
        return self.value(e) if self.knowledge.of(e).plain else super().truth(e)

    def dice_number(self, count: Expression | None) -> ast.expr:
        """How many dice a group throws."""
        return super().dice_number(count)

    def dice(self, e: Expression) -> ast.expr:
        """The faces of a pool, or a list."""
        return self.faces(e) if e.kind is Kind.POOL else super().dice(e)

    def shown(self, e: Expression) -> ast.expr:
        """The faces of a pool, the items of a list."""
        return self.dice(e)

    def as_pool(self, e: Expression) -> ast.expr:
        """A pool of whole dice."""
        return self.whole(e)

    def question(self, e: Question, pool: ast.expr) -> ast.expr:
        """A question to faces, in place where that is quicker."""
        known = self.knowledge.of(e.pool)
        if e.faces is not None and known.plain:
            quick = self._counted_in_place(e, pool)
            if quick is not None:
                return quick
        if e.asked == "size":
            return self.constants.call(len, pool)
        if e.asked == "sum" and known.plain and known.whole and self.knowledge.of(e).bits is not None:
            return self.constants.call(sum, pool)
        return super().question(e, pool)

    def _counted_in_place(self, e: Question, pool: ast.expr) -> ast.expr | None:
        assert e.faces is not None
        one = self.variable()
        match e.faces.alternatives, e.faces.negated:
            case (FaceIs(value=value),), False if self._number(value):
                face = self.value(value)
                counted = method(pool, "count", face)
                found = compared(face, ast.In(), pool)
            case _:
                test = self._in_place(e.faces, read(one))
                if test is None:
                    return None
                fitting = listed(read(one), one, pool, test)
                counted = self.constants.call(len, fitting)
                found = compared(fitting, ast.NotEq(), list_of([]))
        match e.asked:
            case "count":
                return counted
            case "pairs":
                return binary(counted, ast.FloorDiv(), literal(2))
            case "any":
                return found
            case "none":
                return negated(found)
            case _:
                return None

    def _in_place(self, faces: FaceSet, face: ast.expr) -> ast.expr | None:
        """The test of a number as a Python condition; None where its parts would have to be checked."""
        tests: list[ast.expr] = []
        for alternative in faces.alternatives:
            match alternative:
                case FaceIs(value=value) if self._number(value):
                    tests.append(compared(face, ast.Eq(), self.value(value)))
                case FaceBetween(low=low, high=high) if self._bound(low) and self._bound(high):
                    if low is not None and high is not None:
                        ends = [face, self.value(high)]
                        tests.append(ast.Compare(self.value(low), [ast.LtE(), ast.LtE()], ends))
                    elif low is not None:
                        tests.append(compared(self.value(low), ast.LtE(), face))
                    elif high is not None:
                        tests.append(compared(face, ast.LtE(), self.value(high)))
                    else:
                        tests.append(literal(True))
                case FaceCompare(operator=operator, bound=bound) if self._number(bound):
                    tests.append(compared(face, _COMPARISONS[operator](), self.value(bound)))
                case FaceParity(odd=odd):
                    tests.append(compared(binary(face, ast.Mod(), literal(2)), ast.Eq(), literal(int(odd))))
                case _:
                    return None
        test = tests[0] if len(tests) == 1 else ast.BoolOp(ast.Or(), tests)
        return negated(test) if faces.negated else test

    def _number(self, e: Expression) -> bool:
        """Whether the expression is a number that costs nothing to read."""
        return isinstance(e, Const | Var) and e.kind is Kind.NUMBER and self.knowledge.of(e).plain

    def _bound(self, e: Expression | None) -> bool:
        return e is None or self._number(e)

    # ------------------------------------------------------------ for each

    def for_each(self, over: Expression | tuple[Expression, Expression], each: Expression) -> ast.expr:
        """The sum over dice, items or a range."""
        whole = not isinstance(over, tuple) and over.kind is Kind.POOL and _reads_dice(each)
        if isinstance(over, tuple):
            known = COUNT
            low, high = over
            name = self.constants.name_of
            items = self.constants.call(
                operations.span_of_numbers, self.value(low), self.value(high), name(low), name(high)
            )
        else:
            known = self.knowledge.of(over)
            items = self.whole(over) if whole else self.dice(over)
        items = self.counted(items, each)
        one = self.variable()
        self.knowledge.inside(known)
        self._each += 1
        with self.words(die_words(one) if whole else item_words(one)):
            values = listed(self.value(each), one, items)
            part = self.knowledge.of(each)
        self._each -= 1
        self.knowledge.outside()
        if part.plain and part.whole and part.bits is not None:
            return self.constants.call(sum, values)
        return self.constants.call(operations.total, values, self.constants.name_of(each))

    def counted(self, items: ast.expr, each: Expression) -> ast.expr:
        """The items; counted as work only inside something that repeats."""
        return super().counted(items, each) if self._repeating or self._each else items

    # ------------------------------------------------------------ pools

    def faces(self, e: Expression) -> ast.expr:
        """The faces of a pool, as a list."""
        call, span = self.constants.call, self.constants.name_of(e.span)
        match e:
            case Var(name=name):
                return call(pools.shown, self.names(name)) if name in self.whole_names else self.names(name)
            case Union(left=left, right=right):
                return binary(self.faces(left), ast.Add(), self.faces(right))
            case Cases(cases=cases):
                return self.chosen([(each.condition, self.faces(each.value)) for each in cases])
            case Select(which=which, number=number, pool=pool):
                amount = self.place(number) if which == "nth" else self.amount(number, "the number of dice")
                return call(selected_faces, self.faces(pool), literal(which), amount, span)
            case Showing(pool=pool, faces=faces):
                return self._showing(pool, faces)
            case Cancelled(pool=pool, by=by, when=None):
                return call(cancelled_faces, self.faces(pool), self.faces(by), span)
            case WithEach(pool=pool, changed=changed):
                return self._changed(pool, changed)
            case _ if e.kind is Kind.LIST:
                return list_of([ast.Starred(super().dice(e), ast.Load())])
            case NewestGroup():
                return self._words["newest"]
            case _:
                return call(pools.shown, self.whole(e))

    def _showing(self, pool: Expression, faces: FaceSet) -> ast.expr:
        one = self.variable()
        test = self._in_place(faces, read(one)) if self.knowledge.of(pool).plain else None
        if test is None:
            return self.constants.call(faces_showing, self.faces(pool), self.test(faces))
        return listed(read(one), one, self.faces(pool), test)

    def _changed(self, pool: Expression, changed: Expression) -> ast.expr:
        whole = _reads_dice(changed)
        items = self.counted(self.whole(pool) if whole else self.faces(pool), changed)
        one = self.variable()
        self.knowledge.inside(self.knowledge.of(pool))
        self._each += 1
        with self.words(die_words(one) if whole else item_words(one)):
            face = self.value(changed)
            if not self.knowledge.of(changed).plain:
                face = self.constants.call(operations.face_number, face, self.constants.name_of(changed))
        self._each -= 1
        self.knowledge.outside()
        return listed(face, one, items)

    def whole(self, e: Expression) -> ast.expr:
        """A pool of whole dice."""
        match e:
            case Var(name=name) if e.kind is Kind.POOL and name in self.whole_names:
                return self.names(name)
            case Union(left=left, right=right):
                return binary(self.whole(left), ast.Add(), self.whole(right))
            case Cases(cases=cases):
                return self.chosen([(each.condition, self.whole(each.value)) for each in cases])
            case Cancelled(pool=pool, by=by, when=when) if when is not None:
                return self._cancelled_when(e, pool, by, when)
            case WithEach(pool=pool, changed=changed):
                self.knowledge.inside(self.knowledge.of(pool))
                tree = self.with_each(pool, changed)
                self.knowledge.outside()
                return tree
            case Select() | Showing() | Cancelled() | Natural():
                return super().about_dice(e)
            case Var() if e.kind is Kind.POOL:
                return self.constants.call(faces_as_dice, self.names(e.name))
            case _:
                return self.constants.call(numbers_as_dice, super().dice(e))

    def _cancelled_when(self, e: Expression, pool: Expression, by: Expression, when: Expression) -> ast.expr:
        die, other = self.variable(), self.variable()
        self.knowledge.inside(NOTHING)
        with self.words(die_words(die) | {"other": attribute(read(other), "face")}):
            goes = function_of([die, other], self.truth(when))
        self.knowledge.outside()
        span = self.constants.name_of(e.span)
        return self.constants.call(pools.cancelled_when, self.whole(pool), self.whole(by), goes, span)


# ---------------------------------------------------------------- what the written functions call


def given_faces(number: int, shape: Shape, bits: Bits) -> list[Face]:
    """The faces of so many dice of given faces."""
    assert isinstance(shape, Given | Numbered)
    return [shape.draw(bits) for _ in range(number)]


def kept_faces(faces: list[Face], word: str, which: str, number: int, span: Span) -> list[Face]:
    """What `keep` or `drop` leaves of faces."""
    if which == "middle":
        if number >= len(faces):
            return faces if word == "keep" else []
        low = (len(faces) - number) // 2
        ordered = sorted(faces, key=rank)
        return ordered[low : low + number] if word == "keep" else ordered[:low] + ordered[low + number :]
    number = min(number, len(faces))
    if word == "drop":
        which, number = "lowest" if which == "highest" else "highest", len(faces) - number
    return selected_faces(faces, which, number, span)


def selected_faces(faces: list[Face], which: str, number: int, span: Span) -> list[Face]:
    """The so many highest or lowest faces, or the `nth` highest alone."""
    if which != "nth" and number >= len(faces):
        return faces
    ordered = sorted(faces, key=lambda face: rank(face, span))
    match which:
        case "highest":
            return ordered[len(ordered) - number :]
        case "lowest":
            return ordered[:number]
        case _:
            return [ordered[-number]] if number <= len(ordered) else []


def faces_showing(faces: list[Face], test: FaceTest) -> list[Face]:
    """The faces that belong to a set."""
    return [face for face in faces if test.contains(face)]


def cancelled_faces(faces: list[Face], by: list[Face], span: Span) -> list[Face]:
    """What is left of faces when equal ones go one for one."""
    left = list(faces)
    for face in by:
        if face in left:
            left.remove(face)
    return left


def faces_as_dice(faces: Sequence[Face]) -> tuple[Die, ...]:
    """Faces as dice of which nothing else is asked."""
    return tuple([Die(face) for face in faces])


def _simple(throw: Throw) -> bool:
    """Whether the faces alone are enough: plain dice, of which some may be kept."""
    return all(
        isinstance(group, Dice) and not group.modifiers and isinstance(group.kind, Sides | Faces)
        for group in throw.groups
    ) and all(isinstance(modifier, KeepDrop) for modifier in throw.modifiers)


def _reads_dice(e: Expression) -> bool:
    return any(isinstance(part, Each) and part.word in ("target", "sides") for part in parts(e))
