"""Expressions of a plan as Python trees: every operator a call of the one function that says what it means.

In: an expression, and how its names are read. Out: a tree, or with `evaluator` a function of named values. Pools are
tuples of whole dice here; `fast` knows when less will do.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence, Sized
from contextlib import contextmanager
from typing import TypeVar

from rulesrun.diagnostics import Span
from rulesrun.evaluation import operations, pools
from rulesrun.evaluation.faces import FaceTest, expressions_of, face_test
from rulesrun.evaluation.limits import too_large
from rulesrun.evaluation.pools import Die, Pool
from rulesrun.evaluation.python import (
    Constants,
    attribute,
    compile_function,
    function_of,
    item,
    listed,
    literal,
    negated,
    read,
    too_deep,
    tuple_of,
)
from rulesrun.evaluation.values import Value
from rulesrun.limits import in_force
from rulesrun.semantics.borne import as_number, as_symbols
from rulesrun.semantics.domains import number_bounds
from rulesrun.semantics.plan import (
    And,
    Arithmetic,
    Call,
    Cancelled,
    Cases,
    Compare,
    Const,
    Each,
    Expr,
    Expression,
    FaceSet,
    FacesOf,
    ForEach,
    Function,
    InFaces,
    IsLabel,
    ItemAt,
    Kind,
    ListOf,
    Natural,
    Negative,
    NewestGroup,
    Not,
    NumbersBetween,
    Or,
    Outranks,
    Question,
    Select,
    Showing,
    Table,
    TableAt,
    Union,
    Var,
    Where,
    WinsOf,
    WithEach,
    Within,
    Without,
)

Names = Callable[[str], ast.expr]
"""How a flat name is read."""


class Writer:
    """Writes expressions as trees. `names` reads a name; `tables` are the ruleset's."""

    def __init__(self, constants: Constants, names: Names, tables: Mapping[str, Table]) -> None:
        self.constants = constants
        self.names = names
        self.tables = tables
        self._words: dict[str, ast.expr] = {}
        self._variables = 0

    # ------------------------------------------------------------ values

    def value(self, e: Expression) -> ast.expr:
        """The value of an expression of any kind."""
        call, known = self.constants.call, self.constants.name_of
        match e:
            case Const(value=value):
                return literal(value) if isinstance(value, int | bool | str | None) else known(value)
            case Var(name=name):
                return self.names(name)
            case Each(word="number" | "symbols" as word):
                return call(as_number if word == "number" else as_symbols, self._words["die"])
            case Each(word="other number"):
                return call(as_number, self._words["other"])
            case Each(word=word):
                return self._words[word]
            case NewestGroup():
                return self._words["newest"]
            case ListOf(items=items):
                return tuple_of([self.value(each) for each in items])
            case NumbersBetween(low=low, high=high):
                return call(operations.numbers_between, self.value(low), self.value(high), known(e))
            case FacesOf(pool=pool):
                return call(pools.downward, self.shown(pool), self.span(e))
            case Within(value=value, domain=domain):
                ends = [literal(None) if each is None else self.value(each) for each in number_bounds(domain)]
                return call(operations.within, self.value(value), *ends, known(e))
            case Arithmetic(left=left, right=right):
                return call(operations.arithmetic, self.value(left), self.value(right), known(e))
            case Negative(operand=operand):
                return call(operations.negative, self.value(operand), known(e))
            case Not(operand=operand):
                return negated(self.truth(operand))
            case And(left=left, right=right):
                return ast.BoolOp(ast.And(), [self.truth(left), self.truth(right)])
            case Or(left=left, right=right):
                return ast.BoolOp(ast.Or(), [self.truth(left), self.truth(right)])
            case Compare(left=left, right=right):
                return call(operations.compare, self.value(left), self.value(right), known(e))
            case InFaces(value=value, faces=faces):
                return call(in_faces, self.value(value), self.test(faces), known(value))
            case IsLabel(value=value):
                return call(operations.is_label, self.value(value), known(e))
            case Cases(cases=cases):
                return self.chosen([(each.condition, self.value(each.value)) for each in cases])
            case Function(arguments=arguments):
                return call(operations.function, tuple_of([self.value(each) for each in arguments]), known(e))
            case Call(arguments=arguments):
                return self.call(e, tuple_of([self.value(each) for each in arguments if each is not None]))
            case TableAt(table=table, index=index):
                return call(operations.table_at, known(self.tables[table]), self.value(index), known(e))
            case ItemAt(items=items, index=index):
                return call(operations.item_at, self.value(items), self.value(index), known(e))
            case _:
                return self.about_dice(e)

    def call(self, e: Call, arguments: ast.expr) -> ast.expr:
        """The value of a formula."""
        from rulesrun.evaluation.formulas import worked_out

        return self.constants.call(worked_out, arguments, self.constants.name_of(e))

    def truth(self, e: Expression) -> ast.expr:
        """A condition."""
        return self.constants.call(operations.truth, self.value(e), self.constants.name_of(e))

    def chosen(self, cases: Sequence[tuple[Expression | None, ast.expr]]) -> ast.expr:
        """The first whose condition holds; None if there is none."""
        result: ast.expr = literal(None)
        for condition, tree in reversed(cases):
            result = tree if condition is None else ast.IfExp(self.truth(condition), tree, result)
        return result

    # ------------------------------------------------------------ dice

    def about_dice(self, e: Expression) -> ast.expr:
        """Questions to dice or lists, and dice made from dice."""
        call, span = self.constants.call, self.span
        match e:
            case Question(pool=pool):
                return self.question(e, self.dice(pool))
            case Outranks(left=left, right=right):
                return call(pools.outranks, self.shown(left), self.shown(right), span(e))
            case WinsOf(left=left, right=right):
                return call(pools.wins, self.shown(left), self.shown(right), span(e))
            case ForEach(over=over, each=each):
                return self.for_each(over, each)
            case Union(left=left, right=right):
                return call(pools.joined, self.dice(left), self.dice(right), span(e))
            case Select(which=which, number=number, pool=pool):
                taken = {
                    "highest": pools.take_highest,
                    "lowest": pools.take_lowest,
                    "nth": pools.nth_highest,
                }[which]
                amount = self.place(number) if which == "nth" else self.amount(number, "the number of dice")
                return call(taken, self.as_pool(pool), amount, span(e))
            case Showing(pool=pool, faces=faces):
                return call(pools.showing, self.as_pool(pool), self.test(faces))
            case Cancelled(pool=pool, by=by, when=None):
                return call(pools.cancelled, self.as_pool(pool), self.as_pool(by), span(e))
            case Cancelled(pool=pool, by=by, when=when):
                assert when is not None
                die, other = self.variable(), self.variable()
                with self.words(die_words(die) | {"other": attribute(read(other), "face")}):
                    goes = function_of([die, other], self.truth(when))
                return call(pools.cancelled_when, self.as_pool(pool), self.as_pool(by), goes, span(e))
            case Without(pool=pool, gone=gone):
                return call(pools.without, self.as_pool(pool), self.as_pool(gone))
            case Where(pool=pool, condition=condition):
                return self.where_each(pool, condition)
            case WithEach(pool=pool, changed=changed):
                return self.with_each(pool, changed)
            case Natural(pool=pool):
                return call(pools.natural, self.as_pool(pool))
            case _:
                raise AssertionError(f"no expression of a plan: {e!r}")

    def question(self, e: Question, pool: ast.expr) -> ast.expr:
        """A question to this pool or list."""
        test = literal(None) if e.faces is None else self.test(e.faces)
        return self.constants.call(pools.ask, literal(e.asked), pool, self.span(e), test)

    def dice(self, e: Expression) -> ast.expr:
        """A pool or a list, whichever the expression is."""
        if e.optional:
            return self.constants.call(operations.dice, self.value(e), self.constants.name_of(e))
        return self.value(e)

    def shown(self, e: Expression) -> ast.expr:
        """The faces of a pool, the items of a list."""
        return self.constants.call(pools.shown, self.dice(e))

    def as_pool(self, e: Expression) -> ast.expr:
        """A pool; the numbers of a list as dice without sides."""
        tree = self.dice(e)
        return tree if e.kind is Kind.POOL else self.constants.call(numbers_as_dice, tree)

    def for_each(self, over: Expression | tuple[Expression, Expression], each: Expression) -> ast.expr:
        """The sum over dice, items or a range."""
        one = self.variable()
        if isinstance(over, tuple):
            low, high = over
            known = self.constants.name_of
            items = self.constants.call(
                operations.span_of_numbers, self.value(low), self.value(high), known(low), known(high)
            )
            words = item_words(one)
        else:
            items = self.dice(over)
            words = die_words(one) if over.kind is Kind.POOL else item_words(one)
        items = self.counted(items, each)
        with self.words(words):
            parts = listed(self.value(each), one, items)
        return self.constants.call(operations.total, parts, self.constants.name_of(each))

    def with_each(self, pool: Expression, changed: Expression) -> ast.expr:
        """A pool of changed faces."""
        lying, one = self.variable(), self.variable()
        with self.words(die_words(one)):
            face = self.value(changed)
            if not isinstance(changed, Each):
                face = self.constants.call(operations.exact, face, self.constants.name_of(changed))
        body = self.constants.call(pools.with_each, read(lying), listed(face, one, read(lying)))
        return ast.Call(function_of([lying], body), [self.counted(self.as_pool(pool), changed)], [])

    def where_each(self, pool: Expression, condition: Expression) -> ast.expr:
        """The dice for which a condition holds."""
        one = self.variable()
        items = self.counted(self.as_pool(pool), condition)
        with self.words(die_words(one)):
            stay = listed(read(one), one, items, self.truth(condition))
        return self.constants.call(tuple, stay)

    def counted(self, items: ast.expr, each: Expression) -> ast.expr:
        """The items that something is to be done with; those who run rules bound the work here."""
        return items

    # ------------------------------------------------------------ parts of expressions

    def test(self, faces: FaceSet) -> ast.expr:
        """A `FaceTest`; made once where nothing in it changes."""
        needed = expressions_of(faces)
        if all(isinstance(each, Const) for each in needed):
            return self.constants.name_of(face_test(faces, [each.value for each in needed if isinstance(each, Const)]))
        values = tuple_of([self.value(each) for each in needed])
        return self.constants.call(face_test, self.constants.name_of(faces), values)

    def amount(self, e: Expression, what: str) -> ast.expr:
        """A whole number that is not negative."""
        return self.constants.call(operations.natural_number, self.value(e), self.constants.name_of(e), literal(what))

    def place(self, e: Expression) -> ast.expr:
        """The N of `die N of`, at least 1."""
        return self.constants.call(place_number, self.value(e), self.constants.name_of(e))

    def span(self, e: Expr) -> ast.expr:
        """The place of an expression."""
        return self.constants.name_of(e.span)

    def variable(self) -> str:
        """A fresh variable."""
        self._variables += 1
        return f"x{self._variables}"

    @contextmanager
    def words(self, meanings: Mapping[str, ast.expr]) -> Iterator[None]:
        """What `die`, `other`, `target`, `sides` mean inside."""
        before = self._words
        self._words = {**before, **meanings}
        yield
        self._words = before


def die_words(variable: str) -> dict[str, ast.expr]:
    """The words of a die that the variable holds."""
    return {
        "die": attribute(read(variable), "face"),
        "target": attribute(read(variable), "target"),
        "sides": attribute(read(variable), "sides"),
    }


def item_words(variable: str) -> dict[str, ast.expr]:
    """The words of a bare number."""
    return {"die": read(variable), "target": literal(None), "sides": literal(None)}


def in_faces(value: Value, test: FaceTest, at: Expr) -> bool:
    """`value in faces`."""
    return test.contains(value if isinstance(value, str) or isinstance(at, Each) else operations.exact(value, at))  # type: ignore[arg-type]


def numbers_as_dice(items: Sequence[int]) -> Pool:
    """The numbers of a list as dice."""
    return tuple(Die(each, first=each) for each in items)


def place_number(value: Value, at: Expr) -> int:
    """The N of `die N of`."""
    place = operations.whole(value, at, "the number of a die")
    if place < 1:
        raise operations.wrong(
            at, f"dice are counted from 1, and `{operations.written(at)}` is {place}", code="no-item"
        )
    return place


def evaluator(e: Expression, tables: Mapping[str, Table]) -> Callable[[Mapping[str, Value]], Value]:
    """A function that gives the expression's value for named values."""
    if isinstance(e, Const):
        constant = e.value
        return lambda names: constant
    constants = Constants()
    writer = _CountingWriter(constants, lambda name: item(read("names"), literal(name)), tables)
    try:
        body = writer.value(e)
    except RecursionError:
        raise too_deep(e.span) from None
    function = compile_function(["names", "work"], [ast.Return(body)], constants, e.span)
    return (lambda names: function(names, [0])) if writer.counts else (lambda names: function(names, None))


Items = TypeVar("Items", bound=Sized)


class _CountingWriter(Writer):
    """Writes expressions that are worked out outside of a roll, and bounds what they cost."""

    counts = False

    def counted(self, items: ast.expr, each: Expression) -> ast.expr:
        """The items, counted in a list of one number that is made for every time."""
        self.counts = True
        return self.constants.call(_count, items, read("work"), self.constants.name_of(each.span))


def _count(items: Items, work: list[int], span: Span) -> Items:
    work[0] += len(items)
    most = in_force.get().work
    if work[0] > most:
        raise too_large(f"more than {most:,} items to look at", "work", span)
    return items
