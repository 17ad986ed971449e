"""Holding samples against exact odds: one ruleset, one call, every chance within five standard errors."""

from __future__ import annotations

from fractions import Fraction
from math import sqrt
from typing import Any

import rulesrun
from rulesrun.semantics import plan

from .compare import BUDGET, Verdict, compiled, first_error
from .rules import Sample

SIGMAS = 5


def compare_samples(sample: Sample, trials: int, seed: int) -> Verdict:
    """Whether a sample shows what the exact odds say, as often as they say."""
    try:
        rule = compiled(sample)
    except rulesrun.RulesError as refused:
        return Verdict(skipped=f"refused: {first_error(refused)}")
    call: dict[str, Any] = {"inputs": sample.inputs, "choose": sample.choose, "aim": sample.aim}
    try:
        odds = rule.odds(**call, budget=BUDGET)
        laws = {each.name: odds.of(each.name) for each in rule.values if each.kind in TOLD}
        exact = {each: odds.chance(each) for each in sample.asked}
    except rulesrun.RulesError as error:
        if error.file == "condition":
            return Verdict(skipped="a question that a caller may not ask")
        if error.diagnostics[0].code in ("budget", "endless"):
            return Verdict(skipped=f"no exact odds: {error.diagnostics[0].code}")
        return failing(rule, call, trials, seed, str(error))
    try:
        found = rule.sample(trials, seed=seed, **call)
        spreads = dict(zip(laws, found.spreads(list(laws)), strict=True))
        asked = {each: found.chance(each) for each in sample.asked}
    except rulesrun.RulesError as error:
        if error.diagnostics[0].code == "best-in-repeat":
            return Verdict(skipped="best in a repetition")
        return Verdict(skipped=f"an error that odds do not see: {error.message}")
    for key, chance in odds.joint.items():
        if wrong := apart(found.joint.get(key, 0.0), chance, trials):
            return Verdict(wrong=f"{key}: {wrong}")
    if strange := set(found.joint) - set(odds.joint):
        return Verdict(wrong=f"{strange} came up, and cannot")
    for name, law in laws.items():
        listed = dict(law.items())
        for value, chance in listed.items():
            if wrong := apart(spreads[name][value], chance, trials):
                return Verdict(wrong=f"{name} = {value}: {wrong}")
        for value in spreads[name]:
            if not law.tail and not law[value]:
                return Verdict(wrong=f"{name} = {value} came up, and cannot")
    for condition, chance in exact.items():
        if wrong := apart(asked[condition], chance, trials):
            return Verdict(wrong=f"{condition}: {wrong}")
    return Verdict(agrees=True)


TOLD = (plan.Kind.NUMBER, plan.Kind.YES_NO, plan.Kind.LABEL)


def failing(rule: rulesrun.Rule, call: dict[str, Any], trials: int, seed: int, error: str) -> Verdict:
    """Where odds meet an error a sample meets one, too, if it makes enough trials; never another kind of fault."""
    try:
        rule.sample(trials, seed=seed, **call)
    except rulesrun.RulesError:
        return Verdict(agrees=True)
    return Verdict(skipped="an error that no trial meets")


def apart(share: float, chance: Fraction, trials: int) -> str:
    """How far off a share is, as a sentence; empty if it is near enough."""
    p = float(chance)
    if abs(share - p) <= SIGMAS * sqrt(p * (1 - p) / trials) + 3 / trials:
        return ""
    return f"{share:.6f}, and the exact chance is {p:.6f}"
