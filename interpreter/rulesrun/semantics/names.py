"""What names mean at a place in a rule, and which values are known there not to be none.

In: the inputs and steps of a rule as they are compiled, one after another. Out: for every name its expression, kind and
facts; for an unknown one the message that helps most.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import islice
from typing import TypeVar, cast

from rulesrun.diagnostics import Diagnostic, Span
from rulesrun.record import changed, record
from rulesrun.suggestions import nearest
from rulesrun.syntax import nodes as n

from . import plan
from .facts import NOTHING, Fact, Facts, constant_kind, faces_of_bag, kind_of, of_domain, table_covers, table_kind
from .guards import excluded
from .messages import names as say
from .plan import Kind
from .renaming import of_setting
from .world import World

MAX_SUGGESTIONS = 100
"""After so many problems no more nearest names are looked for."""

MAX_CANDIDATES = 1000

T = TypeVar("T")
U = TypeVar("U")


class Stop(Exception):
    """A problem has been told; whatever depends on the faulty part is left alone."""


@record
class Symbol:
    """A name of a rule. `maybe` holds the reasons why it may be none: names of optional values, and of rolls under a
    condition.
    """

    name: str
    what: str
    span: Span
    read: plan.Expression
    fact: Fact = NOTHING
    maybe: frozenset[str] = frozenset()


@record
class Rolled:
    """A rolled rule: its name here, the rule, the condition of the roll, and the roll itself."""

    name: str
    rule: plan.Rule
    span: Span
    condition: plan.Expression | None
    step: plan.Invoke


@record
class Want:
    """The labels that are expected: a bare word among them is a label. Unless `strict`, a name of that spelling comes
    first.
    """

    labels: frozenset[str]
    levels: Mapping[str, plan.Number]
    strict: bool


def wanted(domain: plan.Domain | None, world: World) -> Want | None:
    """The labels that a domain expects."""
    match domain:
        case plan.OneOfDomain(options=options):
            labels = frozenset(each for each in options if isinstance(each, str))
            return Want(labels, {}, True) if labels else None
        case plan.LevelsDomain(levels=name):
            return Want(frozenset(), world.levels[name], True)
        case plan.ListDomain(items=items):
            return wanted(items, world)
        case _:
            return None


class Names(ABC):
    """The names known at a place. `problems` takes what is found wrong; nothing is raised but `Stop`. Where it is
    `blind`, an unknown name may be one that a faulty line would have defined, and nothing is said of it.
    """

    def __init__(self, world: World, problems: list[Diagnostic]) -> None:
        self.world = world
        self.problems = problems
        self.facts = Facts(world.tables, world.settings)
        self.names: dict[str, Symbol] = {}
        self.domains: dict[str, plan.Domain] = {}
        self.rolled: dict[str, Rolled] = {}
        self.broken: set[str] = set()
        self.blind = False
        self.later: dict[str, Span] = {}
        self.ended: dict[str, Span] = {}
        self.each: frozenset[str] = frozenset()
        self.held: tuple[plan.Expression, ...] = ()
        self.denied: tuple[plan.Expression, ...] = ()
        self._present: frozenset[str] | None = frozenset()
        self.outcome: frozenset[str] | None = None
        self.outcomes: tuple[plan.OutcomeLabel, ...] = ()

    # ------------------------------------------------------------ problems

    def refuse(self, problem: Diagnostic) -> Stop:
        """Takes an error down; to be raised by the caller."""
        self.problems.append(problem)
        return Stop()

    def warn(self, problem: Diagnostic) -> None:
        """Takes a warning down."""
        self.problems.append(problem)

    def nearest(self, name: str, names: Iterable[str]) -> str | None:
        """The nearest right name, as long as there are not so many problems that nobody would read it."""
        return nearest(name, islice(names, MAX_CANDIDATES)) if len(self.problems) < MAX_SUGGESTIONS else None

    def all_of(self, *tries: Callable[[], T]) -> list[T]:
        """The results of all; every one is tried, so that every problem is told, before `Stop` is raised."""
        results: list[T] = []
        stopped = False
        for each in tries:
            try:
                results.append(each())
            except Stop:
                stopped = True
        if stopped:
            raise Stop
        return results

    def both(self, one: Callable[[], T], other: Callable[[], U]) -> tuple[T, U]:
        """The results of two, which are both tried."""
        found: list[object] = self.all_of(one, other)
        return cast("tuple[T, U]", tuple(found))

    @contextmanager
    def where(
        self, condition: plan.Expression | None = None, *, denied: Iterable[plan.Expression] = ()
    ) -> Iterator[None]:
        """Within, a condition holds and others do not."""
        before = self.held, self.denied, self._present
        self.held = (*self.held, condition) if condition is not None else self.held
        self.denied = (*self.denied, *denied)
        if (self.held, self.denied) != before[:2]:
            self._present = None
        try:
            yield
        finally:
            self.held, self.denied, self._present = before

    @property
    def present(self) -> frozenset[str]:
        """The reasons to be none that are excluded here."""
        if self._present is None:
            self._present = self._excluded()
        return self._present

    def _excluded(self) -> frozenset[str]:
        rolls = {each.name: each.condition for each in self.rolled.values() if each.condition is not None}
        return excluded(self.held, self.denied, self._reasons, rolls)

    @contextmanager
    def each_die(self, words: frozenset[str], at: Span) -> Iterator[None]:
        """Within, these words mean the die's."""
        before = self.each
        self.each = before | words
        hidden = {word: self.world.settings[word].span for word in words if word in self.world.settings}
        self._hidden = hidden | {word: self.names[word].span for word in words if word in self.names}
        try:
            yield
        finally:
            self.each = before
            self._hidden = {}

    _hidden: Mapping[str, Span] = {}

    # ------------------------------------------------------------ what steps define

    def learn_input(self, given: plan.Input) -> None:
        """The name of an input."""
        self.domains[given.name] = given.domain
        maybe = frozenset([given.name] if given.domain.optional else [])
        self._learn(given.name, "input", given.span, given.kind, of_domain(given.domain), maybe)

    def learn(self, step: plan.AnyStep, maybe: frozenset[str] = frozenset()) -> None:
        """The names that a step defines."""
        match step:
            case plan.Draw():
                self._learn(step.name, "roll", step.span, Kind.POOL, self.facts.of_draw(step))
                if step.table is not None:
                    self._learn_row(step, maybe)
            case plan.Define(name=name, value=value):
                fact, maybe = self.facts.of(value), maybe | frozenset([name] if value.optional else [])
                self._learn(name, "value", step.span, value.kind, fact, maybe)
            case plan.Bind(name=name, domain=domain):
                self.domains[name] = domain
                maybe = maybe | frozenset([name] if domain.optional else [])
                self._learn(name, "input", step.span, kind_of(domain), of_domain(domain), maybe)
            case plan.Choice():
                self._learn_choice(step, maybe)
            case plan.Track(name=name, kind=kind, start=start):
                optional = frozenset([name] if start.optional else [])
                self._learn(name, "tracked value", step.span, kind, self.facts.of(start), maybe | optional)
            case plan.BagDraw(name=name, bag=bag):
                held = self.world.bags[bag.rpartition(".")[2]]
                self._learn(name, "draw", step.span, Kind.POOL, Fact(faces=faces_of_bag(held)))
            case plan.Flag(name=name):
                self._learn(name, "flag", step.span, Kind.YES_NO, NOTHING)
            case plan.Outcome(name=name, cases=cases):
                fact = Fact(labels=frozenset(case.label for case in cases))
                self._learn(name, "outcome", step.span, Kind.LABEL, fact, maybe)
            case plan.OutcomeAs(name=name, value=value):
                maybe = maybe | frozenset([name] if value.optional else [])
                self._learn(name, "outcome", step.span, Kind.LABEL, self.facts.of(value), maybe)
            case plan.Invoke():
                self._learn_rolled(step, maybe)
            case plan.Repeat(steps=steps):
                for each in steps:
                    if hasattr(each, "name") and not isinstance(each, plan.Update):
                        self.ended[each.name] = each.span
            case _:
                pass

    def _learn(
        self, name: str, what: str, span: Span, kind: Kind, fact: Fact, maybe: frozenset[str] = frozenset()
    ) -> None:
        self.names[name] = Symbol(name, what, span, plan.Var(span, kind, bool(maybe), name), fact, maybe)
        self.facts.names[name] = fact

    def _learn_choice(self, step: plan.Choice, maybe: frozenset[str]) -> None:
        match step.options:
            case None:
                kind, fact = Kind.YES_NO, NOTHING
            case plan.RangeOption():
                kind, fact = Kind.NUMBER, Fact(whole=True)
            case plan.LabelOption(options=options):
                domain = plan.OneOfDomain(options)
                kind, fact = kind_of(domain), of_domain(domain)
            case plan.DiceOption(pool=pool):
                kind, fact = Kind.POOL, changed(self.facts.of(pool), single=False)
                maybe = frozenset()
        self._learn(step.name, "choice", step.span, kind, fact, maybe)

    def _learn_row(self, step: plan.Draw, maybe: frozenset[str]) -> None:
        """The row that a roll on a table points to; none where the roll's condition does not hold."""
        assert step.table is not None
        if any(case.condition is not None for case in step.cases):
            maybe = maybe | {step.name}
        read = self.row(step.span, step.table, self.sum_of(self.names[step.name].read), None)
        self.names[step.name] = Symbol(step.name, "roll", step.span, read, self.facts.of(read), maybe)

    def _learn_rolled(self, step: plan.Invoke, maybe: frozenset[str]) -> None:
        rule = self.world.rules[step.rule]
        self.rolled[step.name] = Rolled(step.name, rule, step.span, step.condition, step)
        if step.condition is not None:
            maybe = maybe | {step.name}
        for each in step.steps:
            self.learn(each, maybe)

    # ------------------------------------------------------------ what names mean

    def means(self, node: n.Name, want: Want | None = None) -> plan.Expression:
        """The expression that a name stands for; raises `Stop` after telling what is wrong with it."""
        text = node.text
        if want and len(node.parts) == 1:
            if text in want.levels:
                return plan.Const(node.span, Kind.NUMBER, False, want.levels[text])
            if want.strict and text in want.labels:
                return plan.Const(node.span, Kind.LABEL, False, text)
        found = self.lookup(node)
        if found is not None:
            return found
        if want and len(node.parts) == 1 and text in want.labels:
            return plan.Const(node.span, Kind.LABEL, False, text)
        if self.blind and node.text not in self.later:
            raise Stop
        raise self.refuse(self._unknown(node, want))

    def lookup(self, node: n.Name) -> plan.Expression | None:
        """The expression that a name stands for; None for an unknown name; `Stop` for a faulty definition."""
        text, span = node.text, node.span
        if text in self.each:
            if text in self._hidden:
                self.warn(say.hidden_by_each(span, text, self._hidden[text]))
            return plan.Each(span, Kind.NUMBER, text == "target", text)  # type: ignore[arg-type]
        if text in self.names:
            symbol = self.names[text]
            return changed(symbol.read, span=span, optional=self.is_optional(symbol))
        if text in self.broken or node.parts[0] in self.broken:
            raise Stop
        if text in self.world.settings:
            return self._setting(node)
        if self.world.is_broken("setting", text):
            raise Stop
        if row := self._row_part(node):
            return row
        level = self.world.level(text)
        return None if level is None else plan.Const(span, Kind.NUMBER, False, level)

    def is_optional(self, symbol: Symbol) -> bool:
        """Whether a name may be none here."""
        return bool(symbol.maybe) and bool(symbol.maybe - self.present)

    def _setting(self, node: n.Name) -> plan.Expression:
        setting = self.world.settings[node.text]
        self.world.used.add(node.text)
        if isinstance(setting.value, plan.FaceSet):
            only = setting.value.alternatives[0]
            if len(setting.value.alternatives) == 1 and isinstance(only, plan.FaceIs) and not setting.value.negated:
                return of_setting(changed(only.value, span=node.span), node.text)
            raise self.refuse(say.faces_as_value(node.span, node.text, setting.span))
        if setting.value is None:
            return plan.Const(node.span, kind_of(setting.domain), node.text not in self.present, None, node.text)
        return plan.Const(node.span, constant_kind(setting.value), False, setting.value, node.text)

    def _row_part(self, node: n.Name) -> plan.Expression | None:
        """`fumble.text` after `roll fumble = fumbles`."""
        symbol = self.names.get(".".join(node.parts[:-1]))
        if symbol is None or not isinstance(symbol.read, plan.TableAt) or symbol.what != "roll":
            return None
        read = self.part_of(symbol.read, n.Word(node.span, node.parts[-1]), node.span)
        return changed(read, optional=read.optional or self.is_optional(symbol))

    def row(self, span: Span, table: str, index: plan.Expression, part: str | None) -> plan.TableAt:
        """A lookup in a table that is known."""
        of = self.world.tables[table]
        kind = table_kind(of, part)
        return plan.TableAt(span, kind, not table_covers(of, part), table, index, part)  # type: ignore[arg-type]

    def part_of(self, row: plan.Expression, part: n.Word, span: Span) -> plan.Expression:
        """`.label`, `.value` or `.text` of what a lookup gives."""
        match row:
            case plan.TableAt(table=table, index=index):
                if part.text not in ("label", "value", "text"):
                    raise self.refuse(
                        say.unknown_row_part(part.span, part.text, nearest(part.text, ("label", "value", "text")))
                    )
                if all(getattr(each, part.text) is None for each in self.world.tables[table].rows):
                    raise self.refuse(say.row_part_missing(part.span, table, part.text))
                return self.row(span, table, index, part.text)
            case plan.Cases(cases=cases):
                parts = tuple(changed(case, value=self.part_of(case.value, part, span)) for case in cases)
                return plan.Cases(span, parts[0].value.kind, any(each.value.optional for each in parts), parts)
            case _:
                raise self.refuse(say.no_row(span))

    def sum_of(self, pool: plan.Expression) -> plan.Expression:
        """Dice read as a number."""
        return plan.Question(pool.span, Kind.NUMBER, False, "sum", pool)

    # ------------------------------------------------------------ unknown names

    def _unknown(self, node: n.Name, want: Want | None) -> Diagnostic:
        text, span, written = node.text, node.span, self.world.written
        if want and want.strict and len(node.parts) == 1:
            options = sorted(want.labels | set(want.levels))
            return say.unknown_label(span, text, options, self.nearest(text, [*options, *self.names]))
        if text in self.later:
            return say.used_before(span, text, self.later[text])
        if text in self.ended:
            return say.ended(span, text, self.ended[text])
        if len(node.parts) > 1:
            return self._unknown_part(node)
        if text in self.rolled:
            return say.rolled_as_value(span, text, self.rolled[text].rule, self._values_of(text))
        for what in ("table", "die", "rule", "bag", "levels"):
            if text in written.get(what, ()):
                return say.item_as_value(span, text, what)
        near = self.nearest(text, self._candidates())
        if text in self.world.labels:
            return say.label_as_name(span, text, near)
        if text in self.world.symbols:
            return say.symbol_as_name(span, text)
        if near is None and (near := self.nearest(text, [*written.get("table", ()), *self.later])):
            return say.unknown_name(span, text, near)
        return say.unknown_name(span, text, near)

    def _candidates(self) -> list[str]:
        words = [name for levels in self.world.levels.values() for name in levels]
        return [*self.names, *self.rolled, *self.broken, *self.world.settings, *self.each, *words]

    def _values_of(self, rolled: str) -> list[str]:
        return [
            name
            for name in self.names
            if name.startswith(rolled + ".") and self.names[name].what in ("value", "tracked value")
        ]

    def _unknown_part(self, node: n.Name) -> Diagnostic:
        text, span, first = node.text, node.span, node.parts[0]
        for end in range(len(node.parts) - 1, 0, -1):
            head, last = ".".join(node.parts[:end]), ".".join(node.parts[end:])
            if head in self.rolled:
                rule = self.rolled[head].rule
                if last in {each.label for each in rule.outcomes}:
                    return say.outcome_as_part(span, head, last)
                near = self.nearest(text, [name for name in self.names if name.startswith(head + ".")])
                if near is None:
                    shorts = {name.rpartition(".")[2]: name for name in self.names if name.startswith(head + ".")}
                    near = shorts.get(last, shorts.get(self.nearest(last, shorts) or ""))
                return say.unknown_part(span, head, last, rule.name, near)
            if head in self.names:
                return say.no_parts(span, head, self.names[head].read.kind)
        if first in self.later:
            return say.used_before(span, first, self.later[first])
        if first in self.ended:
            return say.ended(span, first, self.ended[first])
        return say.unknown_name(span, first, self.nearest(first, self._candidates()))

    def _reasons(self, value: plan.Expression) -> frozenset[str]:
        """Why a value may be none; a setting that is none is its own reason."""
        if isinstance(value, plan.Var) and value.name in self.names:
            return self.names[value.name].maybe
        if isinstance(value, plan.Const) and value.value is None and value.setting:
            return frozenset([value.setting])
        return frozenset()

    # ------------------------------------------------------------ what the other modules add

    @abstractmethod
    def expression(self, node: n.Expression, want: Want | None = None) -> plan.Expression:
        """Any value."""

    @abstractmethod
    def number(self, node: n.Expression, want: Want | None = None, none_too: bool = False) -> plan.Expression:
        """A number; a single die is its sum."""

    @abstractmethod
    def condition(self, node: n.Expression) -> plan.Expression:
        """Yes or no."""
