"""Exact odds equal the enumerator's to the last digit, and rolls agree with them, on random rules.

Some 600 rules a run, always the same, in parts that can run side by side. A part that has used `SECONDS` of processor
time leaves the rest of its rules, so that a slow machine does not hang; other rules are for `nightly`.
"""

from __future__ import annotations

import time

import pytest
from hypothesis import HealthCheck, given, settings

from .compare import compare_odds, compare_rolls
from .picks import Picks
from .rules import Sample, sample, samples

pytestmark = pytest.mark.slow

PARTS, EACH = 8, 63
SECONDS = 18.0


@pytest.mark.parametrize("part", range(PARTS))
def test_exact_odds_of_random_rules(part: int) -> None:
    started = time.process_time()
    agreed = 0
    for place in range(EACH):
        made = sample(Picks.seeded(f"exact {part}/{place}"))
        verdict = compare_odds(made)
        assert not verdict.wrong, f"{made}\n{verdict.wrong}"
        agreed += verdict.agrees
        if time.process_time() - started > SECONDS:
            break
    assert agreed >= (place + 1) * 0.6


@settings(max_examples=15, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(samples())
def test_exact_odds_of_rules_that_hypothesis_finds(made: Sample) -> None:
    verdict = compare_odds(made, runs=400)
    assert not verdict.wrong, f"{made}\n{verdict.wrong}"


@pytest.mark.parametrize("part", range(4))
def test_rolls_of_random_rules(part: int) -> None:
    agreed = 0
    for place in range(6):
        made = sample(Picks.seeded(f"rolls {part}/{place}"))
        verdict = compare_rolls(made, 1500, seed=place)
        assert not verdict.wrong, f"{made}\n{verdict.wrong}"
        agreed += verdict.agrees
    assert agreed >= 2
