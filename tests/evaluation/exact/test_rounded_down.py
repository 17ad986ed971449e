"""Numbers rounded down, read off the law of what is rounded: against every way in which the dice fall."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product

import pytest

import rulesrun

TEXT = """
system "Halves"

rule halves
    roll saved = 2d6, keep highest 1
    roll hurt = 3d4
    damage = {value}
"""

Told = Callable[[int, int, int], int]
VALUES: dict[str, Told] = {
    "round_down(sum of hurt / 2)": lambda saved, hurt, best: hurt // 2,
    "3 - 2 * round_down((sum of hurt + 1) / 3)": lambda saved, hurt, best: 3 - 2 * ((hurt + 1) // 3),
    "round_up(sum of hurt / 2) + 1": lambda saved, hurt, best: -(-hurt // 2) + 1,
    "sum of hurt if sum of saved < 5 otherwise round_down(sum of hurt / 2)": lambda saved, hurt, best: (
        hurt if saved < 5 else hurt // 2
    ),
    "round_down((sum of hurt - 3 * sum of saved) / 4)": lambda saved, hurt, best: (hurt - 3 * saved) // 4,
    "round_down((sum of highest 2 of hurt) / 2)": lambda saved, hurt, best: best // 2,
    "round_down(sum of hurt / 2) if sum of hurt > 6 otherwise 0": lambda saved, hurt, best: hurt // 2 * (hurt > 6),
}


@pytest.mark.parametrize("value", VALUES)
def test_a_number_rounded_down(value: str) -> None:
    wanted: dict[int, Fraction] = {}
    for first, second, *hurt in product(range(1, 7), range(1, 7), *[range(1, 5)] * 3):
        number = VALUES[value](max(first, second), sum(hurt), sum(sorted(hurt)[1:]))
        wanted[number] = wanted.get(number, Fraction(0)) + Fraction(1, 36 * 64)
    odds = rulesrun.parse(TEXT.format(value=value), "halves.rules")["halves"].odds()
    assert dict(odds.of("damage").items()) == dict(sorted(wanted.items()))
    given = sum(weight for number, weight in wanted.items() if number >= 3)
    assert odds.chance("damage >= 3") == given


def test_given_another_number_that_is_rounded() -> None:
    rules = rulesrun.parse(TEXT.format(value="round_down(sum of hurt / 2)"), "halves.rules")
    found = dict(rules["halves"].odds(given="sum of hurt >= 10").of("damage").items())
    assert found == {5: Fraction(9, 10), 6: Fraction(1, 10)}
