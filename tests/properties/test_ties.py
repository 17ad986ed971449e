"""Of dice with equal faces the same one goes first in rolls, exact odds, samples and for the enumerator."""

from __future__ import annotations

import pytest

from .compare import compare_odds, compare_rolls
from .lowered import said
from .picks import Picks
from .sampling import compare_samples
from .ties import tied

RUNS = 40_000
"""More than the ways in which the dice of any of these rules can fall."""


@pytest.mark.parametrize("part", range(4))
def test_odds(part: int) -> None:
    for place in range(40):
        name = f"ties {part}/{place}"
        made = tied(Picks.seeded(name))
        verdict = compare_odds(made, RUNS, name)
        assert verdict.agrees, f"{made}\n{verdict}\n{said(name)}"


@pytest.mark.parametrize("part", range(2))
def test_rolls_and_samples(part: int) -> None:
    for place in range(8):
        made = tied(Picks.seeded(f"tied rolls {part}/{place}"), may_know=False)
        for verdict in (compare_rolls(made, 400, place, RUNS), compare_samples(made, 4000, place)):
            assert verdict.agrees, f"{made}\n{verdict}"
