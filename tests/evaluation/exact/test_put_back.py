"""What was drawn goes back once: rolls, odds, samples and the reference agree, wherever the `put` lines stand."""

from __future__ import annotations

from fractions import Fraction
from textwrap import indent

import pytest
from tests.reference import enumerate_rule

import rulesrun
from rulesrun.diagnostics import Source
from rulesrun.syntax.parser import parse

SHAPES = {
    "twice": """
draw a = 1 from deck
put a back
put a back
draw b = 3 from deck
x = 10 * size of b + sum of b
""",
    "by two conditions that may both hold": """
roll p = d3
draw a = 1 from deck
put a back if p <= 2
put a back if p >= 2
draw b = 3 from deck
x = 10 * size of b + sum of a
""",
    "in every turn, drawn before them": """
draw a = 1 from deck
repeat 2 times
    put a back
draw b = 3 from deck
x = 10 * size of b + sum of a
""",
    "in a turn where dice say so, with draws beside it": """
draw a = 1 from deck
track n = 0
repeat 2 times
    roll p = d2
    put a back if p = 1
    draw c = 1 from deck
    n += sum of c
draw b = 3 from deck
x = 100 * n + 10 * size of b + sum of a
""",
    "in turns within turns": """
draw a = 1 from deck
track n = 0
repeat 2 times
    repeat 2 times
        put a back
    draw c = 1 from deck
    n += sum of c
    put c back
    put c back
draw b = 3 from deck
x = 100 * n + 10 * size of b
""",
    "all of it, whatever was drawn": """
draw a = 1 from deck
draw b = 1 from deck
put deck back
put a back
draw c = 3 from deck
x = 10 * size of c + sum of a
""",
    "all of it but one draw, which goes back later": """
roll p = d2
draw a = 1 from deck
draw b = 1 from deck
put deck back except a if p = 1
draw c = 3 from deck
put b back
put a back
put a back
draw d = 4 from deck
x = 100 * size of c + 10 * size of d + sum of c
""",
    "all of it when the bag is empty, turn by turn": """
track n = 0
repeat 3 times
    draw c = 1 from deck
    put deck back if size of c = 0
    draw again = 1 from deck if size of c = 0
    n becomes 3 * n + sum of (c + again)
draw b = 3 from deck
x = 10 * n + size of b
""",
    "all of it but what was drawn before the turns, or is not out": """
draw a = 1 from deck
track n = 0
repeat 2 times
    roll p = d2
    draw c = 1 from deck
    put a back if p = 1
    put deck back except a, c
    draw d = 2 from deck
    n becomes 10 * n + 3 * size of d + sum of d
x = n
""",
    "nothing was drawn": """
roll p = d2
draw a = 1 from deck if p = 1
put a back
draw b = 3 from deck
x = size of b
""",
}


def with_deck(lines: str) -> str:
    return f"bag deck = 1..2\n\nrule r\n{indent(lines.strip(), '    ')}\n"


@pytest.mark.parametrize("shape", SHAPES)
def test_what_was_drawn_goes_back_once(shape: str) -> None:
    text = with_deck(SHAPES[shape])
    rule = rulesrun.parse(text)["r"]
    odds = dict(rule.odds().of("x").items())
    assert odds == enumerate_rule(parse(Source.of_text("r.rules", text)), "r").of("x")
    assert {rule.roll(seed=seed).values["x"] for seed in range(300)} == set(odds)
    sample = rule.sample(2000, seed=1)
    assert {value for value, _ in sample.of("x").items()} == set(odds)


@pytest.mark.parametrize("asked", ["sum of b", "count 2 in b", "1 if all equal in symbols of (a + b) otherwise 0"])
def test_cards_that_nothing_tells_apart_go_back_into_a_full_bag(asked: str) -> None:
    lines = f"""
draw a = 1 from deck
draw b = 2 from deck
put deck back except a
draw c = 2 from deck
put deck back except c
draw b2 = 1 from deck
y = {asked}
x = 100 * y + 10 * sum of c + sum of b2
"""
    text = f"bag deck = 1..2 & heart, 1..2 & spade\n\nrule r\n{indent(lines.strip(), '    ')}\n"
    odds = dict(rulesrun.parse(text)["r"].odds().of("x").items())
    assert odds == enumerate_rule(parse(Source.of_text("r.rules", text)), "r").of("x")


def test_the_best_choice_knows_what_is_left_in_the_bag() -> None:
    lines = """
draw a = 1 from deck
choice more by default best for x
draw b = 1 from deck if more
x = 10 * sum of b if more otherwise 14
"""
    rule = rulesrun.parse(with_deck(lines))["r"]
    odds = rule.odds()
    assert dict(odds.of("x").items()) == {14: Fraction(1, 2), 20: Fraction(1, 2)}
    assert odds.policies["more"]["when"] == [{"deck": [2]}]
    rolls = [rule.roll(seed=seed) for seed in range(40)]
    assert {(roll.values["x"], roll.dice["a"]) for roll in rolls} == {(20, (1,)), (14, (2,))}
    assert {value for value, _ in rule.sample(500, seed=1).of("x").items()} == {14, 20}


def test_the_best_choice_knows_whether_a_card_is_still_out() -> None:
    lines = """
draw a = 1 from deck
roll p = d2
put a back if p = 1
choice more by default best for x
put a back if more
draw b = 2 from deck
x = 3 * size of b - (1 if more otherwise 0)
"""
    rule = rulesrun.parse(with_deck(lines))["r"]
    assert dict(rule.odds().of("x").items()) == {6: Fraction(1, 2), 5: Fraction(1, 2)}
    assert {rule.roll(seed=seed).values["x"] for seed in range(40)} == {5, 6}
    assert {value for value, _ in rule.sample(500, seed=1).of("x").items()} == {5, 6}


def test_the_best_choice_in_a_turn_counts_the_cards() -> None:
    lines = """
track total = 0
track going = 1
repeat until total > 3 or going = 0, at most 3 times
    choice more by default best for worth
    draw c = 1 from deck if more
    total += sum of c
    going becomes 1 if more otherwise 0
worth = total if total <= 3 otherwise 0
"""
    text = f"bag deck = 1 x3, 2 x2\n\nrule r\n{indent(lines.strip(), '    ')}\n"
    rule = rulesrun.parse(text)["r"]
    law = dict(rule.odds().of("worth").items())
    assert law == {2: Fraction(3, 10), 3: Fraction(6, 10), 0: Fraction(1, 10)}
    assert {rule.roll(seed=seed).values["worth"] for seed in range(60)} == set(law)
    assert {value for value, _ in rule.sample(500, seed=1).of("worth").items()} == set(law)
