"""The chances that an example states beside its dice: dice whose faces are given are known, the others stay random.

Faces are taken in the order drawn, as in a roll: also those of explosions, rerolls, further groups, bags and turns.
"""

from __future__ import annotations

from fractions import Fraction

from rulesrun.deciding import deciding
from rulesrun.evaluation.odds import RuleOdds
from rulesrun.evaluation.roll import RuleRoller
from rulesrun.semantics.plan import Example, Expect, RulesetPlan


def measured(ruleset: RulesetPlan, example: Example, expect: Expect) -> Fraction:
    """The exact chance or mean that an example speaks of, beside the dice that it states."""
    rule = ruleset.rules[example.rule]
    if example.dice:
        decide = deciding(ruleset, rule, example.choose)
        RuleRoller(ruleset, rule).roll(
            example.inputs, seed=0, dice=example.dice, choose=example.choose, decide=decide
        )  # refuses faces that cannot be
    odds = RuleOdds(ruleset, rule).odds(example.inputs, choose=example.choose, dice=example.dice, known=expect.given)
    if expect.measure == "mean":
        return odds.distribution(expect.condition).mean
    return odds.chance_of(expect.condition)
