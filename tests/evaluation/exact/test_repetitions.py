"""Repetitions whose numbers grow by parts of one."""

from __future__ import annotations

from fractions import Fraction

import pytest

import rulesrun

HALVES = """system "S"

rule main
    given n: 1.. = 2
    track total = 0
    track turns = 0
    repeat until turns >= n
        roll pool = 1d6
        total += sum of pool / 2
        turns += 1
    outcome
        + good if total > 3
        - bad otherwise

rule plain
    given n: 1.. = 2
    roll pool = n d6
    total = sum of pool / 2
"""


def test_a_number_that_grows_by_halves_is_followed_as_it_is() -> None:
    rules = rulesrun.parse(HALVES, name="halves.rules")
    for n in (1, 2, 3):
        odds, plain = rules["main"].odds(n=n), rules["plain"].odds(n=n).of("total")
        assert dict(odds.of("total").items()) == dict(plain.items())
        assert odds["good"] == sum((chance for value, chance in plain.items() if value > 3), Fraction(0))


ENDLESS = """system "S"

rule walk
    track x = 1
    track last = 0
    repeat until last = 6
        roll pool = 1d6
        x becomes remainder(x * 3 + sum of pool, 10007)
        last becomes sum of pool

rule turns
    track x = 1
    repeat until x < 0
        roll pool = 1d6
        x += sum of pool - remainder(turn * turn, 7)
"""


def test_an_endless_number_that_turns_read_again_is_an_error() -> None:
    text = """
rule r
    track n = 0
    track m = 10
    repeat until n >= 500
        roll p = 5d2, explode on 2
        n += 1 if sum of p > m
        m becomes m * 2 + sum of p
    x = n
"""
    with pytest.raises(rulesrun.RulesError, match="too large for exact odds: more than 2,000,000 steps"):
        rulesrun.parse(text)["r"].odds().of("x")


@pytest.mark.parametrize("rule", ["walk", "turns"])
def test_situations_without_end_are_given_up_soon(rule: str) -> None:
    odds = rulesrun.parse(ENDLESS, name="endless.rules")[rule]
    with pytest.raises(rulesrun.RulesError, match="too large for exact odds: more than 200,000 steps"):
        odds.odds(budget=200_000).of("x")
