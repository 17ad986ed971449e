"""A rule that is asked for exact odds: its compiled questions are kept, and the cells of a table share their work."""

from __future__ import annotations

import gc
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from rulesrun.diagnostics import Source
from rulesrun.evaluation.exact.aims import good_outcome
from rulesrun.evaluation.exact.chances import Algebra
from rulesrun.evaluation.exact.question import ExactQuestion
from rulesrun.evaluation.inputs import complete_inputs, full_name
from rulesrun.evaluation.odds import Odds, Policies
from rulesrun.evaluation.reader import Reader, write_reader
from rulesrun.evaluation.together import Together
from rulesrun.evaluation.walk import all_steps
from rulesrun.semantics import plan
from rulesrun.semantics.asked import compile_condition
from rulesrun.semantics.renaming import parts
from rulesrun.syntax.parser import parse_value

MOST_LATELY = 32
"""So many values, and questions with policies or conditions of a caller's own, are kept compiled."""


class RuleOdds:
    """A rule that can be asked for exact odds; holds compiled questions, safe to share between threads."""

    def __init__(self, ruleset: plan.RulesetPlan, rule: plan.Rule) -> None:
        self.ruleset, self.rule = ruleset, rule
        self.choices = {step.name: step for step in all_steps(rule.steps) if isinstance(step, plan.Choice)}
        self.input_names = [each.name for each in rule.inputs]
        self._reader: Reader | None = None
        self._questions: dict[object, ExactQuestion] = {}
        self._lately: dict[object, tuple[object, ExactQuestion]] = {}
        self._texts: dict[object, plan.Expression] = {}

    def __reduce__(self) -> tuple[type[RuleOdds], tuple[plan.RulesetPlan, plan.Rule]]:
        return RuleOdds, (self.ruleset, self.rule)

    def odds(
        self,
        given: Mapping[str, object],
        *,
        choose: Policies | None = None,
        aim: plan.Expression | None = None,
        known: plan.Expression | None = None,
        budget: int | None = None,
        algebra: Algebra | None = None,
        dice: Mapping[str, Sequence[plan.Face]] | None = None,
    ) -> Odds:
        """The odds for these inputs.

        `choose`: policies for choices instead of those written. `aim`: what `best` is best for, by default the chance
        of a good outcome. `known`: a condition that holds, for conditional odds. `budget`: a bound on the situations
        visited. `algebra`: the work of other cells of the same table. `dice`: faces that are known, by the name of
        their draw, in the order drawn. Errors are `RulesError`s.
        """
        budget = budget or self.ruleset.limits.states
        return Odds(
            self, self.inputs(given), self._policies(choose), aim or self.good, known, budget, algebra, dice=dice or {}
        )

    def table(
        self,
        cells: Iterable[Mapping[str, object]],
        *,
        choose: Policies | None = None,
        aim: plan.Expression | None = None,
        known: plan.Expression | None = None,
        budget: int | None = None,
    ) -> Iterator[Odds]:
        """The odds of several cells of one table, in order; what they have in common is worked out once."""
        budget = budget or self.ruleset.limits.states
        policies, aim, algebra = self._policies(choose), aim or self.good, Algebra(budget)
        question = self.question(self.outcome_and_flags, policies, aim, known, {})
        together = Together(map(self.inputs, cells), question.abreast)
        for group, name in together:
            algebra.anew()
            answers = None if name is None else question.answers(group, name, budget, algebra)
            if answers is not None:
                for inputs, answer in zip(group, answers, strict=True):
                    yield Odds(self, inputs, policies, aim, known, budget, answer=answer)
                continue
            if name is not None:
                together.end()
            for inputs in group:
                algebra.anew()
                yield Odds(self, inputs, policies, aim, known, budget, algebra)

    def _policies(self, choose: Policies | None) -> Policies:
        if not choose:
            return {}
        return {full_name(self.rule, name, self.choices, "choice"): policy for name, policy in choose.items()}

    def inputs(self, given: Mapping[str, object]) -> dict[str, plan.Constant]:
        """A value for every input; quickly where nothing is wrong with them."""
        if self._reader is None:
            self._reader = write_reader(self.rule, self.ruleset)
        values = self._reader(given)
        if values is None:
            return complete_inputs(self.rule, self.ruleset, given)
        return dict(zip(self.input_names, values, strict=True))

    @cached_property
    def good(self) -> plan.Expression | None:
        """The condition that the outcome is a good one; None for a rule without outcomes."""
        return good_outcome(self.rule)

    def condition(self, text: str) -> plan.Expression:
        """A condition in the language, over the names at the rule's end."""
        return compile_condition(self.ruleset, self.rule, parse_value(Source.of_text("condition", text)), True)

    def value(self, text: str) -> plan.Expression:
        """A value in the language: a name, or an expression over the names at the rule's end."""
        found = self._texts.get(text)
        if found is None:
            found = compile_condition(self.ruleset, self.rule, parse_value(Source.of_text("value", text)))
            _keep(self._texts, text, found)
        return found

    def question(
        self,
        wanted: Sequence[plan.Expression],
        policies: Policies,
        aim: plan.Expression | None,
        known: plan.Expression | None,
        dice: Mapping[str, Sequence[plan.Face]],
    ) -> ExactQuestion:
        """The compiled question. Those about names of the rule are kept, of others the last few."""
        probing = wanted is self.outcome_and_flags
        if dice:
            return ExactQuestion(self.rule, self.ruleset, wanted, policies, aim, known, dice, probing)
        if not policies and known is None and (aim is None or aim is self.good):
            key = tuple(each.name if isinstance(each, plan.Var) else None for each in wanted)
            if None not in key:
                found = self._questions.get(key)
                if found is None:
                    found = ExactQuestion(self.rule, self.ruleset, wanted, policies, aim, known, probing=probing)
                    self._questions[key] = found
                return found
        said = (tuple(wanted), dict(policies), aim, known)
        place = (*map(id, wanted), "choose", *policies, *map(id, policies.values()), id(aim), id(known))
        if kept := self._lately.get(place):
            return kept[1]
        question = ExactQuestion(self.rule, self.ruleset, wanted, policies, aim, known, probing=probing)
        _keep(self._lately, place, (said, question))
        return question

    @cached_property
    def outcome_and_flags(self) -> tuple[plan.Expression, ...]:
        """What `Odds` computes at once."""
        wanted: list[plan.Expression] = []
        if self.rule.outcomes:
            wanted.append(plan.Var(self.rule.span, plan.Kind.LABEL, False, "outcome"))
        return (*wanted, *(plan.Var(each.span, plan.Kind.YES_NO, False, each.name) for each in self.rule.flags))

    @cached_property
    def numbers(self) -> tuple[str, ...]:
        """The numbers that the outcome uses, by name, in the order of the rule; all of a rule without outcomes, and
        where that has none either and no flags, its other values.
        """
        steps = list(all_steps(self.rule.steps))
        defined = {step.name: step for step in steps if isinstance(step, plan.Define)}
        waiting: list[object] = [
            step for step in steps if isinstance(step, plan.Outcome | plan.OutcomeAs) and step.name == "outcome"
        ]
        named = {value.name: value.kind for value in self.rule.values}
        found: set[str] = set()
        while waiting:
            for part in parts(waiting.pop()):
                if not isinstance(part, plan.Var) or part.name in found:
                    continue
                found.add(part.name)
                if named.get(part.name) is plan.Kind.YES_NO and part.name in defined:
                    waiting.append(defined[part.name].value)
        values = [value for value in self.rule.values if value.kind is plan.Kind.NUMBER]
        numbers = tuple(value.name for value in values if value.name in found)
        if numbers or self.rule.outcomes:
            return numbers
        own = [value for value in self.rule.values if "." not in value.name]
        numbers = tuple(value.name for value in own if value.kind is plan.Kind.NUMBER)
        if numbers or self.rule.flags:
            return numbers
        return tuple(value.name for value in own if value.kind in (plan.Kind.YES_NO, plan.Kind.LABEL))


def _keep(kept: dict[object, Any], key: object, value: object) -> None:
    """Keeps a value among the last few."""
    while len(kept) >= MOST_LATELY:
        kept.pop(next(iter(kept.copy())), None)
    kept[key] = value


gc.collect()
"""What was loaded for the odds stays: it is looked through now, not in one of the first calls, which are shorter."""
