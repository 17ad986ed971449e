"""The names that are known at a place in a rule, and which values are known there not to be none.

In: the inputs and steps of a rule as they are compiled, one after another. Out: a symbol for every name they define.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import islice
from typing import TypeVar, cast

from rulesrun.diagnostics import Diagnostic, Span
from rulesrun.record import changed
from rulesrun.suggestions import nearest
from rulesrun.syntax import nodes as n

from . import extents, plan
from .facts import NOTHING, Fact, Facts, Possible, kind_of, of_bag, of_domain, table_kind
from .guards import excluded
from .plan import Kind
from .renaming import names_in
from .symbols import Rolled, Stop, Symbol, Want
from .world import World

MAX_SUGGESTIONS = 100
"""After so many problems no more nearest names are looked for."""

MAX_CANDIDATES = 1000

T = TypeVar("T")
U = TypeVar("U")


class Known(ABC):
    """The names known at a place. `problems` takes what is found wrong; nothing is raised but `Stop`. Where it is
    `blind`, an unknown name may be one that a faulty line would have defined, and nothing is said of it.
    """

    takes_texts = False
    """Whether texts are values here, as in a sheet."""

    def __init__(self, world: World, problems: list[Diagnostic]) -> None:
        self.world = world
        self.problems = problems
        self.facts = Facts(world.tables, world.settings)
        self.names: dict[str, Symbol] = {}
        self.domains: dict[str, plan.Domain] = {}
        self.rolled: dict[str, Rolled] = {}
        self.made_if: dict[str, plan.Expression] = {}
        self.extents: dict[str, extents.Extent | extents.Dice] = {}
        self.broken: set[str] = set()
        self.blind = False
        self.later: dict[str, Span] = {}
        self.ended: dict[str, Span] = {}
        self.each: dict[str, str] = {}
        self.each_shown: tuple[Possible | None, ...] = ()
        self.outer_words: frozenset[str] = frozenset()
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
        return excluded(self.held, self.denied, self._reasons, self.made_if | rolls)

    @contextmanager
    def each_die(self, words: Mapping[str, str], at: Span, *pools: plan.Expression) -> Iterator[None]:
        """Within, these words mean what they stand for of the die: `die`, `target`, `sides`, `other`; the dice are
        those of the first pool, the others those of the second. Words for an outer die mean nothing within, words for
        an outer `other` still mean it.
        """
        before = self.each, self.outer_words, self.each_shown
        shown = tuple(self.facts.of(pool).faces if pool.kind is Kind.POOL else None for pool in pools)
        self.each_shown = (*shown, *(None,) * (1 - len(shown)), *self.each_shown[max(1, len(shown)) :])
        others = any(meant.startswith("other") for meant in words.values())
        outer = {word for word, meant in self.each.items() if others or not meant.startswith("other")} - words.keys()
        self.each = {word: meant for word, meant in self.each.items() if word not in outer} | dict(words)
        self.outer_words = (self.outer_words | outer) - words.keys()
        hidden = {word: self.world.settings[word].span for word in words if word in self.world.settings}
        self._hidden = hidden | {word: self.names[word].span for word in words if word in self.names}
        try:
            yield
        finally:
            self.each, self.outer_words, self.each_shown = before
            self._hidden = {}

    _hidden: Mapping[str, Span] = {}

    # ------------------------------------------------------------ what steps define

    def learn_input(self, given: plan.Input) -> None:
        """The name of an input."""
        self.domains[given.name] = given.domain
        maybe = frozenset([given.name] if given.domain.optional else [])
        self._learn(given.name, "input", given.span, given.kind, of_domain(given.domain), maybe)
        self._lies(given.name, extents.of_domain(given.domain))

    def learn(self, step: plan.AnyStep, maybe: frozenset[str] = frozenset()) -> None:
        """The names that a step defines."""
        match step:
            case plan.Draw():
                self._learn(step.name, "roll", step.span, Kind.POOL, self.facts.of_draw(step))
                self._learn_dice(step, maybe)
                if step.table is not None:
                    self._learn_row(step, maybe)
            case plan.Define(name=name, value=value):
                fact, maybe = self.facts.of(value), maybe | frozenset([name] if value.optional else [])
                self._learn(name, "value", step.span, value.kind, fact, maybe)
                self._lies(name, self.extent(value) if value.kind is Kind.NUMBER else None)
            case plan.Bind(name=name, domain=domain):
                self.domains[name] = domain
                maybe = maybe | frozenset([name] if domain.optional else [])
                self._learn(name, "input", step.span, kind_of(domain), of_domain(domain), maybe)
                self._lies(name, extents.of_domain(domain))
            case plan.Choice():
                self._learn_choice(step, maybe)
            case plan.Track(name=name, kind=kind, start=start):
                optional = frozenset([name] if start.optional else [])
                fact = NOTHING if kind is Kind.LABEL else self.facts.of(start)
                self._learn(name, "tracked value", step.span, kind, fact, maybe | optional)
            case plan.BagDraw(name=name, bag=bag):
                held = self.world.bags[bag.rpartition(".")[2]]
                self._learn(name, "draw", step.span, Kind.POOL, of_bag(held))
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

    def _lies(self, name: str, extent: extents.Extent | extents.Dice | None) -> None:
        """Takes down between which numbers a name lies; None where that is not known."""
        self.extents.pop(name, None)
        if extent is not None:
            self.extents[name] = extent

    def _learn_dice(self, step: plan.Draw, maybe: frozenset[str]) -> None:
        """How many dice a roll throws; of a rule that may not be rolled there may be none."""
        dice = extents.of_draw(step)
        if dice is not None and maybe:
            dice = changed(dice, least=0, surely=0)
        self._lies(step.name, dice)
        condition = step.cases[0].condition if len(step.cases) == 1 and not maybe else None
        if condition is not None and not any(
            name in self.names and self.names[name].what == "tracked value" for name in names_in(condition)
        ):
            self.made_if[step.name] = condition

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

    def row(self, span: Span, table: str, index: plan.Expression, part: str | None) -> plan.TableAt:
        """A lookup in a table that is known."""
        of = self.world.tables[table]
        kind = table_kind(of, part)
        return plan.TableAt(span, kind, not self._has_row(of, index, part), table, index, part)  # type: ignore[arg-type]

    def _has_row(self, table: plan.Table, index: plan.Expression, part: str | None) -> bool:
        """Whether the table surely has a row with what is asked for."""
        if part is not None and any(getattr(row, part) is None for row in table.rows):
            return False
        if table.die is not None:
            return True
        keys = {row.key for row in table.rows if row.key is not None}
        if keys:
            labels = self.facts.of(index).labels
            return not index.optional and labels is not None and labels <= keys
        return extents.covers([(row.low, row.high) for row in table.rows], self.extent(index))

    def extent(self, value: plan.Expression) -> extents.Extent | None:
        """Between which whole numbers a value lies here, where that is known."""
        return extents.extent(value, self.extents, self.present) if self.facts.of(value).whole else None

    def sum_of(self, pool: plan.Expression) -> plan.Expression:
        """Dice read as a number."""
        return plan.Question(pool.span, Kind.NUMBER, False, "sum", pool)

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
