"""Two endless numbers at once: their joint chances, against the plain sum over both rows."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product

import pytest

import rulesrun
from rulesrun.dice import Law
from rulesrun.dice.termwise import tail_chances, termwise

from .nearly import lies_where_enumeration_leaves_room

TAIL = Fraction(1, 10**8)


def exploding(sides: int) -> Law:
    """A die that explodes on its top face, its faces added."""
    stop = Law.of({face: Fraction(1, sides) for face in range(1, sides)})
    return Law.geometric_sum(stop, Law.of({sides: Fraction(1, sides)}))


LAWS = {"a": exploding(3) ** 2, "b": exploding(4), "c": exploding(2)}
QUESTIONS: dict[str, tuple[str, Callable[[int, int], Fraction | int]]] = {
    "a if a > b otherwise 0": ("ab", lambda a, b: a if a > b else 0),
    "b if a > b otherwise 0": ("ab", lambda a, b: b if a > b else 0),
    "a - b if a >= b otherwise 0": ("ab", lambda a, b: a - b if a >= b else 0),
    "max(a, b)": ("ab", max),
    "min(a, b)": ("ab", min),
    "10 - max(a, b)": ("ab", lambda a, b: 10 - max(a, b)),
    "1 if (a = b and a > 4) otherwise 0": ("ab", lambda a, b: int(a == b and a > 4)),
    "1 if (a > b and b > 2) otherwise 0": ("ab", lambda a, b: int(a > b > 2)),
    "a if a + b > 9 otherwise -1": ("ab", lambda a, b: a if a + b > 9 else -1),
    "a if a + b < 9 otherwise -1": ("ab", lambda a, b: a if a + b < 9 else -1),
    "c if (b - c in 1..3) otherwise 0": ("bc", lambda b, c: c if 1 <= b - c <= 3 else 0),
    "b if (b >= c and b > 5) otherwise c": ("bc", lambda b, c: b if b >= c and b > 5 else c),
}


@pytest.mark.parametrize("question", QUESTIONS)
def test_chances_of_two_endless_numbers(question: str) -> None:
    text = (
        "rule r\n    roll p = 2d3!\n    roll q = d4!\n    roll s = d2!\n    a = sum of p\n    b = sum of q\n"
        f"    c = sum of s\n    x = {question}\n"
    )
    names, answer = QUESTIONS[question]
    wanted: dict[object, Fraction] = {}
    for a, chance in LAWS[names[0]].items(TAIL / 10):
        for b, other in LAWS[names[1]].items(TAIL / 10):
            value = answer(a, b)
            wanted[value] = wanted.get(value, Fraction(0)) + chance * other
    found = rulesrun.parse(text)["r"].odds().of("x")
    lies_where_enumeration_leaves_room(found, wanted, TAIL)


def test_the_mean_of_the_better_of_two_endless_dice() -> None:
    text = (
        "rule r\n    roll p = d8!\n    roll q = d6!\n    x = max(sum of p, sum of q)\n    y = min(sum of p, sum of q)\n"
    )
    odds = rulesrun.parse(text)["r"].odds()
    assert odds.of("x").mean + odds.of("y").mean == Fraction(36, 7) + Fraction(21, 5)


@pytest.mark.parametrize("left", [exploding(3), exploding(2) ** 2, Law.of({2: Fraction(1, 3), 7: Fraction(2, 3)})])
@pytest.mark.parametrize("right", [exploding(4) ** 2, exploding(2).affine(2, -3), exploding(5).affine(1, 6)])
def test_products_of_rows_value_by_value(left: Law, right: Law) -> None:
    both, other = termwise(left, right), termwise(right, left)
    assert all(both[value] == left[value] * right[value] == other[value] for value in range(-8, 90))
    above = tail_chances(right, 1)
    assert all(above[value] == right.mass_between(value, None) for value in range(1, 60))
    assert above[0] == 0


MANY: dict[str, Callable[[int, int, int], Fraction | int]] = {
    "max(a, b, c)": max,
    "min(a, b, c)": min,
    "3 - 2 * max(a, b, c, 4)": lambda a, b, c: 3 - 2 * max(a, b, c, 4),
    "max(2 * a, b + 1, c) / 2": lambda a, b, c: Fraction(max(2 * a, b + 1, c), 2),
    "max(a, b, c) if a > 3 otherwise 0": lambda a, b, c: max(a, b, c) if a > 3 else 0,
    "min(a, b, c) if b > 2 otherwise 0": lambda a, b, c: min(a, b, c) if b > 2 else 0,
    "1 if (a > b and b > c) otherwise 0": lambda a, b, c: int(a > b > c),
    "b if (a > b and b > c) otherwise 0": lambda a, b, c: b if a > b > c else 0,
}


@pytest.mark.parametrize("question", MANY)
def test_chances_of_three_endless_numbers(question: str) -> None:
    text = (
        "rule r\n    roll p = 2d3!\n    roll q = d4!\n    roll s = d2!\n    a = sum of p\n    b = sum of q\n"
        f"    c = sum of s\n    x = {question}\n"
    )
    room, wanted = Fraction(1, 10**5), dict[object, Fraction]()
    rows = [list(LAWS[name].items(room / 10)) for name in "abc"]
    for (a, first), (b, second), (c, third) in product(*rows):
        value = MANY[question](a, b, c)
        wanted[value] = wanted.get(value, Fraction(0)) + first * second * third
    lies_where_enumeration_leaves_room(rulesrun.parse(text)["r"].odds().of("x"), wanted, room)


def test_the_mean_of_the_best_of_three() -> None:
    text = "rule r\n    roll p = d6!\n    roll q = d6!\n    roll s = d6!\n    x = max(sum of p, sum of q, sum of s)\n"
    one = exploding(6)
    above = sum((1 - (1 - one.mass_between(v + 1, None)) ** 3 for v in range(200)), Fraction(0))
    assert 0 < rulesrun.parse(text)["r"].odds().of("x").mean - above < Fraction(1, 10**20)


@pytest.mark.parametrize("question", ["max(a, b, c) * min(a, b)", "max(a, b, c) ^ 2 + a * b"])
def test_what_has_no_law_is_refused_soon(question: str) -> None:
    text = (
        "rule r\n    roll p = 2d6!\n    roll q = 2d6!\n    roll s = 2d6!\n    a = sum of p\n    b = sum of q\n"
        f"    c = sum of s\n    x = {question}\n"
    )
    with pytest.raises(rulesrun.RulesError, match="situations"):
        rulesrun.parse(text)["r"].odds(budget=400_000).of("x")
