"""What a name means where it is used; for an unknown one, the message that helps most."""

from __future__ import annotations

from rulesrun.diagnostics import Diagnostic, Span
from rulesrun.record import changed
from rulesrun.suggestions import nearest
from rulesrun.syntax import nodes as n

from . import plan
from .facts import constant_kind, kind_of, symbols_alone
from .known import Known
from .messages import kinds as say_kinds
from .messages import names as say
from .plan import Kind
from .renaming import of_setting
from .symbols import Stop, Symbol, Want


class Names(Known):
    """Known names, and their meanings."""

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
        if text in self.outer_words:
            raise self.refuse(say.outer_word(span, text))
        if text in self.each:
            if text in self._hidden:
                self.warn(say.hidden_by_each(span, text, self._hidden[text]))
            meant = self.each[text]
            if meant.endswith("symbols"):
                shown = self.each_shown[int(meant.startswith("other"))]
                raise self.refuse(say_kinds.symbols_as_numbers(span, text, sorted(symbols_alone(shown))))
            return plan.Each(span, Kind.NUMBER, meant == "target", meant)  # type: ignore[arg-type]
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
                parts = tuple(
                    case if case.value.kind is Kind.NONE else changed(case, value=self.part_of(case.value, part, span))
                    for case in cases
                )
                return plan.Cases(span, parts[0].value.kind, any(each.value.optional for each in parts), parts)
            case _:
                raise self.refuse(say.no_row(span))

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
        if text.casefold() in say.FOREIGN_WORDS:
            return say.foreign_word(span, text)
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
