"""The random rules of `test_exact` and `test_samples`, a test for each: for runs that ask which of them sees a change
(`pytest tests/properties/singly.py`, `tests.mutants`).
"""

from __future__ import annotations

import pytest

from .compare import compare_odds, compare_rolls
from .picks import Picks
from .rules import sample
from .sampling import compare_samples
from .test_exact import EACH, PARTS
from .test_samples import TRIALS


@pytest.mark.parametrize("name", [f"exact {part}/{place}" for part in range(PARTS) for place in range(EACH)])
def test_exact_odds(name: str) -> None:
    made = sample(Picks.seeded(name))
    verdict = compare_odds(made, lower=name)
    assert not verdict.wrong, f"{made}\n{verdict.wrong}"


@pytest.mark.parametrize("name", [f"samples {part}/{place}" for part in range(3) for place in range(60)])
def test_samples(name: str) -> None:
    made = sample(Picks.seeded(name))
    verdict = compare_samples(made, TRIALS, seed=len(name))
    assert not verdict.wrong, f"{made}\n{verdict.wrong}"


@pytest.mark.parametrize("name", [f"rolls {part}/{place}" for part in range(4) for place in range(6)])
def test_rolls(name: str) -> None:
    made = sample(Picks.seeded(name))
    verdict = compare_rolls(made, 300, seed=len(name))
    assert not verdict.wrong, f"{made}\n{verdict.wrong}"
