"""What all lines of a rule have in common as Python statements: variables, the door of draws, values that are seen.

The function of a rule takes its inputs, then `run` (a `Play`: the door of draws, the recorder, who decides) and `see`,
which is shown every value that comes up.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sized
from typing import TypeVar

from rulesrun.diagnostics import Span
from rulesrun.evaluation.choices import Chosen
from rulesrun.evaluation.draws import Draws
from rulesrun.evaluation.expressions import Writer
from rulesrun.evaluation.python import (
    Constants,
    attribute,
    literal,
    read,
    tuple_of,
)
from rulesrun.semantics.plan import (
    Call,
    Const,
    Each,
    Expression,
    NewestGroup,
    Rule,
    RulesetPlan,
)

RUN, SEE = "run", "see"

T = TypeVar("T", bound=Sized)


class RuleWriter(Writer):
    """Writes expressions over the names of a rule. `known` are the names defined so far, `local` their variables."""

    def __init__(self, ruleset: RulesetPlan, rule: Rule, choose: Mapping[str, Chosen]) -> None:
        self.local: dict[str, str] = {}
        super().__init__(Constants(), self._local, ruleset.tables)
        self.ruleset = ruleset
        self.rule = rule
        self.choose = choose
        self.known: list[str] = []
        self._door: ast.expr = attribute(read(RUN), "draws")

    def define(self, name: str) -> str:
        """The variable of a name, which is known from here on."""
        if name not in self.local:
            self.local[name] = f"n{len(self.local)}"
        if name not in self.known:
            self.known.append(name)
        return self.local[name]

    def _local(self, name: str) -> ast.expr:
        return read(self.local[name])

    def no_dice(self, name: str) -> ast.expr:
        """An empty pool under a name."""
        return tuple_of([])

    def value(self, e: Expression) -> ast.expr:
        """The value, shown to the recorder on its way."""
        tree = super().value(e)
        if isinstance(e, Const | Each | NewestGroup):
            return tree
        return ast.Call(read(SEE), [literal(id(e)), tree], [])

    def for_each(self, over: Expression | tuple[Expression, Expression], each: Expression) -> ast.expr:
        """The sum, its parts shown to the recorder."""
        tree = super().for_each(over, each)
        assert isinstance(tree, ast.Call)
        tree.args[0] = ast.Call(read(SEE), [literal(id(each) + 1), tree.args[0]], [])
        return tree

    def counted(self, items: ast.expr, each: Expression) -> ast.expr:
        """The items, with the work that they make counted."""
        return self.constants.call(count_items, items, self.draws(), self.span(each))

    def call(self, e: Call, arguments: ast.expr) -> ast.expr:
        """The value of a formula, whose turns count as this rule's."""
        from rulesrun.evaluation.formulas import worked_out

        return self.constants.call(worked_out, arguments, self.constants.name_of(e), self.draws())

    def draws(self) -> ast.expr:
        """The door of draws."""
        return self._door


def count_items(items: T, draws: Draws, span: Span) -> T:
    """The items that something is done with, counted as work."""
    draws.count_work(len(items), span)
    return items
