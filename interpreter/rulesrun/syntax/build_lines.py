"""The lines of a rule: inputs, rolls, values, choices, repetitions, outcomes."""

from __future__ import annotations

from typing import Any

from lark import Token, v_args
from lark.tree import Meta

from . import nodes as n
from .build_expressions import ExpressionParts


@v_args(meta=True)
class LineParts(ExpressionParts):
    """Every rule of the grammar's section on lines has the method of its name here."""

    def given(self, meta: Meta, parts: list[Any]) -> n.Given:
        name, domain, default, text = parts
        return n.Given(self._at(meta), self._word(name), domain, default, self._text(text))

    def given_all(self, meta: Meta, parts: list[Any]) -> n.GivenAllOf:
        without = tuple(self._word(part) for part in parts[1:] if part is not None)
        return n.GivenAllOf(self._at(meta), self._word(parts[0]), without)

    def limit(self, meta: Meta, parts: list[Any]) -> n.Limit:
        return n.Limit(self._at(meta), self._text(parts[0]), parts[1])

    def roll(self, meta: Meta, parts: list[Any]) -> n.Roll:
        name, throw, condition, text = parts
        span = throw.span.to(condition.span) if condition is not None else throw.span
        case = n.RollCase(span, throw, condition)
        return n.Roll(self._at(meta), self._word(name), (case,), self._text(text))

    def roll_cases(self, meta: Meta, parts: list[Any]) -> n.Roll:
        return n.Roll(self._at(meta), self._word(parts[0]), tuple(parts[1:]), "")

    def roll_case(self, meta: Meta, parts: list[Any]) -> n.RollCase:
        return n.RollCase(self._at(meta), parts[0], self._condition(parts[1]))

    def define(self, meta: Meta, parts: list[Any]) -> n.Define:
        return n.Define(self._at(meta), self._word(parts[0]), parts[1], parts[2])

    define_cases = define

    def cases(self, meta: Meta, parts: list[Any]) -> n.Cases:
        return n.Cases(parts[0].span.to(parts[-1].span), tuple(parts))

    def case(self, meta: Meta, parts: list[Any]) -> n.Case:
        return n.Case(self._at(meta), parts[0], self._condition(parts[1]))

    def _condition(self, part: n.Expression | Token) -> n.Expression | None:
        """None for the token `otherwise`."""
        return None if isinstance(part, Token) else part

    # ------------------------------------------------------------ domains

    def domain(self, meta: Meta, parts: list[Any]) -> n.Domain:
        inner: n.Domain = parts[0]
        return inner if parts[1] is None else n.OrNone(self._at(meta), inner)

    def domain_range(self, meta: Meta, parts: list[Any]) -> n.NumberDomain:
        return n.NumberDomain(parts[0].span, parts[0])

    def domain_yes_no(self, meta: Meta, parts: list[Any]) -> n.YesNoDomain:
        return n.YesNoDomain(self._at(meta))

    def domain_text(self, meta: Meta, parts: list[Any]) -> n.TextDomain:
        return n.TextDomain(self._at(meta))

    def domain_faces(self, meta: Meta, parts: list[Any]) -> n.FacesDomain:
        return n.FacesDomain(self._at(meta))

    def domain_one_of(self, meta: Meta, parts: list[Any]) -> n.OneOfDomain:
        return n.OneOfDomain(self._at(meta), parts[0])

    def options(self, meta: Meta, parts: list[Any]) -> tuple[n.Word | n.Number, ...]:
        return tuple(parts)

    def domain_option(self, meta: Meta, parts: list[Token | n.Number]) -> n.Word | n.Number:
        return self._word(parts[0]) if isinstance(parts[0], Token) else parts[0]

    def domain_list(self, meta: Meta, parts: list[Any]) -> n.ListDomain:
        return self._deep(n.ListDomain(self._at(meta), parts[0]), parts[0])

    def domain_levels(self, meta: Meta, parts: list[Token]) -> n.LevelsDomain:
        return n.LevelsDomain(self._at(meta), self._word(parts[0]))

    # ------------------------------------------------------------ choices

    def choice(self, meta: Meta, parts: list[Any]) -> n.Choice:
        name, domain, condition, policy, text = parts
        return n.Choice(self._at(meta), self._word(name), domain, condition, policy, self._text(text))

    def choice_range(self, meta: Meta, parts: list[Any]) -> n.Range:
        only: n.Range = parts[0]
        return only

    def choice_dice(self, meta: Meta, parts: list[Any]) -> n.DiceOfChoice:
        return n.DiceOfChoice(self._at(meta), parts[0], None, False)

    def choice_so_many(self, meta: Meta, parts: list[Any]) -> n.DiceOfChoice:
        return n.DiceOfChoice(self._at(meta), parts[1], parts[0], False)

    def choice_at_most(self, meta: Meta, parts: list[Any]) -> n.DiceOfChoice:
        return n.DiceOfChoice(self._at(meta), parts[1], parts[0], True)

    choice_one_of = domain_one_of

    def policy_word(self, meta: Meta, parts: list[Any]) -> n.Policy:
        return n.Policy(self._at(meta), self._literal(parts[0]))

    def policy_best_for(self, meta: Meta, parts: list[Any]) -> n.Policy:
        return n.Policy(self._at(meta), "best", parts[0])

    def policy_worst_for(self, meta: Meta, parts: list[Any]) -> n.Policy:
        return n.Policy(self._at(meta), "worst", parts[0])

    def policy_value(self, meta: Meta, parts: list[Any]) -> n.Policy:
        return n.Policy(self._at(meta), "value", parts[0])

    def alone_policy(self, meta: Meta, parts: list[Any]) -> n.Policy:
        only: n.Policy = parts[0]
        return only

    def alone_value(self, meta: Meta, parts: list[Any]) -> n.Expression:
        only: n.Expression = parts[0]
        return only

    # ------------------------------------------------------------ tracks, repetitions, bags

    def track(self, meta: Meta, parts: list[Any]) -> n.Track:
        return n.Track(self._at(meta), self._word(parts[0]), parts[1], parts[2])

    def block(self, meta: Meta, parts: list[Any]) -> tuple[n.Line, ...]:
        return tuple(parts)

    def repeat_until(self, meta: Meta, parts: list[Any]) -> n.Repeat:
        return n.Repeat(self._at(meta), parts[0], None, parts[1], parts[2])

    def repeat_times(self, meta: Meta, parts: list[Any]) -> n.Repeat:
        return n.Repeat(self._at(meta), parts[1], parts[0], None, parts[2])

    def update(self, meta: Meta, parts: list[Any]) -> n.Update:
        return n.Update(self._at(meta), self._word(parts[0]), self._literal(parts[1]), parts[2], None)

    update_cases = update

    def update_if(self, meta: Meta, parts: list[Any]) -> n.Update:
        return n.Update(self._at(meta), self._word(parts[0]), self._literal(parts[1]), parts[2], parts[3])

    def update_conditional(self, meta: Meta, parts: list[Any]) -> n.Update:
        name, operator, value, condition, _, other = parts
        chosen = self._choose(value.span.to(other.span), value, condition, other)
        return n.Update(self._at(meta), self._word(name), self._literal(operator), chosen, None)

    def draw(self, meta: Meta, parts: list[Any]) -> n.Draw:
        name, number, bag, condition = parts
        return n.Draw(self._at(meta), self._word(name), number, self._word(bag), condition)

    def put_back(self, meta: Meta, parts: list[Any]) -> n.PutBack:
        return n.PutBack(self._at(meta), parts[0], parts[1])

    def put_back_except(self, meta: Meta, parts: list[Any]) -> n.PutBack:
        bag, *without, condition = parts
        return n.PutBack(self._at(meta), bag, condition, tuple(without))

    # ------------------------------------------------------------ flags and outcomes

    def flag(self, meta: Meta, parts: list[Any]) -> n.Flag:
        return n.Flag(self._at(meta), self._word(parts[0]), parts[1], self._text(parts[2]))

    def outcome(self, meta: Meta, parts: list[Any]) -> n.Outcome:
        return n.Outcome(self._at(meta), tuple(parts))

    def outcome_line(self, meta: Meta, parts: list[Any]) -> n.OutcomeLine:
        mark, label, condition, text = parts
        sign = self._literal(mark)
        return n.OutcomeLine(self._at(meta), sign, self._word(label), self._condition(condition), self._text(text))

    def outcome_as(self, meta: Meta, parts: list[Any]) -> n.OutcomeAs:
        rolled, *rest = parts
        condition, other = (rest[0], rest[2]) if rest else (None, None)
        return n.OutcomeAs(self._at(meta), rolled, condition, other)
