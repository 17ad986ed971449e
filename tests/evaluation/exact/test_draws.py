"""What is drawn and not looked at, against all draws one by one: sums, struck and sign-flipping faces, bounds."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from rulesrun.dice.series import TooLarge
from rulesrun.evaluation.exact.drawn import Drawn, multisets
from rulesrun.evaluation.exact.sources import Hom, Look

Bits = int


def bag(counts: list[int], number: int) -> Drawn:
    look = Look(tuple(range(len(counts))), tuple(counts), None, None, "card")
    return Drawn("hand", (look,), tuple((0, face, count) for face, count in enumerate(counts)), number)


def hands(counts: list[int], number: int) -> list[tuple[int, ...]]:
    """Every draw of so many single things, as their faces."""
    things = [face for face, count in enumerate(counts) for _ in range(count)]
    return list(combinations(things, number))


bags = some.lists(some.integers(1, 3), min_size=1, max_size=4).flatmap(
    lambda counts: some.tuples(some.just(counts), some.integers(0, sum(counts)))
)


@settings(deadline=None)
@given(
    bags,
    some.none() | some.lists(some.integers(-3, 3), min_size=4, max_size=4),
    some.integers(0, 15),
    some.integers(0, 15),
)
def test_sums_of_draws(drawn: tuple[list[int], int], scores: list[int] | None, struck: Bits, flipped: Bits) -> None:
    counts, number = drawn
    known = None if scores is None else tuple(scores[: len(counts)])
    law = bag(counts, number).element(Hom((known,), (struck,), (flipped,)))
    wanted: Counter[int] = Counter()
    for hand in hands(counts, number):
        if not any(struck >> face & 1 for face in hand):
            sign = (-1) ** sum(flipped >> face & 1 for face in hand)
            wanted[0 if known is None else sum(known[face] for face in hand)] += sign
    total = comb(sum(counts), number)
    for value in range(-3 * number - 2, 3 * number + 3):
        assert law[value] == Fraction(wanted[value], total)
    assert law.mass == Fraction(sum(wanted.values()), total)


@given(bags, some.lists(some.integers(-3, 3), min_size=4, max_size=4))
def test_the_lowest_and_highest_sum(drawn: tuple[list[int], int], scores: list[int]) -> None:
    counts, number = drawn
    known = tuple(scores[: len(counts)])
    sums = [sum(known[face] for face in hand) for hand in hands(counts, number)]
    assert bag(counts, number).bounds(0, known) == (min(sums), max(sums))


@given(bags)
def test_all_draws_with_their_chances(drawn: tuple[list[int], int]) -> None:
    counts, number = drawn
    ways = Counter(hands(counts, number))
    listed = list(bag(counts, number).draws())
    assert {tuple(face for _, face in dice): chance for dice, chance in listed} == {
        hand: Fraction(each, sum(ways.values())) for hand, each in ways.items()
    }
    assert len(listed) == len(ways) == bag(counts, number).ways
    assert sum(each for _, each in multisets(counts, number)) == comb(sum(counts), number)


@given(bags, some.sets(some.integers(0, 3)))
def test_only_some_faces(drawn: tuple[list[int], int], kept: set[int]) -> None:
    counts, number = drawn
    left = bag(counts, number).only(kept)
    assert left.size == sum(count for face, count in enumerate(counts) if face in kept)
    assert {face for _, face, _ in left.faces} <= kept


def test_far_too_many_terms_are_refused() -> None:
    many = bag([1] * 200, 100)
    with pytest.raises(TooLarge, match="combined results"):
        many.element(Hom((tuple(range(200)),), (0,), (0,)))
    assert many.element(Hom((None,), (0,), (0,))).mass == 1
