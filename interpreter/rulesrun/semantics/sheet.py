"""The sheet, checked: its traits, lists, values, statuses, budgets and limits; `sheet_actions` does what changes them.

In: the tree of a sheet, and the world of its ruleset. Out: a `plan_sheet.Sheet`. The traits are inputs of the scope and
what is worked out are names in it, so that an expression means here what it means in a rule.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from rulesrun.diagnostics import Diagnostic, Span
from rulesrun.record import changed
from rulesrun.syntax import nodes as n
from rulesrun.syntax import nodes_sheet as s

from . import plan
from . import plan_sheet as ps
from .calls import Calls
from .facts import Fact, kind_of
from .items import read_domain
from .messages import lines as say_lines
from .messages import sheet as say
from .messages.names import used_before
from .plan import Kind
from .renaming import names_in
from .symbols import Stop, Symbol, Want
from .world import World

TELLABLE = (Kind.NUMBER, Kind.YES_NO, Kind.LABEL, Kind.TEXT, Kind.ROW)


class SheetScope(Calls):
    """The names of a sheet so far. `secret` are those that are private, `first` says where each name is defined."""

    takes_texts = True

    def __init__(self, world: World, problems: list[Diagnostic], rule_named: Callable[[n.Name], plan.Rule]) -> None:
        super().__init__(world, problems, rule_named)
        self.first: dict[str, Span] = {}
        self.secret: set[str] = set()
        self.traits: dict[str, ps.Trait] = {}
        self.groups: dict[str, ps.Group] = {}
        self.lists: dict[str, ps.Entries] = {}
        self.parts: list[ps.AnyPart] = []

    def reads_secret(self, *parts: object) -> bool:
        """Whether any of these expressions or domains reads something private."""
        return bool(names_in(parts) & self.secret)

    def new(self, name: n.Word, flat: str = "") -> None:
        """Takes a name; a second definition is an error that shows the first."""
        known = flat or name.text
        if known in self.first:
            raise self.refuse(say.defined_twice(name.span, known, self.first[known]))
        self.first[known] = name.span
        if known in self.world.settings:
            self.warn(say_lines.hides(name.span, known, "setting", self.world.settings[known].span))
        self.later.pop(known, None)

    def define(self, name: str, what: str, at: Span, value: plan.Expression, private: bool) -> None:
        """A name that stands for a value that is worked out."""
        maybe = frozenset([name] if value.optional else [])
        self._learn(name, what, at, value.kind, self.facts.of(value), maybe)
        if private:
            self.secret.add(name)

    def worked_out(self, node: n.Expression, name: n.Word, kinds: tuple[Kind, ...] = TELLABLE) -> plan.Expression:
        """An expression that can be told: no dice, no list."""
        value = self.single_value(self.expression(node, Want(self.world.labels, {}, False)))
        if value.kind is Kind.NONE:
            raise self.refuse(say_lines.always_none(node.span, name.text))
        if value.kind not in kinds:
            raise self.refuse(say.not_tellable(node.span, node.span.text, value.kind))
        return value

    @contextmanager
    def inside(self) -> Iterator[None]:
        """Within, names are learned that end with it and may hide those outside."""
        before = dict(self.names), dict(self.facts.names), dict(self.domains), set(self.secret), set(self.broken)
        try:
            yield
        finally:
            self.names, self.facts.names, self.domains, self.secret, self.broken = before

    def formula(self, node: n.Formula) -> plan.Expression:
        """A formula; nothing is rolled in a sheet."""
        rule = self.rule_named(node.rule)
        if rule.dice or rule.choices:
            raise self.refuse(say.dice_in_sheet(node.span, rule))
        return super().formula(node)

    def _unknown(self, node: n.Name, want: Want | None) -> Diagnostic:
        first = node.parts[0]
        if len(node.parts) > 1 and first in self.names and self.names[first].what in ("group", "list", "budget"):
            known = [name for name in self.names if name.startswith(first + ".")]
            return say.unknown_member(
                node.span,
                first,
                self.names[first].what,
                ".".join(node.parts[1:]),
                known,
                self.nearest(node.text, known),
            )
        if node.text in self.later or first in self.later:
            name = node.text if node.text in self.later else first
            return used_before(node.span, name, self.later[name], "sheet")
        if node.text in ("now", "next", "it"):
            return say.out_of_place(node.span, node.text)
        return super()._unknown(node, want)


class SheetLines(SheetScope):
    """The parts of a sheet that are stated or worked out."""

    # ------------------------------------------------------------ traits

    def trait(self, node: s.Trait) -> None:
        """One trait."""
        self.new(node.name)
        self.parts.append(self._trait(node, node.name.text))

    def _trait(self, node: s.Trait, flat: str, group: str = "") -> ps.Trait:
        domain = read_domain(self, node.domain)
        if isinstance(domain, plan.ListDomain):
            raise self.refuse(say.list_as_trait(node.domain.span, node.name.text))
        default = None if node.default is None else self._default(node.default, domain, flat)
        return self._learn_trait(node, flat, group, domain, default)

    def _default(self, node: n.Expression | n.Text, domain: plan.Domain, name: str) -> plan.Expression:
        if not isinstance(node, n.Text):
            return self.fitting(node, domain, name)
        if not isinstance(domain, plan.TextDomain):
            raise self.refuse(say.no_text_here(node.span, domain, self.world.levels))
        return plan.Const(node.span, Kind.TEXT, False, node.text)

    def _learn_trait(
        self, node: s.Trait | s.Member, flat: str, group: str, domain: plan.Domain, default: plan.Expression | None,
        private: bool = False,
    ) -> ps.Trait:  # fmt: skip
        private = private or (isinstance(node, s.Trait) and node.private) or self.reads_secret(domain, default)
        kind = kind_of(domain)
        trait = ps.Trait(flat, node.text, private, node.name.span, domain, kind, default, group)
        self.traits[flat] = trait
        self.learn_input(plan.Input(flat, domain, default, node.text, node.name.span, kind))
        if private:
            self.secret.add(flat)
        return trait

    def group(self, node: s.Traits) -> None:
        """Traits of one domain."""
        self.new(node.name)
        name = node.name.text
        domain = read_domain(self, node.domain)
        if isinstance(domain, plan.ListDomain):
            raise self.refuse(say.list_as_trait(node.domain.span, name))
        default = None if node.default is None else self._default(node.default, domain, name)
        private = node.private or self.reads_secret(domain, default)
        members: list[ps.Trait] = []
        for member in node.members:
            flat = f"{name}.{member.name.text}"
            with suppress(Stop):
                self.new(member.name, flat)
                own = default if member.default is None else self._default(member.default, domain, flat)
                members.append(self._learn_trait(member, flat, name, domain, own, private))
        group = ps.Group(name, node.text, private, node.name.span, tuple(each.name for each in members))
        self.groups[name] = group
        self.parts += [group, *members]
        fact = changed(self.facts.names.get(members[0].name, Fact()), items=kind_of(domain)) if members else Fact()
        self._learn(name, "group", node.name.span, Kind.LIST, fact)
        if any(each.private for each in members):
            self.secret.add(name)

    # ------------------------------------------------------------ open lists

    def entries(self, node: s.Entries) -> None:
        """An open list of named entries."""
        self.new(node.name)
        name = node.name.text
        domain = None if node.domain is None else read_domain(self, node.domain)
        if domain is not None and (kind_of(domain) is not Kind.NUMBER or domain.optional):
            raise self.refuse(say.entries_are_numbers(node.domain.span if node.domain else node.span, name))
        if node.word is not None and domain is None:
            raise self.refuse(say.word_without_number(node.word.span, name))
        private = node.private or self.reads_secret(domain)
        word = node.word.text if node.word else ps.IT
        empty = ps.Entries(name, node.text, private, node.name.span, domain, word, (), (), ())
        with self.inside():
            traits, values, limits = self._entry_lines(node, empty)
            parts: list[ps.Trait | ps.Value] = [*traits, *values]
            symbols = [(each, self.names[each.name]) for each in parts]
        found = changed(empty, traits=tuple(traits), values=tuple(values), limits=tuple(limits))
        self.lists[name] = found
        self.parts.append(found)
        self._learn(name, "list", node.name.span, Kind.LIST, Fact(whole=True, items=Kind.NUMBER))
        self.secret |= {name} if private else set()
        for each, symbol in symbols:
            self._learn_column(found, each, symbol)

    def _learn_column(self, entries: ps.Entries, part: ps.Trait | ps.Value, symbol: Symbol) -> None:
        """`skills.training`: a trait or value of all entries, one after another."""
        flat = f"{entries.name}.{part.name}"
        self._learn(flat, "list", part.span, Kind.LIST, changed(symbol.fact, items=symbol.read.kind))
        if part.private:
            self.secret.add(flat)

    def learn_entry(self, entries: ps.Entries) -> None:
        """The names of one entry."""
        number = plan.Input(ps.IT, entries.domain or plan.NumberDomain(None, None), None, "", entries.span, Kind.NUMBER)
        words = {ps.IT, entries.word} if entries.domain is not None else set()
        for word in sorted(words):
            self.learn_input(changed(number, name=word))
            self.secret = self.secret | {word} if entries.private else self.secret - {word}
        for trait in entries.traits:
            self.learn_input(plan.Input(trait.name, trait.domain, trait.default, "", trait.span, trait.kind))
        for value in entries.values:
            self.define(value.name, "value", value.span, value.value, False)
        for part in (*entries.traits, *entries.values):
            self.secret = self.secret | {part.name} if part.private else self.secret - {part.name}

    def _entry_lines(self, node: s.Entries, empty: ps.Entries) -> tuple[list[ps.Trait], list[ps.Value], list[ps.Limit]]:
        self.learn_entry(empty)
        traits: list[ps.Trait] = []
        values: list[ps.Value] = []
        limits: list[ps.Limit] = []
        here = {ps.IT: node.name.span}
        if node.word is not None:
            here[node.word.text] = node.word.span
        known = dict(self.traits)
        for line in node.lines:
            try:
                if not isinstance(line, n.Limit):
                    self._own_name(line.name, here)
                match line:
                    case s.Trait():
                        traits.append(self._entry_trait(line, empty))
                    case s.SheetValue():
                        values.append(self._value(line, empty.private))
                    case n.Limit():
                        limits.append(self._kept_to(line, empty.private))
            except Stop:
                if not isinstance(line, n.Limit):
                    self.broken.add(line.name.text)
        self.traits = known
        return traits, values, limits

    def _own_name(self, name: n.Word, here: dict[str, Span]) -> None:
        if name.text in here:
            raise self.refuse(say.defined_twice(name.span, name.text, here[name.text]))
        here[name.text] = name.span

    def _entry_trait(self, line: s.Trait, entries: ps.Entries) -> ps.Trait:
        trait = self._trait(changed(line, private=entries.private), line.name.text)
        if trait.default is None and not trait.domain.optional:
            raise self.refuse(say.entry_needs_default(line.name.span, line.name.text))
        if trait.default is None:
            none = plan.Const(line.name.span, Kind.NONE, True, None)
            return changed(trait, default=none)
        return trait

    # ------------------------------------------------------------ what is worked out

    def value(self, node: s.SheetValue) -> None:
        """A value that follows from others."""
        self.new(node.name)
        self.parts.append(self._value(node))

    def _value(self, node: s.SheetValue, private: bool = False) -> ps.Value:
        if node.domain is None:
            value = self.worked_out(node.value, node.name)
        else:
            domain, name = read_domain(self, node.domain), node.name.text
            value = self.within(self.fitting(node.value, domain, name), domain, name)
        private = private or node.private or self.reads_secret(value)
        self.define(node.name.text, "value", node.name.span, value, private)
        return ps.Value(node.name.text, node.text, private, node.name.span, value.kind, value)

    def status(self, node: s.Status) -> None:
        """What the character is while a condition holds."""
        self.new(node.name)
        condition = self.condition(node.condition)
        private = node.private or self.reads_secret(condition)
        self.parts.append(ps.Status(node.name.text, node.text, private, node.name.span, condition))
        self.define(node.name.text, "status", node.name.span, condition, private)

    def limit(self, node: n.Limit) -> None:
        """What a legal character keeps to."""
        self.parts.append(self._kept_to(node))

    def _kept_to(self, node: n.Limit, private: bool = False) -> ps.Limit:
        condition = self.condition(node.condition)
        return ps.Limit("", node.text, private or self.reads_secret(condition), node.condition.span, condition)

    def budget(self, node: s.Budget) -> None:
        """Points, and what each kind of thing costs."""
        self.new(node.name)
        name = node.name.text
        amount = self.number(node.amount)
        self.define(name, "budget", node.name.span, amount, node.private or self.reads_secret(amount))
        lines: list[ps.BudgetLine] = []
        failed = False
        for line in node.lines:
            try:
                lines.append(self._budget_line(name, line, node.private))
            except Stop:
                failed = True
                self.broken.add(f"{name}.{line.name.text}")
        private = name in self.secret or any(line.private for line in lines)
        for word in ("spent", "left"):
            self._learn(f"{name}.{word}", "budget", node.name.span, Kind.NUMBER, self.facts.of(amount))
            self.secret |= {f"{name}.{word}"} if private else set()
        if failed:
            raise Stop
        self.parts.append(ps.Budget(name, node.text, private, node.name.span, amount, tuple(lines)))

    def _budget_line(self, budget: str, line: s.BudgetLine, private: bool) -> ps.BudgetLine:
        flat = f"{budget}.{line.name.text}"
        if line.name.text in ("spent", "left"):
            raise self.refuse(say.budget_word(line.name.span, line.name.text, budget))
        self.new(line.name, flat)
        cost = self.as_number(self.worked_out(line.cost, line.name), line.cost)
        private = private or self.reads_secret(cost)
        self.define(flat, "budget", line.name.span, cost, private)
        return ps.BudgetLine(flat, line.text, private, line.name.span, cost)
