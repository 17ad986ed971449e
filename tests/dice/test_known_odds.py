"""Odds known from elsewhere or in closed form, throws too large to enumerate, and the rulings on edge cases."""

from __future__ import annotations

from fractions import Fraction
from math import comb, factorial

import pytest
from flint import fmpz_poly

from rulesrun import dice
from rulesrun.dice import Group, Joint, Law, Pool, Selection, TooLarge, joint


def d(sides: int, count: int = 1, tag: int = 0) -> Group:
    return Group(count, tuple((face, 1) for face in range(1, sides + 1)), tag, sides)


FACES: dict[tuple[int, int | Fraction], int] = {(tag, face): face for tag in range(4) for face in range(1, 101)}
A, B = Pool(frozenset({0})), Pool(frozenset({1}))


def keep(kind: str, count: int) -> Pool:
    return Pool(steps=(Selection(kind, count),))  # type: ignore[arg-type]


def law_of(found: Joint) -> dict[object, Fraction]:
    return {answer: Fraction(weight, found.total) for (answer,), weight in found.weights.items()}


def whole(answer: object) -> int:
    assert isinstance(answer, int)
    return answer


def mean(found: Joint) -> Fraction:
    return sum((Fraction(w * whole(answer), found.total) for (answer,), w in found.weights.items()), Fraction(0))


def test_four_d6_keep_highest_three() -> None:
    found = joint([d(6, 4)], [dice.Count(FACES, keep("keep highest", 3))])
    assert mean(found) == Fraction(15869, 1296)
    assert found.weights[18,] == 21 and found.total == 1296
    assert found.weights == joint([d(6, 4)], [dice.Count(FACES, keep("drop lowest", 1))]).weights


def test_the_three_highest_of_mixed_dice() -> None:
    """Of d4, d6 and d8 the two highest; of 2d4 + 2d6 + 2d8 + 2d10 + 2d12 the highest three, as Icepool has it."""
    small = [d(4, 1, 0), d(6, 1, 1), d(8, 1, 2)]
    two = joint(small, [dice.Count(FACES, keep("keep highest", 2))])
    assert two.total == 192 and two.weights[14,] == 4 and two.weights[2,] == 1 and two.weights[13,] == 4 + 4
    assert two.method == "kept"
    ten = joint([d(n, 2, n % 4) for n in (4, 6, 8, 10, 12)], [dice.Count(FACES, keep("keep highest", 3))])
    assert ten.total == (4 * 6 * 8 * 10 * 12) ** 2 and ten.weights[3,] == 1
    assert mean(ten) == Fraction(1557542033, 66355200)
    assert law_of(ten)[34] == Fraction(19, 14400) and law_of(ten)[20] == Fraction(6897209, 106168320)


def test_dropping_one_of_many_is_as_cheap_as_keeping_one() -> None:
    """What stays of 40 unlike dice less the lowest, beside the sum of all: the difference is the lowest die."""
    groups = [d(6, 20, 0), d(10, 20, 1)]
    both = joint(groups, [dice.Count(FACES, keep("drop lowest", 1)), dice.Count(FACES)])
    lowest = joint(groups, [dice.Lowest()])
    apart: dict[object, int] = {}
    for (kept, every), weight in both.weights.items():
        difference = whole(every) - whole(kept)
        apart[difference] = apart.get(difference, 0) + weight
    assert both.method == "kept"
    assert apart == {face: weight for (face,), weight in lowest.weights.items()}


def test_risk_three_against_two() -> None:
    """The table in Osborne, Markov chains for the Risk board game revisited (2003)."""
    attack = joint([d(6, 3, 0), d(6, 2, 1)], [dice.Wins(A, B)])
    assert [attack.weights[n,] for n in (2, 1, 0)] == [2890, 2611, 2275]
    assert joint([d(6, 1, 0), d(6, 2, 1)], [dice.Wins(A, B)]).weights == {(0,): 161, (1,): 55}


def test_five_d6_sets_and_straights() -> None:
    found = joint([d(6, 5)], [dice.LargestSet(), dice.SetsOf(frozenset([2]))])
    assert found.weights[5, 0] == 6
    assert found.weights[4, 0] == 150
    assert found.weights[3, 1] == 300  # full house
    assert found.weights[2, 2] == 1800  # two pairs
    assert joint([d(6, 5)], [dice.LongestRun()]).weights[5,] == 240


def test_advantage_is_the_highest_of_two() -> None:
    found = joint([d(20, 2)], [dice.Highest()])
    assert all(found.weights[face,] == 2 * face - 1 for face in range(1, 21))
    second = Pool(steps=(Selection("drop highest", 1), Selection("keep highest", 1)))
    assert joint([d(20, 2)], [dice.Lowest()]).weights == joint([d(20, 2)], [dice.Highest(second)]).weights


def test_hive_check_by_the_algebra_and_by_the_walk() -> None:
    """Successes are 6..10, pairs of tens count double; ten human and four drone dice."""
    human, drone, needed = 10, 4, 8
    parts = [Law.from_poly(fmpz_poly([5, 4, s]), 10) ** (human + drone) for s in (1, -1)]
    half = Fraction(1, 2)
    law = (parts[0] + parts[1]).scaled(half) + (parts[0] - parts[1]).scaled(half).affine(1, -1)
    hits: dict[tuple[int, int | Fraction], int] = {(tag, face): 1 for tag in (0, 1) for face in range(6, 11)}
    tens: dict[tuple[int, int | Fraction], int] = {(tag, 10): 1 for tag in (0, 1)}
    found = joint([d(10, human, 0), d(10, drone, 1)], [dice.Count(hits), dice.Count(tens)])
    good = sum(w for (hit, ten), w in found.weights.items() if whole(hit) + whole(ten) // 2 * 2 >= needed)
    assert law.mass == 1
    assert law.mass_between(needed, None) == Fraction(good, found.total)


def test_a_thousand_dice() -> None:
    pool = [d(10, 1000)]
    runs = joint(pool, [dice.LongestRun(), dice.Distinct(), dice.Highest()])
    assert runs.method == "presence"
    assert sum(runs.weights.values()) == runs.total == 10**1000
    all_shown = sum((-1) ** k * comb(10, k) * (10 - k) ** 1000 for k in range(11))
    assert runs.weights[10, 10, 10] == all_shown
    highest = joint(pool, [dice.Count(FACES, keep("keep highest", 2))])
    assert highest.weights[20,] == 10**1000 - 9**1000 - 1000 * 9**999
    middle = law_of(joint(pool, [dice.Count(FACES, keep("keep middle", 2))]))
    assert sum(middle.values()) == 1
    lower = law_of(joint(pool, [dice.Middle()]))
    five_or_less = sum(Fraction(comb(1000, n), 2**1000) for n in range(500, 1001))
    assert sum(lower.get(face, 0) for face in range(1, 6)) == five_or_less


def test_sets_of_a_hundred_dice() -> None:
    found = joint([d(10, 100)], [dice.LargestSet()])
    assert sum(found.weights.values()) == 10**100
    assert found.weights[100,] == 10
    assert found.weights[99,] == 10 * 100 * 9
    assert found.weights[10,] == factorial(100) // factorial(10) ** 10


def test_mixed_standard_dice_agree_with_the_dice_one_by_one() -> None:
    together = [d(6, 8), d(8, 8), d(10, 8)]
    apart = [Group(8, tuple((face, 2) for face in range(1, 7)), 0, 6), d(8, 8), d(10, 8)]
    sets = law_of(joint(together, [dice.LargestSet()]))
    assert sum(sets.values()) == 1
    assert law_of(joint(apart, [dice.LargestSet()])) == sets


def test_equal_faces_take_the_die_with_fewer_sides_first() -> None:
    """A d4 and a d6 of which one is kept: which of them it is, asked by a score for its kind."""
    which = dice.Count({(0, face): 1 for face in range(1, 7)}, keep("keep highest", 1))
    small, large = d(4, 1, 0), d(6, 1, 1)
    assert joint([small, large], [which]).weights[1,] == sum(min(face, 6) for face in range(1, 5))
    assert joint([large, small], [which]).weights[1,] == 10
    dropped = dice.Count({(0, face): 1 for face in range(1, 7)}, keep("keep lowest", 1))
    assert joint([small, large], [dropped]).weights[1,] == 24 - 10


def test_keep_middle_drops_one_more_from_the_top() -> None:
    coins = [Group(3, ((1, 1), (2, 1), (3, 1)))]
    found = joint(coins, [dice.Count(FACES, keep("keep middle", 2))])
    lowest_two = joint(coins, [dice.Count(FACES, keep("drop highest", 1))])
    assert found.weights == lowest_two.weights


def test_an_empty_pool() -> None:
    nobody = Pool(frozenset({9}))
    asked = [
        dice.Count(FACES, nobody),
        dice.Size(nobody),
        dice.Highest(nobody),
        dice.Lowest(nobody),
        dice.Middle(nobody),
        dice.Distinct(nobody),
        dice.LongestRun(nobody),
        dice.LargestSet(nobody),
        dice.FaceOfLargestSet(nobody),
    ]
    for groups in ([], [d(6, 0, 9)], [d(6, 1, 0)]):
        for question in asked:
            assert list(joint(groups, [question]).weights) == [(0,)]
        assert list(joint(groups, [dice.AllEqual(nobody)]).weights) == [(False,)]


def test_what_is_over_the_budget_is_refused_quickly() -> None:
    for groups, question in [
        ([d(1000, 1000)], dice.LongestRun()),
        ([d(10, 1000)], dice.Count(FACES, keep("keep highest", 500))),
        ([d(20, 60, 0), d(20, 60, 1)], dice.Wins(A, B)),
    ]:
        with pytest.raises(TooLarge):
            joint(groups, [question], budget=20_000)
