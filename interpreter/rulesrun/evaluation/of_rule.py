"""What exact odds and estimates say alike of the rule that they are of."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from rulesrun.diagnostics import RulesError
from rulesrun.suggestions import nearest

if TYPE_CHECKING:
    from rulesrun.evaluation.rule_odds import RuleOdds


class OfRule:
    """The names, settings and outcome marks of the rule that was asked."""

    _asked: RuleOdds

    @property
    def rule(self) -> str:
        """The name of the rule."""
        return self._asked.rule.name

    @property
    def system(self) -> str:
        """The name of the ruleset."""
        return self._asked.ruleset.name

    @property
    def settings(self) -> dict[str, str]:
        """The settings in force, as written."""
        return {name: each.written for name, each in self._asked.ruleset.settings.items()}

    @property
    def numbers(self) -> tuple[str, ...]:
        """The numbers that the outcome uses, by name, in the order of the rule; all of a rule without outcomes."""
        return self._asked.numbers

    def good_of(self, label: str) -> bool | None:
        """Whether an outcome is marked + (True), - (False) or ~ (None)."""
        return next(each.good for each in self._asked.rule.outcomes if each.label == label)

    def _good_labels(self) -> list[str]:
        """The outcomes marked +. Raises `RulesError` for a rule without outcomes."""
        outcomes = self._asked.rule.outcomes
        if not outcomes:
            raise RulesError.of(
                f"{self.rule} has no outcomes, so none is good", code="no-outcomes", hint="ask for a value with `of`"
            )
        return [each.label for each in outcomes if each.good]

    def _lacks(self, name: str, names: Iterable[str]) -> KeyError:
        """The error for a name that is no outcome or flag."""
        near = nearest(name, names)
        return KeyError(
            f"{self.rule} has no outcome or flag called {name}" + (f"; did you mean {near}?" if near else "")
        )
