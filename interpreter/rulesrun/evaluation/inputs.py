"""What a caller gives a rule, made whole: a value in its domain for every input, before anything is rolled.

In: a rule, and values by full or short names, those of rolled rules also as mappings (`attacker={"gift": 3}`). Out: a
constant for every input, in the rule's order, defaults filled in. Unknown, ambiguous, missing and unfitting inputs are
`RulesError`s that name the right ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import cast

from rulesrun.diagnostics import Label, RulesError, Span
from rulesrun.evaluation.expressions import evaluator
from rulesrun.evaluation.limits import sized, too_large
from rulesrun.evaluation.values import Value
from rulesrun.limits import in_force
from rulesrun.semantics.domains import number_bounds
from rulesrun.semantics.inputs import accept, domain_text
from rulesrun.semantics.plan import (
    Bind,
    Constant,
    Input,
    Limit,
    Number,
    Rule,
    RulesetPlan,
)
from rulesrun.suggestions import nearest

Levels = Mapping[str, Mapping[str, Number]]


def complete_inputs(rule: Rule, ruleset: RulesetPlan, given: Mapping[str, object]) -> dict[str, Constant]:
    """A value for every input of the rule."""
    return Inputs(rule, ruleset).complete(given)


class Inputs:
    """The inputs of a rule, their defaults and bounds made ready to be worked out."""

    def __init__(self, rule: Rule, ruleset: RulesetPlan) -> None:
        self._rule = rule
        self._levels = ruleset.levels
        self._wanted = {each.name: each for each in rule.inputs}
        self._defaults = {
            each.name: evaluator(each.default, ruleset.tables) for each in rule.inputs if each.default is not None
        }
        self._bounds = {
            each.name: [
                None if bound is None else evaluator(bound, ruleset.tables) for bound in number_bounds(each.domain)
            ]
            for each in rule.inputs
        }

    def complete(self, given: Mapping[str, object]) -> dict[str, Constant]:
        """A value for every input, in the rule's order."""
        values: dict[str, object] = {}
        for name, value in flat(given):
            full = full_name(self._rule, name, self._wanted, "input")
            if full in values:
                raise RulesError.of(f"{full} is given twice", code="given-twice")
            values[full] = value
        missing = [each for each in self._rule.inputs if each.default is None and each.name not in values]
        if missing:
            raise RulesError.of(
                f"{self._rule.name} needs {_listed([each.name for each in missing])}",
                code="missing-input",
                hint="; ".join(f"{each.name} is {domain_text(each.domain, self._levels)}" for each in missing),
            )
        complete: dict[str, Constant] = {}
        for each in self._rule.inputs:
            if each.name in values:
                complete[each.name] = self._accepted(each, values[each.name], complete, None)
            else:
                assert each.default is not None
                default = self._defaults[each.name](complete)
                complete[each.name] = self._accepted(each, default, complete, each.default.span)
        return complete

    def _accepted(self, each: Input, value: object, known: Mapping[str, Constant], span: Span | None) -> Constant:
        low, high = (None if bound is None else cast(Number, bound(known)) for bound in self._bounds[each.name])
        try:
            accepted = accept(each.domain, value, self._levels, low, high)
        except RulesError as error:
            message = f"{each.name}: {error.message}"
            raise RulesError.of(message, code="outside-domain", span=span, hint=error.hint) from None
        return bounded(accepted, each.name)


def bounded(value: Constant, name: str) -> Constant:
    """The value, if it is not too large to work with."""
    if isinstance(value, tuple):
        if len(value) > in_force.get().items:
            raise too_large(f"{len(value):,} items in {name}", "items", None)
        for each in value:
            bounded(each, name)
    elif value is not None and not isinstance(value, str | bool):
        sized(value, None)
    return value


def in_domain(value: Value, step: Bind, low: Value, high: Value, levels: Levels) -> Value:
    """The value of an argument, which must lie in its domain."""
    try:
        return accept(step.domain, value, levels, cast("Number | None", low), cast("Number | None", high))
    except RulesError as error:
        raise RulesError.of(
            f"{step.name}: {error.message}",
            code="outside-domain",
            span=step.value.span,
            secondary=[] if step.span == step.value.span else [Label(step.span, "rolled here")],
            hint=error.hint,
        ) from None


def full_name(rule: Rule, name: str, names: Iterable[str], what: str) -> str:
    """The full name of an input, roll or choice that is called by its full or its short name."""
    known = list(names)
    if name in known:
        return name
    if (full := rule.short.get(name)) in known:
        return full
    bearers = [each for each in known if each.endswith("." + name)]
    if bearers:
        raise RulesError.of(
            f"{name} may be {_listed(bearers, 'or')}", code="ambiguous-name", hint=f"write {bearers[0]}, for example"
        )
    shorts = [short for short, each in rule.short.items() if each in known]
    near = nearest(name, [*known, *shorts])
    if near:
        hint = f"did you mean {near}?"
    else:
        hint = f"the {what}s of {rule.name} are {_listed(known)}" if known else f"{rule.name} has no {what}"
    raise RulesError.of(f"{rule.name} has no {what} called {name}", code=f"unknown-{what}", hint=hint)


def flat(given: Mapping[str, object]) -> Iterator[tuple[str, object]]:
    """Names and values, those inside mappings by dotted names: `attacker={"gift": 3}` is `attacker.gift`."""
    for name, value in given.items():
        if isinstance(value, Mapping):
            yield from ((f"{name}.{inner}", each) for inner, each in flat(value))
        else:
            yield name, value


def _listed(names: Iterable[str], joint: str = "and") -> str:
    *most, last = names
    return f"{', '.join(most)} {joint} {last}" if most else last


def limit_broken(step: Limit) -> None:
    """The error for a call that a rule forbids."""
    raise RulesError.of(step.text, code="limit", span=step.condition.span)
