"""Who decides while a rule is rolled: the odds where a choice is made for the best or worst, else whoever can be asked.

In: a rule, the policies that a caller gives and what they aim at, and a `Decide` for the policy `ask`. Out: a `Decide`
for the whole roll. What is best is worked out from all that is known at that point, exactly.
"""

from __future__ import annotations

from collections.abc import Mapping

from rulesrun.evaluation.choices import ASK, Chosen, Decide, Offer, nobody_decides
from rulesrun.evaluation.inputs import full_name
from rulesrun.evaluation.values import Value
from rulesrun.evaluation.walk import all_steps
from rulesrun.semantics.plan import Choice, Expression, Rule, RulesetPlan


def deciding(
    ruleset: RulesetPlan,
    rule: Rule,
    policies: Mapping[str, Chosen],
    aim: Expression | None = None,
    ask: Decide = nobody_decides,
) -> Decide:
    """Makes choices by `best` and `worst` for their own aim, `aim` or a good outcome; `ask` makes the others."""

    def decide(offer: Offer) -> Value:
        if offer.policy == ASK:
            return ask(offer)
        from rulesrun.evaluation.exact.decide import decision
        from rulesrun.evaluation.exact.lines import still_out

        names = [step.name for step in all_steps(rule.steps) if isinstance(step, Choice)]
        given = {
            full_name(rule, name, names, "choice"): policy
            for name, policy in policies.items()
            if not isinstance(policy, str)
        }
        known = {**offer.known, **offer.bags, **{still_out(name): dice for name, dice in offer.out.items()}}
        chosen: Value = decision(ruleset, rule, {}, offer, known, given, aim)
        return chosen

    return decide
