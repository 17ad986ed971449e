"""Many numbers of a list beside unknown dice: they are added up at once, and compared with what is unknown."""

from __future__ import annotations

from fractions import Fraction
from unittest.mock import patch

import pytest
from tests.reference.odds import enumerate_rule

import rulesrun
from rulesrun.diagnostics import Source
from rulesrun.evaluation.exact.expressions import outright
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


@pytest.mark.parametrize("value", ["die", "die * p", "die + (for each die in 1..2: p)"])
def test_what_is_the_same_for_each_item_is_worked_out_once(value: str) -> None:
    text = f"rule r\n    roll p = d4\n    x = for each die in 1..3: die * (for each die in 1..4: {value}) + die\n"
    odds = dict(rulesrun.parse(text)["r"].odds().of("x").items())
    assert odds == enumerate_rule(parse(Source.of_text("r.rules", text)), "r").of("x")


def test_two_million_items_beside_an_unknown_die() -> None:
    text = "rule r\n    roll p = d6\n    x = for each die in 1..1400: (for each die in 1..1400: die * p)\n"
    assert rulesrun.parse(text)["r"].odds().of("x").mean == 1400 * 980_700 * Fraction(7, 2)


def test_what_several_lines_look_at_is_one_bound() -> None:
    line = "for each die in 1..30: (for each die in 1..30: die)"
    text = f"rule r\n    roll p = d6\n    a = {line}\n    b = {line}\n    x = a + b + p\n"
    rule = rulesrun.parse(text, limits=rulesrun.Limits(work=2000))["r"]
    assert rule.odds().of("x").mean == 2 * 30 * 465 + Fraction(7, 2)
    rule = rulesrun.parse(text, limits=rulesrun.Limits(work=1500))["r"]
    for asked in (lambda: rule.roll(seed=1), lambda: rule.odds().of("x")):
        with pytest.raises(rulesrun.RulesError, match="1,500 dice and items"):
            asked()


@pytest.mark.parametrize(
    "value",
    [
        "for each die in hand: count (5 - die) in hand + highest of hand * count >= die in hand",
        "(for each die in 1..4: count die in hand * count (die + 1) in hand) / 2 if n > 1 otherwise n",
        "sum of (hand with each die as (die if count die in hand > 1 otherwise n)) + highest of (hand where die < 3)",
        "longest run in hand + (lowest of hand if any n in hand otherwise largest set in hand) + pairs of 1..2 in hand",
        "(for each die in (hand showing (2 or 4)): die * sides + n) - sum of (hand where die != 3)",
    ],
)
def test_what_is_known_is_worked_out_as_in_a_roll(value: str) -> None:
    text = f"rule r\n    roll hand = 2d4 + d3\n    roll n = d2\n    hold = hand with each die as die\n    x = {value}\n"
    with patch.object(outright, "OFTEN", 0), patch.object(outright, "ENOUGH", 0):
        odds = dict(rulesrun.parse(text)["r"].odds().of("x").items())
    assert odds == enumerate_rule(parse(Source.of_text("r.rules", text)), "r").of("x")


def test_numbers_of_a_list_held_against_each_of_others() -> None:
    text = """rule r
    roll a = d4
    roll b = d4
    roll c = d3
    code = [a, b, c + 1]
    x = 10 * (for each die in 1..4: min(count die in code, count die in [1, 1, 3])) + a
"""
    odds = dict(rulesrun.parse(text)["r"].odds().of("x").items())
    assert odds == enumerate_rule(parse(Source.of_text("r.rules", text)), "r").of("x")
