"""Sets of faces as a ruleset writes them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from rulesrun.evaluation.roll import Roll

ALL = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]


@pytest.mark.parametrize(
    ("faces", "fitting"),
    [
        ("7", [7]),
        ("6..10", [6, 7, 8, 9, 10]),
        ("8..", [8, 9, 10]),
        ("..2", [1, 2]),
        (">= 9", [9, 10]),
        ("> 9", [10]),
        ("< 3", [1, 2]),
        ("<= 3", [1, 2, 3]),
        ("!= 5", [1, 2, 3, 4, 6, 7, 8, 9, 10]),
        ("1 or 10", [1, 10]),
        ("1 or 4..5 or >= 9", [1, 4, 5, 9, 10]),
        ("not 1", [2, 3, 4, 5, 6, 7, 8, 9, 10]),
        ("not 1 or 2..8", [9, 10]),
        ("even", [2, 4, 6, 8, 10]),
        ("odd", [1, 3, 5, 7, 9]),
        ("bound", [4]),
        ("bound..(bound + 2)", [4, 5, 6]),
        ("other", [2, 3]),
        ("wanted", [5, 9]),
        ("knob", [6, 7]),
    ],
)
def test_which_faces_fit(roll: Callable[..., Roll], faces: str, fitting: list[int]) -> None:
    text = f"""
setting knob: faces = 6..7
rule test
    given bound: 1.. = 4
    given wanted: list of 1.. = [9, 5]
    roll other = 2d6
    roll pool = 10d10
    number = count {faces} in pool
    kept = pool showing {faces}
    shown = size of kept
    least = lowest of kept
    some = any {faces} in pool
    no_one = none {faces} in pool
    every_one = all {faces} in kept
    unused = bound + size of wanted + size of other
"""
    result = roll(text, dice={"other": [2, 3], "pool": ALL})
    assert result.values["number"] == len(fitting)
    assert result.values["shown"] == len(fitting)
    assert result.values["least"] == min(fitting)
    assert result.values["some"] is True
    assert result.values["no_one"] is False
    assert result.values["every_one"] is True


def test_membership_of_a_number(roll: Callable[..., Roll]) -> None:
    text = """
rule test
    given x: .. = 0
    inside = x in 6..10
    ends = x in (1 or 10)
    outside = x in (not 1 or 10)
"""
    assert roll(text, x=10).values == {"inside": True, "ends": True, "outside": False}
    assert roll(text, x=3).values == {"inside": False, "ends": False, "outside": True}
