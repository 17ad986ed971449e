"""Rulesets from texts, for tests of what they mean."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeVar

from rulesrun.diagnostics import RulesError, Source
from rulesrun.semantics import plan
from rulesrun.semantics.compile import compile_ruleset
from rulesrun.semantics.items import Given
from rulesrun.syntax.nodes import Policy
from rulesrun.syntax.parser import parse, parse_policy

T = TypeVar("T", bound=plan.Step)


def ruleset(text: str, *bases: str, settings: Mapping[str, Given] | None = None) -> plan.RulesetPlan:
    """The plan of a text, based on others that are given first to last."""
    texts = (*bases, text)
    files = [parse(Source.of_text(f"file_{number}.rules", each)) for number, each in enumerate(texts, 1)]
    return compile_ruleset(files, settings or {})


def rule(body: str, items: str = "") -> plan.Rule:
    """The rule `test` with this body, in a ruleset with these other items."""
    lines = "\n".join("    " + line for line in body.strip("\n").split("\n"))
    return ruleset(f"{items}\nrule test\n{lines}\n").rules["test"]


def steps_of(steps: tuple[plan.AnyStep, ...]) -> Iterator[plan.AnyStep]:
    """All steps, those inside others included."""
    for step in steps:
        yield step
        if isinstance(step, plan.Invoke | plan.Repeat):
            yield from steps_of(step.steps)


def step(of: plan.Rule, kind: type[T], name: str) -> T:
    """The step of a kind and name."""
    found = [each for each in steps_of(of.steps) if isinstance(each, kind) and getattr(each, "name", name) == name]
    assert len(found) == 1, found
    return found[0]


def value(of: plan.Rule, name: str) -> plan.Expression:
    """What a value is defined as."""
    return step(of, plan.Define, name).value


def codes(text: str, *bases: str, settings: Mapping[str, Given] | None = None) -> list[str]:
    """The codes of all that is said of a text, warnings included."""
    try:
        return [each.code for each in ruleset(text, *bases, settings=settings).warnings]
    except RulesError as error:
        return [each.code for each in error.diagnostics]


def policy(text: str) -> Policy:
    """A caller's policy, condition or value as it is parsed."""
    return parse_policy(Source.of_text("asked", text))
