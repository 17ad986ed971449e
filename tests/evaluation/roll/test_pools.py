"""Questions to pools and pools from pools, against the plainest reading of their words."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations, permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulesrun.diagnostics import RulesError, Source, Span
from rulesrun.evaluation import pools
from rulesrun.evaluation.faces import Between, Equal, FaceTest
from rulesrun.evaluation.pools import Die, Pool
from rulesrun.semantics.plan import Face

HERE = Span(Source.of_text("test.rules", "pool"), 0, 4)
faces = st.lists(st.integers(1, 6), max_size=8)
dice = st.lists(
    st.builds(lambda face, sides: Die(face, sides), st.integers(1, 4), st.sampled_from([4, 6, 8])), max_size=6
).map(tuple)
numbers = st.integers(0, 8)


def between(low: int, high: int) -> FaceTest:
    return FaceTest((Between(low, high),), frozenset(), False)


def bag(pool: Pool) -> Counter[Die]:
    return Counter(pool)


def as_list(shown: Counter[int]) -> list[int]:
    return sorted(shown.elements())


@given(faces, st.integers(1, 6), st.integers(1, 6))
def test_count_any_all_none_pairs(shown: list[int], low: int, high: int) -> None:
    test, inside = between(low, high), [face for face in shown if low <= face <= high]
    assert pools.count(shown, test) == len(inside)
    assert pools.any_of(shown, test) == (len(inside) > 0)
    assert pools.none_of(shown, test) == (not inside)
    assert pools.all_of(shown, test) == (len(inside) == len(shown) > 0)
    assert pools.pairs(shown, test) == len(inside) // 2


@given(faces)
def test_questions_about_equal_faces(shown: list[int]) -> None:
    sizes = {face: shown.count(face) for face in shown}
    widest = max(sizes.values(), default=0)
    assert pools.all_equal(shown) == (len(shown) > 1 and len(sizes) == 1)
    assert pools.distinct(shown) == len(sizes)
    assert pools.largest_set(shown) == widest
    assert pools.face_of_largest_set(shown, HERE) == max((f for f in sizes if sizes[f] == widest), default=0)
    for size in range(4):
        assert pools.sets(shown, FaceTest((Equal(frozenset([size])),), frozenset(), False)) == sum(
            1 for each in sizes.values() if each == size
        )


@given(faces)
def test_longest_run_is_the_longest_range_that_is_there(shown: list[int]) -> None:
    runs = [high - low + 1 for low in range(1, 7) for high in range(low, 7) if set(range(low, high + 1)) <= set(shown)]
    assert pools.longest_run(shown, HERE) == max(runs, default=0)


@given(faces)
def test_sum_and_places_in_order(shown: list[int]) -> None:
    ordered = sorted(shown)
    assert pools.total(shown, HERE) == sum(shown)
    assert pools.highest(shown, HERE) == (ordered[-1] if ordered else 0)
    assert pools.lowest(shown, HERE) == (ordered[0] if ordered else 0)
    assert pools.middle(shown, HERE) == (ordered[(len(ordered) - 1) // 2] if ordered else 0)


@given(dice, numbers)
def test_highest_takes_fewer_sides_first_and_lowest_is_its_complement(pool: Pool, number: int) -> None:
    by_rule = sorted(pool, key=lambda die: (-die.face, die.sides))  # type: ignore[operator]
    assert bag(pools.take_highest(pool, number, HERE)) == Counter(by_rule[:number])
    others = len(pool) - number
    if others >= 0:
        highest_others = bag(pools.take_highest(pool, others, HERE))
        assert bag(pools.take_lowest(pool, number, HERE)) == bag(pool) - highest_others
    else:
        assert bag(pools.take_lowest(pool, number, HERE)) == bag(pool)


@given(dice, numbers)
def test_keep_and_drop_part_a_pool(pool: Pool, number: int) -> None:
    for which in ("highest", "lowest"):
        kept, left = pools.keep(pool, which, number, HERE), pools.drop(pool, which, number, HERE)
        assert len(kept) == min(number, len(pool))
        assert bag(kept) + bag(left) == bag(pool)


@given(st.lists(st.integers(1, 6), max_size=8), numbers)
def test_keep_middle_drops_the_odd_one_from_the_top(shown: list[int], number: int) -> None:
    kept = pools.take_middle(tuple(Die(face) for face in shown), number, HERE)
    ordered = sorted(shown)
    while len(ordered) > number:
        ordered.pop()
        if len(ordered) > number:
            ordered.pop(0)
    assert sorted(die.face for die in kept) == ordered


@given(dice, st.integers(1, 8))
def test_die_n_is_the_nth_highest(pool: Pool, place: int) -> None:
    ordered = sorted((die.face for die in pool), reverse=True)
    found = [die.face for die in pools.nth_highest(pool, place, HERE)]
    assert found == ordered[place - 1 : place]


@given(dice, st.randoms())
def test_no_answer_depends_on_the_order_of_the_dice(pool: Pool, shuffle: object) -> None:
    other = list(pool)
    shuffle.shuffle(other)  # type: ignore[attr-defined]
    for number in range(4):
        assert bag(pools.take_highest(pool, number, HERE)) == bag(pools.take_highest(tuple(other), number, HERE))
        assert bag(pools.take_middle(pool, number, HERE)) == bag(pools.take_middle(tuple(other), number, HERE))


@given(dice, dice)
def test_outranks_compares_the_highest_first(a: Pool, b: Pool) -> None:
    left = sorted((die.face for die in a), reverse=True)
    right = sorted((die.face for die in b), reverse=True)
    expected = len(left) > len(right)
    for x, y in zip(left, right, strict=False):
        if x != y:
            expected = x > y  # type: ignore[operator]
            break
    assert pools.outranks(pools.shown(a), pools.shown(b), HERE) == expected


def test_wins_of_ties_are_not_wins_and_dice_without_a_partner_do_not_count() -> None:
    assert pools.wins([6, 3, 1], [5, 3], HERE) == 1
    assert pools.wins([1, 6], [5], HERE) == 1
    assert pools.wins([6, 6, 6], [], HERE) == 0


@given(st.lists(st.integers(1, 4), max_size=6), st.lists(st.integers(1, 4), max_size=6))
def test_cancelled_by_equal_faces_is_a_difference_of_multisets(a: list[int], b: list[int]) -> None:
    left = pools.cancelled(tuple(map(Die, a)), tuple(map(Die, b)), HERE)
    assert as_list(Counter(die.face for die in left)) == as_list(Counter(a) - Counter(b))  # type: ignore[misc]


def test_cancelled_takes_the_higher_of_equal_faces() -> None:
    left = pools.cancelled((Die(3, 6), Die(3, 10), Die(3, 4)), (Die(3), Die(3)), HERE)
    assert left == (Die(3, 10),)


@settings(max_examples=200)
@given(st.lists(st.integers(1, 5), max_size=5), st.lists(st.integers(1, 5), max_size=4), st.data())
def test_cancelled_when_against_all_matchings(a: list[int], b: list[int], data: st.DataObject) -> None:
    goes = {(x, y): data.draw(st.booleans()) for x in set(a) for y in set(b)}
    left = pools.cancelled_when(
        tuple(map(Die, a)),
        tuple(map(Die, b)),
        lambda die, other: goes[die.face, other.face],  # type: ignore[index]
        HERE,
    )
    gone: list[list[int]] = []
    for size in range(min(len(a), len(b)) + 1):
        for mine in combinations(range(len(a)), size):
            if any(
                all(goes[a[x], b[y]] for x, y in zip(mine, theirs, strict=True))
                for theirs in permutations(range(len(b)), size)
            ):
                gone.append(sorted((a[x] for x in mine), reverse=True))
    best = max(gone, key=lambda faces: (len(faces), faces))
    assert as_list(Counter(die.face for die in left)) == as_list(Counter(a) - Counter(best))  # type: ignore[misc]


def test_natural_is_the_first_throw_without_dice_that_came_later() -> None:
    pool = (Die(9, 6, None, "d6", 6), Die(4, 6, None, "d6", None), Die(2, 6, 3, "d6", 1))
    assert pools.natural(pool) == (Die(6, 6, None, "d6", 6), Die(1, 6, 3, "d6", 1))


def test_unions_and_changed_faces_keep_sides_target_and_kind() -> None:
    pool = (Die(3, 6, 4, "d6", 3), Die(8, 8, None, "d8", 8))
    assert pools.with_each(pool, [5, 0]) == (Die(5, 6, 4, "d6", 3), Die(0, 8, None, "d8", 8))


def test_a_blank_counts_as_0_and_symbols_are_no_numbers() -> None:
    shown: list[Face] = [(), 3, Fraction(1, 2)]
    assert pools.total(shown, HERE) == Fraction(7, 2)
    assert pools.lowest(shown, HERE) == 0
    with pytest.raises(RulesError, match="symbols are no numbers") as caught:
        pools.total([("success",)], HERE)
    assert caught.value.line == 1


def test_symbols_count_as_often_as_a_face_bears_them() -> None:
    success = FaceTest((), frozenset({"success"}), False)
    shown: list[Face] = [("success", "success"), ("advantage", "success"), (), ("advantage",)]
    assert pools.count(shown, success) == 3
    assert pools.pairs(shown, success) == 1
    assert pools.any_of(shown, success)
    assert pools.count(shown, FaceTest((), frozenset({"success"}), True)) == 2
    assert pools.count(shown, FaceTest((Equal(frozenset({0, ()})),), frozenset(), False)) == 1
