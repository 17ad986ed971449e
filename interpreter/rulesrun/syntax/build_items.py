"""The items of a file: settings, dice, bags, levels, tables, rules."""

from __future__ import annotations

from typing import Any

from lark import Token, v_args
from lark.tree import Meta

from . import nodes as n
from .build_throws import ASKED, ThrowParts


@v_args(meta=True)
class ItemParts(ThrowParts):
    """Every rule of the grammar's sections on items and their rows has the method of its name here."""

    def start(self, meta: Meta, items: list[Any]) -> n.File:
        return n.File(self.source.span(0, len(self.source.text)), tuple(items))

    def system(self, meta: Meta, parts: list[Any]) -> n.System:
        return n.System(self._at(meta), self._text(parts[0]), tuple(part for part in parts[1:] if part is not None))

    def system_fact(self, meta: Meta, parts: list[Any]) -> n.SystemFact:
        return n.SystemFact(self._at(meta), self._literal(parts[0]), self._text(parts[1]))

    def based_on(self, meta: Meta, parts: list[Any]) -> n.BasedOn:
        return n.BasedOn(self._at(meta), self._text(parts[0]))

    def setting(self, meta: Meta, parts: list[Any]) -> n.Setting:
        name, domain, value, text = parts
        return n.Setting(self._at(meta), self._word(name), domain, self._setting_value(value), self._text(text))

    def alone_setting(self, meta: Meta, parts: list[Any]) -> n.Expression | n.Faces:
        return self._setting_value(parts[0])

    def _setting_value(self, value: n.Expression | n.Faces) -> n.Expression | n.Faces:
        """Faces that are one plain expression are that expression."""
        if isinstance(value, n.Faces) and not value.negated and len(value.alternatives) == 1:
            only = value.alternatives[0]
            if not isinstance(only, n.Range | n.FaceCompare | n.FaceParity | n.FaceWhole):
                return only
        return value

    # ------------------------------------------------------------ dice and bags

    def die(self, meta: Meta, parts: list[Any]) -> n.DieItem:
        return n.DieItem(self._at(meta), self._word(parts[0]), parts[1], self._text(parts[2]))

    def die_faces(self, meta: Meta, parts: list[Any]) -> tuple[n.WeightedFace, ...]:
        return self._every_face(parts)

    def die_rolled(self, meta: Meta, parts: list[Any]) -> n.RolledDie:
        asked: Any = ASKED[parts[0].type]
        return n.RolledDie(self._at(meta), asked, parts[1])

    def face_value(self, meta: Meta, parts: list[Any]) -> n.FaceValue:
        value: n.FaceValue = parts[0]
        return value

    def blank(self, meta: Meta, parts: list[Any]) -> n.Symbols:
        return n.Symbols(self._at(meta), ())

    def symbols(self, meta: Meta, parts: list[Any]) -> n.Symbols:
        return n.Symbols(self._at(meta), tuple(self._word(part) for part in parts))

    def marked(self, meta: Meta, parts: list[Any]) -> n.Symbols:
        return n.Symbols(self._at(meta), tuple(self._word(part) for part in parts[1:]), parts[0])

    def bag(self, meta: Meta, parts: list[Any]) -> n.Bag:
        return n.Bag(self._at(meta), self._word(parts[0]), tuple(parts[1:-1]), self._text(parts[-1]))

    def bag_named(self, meta: Meta, parts: list[Any]) -> n.BagNamed:
        number = parts[0] if isinstance(parts[0], n.Name) else self._whole(parts[0])
        return n.BagNamed(self._at(meta), number, self._word(parts[1]))

    def bag_numbers(self, meta: Meta, parts: list[Any]) -> n.BagNumbers:
        low, high, symbols, times = parts
        return n.BagNumbers(self._at(meta), low, high if high is not None else low, self._times(times), symbols)

    # ------------------------------------------------------------ levels and tables

    def levels(self, meta: Meta, parts: list[Any]) -> n.Levels:
        return n.Levels(self._at(meta), self._word(parts[0]), tuple(parts[2:]), self._text(parts[1]))

    def level(self, meta: Meta, parts: list[Any]) -> n.Level:
        return n.Level(self._at(meta), self._word(parts[0]), parts[1], self._text(parts[2]))

    def table(self, meta: Meta, parts: list[Any]) -> n.Table:
        name, die, text, *rows = parts
        kind = self._kind(die) if die is not None else None
        return n.Table(self._at(meta), self._word(name), kind, tuple(rows), self._text(text), None, ())

    def two_way_table(self, meta: Meta, parts: list[Any]) -> n.Table:
        name, by, text, columns, *rows = parts
        word = self._word(by)
        return n.Table(self._at(meta), self._word(name), None, tuple(rows), self._text(text), word, columns)

    def columns(self, meta: Meta, parts: list[Any]) -> tuple[n.Key, ...]:
        return tuple(part for part in parts[1:] if part is not None)

    def row(self, meta: Meta, parts: list[Any]) -> n.Row:
        key, first = parts[0], parts[1]
        if isinstance(key, tuple) and isinstance(first, n.Number) and first.span.text.startswith("-"):
            blanks = self.source.text[key[0].span.end : first.span.start] if key[0] is key[1] else " "
            if not blanks or first.span.text[1:2].isspace():
                hint = f"write `{key[0].span.text}..{first.span.text[1:].strip()}`"
                span = key[0].span.to(first.span)
                self._refuse("range-dots", span, "a band of numbers is written with two dots", hint)
        return n.Row(self._at(meta), parts[0], tuple(parts[1:]))

    def key_one(self, meta: Meta, parts: list[Any]) -> tuple[n.Number, n.Number]:
        return (parts[0], parts[0])

    def key_between(self, meta: Meta, parts: list[Any]) -> tuple[n.Number, n.Number]:
        return (parts[0], parts[1])

    def key_from(self, meta: Meta, parts: list[Any]) -> tuple[n.Number, None]:
        return (parts[0], None)

    def key_to(self, meta: Meta, parts: list[Any]) -> tuple[None, n.Number]:
        return (None, parts[0])

    def key_label(self, meta: Meta, parts: list[Token]) -> n.Word:
        return self._word(parts[0])

    def entry_label(self, meta: Meta, parts: list[Token]) -> n.Word:
        return self._word(parts[0])

    def entry_text(self, meta: Meta, parts: list[Token]) -> n.Text:
        return n.Text(self._at(meta), self._text(parts[0]))

    # ------------------------------------------------------------ rules and examples

    def rule(self, meta: Meta, parts: list[Any]) -> n.Rule:
        return n.Rule(self._at(meta), self._word(parts[0]), tuple(parts[2:]), self._text(parts[1]))

    def example(self, meta: Meta, parts: list[Any]) -> n.Example:
        return n.Example(self._at(meta), self._text(parts[0]), tuple(parts[1:]))
