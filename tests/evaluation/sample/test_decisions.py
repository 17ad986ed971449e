"""What is best is told apart in samples by all that matters later, however soon it is read for the last time."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import rulesrun

TRIALS = 20_000
FACES = range(1, 7)
GREATER = Fraction(sum(max(pair) for pair in product(FACES, repeat=2)), 36)
LESS = Fraction(sum(min(pair) for pair in product(FACES, repeat=2)), 36)


def mean_in_samples(text: str, name: str) -> tuple[float, float, Fraction]:
    """The lowest and highest mean that a sample allows, and the exact one."""
    rule = rulesrun.parse(text)["r"]
    low, high = rule.sample(TRIALS, seed=3).of(name).mean_interval(0.999999)
    return low, high, rule.odds().of(name).mean


def test_what_only_the_next_line_reads() -> None:
    low, high, exact = mean_in_samples(
        """
rule r
    track points = 0
    repeat 2 times
        roll d = d6
        roll e = d6
        choice swap by default best for points
        gained = e if swap otherwise d
        points += gained
""",
        "points",
    )
    assert exact == 2 * GREATER
    assert low < exact < high


def test_what_only_the_line_behind_the_repetition_reads() -> None:
    low, high, exact = mean_in_samples(
        """
rule r
    track points = 0
    roll a = d6
    repeat 2 times
        roll d = d6
        roll e = d6
        choice swap by default best for total
        gained = e if swap otherwise d
        points += gained
    signed = points if a >= 4 otherwise -points
    total = signed
""",
        "total",
    )
    assert exact == GREATER - LESS
    assert low < exact < high


def test_what_is_read_behind_a_choice_of_its_own() -> None:
    low, high, exact = mean_in_samples(
        """
rule r
    roll a = d6
    roll d = d6
    roll e = d6
    choice swap by default best for total
    gained = e if swap otherwise d
    total = gained if a >= 5 otherwise -gained
""",
        "total",
    )
    assert exact == Fraction(1, 3) * GREATER - Fraction(2, 3) * LESS
    assert low < exact < high


def test_what_only_the_choice_itself_reads() -> None:
    low, high, exact = mean_in_samples(
        """
rule r
    roll most = d3
    roll d = d6
    choice taken: 0..most by default best for total
    total = taken if d >= 3 otherwise -taken
""",
        "total",
    )
    assert exact == Fraction(2, 3) * 2
    assert low < exact < high
