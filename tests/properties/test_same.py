"""Larger dice than the enumerator can follow: what is said in two ways has the same odds."""

from __future__ import annotations

import time
from fractions import Fraction

import pytest

import rulesrun

from .picks import Picks
from .same import WAYS, compare_pair, pair


def test_the_same_dice_said_in_two_ways() -> None:
    judge("same", 25, 15, 8.0)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(4))
def test_more_dice_said_in_two_ways(part: int) -> None:
    judge(f"more {part}", 100, 60, 40.0)


def judge(seed: str, many: int, least: int, seconds: float) -> None:
    started, agreed = time.process_time(), 0
    for place in range(many):
        way, first, second = pair(Picks.seeded(f"{seed}/{place}"))
        verdict = compare_pair(first, second)
        assert not verdict.wrong, f"{way}\n{first}\n{second}\n{verdict.wrong}"
        agreed += verdict.agrees
        if time.process_time() - started > seconds:
            break
    assert agreed >= least * (place + 1) // many


def test_a_wrong_number_is_seen() -> None:
    text = "rule main\n    roll p = {}\n    value1 = sum of p\n"
    assert compare_pair(text.format("8d6"), text.format("9d6")).wrong
    assert compare_pair(text.format("8d6"), text.format("8d{1, 2, 3, 4, 5, 6}")).agrees


def test_each_way_is_taken() -> None:
    assert {pair(Picks.seeded(f"ways {place}"))[0] for place in range(200)} == set(WAYS)


def test_a_large_pair_is_what_it_should_be() -> None:
    """One number of such a pair, worked out by hand: the highest of 8d10."""
    odds = rulesrun.parse("rule main\n    roll p = 8d10\n    value1 = highest of p\n")["main"].odds()
    assert odds.of("value1")[10] == 1 - Fraction(9, 10) ** 8
