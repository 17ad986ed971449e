"""A table that surely has a row is not said to have none; one that may lack it is, and then some roll meets the gap."""

from __future__ import annotations

import re
from textwrap import indent

import pytest

import rulesrun
from rulesrun import RulesError

TABLES = """table t
    2..6  1
    7..12 2

table by_rack by rack
    roll  5 10
    2..6  1 2
    7..12 3 4

table moods
    calm 1
    wild 2

"""

SURE = {
    "dice": "roll p = 2d6\nx = t at (sum of p)",
    "one die and a number": "roll p = d6\nx = t at (p + 1)",
    "an input": "given k: 2..12 = 3\nx = t at k",
    "one of some numbers": "given k: one of 2, 7, 12\nx = t at k",
    "less and more": "given k: 0..30 = 3\nx = t at clamp(k, 2, 12)\ny = t at max(2, min(k, 12))",
    "cases": "given k: yes or no = no\nn =\n    3 if k\n    12 otherwise\nx = t at n",
    "two pools": "roll p = d6\nroll q = d6\nx = t at (sum of (p + q))",
    "the highest": "roll p = 3d{2, 5, 9}\nx = t at (highest of p)",
    "a product and a difference": "roll p = d3\nx = t at (4 * p - 2)",
    "a roll that is made": "roll c = d6\nroll p = 2d6 if c > 3\nx = t at (sum of p) if c > 3 otherwise 0",
    "a row and a column": "given rack: one of 5, 10 = 5\nroll p = 2d6\nx = by_rack at (sum of p, rack)",
    "labels": "given mood: one of calm, wild = calm\nx = moods at mood",
    "a rolled rule": "roll other = inner\nx = t at (other.n + 1)",
}

UNSURE = {
    "one too few": "roll p = d6\nx = t at p",
    "one too many": "roll p = 2d6\nx = t at (sum of p + 1)",
    "an input that reaches further": "given k: 1..12 = 1\nx = t at k",
    "one of other numbers": "given k: one of 2, 13 = 13\nx = t at k",
    "dice that explode": "roll p = 2d6, explode on 6\nx = t at (sum of p)",
    "dice that are dropped": "roll p = 2d6, drop highest 1\nx = t at (sum of p)",
    "a roll that may not be made": "roll c = d6\nroll p = 2d6 if c > 3\nx = t at (sum of p)",
    "a roll under another condition": "roll c = d6\nroll p = 2d6 if c > 3\nx = t at (sum of p) if c > 2 otherwise 0",
    "a condition that has changed": (
        "track c = 0\ntrack y = 0\nrepeat 2 times\n    roll p = 2d6 if c = 1\n    c += 1\n"
        "    x = t at (sum of p) if c = 1 otherwise 0\n    y += x"
    ),
    "a rolled rule that may not be rolled": "roll c = d2\nroll other = inner if c = 1\nx = t at (sum of other.p + 1)",
    "a column that is not there": ("given rack: one of 5, 10, 20 = 20\nroll p = 2d6\nx = by_rack at (sum of p, rack)"),
    "no dice": "given k: 0..2 = 0\nroll p = k d6\nx = t at (sum of p + 1)",
    "a label that is not there": "given mood: one of calm, wild, odd = odd\nx = moods at mood",
}

INNER = "rule inner\n    roll p = d6\n    n = p\n\n"


def text_of(lines: str) -> str:
    after = "" if re.search(r"\by\b", lines) else "\ny = x + 1"
    return f"{TABLES}{INNER}rule r\n{indent(lines + after, '    ')}\n"


@pytest.mark.parametrize("name", SURE)
def test_a_row_that_is_surely_there_is_no_matter(name: str) -> None:
    ruleset = rulesrun.parse(text_of(SURE[name]))
    assert not [each.message for each in ruleset.warnings if "may be none" in each.message]


@pytest.mark.parametrize("name", UNSURE)
def test_a_row_that_may_lack_is_warned_of_and_met(name: str) -> None:
    ruleset = rulesrun.parse(text_of(UNSURE[name]))
    assert "maybe-none" in {each.code for each in ruleset.warnings}

    def fails(seed: int) -> bool:
        try:
            ruleset["r"].roll(seed=seed)
        except RulesError:
            return True
        return False

    assert any(map(fails, range(200)))
