"""From Lark's tree to our own: every rule of `grammar/rules.lark` has the method of its name.

The methods lie in files by the grammar's sections: `build_items`, `build_lines`, `build_sheet`, `build_throws`,
`build_expressions`, `build_alone`; those for the lines of an example are here.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from lark import v_args
from lark.tree import Meta

from . import nodes as n
from .build_alone import AloneParts
from .build_items import ItemParts
from .build_sheet import SheetParts

Expected: TypeAlias = tuple[str | None, n.Expression, n.Expression | None, str | None, n.Expression | None]
"""What an example measures (None: a condition that holds), of what, where what holds, the comparison, and the number
wanted.
"""


@v_args(meta=True)
class Builder(AloneParts, ItemParts, SheetParts):
    """One use for one text: `Builder(source).transform(tree)`."""

    def example_dice(self, meta: Meta, parts: list[Any]) -> n.ExampleDice:
        return n.ExampleDice(self._at(meta), parts[0], tuple(parts[1:]))

    def example_choose(self, meta: Meta, parts: list[Any]) -> n.ExampleChoose:
        return n.ExampleChoose(self._at(meta), parts[0], parts[1])

    def example_set(self, meta: Meta, parts: list[Any]) -> n.ExampleSet:
        return n.ExampleSet(self._at(meta), self._word(parts[0]), self._setting_value(parts[1]))

    def example_roll(self, meta: Meta, parts: list[Any]) -> n.ExampleRoll:
        return n.ExampleRoll(self._at(meta), parts[0], parts[1] or ())

    def expect(self, meta: Meta, parts: list[Any]) -> n.Expect:
        (measure, condition, given, operator, wanted), within = parts
        return n.Expect(self._at(meta), condition, given, measure, operator, wanted, within)

    def alone_goal(self, meta: Meta, parts: list[Any]) -> n.Expect:
        measure, condition, given, operator, wanted = parts[0]
        return n.Expect(self._at(meta), condition, given, measure, operator, wanted, None)

    def expect_true(self, meta: Meta, parts: list[Any]) -> Expected:
        return (None, parts[0], None, None, None)

    def expect_chance(self, meta: Meta, parts: list[Any]) -> Expected:
        return ("chance", parts[1], parts[2], str(parts[3]), parts[4])

    def expect_mean(self, meta: Meta, parts: list[Any]) -> Expected:
        return ("mean", parts[1], parts[2], str(parts[3]), parts[4])
