"""Choices in many lanes at once; the best ones are those of the exact odds.

What is best in a situation is worked out by the exact engine, once for each different situation that the choice is met
in: what is known, as far as later lines read it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np

from rulesrun.evaluation import choices, operations
from rulesrun.evaluation.exact.decide import Decisions
from rulesrun.evaluation.exact.lines import still_out
from rulesrun.evaluation.sample import ordering
from rulesrun.evaluation.sample.columns import Array, Column, Same, apply, spread
from rulesrun.evaluation.sample.dice import Dice, merged_dice, no_dice
from rulesrun.evaluation.sample.expressions import clipped
from rulesrun.evaluation.sample.lanes import Lanes
from rulesrun.evaluation.sample.singly import dice_of_situations, in_each_situation, of_names
from rulesrun.evaluation.sample.throwing import Throws
from rulesrun.evaluation.walk import all_steps
from rulesrun.semantics import plan


class Choices(Throws):
    """Makes choices. `policies` by full name, instead of those written; `aim`: what best is best for."""

    def __init__(
        self,
        ruleset: plan.RulesetPlan,
        rule: plan.Rule,
        inputs: Mapping[str, Any],
        policies: Mapping[str, plan.Policy],
        aim: plan.Expression | None,
    ) -> None:
        super().__init__(ruleset, rule)
        self.inputs = inputs
        self.policies = policies
        self.aim = aim
        self._best: Decisions | None = None
        self._draws = {each.name: each.bag for each in all_steps(rule.steps) if isinstance(each, plan.BagDraw)}

    def choice(self, step: plan.Choice, lanes: Lanes) -> None:
        """A decision where it is offered, else no, the lowest number, the first label, no dice."""
        policy = self.policies.get(step.name, step.policy)
        if isinstance(step.options, plan.DiceOption):
            lanes.names[step.name] = self._dice(step, policy, step.options.pool, lanes)
            return
        least: Column = Same(choices.least(step))
        greatest: Column = Same(choices.greatest(step))
        if isinstance(step.options, plan.RangeOption):
            pairs = apply(
                lambda low, high: choices.bounds(low, high, step),
                self.value(step.options.low, lanes),
                self.value(step.options.high, lanes),
            )
            least, greatest = (apply(lambda pair, end=end: pair[end], pairs) for end in (0, 1))
            lanes.names[_ends(step)] = pairs
        if policy.word == "never":
            if step.condition is not None:
                self.truth(step.condition, lanes)
            lanes.names[step.name] = least
            return
        found: list[tuple[Array | None, Column]] = []
        for mask, _ in self.cases([(step.condition, None)], lanes):
            if policy.word == "always":
                column = greatest
            elif mask is None:
                column = self._decided(step, policy, lanes)
            else:
                column = self.guarded(lanes, mask, step, lambda part: self._decided(step, policy, part))
            found.append((mask, column))
        lanes.names[step.name] = self.all_lanes(found, lanes, least)

    def is_heavy(self, e: object) -> bool:
        return isinstance(e, plan.Choice) or super().is_heavy(e)

    def _decided(self, step: plan.Choice, policy: plan.Policy, lanes: Lanes) -> Column:
        if policy.word in ("best", "worst"):
            column = self._best_of(step, lanes)
            assert not isinstance(column, Dice)
            return column
        value = policy.value
        assert value is not None
        match step.options:
            case None:
                return self.truth(value, lanes)
            case plan.RangeOption():
                return apply(
                    lambda number, pair: choices.chosen_number(
                        operations.whole(number, value, step.name), pair[0], pair[1], step
                    ),
                    self.value(value, lanes),
                    lanes.get(_ends(step)),
                )
            case _:
                options = choices.options_of(step)
                return apply(
                    lambda label: choices.chosen_option(choices.label_value(label, value), options, step),
                    self.value(value, lanes),
                )

    # ------------------------------------------------------------ dice

    def _dice(self, step: plan.Choice, policy: plan.Policy, pool: plan.Expression, lanes: Lanes) -> Dice:
        there = self.pool(pool, lanes)
        options = step.options
        assert isinstance(options, plan.DiceOption)
        number: Column | None = None
        if options.number is not None:
            number = self.amount(options.number, "the number of dice to choose", lanes)
        found: list[tuple[Array | None, Dice]] = []
        for mask, _ in self.cases([(step.condition, None)], lanes):
            if policy.word == "never":
                continue
            index = None if mask is None else np.flatnonzero(mask)
            part = lanes if index is None else lanes.part(index)
            dice = there if index is None else there.take(index)
            if policy.word in ("best", "worst"):
                chosen = self._best_of(step, part)
                assert isinstance(chosen, Dice)
                dice = chosen
            elif policy.word == "value":
                assert policy.value is not None
                chosen = self.pool(policy.value, part)
                most = number if number is None or index is None else number.take(index)
                self._check_dice(chosen, dice, most, step, part)
                dice = chosen
            elif number is not None:
                most = number if index is None else number.take(index)
                dice = ordering.highest(dice, clipped(most), lanes.block.tags, step.span)
            found.append((index, dice))
        return merged_dice(lanes.size, found) if found else no_dice(lanes.size)

    def _check_dice(self, chosen: Dice, pool: Dice, number: Column | None, step: plan.Choice, lanes: Lanes) -> None:
        most = Same(None) if number is None else number
        in_each_situation(
            [chosen, pool, most], lanes, lambda dice, offered, many: choices.chosen_dice(dice, offered, step, many)
        )

    # ------------------------------------------------------------ the best

    def _first_of(self, step: plan.Choice, lanes: Lanes) -> Column | Dice:
        """What is best where nothing depends on it: the first of what may be chosen."""
        match step.options:
            case plan.RangeOption():
                return apply(lambda pair: pair[0], lanes.get(_ends(step)))
            case plan.DiceOption(pool=pool, number=number, at_most=at_most):
                if number is None or at_most:
                    return no_dice(lanes.size)
                most = self.amount(number, "the number of dice to choose", lanes)
                taken, codes = in_each_situation(
                    [self.pool(pool, lanes), most], lanes, lambda dice, many: choices.fewest_dice(dice, many, step)
                )
                return dice_of_situations(taken, codes, lanes)
            case _:
                return Same(choices.least(step))

    def _best_of(self, step: plan.Choice, lanes: Lanes) -> Column | Dice:
        if self._best is None:
            self._best = Decisions(self.ruleset, self.rule, self.policies, self.aim)
        if not self._best.matters(step.name):
            return self._first_of(step, lanes)
        reads = self._best.reads(step.name)
        for name, bag in self._draws.items():
            if (out := still_out(name)) in reads:
                lanes.names[out] = self.out_of(bag, name, lanes)
        option = partial(self._best.option, step.name)
        results, codes = of_names(reads, lanes, lambda known: option({**self.inputs, **known}))
        if isinstance(step.options, plan.DiceOption):
            return dice_of_situations(results, codes, lanes)
        return Same(results[0]) if codes is None else spread(results, codes)

    def out_of(self, bag: str, name: str, lanes: Lanes) -> Dice:
        """What a draw took out of its bag and no line has put back."""
        raise NotImplementedError


def _ends(step: plan.Choice) -> str:
    return f"ends of {step.name}"
