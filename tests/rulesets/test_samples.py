"""Samples of the shipped rules, the best choices among them, against chances that were computed apart."""

from __future__ import annotations

from math import sqrt

import pytest
from tests.rulesets.oracle import QUESTIONS, Question

from rulesrun import load

TRIALS = 20_000
SIGMAS = 5


def asked() -> list[Question]:
    """One question of each shape: a rule, its settings, its policies."""
    found: dict[object, Question] = {}
    for question in QUESTIONS:
        if question.outcomes or question.laws or question.good is not None:
            parts = (question.settings, question.choose)
            shape = (question.system, question.rule, bool(question.outcomes), *(str(sorted(p.items())) for p in parts))
            found.setdefault(shape, question)
    return list(found.values())


@pytest.mark.parametrize("question", asked(), ids=str)
def test_a_sample_shows_what_was_computed_apart(question: Question) -> None:
    rule = load(question.system).with_settings(**question.settings)[question.rule]
    sample = rule.sample(TRIALS, seed=1, choose=question.choose, inputs=question.inputs, of=list(question.laws))
    compared = [(name, sample[name], float(chance)) for name, chance in question.outcomes.items()]
    for name, law in question.laws.items():
        spread = sample.of(name)
        compared += [(f"{name} {number}", spread[number], float(chance)) for number, chance in law.items()]
    if question.good is not None:
        compared.append(("good", sample.good, float(question.good)))
    assert compared
    wrong = [
        each for each in compared if abs(each[1] - each[2]) > SIGMAS * sqrt(each[2] * (1 - each[2]) / TRIALS) + 1e-4
    ]
    assert wrong == []
