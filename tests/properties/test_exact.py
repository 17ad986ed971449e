"""Exact odds equal the enumerator's to the last digit, and rolls agree with them, on random rules.

Some 500 rules in every run, half of them with thresholds `lowered`; with the slow tests 200 more, larger and in both
ways, rules beside known dice, games without end and rolls. They are always the same, in parts that can run side by
side. A part that has used `SECONDS` of processor time leaves the rest of its rules, so that a slow machine does not
hang; other rules are for `nightly`.
"""

from __future__ import annotations

import time
from contextlib import nullcontext

import pytest
from hypothesis import HealthCheck, given, settings

from .compare import compare_odds, compare_rolls
from .games import compare_best, game
from .lowered import lowered, said
from .nightly import judge
from .picks import Picks
from .rules import Sample, sample, samples

PARTS, EACH = 8, 63
SECONDS = 30.0
FEW_RUNS = 300
"""So many ways through a rule are followed where there is less time."""


@pytest.mark.parametrize("part", range(PARTS))
def test_exact_odds_of_random_rules(part: int) -> None:
    started = time.process_time()
    agreed = 0
    for place in range(EACH):
        name = f"exact {part}/{place}"
        made = sample(Picks.seeded(name))
        small = place % 2 == 1
        with lowered(name) if small else nullcontext():
            verdict = compare_odds(made, FEW_RUNS)
        assert not verdict.wrong, f"{made}\n{verdict.wrong}\n{said(name) if small else ''}"
        agreed += verdict.agrees
        if time.process_time() - started > SECONDS:
            break
    assert agreed >= (place + 1) * 0.5


@pytest.mark.slow
@pytest.mark.parametrize("part", range(4))
@pytest.mark.parametrize(("what", "many", "least"), [("odds", 50, 30), ("known", 40, 16)])
def test_exact_odds_of_larger_rules_and_beside_known_dice(what: str, many: int, least: int, part: int) -> None:
    agreed = 0
    for place in range(many):
        name = f"{what} {part}/{place}"
        verdict = judge([what], name)[1][what]
        assert not verdict.wrong, f"{sample(Picks.seeded(name))}\n{verdict.wrong}"
        agreed += verdict.agrees
    assert agreed >= least


@pytest.mark.slow
@pytest.mark.parametrize("part", range(4))
def test_games_without_end_are_played_as_well_as_can_be(part: int) -> None:
    for place in range(10):
        assert not compare_best(game(Picks.seeded(f"game {part}/{place}")))


@pytest.mark.slow
@settings(max_examples=15, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(samples())
def test_exact_odds_of_rules_that_hypothesis_finds(made: Sample) -> None:
    verdict = compare_odds(made, runs=400)
    assert not verdict.wrong, f"{made}\n{verdict.wrong}"


@pytest.mark.slow
@pytest.mark.parametrize("part", range(4))
def test_rolls_of_random_rules(part: int) -> None:
    agreed = 0
    for place in range(6):
        made = sample(Picks.seeded(f"rolls {part}/{place}"))
        verdict = compare_rolls(made, 1500, seed=place)
        assert not verdict.wrong, f"{made}\n{verdict.wrong}"
        agreed += verdict.agrees
    assert agreed >= 2
