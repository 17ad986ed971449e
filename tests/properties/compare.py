"""Holding the package against the reference: one ruleset, one call, every number."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import pairwise
from math import sqrt
from typing import Any, TypeVar

from tests.reference import Ending, Reference, TooMany, Unruled, enumerate_rule

import rulesrun
from rulesrun.diagnostics import Source
from rulesrun.evaluation.rule_odds import RuleOdds
from rulesrun.semantics import plan
from rulesrun.syntax.parser import parse

from .lowered import lowered, said
from .rules import Sample

T = TypeVar("T")
DRAWS = (14, 5)
RUNS = 1000
BUDGET = 10_000
FURTHER = 600
SOLVED = 30
"""How many rolls are looked at of a rule whose choices are the best: each solves the rest of the rule."""
UNDECIDED = ("budget", "best-in-repeat")
"""What a roll may say where it cannot work out what is best."""
UNSOLVED = ("budget", "endless")
"""What the package may say of an endless rule; a rule that ends is to be answered."""
UNTOLD = "known-dice"
"""What it may say where nothing tells which of unlike dice was thrown first."""
OUTSIDE = "outside-domain"
"""What is given from outside is looked at before anything is rolled; the enumerator looks when it is read."""
FURTHER_ON = ("never-ends", OUTSIDE)
"""What the package may say of a rule that the enumerator did not follow to its end either."""


@dataclass(frozen=True)
class Verdict:
    """`agrees`: everything was equal. `skipped`: why nothing was compared. `wrong`: the first difference."""

    agrees: bool = False
    skipped: str = ""
    wrong: str = ""


def reference(sample: Sample, ask: tuple[str, ...] = (), runs: int = RUNS) -> Reference:
    """The reference odds with as many draws as `runs` allow; raises `TooMany` or `Unruled` where there are none."""
    file = parse(Source.of_text("sample.rules", sample.text))
    for draws in DRAWS:
        try:
            return enumerate_rule(
                file,
                sample.rule,
                sample.inputs,
                sample.settings,
                sample.choose,
                sample.aim,
                ask,
                draws,
                runs,
                sample.dice,
            )
        except TooMany:
            pass
    raise TooMany


def compiled(sample: Sample) -> rulesrun.Rule:
    ruleset = rulesrun.parse(sample.text, name="sample.rules")
    return (ruleset.with_settings(**sample.settings) if sample.settings else ruleset)[sample.rule]


def compare_odds(sample: Sample, runs: int = RUNS, lower: object = None) -> Verdict:
    """Whether exact odds equal the reference's to the last digit; `lower`: also with thresholds that are lowered."""
    try:
        rule = compiled(sample)
    except rulesrun.RulesError as refused:
        return Verdict(skipped=f"refused: {first_error(refused)}")
    try:
        wanted = reference(sample, sample.asked, runs)
    except (TooMany, Unruled) as reason:
        return Verdict(skipped=str(reason) or "too many ways")
    verdict = held(rule, sample, wanted)
    if lower is None or verdict.wrong:
        return verdict
    with lowered(lower):
        below = held(compiled(sample), sample, wanted)
    return replace(below, wrong=f"{below.wrong}\nwhere {said(lower)}") if below.wrong else verdict


def held(rule: rulesrun.Rule, sample: Sample, wanted: Reference) -> Verdict:
    """Whether the exact odds are these."""
    if wanted.rest == 1:
        return Verdict(skipped="nothing is followed to its end")
    try:
        odds = odds_of(rule, sample)
        if wanted.mistake is None:
            return (
                Verdict(agrees=True) if not (wrong := difference(rule, odds, wanted, sample)) else Verdict(wrong=wrong)
            )
        for value in rule.values:
            list(odds.of(value.name).items())
        for condition in sample.asked:
            odds.chance(condition)
    except rulesrun.RulesError as error:
        if wanted.mistake is not None:
            return Verdict(agrees=True)
        if error.file == "condition":
            return Verdict(skipped="a question that a caller may not ask")
        code = error.diagnostics[0].code
        if code == OUTSIDE and error.diagnostics[0].primary is None:
            return Verdict(skipped="an input of a rule that is not rolled")
        if code in (*UNSOLVED, UNTOLD) or (code in FURTHER_ON and wanted.rest):
            return Verdict(skipped=f"no exact odds: {code}")
        return Verdict(wrong=f"an error where there is none: {error}")
    return Verdict(wrong=f"no error where there is one: {wanted.mistake}")


def solved(ask: Callable[[], T], rest: Fraction) -> T | None:
    """The answer, or None where an endless rule has none."""
    try:
        return ask()
    except rulesrun.RulesError as error:
        if rest and error.diagnostics[0].code in UNSOLVED:
            return None
        raise


def first_error(refused: rulesrun.RulesError) -> str:
    return next(each.message for each in refused.diagnostics if each.is_error)


def odds_of(rule: rulesrun.Rule, sample: Sample, given: str | None = None) -> rulesrun.Odds:
    if sample.dice:
        asked = RuleOdds(rule.ruleset.plan, rule.plan)
        known = None if given is None else asked.condition(given)
        return asked.odds(sample.inputs, known=known, budget=BUDGET, dice=sample.dice)
    return rule.odds(inputs=sample.inputs, choose=sample.choose, aim=sample.aim, given=given, budget=BUDGET)


def asked_values(rule: rulesrun.Rule, wanted: Reference) -> list[str]:
    """The values to compare: those that both sides know."""
    known = {name for ending in wanted.law for name, value in ending.values if not isinstance(value, tuple)}
    known -= {name for ending in wanted.law for name, value in ending.values if isinstance(value, tuple)}
    kinds = (plan.Kind.NUMBER, plan.Kind.YES_NO, plan.Kind.LABEL)
    return [value.name for value in rule.values if value.name in known and value.kind in kinds]


def difference(rule: rulesrun.Rule, odds: rulesrun.Odds, wanted: Reference, sample: Sample) -> str:
    """The first number that differs, as a sentence; empty if all are equal."""
    if wanted.tied:
        return ""
    rest = wanted.rest
    laws: dict[str, tuple[dict[Any, Fraction], dict[Any, Fraction]]] = {}
    flags = [each.name for each in rule.flags if "." not in each.name]
    joint: dict[Any, Fraction] = {}
    names = ([None] if rule.outcomes else []) + [each.name for each in rule.flags]
    for key, chance in odds.joint.items():
        held = frozenset(name for name, value in zip(names, key, strict=True) if name in flags and value is True)
        place = (key[0] if rule.outcomes else None, held)
        joint[place] = joint.get(place, Fraction(0)) + chance
    laws["outcome and flags"] = (joint, wanted.outcomes)
    for name in asked_values(rule, wanted):
        theirs = solved(partial(odds.of, name), rest)
        if theirs is None:
            continue
        if theirs.tail and cut(theirs):
            return f"{name}: {theirs.tail} is cut off, and no value has it"
        listed = wanted.of(name) if rest else {*wanted.of(name), *dict(theirs.items())}
        laws[name] = ({value: theirs[value] for value in listed}, wanted.of(name))
        if not rest and not theirs.tail and all(isinstance(value, Fraction) for value in wanted.of(name)):
            mean = sum((value * chance for value, chance in wanted.of(name).items()), Fraction(0))
            if theirs.mean != mean:
                return f"mean of {name}: {theirs.mean}, and the reference says {mean}"
        if wrong := moments_differ(theirs):
            return f"{name}: {wrong}"
    for condition in sample.asked:
        yes = wanted.of(condition).get(True, Fraction(0))
        answer = solved(partial(odds.chance, condition), rest)
        if answer is not None:
            laws[condition] = ({True: answer}, {True: yes})
    for name, (got, right) in laws.items():
        if wrong := compare_laws(got, right, rest):
            return f"{name}: {wrong}"
    return "" if rest else conditional_difference(rule, wanted, sample)


def conditional_difference(rule: rulesrun.Rule, wanted: Reference, sample: Sample) -> str:
    """The first chance that differs where the first condition that is asked is known to hold."""
    for known, condition in pairwise(sample.asked):
        both = wanted.each(lambda ending: (dict(ending.values)[known], dict(ending.values)[condition]))  # noqa: B023
        sure = sum((chance for (holds, _), chance in both.items() if holds), Fraction(0))
        if sure:
            odds = solved(partial(odds_of, rule, sample, known), Fraction(0))
            answer = None if odds is None else solved(partial(odds.chance, condition), Fraction(0))
            right = both.get((True, True), Fraction(0)) / sure
            if answer not in (None, right):
                return f"{condition} given {known}: {answer}, and the reference says {right}"
    return ""


def moments_differ(theirs: rulesrun.Distribution) -> str:
    """How the mean and the variance differ from those of the listed numbers, as far as the tail lets that be seen."""
    known = dict(theirs.items())
    if not known or any(isinstance(value, bool) or not isinstance(value, int | Fraction) for value in known):
        return ""
    slack = 100 * theirs.tail * max(abs(value) for value in known) ** 2
    if slack > NEARLY:
        return ""
    try:
        mean, square = theirs.mean, theirs.variance + theirs.mean**2
    except rulesrun.RulesError:
        return ""
    for found, power in ((mean, 1), (square, 2)):
        listed = sum((value**power * chance for value, chance in known.items()), Fraction(0))
        if abs(found - listed) > slack:
            return f"the mean of its power {power} is {found}, and {listed} by what is listed"
    return ""


NEARLY = Fraction(1, 10)


def cut(theirs: rulesrun.Distribution) -> bool:
    """Whether the tail belongs to no whole number: looking at hundreds more of them does not make it less."""
    known = dict(theirs.items())
    if any(not isinstance(value, int) for value in known):
        return False
    left = 1 - sum(known.values(), Fraction(0))
    further = Fraction(0)
    for away in range(FURTHER):
        further += theirs[max(known, default=0) + away + 1] + theirs[min(known, default=0) - away - 1]
        if further * 2 >= left:
            return False
    lower, last = sorted([1, 1, *known])[-2:]
    return last % lower != 0 or theirs[last * (last // lower)] * 4 < left


def compare_laws(got: Mapping[Any, Fraction], right: Mapping[Any, Fraction], rest: Fraction) -> str:
    excess = Fraction(0)
    for value in {*got, *right}:
        more = got.get(value, Fraction(0)) - right.get(value, Fraction(0))
        if more < 0 or (more and not rest):
            return f"{value} has {got.get(value, 0)}, and the reference says {right.get(value, 0)}" + (
                f" with {rest} unlisted" if rest else ""
            )
        excess += more
    return f"{excess} more than listed, where only {rest} is left" if excess > rest else ""


def compare_rolls(sample: Sample, rolls: int, seed: int, runs: int = RUNS) -> Verdict:
    """Whether rolls show what the reference says can happen, as often as it says (within 5 sigma)."""
    try:
        rule = compiled(sample)
        wanted = reference(sample, (), runs)
    except rulesrun.RulesError as refused:
        return Verdict(skipped=f"refused: {first_error(refused)}")
    except (TooMany, Unruled) as reason:
        return Verdict(skipped=str(reason) or "too many ways")
    if sample.aim or wanted.tied:
        return Verdict(skipped="a roll is told no aim" if sample.aim else "several choices are best")
    if any(policy in ("best", "worst") for policy in policies_of(rule, sample)):
        rolls = min(rolls, SOLVED)
    names = asked_values(rule, wanted)

    def ending_of(end: Ending) -> Any:
        return "error" if end.mistake else (end.outcome, end.flags, tuple(dict(end.values)[name] for name in names))

    law = wanted.each(ending_of)
    seen: dict[Any, int] = {}
    for place in range(rolls):
        try:
            roll = rule.roll(inputs=sample.inputs, choose=sample.choose, seed=seed * 1_000_003 + place)
        except rulesrun.RulesError as error:
            if error.diagnostics[0].code in UNDECIDED:
                return Verdict(skipped=f"no decision: {error.diagnostics[0].code}")
            if wanted.mistake is None and not wanted.rest:
                return Verdict(wrong=f"a roll fails where none can: {error}")
            seen["error"] = seen.get("error", 0) + 1
            continue
        flags = frozenset(name for name in roll.flags if "." not in name)
        ending = (roll.outcome, flags, tuple(roll.values[name] for name in names))
        if ending not in law and not wanted.rest:
            return Verdict(wrong=f"a roll shows what cannot happen: {names} {ending}")
        seen[ending] = seen.get(ending, 0) + 1
    for ending, chance in law.items():
        slack = rolls * wanted.rest
        many, expected = seen.get(ending, 0), rolls * chance
        sigma = 5 * sqrt(float(rolls * chance * (1 - chance))) + 3
        if many < expected - sigma or many > expected + slack + sigma:
            return Verdict(wrong=f"{names} {ending}: {many} of {rolls} rolls, and {float(expected):.1f} are expected")
    return Verdict(agrees=True)


def policies_of(rule: rulesrun.Rule, sample: Sample) -> list[str]:
    from rulesrun.evaluation.walk import all_steps

    written = {step.name: step.policy.word for step in all_steps(rule.plan.steps) if isinstance(step, plan.Choice)}
    return [*written.values(), *sample.choose.values()]
