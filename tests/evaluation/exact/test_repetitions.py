"""Repetitions whose numbers grow by parts of one."""

from __future__ import annotations

from fractions import Fraction

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
