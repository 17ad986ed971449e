"""Goals that a caller sets for the odds of a rule: `chance of success = 65%`, `mean of total >= 12`.

In: a finished plan, one of its rules, and the tree of a goal. Out: the chance or mean that it speaks of, and the number
that is wanted.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Literal

from rulesrun.diagnostics import Diagnostic, RulesError
from rulesrun.record import record
from rulesrun.syntax import nodes as n

from . import plan
from .asked import Asked
from .constants import number_of
from .messages import asked as say
from .symbols import Stop
from .world import World


@record
class Goal:
    """The chance of a condition or the mean of a number, how it should compare with `wanted`; and it as written."""

    text: str
    measure: Literal["chance", "mean"]
    asked: plan.Expression
    operator: Literal["=", "<", "<=", ">", ">="]
    wanted: Fraction

    def missed_by(self, found: Fraction) -> Fraction:
        """How far what was found is from what is wanted, 0 where it holds.

        Chances are apart by their difference; means by their difference as a share of what is wanted, so that chances
        and means of any size can be weighed against each other.
        """
        holds: Callable[[Fraction, Fraction], bool] = {
            "=": Fraction.__eq__,
            "<": Fraction.__le__,
            "<=": Fraction.__le__,
            ">": Fraction.__ge__,
            ">=": Fraction.__ge__,
        }[self.operator]
        if holds(found, self.wanted):
            return Fraction(0)
        apart = abs(found - self.wanted)
        return apart / abs(self.wanted) if self.measure == "mean" and self.wanted else apart


def compile_goal(ruleset: plan.RulesetPlan, rule: plan.Rule, goal: n.Expect) -> Goal:
    """The goal in the scope of a rule at its end; raises `RulesError` if it makes no sense there."""
    problems: list[Diagnostic] = []
    scope = Asked(World.of(ruleset), rule, problems)
    try:
        if goal.measure is None or goal.operator is None or goal.wanted is None:
            raise scope.refuse(say.not_a_goal(goal.span, goal.condition.span.text))
        if goal.operator == "!=":
            raise scope.refuse(say.goal_is_no_place(goal.span))
        condition = goal.condition
        asked = scope.condition(condition) if goal.measure == "chance" else scope.number(condition)
        wanted = number_of(scope.number(goal.wanted))
        if wanted is None:
            raise scope.refuse(say.goal_not_constant(goal.wanted.span))
    except Stop:
        raise RulesError([each for each in problems if each.is_error]) from None
    return Goal(" ".join(goal.span.text.split()), goal.measure, asked, goal.operator, Fraction(wanted))
