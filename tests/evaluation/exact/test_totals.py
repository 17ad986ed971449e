"""Dice that explode adding to themselves: their whole law, and how it goes on."""

from __future__ import annotations

from fractions import Fraction

import pytest

from rulesrun.dice import Law
from rulesrun.dice.adding import Onward
from rulesrun.evaluation.exact.totals import Endless, faces_up_to


def throw(sides: int, *faces: int) -> Law:
    """Of a throw of a die the part that shows these faces."""
    return Law.of({face: Fraction(1, sides) for face in faces})


NOTHING = Law.of({})
D4, D6 = (throw(4, 1, 2, 3), throw(4, 4)), (throw(6, 1, 2, 3, 4, 5), throw(6, 6))
ON_3 = throw(6, 1, 2, 4, 5, 6), throw(6, 3)


@pytest.mark.parametrize(
    ("die", "start", "step"),
    [
        (Endless(*D6, *D6), 6, 6),
        (Endless(*ON_3, *ON_3), 7, 3),
        (Endless(*D4, *D6), 4, 6),
        (Endless(*D6, *D4), 6, 4),
        (Endless(throw(20, *range(1, 20)), throw(20, 20), *D4), 20, 4),
        (Endless(NOTHING, Law.point(9), *D6), 9, 6),
        (Endless(NOTHING, NOTHING, *D6), 1, 6),
    ],
)
def test_from_where_a_law_goes_on_with_the_same_ratio(die: Endless, start: int, step: int) -> None:
    """Beyond what a single throw shows, and beyond what two show but for the step."""
    ratio = die.again.mass
    assert die.onward == Onward(start, step, ratio)
    assert all(die.law[number + step] == ratio * die.law[number] for number in range(start, start + 40))


def test_laws_that_go_on_in_no_such_way() -> None:
    assert Endless(throw(6, 1, 2, 3, 4), throw(6, 5, 6), throw(6, 1, 2, 3, 4), throw(6, 5, 6)).onward is None
    assert Endless(*D6, *D6[:1], NOTHING).onward is None
    assert Endless(throw(6, 1, 2), throw(6, 0), throw(6, 1, 2), throw(6, 0)).onward is None


def test_dice_whose_throws_are_all_alike() -> None:
    found = Endless(*D6, *D6).adding
    assert found is not None
    assert (found.step, found.more, dict(found.rests)) == (6, Fraction(1, 6), {n: Fraction(1, 6) for n in range(1, 6)})
    assert Endless(*ON_3, *ON_3).adding is None
    assert Endless(*D4, *D6).adding is None
    assert Endless(D6[0], D4[1], *D6).adding is None
    even = throw(6, 2, 3, 6), throw(6, 6)
    assert Endless(*even, *even).adding is None
    assert Endless(NOTHING, D6[1], NOTHING, D6[1]).adding is None


def test_faces_that_are_told_one_by_one() -> None:
    laws = [throw(6, 2, 5, 9, 12), throw(6, 3, 11, 13)]
    assert faces_up_to(12, 1, laws) == (2, 3, 5, 9, 11, 12)
    assert faces_up_to(12, 3, laws) == tuple(range(2, 15))
    assert faces_up_to(5, 3, [throw(6, 2, 5)]) == (2, 3, 4, 5, 6, 7)
    assert faces_up_to(5, 1, [throw(6, 5)]) == (4, 5)
