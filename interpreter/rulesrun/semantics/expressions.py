"""Expressions: arithmetic, comparison, cases, lookups, and what kind each of them is."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from rulesrun.diagnostics import Span
from rulesrun.record import changed
from rulesrun.syntax import nodes as n

from . import extents, plan
from .constants import literal_number, plain
from .facts import symbols_alone
from .guards import is_there
from .labels import ReadsLabels
from .messages import kinds as say
from .messages import names as say_names
from .plan import Kind
from .symbols import Stop, Want

ARGUMENTS = {"min": None, "max": None, "abs": 1, "round_up": 1, "round_down": 1, "remainder": 2, "clamp": 3}
"""How many arguments the functions take; None: one or more."""


class Expressions(ReadsLabels):
    """Every expression of the language, in the scope of the names known so far."""

    def expression(self, node: n.Expression, want: Want | None = None) -> plan.Expression:
        """Any value; bare words among the labels of `want` are labels."""
        match node:
            case n.Number(span=span, value=value):
                return plan.Const(span, Kind.NUMBER, False, plain(value))
            case n.YesNo(span=span, value=value):
                return plan.Const(span, Kind.YES_NO, False, value)
            case n.Nothing(span=span):
                return plan.Const(span, Kind.NONE, True, None)
            case n.Name():
                return self.means(node, want)
            case n.NoDice(span=span):
                return plan.Const(span, Kind.POOL, False, ())
            case n.Bracket(inside=inside):
                return self.expression(inside, want)
            case n.List():
                return self._list(node, want)
            case n.Binary(operator="and") | n.Binary(operator="or"):
                return self._logic(node)
            case n.Binary():
                return self._arithmetic(node)
            case n.Unary(operator="not", operand=operand):
                return plan.Not(node.span, Kind.YES_NO, False, self.condition(operand))
            case n.Unary(operator="-", operand=operand):
                return plan.Negative(node.span, Kind.NUMBER, False, self.number(operand))
            case n.Unary(operand=operand):
                return self.number(operand)
            case n.Compare():
                return self._compare(node)
            case n.InFaces():
                return self._in_faces(node)
            case n.IsLabel():
                return self._is_label(node)
            case n.Cases():
                return self.cases(node, want)
            case n.Function():
                return self._function(node)
            case n.Formula():
                return self.formula(node)
            case n.Lookup():
                return self._lookup(node)
            case n.RowPart(row=row, part=part):
                return self.part_of(self.expression(row), part, node.span)
            case n.Question():
                return self.question(node)
            case n.WinsOf():
                return self.wins(node)
            case n.Outranks():
                return self.outranks(node)
            case n.Showing():
                return self.showing(node)
            case n.Cancelled():
                return self.cancelled(node)
            case n.Without():
                return self.without(node)
            case n.Where():
                return self.where_each(node)
            case n.WithEach():
                return self.with_each(node)
            case n.ForEach():
                return self.for_each(node)

    # ------------------------------------------------------------ kinds that are expected

    def number(self, node: n.Expression, want: Want | None = None, none_too: bool = False) -> plan.Expression:
        """A number; dice written without a count are their sum. A value that may be none is warned of, unless
        `none_too`.
        """
        return self.as_number(self.expression(node, want), node, none_too)

    def as_number(self, found: plan.Expression, node: n.Expression, none_too: bool = False) -> plan.Expression:
        """The number that an expression is."""
        if found.kind is Kind.POOL and self.facts.of(found).single:
            if symbols := symbols_alone(self.facts.of(found).faces):
                raise self.refuse(say.symbols_as_numbers(node.span, node.span.text, sorted(symbols)))
            return self.sum_of(found)
        if found.kind is Kind.NONE and none_too:
            return found
        if found.kind is not Kind.NUMBER:
            if isinstance(found, plan.TableAt) and any(
                row.value is not None for row in self.world.tables[found.table].rows
            ):
                raise self.refuse(say.row_as_number(node.span, node.span.text, found.table))
            raise self.refuse(say.wrong_kind(node.span, node.span.text, found.kind, Kind.NUMBER))
        if found.optional and not none_too:
            self._may_be_none(found, node.span)
        return found

    def condition(self, node: n.Expression) -> plan.Expression:
        """Yes or no."""
        if isinstance(node, n.Name) and self.lookup(node) is None and node.text in self.rolled:
            raise self.refuse(say.rolled_as_condition(node.span, node.text, self.rolled[node.text].rule))
        found = self.expression(node)
        if found.kind is not Kind.YES_NO:
            raise self.refuse(say.wrong_kind(node.span, node.span.text, found.kind, Kind.YES_NO))
        if found.optional:
            self._may_be_none(found, node.span)
        return found

    def _may_be_none(self, found: plan.Expression, at: Span) -> None:
        """Warns of a value that may be none, unless it is looked up: the table's gaps are told where it stands."""
        if any(isinstance(part, plan.TableAt | plan.Each) for part in _branches(found)):
            return
        if not isinstance(found, plan.Var) or found.name not in self.names:
            self.warn(say.maybe_none(at, at.text))
            return
        symbol = self.names[found.name]
        rolled = next((self.rolled[name] for name in sorted(symbol.maybe - self.present) if name in self.rolled), None)
        if rolled is None or rolled.condition is None:
            self.warn(say.maybe_none(at, at.text, symbol.span))
        else:
            self.warn(say.not_rolled(at, at.text, rolled.span, rolled.condition.span.text))

    def single_value(self, found: plan.Expression) -> plan.Expression:
        """Dice that may be read as a number as that number; anything else as it is."""
        fact = self.facts.of(found)
        return (
            self.sum_of(found) if found.kind is Kind.POOL and fact.single and not symbols_alone(fact.faces) else found
        )

    # ------------------------------------------------------------ arithmetic and logic

    def _arithmetic(self, node: n.Binary) -> plan.Expression:
        looked_up = _open_lookup(node.left)
        if looked_up is not None:
            end = Span(node.span.source, looked_up.index.span.start, node.right.span.end)
            raise self.refuse(
                say.lookup_binds_tightly(looked_up.span, looked_up.source.span, looked_up.index.span, end)
            )
        left, right = self.all_of(lambda: self.expression(node.left), lambda: self.expression(node.right))
        if node.operator == "+":
            if left.kind in (Kind.POOL, Kind.LIST) and right.kind in (Kind.POOL, Kind.LIST):
                return self.union(node.span, self.as_dice(left, node.left), self.as_dice(right, node.right))
            if right.kind is Kind.POOL and left.kind in (Kind.NUMBER, Kind.YES_NO) and not self.facts.of(right).single:
                asked = _last_question(node.left)
                if asked is not None:
                    raise self.refuse(say.binds_to_first(asked.span, node.span, asked.pool.span, node.right.span))
        a, b = self.all_of(lambda: self.as_number(left, node.left), lambda: self.as_number(right, node.right))
        if node.operator == "/" and literal_number(b) == 0:
            raise self.refuse(say.division_by_zero(node.right.span))
        return plan.Arithmetic(node.span, Kind.NUMBER, False, node.operator, a, b)  # type: ignore[arg-type]

    def as_dice(self, found: plan.Expression, node: n.Expression) -> plan.Expression:
        """Dice; of a list of numbers, dice that show them."""
        if found.kind is Kind.POOL:
            return found
        self.pool(node, True)
        die = plan.Each(found.span, Kind.NUMBER, False, "die")
        return plan.WithEach(found.span, Kind.POOL, False, found, die)

    def _logic(self, node: n.Binary) -> plan.Expression:
        is_and = node.operator == "and"
        self._no_bare_numbers(node)
        left: plan.Expression | None = None
        with suppress(Stop):
            left = self.condition(node.left)
        known = [] if left is None or is_and else [left]
        with self.where(left if is_and else None, denied=known):
            right = self.condition(node.right)
        if left is None:
            raise Stop
        return (plan.And if is_and else plan.Or)(node.span, Kind.YES_NO, False, left, right)

    def _no_bare_numbers(self, node: n.Binary) -> None:
        """`x = 1 or 2` and `any 6 in a or 1`: a bare number where a condition belongs."""
        right = node.right.inside if isinstance(node.right, n.Bracket) else node.right
        if (
            node.operator == "or"
            and isinstance(right, n.Number | n.Unary)
            and not (isinstance(right, n.Unary) and right.operator == "not")
        ):
            raise self.refuse(
                say.or_between_numbers(node.span, node.right.span, _suggestion(node.left, node.right.span.text))
            )

    def _compare(self, node: n.Compare) -> plan.Expression:
        for side, other in ((node.left, node.right), (node.right, node.left)):
            if (
                isinstance(side, n.Name)
                and self.lookup(side) is None
                and side.text in self.world.labels
                and side.text not in self.later
            ):
                found = self.lookup(other) if isinstance(other, n.Name) else None
                other_text = other.span.text if found is not None and found.kind is Kind.LABEL else None
                raise self.refuse(say.label_compared(node.span, side.span, side.text, other_text))
        left, right = self.all_of(lambda: self.expression(node.left), lambda: self.expression(node.right))
        if Kind.NONE in (left.kind, right.kind):
            return self._compare_none(node, left, right)
        left, right = self.single_value(left), self.single_value(right)
        labels = (Kind.LABEL, Kind.ROW, Kind.TEXT)
        if left.kind in labels or right.kind in labels:
            guilty = node.left if left.kind in labels else node.right
            raise self.refuse(say.label_with_sign(node.span, guilty.span, guilty.span.text, node.operator))
        if left.kind is Kind.YES_NO and right.kind is Kind.YES_NO:
            if node.operator not in ("=", "!="):
                raise self.refuse(say.yes_no_ordered(node.span, node.operator))
        else:
            none_too = node.operator in ("=", "!=")
            left, right = self.all_of(
                lambda: self.as_number(left, node.left, none_too), lambda: self.as_number(right, node.right, none_too)
            )
            self.all_of(lambda: self.exact(left, node.left.span), lambda: self.exact(right, node.right.span))
        return plan.Compare(node.span, Kind.YES_NO, False, node.operator, left, right)

    def _compare_none(self, node: n.Compare, left: plan.Expression, right: plan.Expression) -> plan.Expression:
        if node.operator not in ("=", "!="):
            raise self.refuse(say.none_ordered(node.span, node.operator))
        if left.kind is Kind.NONE:
            left, right = right, left
        return plan.Compare(node.span, Kind.YES_NO, False, node.operator, left, right)

    def _in_faces(self, node: n.InFaces) -> plan.Expression:
        self._no_labels_in_faces(node)
        value, faces = self.both(lambda: self.number(node.left), lambda: self.faces(node.faces))
        return plan.InFaces(node.span, Kind.YES_NO, False, self.exact(value, node.left.span), faces)

    # ------------------------------------------------------------ cases, lists, functions, lookups

    def cases(self, node: n.Cases, want: Want | None) -> plan.Expression:
        """A value chosen by conditions; all values are of one kind, or none."""
        found: list[tuple[n.Case, plan.Expression, plan.Expression | None]] = []
        stopped = False
        denied: list[plan.Expression] = []
        for case in node.cases:
            condition = None
            with self.where(denied=denied):
                try:
                    condition = None if case.condition is None else self.condition(case.condition)
                except Stop:
                    stopped = True
                try:
                    with self.where(condition):
                        value = self.expression(case.value, want)
                        if value.optional and is_there(self.held, self.denied, value):
                            value = changed(value, optional=False)
                        found.append((case, value, condition))
                except Stop:
                    stopped = True
            denied += [] if condition is None else [condition]
        if node.cases[-1].condition is not None:
            raise self.refuse(say.no_otherwise(node.cases[-1].span))
        if stopped:
            raise Stop
        return self._unified(node, found)

    def _unified(
        self, node: n.Cases, found: list[tuple[n.Case, plan.Expression, plan.Expression | None]]
    ) -> plan.Expression:
        values = [value for _, value, _ in found if value.kind is not Kind.NONE]
        kinds = {value.kind for value in values}
        settle: Callable[[plan.Expression], plan.Expression] = lambda value: value  # noqa: E731
        if kinds == {Kind.POOL, Kind.NUMBER}:
            settle = self.single_value
        first: n.Case | None = None
        cases: list[plan.IfCase] = []
        kind = Kind.NONE
        for case, before, condition in found:
            value = settle(before)
            if value.kind is not Kind.NONE:
                if first is None:
                    first, kind = case, value.kind
                elif value.kind is not kind:
                    raise self.refuse(say.mixed_cases(case.value.span, value.kind, first.value.span, kind))
            cases.append(plan.IfCase(value, condition))
        if kind is Kind.POOL and any(case.value.kind is Kind.NONE for case in cases):
            raise self.refuse(say.no_dice_are_empty(node.span))
        return plan.Cases(node.span, kind, any(case.value.optional for case in cases), tuple(cases))

    def _list(self, node: n.List, want: Want | None) -> plan.Expression:
        items = [
            self.single_value(each)
            for each in self.all_of(*(lambda each=each: self.expression(each, want) for each in node.items))
        ]
        for item, written in zip(items, node.items, strict=True):
            if item.kind not in (Kind.NUMBER, Kind.LABEL, Kind.YES_NO, Kind.NONE):
                raise self.refuse(say.not_an_item(written.span, written.span.text, item.kind))
            if item.kind is not items[0].kind:
                raise self.refuse(say.mixed_list(written.span, item.kind, node.items[0].span, items[0].kind))
        if all(isinstance(item, plan.Const) for item in items):
            values = tuple(item.value for item in items if isinstance(item, plan.Const))
            return plan.Const(node.span, Kind.LIST, False, values)
        return plan.ListOf(node.span, Kind.LIST, False, tuple(items))

    def formula(self, node: n.Formula) -> plan.Expression:
        """What a rule without dice works out; the dice, tables and settings of a file come before its rules."""
        raise self.refuse(say.formula_before_rules(node.span, node.rule.text))

    def _function(self, node: n.Function) -> plan.Expression:
        wanted = ARGUMENTS[node.name]
        if wanted is not None and len(node.arguments) != wanted:
            raise self.refuse(say.wrong_arguments(node.span, node.name, len(node.arguments), wanted))
        arguments = self.all_of(*(lambda each=each: self.number(each) for each in node.arguments))
        return plan.Function(node.span, Kind.NUMBER, False, node.name, tuple(arguments))  # type: ignore[arg-type]

    def _lookup(self, node: n.Lookup) -> plan.Expression:
        source = node.source
        if isinstance(source, n.List):
            if node.column is not None:
                raise self.refuse(say_names.no_columns(node.column.span, source.span.text))
            items, index = self.both(lambda: self._list(source, None), lambda: self.count(node.index))
            kind = self.facts.of(items).items or Kind.NUMBER
            return plan.ItemAt(node.span, kind, False, items, index, _is_turn(node.index, index))
        found = self.lookup(source)
        if found is None and source.text in self.world.two_way:
            return self._two_way(node, self.world.two_way[source.text])
        if found is None and source.text in self.world.tables:
            if node.column is not None:
                raise self.refuse(say_names.no_columns(node.column.span, source.text))
            return self.row(node.span, source.text, self._index(node, source.text), None)
        if found is None and self.world.is_broken("table", source.text):
            raise Stop
        if found is None:
            found = self.means(source)
        if found.kind is not Kind.LIST:
            raise self.refuse(say.not_a_list(source.span, source.text, found.kind))
        if found.optional:
            self._may_be_none(found, source.span)
        index = self.count(node.index)
        kind = self.facts.of(found).items or Kind.NUMBER
        return plan.ItemAt(node.span, kind, False, found, index, _is_turn(node.index, index))

    def _two_way(self, node: n.Lookup, table: plan.TwoWayTable) -> plan.Expression:
        """A lookup by row and column, as one in the table of the column."""
        if node.column is None:
            raise self.refuse(say_names.needs_column(node.span, node.source.span.text, table.by, node.index.span.text))
        labels = frozenset(key for key, _ in table.columns if isinstance(key, str))
        first = table.columns[0][1]
        row, column = self.both(lambda: self._index(node, first), lambda: self._column(node, table, labels))
        cases: list[plan.IfCase] = []
        for key, name in table.columns:
            fits: plan.Expression
            if isinstance(key, str):
                fits = plan.IsLabel(node.span, Kind.YES_NO, False, column, frozenset([key]))
            else:
                low, high = (None if each is None else plan.Const(node.span, Kind.NUMBER, False, each) for each in key)
                faces = plan.FaceSet(node.span, (plan.FaceBetween(low, high),), False)
                fits = plan.InFaces(node.span, Kind.YES_NO, False, column, faces)
            cases.append(plan.IfCase(self.row(node.span, name, row, None), fits))
        if labels:
            known = self.facts.of(column).labels
            sure = known is not None and known <= labels
        else:
            bands = [key for key, _ in table.columns if isinstance(key, tuple)]
            sure = extents.covers(bands, self.extent(column))
        if sure and not column.optional:
            cases[-1] = plan.IfCase(cases[-1].value, None)
        else:
            cases.append(plan.IfCase(plan.Const(node.span, Kind.NONE, True, None), None))
        optional = any(case.value.optional for case in cases)
        return plan.Cases(node.span, cases[0].value.kind, optional, tuple(cases))

    def _column(self, node: n.Lookup, table: plan.TwoWayTable, labels: frozenset[str]) -> plan.Expression:
        at = node.column
        assert at is not None
        name = node.source.span.text
        if labels and isinstance(at, n.Name) and self._is_unknown(at) and at.text not in labels:
            raise self.refuse(say_names.no_such_column(at.span, at.text, name, sorted(labels)))
        found = self.single_value(self.expression(at, Want(labels, {}, False) if labels else None))
        if labels and found.kind is Kind.LABEL:
            known = self.facts.of(found).labels
            if known is not None and not known & labels:
                raise self.refuse(say_names.no_such_column(at.span, min(known), name, sorted(labels)))
            return found
        if labels:
            raise self.refuse(say.wrong_kind(at.span, at.span.text, found.kind, Kind.LABEL))
        return self.exact(self.as_number(found, at), at.span)

    def _index(self, node: n.Lookup, table: str) -> plan.Expression:
        """A number, or for a table of labels one of them."""
        keys = frozenset(row.key for row in self.world.tables[table].rows if row.key is not None)
        if keys and isinstance(node.index, n.Name) and self._is_unknown(node.index) and node.index.text not in keys:
            raise self.refuse(
                say_names.no_such_row(node.index.span, node.index.text, node.source.span.text, sorted(keys))
            )
        index = self.single_value(self.expression(node.index, Want(keys, {}, False) if keys else None))
        if index.kind is Kind.LABEL and not keys:
            raise self.refuse(say.wrong_kind(node.index.span, node.index.span.text, index.kind, Kind.NUMBER))
        if index.kind is Kind.LABEL and (labels := self.facts.of(index).labels) and not labels & keys:
            raise self.refuse(say_names.no_such_row(node.index.span, min(labels), node.source.span.text, sorted(keys)))
        if index.kind is Kind.LABEL:
            return index
        number = self.as_number(index, node.index)
        return self.exact(number, node.index.span)


def _branches(value: plan.Expression) -> list[plan.Expression]:
    if isinstance(value, plan.Cases):
        return [part for case in value.cases for part in _branches(case.value)]
    return [value]


def _open_lookup(node: n.Expression) -> n.Lookup | None:
    """A lookup without brackets at the end of what arithmetic goes on behind."""
    match node:
        case n.Binary():
            return _open_lookup(node.right)
        case n.Unary():
            return _open_lookup(node.operand)
        case n.Lookup(index=n.Name() | n.Number()):
            return node
    return None


def _last_question(node: n.Expression) -> n.Question | None:
    """The question that an operand ends with."""
    if isinstance(node, n.Binary):
        return _last_question(node.right)
    return node if isinstance(node, n.Question) else None


def _suggestion(left: n.Expression, number: str) -> str | None:
    """How `LEFT or NUMBER` was probably meant."""
    match left:
        case n.Compare(operator="=", left=value, right=right):
            return f"{value.span.text} in ({right.span.text} or {number})"
        case n.InFaces(left=value, faces=faces):
            return f"{value.span.text} in ({faces.span.text} or {number})"
        case n.Question(faces=n.Faces() as faces, asked=asked, pool=pool):
            word = {"pairs": "pairs of"}.get(asked, asked)
            return f"{word} {faces.span.text} or {number} in {pool.span.text}"
        case _:
            return None


def _is_turn(written: n.Expression, index: plan.Expression) -> bool:
    """Whether a list is looked up at the turn of a repetition, so that it goes round."""
    return isinstance(written, n.Name) and written.text == "turn" and isinstance(index, plan.Var)
