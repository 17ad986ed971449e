"""Settings, dice, bags, levels and tables: the items of a ruleset that rules refer to."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import TypeAlias, TypeVar

from rulesrun.diagnostics import Diagnostic, Span
from rulesrun.limits import in_force
from rulesrun.record import changed
from rulesrun.suggestions import nearest
from rulesrun.syntax import nodes as n

from . import plan
from .constants import Unknown, plain, value_of
from .faces import constant_faces
from .facts import constant_kind, kind_of
from .inputs import misfit
from .messages import dice as say_dice
from .messages import items as say
from .messages.names import used_before
from .plan import Kind
from .symbols import Stop, wanted
from .throws import Throws
from .variants import Items
from .world import World, all_parts

T = TypeVar("T")

Given: TypeAlias = plan.Constant | plan.FaceSet | n.Expression | n.Faces
"""A value for a setting, from outside: a constant, or what its text was parsed to."""


class ItemMaker(Throws):
    """Puts the items of a ruleset into its world, each where it is sound."""

    def __init__(self, world: World, items: Items, problems: list[Diagnostic]) -> None:
        super().__init__(world, problems)
        self.items = items
        self.making: list[str] = []
        self.cards = 0
        self.faulty: set[str] = set()
        self.unread = set(items.settings)
        """The settings that are not read yet, and the one that is being read."""

    def make(self, given: Mapping[str, Given]) -> None:
        """Everything but rules and examples."""
        as_faces = _named_as_faces(self.items)
        self._each(self.items.levels.values(), self._levels)
        self._each(
            self.items.settings.values(),
            lambda setting: self._setting_in_turn(setting, given, setting.name.text in as_faces),
        )
        self._each(self.items.dice.values(), self._die)
        self._each(self.items.bags.values(), self._bag)
        self._each(self.items.tables.values(), self._table)

    def _each(self, items: Iterable[T], make: Callable[[T], None]) -> None:
        for item in items:
            with suppress(Stop):
                make(item)

    # ------------------------------------------------------------ levels, settings

    def _levels(self, item: n.Levels) -> None:
        found: dict[str, plan.Number] = {}
        first: dict[str, Span] = {}
        for level in item.levels:
            if level.name.text in found:
                self.refuse(say.defined_twice(level.name.span, "level", level.name.text, first[level.name.text]))
                continue
            found[level.name.text] = plain(level.value.value)
            first[level.name.text] = level.name.span
        self.world.levels[item.name.text] = found

    def lookup(self, node: n.Name) -> plan.Expression | None:
        """As of all names; a setting is known only below its line."""
        if node.text in self.unread:
            defined = self.items.settings[node.text].name.span
            raise self.refuse(used_before(node.span, node.text, defined, "file"))
        return super().lookup(node)

    def _setting_in_turn(self, item: n.Setting, given: Mapping[str, Given], as_faces: bool) -> None:
        try:
            self._read_setting(item, given, as_faces)
        finally:
            self.unread.discard(item.name.text)

    def _read_setting(self, item: n.Setting, given: Mapping[str, Given], as_faces: bool) -> None:
        name = item.name.text
        stated = None if item.domain is None else self.domain(item.domain, for_setting=True)
        written = self._setting_value(item.value, stated, as_faces, item)
        domain = stated or self._shown_domain(written, item)
        value: plan.Constant | plan.FaceSet = written
        text = " ".join(item.value.span.text.split())
        if name in given:
            value, text = self._given_value(name, given[name], domain, item)
        self.world.settings[name] = plan.Setting(name, domain, value, text, item.text, item.name.span)

    def _given_value(
        self, name: str, given: Given, domain: plan.Domain, item: n.Setting
    ) -> tuple[plan.Constant | plan.FaceSet, str]:
        if isinstance(given, plan.FaceSet):
            if not isinstance(domain, plan.FacesDomain):
                raise self.refuse(say.setting_outside(None, name, given.span.text, domain, self.world.levels))
            return given, " ".join(given.span.text.split())
        if isinstance(given, n.Part):
            value = self._setting_value(given, domain, False, item)
            return value, " ".join(given.span.text.split())
        if isinstance(domain, plan.FacesDomain):
            if given is None or isinstance(given, bool):
                raise self.refuse(say.setting_outside(None, name, _written(given), domain, self.world.levels))
            return constant_faces(item.value.span, given), _written(given)
        if isinstance(domain, plan.LevelsDomain) and isinstance(given, str):
            given = self.world.levels[domain.levels].get(given, given)
        if misfit(domain, given, self.world.levels):
            raise self.refuse(say.setting_outside(None, name, _written(given), domain, self.world.levels))
        return given, _written(given)

    def _setting_value(
        self, node: n.Expression | n.Faces, domain: plan.Domain | None, as_faces: bool, item: n.Setting
    ) -> plan.Constant | plan.FaceSet:
        if isinstance(node, n.Faces):
            if domain is not None and not isinstance(domain, plan.FacesDomain):
                raise self.refuse(
                    say.setting_outside(node.span, item.name.text, node.span.text, domain, self.world.levels)
                )
            return self._constant_faces(node)
        if isinstance(domain, plan.FacesDomain) or (domain is None and as_faces and isinstance(node, n.Number)):
            return self._constant_faces(n.Faces(node.span, (node,), False))
        if domain is None and isinstance(node, n.Name) and self.lookup(node) is None:
            raise self.refuse(say.setting_needs_domain(node.span, item.name.text, node.text))
        found = self.expression(node, wanted(domain, self.world))
        value = value_of(found)
        if isinstance(value, Unknown):
            raise self.refuse(say.not_constant(node.span, "a setting"))
        if domain is not None and misfit(domain, value, self.world.levels):
            raise self.refuse(say.setting_outside(node.span, item.name.text, node.span.text, domain, self.world.levels))
        return value

    def _constant_faces(self, node: n.Faces) -> plan.FaceSet:
        found = self.faces(node)
        for each in found.alternatives:
            bounds = {plan.FaceIs: ("value",), plan.FaceBetween: ("low", "high"), plan.FaceCompare: ("bound",)}.get(
                type(each), ()
            )
            for bound in bounds:
                value = getattr(each, bound)
                if value is not None and isinstance(value_of(value), Unknown):
                    raise self.refuse(say.not_constant(value.span, "a setting"))
        return found

    def _shown_domain(self, value: plan.Constant | plan.FaceSet, item: n.Setting) -> plan.Domain:
        """The domain that a value shows by itself."""
        if isinstance(value, plan.FaceSet):
            return plan.FacesDomain()
        match constant_kind(value):
            case Kind.NUMBER:
                return plan.NumberDomain(None, None, False, isinstance(value, int))
            case Kind.YES_NO:
                return plan.YesNoDomain()
            case Kind.LIST if isinstance(value, tuple) and value and constant_kind(value[0]) is Kind.NUMBER:
                return plan.ListDomain(plan.NumberDomain(None, None))
            case _:
                raise self.refuse(say.setting_needs_domain(item.value.span, item.name.text, item.value.span.text))

    def value_for(self, name: str, node: n.Expression | n.Faces) -> plan.Constant | plan.FaceSet:
        """Another value for a setting that is known: an example's."""
        return self._setting_value(node, self.world.settings[name].domain, False, self.items.settings[name])

    # ------------------------------------------------------------ domains

    def domain(self, node: n.Domain, for_setting: bool = False) -> plan.Domain:
        """A domain of a setting: its bounds are constants."""
        return read_domain(self, node, for_setting)

    # ------------------------------------------------------------ dice, bags, tables

    def _die(self, item: n.DieItem) -> None:
        """A named die; the dice that it throws are made first."""
        name = item.name.text
        if name in self.world.dice:
            return
        if name in self.faulty:
            raise Stop
        if name in self.making:
            self.faulty.update(self.making)
            raise self.refuse(
                say_dice.die_rolls_itself(item.name.span, [*self.making[self.making.index(name) :], name])
            )
        if not isinstance(item.faces, n.RolledDie):
            self.world.dice[name] = self.listed(item.span, name, item.faces)
            return
        self.making.append(name)
        try:
            for part in all_parts(item.faces.throw):
                if isinstance(part, n.Name) and part.text in self.items.dice and part.text not in self.world.dice:
                    self._die(self.items.dice[part.text])
            throw = self.throw(item.faces.throw)
        finally:
            self.making.pop()
        self.world.dice[name] = plan.RolledDie(name, item.faces.asked, throw)

    def _bag(self, item: n.Bag) -> None:
        contents: list[tuple[plan.Number | str | tuple[plan.Number | str, ...] | plan.NamedDie, int]] = []
        for part in item.parts:
            if isinstance(part, n.BagNamed):
                if self.world.is_broken("die", part.name.text):
                    raise Stop
                contents.append((self.world.dice.get(part.name.text, part.name.text), self._so_many(part)))
                continue
            low, high = plain(part.low.value), plain(part.high.value)
            if low.denominator != 1 or high.denominator != 1 or low > high:
                raise self.refuse(say.bag_range(part.span))
            self.cards += int(high - low) + 1
            if high - low + len(contents) >= in_force.get().faces or self.cards > in_force.get().all_faces:
                raise self.refuse(say.bag_too_large(part.span, in_force.get().faces))
            symbols = sorted(word.text for word in part.symbols)
            for number in range(low.numerator, high.numerator + 1):
                contents.append(((number, *symbols) if symbols else number, part.times))
        self.world.bags[item.name.text] = plan.Bag(item.name.text, tuple(contents))

    def _so_many(self, part: n.BagNamed) -> int:
        """How many of a thing a bag holds; a name is that of a setting."""
        number, thing = part.number, part.name.text
        if isinstance(number, int):
            return number
        if thing[0] == "x" and thing[1:].isdecimal() and number.text not in self.world.settings:
            raise self.refuse(say.bag_order(part.span, thing[1:], number.text))
        value = value_of(self.exact(self.number(number), number.span))
        if not isinstance(value, int) or value < 0:
            raise self.refuse(say.bag_number(number.span, number.text, str(value)))
        return value

    def _table(self, item: n.Table) -> None:
        if item.by is not None:
            self._two_way_table(item, item.by)
            return
        die = None if item.die is None else self.kind(item.die)
        rows = self.all_of(*(lambda row=row: self._read_row(row) for row in item.rows))
        seen: dict[object, Span] = {}
        for row, node in zip(rows, item.rows, strict=True):
            key: object = row.key if row.key is not None else (row.low, row.high)
            at = node.key.span if isinstance(node.key, n.Word) else key_span(node)
            if key in seen:
                self.refuse(say.row_twice(at, item.name.text, at.text, seen[key]))
            seen[key] = at
        self.world.tables[item.name.text] = plan.Table(item.name.text, item.text, die, tuple(rows))

    def _two_way_table(self, item: n.Table, by: n.Word) -> None:
        """A table of columns, as a table for each of them."""
        name = item.name.text
        keys = self.all_of(*(lambda key=key: self._column_key(key, item) for key in item.columns))
        first = item.rows[0].entries[0]
        for row in item.rows:
            if len(row.entries) != len(keys):
                raise self.refuse(say.entries_and_columns(row.span, len(row.entries), len(keys)))
            for entry in row.entries:
                if type(entry) is not type(first):
                    raise self.refuse(say.mixed_entries(entry.span, first.span))
        columns: list[tuple[str | tuple[plan.Number | None, plan.Number | None], str]] = []
        for place, key in enumerate(keys):
            if any(_overlap(key, other) for other, _ in columns):
                raise self.refuse(say.columns_overlap(column_span(item.columns[place])))
            column = f"{name}.{column_span(item.columns[place]).text}"
            rows = tuple(n.Row(row.span, row.key, (row.entries[place],)) for row in item.rows)
            self._table(n.Table(item.span, n.Word(item.name.span, column), None, rows, item.text, None, ()))
            columns.append((key, column))
        self.world.two_way[name] = plan.TwoWayTable(name, item.text, by.text, tuple(columns))

    def _column_key(self, key: n.Key, item: n.Table) -> str | tuple[plan.Number | None, plan.Number | None]:
        if isinstance(key, n.Word) != isinstance(item.columns[0], n.Word):
            raise self.refuse(say.mixed_columns(column_span(key), column_span(item.columns[0])))
        if isinstance(key, n.Word):
            return key.text
        low, high = (None if each is None else plain(each.value) for each in key)
        if low is not None and high is not None and low > high:
            raise self.refuse(say.band_reversed(column_span(key), str(low), str(high)))
        return low, high

    def _read_row(self, node: n.Row) -> plan.TableRow:
        found: dict[str, object] = {}
        for entry in node.entries:
            what = "label" if isinstance(entry, n.Word) else "text" if isinstance(entry, n.Text) else "value"
            if what in found:
                raise self.refuse(say.two_entries(entry.span, what))
            found[what] = plain(entry.value) if isinstance(entry, n.Number) else entry.text
        if isinstance(node.key, n.Word):
            return plan.TableRow(None, None, node.key.text, found.get("label"), found.get("value"), found.get("text"))  # type: ignore[arg-type]
        low, high = (None if each is None else plain(each.value) for each in node.key)
        if low is not None and high is not None and low > high:
            raise self.refuse(say.band_reversed(key_span(node), str(low), str(high)))
        return plan.TableRow(low, high, None, found.get("label"), found.get("value"), found.get("text"))  # type: ignore[arg-type]


def read_domain(scope: Throws, node: n.Domain, for_setting: bool = False) -> plan.Domain:
    """The domain that is written, its bounds read where it stands."""
    match node:
        case n.OrNone(domain=inner):
            return changed(read_domain(scope, inner, for_setting), optional=True)
        case n.NumberDomain(range=bounds):
            low, high = scope.all_of(
                *(lambda each=each: None if each is None else scope.number(each) for each in (bounds.low, bounds.high))
            )
            a, b = (None if each is None else value_of(each) for each in (low, high))
            if isinstance(a, int) and isinstance(b, int) and a > b:
                raise scope.refuse(say.empty_domain(node.span))
            return plan.NumberDomain(low, high)
        case n.YesNoDomain():
            return plan.YesNoDomain()
        case n.OneOfDomain(options=options):
            return plan.OneOfDomain(read_options(scope, options))
        case n.FacesDomain():
            if not for_setting:
                raise scope.refuse(say.faces_as_input(node.span))
            return plan.FacesDomain()
        case n.TextDomain():
            if not scope.takes_texts:
                raise scope.refuse(say.text_as_input(node.span))
            return plan.TextDomain()
        case n.LevelsDomain(levels=levels):
            if (keys := _labelled_rows(scope, levels)) is not None:
                return plan.OneOfDomain(keys)
            if levels.text not in scope.world.levels:
                if levels.text in scope.world.written_tables:
                    raise scope.refuse(say.table_of_numbers(levels.span, levels.text))
                known = [*scope.world.levels, *scope.world.written_tables]
                raise scope.refuse(say.unknown_domain(levels.span, levels.text, nearest(levels.text, known)))
            return plan.LevelsDomain(levels.text)
        case n.ListDomain(items=inner):
            items = read_domain(scope, inner)
            if kind_of(items) is Kind.LIST:
                raise scope.refuse(say.list_of_lists(node.span))
            return plan.ListDomain(items)


def read_options(scope: Throws, options: tuple[n.Word | n.Number, ...]) -> tuple[str | plan.Number, ...]:
    """The options of `one of`: labels, or numbers, each once."""
    found: dict[str | plan.Number, Span] = {}
    for each in options:
        value = each.text if isinstance(each, n.Word) else plain(each.value)
        if value in found:
            raise scope.refuse(say.option_twice(each.span, str(value), found[value]))
        found[value] = each.span
        if isinstance(each, n.Word) != isinstance(options[0], n.Word):
            raise scope.refuse(say.mixed_options(each.span, options[0].span))
    return tuple(found)


def _named_as_faces(items: Items) -> frozenset[str]:
    """Names that some line uses as faces and none as anything else: a plain number of such a setting means faces."""
    as_faces: set[str] = set()
    others: set[str] = set()
    for item in (*items.rules.values(), *items.examples.values(), *items.dice.values()):
        parts = all_parts(item)
        faces = [
            each
            for part in parts
            if isinstance(part, n.Faces)
            for each in part.alternatives
            if isinstance(each, n.Name)
        ]
        as_faces.update(each.text for each in faces)
        known = set(map(id, faces))
        others.update(part.text for part in parts if isinstance(part, n.Name) and id(part) not in known)
    return frozenset(as_faces - others)


def _labelled_rows(scope: Throws, name: n.Word) -> tuple[str, ...] | None:
    """The labels that begin the rows of a table, which is a domain by that; None for anything else."""
    written = scope.world.written_tables.get(name.text)
    if written is None or name.text in scope.world.levels:
        return None
    keys = tuple(row.key.text for row in written.rows if isinstance(row.key, n.Word))
    return tuple(dict.fromkeys(keys)) if len(keys) == len(written.rows) else None


def _overlap(one: object, other: object) -> bool:
    if not isinstance(one, tuple) or not isinstance(other, tuple):
        return one == other
    (low, high), (least, most) = one, other
    return (low is None or most is None or low <= most) and (least is None or high is None or least <= high)


def column_span(key: n.Key) -> Span:
    """The place of a column's key."""
    if isinstance(key, n.Word):
        return key.span
    low, high = key
    if low is None or high is None:
        only = low or high
        assert only is not None
        source, dots = only.span.source, source_dots(only.span, low is None)
        return Span(source, *dots)
    return low.span.to(high.span)


def source_dots(number: Span, before: bool) -> tuple[int, int]:
    """Where a number with two dots before or behind it stands."""
    text = number.source.text
    if before:
        return text.rindex("..", 0, number.start), number.end
    return number.start, text.index("..", number.end) + 2


def key_span(node: n.Row) -> Span:
    """The place of a row's key: from the row's start to the end of the last number of the key."""
    if isinstance(node.key, n.Word):
        return node.key.span
    end = max(each.span.end for each in node.key if each is not None)
    return Span(node.span.source, node.span.start, end)


def _written(value: plan.Constant) -> str:
    match value:
        case None:
            return "none"
        case bool():
            return "yes" if value else "no"
        case tuple():
            return "[" + ", ".join(map(_written, value)) + "]"
        case _:
            return str(value)
