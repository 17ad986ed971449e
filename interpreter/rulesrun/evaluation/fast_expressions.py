"""Expressions of a plan as the Python that a programmer would write by hand for them.

In: expressions, and what is known of their names (`static`). Out: trees. Pools of which only faces are asked are plain
lists of faces, questions to them are loops in place, and operations that cannot fail are Python's own.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping

from rulesrun.diagnostics import Span
from rulesrun.evaluation import operations, pools
from rulesrun.evaluation.bare_faces import (
    cancelled_faces,
    faces_as_dice,
    faces_showing,
    highest_face,
    lowest_face,
    selected_faces,
)
from rulesrun.evaluation.choices import Chosen
from rulesrun.evaluation.expressions import Writer, die_words, item_words, numbers_as_dice
from rulesrun.evaluation.python import (
    attribute,
    binary,
    compared,
    function_of,
    list_of,
    listed,
    literal,
    method,
    negated,
    read,
    tuple_of,
)
from rulesrun.evaluation.static import COUNT, NOTHING, Knowledge, whole_pools
from rulesrun.evaluation.steps import StepWriter
from rulesrun.semantics.plan import (
    Arithmetic,
    Cancelled,
    Cases,
    Choice,
    Compare,
    Const,
    Each,
    Expression,
    FaceBetween,
    FaceCompare,
    FaceIs,
    FaceParity,
    FaceSet,
    Function,
    InFaces,
    IsLabel,
    Kind,
    Natural,
    Negative,
    NewestGroup,
    Policy,
    Question,
    Rule,
    RulesetPlan,
    Select,
    Showing,
    Union,
    Var,
    Where,
    WithEach,
    Without,
)
from rulesrun.semantics.renaming import parts

_COMPARISONS: Mapping[str, Callable[[], ast.cmpop]] = {
    "=": ast.Eq,
    "!=": ast.NotEq,
    "<": ast.Lt,
    "<=": ast.LtE,
    ">": ast.Gt,
    ">=": ast.GtE,
}
_ARITHMETIC: Mapping[str, Callable[[], ast.operator]] = {"+": ast.Add, "-": ast.Sub, "*": ast.Mult}


FEW_UNIONS = 6
"""So many unions cannot make a pool that is too large, whatever they are of."""


class FastExpressions(StepWriter):
    """Writes expressions for speed. `whole_names` are the pools whose dice stay whole."""

    def __init__(self, ruleset: RulesetPlan, rule: Rule, choose: Mapping[str, Chosen]) -> None:
        self.knowledge = Knowledge(ruleset.bags)
        policies = [each.value for each in choose.values() if isinstance(each, Policy) and each.value is not None]
        self.whole_names = whole_pools(rule.steps, policies)
        super().__init__(ruleset, rule, choose)
        self._repeating = 0
        self._unions = 0
        self._each = 0
        self._labels: set[str] = set()

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

    def newest(self, variable: str) -> ast.expr:
        """The newest group, as questions take pools."""
        return self.constants.call(pools.shown, read(variable))

    def whole_dice(self, e: Expression) -> ast.expr:
        """A pool of whole dice."""
        return self.whole(e)

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
        if e.asked in ("highest", "lowest") and known.plain:
            return self.constants.call(highest_face if e.asked == "highest" else lowest_face, pool)
        return super().question(e, pool)

    def _counted_in_place(self, e: Question, pool: ast.expr) -> ast.expr | None:
        assert e.faces is not None
        one = self.variable()
        match e.faces.alternatives, e.faces.negated:
            case (FaceIs(value=value),), False if value.kind is Kind.NUMBER and self.knowledge.of(value).plain:
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

    def _joined(self, left: ast.expr, right: ast.expr, span: Span) -> ast.expr:
        """Two pools together; counted where they may double again and again."""
        self._unions += 1
        if self._repeating or self._unions > FEW_UNIONS:
            return self.constants.call(pools.joined, left, right, self.constants.name_of(span))
        return binary(left, ast.Add(), right)

    def faces(self, e: Expression) -> ast.expr:
        """The faces of a pool, as a list."""
        call, span = self.constants.call, self.constants.name_of(e.span)
        match e:
            case Var(name=name):
                return call(pools.shown, self.names(name)) if name in self.whole_names else self.names(name)
            case Union(left=left, right=right):
                return self._joined(self.faces(left), self.faces(right), e.span)
            case Cases(cases=cases):
                return self.chosen([(each.condition, self.faces(each.value)) for each in cases])
            case Select(which=which, number=number, pool=pool):
                amount = self.place(number) if which == "nth" else self.amount(number, "the number of dice")
                return call(selected_faces, self.faces(pool), literal(which), amount, span)
            case Showing(pool=pool, faces=faces):
                return self._showing(pool, faces)
            case Cancelled(pool=pool, by=by, when=None):
                return call(cancelled_faces, self.faces(pool), self.faces(by))
            case Const() if e.kind is Kind.POOL:
                return list_of([])
            case Where(pool=pool, condition=condition) if not _reads_dice(condition):
                return self._where(pool, condition)
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

    def _where(self, pool: Expression, condition: Expression) -> ast.expr:
        items = self.counted(self.faces(pool), condition)
        one = self.variable()
        self.knowledge.inside(self.knowledge.of(pool))
        self._each += 1
        with self.words(item_words(one)):
            stay = listed(read(one), one, items, self.truth(condition))
        self._each -= 1
        self.knowledge.outside()
        return stay

    def _changed(self, pool: Expression, changed: Expression) -> ast.expr:
        whole = _reads_dice(changed)
        items = self.counted(self.whole(pool) if whole else self.faces(pool), changed)
        one = self.variable()
        self.knowledge.inside(self.knowledge.of(pool))
        self._each += 1
        with self.words(die_words(one) if whole else item_words(one)):
            face = self.value(changed)
            if not self.knowledge.of(changed).plain and not isinstance(changed, Each):
                face = self.constants.call(operations.exact, face, self.constants.name_of(changed))
        self._each -= 1
        self.knowledge.outside()
        return listed(face, one, items)

    def whole(self, e: Expression) -> ast.expr:
        """A pool of whole dice."""
        match e:
            case Var(name=name) if e.kind is Kind.POOL and name in self.whole_names:
                return self.names(name)
            case Union(left=left, right=right):
                return self._joined(self.whole(left), self.whole(right), e.span)
            case Cases(cases=cases):
                return self.chosen([(each.condition, self.whole(each.value)) for each in cases])
            case Cancelled(pool=pool, by=by, when=when) if when is not None:
                return self._cancelled_when(e, pool, by, when)
            case WithEach(pool=pool, changed=changed):
                self.knowledge.inside(self.knowledge.of(pool))
                tree = self.with_each(pool, changed)
                self.knowledge.outside()
                return tree
            case Where(pool=pool, condition=condition):
                self.knowledge.inside(self.knowledge.of(pool))
                tree = self.where_each(pool, condition)
                self.knowledge.outside()
                return tree
            case Const() if e.kind is Kind.POOL:
                return tuple_of([])
            case Select() | Showing() | Cancelled() | Without() | Natural():
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


def _reads_dice(e: Expression) -> bool:
    return any(isinstance(part, Each) and part.word in ("target", "sides") for part in parts(e))
