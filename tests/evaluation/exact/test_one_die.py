"""Functions of one die, and of two each of one: the odds are those of counting its faces."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rulesrun

ONE: dict[str, Callable[[int], Fraction | int]] = {
    "round_down(a / 3)": lambda a: a // 3,
    "round_up((a - 4) / 3)": lambda a: -((4 - a) // 3),
    "remainder(a, 5)": lambda a: a % 5,
    "abs(a - 6)": lambda a: abs(a - 6),
    "clamp(a, 3, 9)": lambda a: min(9, max(3, a)),
    "min(a, 7) * a": lambda a: min(a, 7) * a,
    "a ^ 2": lambda a: a * a,
    "2 ^ a": lambda a: 2**a,
    "12 / a": lambda a: Fraction(12, a),
    "max(a, 10 - a)": lambda a: max(a, 10 - a),
    "a - 5 * round_down(a / 5)": lambda a: a % 5,
}


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(sorted(ONE)), st.sampled_from(sorted(ONE)), st.integers(2, 13), st.sampled_from("+-"))
def test_functions_of_two_dice_each_by_itself(first: str, second: str, sides: int, sign: str) -> None:
    text = (
        f"rule r\n    roll a = d{sides}\n    roll b = d8\n    x = {first}\n    y = {_of_b(second)}\n"
        f"    z = x {sign} y\n    flag high if x > y\n"
    )
    odds = rulesrun.parse(text)["r"].odds()
    wanted: dict[object, Fraction] = {}
    high = Fraction(0)
    for a, b in product(range(1, sides + 1), range(1, 9)):
        x, y = ONE[first](a), ONE[second](b)
        z = x + y if sign == "+" else x - y
        wanted[z] = wanted.get(z, Fraction(0)) + Fraction(1, sides * 8)
        high += Fraction(int(x > y), sides * 8)
    assert dict(odds.of("z").items()) == wanted
    assert odds["high"] == high


def _of_b(text: str) -> str:
    """The same of the other die."""
    words = text.replace("(", " ( ").replace(")", " ) ").replace(",", " , ").split()
    return " ".join("b" if word == "a" else word for word in words)


def test_a_division_that_only_some_faces_forbid() -> None:
    rule = rulesrun.parse("rule r\n    roll a = d6\n    x = 12 / (a - 3)\n")["r"]
    with pytest.raises(rulesrun.RulesError):
        rule.odds()
    text = "rule r\n    roll a = d6\n    x = 0 if a = 3 otherwise 12 / (a - 3)\n"
    assert rulesrun.parse(text)["r"].odds().of("x")[4] == Fraction(1, 6)


def test_success_levels_of_two_hundred_sided_throws() -> None:
    text = (
        "rule r\n    roll a = d%\n    roll b = d%\n    x = round_down(a / 10) - round_down(b / 10)\n"
        "    outcome\n        + more if x > 0\n        - less otherwise\n"
    )
    odds = rulesrun.parse(text)["r"].odds()
    ways = sum(a // 10 > b // 10 for a, b in product(range(1, 101), repeat=2))
    assert odds.chance("x > 0") == odds.good == Fraction(ways, 10_000)


@pytest.mark.parametrize("asked", ["sum", "highest", "lowest", "middle"])
@pytest.mark.parametrize("modifier", ["explode on 3 once adding", "explode on 3 once", "keep highest 2"])
def test_a_die_that_stands_for_a_throw_shows_the_answer_of_the_throw(asked: str, modifier: str) -> None:
    die = f"die peak = {asked} of 3d3, {modifier}\nrule r\n    roll x = peak\n"
    throw = f"rule r\n    roll p = 3d3, {modifier}\n    x = {asked} of p\n"
    one, other = (rulesrun.parse(text)["r"].odds().of("x") for text in (die, throw))
    assert dict(one.items()) == dict(other.items())
