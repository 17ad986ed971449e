"""200,000 rolls of each rule that rolls, in every setting, against the exact chances."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from math import sqrt
from random import Random
from typing import Any

import pytest
from tests.rulesets.oracle import QUESTIONS, Question

from rulesrun import load

ROLLS = 200_000
SIGMAS = 5


def told_apart(question: Question) -> tuple[object, ...]:
    """What makes two questions ask the same program for the same thing."""
    yes_no = {name: value for name, value in question.inputs.items() if isinstance(value, bool)}
    parts = (question.settings, question.choose, yes_no)
    return (question.system, question.rule, bool(question.outcomes), *(tuple(sorted(part.items())) for part in parts))


def worth(question: Question) -> tuple[bool, bool, bool, int, Fraction]:
    """Luck, advantage, a member's cap and unlike members at work, and chances that are neither small nor nearly one."""
    inputs = question.inputs
    damaged = zip(inputs.get("sizes", [0]), inputs.get("drone_damages", [1]), strict=True)
    laws: list[Mapping[Any, Fraction]] = [question.outcomes, *question.laws.values()]
    chances = [chance for law in laws for chance in law.values()]
    return (
        inputs.get("luck", 1) > 0,
        inputs.get("advantages", 1) != inputs.get("disadvantages", 0),
        any(damage > size for size, damage in damaged),
        len(set(inputs.get("party", []))),
        sum((chance * (1 - chance) for chance in chances), Fraction(0)),
    )


def sampled() -> list[Question]:
    best: dict[tuple[object, ...], Question] = {}
    for question in QUESTIONS:
        if (question.outcomes or question.laws or question.good) and "best" not in question.choose.values():
            key = told_apart(question)
            best[key] = max(best.get(key, question), question, key=worth)
    return list(best.values())


@pytest.mark.slow
@pytest.mark.parametrize("question", sampled(), ids=str)
def test_rolls_fall_as_the_odds_say(question: Question) -> None:
    rule = load(question.system).with_settings(**question.settings)[question.rule]
    choose = rule.policies(question.choose)
    random = Random(f"{question}")
    outcomes: Counter[str | None] = Counter()
    numbers: dict[str, Counter[object]] = {name: Counter() for name in question.laws}
    good = 0
    for _ in range(ROLLS):
        roll = rule.roll(rng=random, choose=choose, inputs=question.inputs)
        outcomes[roll.outcome] += 1
        good += roll.good is True
        for name, seen in numbers.items():
            seen[roll.values[name]] += 1
    compared = [(name, outcomes[name], chance) for name, chance in question.outcomes.items()]
    for name, law in question.laws.items():
        compared += [(f"{name} {number}", numbers[name][number], chance) for number, chance in law.items()]
    if question.good is not None:
        compared.append(("good", good, question.good))
    assert compared
    assert [wrong for wrong in compared if not within_chance(*wrong[1:])] == []


def within_chance(seen: int, chance: Fraction) -> bool:
    expected = float(chance) * ROLLS
    return abs(seen - expected) <= SIGMAS * sqrt(expected * float(1 - chance))
