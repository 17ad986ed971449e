"""What arithmetic takes is told to whoever counts it, more for more of it, and he can stop it."""

from __future__ import annotations

from fractions import Fraction

import pytest
from flint import fmpz, fmpz_poly

from rulesrun.dice import Law, TooLarge
from rulesrun.dice.cost import common_factor, counted
from rulesrun.dice.series import fraction


def taken(what: object) -> int:
    """The steps that `what` takes."""
    steps: list[int] = []
    with counted(steps.append):
        what()  # type: ignore[operator]
    return sum(steps)


def exploding(sides: int) -> Law:
    stop = Law.of({face: Fraction(1, sides) for face in range(1, sides)})
    return Law.geometric_sum(stop, Law.point(sides, Fraction(1, sides)))


def test_products_and_sums_of_series_without_end_count_for_how_long_they_are() -> None:
    small, large = exploding(6), exploding(6) ** 12
    other, large_other = exploding(7), exploding(7) ** 12
    assert 0 < taken(lambda: small * other) < taken(lambda: large * large_other)
    assert 0 < taken(lambda: small + other) < taken(lambda: large + large_other)
    assert 0 < taken(lambda: Law.total([small, other])) < taken(lambda: Law.total([large, other, large_other]))


def test_a_factor_in_common_is_the_dearer_the_longer_it_is() -> None:
    left, right, factor = (fmpz_poly([k, 1]) ** 60 for k in (3, 5, 7))
    alone = common_factor(left, right, fmpz_poly([1]))
    shared = common_factor(left * factor, right * factor, factor)
    assert 0 < alone < common_factor(left * factor, right * factor, fmpz_poly([1])) < shared


def test_finite_products_powers_and_fractions_count_where_they_are_long() -> None:
    die = Law.of(dict.fromkeys(range(1, 7), 1))
    long = die**2000
    assert taken(lambda: die * die) == 0
    assert taken(lambda: long * long) > 10_000
    assert taken(lambda: die**2000) > 1_000
    assert taken(lambda: fraction(fmpz(2), fmpz(6))) == 0
    assert taken(lambda: fraction(fmpz(2) ** 50_000, fmpz(6) ** 50_000)) > 100


def test_a_list_of_an_endless_law_counts() -> None:
    law = exploding(6) ** 3
    assert 0 < taken(lambda: law.restrict(None, 100)) < taken(lambda: law.restrict(None, 2000))


def test_what_is_too_much_is_stopped_and_nothing_is_counted_afterwards() -> None:
    steps: list[int] = []

    def stop(more: int) -> None:
        steps.append(more)
        raise TooLarge("enough")

    law = exploding(6)
    with pytest.raises(TooLarge, match="enough"), counted(stop):
        law * exploding(7)
    assert len(steps) == 1
    assert (law * exploding(7)).mass == 1
    assert len(steps) == 1
