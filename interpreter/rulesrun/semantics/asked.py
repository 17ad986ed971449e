"""Conditions, values and policies that a caller gives, in the scope of a whole rule at its end.

In: a finished plan, one of its rules, and the tree of a text. Out: an expression or policy for the evaluators. Every
flat name is known, every short name that only one thing bears, `outcome`, `good` (any + outcome), and outcome labels
alone.
"""

from __future__ import annotations

from rulesrun.diagnostics import Diagnostic, RulesError
from rulesrun.record import changed
from rulesrun.syntax import nodes as n

from . import plan
from .calls import Calls
from .messages import asked as say
from .messages import calls as say_calls
from .messages.shape import listed
from .plan import Kind
from .symbols import Stop, Want
from .world import World

MOST_NAMED = 8
"""So many names are listed where none is near to the one that was written."""

AT_THE_END = (Kind.POOL, Kind.LIST, Kind.FACES, Kind.NONE)


class Asked(Calls):
    """The names of a rule at its end. With `bodies` also those of repeated bodies, for policies of choices in them."""

    def __init__(self, world: World, rule: plan.Rule, problems: list[Diagnostic], bodies: bool = False) -> None:
        super().__init__(world, problems, self._rule_named)
        self.rule = rule
        self.outcomes = rule.outcomes
        self.labels = {each.label: each for each in rule.outcomes}
        for given in rule.inputs:
            self.inputs[given.name] = given
            self.learn_input(given)
        for step in rule.steps:
            self.learn(step)
            if bodies and isinstance(step, plan.Repeat):
                self._learn_body(step)

    def _rule_named(self, node: n.Name) -> plan.Rule:
        if node.text not in self.world.rules:
            near = self.nearest(node.text, self.world.rules)
            raise self.refuse(say_calls.unknown_rule(node.span, node.text, near))
        return self.world.rules[node.text]

    def _learn_body(self, repeat: plan.Repeat) -> None:
        """Names of a repeated body, where nothing outside bears them."""
        known = dict(self.names)
        self._learn(
            repeat.turn,
            "turn",
            repeat.span,
            Kind.NUMBER,
            self.facts.names.get(repeat.turn, self.facts.of(plan.Each(repeat.span, Kind.NUMBER, False, "die"))),
        )
        for step in repeat.steps:
            self.learn(step)
            if isinstance(step, plan.Repeat):
                self._learn_body(step)
        self.names.update(known)

    def lookup(self, node: n.Name) -> plan.Expression | None:
        """A flat name, a short one, or `good` where the rule has outcomes."""
        if (found := super().lookup(node)) is not None:
            return found
        flat = self.rule.short.get(node.text)
        if flat is not None and flat in self.names:
            return super().lookup(n.Name(node.span, tuple(flat.split("."))))
        return None

    def means(self, node: n.Name, want: Want | None = None) -> plan.Expression:
        """The meaning of a name; outcome labels and `good` are conditions."""
        if self.lookup(node) is None and (is_outcome := self._is_outcome(node)) is not None:
            return is_outcome
        return super().means(node, want)

    def condition(self, node: n.Expression) -> plan.Expression:
        """Yes or no; where a condition is meant, an outcome's label comes before a number of the same name."""
        if isinstance(node, n.Name) and (is_outcome := self._is_outcome(node)) is not None:
            found = self.lookup(node)
            if found is None or found.kind is not Kind.YES_NO:
                return is_outcome
        return super().condition(node)

    def _unknown(self, node: n.Name, want: Want | None) -> Diagnostic:
        problem = super()._unknown(node, want)
        if problem.code != "unknown-name" or problem.hint is not None:
            return problem
        values = [name for name in self.names if "." not in name and self.names[name].what != "input"]
        return changed(problem, hint=f"there are {listed(values[:MOST_NAMED], 'and')}" if values else None)

    def _candidates(self) -> list[str]:
        return [*super()._candidates(), *self.labels, *self.rule.short]

    def _is_outcome(self, node: n.Name) -> plan.Expression | None:
        """`success` alone means `outcome is success`."""
        if not self.labels or "outcome" not in self.names:
            return None
        labels = frozenset([node.text]) if node.text in self.labels else None
        if labels is None and node.text == "good":
            labels = frozenset(each.label for each in self.labels.values() if each.good)
        if labels is None:
            return None
        outcome = changed(self.names["outcome"].read, span=node.span)
        return plan.IsLabel(node.span, Kind.YES_NO, False, outcome, labels)

    def asked(self, node: n.Expression, condition: bool = False) -> plan.Expression:
        """A condition, or any value that can be told; single dice are numbers."""
        if condition:
            return self.condition(node)
        found = self.single_value(self.expression(node))
        if found.kind in AT_THE_END:
            raise self.refuse(say.no_single_value(node.span, node.span.text, found.kind))
        return found

    def exact(self, value: plan.Expression, at: object) -> plan.Expression:
        """Nothing is rolled any more: approximate numbers may be compared."""
        return value


def compile_condition(
    ruleset: plan.RulesetPlan, rule: plan.Rule, expression: n.Expression, condition: bool = False
) -> plan.Expression:
    """A value that a caller asks of a rule, with `condition` yes or no; raises `RulesError` if it makes no sense."""
    problems: list[Diagnostic] = []
    try:
        found = Asked(World.of(ruleset), rule, problems).asked(expression, condition)
    except Stop:
        raise _errors(problems) from None
    return found


def compile_asked(
    ruleset: plan.RulesetPlan, rule: plan.Rule, policy: n.Policy, choice: str | None = None
) -> plan.Policy:
    """A policy that a caller gives; with the flat name of its choice it is also held against the choice's options.

    `default` is no policy of its own: whoever gives it leaves the choice as it is, so it is an error here.
    """
    problems: list[Diagnostic] = []
    scope = Asked(World.of(ruleset), rule, problems, bodies=True)
    try:
        return policy_in(scope, policy, options_of(rule, choice))
    except Stop:
        raise _errors(problems) from None


def policy_in(scope: Asked, policy: n.Policy, options: object) -> plan.Policy:
    """A policy read in the scope of a rule; `options` of `ANY` take any value."""
    if policy.word in ("best", "worst"):
        aim = None if policy.value is None else scope.aim(policy.value)
        return plan.Policy("best" if policy.word == "best" else "worst", None, aim)
    if policy.word == "value" and policy.value is not None:
        value = scope.asked(policy.value) if options is ANY else scope.chosen(policy.value, options, "the choice")
        return plan.Policy("value", value)
    return scope.policy(policy, "", options)


ANY = object()
"""Stands for the options of a choice that is not named."""


def options_of(rule: plan.Rule, choice: str | None) -> object:
    """The options of a choice by its flat name."""
    if choice is None:
        return ANY
    steps = list(rule.steps)
    while steps:
        step = steps.pop()
        if isinstance(step, plan.Choice) and step.name == choice:
            return step.options
        if isinstance(step, plan.Invoke | plan.Repeat):
            steps += step.steps
    return ANY


def _errors(problems: list[Diagnostic]) -> RulesError:
    return RulesError([each for each in problems if each.is_error])
