"""Samples agree with the exact odds on random rules, always the same ones; every construct is sampled in some of them.

A part that has used `SECONDS` of processor time leaves the rest of its rules; other rules are for `nightly`.
"""

from __future__ import annotations

import time

import pytest

import rulesrun
from rulesrun.diagnostics import Source
from rulesrun.syntax.parser import parse

from .compare import compiled
from .constructs import constructs_of, every_construct
from .picks import Picks
from .rules import Sample, sample, seeded
from .sampling import compare_samples

PARTS, EACH, TRIALS = 6, 60, 4000
SECONDS = 20.0
MANY = 600


def judged(part: str, rules: int, seconds: float) -> tuple[int, int]:
    """How many rules of a part were tried, and how many agreed."""
    started, agreed = time.process_time(), 0
    for place in range(rules):
        made = sample(Picks.seeded(f"{part}/{place}"))
        verdict = compare_samples(made, TRIALS, seed=place)
        assert not verdict.wrong, f"{made}\n{verdict.wrong}"
        agreed += verdict.agrees
        if time.process_time() - started > seconds:
            break
    return place + 1, agreed


def test_some_random_rules() -> None:
    tried, agreed = judged("few samples", 25, 10.0)
    assert agreed >= tried * 0.6


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_samples_of_random_rules(part: int) -> None:
    tried, agreed = judged(f"samples {part}", EACH, SECONDS)
    assert agreed >= tried * 0.6


@pytest.mark.slow
def test_every_construct_is_sampled() -> None:
    """In few trials each, without comparing: what a construct means is compared above."""
    reached: set[str] = set()
    for place, made in enumerate(seeded(1, MANY)):
        if runs(made, place):
            reached |= constructs_of(parse(Source.of_text("sample.rules", made.text)))
    assert set(every_construct()) - reached == set()


def runs(made: Sample, seed: int) -> bool:
    """Whether a rule is sampled without an error of its own."""
    try:
        compiled(made).sample(50, seed=seed, inputs=made.inputs, choose=made.choose, aim=made.aim)
    except rulesrun.RulesError:
        return False
    return True
