"""Draws after draws: bags that differ only in what is read no more are one, with the chances of all that is drawn."""

from __future__ import annotations

from unittest.mock import patch

import pytest
from tests.reference.odds import enumerate_rule

import rulesrun
from rulesrun.diagnostics import Source
from rulesrun.evaluation.exact import blended
from rulesrun.syntax.parser import parse

DRAWN = {
    "one after another": """
    draw first = 2 from deck
    low = sum of first <= 4
    draw second = 2 from deck
    even = count 2 or 4 in second
    draw third = 1 from deck if even > 0
    x = sum of third + 10 * even + (100 if low otherwise 0)
""",
    "passed over": """
    draw first = 1 from deck
    high = any 3..4 in first
    draw second = 2 from deck if high
    draw third = 1 from deck if not high
    draw last = 2 from deck
    x = sum of second - sum of third + 10 * sum of last
""",
    "read at the end": """
    draw first = 2 from deck
    draw second = 1 from deck
    draw third = 1 from deck
    x = sum of third - sum of second if any 1 in second otherwise sum of first
""",
    "another bag": """
    draw first = 1 from deck
    draw other = 2 from sack
    draw second = 2 from deck
    draw more = 1 from sack
    x = sum of second + 10 * sum of more + (100 if sum of first > sum of other otherwise 0)
""",
    "put back": """
    draw first = 2 from deck
    many = sum of first > 5
    put first back if many
    draw second = 2 from deck
    x = sum of second + (100 if many otherwise 0)
""",
    "all of it": """
    draw first = 3 from deck
    draw second = 3 from deck
    one = any 1 in second
    draw third = 4 from deck
    x = sum of third + (100 if one otherwise 0)
""",
}


@pytest.mark.parametrize("most", [0, 4, 1000])
@pytest.mark.parametrize("lines", DRAWN.values(), ids=DRAWN)
def test_odds_are_those_of_drawing_in_all_ways(lines: str, most: int) -> None:
    text = f"bag deck = 1..2 x2, 3..4, 5 x2\nbag sack = 1..3 x2\nrule r{lines}"
    with patch.object(blended, "MOST_WAYS", most), patch.object(blended, "WORTH", 1):
        odds = dict(rulesrun.parse(text)["r"].odds().of("x").items())
    assert odds == enumerate_rule(parse(Source.of_text("r.rules", text)), "r").of("x")


def test_a_bag_is_not_blended_where_a_decision_is_made() -> None:
    """Whoever decides remembers what was drawn."""
    text = """bag deck = 1..3 x2
rule r
    draw first = 1 from deck
    draw second = 1 from deck
    choice more by default best for x
    draw third = 1 from deck
    x = sum of third if more otherwise 2
"""
    rule = rulesrun.parse(text)["r"]
    with patch.object(blended, "WORTH", 0):
        mean = rule.odds().of("x").mean
    assert mean == enumerate_rule(parse(Source.of_text("r.rules", text)), "r").mean("x")


def test_situations_are_no_more_than_what_is_told_apart() -> None:
    text = """bag deck = 1..10 x8
rule r
    draw first = 2 from deck
    a = remainder(sum of first, 10)
    draw second = 2 from deck
    b = remainder(sum of second, 10)
    draw third = 1 from deck if a > b
    draw fourth = 1 from deck
    x = a + b + sum of third + sum of fourth
"""
    odds = rulesrun.parse(text)["r"].odds(budget=20_000)
    assert odds.of("x").mean > 0
