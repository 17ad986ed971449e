"""The sheet of a character."""

from __future__ import annotations

from typing import Any

from lark import Token, v_args
from lark.tree import Meta

from rulesrun.record import changed

from . import nodes as n
from . import nodes_sheet as s
from .build_lines import LineParts


@v_args(meta=True)
class SheetParts(LineParts):
    """Every rule of the grammar's section on the sheet has the method of its name here."""

    def sheet(self, meta: Meta, parts: list[Any]) -> s.Sheet:
        return s.Sheet(self._at(meta), tuple(parts[1:]), self._text(parts[0]))

    # ------------------------------------------------------------ traits and lists

    def trait(self, meta: Meta, parts: list[Any]) -> s.Trait:
        private, name, domain, default, text = parts
        return s.Trait(self._at(meta), self._word(name), domain, default, private is not None, self._text(text))

    def traits(self, meta: Meta, parts: list[Any]) -> s.Traits:
        private, name, domain, default, text, *members = parts
        return s.Traits(
            self._at(meta), self._word(name), domain, default, tuple(members), private is not None, self._text(text)
        )

    def member(self, meta: Meta, parts: list[Any]) -> s.Member:
        return s.Member(self._at(meta), self._word(parts[0]), parts[1], self._text(parts[2]))

    def entries(self, meta: Meta, parts: list[Any]) -> s.Entries:
        private, name, word, domain, text, *lines = parts
        return s.Entries(
            self._at(meta),
            self._word(name),
            None if word is None else self._word(word),
            domain,
            tuple(line for line in lines if line is not None),
            private is not None,
            self._text(text),
        )

    def entry_trait(self, meta: Meta, parts: list[Any]) -> s.Trait:
        return self.trait(meta, [None, *parts])

    # ------------------------------------------------------------ what is worked out

    def sheet_value(self, meta: Meta, parts: list[Any]) -> s.SheetValue:
        private, name, domain, value, text = parts
        return s.SheetValue(self._at(meta), self._word(name), domain, value, private is not None, self._text(text))

    def sheet_value_cases(self, meta: Meta, parts: list[Any]) -> s.SheetValue:
        return self.sheet_value(meta, [*parts, None])

    def status(self, meta: Meta, parts: list[Any]) -> s.Status:
        private, name, condition, text = parts
        return s.Status(self._at(meta), self._word(name), condition, private is not None, self._text(text))

    def budget(self, meta: Meta, parts: list[Any]) -> s.Budget:
        private, name, amount, text, *lines = parts
        return s.Budget(self._at(meta), self._word(name), amount, tuple(lines), private is not None, self._text(text))

    def budget_line(self, meta: Meta, parts: list[Any]) -> s.BudgetLine:
        return s.BudgetLine(self._at(meta), self._word(parts[0]), parts[1], self._text(parts[2]))

    def budget_line_cases(self, meta: Meta, parts: list[Any]) -> s.BudgetLine:
        return self.budget_line(meta, [*parts, None])

    # ------------------------------------------------------------ advances and actions

    def advance(self, meta: Meta, parts: list[Any]) -> s.Advance:
        new, what, text, condition, price, source, *updates = parts
        body = tuple(each for each in updates if each is not None)
        return s.Advance(self._at(meta), what, new is not None, condition, price, source, body, self._text(text))

    def action(self, meta: Meta, parts: list[Any]) -> s.Action:
        name, parameters, text, *rest = parts
        refusals = tuple(each for each in rest if isinstance(each, s.Refusal))
        updates = tuple(each for each in rest if not isinstance(each, s.Refusal))
        return s.Action(self._at(meta), self._word(name), parameters or (), refusals, updates, self._text(text))

    action_block = action

    def parameters(self, meta: Meta, parts: list[Any]) -> tuple[s.Parameter, ...]:
        found: list[s.Parameter] = []
        for part in parts:
            if isinstance(part, s.Parameter):
                found.append(part)
            else:
                found[-1] = self._with_option(found[-1], *part)
        return tuple(found)

    def _with_option(
        self, one: s.Parameter, option: n.Word | n.Number, none: Token | None, default: n.Expression | n.Text | None
    ) -> s.Parameter:
        """The parameter before a comma, whose `one of` goes on behind it."""
        if not isinstance(one.domain, n.OneOfDomain) or one.default is not None:
            text = option.span.text
            hint = f"write `{text}: DOMAIN`, such as `{text}: 0..`" if isinstance(option, n.Word) else None
            self._refuse("missing-colon", option.span, "a parameter has a domain", hint)
            return one
        span = one.domain.span.to(option.span)
        domain: n.Domain = n.OneOfDomain(span, (*one.domain.options, option))
        if none is not None:
            domain = n.OrNone(span.to(self._span(none)), domain)
        end = domain.span if default is None else default.span
        return changed(one, span=one.span.to(end), domain=domain, default=default)

    def parameter(self, meta: Meta, parts: list[Any]) -> s.Parameter:
        return s.Parameter(self._at(meta), self._word(parts[0]), parts[1], parts[2])

    def parameter_option(self, meta: Meta, parts: list[Any]) -> tuple[Any, ...]:
        return tuple(parts)

    def refusal(self, meta: Meta, parts: list[Any]) -> s.Refusal:
        return s.Refusal(self._at(meta), parts[0], self._text(parts[1]))

    def change(self, meta: Meta, parts: list[Any]) -> s.Change:
        name, *rest = parts
        return self.change_entry(meta, [name, None, *rest])

    def change_entry(self, meta: Meta, parts: list[Any]) -> s.Change:
        name, entry, operator, value, condition, otherwise, other, *refusals = parts
        if otherwise is not None:
            value, condition = self._choose(value.span.to(other.span), value, condition, other), None
        return s.Change(self._at(meta), name, entry, self._literal(operator), value, condition, tuple(refusals))

    def add_entry(self, meta: Meta, parts: list[Any]) -> s.AddEntry:
        entry, entries, number, condition, *refusals = parts
        return s.AddEntry(self._at(meta), entry, entries, number, condition, tuple(refusals))

    def remove_entry(self, meta: Meta, parts: list[Any]) -> s.RemoveEntry:
        entry, entries, condition, *refusals = parts
        return s.RemoveEntry(self._at(meta), entry, entries, condition, tuple(refusals))

    def written_text(self, meta: Meta, parts: list[Any]) -> n.Text:
        return n.Text(self._at(meta), self._text(parts[0]))

    # ------------------------------------------------------------ teams

    def team(self, meta: Meta, parts: list[Any]) -> s.Team:
        rule, text, *lines = parts
        return s.Team(self._at(meta), self._word(rule), tuple(lines), self._text(text))
