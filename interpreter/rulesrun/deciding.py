"""Who decides while a rule is rolled: the odds where a choice is made for the best or worst, else whoever can be asked.

In: a rule, the policies that a caller gives and what they aim at, and a `Decide` for the policy `ask`. Out: a `Decide`
for the whole roll. What is best is worked out from all that is known at that point, exactly.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING

from rulesrun.evaluation.choices import ASK, Chosen, Decide, Offer, first, nobody_decides
from rulesrun.evaluation.inputs import full_name
from rulesrun.evaluation.values import Value
from rulesrun.evaluation.walk import all_steps
from rulesrun.semantics.plan import Choice, Expression, Rule, RulesetPlan

if TYPE_CHECKING:
    from rulesrun.evaluation.exact.decide import Decisions


def deciding(
    ruleset: RulesetPlan,
    rule: Rule,
    policies: Mapping[str, Chosen],
    aim: Expression | None = None,
    ask: Decide = nobody_decides,
) -> Decide:
    """Makes choices by `best` and `worst` for their own aim, `aim` or a good outcome; `ask` makes the others."""

    @cache
    def decisions() -> Decisions:
        from rulesrun.evaluation.exact.decide import Decisions

        names = [step.name for step in all_steps(rule.steps) if isinstance(step, Choice)]
        given = {
            full_name(rule, name, names, "choice"): policy
            for name, policy in policies.items()
            if not isinstance(policy, str)
        }
        return Decisions(ruleset, rule, given, aim)

    def decide(offer: Offer) -> Value:
        if offer.policy == ASK:
            return ask(offer)
        from rulesrun.evaluation.exact.lines import still_out

        if not decisions().matters(offer.step.name):
            return first(offer)
        known = {**offer.known, **offer.bags, **{still_out(name): dice for name, dice in offer.out.items()}}
        chosen: Value = decisions().option(offer.step.name, known)
        return chosen

    return decide
