"""Absorbing chains against plain linear equations, and against counting what is met on the way."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import pytest
from flint import fmpq, fmpq_mat
from hypothesis import given, settings
from hypothesis import strategies as st

from rulesrun.dice import Law
from rulesrun.evaluation.exact import chain
from rulesrun.evaluation.exact.chain import ordered, solved, to_fraction

Moves = dict[int, dict[int, int]]
PLACES, ENDS = 5, (5, 6)
rows = st.dictionaries(st.integers(0, ENDS[-1]), st.integers(1, 4), min_size=1, max_size=4)
chains = st.lists(rows, min_size=PLACES, max_size=PLACES).map(lambda each: dict(enumerate(each)))
starts = st.dictionaries(st.integers(0, ENDS[-1]), st.integers(1, 3), min_size=1, max_size=3)


def leads_out(moves: Moves) -> bool:
    """Whether from every place an end can be reached."""
    known = set(ENDS)
    while more := {place for place, row in moves.items() if place not in known and known & set(row)}:
        known |= more
    return known >= set(moves)


def chances(row: Mapping[int, int]) -> dict[int, fmpq]:
    return {to: fmpq(weight, sum(row.values())) for to, weight in row.items()}


def by_equations(begin: Mapping[int, fmpq], moves: Mapping[int, Mapping[int, fmpq]], end: int) -> fmpq:
    """The weight of an end: x = one step straight to it + one step to other places' x."""
    rest = fmpq_mat(PLACES, PLACES, [fmpq(i == j) - moves[i].get(j, 0) for i in range(PLACES) for j in range(PLACES)])
    once = rest.solve(fmpq_mat(PLACES, 1, [moves[i].get(end, fmpq(0)) for i in range(PLACES)]))
    return sum((begin.get(i, fmpq(0)) * once[i, 0] for i in range(PLACES)), begin.get(end, fmpq(0)))


@settings(deadline=None)
@given(starts, chains.filter(leads_out))
def test_the_ends_have_the_weights_that_equations_give(begin: dict[int, int], rows: Moves) -> None:
    moves = {place: chances(row) for place, row in rows.items()}
    amounts = {place: fmpq(weight) for place, weight in begin.items()}
    found = solved(amounts, moves, set(ENDS))
    assert set(found) <= set(ENDS)
    for end in ENDS:
        assert found.get(end, 0) == by_equations(amounts, moves, end)


@settings(deadline=None)
@given(starts, chains.filter(leads_out), st.sampled_from([0, 1, 3]))
def test_places_eliminated_one_after_another_have_the_same(begin: dict[int, int], rows: Moves, at_once: int) -> None:
    moves = {place: chances(row) for place, row in rows.items()}
    amounts = {place: fmpq(weight) for place, weight in begin.items()}
    before, chain.MOST_AT_ONCE = chain.MOST_AT_ONCE, at_once
    try:
        found = solved(amounts, moves, set(ENDS))
    finally:
        chain.MOST_AT_ONCE = before
    assert {end: found.get(end, 0) for end in ENDS} == {end: by_equations(amounts, moves, end) for end in ENDS}


@settings(deadline=None, max_examples=40)
@given(chains.filter(leads_out))
def test_steps_are_counted_on_the_way(rows: Moves) -> None:
    """With a law for each step that counts it, the weight of each number of steps is that of the walks so long."""
    moves = {place: chances(row) for place, row in rows.items()}
    counting = {
        place: {to: Law.of({1: Fraction(int(chance.p), int(chance.q))}) for to, chance in row.items()}
        for place, row in moves.items()
    }
    found = solved({0: Law.point(0)}, counting, set(ENDS))
    walking = {0: fmpq(1)}
    for steps in range(1, 6):
        after: dict[int, fmpq] = {}
        for place, amount in walking.items():
            for to, chance in moves[place].items():
                after[to] = after.get(to, fmpq(0)) + amount * chance
        for end in ENDS:
            law = found.get(end)
            assert (law[steps] if isinstance(law, Law) else 0) == to_fraction(after.get(end, fmpq(0)))
        walking = {place: amount for place, amount in after.items() if place not in ENDS}


@given(starts, chains)
def test_groups_lead_to_one_another_and_come_behind_those_that_lead_to_them(begin: dict[int, int], rows: Moves) -> None:
    def reached(place: int) -> set[int]:
        known, more = {place}, {place}
        while more := {to for each in more for to in rows.get(each, ())} - known:
            known |= more
        return known

    groups = ordered(begin, {place: chances(row) for place, row in rows.items()})
    place_of = {place: number for number, group in enumerate(groups) for place in group}
    assert set(place_of) == set().union(*map(reached, begin))
    assert sum(map(len, groups)) == len(place_of)
    for place, number in place_of.items():
        for other in place_of:
            if other in reached(place):
                assert place_of[other] >= number
                assert (place_of[other] == number) == (place in reached(other))


@pytest.mark.parametrize("one", [fmpq(1), Law.point(0)])
@pytest.mark.parametrize("places", [{0: 0}, {0: 1, 1: 0}])
def test_a_place_that_is_never_left_is_refused(one: fmpq | Law, places: dict[int, int]) -> None:
    with pytest.raises(ZeroDivisionError):
        solved({0: one}, {place: {to: one} for place, to in places.items()}, {9})


@pytest.mark.parametrize("places", [3, 30])
def test_work_is_counted_and_may_be_stopped(places: int) -> None:
    """So many places that lead to one another and to an end: a matrix, and what a product of small numbers takes, 2
    for each of two.
    """
    moves = {place: {to: fmpq(1, places + 1) for to in range(places + 1)} for place in range(places)}
    steps: list[int] = []
    assert solved({0: fmpq(1)}, moves, {places}, steps.append) == {places: fmpq(1)}
    assert sum(steps) == places**3 // 3_000 + places * (places + 1) * 2 * 2

    class TooMuch(Exception):
        pass

    def stop(more: int) -> None:
        raise TooMuch

    with pytest.raises(TooMuch):
        solved({0: fmpq(1)}, moves, {places}, stop)
