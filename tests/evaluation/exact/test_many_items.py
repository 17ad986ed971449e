"""Many numbers of a list beside unknown dice: they are added up at once, and compared with what is unknown."""

from __future__ import annotations

from fractions import Fraction

import pytest
from tests.reference.odds import enumerate_rule

import rulesrun
from rulesrun.diagnostics import Source
from rulesrun.syntax.parser import parse


@pytest.mark.parametrize(
    "value",
    [
        "for each die in 1..4: p + die",
        "for each die in 1..4: die * p - q",
        "for each die in 1..4: (for each die in 1..3: p + die) + q / 2",
        "for each die in 1..4: p if die > p otherwise q",
        "for each die in 1..4: 1 if die >= 2 * p - 3 otherwise die",
        "for each die in 1..4: 1 if 5 - p < die otherwise 0",
        "for each die in 1..4: 1 if die = p or 3 != q + die otherwise 0",
        "for each die in 1..4: 1 if die / 2 <= p / 3 otherwise 0",
        "for each die in 1..4: 1 if max(die, p) > q otherwise 0",
        "for each die in [p, q, 2]: die * 2 + p",
    ],
)
def test_odds_are_those_of_counting_all_ways(value: str) -> None:
    text = f"rule r\n    roll p = d4\n    roll q = d3\n    x = {value}\n"
    odds = dict(rulesrun.parse(text)["r"].odds().of("x").items())
    assert odds == enumerate_rule(parse(Source.of_text("r.rules", text)), "r").of("x")


def test_a_hundred_thousand_numbers_are_added_up_at_once() -> None:
    rule = rulesrun.parse("rule r\n    roll p = d6\n    x = for each die in 1..90000: p + die\n")["r"]
    assert rule.odds().of("x").mean == 90_000 * Fraction(7, 2) + 90_000 * 90_001 // 2


def test_comparisons_with_what_is_unknown_are_counted() -> None:
    value = "for each die in 1..1400: (for each die in 1..1400: 1 if die > sum of p otherwise 0)"
    rule = rulesrun.parse(f"rule r\n    roll p = 3d6\n    x = {value}\n", limits={"states": 20_000})["r"]
    with pytest.raises(rulesrun.RulesError, match="more than 60,000 items and faces to look at"):
        rule.odds().of("x")
