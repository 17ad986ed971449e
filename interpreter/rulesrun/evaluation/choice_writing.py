"""Choices of a plan as Python statements."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from rulesrun.evaluation import choices, operations
from rulesrun.evaluation.choices import Chosen, Offer
from rulesrun.evaluation.python import (
    assign,
    attribute,
    dict_of,
    if_then,
    literal,
    method,
    read,
    statement,
)
from rulesrun.evaluation.rule_writing import RUN
from rulesrun.evaluation.throw_writing import ThrowWriter
from rulesrun.evaluation.values import Value
from rulesrun.semantics.plan import (
    Choice,
    DiceOption,
    Expression,
    LabelOption,
    Policy,
    RangeOption,
    Rule,
    RulesetPlan,
)


class ChoiceWriter(ThrowWriter):
    """Writes choices."""

    def __init__(self, ruleset: RulesetPlan, rule: Rule, choose: Mapping[str, Chosen]) -> None:
        super().__init__(ruleset, rule, choose)
        self._numbers: dict[str, ast.expr] = {}

    def choice(self, step: Choice) -> list[ast.stmt]:
        """A decision where it is offered, else no, the lowest number, the first label, no dice."""
        policy = self.choose.get(step.name, step.policy)
        before: list[ast.stmt] = []
        low: ast.expr
        high: ast.expr
        if isinstance(step.options, RangeOption):
            ends = self.variable()
            pair = self.constants.call(
                choices.bounds,
                self.value(step.options.low),
                self.value(step.options.high),
                self.constants.name_of(step),
            )
            before.append(assign(ends, pair))
            low, high = (ast.Subscript(read(ends), literal(place), ast.Load()) for place in (0, 1))
            decided = self.policy_value(step, policy, low, high)
        elif isinstance(step.options, DiceOption):
            there = self.variable()
            before.append(assign(there, self.choice_pool(step, step.options.pool)))
            low, high = self.no_dice(step.name), read(there)
            if step.options.number is not None:
                number = self.variable()
                before.append(assign(number, self.amount(step.options.number, "the number of dice to choose")))
                self._numbers[step.name] = read(number)
            decided = self.policy_value(step, policy, low, high)
        else:
            low, high = (self.plain_literal(value) for value in (choices.least(step), choices.greatest(step)))
            decided = self.policy_value(step, policy, low, high)
        name = self.define(step.name)
        taken = [assign(name, decided), *self.note_choice(step, policy, offered=True)]
        if step.condition is None:
            return [*before, *taken]
        return [
            *before,
            if_then(self.truth(step.condition), taken, [assign(name, low), *self.note_choice(step, policy, False)]),
        ]

    def plain_literal(self, value: Value) -> ast.expr:
        """A constant."""
        return literal(value) if isinstance(value, int | bool | str | None) else self.constants.name_of(value)

    def choice_pool(self, step: Choice, pool: Expression) -> ast.expr:
        """The dice to choose from."""
        return self.as_pool(pool)

    def note_choice(self, step: Choice, policy: Chosen, offered: bool) -> list[ast.stmt]:
        """The recorder hears of a choice, how it was made and whether it was offered."""
        arguments = [
            self.constants.name_of(step),
            self.names(step.name),
            self.constants.name_of(policy),
            literal(offered),
        ]
        return [statement(method(attribute(read(RUN), "recorder"), "chose", *arguments))]

    def policy_value(self, step: Choice, policy: Chosen, low: ast.expr, high: ast.expr) -> ast.expr:
        """What a policy chooses; `low` is what `never` chooses and `high` what `always` does."""
        word = policy if isinstance(policy, str) else policy.word
        match word:
            case "never":
                return low
            case "always" if step.name in self._numbers:
                known = self.constants.name_of(step)
                return self.constants.call(choices.highest_dice, high, self._numbers[step.name], known)
            case "always":
                return high
            case "value":
                assert isinstance(policy, Policy) and policy.value is not None
                return self.checked_choice(step, policy.value, low, high)
            case _:
                return self.asked_choice(step, policy, low, high)

    def checked_choice(self, step: Choice, value: Expression, low: ast.expr, high: ast.expr) -> ast.expr:
        """What an expression chooses, held against what may be chosen."""
        known = self.constants.name_of
        match step.options:
            case None:
                return self.truth(value)
            case RangeOption():
                number = self.constants.call(operations.whole, self.value(value), known(value), literal(step.name))
                return self.constants.call(choices.chosen_number, number, low, high, known(step))
            case LabelOption(options):
                label = self.constants.call(choices.label_value, self.value(value), known(value))
                return self.constants.call(choices.chosen_option, label, known(options), known(step))
            case DiceOption():
                chosen = self.choice_pool(step, value)
                return self.constants.call(choices.chosen_dice, chosen, high, known(step), self._most(step))

    def _most(self, step: Choice) -> ast.expr:
        """How many dice may be chosen; None: any number."""
        return self._numbers.get(step.name, literal(None))

    def asked_choice(self, step: Choice, policy: Chosen, low: ast.expr, high: ast.expr) -> ast.expr:
        """What the caller decides."""
        nothing = literal(None)
        state = dict_of({name: self.names(name) for name in self.known})
        options = self.constants.name_of(choices.options_of(step))
        ends = [low, high] if isinstance(step.options, RangeOption) else [nothing, nothing]
        pool = high if isinstance(step.options, DiceOption) else nothing
        known = self.constants.name_of
        offer = self.constants.call(
            Offer, known(step), known(policy), state, options, *ends, pool, self._most(step), *self.bags_now()
        )
        return method(read(RUN), "decide", offer)

    def bags_now(self) -> tuple[ast.expr, ast.expr]:
        """What the bags hold, and what each draw took and is not back, each by its flat name."""
        raise NotImplementedError
