"""Repetitions without bound that read their turn: in rounds, or until it no longer matters."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import floor
from typing import Any

import pytest

import rulesrun

TEXT = """system "S"
rule r
    given players: 2..9 = 3
    given party: list of 0..
    track got = 0
    track last = 0
    track at: -9..99 = 0
    repeat until last = 4
        roll pool = 1d4
        {line}
        last becomes sum of pool
        at becomes {read}
    x = got
    y = at
"""
READS: dict[str, Callable[[int], int]] = {
    "remainder(turn, 3)": lambda turn: turn % 3,
    "remainder(turn + 1, players)": lambda turn: (turn + 1) % 3,
    "party at turn": lambda turn: 4 + (turn - 1) % 4,
    "[4, 5, 6] at turn": lambda turn: 4 + (turn - 1) % 3,
    "1 if turn in odd otherwise 0": lambda turn: turn % 2,
    "1 if turn > players otherwise 0": lambda turn: int(turn > 3),
    "2 if 2 <= turn otherwise remainder(turn, 2)": lambda turn: 2 if turn >= 2 else turn % 2,
    "1 if turn in 2..3 otherwise 0": lambda turn: int(2 <= turn <= 3),
    "1 if not (turn in 3..4) otherwise 0": lambda turn: int(turn not in (3, 4)),
    "1 if turn = 5 / 2 + 1 / 2 otherwise 0": lambda turn: int(turn == 3),
    "1 if turn in (2 or 5..) otherwise 0": lambda turn: int(turn == 2 or turn >= 5),
    "remainder(turn, -3)": lambda turn: turn % -3,
    "round_down(remainder(turn, 5 / 2))": lambda turn: floor(Fraction(turn) % Fraction(5, 2)),
    "remainder(turn, 2) if turn > 4 otherwise 7": lambda turn: turn % 2 if turn > 4 else 7,
    "remainder(turn, 2) + remainder(turn - players, 3)": lambda turn: turn % 2 + turn % 3,
}


def odds_of(line: str, read: str, name: str) -> Any:
    return rulesrun.parse(TEXT.format(line=line, read=read))["r"].odds(party=[4, 5, 6, 7]).of(name)


@pytest.mark.parametrize("read", READS)
def test_the_turn_is_read_as_the_last_one_shows_it(read: str) -> None:
    wanted: dict[int, Fraction] = {}
    chance = Fraction(1, 4)
    for turn in range(1, 200):
        value = READS[read](turn)
        wanted[value] = wanted.get(value, Fraction(0)) + chance
        chance *= Fraction(3, 4)
    found = dict(odds_of("got += 1", read, "y").items())
    assert found.keys() == wanted.keys()
    assert sum(found.values()) == 1
    assert all(0 <= found[value] - wanted[value] < Fraction(1, 10**20) for value in wanted)


LAST: dict[str, Callable[[int, int], int]] = {
    "1 if turn in 1..last otherwise 0": lambda turn, last: int(turn <= last),
    "1 if turn > last otherwise 0": lambda turn, last: int(turn > last),
    "remainder(turn, last + 1)": lambda turn, last: turn % (last + 1),
    "round_down(remainder(turn / 2, 3))": lambda turn, last: turn // 2 % 3,
    "remainder(3 - turn, 4)": lambda turn, last: (3 - turn) % 4,
    "1 if turn in (odd or 4) otherwise 0": lambda turn, last: int(turn % 2 == 1 or turn == 4),
    "1 if not (turn in (odd or 4)) otherwise 0": lambda turn, last: int(turn % 2 == 0 and turn != 4),
}


@pytest.mark.parametrize("read", LAST)
def test_what_does_not_come_round_as_it_is_read_has_right_odds_or_none(read: str) -> None:
    text = """system "S"
rule r
    track last = 0
    track at: -9..99 = 0
    repeat until last = 4
        roll pool = 1d4
        at becomes {read}
        last becomes sum of pool
    y = at
"""
    try:
        found = rulesrun.parse(text.format(read=read))["r"].odds(budget=30_000).of("y")
    except rulesrun.RulesError as error:
        assert error.diagnostics[0].code == "budget"
        return
    wanted: dict[int, Fraction] = {}
    chance = Fraction(1, 4)
    for turn in range(1, 200):
        for last in (1, 2, 3) if turn > 1 else (0, 0, 0):
            value = LAST[read](turn, last)
            wanted[value] = wanted.get(value, Fraction(0)) + chance / 3
        chance *= Fraction(3, 4)
    assert set(found) == wanted.keys()
    assert all(0 <= found[value] - wanted[value] < Fraction(1, 10**20) for value in wanted)


def test_what_is_gained_in_rounds_is_counted_without_end() -> None:
    odds = odds_of("got += 1 if turn > 2 and turn in odd", "0", "x")
    wanted: dict[int, Fraction] = {}
    chance = Fraction(1, 4)
    for turn in range(1, 60):
        got = sum(1 for each in range(3, turn + 1) if each % 2)
        wanted[got] = wanted.get(got, Fraction(0)) + chance
        chance *= Fraction(3, 4)
    assert [odds[got] for got in range(12)] == [wanted[got] for got in range(12)]
