"""Laws against plain sums over mappings, closed values, and truncated series where they are endless."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import comb

import pytest
from flint import fmpz_poly
from hypothesis import given, settings
from hypothesis import strategies as st

from rulesrun.dice import Law, TooLarge

weights = st.fractions(min_value=0, max_value=3, max_denominator=12)
plain = st.dictionaries(st.integers(-7, 7), weights, max_size=6)


def fair(sides: int) -> Law:
    return Law.of({face: Fraction(1, sides) for face in range(1, sides + 1)})


def exploding(sides: int) -> Law:
    """A die that adds another throw when it shows its top face."""
    stop = Law.of({face: Fraction(1, sides) for face in range(1, sides)})
    return Law.geometric_sum(stop, Law.point(sides, Fraction(1, sides)))


def tidy(values: Mapping[int, Fraction]) -> dict[int, Fraction]:
    return {value: weight for value, weight in sorted(values.items()) if weight}


def convolved(a: Mapping[int, Fraction], b: Mapping[int, Fraction]) -> dict[int, Fraction]:
    result: dict[int, Fraction] = {}
    for x, p in a.items():
        for y, q in b.items():
            result[x + y] = result.get(x + y, Fraction(0)) + p * q
    return tidy(result)


@given(plain)
def test_a_law_gives_back_its_weights(values: dict[int, Fraction]) -> None:
    law = Law.of(values)
    assert dict(law.items()) == tidy(values)
    assert law.mass == sum(values.values())
    assert all(law[value] == values.get(value, 0) for value in range(-9, 10))
    assert law.is_zero == (not tidy(values))


@given(plain, plain)
def test_sum_difference_and_product(a: dict[int, Fraction], b: dict[int, Fraction]) -> None:
    keys = a.keys() | b.keys()
    assert dict((Law.of(a) + Law.of(b)).items()) == tidy(
        {k: a.get(k, Fraction(0)) + b.get(k, Fraction(0)) for k in keys}
    )
    assert dict((Law.of(a) - Law.of(b)).items()) == tidy(
        {k: a.get(k, Fraction(0)) - b.get(k, Fraction(0)) for k in keys}
    )
    assert dict((Law.of(a) * Law.of(b)).items()) == convolved(a, b)
    assert (Law.of(a) == Law.of(b)) == (tidy(a) == tidy(b))


@given(plain, st.integers(0, 5))
def test_powers(values: dict[int, Fraction], exponent: int) -> None:
    expected = {0: Fraction(1)}
    for _ in range(exponent):
        expected = convolved(expected, values)
    assert dict((Law.of(values) ** exponent).items()) == expected


@given(plain, st.integers(-3, 3), st.integers(-5, 5), st.fractions(-2, 2))
def test_affine_and_scaled(values: dict[int, Fraction], factor: int, shift: int, scale: Fraction) -> None:
    law = Law.of(values)
    moved: dict[int, Fraction] = {}
    for value, weight in values.items():
        moved[factor * value + shift] = moved.get(factor * value + shift, Fraction(0)) + weight
    assert dict(law.affine(factor, shift).items()) == tidy(moved)
    assert law.affine(factor, shift).mass == law.mass
    assert dict(law.scaled(scale).items()) == tidy({v: w * scale for v, w in values.items()})


ends = st.none() | st.integers(-9, 9)


@given(plain, ends, ends)
def test_restriction(values: dict[int, Fraction], low: int | None, high: int | None) -> None:
    inside = {v: w for v, w in values.items() if (low is None or low <= v) and (high is None or v <= high)}
    assert dict(Law.of(values).restrict(low, high).items()) == tidy(inside)
    assert Law.of(values).mass_between(low, high) == sum(inside.values())


@given(plain)
def test_moments_and_bounds(values: dict[int, Fraction]) -> None:
    law, kept = Law.of(values), tidy(values)
    if not kept:
        with pytest.raises(ValueError, match="without weight"):
            assert law.mean
        return
    mass = sum(kept.values())
    mean = sum(v * w for v, w in kept.items()) / mass
    assert law.mean == mean
    assert law.variance == sum((v - mean) ** 2 * w for v, w in kept.items()) / mass
    assert law.bounds == (min(kept), max(kept))


steps = st.dictionaries(
    st.integers(-3, 3), st.fractions(Fraction(1, 20), Fraction(1, 8), max_denominator=40), max_size=5
)


@given(plain, steps, st.integers(0, 5), st.none() | plain)
def test_limited_repetition(
    stop: dict[int, Fraction], go: dict[int, Fraction], limit: int, last: dict[int, Fraction] | None
) -> None:
    expected, power = Law.of({}), Law.point(0)
    for _ in range(limit):
        expected, power = expected + power * Law.of(stop), power * Law.of(go)
    expected += power * (Law.of(stop) + Law.of(go) if last is None else Law.of(last))
    got = Law.geometric_sum(Law.of(stop), Law.of(go), limit, None if last is None else Law.of(last))
    assert dict(got.items()) == dict(expected.items())


@settings(deadline=None)
@given(plain, steps, st.sampled_from([-1, 1]))
def test_endless_repetition_satisfies_its_equation(
    stop: dict[int, Fraction], go: dict[int, Fraction], side: int
) -> None:
    one_sided = Law.of({side * abs(v): w for v, w in go.items()})
    if one_sided.mass >= 1:
        with pytest.raises(ValueError, match="never ends"):
            Law.geometric_sum(Law.of(stop), one_sided)
        return
    law = Law.geometric_sum(Law.of(stop), one_sided)
    assert law == Law.of(stop) + one_sided * law
    assert law.mass == Law.of(stop).mass / (1 - one_sided.mass)


@given(st.integers(2, 12), st.integers(1, 60))
def test_an_exploding_die_by_hand(sides: int, value: int) -> None:
    law = exploding(sides)
    whole, rest = divmod(value, sides)
    assert law[value] == (Fraction(1, sides) ** (whole + 1) if rest else 0)
    assert law.mass == 1
    assert law.bounds == (1, None)
    assert law.mean == Fraction(sides * (sides + 1), 2 * (sides - 1))


@settings(deadline=None, max_examples=40)
@given(st.integers(2, 5), st.integers(1, 4), st.integers(2, 5), st.integers(1, 3), st.integers(-4, 4))
def test_difference_of_exploding_pools(a: int, n: int, b: int, m: int, shift: int) -> None:
    left, right = exploding(a) ** n, (exploding(b) ** m).affine(-1, shift)
    law, deep = left * right, 240
    upper, lower = dict(left.restrict(None, deep).items()), dict(right.restrict(-deep, None).items())
    assert law.mass == 1
    assert law.mean == left.mean + right.mean
    assert law.variance == left.variance + right.variance
    unseen = 1 - sum(upper.values()) * sum(lower.values())
    for value in range(-12, 13, 3):
        seen = sum(p * lower.get(value - x, Fraction(0)) for x, p in upper.items())
        assert seen <= law[value] <= seen + unseen
    assert unseen < Fraction(1, 10**6)


@settings(deadline=None, max_examples=40)
@given(st.integers(2, 5), st.integers(2, 5), ends, ends)
def test_restricting_two_sided_laws(a: int, b: int, low: int | None, high: int | None) -> None:
    law = exploding(a) * exploding(b).affine(-1)
    part = law.restrict(low, high)
    assert part.mass == law.mass_between(low, high)
    for value in range(-11, 12):
        inside = (low is None or low <= value) and (high is None or value <= high)
        assert part[value] == (law[value] if inside else 0)
    cut = 0 if high is None else high
    assert law.restrict(None, cut) + law.restrict(cut + 1, None) == law


def test_values_are_those_of_the_items() -> None:
    law = Law.of({-2: Fraction(1, 2), 0: Fraction(1, 4), 3: Fraction(1, 4)})
    assert law.values() == [value for value, _ in law.items()] == [-2, 0, 3]
    assert (law - law).values() == []


def test_items_and_rest_of_endless_laws_add_up() -> None:
    up = exploding(6) ** 3
    for law in (up, up.affine(-1, 5), up * up.affine(-1), up.restrict(20, None), up.restrict(1, 8)):
        for tail in (Fraction(1, 100), Fraction(1, 10**9), Fraction(1, 10**30)):
            listed = list(law.items(tail))
            assert [v for v, _ in listed] == sorted(v for v, _ in listed)
            assert sum(w for _, w in listed) + law.rest(tail) == law.mass
            assert law.rest(tail) < tail
            assert all(law[v] == w for v, w in listed[::7])


def test_two_sided_repetition_with_rational_factors() -> None:
    """One up or down with chance 6/13 each, else it ends: 13 - 6x - 6/x splits into (3 - 2x) and (3 - 2/x)."""
    go = Law.of({1: Fraction(6, 13), -1: Fraction(6, 13)})
    law = Law.geometric_sum(Law.point(0, Fraction(1, 13)), go)
    assert law.mass == 1 and law.mean == 0
    assert law[0] == Fraction(1, 5)
    assert all(law[k] == Fraction(1, 5) * Fraction(2, 3) ** abs(k) for k in range(-9, 10))
    assert law == Law.point(0, Fraction(1, 13)) + go * law


def test_two_sided_repetition_with_irrational_weights_is_refused() -> None:
    with pytest.raises(ValueError, match="no exact rational odds"):
        Law.geometric_sum(Law.point(0, Fraction(1, 2)), Law.of({1: Fraction(1, 4), -1: Fraction(1, 4)}))


def test_endless_go_on_both_sides() -> None:
    go = (exploding(3) * exploding(2).affine(-1)).scaled(Fraction(1, 2))
    try:
        law = Law.geometric_sum(Law.point(0, Fraction(1, 2)), go)
    except ValueError as refusal:
        assert "no exact rational odds" in str(refusal)
    else:
        assert law == Law.point(0, Fraction(1, 2)) + go * law


def test_series_that_have_no_law_are_refused() -> None:
    with pytest.raises(ValueError, match="not a power series"):
        Law.series(fmpz_poly([1]), fmpz_poly([0, 1]))
    with pytest.raises(ValueError, match="finite sum"):
        Law.series(fmpz_poly([1]), fmpz_poly([1, -1]))
    assert Law.series(fmpz_poly([1, -1]), fmpz_poly([2, -2]), 3) == Law.point(3, Fraction(1, 2))


def test_a_thousand_dice() -> None:
    pool = fair(10) ** 1000
    assert pool.mass == 1
    assert pool.mean == 5500 and pool.variance == 8250
    assert pool[1000] == Fraction(1, 10**1000) and pool[1001] == Fraction(1000, 10**1000)
    assert pool.mass_between(5501, None) == pool.mass_between(None, 5499)
    coins = Law.of({0: Fraction(1, 2), 1: Fraction(1, 2)}) ** 1000
    assert coins[500] == Fraction(comb(1000, 500), 2**1000)
    assert coins.mass_between(1, None) == 1 - Fraction(1, 2**1000)


def test_polynomials_made_elsewhere() -> None:
    law = Law.from_poly(fmpz_poly([1, 2, 1]), 4, -1)
    assert dict(law.items()) == {-1: Fraction(1, 4), 0: Fraction(1, 2), 1: Fraction(1, 4)}
    assert law.weights() == (-1, [1, 2, 1], 4)
    long = Law.from_poly(fmpz_poly([1, 1]) ** 300, 2**300)
    assert long.mass == 1 and long.mass_between(None, 149) == long.mass_between(151, None)


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(TooLarge):
        Law.of({0: 1, 10**12: 1})
    with pytest.raises(TooLarge):
        fair(100) ** 10**9
    with pytest.raises(TooLarge):
        exploding(6)[10**9]
    with pytest.raises(TooLarge):
        fair(6).affine(10**12)


@settings(deadline=None, max_examples=40)
@given(plain, steps, st.sampled_from([-1, 1]), st.integers(1, 9))
def test_values_are_listed_until_just_less_than_the_tail_is_left(
    stop: dict[int, Fraction], go: dict[int, Fraction], side: int, digits: int
) -> None:
    one_sided = Law.of({side * abs(v): w for v, w in go.items()})
    if one_sided.mass >= 1:
        return
    law, tail = Law.geometric_sum(Law.of(stop), one_sided), Fraction(1, 10**digits)
    if law.is_finite:
        return
    listed = dict(law.items(tail))
    assert all(law[value] == weight for value, weight in listed.items())
    rest = law.mass - sum(listed.values())
    assert law.rest(tail) == rest < tail
    last = max(listed) if side > 0 else min(listed)
    assert len(listed) == 1 or rest + listed[last] >= tail


def test_a_row_of_very_long_numbers_is_listed_as_far_as_it_is_quick() -> None:
    long = Fraction(10**60 + 7, 2 * 10**60 + 1)
    law = Law.geometric_sum(Law.of({0: 1 - long * Fraction(999, 500)}), Law.of({1: long * Fraction(999, 500)}))
    listed = list(law.items(Fraction(1, 10**9)))
    assert 300 < len(listed) < 9_000
    assert law.rest(Fraction(1, 10**9)) == law.mass_between(listed[-1][0] + 1, None) > Fraction(1, 1000)


def test_what_cancels_has_an_end() -> None:
    halves = Law.geometric_sum(Law.point(0), Law.point(1, Fraction(1, 2)))
    less = Law.of({0: 1, 1: Fraction(-1, 2)})
    for law in (halves * less, less * halves):
        assert law.is_finite
        assert law == Law.point(0)
        assert law.bounds == (0, 0)
    for nothing in (halves - halves, halves.scaled(0), Law.total([halves, halves.scaled(-1)]), Law.of({})):
        assert nothing.is_finite
        assert nothing.weights() == (0, [], 1)
        assert list(nothing.items()) == []


@settings(deadline=None, max_examples=30)
@given(*[st.integers(1, 2)] * 2, *[st.integers(0, 2)] * 2, st.integers(-2, 2))
def test_two_sided_repetition_of_what_is_endless_itself(i: int, j: int, m: int, n: int, k: int) -> None:
    """1 - go is a fifth of (3 - 2x)^i (3 - 2/x)^j / (2 - x)^m / (2 - 1/x)^n."""
    halves = Law.geometric_sum(Law.point(0, Fraction(1, 2)), Law.point(1, Fraction(1, 2)))
    left = Law.of({0: 3, 1: -2}) ** i * Law.of({0: 3, -1: -2}) ** j * halves**m * halves.affine(-1) ** n
    go = Law.point(0) - left.scaled(Fraction(1, 5))
    stop = Law.of({k: Fraction(1, 5)})
    low, high = go.bounds
    assert (low is None or low < 0) and (high is None or high > 0)
    law = Law.geometric_sum(stop, go)
    assert law.mass == 1
    assert law == stop + go * law
    assert law.mean == k + go.mean * go.mass / Fraction(1, 5)


def test_the_sum_of_many_endless_laws_is_that_of_one_after_another() -> None:
    dice = [
        Law.geometric_sum(
            Law.of({face: Fraction(1, sides) for face in range(1, sides)}), Law.point(sides, Fraction(1, k))
        )
        for sides in (2, 3, 6)
        for k in (3, 6, 7)
    ]
    laws = [*dice, *(left * right for left in dice[::2] for right in dice[1::3]), Law.point(4), dice[0].scaled(-1)]
    one_by_one = Law.of({})
    for law in laws:
        one_by_one = one_by_one + law
    found = Law.total(laws)
    assert found == one_by_one
    assert found.up is not None and one_by_one.up is not None
    assert found.up.den == one_by_one.up.den, "in lowest terms"
    assert Law.total([*laws, *(law.scaled(-1) for law in laws[1:])]) == laws[0]
