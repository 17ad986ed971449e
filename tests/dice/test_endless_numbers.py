"""Laws of numbers made of endless ones: divided, one ahead of another, exploding dice in line; beside enumeration."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from rulesrun.dice import Law
from rulesrun.dice.adding import Adding, lined_up
from rulesrun.dice.ahead import ahead
from rulesrun.dice.divided import divided
from rulesrun.dice.series import TooLarge


def adding(sides: int) -> Adding:
    """A die that explodes on its highest face and adds to itself."""
    return Adding(sides, Fraction(1, sides), tuple((face, Fraction(1, sides)) for face in range(1, sides)))


def listed(die: Adding, below: int) -> dict[int, Fraction]:
    """The chances of what it shows, up to a number."""
    found: dict[int, Fraction] = {}
    weight, start = Fraction(1), 0
    while start < below:
        found |= {start + face: weight * chance for face, chance in die.rests}
        weight, start = weight * die.more, start + die.step
    return found


LAWS = {
    "d4!": adding(4).law,
    "2d3!": adding(3).law ** 2,
    "d2! - 9": adding(2).law.affine(1, -9),
    "5 - d4!": adding(4).law.affine(-1, 5),
    "d4! - d3!": adding(4).law * adding(3).law.affine(-1),
    "d6": Law.of({face: Fraction(1, 6) for face in range(1, 7)}),
}


@pytest.mark.parametrize("name", LAWS)
@pytest.mark.parametrize("by", [1, 2, 3, 7, 50])
def test_divided_and_rounded_down(name: str, by: int) -> None:
    law = LAWS[name]
    found = divided(law, by)
    assert found.mass == 1
    for value in range(-12, 13):
        assert found[value] == law.mass_between(value * by, value * by + by - 1)


@pytest.mark.parametrize("by", [-3, 0, 1, 5])
@pytest.mark.parametrize("times", [(1, 1), (1, 0), (0, 1), (1, -1), (2, -1), (-1, 1), (1, -2)])
@pytest.mark.parametrize("names", [("d4!", "2d3!"), ("2d3!", "d4!"), ("d2! - 9", "d4!"), ("d6", "d4!"), ("d4!", "d6")])
def test_one_ahead_of_another(names: tuple[str, str], times: tuple[int, int], by: int) -> None:
    x, z = (LAWS[name] for name in names)
    found = ahead(x, z, by, *times)
    wanted: dict[int, Fraction] = {}
    for (left, mine), (right, other) in product(x.items(Fraction(1, 10**9)), z.items(Fraction(1, 10**9))):
        if left - right >= by:
            value = times[0] * left + times[1] * right
            wanted[value] = wanted.get(value, Fraction(0)) + mine * other
    room = Fraction(1, 10**8)
    assert 0 <= found.mass - sum(wanted.values(), Fraction(0)) <= room
    assert all(0 <= found[value] - chance <= room for value, chance in wanted.items())


def test_numbers_that_fall_without_end_have_none_ahead() -> None:
    with pytest.raises(TooLarge, match="both up and down"):
        ahead(LAWS["d4! - d3!"], LAWS["d4!"], 0, 1, 1)


@settings(max_examples=40, deadline=None)
@given(some.integers(2, 4), some.lists(some.integers(-2, 2), min_size=1, max_size=3))
def test_exploding_dice_in_line(sides: int, factors: Sequence[int]) -> None:
    die = adding(sides)
    found = lined_up(die, factors)
    assert found.mass == 1
    wanted: dict[int, Fraction] = {}
    for dice in product(listed(die, 8 * sides).items(), repeat=len(factors)):
        shown = sorted((value for value, _ in dice), reverse=True)
        chance = Fraction(1)
        for _, each in dice:
            chance *= each
        total = sum(factor * value for factor, value in zip(factors, shown, strict=True))
        wanted[total] = wanted.get(total, Fraction(0)) + chance
    room = len(factors) * Fraction(1, sides**8)
    assert all(0 <= found[value] - chance <= room for value, chance in wanted.items())


def test_dice_of_three_faces_two_of_which_are_alike() -> None:
    die = Adding(5, Fraction(1, 4), ((0, Fraction(1, 4)), (2, Fraction(1, 2))))
    assert lined_up(die, (1, 0))[2] == Fraction(1, 4) + 2 * Fraction(1, 2) * Fraction(1, 4)
    assert lined_up(die, (0, 1))[0] == Fraction(1, 16) + 2 * Fraction(1, 4) * Fraction(3, 4)


def test_too_many_dice_in_line_are_refused() -> None:
    with pytest.raises(TooLarge, match="200 dice"):
        lined_up(adding(6), [1] * 200)
