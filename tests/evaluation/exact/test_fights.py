"""Repetitions in which numbers without end are counted down: what lies beyond a bound ends them, and none is lost."""

from __future__ import annotations

from fractions import Fraction

import pytest

import rulesrun

from .test_own_numbers import Law, ace, agrees

Both = dict[tuple[int, int], Fraction]

DUEL = """rule r
    track mine = 6
    track yours = 7
    repeat until mine <= 0 or yours <= 0
        roll a = d4, explode on 4 adding
        roll b = d3, explode on 3 adding
        yours -= max(0, a - 1)
        mine -= b if yours > 0
    outcome
        + won  if yours <= 0
        - lost otherwise
"""


def test_a_duel() -> None:
    left: Both = {(6, 7): Fraction(1)}
    won = Fraction(0)
    for _ in range(12):
        following: Both = {}
        for (mine, yours), chance in left.items():
            for a, first in ace(4, 6).items():
                if yours - max(0, a - 1) <= 0:
                    won += chance * first
                    continue
                for b, second in ace(3, 7).items():
                    if mine - b > 0:
                        key = mine - b, yours - max(0, a - 1)
                        following[key] = following.get(key, Fraction(0)) + chance * first * second
        left = following
    odds = rulesrun.parse(DUEL)["r"].odds()
    assert 0 <= odds["won"] - won < Fraction(1, 1000)
    assert odds["won"] + odds["lost"] == 1


LEFT = """rule r
    track left = 9
    repeat until left <= 0
        roll p = 1d4!
        left becomes left - sum of p if left > 3 otherwise left - 1
    over = 0 - left
"""


def test_by_how_much_the_last_blow_goes_over() -> None:
    left: Law = {9: Fraction(1)}
    wanted: dict[object, Fraction] = {}
    while left:
        following: Law = {}
        for number, chance in left.items():
            if number <= 0:
                wanted[-number] = wanted.get(-number, Fraction(0)) + chance
                continue
            for damage, share in (ace(4, 9) if number > 3 else {1: Fraction(1)}).items():
                following[number - damage] = following.get(number - damage, Fraction(0)) + chance * share
        left = following
    agrees(LEFT, "over", wanted)


def test_what_was_dealt_beside_what_is_left() -> None:
    text = """rule r
    track left = 8
    track dealt = 0
    repeat until left <= 0, at most 3 times
        roll hit = d2
        roll p = 1d3!
        left -= sum of p if hit = 2
        dealt += sum of p if hit = 2
    flag down if left <= 0
"""
    ways: Both = {(8, 0): Fraction(1)}
    for _ in range(3):
        following: Both = {}
        for (left, dealt), chance in ways.items():
            blows: Law = {0: Fraction(1)} if left <= 0 else {0: Fraction(1, 2)}
            if left > 0:
                blows |= {damage: share / 2 for damage, share in ace(3, 9).items()}
            for damage, share in blows.items():
                key = left - damage, dealt + damage
                following[key] = following.get(key, Fraction(0)) + chance * share
        ways = following
    wanted: dict[object, Fraction] = {}
    for (_, dealt), chance in ways.items():
        wanted[dealt] = wanted.get(dealt, Fraction(0)) + chance
    agrees(text, "dealt", wanted)
    standing = sum((chance for (left, _), chance in ways.items() if left > 0), Fraction(0))
    assert rulesrun.parse(text)["r"].odds()["down"] == 1 - standing


def test_a_bound_far_away_is_followed_as_far() -> None:
    text = "rule r\n    track hp = 90\n    track rounds = 0\n    repeat until hp <= 0\n        roll p = 1d3!\n"
    text += "        hp -= sum of p\n        rounds += 1\n"
    rounds = rulesrun.parse(text)["r"].odds().of("rounds")
    sums: Law = {0: Fraction(1)}
    one = ace(3, 60)
    for turn in range(1, 12):
        sums = _added(sums, one, 89)
        assert 1 - rounds.at_most(turn) == sum(sums.values())


def _added(left: Law, right: Law, most: int) -> Law:
    found: Law = {}
    for x, p in left.items():
        for y, q in right.items():
            if x + y <= most:
                found[x + y] = found.get(x + y, Fraction(0)) + p * q
    return found


def test_a_number_without_end_that_no_bound_settles_is_refused() -> None:
    text = "rule r\n    track x = 5\n    repeat 3 times\n        roll p = 1d4!\n        x becomes abs(x - sum of p)\n"
    with pytest.raises(rulesrun.RulesError, match="endless result inside a repetition"):
        rulesrun.parse(text)["r"].odds().of("x")
