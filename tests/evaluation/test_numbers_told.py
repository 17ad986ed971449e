"""Numbers as text, and how many ways there are to draw."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulesrun.evaluation.exact.drawn import number_of_draws
from rulesrun.evaluation.values import exact_text


@pytest.mark.parametrize(
    ("number", "text"),
    [(0, "0"), (7, "7"), (-12, "-12"), (Fraction(3), "3"), (Fraction(1, 2), "1/2"), (Fraction(-7, 3), "-7/3")],
)
def test_numbers_with_all_their_digits(number: int | Fraction, text: str) -> None:
    assert exact_text(number) == text


def test_numbers_longer_than_python_writes() -> None:
    assert exact_text(Fraction(10**6000 + 7, 3)) == "1" + "0" * 5999 + "7/3"


@given(st.lists(st.integers(0, 4), max_size=4), st.integers(0, 8))
def test_ways_to_draw_are_those_listed(counts: list[int], number: int) -> None:
    ways = [taken for taken in product(*(range(count + 1) for count in counts)) if sum(taken) == number]
    assert number_of_draws(counts, number) == len(ways)
