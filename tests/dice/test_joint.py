"""Every question and every method against plain enumeration of small throws."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.dice.enumeration import enumerated

from rulesrun import dice
from rulesrun.dice import Group, Pool, Question, Selection, joint
from rulesrun.dice.joint import METHODS, tidied

FACES = (-1, 0, Fraction(1, 2), 1, 2, 3, 4, 5)
MOST_THROWS = 1500

weighted = st.lists(st.tuples(st.sampled_from(FACES), st.integers(0, 3)), min_size=1, max_size=5).filter(
    lambda faces: any(weight for _, weight in faces)
)
fair = st.integers(1, 6).map(lambda sides: tuple((face, 1) for face in range(1, sides + 1)))
group = st.builds(
    Group, count=st.integers(0, 4), faces=weighted.map(tuple) | fair, tag=st.integers(0, 2), place=st.integers(1, 3)
)


cards = st.lists(st.tuples(st.sampled_from(FACES), st.integers(0, 3)), min_size=1, max_size=5, unique_by=lambda x: x[0])
hand = st.builds(
    Group,
    count=st.integers(0, 4),
    faces=cards.map(tuple),
    tag=st.integers(0, 2),
    place=st.integers(1, 3),
    drawn=st.just(True),
).filter(lambda each: any(number for _, number in each.faces) and each.count <= sum(number for _, number in each.faces))


def small(groups: list[Group]) -> bool:
    throws = 1
    for one in groups:
        throws *= len(one.faces) ** one.count
    return throws <= MOST_THROWS


throws = st.lists(group, min_size=1, max_size=3).filter(small)
single = st.lists(group, min_size=1, max_size=1).filter(small)
tags = st.none() | st.frozensets(st.integers(0, 2), min_size=1)
kinds = st.sampled_from(["keep highest", "keep lowest", "keep middle", "drop highest", "drop lowest"])
selections = st.builds(Selection, kind=kinds, count=st.integers(0, 5))
whole = st.builds(Pool, tags=tags)
selected = st.builds(Pool, tags=tags, steps=st.lists(selections, min_size=1, max_size=2).map(tuple))
from_above = st.builds(Selection, kind=st.sampled_from(["keep highest", "drop highest"]), count=st.integers(0, 3))
matches = st.dictionaries(
    st.tuples(st.integers(0, 2), st.sampled_from(FACES), st.integers(1, 3)), st.integers(-2, 3), max_size=12
)
in_sets = st.builds(
    dice.InSets,
    st.frozensets(st.tuples(st.sampled_from(FACES), st.integers(1, 3)))
    | st.frozensets(st.integers(1, 3)).map(lambda numbers: frozenset(product(FACES, numbers))),
)


filtered = st.builds(
    Pool,
    tags=tags,
    steps=st.tuples(
        st.builds(dice.Showing, st.frozensets(st.sampled_from(FACES)))
        | st.builds(dice.Cancelled, st.builds(Pool, tags=tags, steps=st.just(()) | st.tuples(selections))),
    )
    | st.tuples(in_sets)
    | st.tuples(in_sets, selections)
    | st.tuples(selections, in_sets)
    | st.tuples(selections, st.builds(dice.Showing, st.frozensets(st.sampled_from(FACES))))
    | st.tuples(st.builds(dice.Showing, st.frozensets(st.sampled_from(FACES))), from_above | selections),
)
scores = st.dictionaries(st.tuples(st.integers(0, 2), st.sampled_from(FACES)), st.integers(-3, 4), max_size=8)
by_tag = st.dictionaries(st.integers(0, 2), st.integers(-1, 2)).map(
    lambda values: {(tag, face): value for tag, value in values.items() for face in FACES}
)
face_values = {(tag, face): int(face) for tag in range(3) for face in range(-1, 7)}


def asked(pools: st.SearchStrategy[Pool]) -> st.SearchStrategy[Question]:
    one = [
        dice.Size,
        dice.Highest,
        dice.Lowest,
        dice.Middle,
        dice.LargestSet,
        dice.FaceOfLargestSet,
        dice.Distinct,
        dice.LongestRun,
        dice.AllEqual,
    ]
    return (
        st.one_of([st.builds(question, pool=pools) for question in one])
        | st.builds(dice.Count, score=scores | by_tag | st.just(face_values), pool=pools)
        | st.builds(dice.Matched, score=matches, pool=pools)
        | st.builds(dice.SetsOf, sizes=st.frozensets(st.integers(0, 3)), pool=pools)
        | st.builds(dice.Wins, first=pools, second=pools)
        | st.builds(dice.Outranks, first=pools, second=pools)
    )


def compare(groups: list[Group], questions: list[Question]) -> None:
    """The door and every method that says it suits give the enumerated weights."""
    expected, total = enumerated(groups, questions)
    try:
        found = joint(groups, questions)
    except ValueError as refusal:
        assert "left to chance" in str(refusal)
        assert any(len(pool.steps) > 1 for question in questions for pool in question.pools)
        return
    assert found.total == total
    assert found.weights == expected
    read, factor = tidied(groups, questions)
    questions = [question.simpler(read) for question in questions]
    for name, method in METHODS.items():
        if method.suits(read, questions):
            weights = method.answers(read, questions, 10**9)
            assert {key: w * factor for key, w in weights.items() if w} == expected, name


@settings(deadline=None, max_examples=300)
@given(throws, st.lists(asked(whole), min_size=1, max_size=3))
def test_whole_pools(groups: list[Group], questions: list[Question]) -> None:
    compare(groups, questions)


@settings(deadline=None, max_examples=300)
@given(throws, st.lists(asked(whole | selected), min_size=1, max_size=2))
def test_selections(groups: list[Group], questions: list[Question]) -> None:
    compare(groups, questions)


@settings(deadline=None, max_examples=300)
@given(throws, st.lists(st.builds(dice.Count, by_tag, selected), min_size=1, max_size=2))
def test_selections_scored_by_what_the_dice_are(groups: list[Group], questions: list[Question]) -> None:
    compare(groups, questions)


@settings(deadline=None, max_examples=300)
@given(throws, st.lists(asked(whole | filtered), min_size=1, max_size=2))
def test_filters_and_cancelling(groups: list[Group], questions: list[Question]) -> None:
    compare(groups, questions)


@settings(deadline=None, max_examples=300)
@given(throws, st.lists(asked(st.builds(Pool, tags=tags, steps=st.tuples(in_sets))), min_size=1, max_size=2))
def test_dice_by_how_many_show_the_same(groups: list[Group], questions: list[Question]) -> None:
    compare(groups, questions)


@settings(deadline=None, max_examples=300)
@given(single, st.data())
def test_ranks_kept_of_one_group(groups: list[Group], data: st.DataObject) -> None:
    steps = st.lists(st.builds(Selection, kind=kinds, count=st.integers(0, 4)), min_size=1, max_size=2).map(tuple)
    pool = Pool(steps=data.draw(steps))
    compare(groups, data.draw(st.lists(asked(st.just(pool)), min_size=1, max_size=2)))


@settings(deadline=None, max_examples=200)
@given(single, st.lists(asked(st.just(Pool())), min_size=1, max_size=3))
def test_one_group(groups: list[Group], questions: list[Question]) -> None:
    compare(groups, questions)


@settings(deadline=None, max_examples=200)
@given(st.lists(st.tuples(st.integers(1, 3), st.integers(1, 5)), min_size=2, max_size=3), st.data())
def test_standard_dice_of_several_sizes(sizes: list[tuple[int, int]], data: st.DataObject) -> None:
    groups = [Group(count, tuple((f, 1) for f in range(1, sides + 1)), 0, sides) for count, sides in sizes]
    if small(groups):
        pools = st.just(Pool()) | selected
        compare(groups, data.draw(st.lists(asked(pools), min_size=1, max_size=2)))


@settings(deadline=None, max_examples=300)
@given(st.lists(hand | hand | group, min_size=1, max_size=2).filter(small), st.data())
def test_cards_without_putting_back(groups: list[Group], data: st.DataObject) -> None:
    pools = whole | selected | filtered if data.draw(st.booleans()) else st.just(Pool())
    compare(groups, data.draw(st.lists(asked(pools), min_size=1, max_size=3)))


@settings(deadline=None, max_examples=200)
@given(st.tuples(group, group).filter(lambda pair: small(list(pair))), st.data())
def test_two_groups_that_face_one_another(pair: tuple[Group, Group], data: st.DataObject) -> None:
    groups = [replace(each, tag=tag) for tag, each in enumerate(pair)]
    sides = st.builds(Pool, tags=st.sampled_from([frozenset({0}), frozenset({1})]))
    faced = st.builds(dice.Wins, first=sides, second=sides) | st.builds(dice.Outranks, first=sides, second=sides)
    compare(groups, data.draw(st.lists(faced, min_size=1, max_size=2)))


@settings(deadline=None, max_examples=100)
@given(throws, st.builds(Pool, steps=st.tuples(selections, selections, selections)))
def test_ranks_from_below_of_what_a_step_has_left(groups: list[Group], pool: Pool) -> None:
    """How many dice a step leaves is known."""
    questions = [dice.Size(pool), dice.Highest(pool), dice.Distinct(pool)]
    assert joint(groups, questions).weights == enumerated(groups, questions)[0]


def test_dice_that_are_none_are_refused() -> None:
    with pytest.raises(ValueError, match="negative number"):
        joint([Group(-1, ((1, 1),))], [dice.Size()])
    with pytest.raises(ValueError, match="more cards"):
        joint([Group(3, ((1, 1), (2, 1)), drawn=True)], [dice.Size()])
    with pytest.raises(ValueError, match="weights"):
        joint([Group(1, ((1, 0),))], [dice.Size()])
    pool = Pool(steps=(dice.Showing(frozenset({1})), Selection("keep middle", 1)))
    with pytest.raises(ValueError, match="left to chance"):
        joint([Group(2, ((1, 1), (2, 1)))], [dice.Size(pool)])


def test_no_questions_have_one_empty_answer() -> None:
    assert joint([Group(3, ((1, 1), (2, 2)))], []).weights == {(): 27}
