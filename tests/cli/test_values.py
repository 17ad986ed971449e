"""Values as people type them."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulesrun.cli.values import Scalar, faces_of, list_of, one_value, scalar, sweep_of
from rulesrun.diagnostics import RulesError


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("3", 3),
        ("-1", -1),
        ("+2", 2),
        ("−2", -2),
        ("1/2", Fraction(1, 2)),
        ("4/2", 2),
        ("0.25", Fraction(1, 4)),
        ("35%", Fraction(7, 20)),
        ("100%", 1),
        ("yes", True),
        ("no", False),
        ("none", None),
        ("medium", "medium"),
        ("1e9", "1e9"),
        ("", ""),
    ],
)
def test_scalars(text: str, value: Scalar) -> None:
    assert scalar(text) == value
    assert type(scalar(text)) is type(value)


@given(st.fractions())
def test_every_fraction_is_read_as_written(number: Fraction) -> None:
    assert scalar(str(number)) == number


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("3", [3]),
        ("1,2,5", [1, 2, 5]),
        ("0..3", [0, 1, 2, 3]),
        ("-1..1,4", [-1, 0, 1, 4]),
        ("easy, hard", ["easy", "hard"]),
        ("none,0", [None, 0]),
    ],
)
def test_sweeps(text: str, values: list[Scalar]) -> None:
    assert list(sweep_of("x", text)) == values


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("5..1", "x=5..1 is an empty range: 1 is below 5"),
        ("0..10000000000000", "x=0..10000000000000 sweeps over more than 100,000 values"),
        ("1,,2", "x=1,,2 lacks a value"),
        ("", "x= lacks a value"),
        ("1/0", "1/0 divides by zero"),
        ("9" * 5000, "99999999999999999999… is too long a number: 5,000 digits, where at most 1,000 are read"),
    ],
)
def test_what_is_no_value(text: str, message: str) -> None:
    with pytest.raises(RulesError) as raised:
        sweep_of("x", text)
    assert raised.value.message == message


def test_a_list_is_one_value_only_where_a_list_belongs() -> None:
    assert one_value("party", "2,0,3", is_list=True) == [2, 0, 3]
    assert one_value("party", "2", is_list=True) == [2]
    assert one_value("party", "", is_list=True) == []
    assert one_value("needed", "2", is_list=False) == 2
    with pytest.raises(RulesError, match="needed=1,2 are several values"):
        one_value("needed", "1,2", is_list=False)
    assert list_of("[1, 2]") == [1, 2]


def test_faces_are_numbers_or_symbols() -> None:
    assert faces_of(["10", " success & advantage", "-1"]) == [10, "success & advantage", -1]
