"""A distribution's questions against the list of its values, however it is made up."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from rulesrun.diagnostics import RulesError
from rulesrun.dice import Law
from rulesrun.evaluation.distribution import MOST_SHOWN, TAIL, Distribution

shares = some.dictionaries(some.integers(-6, 6), some.integers(1, 5), min_size=1, max_size=5)


@given(shares, shares, some.sampled_from([1, 2, Fraction(2, 3)]))
def test_numbers_in_a_law_and_beside_it(
    one: Mapping[int, int], other: Mapping[int, int], lattice: int | Fraction
) -> None:
    whole = sum(one.values()) + sum(other.values())
    law = {place: Fraction(weight, whole) for place, weight in one.items()}
    beside: dict[Any, Fraction] = {100 + Fraction(place, 7): Fraction(weight, whole) for place, weight in other.items()}
    found = Distribution(beside, Law.of(law), lattice)
    every = dict(sorted(({Fraction(place) / lattice: w for place, w in law.items()} | beside).items()))
    assert dict(found.items()) == every
    assert list(found) == list(every)
    assert all(type(value) is (int if value == int(value) else Fraction) for value in found if value < 90)
    assert len(found) == len(every)
    assert all(found[value] == weight for value, weight in every.items() if value < 90)
    mean = sum(value * weight for value, weight in every.items())
    assert found.mean == mean
    assert found.variance == sum((value - mean) ** 2 * weight for value, weight in every.items())
    assert found.sd == pytest.approx(float(found.variance) ** 0.5)
    for bound in (-3, Fraction(-5, 3), 0, Fraction(7, 2), 6, 100, 101):
        assert found.at_least(bound) == sum(weight for value, weight in every.items() if value >= bound)
        assert found.at_most(bound) == sum(weight for value, weight in every.items() if value <= bound)
    assert found.tail == 0
    assert found.tail_above is None


def test_other_values() -> None:
    found = Distribution({True: Fraction(1, 2), "calm": Fraction(1, 4), None: Fraction(1, 4)})
    assert found[True] == 2 * found["calm"] == 2 * found[None] == Fraction(1, 2)
    assert found[1] == found[False] == found[2] == found["wild"] == 0
    with pytest.raises(RulesError, match="only numbers have a mean"):
        assert found.mean
    with pytest.raises(RulesError, match="nothing at all"):
        assert Distribution({}).mean


def test_numbers_without_end() -> None:
    halves = Law.geometric_sum(Law.point(0, Fraction(1, 2)), Law.point(1, Fraction(1, 2)))
    found = Distribution({}, halves, 2)
    assert found.mean == Fraction(1, 2)
    assert found.variance == Fraction(2, 4)
    assert found[Fraction(3, 2)] == Fraction(1, 16)
    assert found[Fraction(1, 3)] == 0
    assert found.at_least(2) == Fraction(1, 16)
    assert found.at_most(2) == 1 - Fraction(1, 32)
    assert found.tail == 1 - sum(weight for _, weight in found.items()) < TAIL
    assert found.tail_above == max(found)


def test_what_lies_beyond() -> None:
    lost = Distribution({0: Fraction(1, 2)}, lost=Fraction(1, 2))
    assert lost.tail == Fraction(1, 2)
    assert lost.tail_above == 0
    with pytest.raises(RulesError, match="not known exactly"):
        assert lost.mean
    followed = Distribution(
        {0: Fraction(1, 2)},
        lost=Fraction(1, 2),
        further=lambda value: Fraction(1, 8) if value > 0 else None,
        whole_moment=lambda power: Fraction(3) if power == 1 else None,
    )
    assert followed[7] == Fraction(1, 8)
    assert followed[0] == Fraction(1, 2)
    assert followed.mean == 3
    assert followed.sd == float("inf")
    with pytest.raises(RulesError, match="no finite variance"):
        assert followed.variance


@pytest.mark.parametrize("values", [5, MOST_SHOWN, MOST_SHOWN + 20])
def test_a_notebook_shows_the_likely_values(values: int) -> None:
    whole = values * (values + 1) // 2
    weights: dict[Any, Fraction] = {value: Fraction(value, whole) for value in range(1, values + 1)}
    shown = Distribution(weights)._repr_html_()
    assert shown.count("<tr>") == 1 + min(values, MOST_SHOWN) + (values > MOST_SHOWN)
    assert ("others" in shown) == (values > MOST_SHOWN)
    assert f"<td>{values}</td><td>{float(Fraction(values, whole)):.4%}</td>" in shown
    assert shown.count("width:12.00em") == 1
    assert "<td>20</td>" in shown or values < 20 or values > 79
    assert ("<td>1</td>" in shown) == (values <= MOST_SHOWN)
    few = repr(Distribution(weights))
    assert ("…" in few) == (values > 12)
