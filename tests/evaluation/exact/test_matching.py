"""Dice told by how many of their pool show the same: equal to what is worked out by hand, for pools of any size."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from math import comb

import pytest

import rulesrun

RULE = "rule r\n    roll p = {}\n    v = {}\n"


@pytest.mark.parametrize(("count", "sides"), [(3, 6), (10, 10), (30, 20)])
def test_the_number_of_dice_in_sets(count: int, sides: int) -> None:
    """Each die is in a set of at least 2 if one of the others shows the same."""
    law = rulesrun.parse(RULE.format(f"{count}d{sides}", "size of (p where count die in p >= 2)"))["r"].odds().of("v")
    assert law.mean == count * (1 - Fraction(sides - 1, sides) ** (count - 1))
    alone = rulesrun.parse(RULE.format(f"{count}d{sides}", "sum of (p where count die in p = 1)"))["r"].odds().of("v")
    assert alone.mean == count * Fraction(sides + 1, 2) * Fraction(sides - 1, sides) ** (count - 1)


@pytest.mark.parametrize(("count", "sides"), [(6, 10), (12, 6)])
def test_a_score_for_each_die_by_how_many_show_the_same(count: int, sides: int) -> None:
    """The number of pairs of dice, a die with itself among them, that show the same."""
    law = rulesrun.parse(RULE.format(f"{count}d{sides}", "for each die in p: count die in p"))["r"].odds().of("v")
    assert law.mean == count + count * (count - 1) * Fraction(1, sides)
    assert law[count] == Fraction(comb(sides, count) * _factorial(count), sides**count)


def _factorial(number: int) -> int:
    return number * _factorial(number - 1) if number > 1 else 1


@pytest.mark.parametrize(
    "roll", ["4d4", "2d4 + 2d3", "3d4, against 3", "2d4 + 1d4, keep highest 2", "4d3, drop lowest 1"]
)
@pytest.mark.parametrize(
    "question",
    [
        "sum of (p where count die in p >= 2)",
        "highest of (p where count die in p = 1)",
        "lowest of (p where count die in p in odd)",
        "distinct in (p where count die in p >= 2 and die > 1)",
        "size of (p where count die in p > die)",
        "for each die in p: 10 ^ (count die in p) - die",
        "for each die in p: die / 2 if count die in p = 2 otherwise -1",
        "for each die in p: sides * count die in p",
        "sum of (highest 1 of (p where count die in p >= 2)) + size of (p where count die in p = 1)",
        "size of ((highest 3 of p) where count die in (highest 3 of p) >= 2)",
        "size of (p cancelled by (p where count die in p = 1))",
        "size of (p where (for each die in 2..3: die * count die in p) >= 4)",
        "size of (p where all die in p)",
        "sum of (p where any die in (lowest 1 of p))",
        "for each die in p: die * pairs of die in p",
        "for each die in p: die * count not die in p",
        "for each die in p: die * count die or 1 in p",
        "for each die in p: die * count >= die in p",
        "size of (p where count die in p >= 2 and size of (p where count die in p >= 2) = 2)",
    ],
)
def test_equal_to_looking_at_all_dice(roll: str, question: str) -> None:
    """The same rule whose dice are known one way after another."""
    rule = rulesrun.parse(RULE.format(roll, question))["r"]
    law = rule.odds().of("v")
    faces = [int(size) for size in _sizes(roll)]
    found: Counter[Fraction] = Counter()
    for shown in product(*(range(1, size + 1) for size in faces)):
        found[Fraction(rule.roll(dice={"p": list(shown)}).values["v"])] += 1
    total = sum(found.values())
    assert {Fraction(value): chance for value, chance in law.items()} == {
        value: Fraction(weight, total) for value, weight in found.items()
    }


def _sizes(roll: str) -> list[str]:
    sizes: list[str] = []
    for part in roll.split(",")[0].split("+"):
        count, sides = part.strip().split("d")
        sizes += [sides] * int(count)
    return sizes


def test_dice_that_are_read_otherwise_too() -> None:
    rule = rulesrun.parse(RULE.format("3d4", "size of (p where count die in p >= 2 and die < highest of p)"))["r"]
    shown = list(product(range(1, 5), repeat=3))
    wanted = Counter(sum(each.count(face) >= 2 and face < max(each) for face in each) for each in shown)
    assert dict(rule.odds().of("v").items()) == {size: Fraction(number, 64) for size, number in wanted.items()}


@pytest.mark.parametrize(
    "question", ["for each die in p: 2 ^ (count die in q)", "size of (p where count die in q = 1)"]
)
def test_how_many_of_another_pool_show_the_same(question: str) -> None:
    rule = rulesrun.parse(f"rule r\n    roll p = 2d3\n    roll q = 3d3\n    v = {question}\n")["r"]
    found: Counter[int] = Counter()
    for shown in product(range(1, 4), repeat=5):
        mine, theirs = shown[:2], shown[2:]
        numbers = [theirs.count(face) for face in mine]
        found[sum(2**number for number in numbers) if "^" in question else numbers.count(1)] += 1
    assert dict(rule.odds().of("v").items()) == {value: Fraction(ways, 243) for value, ways in found.items()}
