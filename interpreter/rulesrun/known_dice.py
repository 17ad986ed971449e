"""The chances that an example states beside its dice: dice whose faces are given are known, the others stay random.

Faces are taken in the order drawn, as in a roll: also those of explosions, rerolls, further groups, bags and turns.
"""

from __future__ import annotations

from fractions import Fraction

from rulesrun.deciding import deciding
from rulesrun.evaluation.odds import Odds
from rulesrun.evaluation.roll import RuleRoller
from rulesrun.evaluation.rule_odds import RuleOdds
from rulesrun.semantics.plan import Example, Expect, RulesetPlan


class Measured:
    """The exact chances and means that one example speaks of, beside the dice that it states.

    The odds of its call are worked out for the first expectation, and once more for each condition that is given.
    """

    def __init__(self) -> None:
        self._odds: dict[int, Odds] = {}

    def __call__(self, ruleset: RulesetPlan, example: Example, expect: Expect) -> Fraction:
        odds = self._odds.get(id(expect.given))
        if odds is None:
            rule = ruleset.rules[example.rule]
            if example.dice:
                decide = deciding(ruleset, rule, example.choose)
                RuleRoller(ruleset, rule).roll(
                    example.inputs, seed=0, dice=example.dice, choose=example.choose, decide=decide
                )  # refuses faces that cannot be
            odds = self._odds[id(expect.given)] = RuleOdds(ruleset, rule).odds(
                example.inputs, choose=example.choose, dice=example.dice, known=expect.given
            )
        if expect.measure == "mean":
            return odds.distribution(expect.condition).mean
        return odds.chance_of(expect.condition)
