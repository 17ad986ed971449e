"""Means and spreads of what is worked out from endless dice, against the plain sum over the row."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import ceil, floor, inf, isfinite

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

import rulesrun
from rulesrun.dice import Law
from rulesrun.dice.termwise import one_in
from rulesrun.evaluation.exact.growth import LONGEST, MOST_POWER, Diverges, Growth
from rulesrun.evaluation.exact.symbols import Linear

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


def by_remainders(period: int, left: tuple[int, int], right: tuple[int, int]) -> Fraction:
    """The mean of the product of n / left and n / right, both rounded down after something is added, for a d5 that
    explodes: the sums over n = period k + rest of x^k, k x^k and k^2 x^k.
    """
    x = Fraction(1, 5**period)
    powers = 1 / (1 - x), x / (1 - x) ** 2, x * (1 + x) / (1 - x) ** 3
    total = Fraction(0)
    for rest in range(1, period + 1):
        (a, b), (c, d) = ((period // by, (rest + more) // by) for by, more in (left, right))
        total += Fraction(4, 5**rest) * (b * d * powers[0] + (a * d + b * c) * powers[1] + a * c * powers[2])
    return total


@pytest.mark.parametrize(
    ("value", "mean"),
    [
        ("size of p * size of p", Fraction(15, 8)),
        ("(size of p - 4) ^ 3", Fraction(115, 32) - 12 * Fraction(15, 8) + 48 * Fraction(5, 4) - 64),
        ("2 ^ size of p", Fraction(8, 3)),
        ("2 ^ (size of p + 3)", Fraction(64, 3)),
        ("2 ^ (2 * size of p - 1)", Fraction(8)),
        ("7 - 3 * 2 ^ size of p", Fraction(-1)),
        ("round_down((size of p + 5) / 3)", 2 + Fraction(1, 124)),
        ("round_up((size of p - 1) / 3) * 3", 3 * Fraction(25, 124)),
        ("max(0, round_down((sum of p - 4) / 5))", Fraction(1, 10)),
        ("round_down(size of p / 2) * round_down(size of p / 3)", by_remainders(6, (2, 0), (3, 0))),
        ("round_down((size of p + 1) / 4) * round_down((size of p + 7) / 6)", by_remainders(12, (4, 1), (6, 7))),
        ("2 ^ size of p * size of p - 3", Fraction(8, 5) / Fraction(3, 5) ** 2 - 3),
    ],
)
def test_means_to_the_last_digit(value: str, mean: Fraction) -> None:
    """What is not listed has a chance of less than 1 / 10^36: only the exact sum shows whether its part is right."""
    assert rulesrun.parse(f"rule r\n    roll p = d5!\n    x = {value}\n")["r"].odds().of("x").mean == mean


@pytest.mark.parametrize(
    ("value", "mean"),
    [
        ("size of p * sum of p", sum((size * total * chance for size, total, chance in sizes(5)), Fraction(0))),
        ("size of p * size of q", Fraction(25, 16)),
        ("2 ^ size of p + size of q", Fraction(8, 3) + Fraction(5, 4)),
    ],
)
def test_numbers_of_different_rows_have_right_means_or_none(value: str, mean: Fraction) -> None:
    found = rulesrun.parse(f"rule r\n    roll p = d5!\n    roll q = d5!\n    x = {value}\n")["r"].odds
    try:
        law = found().of("x")
        assert abs(law.mean - mean) < Fraction(1, 10**200)
    except rulesrun.RulesError as error:
        assert error.diagnostics[0].code in ("no-mean", "endless", "budget")


@pytest.mark.parametrize("by", [2, 60, 61, 400])
def test_rounded_by_any_number(by: int) -> None:
    found = rulesrun.parse(f"rule r\n    roll p = d5!\n    x = round_down(size of p / {by})\n")["r"].odds().of("x")
    assert found.mean == Fraction(5, 5**by - 1)  # n dice or more have the chance 5 / 5^n: for by, 2 by, 3 by ...
    assert found[0] == 1 - Fraction(5, 5**by)
    assert found[2] == Fraction(5, 5 ** (2 * by)) - Fraction(5, 5 ** (3 * by))
    assert sum(chance for _, chance in found.items()) + found.tail == 1


def test_as_many_remainders_as_are_told_apart() -> None:
    rule = "rule r\n    roll p = d5!\n    x = round_down(size of p / {}) * size of p\n"
    found = rulesrun.parse(rule.format(60))["r"].odds().of("x")
    row = [Fraction(4 * n * (n // 60), 5**n) for n in range(1, 400)]
    assert abs(found.mean - sum(row)) < Fraction(1, 10**200)
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


LINE, OTHER = (Linear(0, (((name, 0), (1,)),), ()) for name in "pq")


def at(growth: Growth, n: int) -> Fraction:
    """The value at one n."""
    terms = growth.pieces[n % len(growth.pieces)]
    return sum((factor * Fraction(n) ** power * base**n for (base, power), factor in terms), Fraction(0))


small = some.fractions(-3, 3, max_denominator=4)
lines = some.builds(Growth.of, some.just(LINE), small, small)
whole = some.builds(Growth.of, some.just(LINE), some.integers(-3, 3), some.integers(-2, 2))
values = lines | some.builds(lambda line: line.rounded(floor), lines) | some.builds(lambda line: line.to_the(2), whole)


@given(values, values, some.sampled_from("+-*"), small, some.integers(1, 4), some.integers(1, 3))
def test_values_are_worked_out_at_each_number(
    one: Growth, other: Growth, sign: str, number: Fraction, exponent: int, root: int
) -> None:
    both, with_number = one.combined(other, sign), one.with_number(number, sign)
    power, rounded, to_the = one.power(exponent), one.rounded(ceil), one.to_the(root)
    assert both is not None
    assert with_number is not None
    assert power is not None
    work: dict[str, Callable[[Fraction, Fraction], Fraction]] = {
        "+": lambda a, b: a + b,
        "-": lambda a, b: a - b,
        "*": lambda a, b: a * b,
    }
    for n in range(-9, 10):
        assert at(both, n) == work[sign](at(one, n), at(other, n))
        assert at(with_number, n) == work[sign](at(one, n), number)
        assert at(power, n) == at(one, n) ** exponent
        if rounded is not None:
            assert at(rounded, n) == ceil(at(one, n))
        if to_the is not None:
            assert at(to_the, n) == Fraction(root) ** int(at(one, n))
    straight = all(base == 1 and power < 2 for terms in one.pieces for (base, power), _ in terms)
    assert (rounded is not None) == straight
    fits = straight and all(factor.denominator == 1 for terms in one.pieces for _, factor in terms)
    assert (to_the is not None) == fits


def test_what_is_no_such_value() -> None:
    line = Growth.of(LINE, 0, 1)
    assert line.combined(line, "/") is None
    assert line.combined(Growth.of(OTHER, 0, 1), "+") is None
    assert line.to_the(-2) is None
    assert line.to_the(0) is None
    assert line.power(0) is None
    assert line.power(MOST_POWER) is not None
    assert line.power(MOST_POWER + 1) is None
    assert line.power(Fraction(3, 2)) is None
    assert Growth.of(LINE, 0, Fraction(1, LONGEST)).rounded(floor) is not None
    assert Growth.of(LINE, 0, Fraction(1, LONGEST + 1)).rounded(floor) is None
    fourths, fifths, sevenths = (Growth.of(LINE, 0, Fraction(1, n)).rounded(floor) for n in (4, 15, 7))
    assert fourths is not None
    assert fifths is not None
    assert sevenths is not None
    assert fourths.combined(fifths, "+") is not None
    assert fifths.combined(sevenths, "+") is None


def test_moments_of_rows_in_both_directions() -> None:
    up = Law.geometric_sum(Law.point(0, Fraction(1, 2)), Law.point(1, Fraction(1, 2)))
    both = up * up.affine(-1, 1)
    line = Growth.of(LINE, 0, 1)
    half = Growth.of(LINE, 0, Fraction(1, 2)).rounded(floor)
    grown = line.to_the(Fraction(3, 2))
    assert half is not None
    assert grown is not None
    for law in (up, up.affine(-1), both, up.affine(1, -4), up.affine(3, 2), Law.of({-2: Fraction(1, 3), 5: 1})):
        assert line.moment(law, 1) == law.mean * law.mass
        assert line.moment(law, 2) == (law.variance + law.mean**2) * law.mass
    assert half.moment(up, 1) == Fraction(1, 3)
    assert half.moment(up.affine(-1), 1) == Fraction(-2, 3)
    assert grown.moment(up, 1) == 2
    assert grown.moment(up.affine(-1), 1) == Fraction(3, 4)
    with pytest.raises(Diverges):
        grown.moment(up, 2)
    two = line.to_the(2)
    assert two is not None
    with pytest.raises(Diverges):
        two.moment(up, 1)
    assert two.moment(up.affine(-1), 2) == Fraction(4, 7)
