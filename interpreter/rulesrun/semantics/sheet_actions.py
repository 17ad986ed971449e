"""The sheet, checked: what changes a character (advances, actions), and what characters bring to a team."""

from __future__ import annotations

from collections.abc import Iterable

from rulesrun.diagnostics import Span
from rulesrun.suggestions import nearest
from rulesrun.syntax import nodes as n
from rulesrun.syntax import nodes_sheet as s

from . import plan
from . import plan_sheet as ps
from .facts import kind_of
from .items import read_domain
from .messages import sheet as say
from .plan import Kind
from .sheet import SheetLines
from .symbols import Stop


class SheetMaker(SheetLines):
    """One use for one sheet."""

    def sheet(self, node: s.Sheet) -> ps.Sheet | None:
        """The sheet; None where it is faulty, which has been told by then."""
        before = len(self.problems)
        self.later = _defined(node)
        self.acts: dict[str, Span] = {}
        for line in node.lines:
            try:
                self._line(line)
            except Stop:
                if isinstance(name := getattr(line, "name", None), n.Word):
                    self.broken.add(name.text)
                    self.later.pop(name.text, None)
        if any(each.is_error for each in self.problems[before:]) or self.broken:
            return None
        return ps.Sheet(node.text, node.span, tuple(self.parts))

    def _line(self, line: s.SheetLine) -> None:
        match line:
            case s.Trait():
                self.trait(line)
            case s.Traits():
                self.group(line)
            case s.Entries():
                self.entries(line)
            case s.SheetValue():
                self.value(line)
            case s.Status():
                self.status(line)
            case s.Budget():
                self.budget(line)
            case n.Limit():
                self.limit(line)
            case s.Advance():
                self._advance(line)
            case s.Action():
                self._action(line)
            case s.Team():
                self._team(line)

    # ------------------------------------------------------------ advances

    def _advance(self, line: s.Advance) -> None:
        name = line.what.text
        entries = self.lists.get(name)
        raised = self._raised(line)
        key = f"advance {'new ' if line.new else ''}{name}"
        if key in self.acts:
            raise self.refuse(say.advance_twice(line.what.span, name, self.acts[key]))
        self.acts[key] = line.what.span
        source = self._paid_from(line.source)
        with self.inside():
            if entries is not None and not line.new:
                self.learn_entry(entries)
            for word in (ps.NOW, ps.NEXT):
                given = plan.Input(word, plan.NumberDomain(None, None), None, "", line.span, Kind.NUMBER)
                self.learn_input(given)
                self.secret = self.secret | {word} if raised else self.secret - {word}
            condition = None if line.condition is None else self.condition(line.condition)
            price = self.number(line.price)
            private = raised or source.private or self.reads_secret(condition, price)
            updates = tuple(self.all_of(*(lambda each=each: self._update(each) for each in line.updates)))
            private = private or any(map(self._betrays, updates))
            if private:
                self._shows_through(line.what.span, name, raised)
                self._shows_through(line.source.span, source.name, source.private)
                self._changes_show(updates)
        self.parts.append(
            ps.Advance(name, line.text, private, line.what.span, line.new, condition, price, source.name, updates)
        )

    def _raised(self, line: s.Advance) -> bool:
        """Whether what is raised is private; an error where nothing there can be raised."""
        name, span = line.what.text, line.what.span
        if name in self.lists:
            entries = self.lists[name]
            if entries.domain is None and not line.new:
                raise self.refuse(say.nothing_to_raise(span, name, "a list of bare names"))
            return entries.private
        if line.new:
            self._known(line.what)
            raise self.refuse(say.new_of_no_list(span, name))
        if name in self.groups:
            members = [self.traits[each] for each in self.groups[name].members if each in self.traits]
            if members and members[0].kind is not Kind.NUMBER:
                raise self.refuse(say.nothing_to_raise(span, name, "no numbers"))
            return self.groups[name].private
        trait = self._trait_named(line.what)
        if trait.kind is not Kind.NUMBER:
            raise self.refuse(say.nothing_to_raise(span, name, "no number"))
        return trait.private

    def _paid_from(self, node: n.Name) -> ps.Trait:
        trait = self._trait_named(node)
        if trait.kind is not Kind.NUMBER or trait.domain.optional:
            raise self.refuse(say.pays_no_number(node.span, node.text))
        return trait

    def _known(self, node: n.Name) -> plan.Expression:
        """What a name stands for; an unknown or later one is told here."""
        return self.means(node)

    def _trait_named(self, node: n.Name) -> ps.Trait:
        """The trait that a line changes or pays from."""
        if node.text in self.traits:
            return self.traits[node.text]
        self._known(node)
        what = self.names[node.text].what if node.text in self.names else "setting"
        members = list(self.groups[node.text].members) if node.text in self.groups else []
        raise self.refuse(say.not_a_trait(node.span, node.text, what, members))

    # ------------------------------------------------------------ actions

    def _action(self, line: s.Action) -> None:
        key = f"action {line.name.text}"
        if key in self.acts:
            raise self.refuse(say.action_twice(line.name.span, line.name.text, self.acts[key]))
        if line.name.text == "raise":
            raise self.refuse(say.raise_is_taken(line.name.span))
        self.acts[key] = line.name.span
        with self.inside():
            parameters = self._parameters(line)
            refusals, *_ = self.all_of(lambda: self._refusals(line.refusals))
            updates = self.all_of(*(lambda each=each: self._update(each) for each in line.updates))
            private = any(map(self._betrays, updates)) or any(each.private for each in refusals)
            if any(each.private for each in (*refusals, *(each for update in updates for each in update.refusals))):
                self._changes_show(updates)
        self.parts.append(
            ps.Action(line.name.text, line.text, private, line.name.span, parameters, refusals, tuple(updates))
        )

    def _parameters(self, line: s.Action) -> tuple[ps.Parameter, ...]:
        found: list[ps.Parameter] = []
        here: dict[str, Span] = {}
        failed = False
        for each in line.parameters:
            try:
                self._own_name(each.name, here)
                name, domain = each.name.text, read_domain(self, each.domain)
                default = None if each.default is None else self._default(each.default, domain, name)
                kind = kind_of(domain)
                found.append(ps.Parameter(name, domain, kind, default, each.name.span))
                self.learn_input(plan.Input(name, domain, default, "", each.name.span, kind))
                self.secret.discard(name)
            except Stop:
                failed = True
                self.broken.add(each.name.text)
        if failed:
            raise Stop
        return tuple(found)

    def _refusals(self, nodes: tuple[s.Refusal, ...]) -> tuple[ps.Refusal, ...]:
        found: list[ps.Refusal] = []
        for node in nodes:
            condition = self.condition(node.condition)
            found.append(ps.Refusal(condition, node.text, self.reads_secret(condition), node.condition.span))
        return tuple(found)

    def _update(self, node: s.Update) -> ps.Update:
        refusals = self._refusals(node.refusals)
        condition = None if node.condition is None else self.condition(node.condition)
        with self.where(condition):
            match node:
                case s.Change(entry=None):
                    return self._change(node, condition, refusals)
                case s.Change(entry=entry):
                    assert entry is not None
                    entries = self._list_named(node.name, with_numbers=True)
                    with self.inside():
                        self.learn_entry(entries)
                        value = self._new_number(node, entries)
                    return ps.ChangeEntry(entries.name, self._entry(entry), value, condition, refusals, node.span)
                case s.AddEntry():
                    entries = self._list_named(node.entries)
                    if (node.number is None) != (entries.domain is None):
                        raise self.refuse(say.entry_number(node.span, entries.name, entries.domain is None))
                    number = None
                    if node.number is not None and entries.domain is not None:
                        number = self.fitting(node.number, entries.domain, entries.name)
                    return ps.AddEntry(entries.name, self._entry(node.entry), number, condition, refusals, node.span)
                case s.RemoveEntry():
                    entries = self._list_named(node.entries)
                    return ps.RemoveEntry(entries.name, self._entry(node.entry), condition, refusals, node.span)

    def _change(self, node: s.Change, condition: plan.Expression | None, refusals: tuple[ps.Refusal, ...]) -> ps.Change:
        if node.name.text in self.lists:
            raise self.refuse(say.which_entry(node.name.span, node.name.text))
        trait = self._trait_named(node.name)
        now = plan.Var(node.name.span, trait.kind, trait.domain.optional, trait.name)
        value = self._new_value(node, now, trait.domain)
        if not trait.private and self.reads_secret(value, condition):
            self.warn(say.gives_away(node.span, trait.name, trait.span))
        return ps.Change(trait.name, value, condition, refusals, node.span)

    def _new_number(self, node: s.Change, entries: ps.Entries) -> plan.Expression:
        assert entries.domain is not None
        now = plan.Var(node.name.span, Kind.NUMBER, False, ps.IT)
        return self._new_value(node, now, entries.domain)

    def _new_value(self, node: s.Change, now: plan.Var, domain: plan.Domain) -> plan.Expression:
        if node.operator == "becomes":
            return self.fitting(node.value, domain, node.name.text)
        if now.kind is not Kind.NUMBER:
            raise self.refuse(say.not_counted(node.span, node.name.text, now.kind))
        operator = "+" if node.operator == "+=" else "-"
        return plan.Arithmetic(node.span, Kind.NUMBER, False, operator, now, self.number(node.value))  # type: ignore[arg-type]

    def _list_named(self, node: n.Name, with_numbers: bool = False) -> ps.Entries:
        if node.text not in self.lists:
            self._known(node)
            raise self.refuse(say.not_a_list(node.span, node.text))
        entries = self.lists[node.text]
        if with_numbers and entries.domain is None:
            raise self.refuse(say.nothing_to_raise(node.span, node.text, "a list of bare names"))
        return entries

    def _entry(self, node: n.Name | n.Text) -> plan.Expression:
        """The name of an entry: a text."""
        if isinstance(node, n.Text):
            return plan.Const(node.span, Kind.TEXT, False, node.text)
        found = self.means(node)
        if found.kind is not Kind.TEXT or found.optional:
            raise self.refuse(say.entry_is_named_by_text(node.span, node.text, found.kind))
        return found

    def _betrays(self, update: ps.Update) -> bool:
        """Whether what an update does, or that it cannot be done, shows something private."""
        match update:
            case ps.Change(name=name):
                reads: tuple[object, ...] = (update.value, update.condition)
                private = self.traits[name].private
            case ps.AddEntry():
                reads, private = (update.number, update.entry, update.condition), self.lists[update.entries].private
            case ps.ChangeEntry():
                reads, private = (update.value, update.entry, update.condition), self.lists[update.entries].private
            case ps.RemoveEntry():
                reads, private = (update.entry, update.condition), self.lists[update.entries].private
        return private or self.reads_secret(*reads) or any(each.private for each in update.refusals)

    def _changes_show(self, updates: Iterable[ps.Update]) -> None:
        """Warns of the public things that these change, though whether they do follows from something private."""
        for each in updates:
            if isinstance(each, ps.Change):
                self._shows_through(each.span, each.name, self.traits[each.name].private)
            else:
                self._shows_through(each.span, each.entries, self.lists[each.entries].private)

    def _shows_through(self, span: Span, name: str, private: bool) -> None:
        if not private and all(each.primary is None or each.primary.span != span for each in self.problems):
            what = "list" if name in self.lists else "traits" if name in self.groups else "trait"
            self.warn(say.shows_through(span, name, what))

    # ------------------------------------------------------------ teams

    def _team(self, line: s.Team) -> None:
        rule = self.rule_named(n.Name(line.rule.span, (line.rule.text,)))
        key = f"team {rule.name}"
        if key in self.acts:
            raise self.refuse(say.team_twice(line.rule.span, rule.name, self.acts[key]))
        self.acts[key] = line.rule.span
        wanted = {each.name: each for each in rule.inputs if isinstance(each.domain, plan.ListDomain)}
        inputs: list[plan.Input] = []
        values: list[ps.TeamValue] = []
        here: dict[str, Span] = {}
        failed = False
        with self.inside():
            for each in line.lines:
                try:
                    self._own_name(each.name, here)
                    if isinstance(each, n.Given):
                        inputs.append(self._asked_for(each))
                    else:
                        values.append(self._brought(each, rule, wanted))
                except Stop:
                    failed = True
                    self.broken.add(each.name.text)
        if failed:
            raise Stop
        private = any(each.private for each in values)
        self.parts.append(ps.Team(rule.name, line.text, private, line.rule.span, tuple(inputs), tuple(values)))

    def _asked_for(self, each: n.Given) -> plan.Input:
        domain = read_domain(self, each.domain)
        default = None if each.default is None else self.fitting(each.default, domain, each.name.text)
        given = plan.Input(each.name.text, domain, default, each.text, each.name.span, kind_of(domain))
        self.learn_input(given)
        self.secret.discard(given.name)
        return given

    def _brought(self, each: n.Define, rule: plan.Rule, wanted: dict[str, plan.Input]) -> ps.TeamValue:
        name = each.name.text
        if name not in wanted:
            near = nearest(name, wanted)
            raise self.refuse(say.no_list_input(each.name.span, name, rule, list(wanted), near))
        domain = wanted[name].domain
        assert isinstance(domain, plan.ListDomain)
        value = self.fitting(each.value, domain.items, name)
        return ps.TeamValue(name, "", self.reads_secret(value), each.name.span, value)


def _defined(node: s.Sheet) -> dict[str, Span]:
    """Where the names of a sheet are defined."""
    found: dict[str, Span] = {}
    for line in node.lines:
        if isinstance(line, s.Trait | s.Traits | s.Entries | s.SheetValue | s.Status | s.Budget):
            found.setdefault(line.name.text, line.name.span)
    return found
