"""What a caller gives a rule, checked against what the rule takes.

In: a rule of a plan, and the inputs, dice and choices of a call by their full or short names. Out: a constant for every
input, in the order in which the rule defines them, defaults filled in; full names for the rest. What does not fit is a
`RulesError` that names the right ones; then nothing has been rolled.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from rulesrun.diagnostics import RulesError
from rulesrun.domains import Misfit, fit
from rulesrun.evaluation.values import value_text
from rulesrun.render.values import domain_text
from rulesrun.semantics.plan import Constant, Expression, Input, Rule, RulesetPlan
from rulesrun.suggestions import nearest

Evaluate = Callable[[Expression, Mapping[str, Constant]], Constant]
"""The value of a default or a bound, given the inputs before it."""


def bind_inputs(plan: RulesetPlan, rule: Rule, given: Mapping[str, object], evaluate: Evaluate) -> dict[str, Constant]:
    """A value in its domain for every input; raises `RulesError` for an unknown, missing or unfitting one."""
    wanted = {each.name: each for each in rule.inputs}
    values = {full_name(rule, name, wanted, "input"): value for name, value in _flat(given)}
    bound: dict[str, Constant] = {}
    missing = [name for name, each in wanted.items() if each.default is None and name not in values]
    if missing:
        raise RulesError.of(
            f"{rule.name} needs {_listed(missing)}",
            code="missing-input",
            hint="; ".join(f"{name} is {domain_text(wanted[name].domain, plan.levels)}" for name in missing),
        )
    for name, each in wanted.items():
        value = values[name] if name in values else _default(each, bound, evaluate)
        bound[name] = _fit(plan, each, value, bound, evaluate)
    return bound


def full_name(rule: Rule, name: str, known: Iterable[str], what: str) -> str:
    """The full name of an input, a roll or a choice that is called by its full or short name."""
    names = list(known)
    if name in names:
        return name
    if (full := rule.short.get(name)) in names:
        return full
    bearers = [each for each in names if each.endswith("." + name)]
    if bearers:
        raise RulesError.of(
            f"{name} may be {_listed(bearers, 'or')}", code="ambiguous-name", hint=f"write {bearers[0]}, for example"
        )
    shorts = [short for short, each in rule.short.items() if each in names]
    near = nearest(name, [*names, *shorts])
    if near:
        hint = f"did you mean {near}?"
    else:
        hint = f"the {what}s of {rule.name} are {_listed(names)}" if names else f"{rule.name} has no {what}"
    raise RulesError.of(f"{rule.name} has no {what} called {name}", code=f"unknown-{what}", hint=hint)


def _flat(given: Mapping[str, object]) -> Iterable[tuple[str, object]]:
    """The inputs by dotted names: `attacker={"gift": 3}` is `attacker.gift`."""
    for name, value in given.items():
        if isinstance(value, Mapping):
            yield from ((f"{name}.{inner}", each) for inner, each in _flat(value))
        else:
            yield name, value


def _default(each: Input, bound: Mapping[str, Constant], evaluate: Evaluate) -> object:
    return None if each.default is None else evaluate(each.default, bound)


def _fit(plan: RulesetPlan, each: Input, value: object, bound: Mapping[str, Constant], evaluate: Evaluate) -> Constant:
    try:
        return fit(value, each.domain, plan.levels, lambda limit: evaluate(limit, bound))
    except Misfit as misfit:
        raise RulesError.of(
            f"{each.name} is {domain_text(each.domain, plan.levels)}, not {value_text(value)}",
            code="outside-domain",
            hint=misfit.hint,
        ) from None


def _listed(names: Iterable[str], joint: str = "and") -> str:
    *most, last = names
    return f"{', '.join(most)} {joint} {last}" if most else last
