"""Rules that roll rules: names, inputs, policies, circles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rulesrun.diagnostics import Diagnostic, Span
from rulesrun.semantics import plan
from rulesrun.semantics.inputs import domain_text
from rulesrun.semantics.plan import Kind, Number, Rule

from .shape import A, did_you_mean, error, listed, short, this_is

Levels = Mapping[str, Mapping[str, Number]]


def unknown_rule(at: Span, name: str, near: str | None) -> Diagnostic:
    return error("unknown-rule", f"there is no rule called `{name}`", at, hint=did_you_mean(near))


def formula_with_dice(at: Span, rule: Rule, call: str) -> Diagnostic:
    what, name = ("dice", rule.dice[0]) if rule.dice else ("a choice", rule.choices[0].name)
    return error(
        "formula-with-dice",
        f"`{rule.name}` has {what} (`{name}`), and only a rule without is worked out inside an expression",
        at,
        also=[(rule.span, "this rule")],
        hint=f"roll it on a line of its own, `roll NAME = {short(call)}`, and use `NAME.…` below",
    )


def formula_without_value(at: Span, rule: Rule, call: str, values: Sequence[str]) -> Diagnostic:
    hint = f"write `{short(call)}.{values[0]}`" if values else "it works out nothing that has a name"
    return error("formula-without-value", f"which value of `{rule.name}` is meant?", at, hint=hint)


def unknown_formula_value(at: Span, rule: Rule, name: str, values: Sequence[str], near: str | None) -> Diagnostic:
    known = f"it works out {listed(values[:8])}" if values else "it works out nothing that has a name"
    return error(
        "unknown-value",
        f"`{rule.name}` works out nothing called `{name}`",
        at,
        known,
        also=[(rule.span, "this rule")],
        hint=did_you_mean(near),
    )


def formula_needs(at: Span, rule: str, given: plan.Input, levels: Levels) -> Diagnostic:
    return error(
        "missing-input",
        f"`{rule}` needs `{given.name}`: {domain_text(given.domain, levels)}",
        at,
        also=[(given.span, "this input")],
        hint=f"write `{rule}({given.name} = …)`",
    )


def rolls_itself(at: Span, circle: Sequence[str]) -> Diagnostic:
    notes = [" -> ".join(circle)] if len(circle) > 2 else []
    return error(
        "rolls-itself",
        f"the rule `{circle[0]}` rolls itself",
        at,
        notes=notes,
        hint="for a roll that goes on, use `again on`, `explode on` or `repeat`",
    )


def too_many_steps(at: Span, rule: str, bound: int) -> Diagnostic:
    return error(
        "too-many-steps",
        f"with `{rule}` this rule has more than {bound:,} steps",
        at,
        hint="roll in a `repeat` instead of line by line, or `--limit steps=N`",
    )


def too_deep(at: Span, rule: str, bound: int) -> Diagnostic:
    return error(
        "too-deep",
        f"with `{rule}` rules roll rules more than {bound} deep",
        at,
        hint="roll in a `repeat` instead of rule by rule, or `--limit rolled=N`",
    )


def unknown_input(at: Span, name: str, rule: Rule, near: str | None) -> Diagnostic:
    inputs = [each.name for each in rule.inputs][:8]
    known = f"its inputs: {', '.join(inputs)}" if inputs else "it has no inputs"
    return error(
        "unknown-input",
        f"`{rule.name}` has no input called `{name}`",
        at,
        known,
        also=[(rule.span, "this rule")],
        hint=did_you_mean(near),
    )


def twice(at: Span, name: str, first: Span) -> Diagnostic:
    return error(
        "input-twice", f"`{name}` is given twice", at, also=[(first, "first given here")], hint="take one of them out"
    )


def missing_inputs(at: Span, rule: str, names: Sequence[str]) -> Diagnostic:
    each = names[0]
    return error(
        "missing-input",
        f"`{rule}` needs {listed([f'`{name}`' for name in names], 'and')}",
        at,
        "has no default",
        hint=f"write `{rule}({each} = …)`",
    )


def outside(at: Span, text: str, name: str, domain: plan.Domain, levels: Levels) -> Diagnostic:
    return error(
        "outside-domain",
        f"`{short(text)}` lies outside the domain of `{name}`",
        at,
        f"expected {domain_text(domain, levels)}",
    )


def wrong_input_kind(at: Span, text: str, name: str, got: Kind, domain: plan.Domain, levels: Levels) -> Diagnostic:
    hint = (
        f"ask the dice: `sum of {short(text)}`" if got is Kind.POOL and isinstance(domain, plan.NumberDomain) else None
    )
    return error(
        "wrong-input-kind",
        f"{this_is(got)}, which does not fit the domain of `{name}`",
        at,
        f"expected {domain_text(domain, levels)}",
        hint=hint,
    )


def policy_for_input(at: Span, name: str) -> Diagnostic:
    return error(
        "policy-for-input",
        f"`{name}` is an input and takes a value, not a policy",
        at,
        hint="policies (`best for …`) are for choices",
    )


def default_of_itself(at: Span) -> Diagnostic:
    return error(
        "default-of-itself",
        "`default` stands for what is written here",
        at,
        hint="write `never`, `always`, `best` or a condition",
    )


def same_name_other_kind(at: Span, name: str, got: Kind, wanted: Kind, defined: Span | None) -> Diagnostic:
    return error(
        "same-name-other-kind",
        f"the rolled rule takes its input `{name}` from this rule, where it is {A[got]} and not {A[wanted]}",
        at,
        also=[(defined, A[got])],
        hint=f"pass it: `({name} = …)`, or give one of them another name",
    )


def bounds_from_values(at: Span, flat: str, name: str) -> Diagnostic:
    return error(
        "bounds-from-values",
        f"`{flat}` becomes an input of this rule, but its bounds depend on values that are computed here",
        at,
        hint=f"pass it too: `({name} = …)`",
    )


def reroll_of_dice(at: Span, name: str, is_pool: bool) -> Diagnostic:
    hint = f"to throw the same dice again write `dice of {name}`" if is_pool else None
    return error("reroll-of-dice", f"`{name}` is not a roll of a rule", at, hint=hint)


def reroll_of_rule(at: Span, name: str) -> Diagnostic:
    return error(
        "reroll-of-rule",
        f"`{name}` is a rule; what is rerolled is a roll of it",
        at,
        hint=f"name the earlier line: `roll first = {name}`, then `reroll first`",
    )


def no_aim(at: Span, text: str, got: Kind) -> Diagnostic:
    return error("no-aim", f"`best for` aims at a number or a chance, and this is {A[got]}", at)


def best_without_aim(at: Span, choice: str, rule: str) -> Diagnostic:
    return error(
        "best-without-aim",
        f"`{rule}` has no outcomes, so nothing says what is best for `{choice}`",
        at,
        hint="name the aim: `by default best for EXPRESSION`, or pass a policy, or give the rule an `outcome`",
    )
