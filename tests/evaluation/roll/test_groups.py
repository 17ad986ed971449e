"""The most groups that reach a sum, against every way of putting the dice together."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulesrun.evaluation.faces import Between, Equal, FaceTest
from rulesrun.evaluation.groups import most_groups


def at_least(least: int) -> FaceTest:
    return FaceTest((Between(least, None),), frozenset(), False)


def just(*sums: int) -> FaceTest:
    return FaceTest((Equal(frozenset(sums)),), frozenset(), False)


def every_way(numbers: Sequence[int], groups: tuple[int, ...], sums: FaceTest) -> int:
    """Each number is left over, joins a group, or begins one."""
    if not numbers:
        return sum(map(sums.contains, groups))
    first, *rest = numbers
    ways = [groups, (*groups, first)]
    ways += [(*groups[:place], groups[place] + first, *groups[place + 1 :]) for place in range(len(groups))]
    return max(every_way(rest, way, sums) for way in ways)


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.integers(0, 10), max_size=6),
    st.integers(1, 15).map(at_least) | st.sets(st.integers(0, 12), min_size=1).map(lambda sums: just(*sums)),
)
def test_no_way_makes_more_groups(numbers: list[int], sums: FaceTest) -> None:
    assert most_groups(numbers, sums) == every_way(numbers, (), sums)


@pytest.mark.parametrize(
    ("numbers", "least", "groups"),
    [([], 10, 0), ([10, 9, 1, 4, 4, 2], 10, 3), ([5, 5, 5, 5, 5], 10, 2), ([4, 3, 3, 4, 3, 3], 10, 2), ([9], 10, 0)],
)
def test_groups_that_are_seen_at_a_glance(numbers: list[int], least: int, groups: int) -> None:
    assert most_groups(numbers, at_least(least)) == groups


def test_numbers_below_zero_are_left_over() -> None:
    assert most_groups([-1, 0, 1, 1], at_least(2)) == 1
    assert most_groups([-2, 12, 3], just(10, 3)) == 2
