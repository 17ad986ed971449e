"""Operators and functions on concrete values."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulesrun.diagnostics import RulesError, Source, Span
from rulesrun.evaluation import operations
from rulesrun.evaluation.values import Approximate, Several, Value
from rulesrun.limits import USUAL
from rulesrun.semantics.plan import Arithmetic, Compare, Const, Function, Kind, Negative

SOURCE = Source.of_text("test.rules", "left right whole")
LEFT, RIGHT, WHOLE = Span(SOURCE, 0, 4), Span(SOURCE, 5, 10), Span(SOURCE, 11, 16)
A, B = Const(LEFT, Kind.NUMBER, False, 0), Const(RIGHT, Kind.NUMBER, False, 0)
exact = st.one_of(st.integers(-50, 50), st.fractions(-50, 50, max_denominator=12))


def arithmetic(left: Value, operator: str, right: Value) -> Value:
    return operations.arithmetic(left, right, Arithmetic(WHOLE, Kind.NUMBER, False, operator, A, B))  # type: ignore[arg-type]


def compare(left: Value, operator: str, right: Value) -> bool:
    return operations.compare(left, right, Compare(WHOLE, Kind.YES_NO, False, operator, A, B))  # type: ignore[arg-type]


def function(name: str, *values: Value) -> Value:
    arguments = tuple(A for _ in values)
    return operations.function(values, Function(WHOLE, Kind.NUMBER, False, name, arguments))  # type: ignore[arg-type]


@given(exact, exact)
def test_arithmetic_is_exact_and_whole_numbers_are_ints(a: int | Fraction, b: int | Fraction) -> None:
    for operator, wanted in (("+", a + b), ("-", a - b), ("*", a * b), ("/", Fraction(a) / b if b else None)):
        if wanted is None:
            continue
        found = arithmetic(a, operator, b)
        assert found == wanted
        assert isinstance(found, int) == (Fraction(wanted).denominator == 1)


@given(exact, st.integers(-6, 6))
def test_whole_powers_are_exact(base: int | Fraction, exponent: int) -> None:
    if base == 0 and exponent < 0:
        with pytest.raises(RulesError, match="division by zero"):
            arithmetic(base, "^", exponent)
    else:
        assert arithmetic(base, "^", exponent) == Fraction(base) ** exponent


@given(exact, exact)
def test_comparisons(a: int | Fraction, b: int | Fraction) -> None:
    assert [compare(a, each, b) for each in ("=", "!=", "<", "<=", ">", ">=")] == [
        a == b, a != b, a < b, a <= b, a > b, a >= b,
    ]  # fmt: skip


@given(exact)
def test_rounding(a: int | Fraction) -> None:
    down, up = function("round_down", a), function("round_up", a)
    assert isinstance(down, int) and isinstance(up, int)
    assert down <= a < down + 1
    assert up - 1 < a <= up


@given(exact, exact, exact)
def test_functions(a: int | Fraction, b: int | Fraction, c: int | Fraction) -> None:
    assert function("min", a, b, c) == min(a, b, c)
    assert function("max", a, b, c) == max(a, b, c)
    assert function("abs", a) == (a if a >= 0 else -a)
    if b <= c:
        assert function("clamp", a, b, c) == sorted([a, b, c])[1]
    else:
        with pytest.raises(RulesError, match="nothing lies between"):
            function("clamp", a, b, c)


def test_powers_that_are_not_whole_are_approximate_and_marked() -> None:
    root = arithmetic(2, "^", Fraction(1, 2))
    assert isinstance(root, Approximate)
    assert abs(root.value - Decimal("1.41421356237309504880168872420969807856967")) < Decimal("1e-35")
    assert str(root) == "about 1.41421"
    doubled = arithmetic(root, "*", root)
    assert isinstance(doubled, Approximate)
    assert str(doubled) == "about 2"
    assert operations.negative(root, Negative(WHOLE, Kind.NUMBER, False, A)) == Approximate(-root.value)


@pytest.mark.parametrize("operator", ["<", "<=", ">", ">=", "=", "!="])
def test_an_approximate_value_decides_nothing(operator: str) -> None:
    with pytest.raises(RulesError, match="only approximate"):
        compare(Approximate(Decimal(2)), operator, 2)
    with pytest.raises(RulesError, match="only approximate"):
        function("round_down", Approximate(Decimal("2.5")))


def test_none_equals_only_none() -> None:
    assert compare(None, "=", None)
    assert not compare(None, "=", 0)
    assert compare(0, "!=", None)
    assert compare("calm", "!=", None)


@pytest.mark.parametrize(
    ("left", "operator", "right", "message", "column"),
    [
        (None, "+", 1, "`left` is none here, and a number is needed", 1),
        (1, "*", None, "`right` is none here, and a number is needed", 6),
        (True, "+", 1, "`left` is yes here, and a number is needed", 1),
        (1, "/", 0, "division by zero: `right` is 0 here", 6),
        (0, "^", -1, "division by zero: `left` is 0 here", 1),
        (-2, "^", Fraction(1, 2), "a negative number (-2) has no power of 1/2", 12),
        (10, "^", 10**10, "a number of about", 12),
        (2 ** (USUAL.number_bits - 1), "*", 2, "the limit is 1,228", 12),
        (Several("grade", ("low", "high")), "+", 1, "several rows of grade fit here (low and high)", 1),
    ],
)
def test_errors_name_the_value_and_its_place(
    left: Value, operator: str, right: Value, message: str, column: int
) -> None:
    with pytest.raises(RulesError) as caught:
        arithmetic(left, operator, right)
    assert message in caught.value.message
    assert caught.value.column == column


def test_huge_powers_are_refused_before_they_are_worked_out() -> None:
    for base, exponent in ((10, 10**9), (Fraction(1, 3), -(10**9)), (-7, 10**18)):
        with pytest.raises(RulesError, match="the limit is 1,228"):
            arithmetic(base, "^", exponent)
    assert arithmetic(1, "^", 10**30) == 1
    assert arithmetic(-1, "^", 10**30 + 1) == -1
    assert arithmetic(0, "^", 0) == 1


@pytest.mark.parametrize(
    ("left", "operator", "right", "message", "column"),
    [
        (Several("grade", ("low", "high")), "=", 1, "several rows of grade fit here", 1),
        (1, "!=", Several("grade", ("low", "high")), "several rows of grade fit here", 6),
        (None, "<", 1, "`left` is none here", 1),
        (1, ">=", None, "`right` is none here", 6),
        (1, "=", Approximate(Decimal(2)), "only approximate", 6),
        (True, "<", 1, "`left` is yes here", 1),
    ],
)
def test_what_cannot_be_compared(left: Value, operator: str, right: Value, message: str, column: int) -> None:
    with pytest.raises(RulesError, match=message) as caught:
        compare(left, operator, right)
    assert caught.value.column == column


def test_yes_is_no_number() -> None:
    assert not compare(True, "=", 1)
    assert not compare(0, "=", False)
    assert compare(True, "=", True)
