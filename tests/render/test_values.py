"""Numbers for people are rounded correctly and never look certain when they are not."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulesrun.render.odds import points
from rulesrun.render.values import decimal, deviation, percent


@pytest.mark.parametrize(
    ("chance", "text"),
    [
        (Fraction(0), "0%"),
        (Fraction(1), "100%"),
        (Fraction(1, 3), "33.33%"),
        (Fraction(2, 3), "66.67%"),
        (Fraction(1, 10**9), "<0.01%"),
        (1 - Fraction(1, 10**9), ">99.99%"),
        (Fraction(1, 10**400), "<0.01%"),
    ],
)
def test_percent(chance: Fraction, text: str) -> None:
    assert percent(chance) == text


@pytest.mark.parametrize(
    ("sd", "text"),
    [
        (0.0, "0.000"),
        (2.0, "2.000"),
        (0.001, "0.001"),
        (0.0005, "0.001"),
        (0.000499, "4.99e-04"),
        (3.2e-8, "3.20e-08"),
        (123456789.1234, "123456789.123"),
        (1.707825127659933e40, "1.71e+40"),
    ],
)
def test_a_deviation_is_never_none_that_is_some_and_has_no_made_up_digits(sd: float, text: str) -> None:
    assert deviation(sd) == text


@given(st.fractions(0, 1))
def test_a_percentage_is_within_half_of_its_last_digit(chance: Fraction) -> None:
    text = percent(chance)
    if text[0] not in "<>":
        assert abs(Fraction(text.rstrip("%")) - 100 * chance) <= Fraction(1, 200)
    assert (text == "0%") == (chance == 0)
    assert (text == "100%") == (chance == 1)


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (Fraction(0), "0"),
        (Fraction(9, 2), "4.5"),
        (Fraction(1, 3), "~0.3333"),
        (Fraction(-2, 3), "~-0.6667"),
        (Fraction(1, 10**6), "~1.00e-06"),
        (3, "3"),
    ],
)
def test_decimal(number: Fraction | int, text: str) -> None:
    assert decimal(number) == text


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (Fraction(0), "0%"),
        (Fraction(1, 10), "+10.00%"),
        (Fraction(-1, 10), "-10.00%"),
        (Fraction(-1, 10**7), "<-0.01%"),
        (Fraction(1, 10**7), "<+0.01%"),
    ],
)
def test_changes_have_signs(change: Fraction, text: str) -> None:
    assert points(change) == text
