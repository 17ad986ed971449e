"""Means and spreads of what is worked out from endless dice, against the plain sum over the row."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import ceil, inf, isfinite

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

import rulesrun
from rulesrun.dice import Law
from rulesrun.dice.termwise import one_in

TERMS = 400


def sizes(sides: int) -> list[tuple[int, int, Fraction]]:
    """How many dice a die that explodes on its top face leaves, their sum, and the chance, without the last 400th."""
    return [
        (1 + more, sides * more + last, Fraction(1, sides ** (more + 1)))
        for more in range(TERMS)
        for last in range(1, sides)
    ]


VALUES: dict[str, Callable[[int, int], Fraction | int]] = {
    "2 ^ size of p": lambda n, s: 2**n,
    "max(0, round_down((sum of p - 4) / 5))": lambda n, s: max(0, (s - 4) // 5),
    "2 ^ (size of p) * size of p - 3": lambda n, s: 2**n * n - 3,
    "100 - round_up(size of p / 2)": lambda n, s: 100 - ceil(Fraction(n, 2)),
    "size of p * size of p": lambda n, s: n * n,
    "(size of p - 4) ^ 3": lambda n, s: (n - 4) ** 3,
    "round_down(sum of p / 3) + 2 * round_up(sum of p / 4)": lambda n, s: s // 3 + 2 * ceil(Fraction(s, 4)),
    "5 if sum of p < 7 otherwise 1 - 2 ^ size of p": lambda n, s: 5 if s < 7 else 1 - 2**n,
    "round_down(size of p / 2) * round_down(size of p / 3)": lambda n, s: (n // 2) * (n // 3),
    "round_down((size of p + 5) / 3)": lambda n, s: (n + 5) // 3,
    "1 ^ size of p + size of p": lambda n, s: 1 + n,
    "size of p ^ 8 / 1000000000": lambda n, s: Fraction(n**8, 10**9),
    "round_down(size of p / 4) * round_up(size of p / 15)": lambda n, s: n // 4 * ceil(Fraction(n, 15)),
    "2 ^ size of p + round_down(size of p / 2) * 3": lambda n, s: 2**n + n // 2 * 3,
}


@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize("sides", [5, 8])
def test_means_of_endless_rows(value: str, sides: int) -> None:
    """What the sum leaves out is less than 400 ^ 6 (4 / 5) ^ 400 at most: nothing beside a billionth."""
    found = rulesrun.parse(f"rule r\n    roll p = d{sides}!\n    x = {value}\n")["r"].odds().of("x")
    row = [(Fraction(VALUES[value](size, total)), chance) for size, total, chance in sizes(sides)]
    assert abs(found.mean - sum(number * chance for number, chance in row)) < Fraction(1, 10**9)
    square = sum(number**2 * chance for number, chance in row)
    assert abs(found.variance + found.mean**2 - square) < Fraction(1, 10**9)


@pytest.mark.parametrize(
    ("value", "finite", "spread"), [("3 ^", True, False), ("4 ^", False, False), ("5 ^", False, False)]
)
def test_means_that_are_not_finite_are_refused(value: str, finite: bool, spread: bool) -> None:
    """Each further die has the chance 1/4: 3/4 + 3/4^2 ... is 9, 4/4 + 4/4 ... has no end."""
    found = rulesrun.parse(f"rule r\n    roll p = d4!\n    x = {value} size of p\n")["r"].odds().of("x")
    assert isfinite(found.sd) == spread
    assert found.sd == inf
    if finite:
        assert found.mean == 9
    else:
        with pytest.raises(rulesrun.RulesError, match="no finite mean: it grows faster"):
            _ = found.mean
    with pytest.raises(rulesrun.RulesError, match="no finite variance"):
        _ = found.moment(2)


def test_as_many_remainders_as_are_told_apart() -> None:
    rule = "rule r\n    roll p = d5!\n    x = round_down(size of p / {})\n"
    found = rulesrun.parse(rule.format(60))["r"].odds().of("x")
    assert found.mean == Fraction(5, 5**60 - 1)  # n dice or more have the chance 5 / 5^n: for 60, 120, 180 ...
    with pytest.raises(rulesrun.RulesError, match="not known exactly"):
        _ = rulesrun.parse(rule.format(61))["r"].odds().of("x").mean


def test_powers_as_high_as_are_followed() -> None:
    rule = "rule r\n    roll p = d2!\n    x = size of p ^ {}\n"
    row = [Fraction(n**8, 2**n) for n in range(1, 400)]
    assert abs(rulesrun.parse(rule.format(8))["r"].odds().of("x").mean - sum(row)) < Fraction(1, 10**30)
    with pytest.raises(rulesrun.RulesError, match="not known exactly"):
        _ = rulesrun.parse(rule.format(9))["r"].odds().of("x").mean


def test_the_mean_where_something_is_given() -> None:
    rule = rulesrun.parse("rule r\n    roll p = d4!\n    x = 2 ^ size of p\n")["r"]
    given_more = rule.odds(given="size of p >= 2").of("x")
    assert given_more.mean == 2 * rule.odds().of("x").mean


@settings(deadline=None, max_examples=40)
@given(
    sides=some.integers(2, 6),
    count=some.integers(1, 3),
    shift=some.integers(-5, 5),
    period=some.integers(1, 6),
    rest=some.integers(0, 5),
)
def test_one_value_in_so_many(sides: int, count: int, shift: int, period: int, rest: int) -> None:
    stop = Law.of({face: Fraction(1, sides) for face in range(1, sides)})
    law = (Law.geometric_sum(stop, Law.of({sides: Fraction(1, sides)})) ** count).affine(1, shift)
    part = one_in(law, period, rest % period)
    for value in range(shift - 3, shift + 50):
        assert part[value] == (law[value] if value % period == rest % period else 0)
