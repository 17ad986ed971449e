"""Working out a sheet: from what a character states to everything that follows from it.

In: a plan, its sheet, a state. Out: `Figures`. The parts are taken in the order of the sheet; the expressions are those
of rules and mean the same. A part that cannot be worked out is a fault, and what reads it is left out without a word.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, cast

from rulesrun.diagnostics import RulesError
from rulesrun.evaluation.expressions import evaluator
from rulesrun.evaluation.inputs import bounded
from rulesrun.evaluation.operations import exact, truth
from rulesrun.evaluation.values import Value
from rulesrun.semantics.domains import number_bounds
from rulesrun.semantics.inputs import accept
from rulesrun.semantics.plan import Constant, Domain, Expression, Kind, Number, RulesetPlan
from rulesrun.semantics.plan_sheet import (
    IT,
    NEXT,
    NOW,
    Advance,
    Budget,
    Entries,
    Limit,
    Parameter,
    Part,
    Sheet,
    Status,
    Team,
    Trait,
)
from rulesrun.semantics.plan_sheet import Value as SheetValue
from rulesrun.sheets.figures import Broken, BudgetFigures, EntryFigures, Fault, Figures, StepFigures
from rulesrun.sheets.state import Entry, State

Names = Mapping[str, Value]


class Workings:
    """A sheet made ready to be worked out for any state."""

    def __init__(self, plan: RulesetPlan, sheet: Sheet) -> None:
        self.plan = plan
        self.sheet = sheet
        self._ready: dict[int, tuple[Expression, Callable[[Names], Value]]] = {}

    def figures(self, state: State) -> Figures:
        """Everything that follows from a state."""
        return _Working(self, state).figures()

    def value(self, expression: Expression, names: Names) -> Value:
        """What an expression comes to."""
        kept = self._ready.get(id(expression))
        if kept is None:
            kept = self._ready[id(expression)] = (expression, evaluator(expression, self.plan.tables))
        return kept[1](names)

    def number(self, expression: Expression, names: Names) -> Number:
        """What an expression comes to, as an exact number."""
        return exact(self.value(expression, names), expression)

    def holds(self, condition: Expression, names: Names) -> bool:
        """Whether a condition holds."""
        return truth(self.value(condition, names), condition)

    def accepted(self, domain: Domain, kind: Kind, value: object, names: Names, name: str) -> Constant:
        """A value that lies in its domain; a `RulesError` that begins with `name` if it does not."""
        if kind is Kind.TEXT and isinstance(value, str):
            return value
        low, high = (None if each is None else self.number(each, names) for each in number_bounds(domain))
        try:
            found = accept(domain, value, self.plan.levels, low, high)
        except RulesError as error:
            raise RulesError.of(f"{name}: {error.message}", code="outside-domain", hint=error.hint) from None
        return bounded(found, name)

    def parameters(
        self, parameters: tuple[Parameter, ...], given: Mapping[str, Constant], names: Names
    ) -> dict[str, Constant]:
        """A value for every parameter, in order, each in its domain."""
        found: dict[str, Constant] = {}
        for each in parameters:
            scope = {**names, **found}
            value = given[each.name] if each.name in given else self._default(each.default, scope)
            found[each.name] = self.accepted(each.domain, each.kind, value, scope, each.name)
        return found

    def team_values(self, state: State, rule: str, given: Mapping[str, object]) -> dict[str, Constant]:
        """What one member brings to each list input of a rule."""
        team = self.sheet.part(rule, Team)
        assert team is not None
        names: dict[str, Value] = dict(self.figures(state).names)
        for each in team.inputs:
            value = given[each.name] if each.name in given else self._default(each.default, names)
            if each.name not in given and each.default is None:
                raise RulesError.of(f"a member of {rule} needs {each.name}", code="missing-input")
            names[each.name] = self.accepted(each.domain, each.kind, value, names, each.name)
        return {each.name: cast(Constant, self.value(each.value, names)) for each in team.values}

    def _default(self, default: Expression | None, names: Names) -> Value:
        return None if default is None else self.value(default, names)


class _Working:
    """The figures of one state while they are worked out."""

    def __init__(self, workings: Workings, state: State) -> None:
        self._work = workings
        self._state = state
        self._lost: set[str] = set()
        self.names: dict[str, Value] = {}
        self.entries: dict[str, tuple[EntryFigures, ...]] = {}
        self.statuses: list[Status] = []
        self.budgets: list[BudgetFigures] = []
        self.broken: list[Broken] = []
        self.steps: list[StepFigures] = []
        self.faults: list[Fault] = []

    def figures(self) -> Figures:
        """All figures, part by part."""
        for part in self._work.sheet.parts:
            self._try(part, self._part, part)
        return Figures(
            self.names,
            self.entries,
            tuple(self.statuses),
            tuple(self.budgets),
            tuple(self.broken),
            tuple(self.steps),
            tuple(self.faults),
        )

    def _part(self, part: Part) -> None:
        match part:
            case Trait():
                self.names[part.name] = self._trait(part, self._state.traits, self.names, part.name)
                if part.group:
                    self.names[part.group] = (*cast(Any, self.names.get(part.group, ())), self.names[part.name])
            case Entries():
                self._entries(part)
            case SheetValue(value=value):
                self.names[part.name] = self._work.value(value, self.names)
            case Status(condition=condition):
                self.names[part.name] = self._work.holds(condition, self.names)
                if self.names[part.name]:
                    self.statuses.append(part)
            case Budget():
                self._budget(part)
            case Limit(condition=condition):
                if not self._work.holds(condition, self.names):
                    self.broken.append(Broken(part, part.text))
            case Advance():
                self._advance(part)
            case _:
                pass

    def _try(self, part: Part, work: Callable[..., None], *arguments: object) -> None:
        """Does a piece of work; what keeps it from being done is a fault."""
        try:
            work(*arguments)
        except RulesError as error:
            span = next((each.primary.span for each in error.diagnostics if each.primary), None)
            self.faults.append(Fault(error.message, part.private, hint=error.hint, span=span))
            self._lost.add(part.name)
        except KeyError as lost:
            if lost.args[0] not in self._lost:
                raise
            self._lost.add(part.name)

    # ------------------------------------------------------------ traits and lists

    def _trait(
        self,
        trait: Trait,
        stated: Mapping[str, Constant],
        names: Names,
        called: str,
        entry: tuple[str, str] | None = None,
    ) -> Constant:
        """The value of a trait: the one that is stated, or its default where it is not or lies outside its domain."""
        at: tuple[str, str | None, str | None] = (trait.name, None, None)
        if entry is not None:
            at = (*entry, trait.name)
        if trait.name in stated:
            try:
                return self._work.accepted(trait.domain, trait.kind, stated[trait.name], names, called)
            except RulesError as error:
                self.faults.append(Fault(error.message, trait.private, *at, hint=error.hint))
        if trait.default is None:
            if trait.name in stated:
                return stated[trait.name]
            self.faults.append(Fault(f"{called} is missing", trait.private, *at))
            return None
        default = self._work.value(trait.default, names)
        return self._work.accepted(trait.domain, trait.kind, default, names, called)

    def _entries(self, part: Entries) -> None:
        found = []
        for entry in self._state.lists.get(part.name, ()):
            inner = self._entry(part, entry)
            found.append(inner)
            for limit in part.limits:
                scope = {**self.names, **self._scope(part, inner)}
                self._try(limit, self._entry_limit, part, entry.name, limit, scope)
        self.entries[part.name] = tuple(found)
        self.names[part.name] = tuple(1 if each.number is None else each.number for each in found)
        for inner_part in (*part.traits, *part.values):
            column = [each.names[inner_part.name] for each in found if inner_part.name in each.names]
            if len(column) == len(found):
                self.names[f"{part.name}.{inner_part.name}"] = cast(Value, tuple(column))
            else:
                self._lost.add(f"{part.name}.{inner_part.name}")

    def _entry(self, part: Entries, entry: Entry) -> EntryFigures:
        number = entry.number
        at = (part.name, entry.name)
        if part.domain is not None and number is not None:
            try:
                number = cast(Number, self._work.accepted(part.domain, Kind.NUMBER, number, self.names, entry.name))
            except RulesError as error:
                self.faults.append(
                    Fault(error.message, part.private, name=part.name, entry=entry.name, hint=error.hint)
                )
        inner: dict[str, Value] = {}
        scope: dict[str, Value] = {**self.names, IT: number, part.word: number}

        def put(name: str, value: Value) -> None:
            inner[name] = scope[name] = value

        for trait in part.traits:
            called = f"{entry.name}: {trait.name}"
            self._try(
                trait,
                lambda: put(trait.name, self._trait(trait, entry.traits, scope, called, at)),  # noqa: B023
            )
        for value in part.values:
            self._try(value, lambda: put(value.name, self._work.value(value.value, scope)))  # noqa: B023
        return EntryFigures(entry.name, number, inner)

    def _scope(self, part: Entries, entry: EntryFigures) -> dict[str, Value]:
        return {IT: entry.number, part.word: entry.number, **entry.names}

    def _entry_limit(self, part: Entries, entry: str, limit: Limit, scope: Names) -> None:
        if not self._work.holds(limit.condition, scope):
            self.broken.append(Broken(limit, limit.text, part.name, entry))

    # ------------------------------------------------------------ points

    def _budget(self, part: Budget) -> None:
        amount = self._work.number(part.amount, self.names)
        self.names[part.name] = amount
        lines = []
        for line in part.lines:
            cost = self._work.number(line.cost, self.names)
            self.names[line.name] = cost
            lines.append((line, cost))
        spent = sum((cost for _, cost in lines), start=cast(Number, 0))
        left = amount - spent
        self.names[f"{part.name}.spent"], self.names[f"{part.name}.left"] = spent, left
        self.budgets.append(BudgetFigures(part, amount, tuple(lines), spent, left))
        if left < 0:
            self.broken.append(Broken(part, f"{part.text or part.name}: {spent} spent of {amount}"))

    def _advance(self, part: Advance) -> None:
        entries = self._work.sheet.part(part.name, Entries)
        if entries is not None and part.new:
            if entries.domain is not None:
                self._step(part, entries.domain, part.name, None, 0, self._first(entries.domain), {})
        elif entries is not None and entries.domain is not None:
            for each in self.entries.get(part.name, ()):
                if each.number is not None:
                    scope = self._scope(entries, each)
                    self._step(part, entries.domain, part.name, each.name, each.number, each.number + 1, scope)
        else:
            for trait in self._work.sheet.of(Trait):
                if part.name in (trait.name, trait.group):
                    now = self.names[trait.name]
                    if isinstance(now, bool) or not isinstance(now, int):
                        continue
                    self._step(part, trait.domain, trait.name, None, now, now + 1, {})

    def _first(self, domain: Domain) -> Number:
        """The first number above 0 that a domain takes."""
        low, _ = number_bounds(domain)
        return max(1, 1 if low is None else self._work.number(low, self.names))

    def _step(
        self, part: Advance, domain: Domain, name: str, entry: str | None, now: Number, after: Number, scope: Names
    ) -> None:
        scope = {**self.names, **scope, NOW: now, NEXT: after}
        try:
            self._work.accepted(domain, Kind.NUMBER, after, self.names, name)
            allowed = part.condition is None or self._work.holds(part.condition, scope)
        except RulesError:
            allowed = False
        price = self._work.number(part.price, scope) if allowed else None
        source = self.names[part.source]
        affordable = price is not None and isinstance(source, int) and source >= price
        self.steps.append(StepFigures(part, name, entry, now, after, price, allowed, affordable))
