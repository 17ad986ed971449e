"""Of dice with equal faces the same one goes first in rolls, exact odds, samples and for the enumerator."""

from __future__ import annotations

from fractions import Fraction

import pytest

import rulesrun

from .compare import compare_odds, compare_rolls
from .lowered import said
from .picks import Picks
from .sampling import compare_samples
from .ties import tied

RUNS = 40_000
"""More than the ways in which the dice of any of these rules can fall."""


@pytest.mark.parametrize("part", range(4))
def test_odds(part: int) -> None:
    agree = 0
    for place in range(40):
        name = f"ties {part}/{place}"
        made = tied(Picks.seeded(name))
        verdict = compare_odds(made, RUNS, name)
        assert not verdict.wrong, f"{made}\n{verdict}\n{said(name)}"
        agree += verdict.agrees
    assert agree >= 35


@pytest.mark.parametrize(("many", "others"), [(2, 1), (3, 2), (12, 12), (40, 3)])
def test_faces_that_no_die_shows_any_more(many: int, others: int) -> None:
    text = f"""rule r
    roll p = {many}d6, reroll 4
    roll q = {others}d4
    of_p = for each die in (highest 1 of (p + q)): 1 if sides = 6 otherwise 0
"""
    below = {1: 1, 2: 2, 3: 3, 4: 3}
    q_is = {face: Fraction(face, 4) ** others - Fraction(face - 1, 4) ** others for face in range(1, 5)}
    q_first = sum(q_is[face] * Fraction(below[face], 5) ** many for face in range(1, 5))
    assert rulesrun.parse(text)["r"].odds().of("of_p").mean == 1 - q_first


@pytest.mark.parametrize("part", range(2))
def test_rolls_and_samples(part: int) -> None:
    for place in range(8):
        made = tied(Picks.seeded(f"tied rolls {part}/{place}"), may_know=False)
        for verdict in (compare_rolls(made, 400, place, RUNS), compare_samples(made, 4000, place)):
            assert verdict.agrees, f"{made}\n{verdict}"
