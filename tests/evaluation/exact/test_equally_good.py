"""Choices that are equally good: no, the lowest number, the first label, as few and as low dice as may be; rolls, odds
and samples take the same.
"""

from __future__ import annotations

import pytest

import rulesrun
from rulesrun import Rule

RULE = """die sign = red, green, blue

rule r
    roll pool = {pool}
    choice take{options} by default best for x
    y = {asked}
    x = {aim}
"""


def rule(options: str, asked: str, pool: str = "3d12", aim: str = "sum of pool") -> Rule:
    return rulesrun.parse(RULE.format(pool=pool, options=options, aim=aim, asked=asked))["r"]


@pytest.mark.parametrize(
    ("options", "asked"),
    [
        (": 1 dice of pool", "1 if sum of take = lowest of pool otherwise 0"),
        (": 2 dice of pool", "1 if sum of take + highest of pool = sum of pool otherwise 0"),
        (": at most 2 dice of pool", "1 if size of take = 0 otherwise 0"),
        (": 2..4", "1 if take = 2 otherwise 0"),
        (": one of left, right", "1 if take is left otherwise 0"),
        ("", "0 if take otherwise 1"),
    ],
)
@pytest.mark.parametrize("aim", ["sum of pool", "0 * y + sum of pool"])
def test_the_first_of_equals_is_taken(options: str, asked: str, aim: str) -> None:
    made = rule(options, asked, aim=aim)
    assert dict(made.odds().of("y").items()) == {1: 1}
    assert {made.roll(seed=seed).values["y"] for seed in range(20)} == {1}
    assert {value for value, _ in made.sample(200, seed=1).of("y").items()} == {1}


def test_dice_of_symbols_are_taken_in_the_order_of_their_names() -> None:
    made = rule(": 1 dice of pool", "count red in take", pool="3 sign", aim="count red in pool")
    chance = made.odds().of("y")[1]
    assert chance == made.odds().chance("none green in pool and none blue in pool")
    rolls = [made.roll(seed=seed) for seed in range(60)]
    assert all(roll.values["y"] == (set(roll.dice["pool"]) == {("red",)}) for roll in rolls)
    assert abs(float(dict(made.sample(4000, seed=1).of("y").items()).get(1, 0)) - float(chance)) < 0.02
