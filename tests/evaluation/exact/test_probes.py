"""Odds and rolls stop at the same errors, though nothing that is asked reads the value."""

from __future__ import annotations

from fractions import Fraction

import pytest

import rulesrun

BESIDE = """\
bag deck = 1..4 x2
rule small
    given mark: 0..9 = 1
    limit "too much": mark < 3
    total = mark * 2
"""


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("    roll a = d6\n    x = 10 / (a - 3)\n", "division by zero"),
        ("    roll a = d6\n    roll b = (a - 3) d6\n", "the number of dice cannot be negative"),
        ("    roll a = d4\n    l = [1, 2, 3]\n    x = l at a\n", "items 1 to 3"),
        ("    roll a = 3d6!\n    x = 10 / (12 - sum of a)\n", "division by zero"),
        ("    roll a = d6\n    repeat 2 times\n        x = 1 / (a - 2)\n        n += 1\n", "division by zero"),
        ("    roll a = d6\n    repeat 2 times\n        x = 1 / (a - 2)\n    n += 2\n", "division by zero"),
        (
            "    repeat 2 times\n        repeat 2 times\n            roll a = d6\n            roll b = (a - 3) d6\n",
            "negative",
        ),
        ("    roll a = d6\n    choice c: 0..3 if 1 / (a - 2) > 3 by default 1\n", "division by zero"),
        ("    roll a = d6\n    choice c: 0..a by default 4\n", "c takes a whole number from 0 to 3, not 4"),
        ("    roll a = d6\n    choice c: 0..(a / 2)\n", "the highest number to choose must be a whole number"),
        ("    roll a = 3d6\n    choice c: 0..1 if highest of (a with each die as (die / target)) > 1\n", "`target`"),
        ("    roll a = d6\n    roll b = 2d6 if 1 / (a - 2) > 3\n", "division by zero"),
        ("    roll a = d6\n    roll h = small(mark = 5) if a > 2\n", "too much"),
        ("    roll a = d6\n    roll h = small(mark = 1) if 1 / (a - 2) > 3\n", "division by zero"),
        ("    roll a = d6\n    roll h = small(mark = a - 3)\n", "h.mark: -1 is not a whole number"),
        ("    roll a = d6\n    draw h = (a - 3) from deck\n", "the number to draw cannot be negative"),
        ("    roll a = d6\n    draw h = 2 from deck if 1 / (a - 2) > 3\n", "division by zero"),
        ("    roll a = d6\n    draw h = 2 from deck\n    put h back if 1 / (a - 2) > 3\n", "division by zero"),
        ("    roll a = d6\n    draw h = 2 from deck\n    put deck back if 1 / (a - 2) > 3\n", "division by zero"),
    ],
)
def test_an_error_that_a_roll_can_meet(lines: str, message: str) -> None:
    rule = rulesrun.parse(f"{BESIDE}rule r\n    track n = 0\n{lines}    flag f if n = 2\n")["r"]
    with pytest.raises(rulesrun.RulesError, match=message):
        rule.odds()


@pytest.mark.parametrize(
    "line",
    [
        "x = 10 / (a - 7)",
        "x = 10 / (a - 3) if a != 3 otherwise 0",
        "roll b = max(0, a - 3) d6",
        "x = 10 / (sum of p - 2)",
        "repeat 2 times\n        x = 10 / (sum of p - 2)",
        "repeat 10 times\n        roll q = 9d10!\n        x = 10 / (sum of q - 3)",
    ],
)
def test_what_cannot_happen_is_no_error(line: str) -> None:
    rule = rulesrun.parse(f"rule r\n    roll p = 3d6!\n    roll a = d6\n    {line}\n    flag f if a = 1\n")["r"]
    assert rule.odds()["f"] == Fraction(1, 6)
