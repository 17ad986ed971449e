"""Numbers of dice of each class, cut off at some number, against all ways in which the dice can fall."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from rulesrun.dice import Law
from rulesrun.dice.series import TooLarge
from rulesrun.evaluation.exact.listing import ENDLESS_TAIL, throws
from rulesrun.evaluation.exact.sources import Again, Mixed, OneDie, Part, Struck, Thrown
from rulesrun.evaluation.exact.tallies import Counts, Falls, Ridden, Tallies

from .every_way import Dice, endless, exploding, look, plain, sources, together, ways

DICE = [(slot, face) for slot in range(4) for face in range(3)]
counts = some.tuples(some.integers(0, 1), some.integers(0, 2))
reads = some.fixed_dictionaries({die: some.none() | counts for die in DICE} | {(0, 0): counts, (2, 0): counts})
cuts = some.tuples(some.integers(1, 3), some.integers(1, 3))


def tallied(found: Mapping[Dice, Fraction], work: Tallies) -> dict[Counts, dict[int, Fraction]]:
    """The ways as they are counted, with the law of the number that rides along."""
    wanted: dict[Counts, dict[int, Fraction]] = {}
    for dice, chance in found.items():
        read = [work.read[die] for die in dice]
        total = tuple(min(most, sum(each[at] for each in read if each)) for at, most in enumerate(work.most))
        score = sum((work.scores or {}).get(die, 0) for die in dice)
        if None in read or any(total[place] >= number for place, number in work.fatal):
            continue
        if work.high is None or score <= work.high:
            law = wanted.setdefault(total, {})
            law[score] = law.get(score, Fraction(0)) + chance
    return wanted


def laws(found: Mapping[Counts, object], high: int | None) -> dict[Counts, Law]:
    exact = {
        counts: weight.law.restrict(None, high)
        if isinstance(weight, Ridden)
        else Law.point(0, Fraction(int(weight.p), int(weight.q)))  # type: ignore[attr-defined]
        for counts, weight in found.items()
    }
    return {counts: law for counts, law in exact.items() if not law.is_zero}


@settings(deadline=None)
@given(
    sources,
    reads,
    cuts,
    some.none() | some.fixed_dictionaries({die: some.integers(0, 2) for die in DICE}),
    some.none() | some.integers(0, 4),
    some.sampled_from([(), ((0, 1),), ((1, 2),), ((0, 1), (1, 1))]),
)
def test_counts_of_throws_that_end(
    source: Thrown | Mixed | Again,
    read: Mapping[tuple[int, int], Counts | None],
    most: Counts,
    scores: Mapping[tuple[int, int], int] | None,
    high: int | None,
    fatal: tuple[tuple[int, int], ...],
) -> None:
    work = Tallies(most, read, (None, None), scores, high if scores else None, fatal)
    found = laws(work.ways(source), work.high)
    assert found == {counts: Law.of(law) for counts, law in tallied(ways(source), work).items()}
    assert not work.exchanged


@settings(deadline=None)
@given(endless, reads, cuts, some.booleans())
def test_counts_of_throws_without_end(
    source: Thrown | Again, read: Mapping[tuple[int, int], Counts | None], most: Counts, rides: bool
) -> None:
    work = Tallies(most, read, (None, None), {die: die[1] for die in DICE} if rides else None)
    found = laws(work.ways(source), None)
    wanted = tallied(together(throws(source, 10**6)), work)
    assert found.keys() >= wanted.keys()
    for key, law in found.items():
        listed = wanted.get(key, {})
        assert all(chance <= law[score] for score, chance in listed.items())
        assert sum(listed.values()) <= law.mass <= sum(listed.values()) + 3 * ENDLESS_TAIL


def third(limit: int | None) -> Again:
    return Again("p", Thrown("p", (look(3),), (Part(1, plain(0, 1, 1, 1)),)), Struck(((1, (3,)),)), limit)


ONE, TWO = (1, 0), (0, 1)
EACH = {(0, 0): ONE, (0, 1): TWO, (0, 2): (0, 0), (1, 0): ONE, (1, 1): TWO, (1, 2): (0, 0)}


@pytest.mark.parametrize(("alike", "keys"), [("x", {(0, 1), (1, 0)}), (None, {(0, 1), (1, 0)}), ("y", {(1, 0)})])
def test_numbers_that_may_be_exchanged_are_in_descending_order(alike: str | None, keys: set[Counts]) -> None:
    unlike = (alike, "y" if alike else None)
    work = Tallies((3, 3), EACH, unlike)
    always = Thrown("p", (look(3),), (Part(1, OneDie(1, ((0, 2, 1),))),))
    assert work.ways(replace(third(None), start=always)).keys() == keys
    assert work.exchanged == ([[0, 1]] if alike == "y" else [])


def test_numbers_with_other_chances_are_not_exchanged() -> None:
    source = Again("p", Thrown("p", (look(3),), (Part(1, plain(0, 1, 2, 1)),)), Struck(((1, (3,)),)), None)
    work = Tallies((3, 3), EACH, ("y", "y"))
    assert laws(work.ways(source), None) == {
        ONE: Law.point(0, Fraction(1, 3)),
        TWO: Law.point(0, Fraction(2, 3)),
    }
    assert not work.exchanged


def test_a_number_that_falls_has_no_end() -> None:
    falling = EACH | {(1, 2): (-1, 0)}
    with pytest.raises(Falls):
        Tallies((3, 3), falling, (None, None)).ways(third(None))
    assert Tallies((3, 3), falling, (None, None)).ways(third(1))


def test_steps_are_counted() -> None:
    steps: list[int] = []
    dice = Thrown("p", (look(3),), (Part(2, plain(0, 1, 1, 1)),))
    Tallies((3, 3), EACH, (None, None), work=steps.append).ways(dice)
    assert steps == [3, 9, 6]
    Tallies((3, 3), EACH, (None, None), work=steps.append).ways(
        Thrown("p", (look(3), look(3)), (Part(1, exploding((1, 1), 1, None)),))
    )
    assert len(steps) > 3


def test_too_many_ways() -> None:
    many = Thrown("p", (look(200),) * 2, (Part(1, plain(0, *(1,) * 200)), Part(1, plain(1, *(1,) * 200))))
    read = {(slot, face): (face * (slot == 0), face * (slot == 1)) for slot in range(2) for face in range(200)}
    with pytest.raises(TooLarge, match="more than 30,000 ways"):
        Tallies((200, 200), read, (None, None)).ways(many)
    with pytest.raises(TooLarge, match="40,000 products"):
        Tallies((200, 200), read, (None, None), dict.fromkeys(read, 0)).ways(many)


def test_further_dice_are_told_from_those_of_the_first_throw() -> None:
    """Three coins of three kinds, thrown once more where all show the second face; only further dice are counted."""
    coins = Thrown("p", (look(2),) * 3, tuple(Part(1, plain(slot, 1, 1)) for slot in range(3)))
    source = Again("p", coins, Struck(((1, (1, 1, 1)),)), 1)
    read = {(slot, face): (int(slot == 4 and face == 1), int(slot == 5)) for slot in range(6) for face in range(2)}
    found = laws(Tallies((3, 3), read, (None, None)).ways(source), None)
    assert found == {
        (0, 0): Law.point(0, Fraction(7, 8)),
        (0, 1): Law.point(0, Fraction(1, 16)),
        (1, 1): Law.point(0, Fraction(1, 16)),
    }


def test_a_number_without_end_stands_as_so_many_dice() -> None:
    """Beyond the number that is enough nothing is lost; each 1 adds to what rides along."""
    law = Law.geometric_sum(Law.point(0, Fraction(1, 2)), Law.point(1, Fraction(1, 2)))
    work = Tallies((3, 1), {(0, 0): (2, 0)}, [None, None])
    assert laws(work.number(law), None) == {
        (0, 0): Law.point(0, Fraction(1, 2)),
        (2, 0): Law.point(0, Fraction(1, 4)),
        (3, 0): Law.point(0, Fraction(1, 4)),
    }
    ridden = replace(work, scores={(0, 0): 10}, high=55)
    assert laws(ridden.number(law), 55) == {
        (0, 0): Law.point(0, Fraction(1, 2)),
        (2, 0): Law.point(10, Fraction(1, 4)),
        (3, 0): Law.of({10 * number: Fraction(1, 2 ** (number + 1)) for number in range(2, 6)}),
    }
    below = replace(work, read={(0, 0): (0, 0)}, scores={(0, 0): -1})
    assert laws(below.number(law.affine(-1)), None) == {(0, 0): law}
    with pytest.raises(TooLarge):
        work.number(law.affine(-1))
    assert set(replace(work, fatal=((0, 3),)).number(law)) == {(0, 0), (2, 0)}
