"""Chances of outcomes and flags are part of the odds: to ask for them as conditions computes nothing again."""

from __future__ import annotations

from fractions import Fraction
from unittest.mock import patch

import rulesrun
from rulesrun.evaluation.exact.question import ExactQuestion

TEXT = """rule r
    roll p = d6
    flag odd if p in odd
    outcome
        + high if p >= 5
        ~ middle if p >= 3
        - low otherwise
"""


def test_outcomes_and_flags_are_not_worked_out_again() -> None:
    odds = rulesrun.parse(TEXT)["r"].odds()
    with patch.object(ExactQuestion, "answer", side_effect=AssertionError):
        assert odds.chance("outcome is (high or low)") == Fraction(2, 3)
        assert odds.chance("odd") == Fraction(1, 2)


def test_nor_where_something_is_given() -> None:
    odds = rulesrun.parse(TEXT)["r"].odds(given="p > 1")
    assert odds.chance("outcome is low") == Fraction(1, 5)
    assert odds.chance("odd") == Fraction(2, 5)
    assert odds.chance("outcome is not low") == Fraction(4, 5)
