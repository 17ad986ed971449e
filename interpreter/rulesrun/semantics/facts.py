"""What is known of values before anything is rolled: which labels a value may be, which faces dice may show, whether
a number is whole.

In: expressions, throws and domains of a plan. Out: their `Fact`s. Facts only ever say what is certain; what is not
known is left open (`None`, False).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from rulesrun.record import changed, record

from . import plan
from .borne import as_number, as_symbols, is_marked, symbols_on
from .constants import is_literal, literal_number, value_of
from .plan import Kind

MAX_FACES = 10_000
"""Faces of larger dice are not listed one by one."""

MAX_SIDES = 2**60

Possible: TypeAlias = range | frozenset[plan.Face]
"""The faces that dice may show."""


@record
class Fact:
    """What is certain of a value.

    `single`: dice that may be read as a number, their sum. `labels`: all the labels it may be. `levels`: the named
    numbers of its domain. `faces`: all the faces it may show. `whole`: a number, or a list of numbers, without
    fractions. `approximate`: it holds a power that is not whole. `items`: what the items of a list are. `unmarked`: no
    face bears symbols beside a number. `lying`: those of the faces that dice show only until they are thrown, the names
    of their kinds.
    """

    single: bool = False
    labels: frozenset[str] | None = None
    levels: str | None = None
    faces: Possible | None = None
    whole: bool = False
    approximate: bool = False
    items: Kind | None = None
    unmarked: bool = False
    lying: frozenset[plan.Face] = frozenset()


NOTHING = Fact()


@dataclass(slots=True)
class Facts:
    """The facts of names, by flat name, and of everything said with them."""

    tables: Mapping[str, plan.Table]
    settings: Mapping[str, plan.Setting] = field(default_factory=dict)
    names: dict[str, Fact] = field(default_factory=dict)

    def of(self, expression: plan.Expression) -> Fact:
        """What is certain of an expression."""
        match expression:
            case plan.Const(value=value):
                setting = self.settings.get(expression.setting)
                fact = _constant(value) if setting is None else of_domain(setting.domain)
                return changed(fact, unmarked=True) if expression.kind is Kind.POOL else fact
            case plan.Var(name=name):
                return self.names.get(name, NOTHING)
            case plan.Each():
                return Fact(whole=True)
            case plan.ListOf(items=items):
                found = [self.of(each) for each in items]
                return Fact(
                    whole=all(each.whole for each in found),
                    labels=_all_labels(found),
                    items=items[0].kind if items else Kind.NUMBER,
                )
            case plan.NumbersBetween():
                return Fact(whole=True, items=Kind.NUMBER)
            case plan.FacesOf(pool=pool):
                return Fact(whole=self._whole(pool), items=Kind.NUMBER)
            case plan.Within(value=value, domain=domain):
                inner, stated = self.of(value), of_domain(domain)
                return changed(
                    inner, labels=inner.labels or stated.labels, whole=inner.whole or stated.whole, levels=stated.levels
                )
            case plan.Arithmetic(operator=operator, left=left, right=right):
                return self._arithmetic(operator, self.of(left), self.of(right), right)
            case plan.Negative(operand=operand):
                return _numbers([self.of(operand)])
            case plan.Function(name=name, arguments=arguments):
                fact = _numbers([self.of(each) for each in arguments])
                return changed(fact, whole=True) if name in ("round_up", "round_down") else fact
            case plan.Cases(cases=cases):
                return _either([self.of(case.value) for case in cases if case.value.kind is not Kind.NONE])
            case plan.Call(whole=whole, approximate=approximate, labels=labels):
                return Fact(whole=whole, approximate=approximate, labels=labels)
            case plan.TableAt(table=table, part=part):
                return _looked_up(self.tables[table], part)
            case plan.ItemAt(items=items):
                fact = self.of(items)
                return Fact(labels=fact.labels, whole=fact.whole)
            case plan.Question(asked=asked, pool=pool):
                return Fact(
                    whole=asked not in ("sum", "highest", "lowest", "middle", "face_of_largest_set")
                    or self._whole(pool)
                )
            case plan.ForEach(each=each):
                return _numbers([self.of(each)])
            case plan.WinsOf():
                return Fact(whole=True)
            case plan.Union(left=left, right=right):
                return _either([self.of(left), self.of(right)])
            case plan.Select(which=which, pool=pool):
                return changed(self.of(pool), single=which == "nth")
            case plan.Showing(pool=pool) | plan.Cancelled(pool=pool) | plan.Without(pool=pool) | plan.Where(pool=pool):
                return changed(self.of(pool), single=False)
            case plan.Natural(pool=pool):
                fact = self.of(pool)
                return changed(fact, unmarked=fact.unmarked and fact.faces is not None)
            case plan.WithEach(pool=pool, changed=face):
                before = self.of(pool)
                faces = _read_faces(before.faces, face)
                return Fact(before.single, faces=faces, approximate=self.of(face).approximate, unmarked=True)
            case _:
                return NOTHING

    def _whole(self, pool: plan.Expression) -> bool:
        fact = self.of(pool)
        return fact.whole or (fact.faces is not None and are_whole(fact.faces))

    def _arithmetic(self, operator: str, left: Fact, right: Fact, exponent: plan.Expression) -> Fact:
        fact = _numbers([left, right])
        if operator == "/":
            return changed(fact, whole=False)
        if operator == "^":
            power = literal_number(exponent)
            whole = right.whole or (power is not None and power.denominator == 1)
            return Fact(
                whole=fact.whole and power is not None and power >= 0, approximate=fact.approximate or not whole
            )
        return fact

    def of_throw(self, throw: plan.Throw) -> Fact:
        """What is certain of the dice of a throw."""
        found = [self._group(group) for group in throw.groups]
        added = [modifier for modifier in self._modifiers(throw) if isinstance(modifier, plan.Explode)]
        fact = _either([*found, *(_of_kind(each.rolling, True) for each in added if each.rolling)])
        if not any(each.adding for each in added):
            return fact
        thrown = [each for each in throw.modifiers if isinstance(each, plan.Explode | plan.Reroll | plan.Again)]
        last = thrown[-1] if thrown else None
        return changed(fact, faces=None, unmarked=fact.unmarked or (isinstance(last, plan.Explode) and last.adding))

    def _modifiers(self, throw: plan.Throw) -> list[plan.Modifier]:
        shorthand = [modifier for group in throw.groups if isinstance(group, plan.Dice) for modifier in group.modifiers]
        return [*shorthand, *throw.modifiers]

    def _group(self, group: plan.Group) -> Fact:
        if isinstance(group, plan.SameDice):
            fact = self.of(group.pool)
            thrown = fact.faces - fact.lying if isinstance(fact.faces, frozenset) else fact.faces
            return changed(fact, faces=thrown, lying=frozenset())
        if isinstance(group, plan.DiceOfSizes):
            sizes = value_of(group.sizes)
            if isinstance(sizes, tuple) and is_literal(group.sizes) and all(isinstance(each, int) for each in sizes):
                return Fact(
                    faces=range(1, max([0, *(each for each in sizes if isinstance(each, int))]) + 1), unmarked=True
                )
            return Fact(whole=True, unmarked=True)
        return _of_kind(group.kind, group.count is None)

    def of_draw(self, draw: plan.Draw) -> Fact:
        """What is certain of a roll of dice."""
        return _either([self.of_throw(case.throw) for case in draw.cases])


def faces_of(kind: plan.DieKind) -> Possible | None:
    """The faces a kind of die may show; None where that is known only when it is rolled."""
    match kind:
        case plan.Sides(sides=sides):
            number = literal_number(sides)
            listed = number is not None and number.denominator == 1 and number < MAX_SIDES
            return range(1, number.numerator + 1) if number is not None and listed else None
        case plan.Faces(faces=faces):
            return frozenset(face for face, _ in faces)
        case plan.RolledDie():
            return None


def faces_of_bag(bag: plan.Bag) -> Possible | None:
    """The faces that what is drawn from a bag may show, now or thrown: a die that lies there shows its name."""
    faces: set[plan.Face] = set()
    for thing, _ in bag.contents:
        if isinstance(thing, str):
            faces.add((thing,))
        elif isinstance(thing, plan.Faces | plan.RolledDie):
            more = faces_of(thing)
            if more is None or len(more) > MAX_FACES:
                return None
            faces.update(more, [(thing.name,)])
        else:
            faces.add(thing)
    return frozenset(faces)


def of_bag(bag: plan.Bag) -> Fact:
    """What is certain of what is drawn from a bag."""
    kinds = [thing for thing, _ in bag.contents if isinstance(thing, plan.Faces | plan.RolledDie)]
    unmarked = not any(isinstance(thing, tuple) for thing, _ in bag.contents)
    faces = faces_of_bag(bag)
    return Fact(
        faces=faces,
        unmarked=unmarked and all(_of_kind(kind, True).unmarked for kind in kinds),
        lying=frozenset((kind.name,) for kind in kinds),
    )


def are_whole(faces: Possible) -> bool:
    """Whether all faces bear whole numbers."""
    return isinstance(faces, range) or all(isinstance(as_number(face), int) for face in faces)


def symbols_of(faces: Possible | None) -> frozenset[str]:
    """The symbols that stand on the faces."""
    if faces is None or isinstance(faces, range):
        return frozenset()
    return frozenset(symbol for face in faces if isinstance(face, tuple) for symbol in symbols_on(face))


def symbols_alone(faces: Possible | None) -> frozenset[str]:
    """The symbols that stand on faces without a number."""
    if faces is None or isinstance(faces, range):
        return frozenset()
    return frozenset(
        symbol for face in faces if isinstance(face, tuple) and not is_marked(face) for symbol in symbols_on(face)
    )


def _of_kind(kind: plan.DieKind, single: bool) -> Fact:
    unmarked = not isinstance(kind, plan.Faces) or not any(is_marked(face) for face, _ in kind.faces)
    return Fact(single, faces=faces_of(kind), unmarked=unmarked)


def _read_faces(faces: Possible | None, new: plan.Expression) -> Possible | None:
    """The faces of dice of which the numbers, or the symbols, are read."""
    if faces is None or isinstance(faces, range) or not isinstance(new, plan.Each):
        return faces if isinstance(faces, range) and isinstance(new, plan.Each) and new.word == "number" else None
    match new.word:
        case "number":
            return frozenset(map(as_number, faces))
        case "symbols":
            return frozenset(map(as_symbols, faces))
        case _:
            return None


def of_domain(domain: plan.Domain) -> Fact:
    """What is certain of a value of a domain."""
    match domain:
        case plan.NumberDomain(whole=whole):
            return Fact(whole=whole)
        case plan.OneOfDomain(options=options):
            words = frozenset(each for each in options if isinstance(each, str))
            return Fact(labels=words or None, whole=all(isinstance(each, int) for each in options))
        case plan.LevelsDomain(levels=name):
            return Fact(levels=name)
        case plan.ListDomain(items=items):
            return changed(of_domain(items), items=kind_of(items))
        case _:
            return NOTHING


def kind_of(domain: plan.Domain) -> Kind:
    """What a value of a domain is."""
    match domain:
        case plan.NumberDomain() | plan.LevelsDomain():
            return Kind.NUMBER
        case plan.YesNoDomain():
            return Kind.YES_NO
        case plan.OneOfDomain(options=options):
            return Kind.LABEL if any(isinstance(each, str) for each in options) else Kind.NUMBER
        case plan.FacesDomain():
            return Kind.FACES
        case plan.TextDomain():
            return Kind.TEXT
        case plan.ListDomain():
            return Kind.LIST


def table_kind(table: plan.Table, part: str | None) -> Kind:
    """What a lookup gives: labels if every row has one, else what the rows have."""
    match part:
        case "label":
            return Kind.LABEL
        case "value":
            return Kind.NUMBER
        case "text":
            return Kind.TEXT
    kinds = {
        Kind.LABEL if row.label is not None else Kind.NUMBER if row.value is not None else Kind.TEXT
        for row in table.rows
    }
    return kinds.pop() if len(kinds) == 1 else Kind.ROW


def _looked_up(table: plan.Table, part: str | None) -> Fact:
    labels = frozenset(row.label for row in table.rows if row.label is not None)
    numbers = [row.value for row in table.rows if row.value is not None]
    return Fact(
        labels=labels if part in (None, "label") else None, whole=all(isinstance(each, int) for each in numbers)
    )


def _constant(value: plan.Constant) -> Fact:
    if isinstance(value, str):
        return Fact(labels=frozenset([value]))
    if isinstance(value, tuple):
        return Fact(
            whole=all(isinstance(each, int) for each in value),
            labels=_all_labels([_constant(each) for each in value]),
            items=constant_kind(value[0]) if value else Kind.NUMBER,
        )
    return Fact(whole=isinstance(value, int))


def constant_kind(value: plan.Constant) -> Kind:
    """What a constant is."""
    match value:
        case None:
            return Kind.NONE
        case bool():
            return Kind.YES_NO
        case str():
            return Kind.LABEL
        case tuple():
            return Kind.LIST
        case _:
            return Kind.NUMBER


def _numbers(facts: Iterable[Fact]) -> Fact:
    found = list(facts)
    return Fact(
        whole=all(each.whole or _dice_are_whole(each) for each in found),
        approximate=any(each.approximate for each in found),
    )


def _dice_are_whole(fact: Fact) -> bool:
    return fact.single and fact.faces is not None and are_whole(fact.faces)


def _all_labels(facts: Iterable[Fact]) -> frozenset[str] | None:
    found = [each.labels for each in facts]
    return (
        frozenset().union(*(each for each in found if each is not None))
        if found and all(each is not None for each in found)
        else None
    )


def _either(facts: list[Fact]) -> Fact:
    """What is certain of a value that is one of several, or of dice that are all of them."""
    if len(facts) == 1:
        return facts[0]
    if not facts:
        return NOTHING
    levels = {each.levels for each in facts}
    items = {each.items for each in facts}
    return Fact(
        single=all(each.single for each in facts),
        labels=_all_labels(facts),
        levels=levels.pop() if len(levels) == 1 else None,
        faces=_joined([each.faces for each in facts]),
        whole=all(each.whole for each in facts),
        approximate=any(each.approximate for each in facts),
        items=items.pop() if len(items) == 1 else None,
        unmarked=all(each.unmarked for each in facts),
        lying=_only_lying(facts),
    )


def _only_lying(facts: list[Fact]) -> frozenset[plan.Face]:
    """The faces that dice of one of these show only until they are thrown, and no others show."""
    found = frozenset(face for each in facts for face in each.lying)
    shown = (each.faces - each.lying for each in facts if isinstance(each.faces, frozenset))
    return found.difference(*shown) if found else found


def _joined(faces: list[Possible | None]) -> Possible | None:
    if any(each is None for each in faces):
        return None
    found = [each for each in faces if each is not None]
    if all(each == found[0] for each in found):
        return found[0]
    if sum(map(len, found)) > MAX_FACES:
        return None
    return frozenset(face for each in found for face in each)
