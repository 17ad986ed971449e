"""Values from outside: texts and Python values, judged by a domain."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.semantics.compiling import rule

from rulesrun.diagnostics import RulesError
from rulesrun.semantics import plan
from rulesrun.semantics.inputs import accept, domain_text, read_value

LEVELS: dict[str, dict[str, plan.Number]] = {"difficulties": {"easy": 8, "medium": 10, "half": Fraction(1, 2)}}


def domain(written: str) -> plan.Domain:
    """The domain that a text writes."""
    items = "levels difficulties\n    easy 8\n    medium 10\n"
    return rule(f"given x: {written}\ny = 1 if x = none otherwise 2", items).inputs[0].domain


@pytest.mark.parametrize(
    ("written", "text", "value"),
    [
        ("0..5", "3", 3),
        ("0..5", " 5 ", 5),
        ("..", "-2", -2),
        ("..", "−2", -2),
        ("..", "+2", 2),
        ("..", "4/2", 2),
        ("..", "300%", 3),
        ("0..5 or none", "none", None),
        ("yes or no", "yes", True),
        ("yes or no", "no", False),
        ("yes or no or none", "none", None),
        ("one of focus, specialty", "focus", "focus"),
        ("one of 4, 6, 8", "6", 6),
        ("difficulties", "medium", 10),
        ("difficulties", "7/2", Fraction(7, 2)),
        ("list of 0..", "2,0,3", (2, 0, 3)),
        ("list of 0..", "[2, 0, 3]", (2, 0, 3)),
        ("list of 0..", "", ()),
        ("list of one of calm, wild", "calm,wild", ("calm", "wild")),
        ("list of 0.. or none", "none", None),
    ],
)
def test_a_text_is_read_as_the_domain_means_it(written: str, text: str, value: plan.Constant) -> None:
    read = read_value(domain(written), text, LEVELS)
    assert read == value and type(read) is type(value)


@pytest.mark.parametrize(
    ("written", "text", "message"),
    [
        ("0..5", "6", "6 is not a whole number from 0 to 5"),
        ("0..5", "none", "none is not a whole number from 0 to 5"),
        ("0.. or none", "-1", "-1 is not a whole number of 0 or more, or none"),
        ("..5", "6", "6 is not a whole number of 5 or less"),
        ("..", "1/2", "0.5 is not a whole number"),
        ("..", "1/0", "`1/0` is not a whole number"),
        ("..", "three", "`three` is not a whole number"),
        ("..", "³", "`³` is not a whole number"),
        ("..", "yes", "yes is not a whole number"),
        ("..", "", "`` is not a whole number"),
        ("yes or no", "1", "1 is not yes or no"),
        ("yes or no", "true", "`true` is not yes or no"),
        ("one of focus, specialty or none", "focsu", "`focsu` is not focus, specialty or none"),
        ("one of 4, 6", "5", "5 is not 4 or 6"),
        ("difficulties", "esy", "`esy` is not easy (8), medium (10), half (1/2) or any number"),
        ("list of 0..", "2,-1", "-1 is not a whole number of 0 or more"),
        ("list of 0..", "2,,1", "`` is not a whole number of 0 or more"),
    ],
)
def test_an_error_names_the_domain_in_words(written: str, text: str, message: str) -> None:
    with pytest.raises(RulesError) as caught:
        read_value(domain(written), text, LEVELS)
    assert caught.value.message == message


def test_a_near_label_is_named() -> None:
    with pytest.raises(RulesError) as caught:
        read_value(domain("one of focus, specialty"), "focsu", LEVELS)
    assert caught.value.hint == "did you mean focus?"


@pytest.mark.parametrize(
    ("written", "value", "accepted"),
    [
        ("0..5", 3, 3),
        ("0..5", Fraction(4, 2), 2),
        ("yes or no", True, True),
        ("difficulties", "easy", 8),
        ("difficulties", Fraction(1, 3), Fraction(1, 3)),
        ("list of 0..", [1, 2], (1, 2)),
        ("list of 0..", range(3), (0, 1, 2)),
        ("0..5 or none", None, None),
    ],
)
def test_a_python_value_is_taken_as_it_is(written: str, value: object, accepted: plan.Constant) -> None:
    found = accept(domain(written), value, LEVELS)
    assert found == accepted and type(found) is type(accepted)


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("0..5", True),
        ("0..5", 2.0),
        ("0..5", Decimal(2)),
        ("0..5", "2"),
        ("0..5", None),
        ("0..5", [2]),
        ("yes or no", 1),
        ("yes or no", "yes"),
        ("list of 0..", 3),
        ("list of 0..", "1,2"),
        ("one of 4, 6", True),
        ("one of focus, specialty", 1),
    ],
)
def test_a_python_value_of_another_type_is_refused(written: str, value: object) -> None:
    with pytest.raises(RulesError):
        accept(domain(written), value, LEVELS)


def test_floating_point_is_explained() -> None:
    with pytest.raises(RulesError, match=r"2\.0 \(a floating-point number; give an int\)"):
        accept(domain("0..5"), 2.0, LEVELS)


@given(st.integers(), st.integers(), st.integers())
def test_evaluated_bounds_are_inclusive(value: int, low: int, high: int) -> None:
    try:
        assert accept(domain(".."), value, {}, low, high) == value
        assert low <= value <= high
    except RulesError as error:
        assert not low <= value <= high
        assert str(low) in error.message or abs(low) >= 10**40


@given(st.text(max_size=30))
def test_no_text_breaks_the_reading(text: str) -> None:
    for written in ("0..5", "yes or no", "one of a, b", "difficulties", "list of 0.. or none"):
        try:
            read_value(domain(written), text, LEVELS)
        except RulesError as error:
            assert error.message


def test_a_million_digits_are_refused_quickly() -> None:
    with pytest.raises(RulesError):
        read_value(domain(".."), "9" * 1_000_000, LEVELS)


def test_domains_in_words() -> None:
    assert domain_text(domain("0..5 or none")) == "a whole number from 0 to 5, or none"
    assert domain_text(domain("0..5"), low=1, high=3) == "a whole number from 1 to 3"
    assert domain_text(domain("list of 0..")) == "a list, each item a whole number of 0 or more"
    assert domain_text(domain("difficulties"), LEVELS) == "easy (8), medium (10), half (1/2) or any number"
    assert domain_text(plan.FacesDomain()) == "faces such as 6..10"
    assert domain_text(plan.NumberDomain(None, None, False, False)) == "a number"
