"""What is best is told apart in samples by all that matters later, however soon it is read for the last time."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

import rulesrun
from rulesrun import RulesError

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


DICE = [
    "dice of p by default never",
    "dice of p by default always",
    "dice of p if sum of p > 9 by default always",
    "dice of p by default p showing 1..2",
    "at most 2 dice of p by default always",
    "at most 2 dice of p by default lowest 1 of p",
    "at most 2 dice of p if sum of p > 9 by default always",
    "at most a dice of p by default always",
    "at most a dice of p if sum of p > 9 by default always",
    "2 dice of p by default highest 2 of p",
    "2 dice of p if sum of p > 9 by default lowest 2 of p",
    "a dice of p by default highest a of p",
    "a dice of p if sum of p > 9 by default lowest a of p",
    "at most a dice of p by default best for sum of take",
]


@pytest.mark.parametrize("choice", DICE)
def test_dice_that_a_policy_takes(choice: str) -> None:
    text = f"rule r\n    roll a = d2\n    roll p = 3d6\n    choice take: {choice}\n"
    rule = rulesrun.parse(f"{text}    x = sum of take + 9 * size of take\n")["r"]
    sample, odds = rule.sample(4000, seed=5).of("x"), rule.odds().of("x")
    low, high = sample.mean_interval(0.999999)
    assert low <= odds.mean <= high
    assert {value for value, _ in sample.items()} <= {value for value, _ in odds.items()}


@pytest.mark.parametrize(
    ("options", "policy", "values"),
    [
        ("1..4", "never", {1}),
        ("1..4", "always", {4}),
        ("1..4", "2", {2}),
        ("a..a + 2", "never", {1, 2}),
        ("a..a + 2", "always", {3, 4}),
        ("a..a + 2", "a + 1", {2, 3}),
        ("a..a + 2 if a = 1", "always", {3, 2}),
        ("a..a + 2 if a = 1", "a + 1", {2}),
    ],
)
def test_numbers_that_a_policy_takes(options: str, policy: str, values: set[int]) -> None:
    text = f"rule r\n    roll a = d2\n    choice take: {options} by default {policy}\n    x = take\n"
    rule = rulesrun.parse(text)["r"]
    assert {value for value, _ in rule.sample(200, seed=5).of("x").items()} == values
    assert {value for value, _ in rule.odds().of("x").items()} == values


@pytest.mark.parametrize(
    "choice",
    [
        "at most 1 dice of p by default highest 2 of p",
        "at most a dice of p by default highest 2 of p",
        "at most a dice of p if a = 1 by default highest 2 of p",
        "dice of p by default q",
        "1..a by default 2",
    ],
)
def test_what_a_policy_may_not_take(choice: str) -> None:
    text = f"rule r\n    roll a = d2\n    roll p = 3d6\n    roll q = 2d8\n    choice take: {choice}\n"
    rule = rulesrun.parse(text)["r"]
    with pytest.raises(RulesError) as caught:
        rule.sample(200, seed=5)
    assert caught.value.diagnostics[0].code == "bad-choice"
