"""What is done with arrays of dice and values is what a roll does with each of them, lane by lane."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulesrun.diagnostics import Source, Span
from rulesrun.evaluation import pools
from rulesrun.evaluation.faces import Between, Differs, Equal, FaceTest, Parity
from rulesrun.evaluation.pools import Die, Pool
from rulesrun.evaluation.sample import ordering, questions
from rulesrun.evaluation.sample.columns import Column, Same, Truth, Whole, apply, assembled, at, merged, spread
from rulesrun.evaluation.sample.dice import Dice, Unusual, compact, dice_at, dice_of, merged_dice, union, with_faces_as
from rulesrun.evaluation.sample.face_sets import belonging, counting
from rulesrun.evaluation.sample.tags import Tags

HERE = Span(Source.of_text("test.rules", "pool"), 0, 4)

numbers = st.one_of(st.integers(1, 6), st.integers(-3, 200))
faces = st.one_of(numbers, st.sampled_from([(), Fraction(1, 2), Fraction(7, 3)]))
sizes = st.sampled_from([(4, "d4"), (6, "d6"), (None, "stat")])


def dice(shown: st.SearchStrategy[Any], kinds: st.SearchStrategy[Any] = sizes) -> st.SearchStrategy[Pool]:
    def die(face: Any, kind: Any, target: Any) -> Die:
        return Die(face, 5, target, "rune") if face == () else Die(face, kind[0], target, kind[1])

    return st.lists(st.builds(die, shown, kinds, st.sampled_from([None, 5])), max_size=7).map(tuple)


one_kind = dice(st.integers(1, 6), st.just((6, "d6")))
many = st.one_of(
    st.lists(one_kind, min_size=1, max_size=6),
    st.lists(dice(numbers), min_size=1, max_size=6),
    st.lists(dice(faces), min_size=1, max_size=6),
)
tests = st.sampled_from(
    [
        FaceTest((Between(2, 4),), frozenset(), False),
        FaceTest((Between(3, None), Equal(frozenset({1}))), frozenset(), True),
        FaceTest((Parity(True),), frozenset(), False),
        FaceTest((Differs(2), Equal(frozenset({()}))), frozenset(), False),
        FaceTest((), frozenset(), False),
    ]
)


def laid(lanes: list[Pool], tags: Tags | None = None) -> tuple[Dice, Tags]:
    """Pools as arrays."""
    tags = tags or Tags(natural=False)
    return dice_of(lanes, np.arange(len(lanes)), tags), tags


def bags(pool: Dice, tags: Tags) -> list[Counter[Die]]:
    """The pools of all lanes as multisets."""
    return [Counter(dice_at(pool, tags, lane)) for lane in range(pool.lanes)]


def values(column: Column, lanes: int) -> list[Any]:
    return [at(column, lane) for lane in range(lanes)]


@given(many)
def test_pools_come_back_as_they_were_laid(lanes: list[Pool]) -> None:
    pool, tags = laid(lanes)
    assert bags(pool, tags) == [Counter(each) for each in lanes]
    assert bags(compact(pool), tags) == [Counter(each) for each in lanes]


@given(many, many)
def test_unions_and_lanes_put_together(left: list[Pool], right: list[Pool]) -> None:
    lanes = min(len(left), len(right))
    (one, tags), here = laid(left[:lanes]), np.arange(lanes)
    other, _ = laid(right[:lanes], tags)
    both = [Counter(a) + Counter(b) for a, b in zip(left, right, strict=False)]
    assert bags(union([one, other]), tags) == both
    whole = merged_dice(2 * lanes + 1, [(here, one), (here + lanes + 1, other)])
    assert bags(whole, tags) == [*map(Counter, left[:lanes]), Counter(), *map(Counter, right[:lanes])]


@pytest.mark.parametrize("asked", ["sum", "highest", "lowest", "middle", "size", "all_equal", "distinct",
                                   "largest_set", "face_of_largest_set", "longest_run"])  # fmt: skip
@settings(max_examples=60)
@given(lanes=many)
def test_questions(asked: Any, lanes: list[Pool]) -> None:
    pool, _ = laid(lanes)
    try:
        found = questions.about_faces(asked, pool, HERE)
    except Unusual:
        assert pool.meaning is not None
        return
    assert values(found, len(lanes)) == [pools.ask(asked, each, HERE) for each in lanes]


@pytest.mark.parametrize("asked", ["count", "any", "all", "none", "pairs"])
@given(lanes=many, test=tests)
def test_questions_about_faces(asked: Any, lanes: list[Pool], test: FaceTest) -> None:
    pool, _ = laid(lanes)
    marks = (counting if asked in ("count", "pairs") else belonging)(pool, [test], None)
    found = questions.with_faces(asked, pool, marks)
    assert values(found, len(lanes)) == [pools.ask(asked, each, HERE, test) for each in lanes]


@given(many, st.lists(tests, min_size=6, max_size=6))
def test_a_set_of_faces_for_each_lane(lanes: list[Pool], sets: list[FaceTest]) -> None:
    pool, _ = laid(lanes)
    found = questions.with_faces("count", pool, counting(pool, sets, np.arange(len(lanes))))
    assert values(found, len(lanes)) == [
        pools.ask("count", each, HERE, test) for each, test in zip(lanes, sets, strict=False)
    ]


@given(many, st.sets(st.integers(0, 4)))
def test_sets_of_sizes(lanes: list[Pool], wanted: set[int]) -> None:
    pool, _ = laid(lanes)
    if not pool.rows:
        return
    test = FaceTest((Equal(frozenset(wanted)),), frozenset(), False)
    sizes_wanted = np.array([[size in wanted for size in range(pool.rows + 1)]])
    found = questions.sets(pool, sizes_wanted, None)
    assert values(found, len(lanes)) == [pools.ask("sets", each, HERE, test) for each in lanes]


@pytest.mark.parametrize(
    ("word", "which"),
    [("keep", "highest"), ("keep", "lowest"), ("keep", "middle"), ("drop", "highest"), ("drop", "lowest")],
)
@given(lanes=many, number=st.integers(0, 8), each=st.lists(st.integers(0, 8), min_size=6, max_size=6))
def test_keep_and_drop(word: str, which: str, lanes: list[Pool], number: int, each: list[int]) -> None:
    pool, tags = laid(lanes)
    scalar: Callable[..., Pool] = pools.keep if word == "keep" else pools.drop
    found = ordering.kept(pool, word, which, number, tags, HERE)
    assert bags(found, tags) == [Counter(scalar(lane, which, number, HERE)) for lane in lanes]
    apart = ordering.kept(pool, word, which, np.array(each[: len(lanes)]), tags, HERE)
    assert bags(apart, tags) == [Counter(scalar(lane, which, n, HERE)) for lane, n in zip(lanes, each, strict=False)]


@given(many, st.integers(1, 8), st.lists(st.integers(1, 8), min_size=6, max_size=6))
def test_the_nth_highest(lanes: list[Pool], number: int, each: list[int]) -> None:
    pool, tags = laid(lanes)
    found = ordering.nth_highest(pool, number, tags, HERE)
    assert bags(found, tags) == [Counter(pools.nth_highest(lane, number, HERE)) for lane in lanes]
    apart = ordering.nth_highest(pool, np.array(each[: len(lanes)]), tags, HERE)
    wanted = [Counter(pools.nth_highest(lane, n, HERE)) for lane, n in zip(lanes, each, strict=False)]
    assert bags(apart, tags) == wanted


@given(many, many)
def test_outranks_and_wins(left: list[Pool], right: list[Pool]) -> None:
    pairs = list(zip(left, right, strict=False))
    one, tags = laid([pair[0] for pair in pairs])
    other, _ = laid([pair[1] for pair in pairs], tags)
    shown = [(pools.shown(a), pools.shown(b)) for a, b in pairs]
    assert ordering.outranks(one, other, HERE).tolist() == [pools.outranks(a, b, HERE) for a, b in shown]
    assert ordering.wins(one, other, HERE).tolist() == [pools.wins(a, b, HERE) for a, b in shown]


@pytest.mark.parametrize("rows", [*range(1, 20), 33, 48])
def test_comparing_rows_sorts_any_numbers(rows: int) -> None:
    shuffled = np.random.default_rng(rows).integers(-9, 9, (rows, 200))
    assert (ordering.ascending(shuffled) == np.sort(shuffled, axis=0)).all()


anything = st.one_of(
    st.integers(-5, 5), st.booleans(), st.none(), st.sampled_from(["calm", "alert"]), st.fractions(0, 2),
    st.integers(2**70, 2**70 + 3),
)  # fmt: skip


@given(st.lists(st.tuples(anything, anything), min_size=1, max_size=12))
def test_any_function_of_any_values(pairs: list[tuple[Any, Any]]) -> None:
    lanes = np.arange(len(pairs))
    left, right = (spread([pair[place] for pair in pairs], lanes) for place in (0, 1))
    found = apply(lambda a, b: (type(a), a, b), left, right)
    assert values(found, len(pairs)) == [(type(a), a, b) for a, b in pairs]
    assert [type(each) for each in values(left, len(pairs))] == [type(a) for a, _ in pairs]


@given(st.lists(st.tuples(anything, anything, st.booleans()), min_size=1, max_size=12))
def test_columns_put_together(rows: list[tuple[Any, Any, bool]]) -> None:
    lanes = np.arange(len(rows))
    left, right = (spread([row[place] for row in rows], lanes) for place in (0, 1))
    mask = np.array([row[2] for row in rows])
    wanted = [a if here else b for a, b, here in rows]
    found = values(merged(len(rows), [(None, right), (mask, left)]), len(rows))
    yes, no = np.flatnonzero(mask), np.flatnonzero(~mask)
    parts = [(index, column.take(index)) for index, column in ((yes, left), (no, right)) if len(index)]
    for each in (found, values(assembled(len(rows), parts), len(rows))):
        assert [(type(value), value) for value in each] == [(type(value), value) for value in wanted]


def test_one_value_stays_one() -> None:
    assert spread([3, 3], np.zeros(5, int)) == Same(3)
    assert isinstance(spread([3, 4], np.zeros(5, int)), Whole)
    assert isinstance(spread([True, False], np.zeros(5, int)), Truth)


@pytest.mark.parametrize("absent", [0, 2, 9])
def test_what_a_die_shows_that_is_not_there_is_never_asked(absent: int) -> None:
    pool = Dice(np.array([[absent], [3], [1]]), 0, 9, np.array([[False], [True], [True]]), 0, None)
    found = with_faces_as(pool, lambda face: 10 * face)
    assert found.faces[1:].tolist() == [[30], [10]]
    assert (found.low, found.high) == (10, 30)
    named = with_faces_as(pool, lambda face: Fraction(face, 2))  # type: ignore[arg-type]
    assert named.meaning == (Fraction(1, 2), Fraction(3, 2))
    assert [named.meaning[code] for code in named.faces[1:, 0]] == [Fraction(3, 2), Fraction(1, 2)]
