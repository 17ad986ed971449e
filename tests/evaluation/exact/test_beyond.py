"""Numbers beyond a bound: what is said of them holds for each of them, and what holds for all of them is said."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulesrun.evaluation.exact.beyond import Beyond, Lost, arithmetic, better, compared, function, row_for, total_of
from rulesrun.semantics import plan

Number = int | Fraction
STEPS = [Fraction(half, 2) for half in range(20)]
numbers = st.integers(-4, 4) | st.sampled_from([Fraction(half, 2) for half in range(-5, 6)])
beyond = st.builds(Beyond, numbers, st.booleans())
UP, DOWN = True, False


def some(value: Any) -> list[Number]:
    """The number itself, or its bound and others beyond it."""
    if not isinstance(value, Beyond):
        return [value]
    return [value.bound + step if value.above else value.bound - step for step in STEPS]


def fits(value: Any, number: Number) -> bool:
    if not isinstance(value, Beyond):
        return bool(value == number)
    return number >= value.bound if value.above else number <= value.bound


def worked(apply: Callable[..., Any], values: Sequence[Any]) -> Any:
    """What the bounds say, None where they say nothing."""
    try:
        return apply(*values)
    except Lost:
        return None


ARITHMETIC: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": lambda a, b: Fraction(a) / b,
}


@given(st.sampled_from(list(ARITHMETIC)), beyond, numbers | beyond, st.booleans())
def test_arithmetic_holds_for_all_numbers_beyond(sign: str, one: Beyond, other: Any, swapped: bool) -> None:
    left, right = (other, one) if swapped else (one, other)
    found = worked(arithmetic, (left, right, sign))
    if found is None:
        return
    reached = {ARITHMETIC[sign](a, b) for a in some(left) for b in some(right)}
    assert all(fits(found, number) for number in reached)
    assert not isinstance(found, Beyond) or found.bound in reached


@given(st.integers(-3, 4), st.integers(-2, 4), st.booleans(), st.sampled_from(["base", "exponent", "both"]))
def test_powers_hold_for_all_numbers_beyond(base: int, exponent: int, above: bool, which: str) -> None:
    left = Beyond(base, above) if which != "exponent" else base
    right = Beyond(exponent, above) if which != "base" else exponent
    found = worked(arithmetic, (left, right, "^"))
    whole = [number for number in some(right) if number == int(number)][:5]
    if found is not None:
        reached = [Fraction(a) ** int(b) for a in some(left) for b in whole]
        assert all(fits(found, number) for number in reached)
        assert found.bound in reached


@pytest.mark.parametrize(
    ("left", "sign", "right", "known"),
    [
        (Beyond(3, UP), "+", 2, Beyond(5, UP)),
        (2, "+", Beyond(3, DOWN), Beyond(5, DOWN)),
        (Beyond(3, UP), "+", Beyond(4, UP), Beyond(7, UP)),
        (Beyond(3, UP), "+", Beyond(4, DOWN), None),
        (2, "-", Beyond(3, UP), Beyond(-1, DOWN)),
        (Beyond(3, UP), "-", Beyond(4, DOWN), Beyond(-1, UP)),
        (Beyond(3, UP), "*", -2, Beyond(-6, DOWN)),
        (0, "*", Beyond(3, UP), 0),
        (Beyond(3, UP), "*", Beyond(0, UP), Beyond(0, UP)),
        (Beyond(-1, UP), "*", Beyond(3, UP), None),
        (Beyond(3, UP), "/", -1, Beyond(-3, DOWN)),
        (Beyond(3, UP), "/", 2, Beyond(Fraction(3, 2), UP)),
        (Beyond(3, UP), "/", 0, None),
        (6, "/", Beyond(3, UP), Beyond(2, DOWN)),
        (6, "/", Beyond(-3, DOWN), Beyond(-2, UP)),
        (6, "/", Beyond(0, UP), None),
        (6, "/", Beyond(-3, UP), None),
        (Beyond(6, UP), "/", Beyond(3, UP), None),
        (Beyond(3, UP), "^", 2, Beyond(9, UP)),
        (Beyond(0, UP), "^", 1, Beyond(0, UP)),
        (Beyond(3, UP), "^", 0, None),
        (Beyond(3, DOWN), "^", 2, None),
        (2, "^", Beyond(3, UP), Beyond(8, UP)),
        (1, "^", Beyond(3, UP), Beyond(1, UP)),
        (Fraction(1, 2), "^", Beyond(3, UP), None),
        (2, "^", Beyond(3, DOWN), None),
        (Beyond(3, UP), "+", "a word", None),
        (Beyond(3, UP), "+", True, None),
    ],
)
def test_what_arithmetic_keeps(left: Any, sign: str, right: Any, known: Any) -> None:
    assert worked(arithmetic, (left, right, sign)) == known


COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    "=": operator.eq,
    "!=": operator.ne,
    ">=": operator.ge,
    ">": operator.gt,
}


@given(st.sampled_from(list(COMPARISONS)), beyond, numbers | beyond, st.booleans())
def test_a_comparison_is_decided_where_all_numbers_agree(sign: str, one: Beyond, other: Any, swapped: bool) -> None:
    left, right = (other, one) if swapped else (one, other)
    verdicts = {COMPARISONS[sign](a, b) for a in some(left) for b in some(right)}
    assert worked(compared, (left, right, sign)) == (verdicts.pop() if len(verdicts) == 1 else None)


@given(numbers | beyond, numbers | beyond)
def test_totals_and_which_is_better(left: Any, right: Any) -> None:
    total, higher = worked(total_of, (left, right)), worked(better, (left, right))
    assert total is None or all(fits(total, a + b) for a in some(left) for b in some(right))
    verdicts = {a > b for a in some(left) for b in some(right)}
    assert higher == (verdicts.pop() if len(verdicts) == 1 else None)


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "round_up": lambda a: -((-a) // 1),
    "round_down": lambda a: a // 1,
    "abs": abs,
    "max": lambda *a: max(a),
    "min": lambda *a: min(a),
    "clamp": lambda a, low, high: max(low, min(high, a)),
    "remainder": lambda a, b: a % (b or 1),
}
SIZES = {"round_up": 1, "round_down": 1, "abs": 1, "clamp": 3, "remainder": 2}


@given(st.sampled_from(list(FUNCTIONS)), st.data())
def test_functions_hold_for_all_numbers_beyond(name: str, data: st.DataObject) -> None:
    values: list[Any] = [data.draw(beyond)]
    values += [data.draw(numbers | beyond) for _ in range(SIZES.get(name, data.draw(st.integers(1, 3))) - 1)]
    values = data.draw(st.permutations(values))
    found = worked(function, (name, values))
    if found is None:
        return
    reached = [()]
    for value in values:
        reached = [(*before, number) for before in reached for number in some(value)[:5]]  # type: ignore[misc]
    assert all(fits(found, FUNCTIONS[name](*each)) for each in reached)


@pytest.mark.parametrize(
    ("name", "values", "known"),
    [
        ("round_up", [Beyond(Fraction(5, 2), UP)], Beyond(3, UP)),
        ("round_down", [Beyond(Fraction(5, 2), UP)], Beyond(2, UP)),
        ("abs", [Beyond(0, UP)], Beyond(0, UP)),
        ("abs", [Beyond(-2, DOWN)], Beyond(2, UP)),
        ("abs", [Beyond(-2, UP)], None),
        ("max", [Beyond(2, UP), 5, Beyond(3, UP)], Beyond(5, UP)),
        ("max", [Beyond(2, UP), Beyond(9, DOWN)], Beyond(2, UP)),
        ("max", [Beyond(2, DOWN), 2], 2),
        ("max", [Beyond(2, DOWN), 1], None),
        ("min", [Beyond(2, UP), 2, 7], 2),
        ("min", [Beyond(2, UP), 3], None),
        ("min", [Beyond(2, DOWN), 1], Beyond(1, DOWN)),
        ("clamp", [Beyond(5, UP), 0, 5], 5),
        ("clamp", [Beyond(0, DOWN), 0, 5], 0),
        ("clamp", [Beyond(3, UP), 0, 5], None),
        ("remainder", [Beyond(3, UP), 2], None),
    ],
)
def test_what_functions_keep(name: str, values: Sequence[Any], known: Any) -> None:
    assert worked(function, (name, values)) == known


ends = st.none() | st.integers(-3, 3)


@given(st.lists(st.tuples(ends, ends), max_size=3), beyond)
def test_a_table_tells_numbers_beyond_apart_or_not(bands: list[tuple[int | None, int | None]], value: Any) -> None:
    rows = [plan.TableRow(low, high, None, f"row {place}", None, None) for place, (low, high) in enumerate(bands)]
    table = plan.Table("t", "", None, (*rows, plan.TableRow(None, None, "word", "a word", None, None)))

    def fitting(number: Number) -> tuple[bool, ...]:
        return tuple((low is None or low <= number) and (high is None or number <= high) for low, high in bands)

    found = worked(row_for, (table, value))
    verdicts = {fitting(number) for number in some(value)}
    assert found is None or {fitting(found)} == verdicts
    if len(verdicts) == 1 and all(low is None or high is None or low <= high for low, high in bands):
        assert found is not None
