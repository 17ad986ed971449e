"""One number of any size beside answers to which only so many equal dice matter, and the widest set's face.

Each chance lies where plain enumeration leaves room for it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

import rulesrun

from .nearly import lies_where_enumeration_leaves_room
from .test_endless import Law, Pool, exploding, of_widest, plain, several, widest
from .test_saturated import TAIL, again

POOLS: dict[str, Callable[[], Law]] = {
    "2d3, again on all 3": lambda: again(plain(2, 3), lambda dice: dice == (3, 3)),
    "2d4, again on any 4": lambda: again(plain(2, 4), lambda dice: 4 in dice),
    "2d4, again on any 2": lambda: again(plain(2, 4), lambda dice: 2 in dice),
    "d4, again on any 1": lambda: again(plain(1, 4), lambda dice: dice == (1,)),
    "2d4, explode on 3..": lambda: several(again(plain(1, 4), lambda dice: dice[0] > 2), 2),
    "2d4!": lambda: exploding(2, 4, (4,)),
}
LAWS: dict[str, Law] = {}
LEADS = ("2d3, again on all 3", "2d4, again on any 4", "2d4, again on any 2", "d4, again on any 1", "2d4!")
"""Pools in which one face leads the others for good."""
WITH_FACE: dict[str, Callable[[Pool], object]] = {
    "face of largest set in p": of_widest,
    "face of largest set in p >= 2": lambda p: of_widest(p) >= 2,
    "largest set in p": widest,
    "largest set in p + 10 * face of largest set in p": lambda p: widest(p) + 10 * of_widest(p),
    "largest set in p if face of largest set in p = 2 otherwise 0": lambda p: widest(p) if of_widest(p) == 2 else 0,
    "face of largest set in p if largest set in p >= 3 otherwise 0": lambda p: of_widest(p) if widest(p) >= 3 else 0,
    "face of largest set in p if any 1 in p otherwise 0": lambda p: of_widest(p) if 1 in p else 0,
    "face of largest set in p if none 1 in p otherwise 0": lambda p: 0 if 1 in p else of_widest(p),
    "sum of p + largest set in p": lambda p: sum(p) + widest(p),
    "2 * sum of p - largest set in p": lambda p: 2 * sum(p) - widest(p),
    "sum of p if face of largest set in p <= 2 otherwise 0": lambda p: sum(p) if of_widest(p) <= 2 else 0,
    "sum of p = 7 and face of largest set in p = 1": lambda p: sum(p) == 7 and of_widest(p) == 1,
}
BESIDE: dict[str, Callable[[Pool], object]] = {
    "sum of p >= 8 and largest set in p >= 3": lambda p: sum(p) >= 8 and widest(p) >= 3,
    "sum of p = 9 and largest set in p = 2": lambda p: sum(p) == 9 and widest(p) == 2,
    "sum of p <= 9 and sets of 2 in p = 1": lambda p: sum(p) <= 9 and list(Counter(p).values()).count(2) == 1,
    "sum of p if largest set in p >= 2 otherwise 0": lambda p: sum(p) if widest(p) >= 2 else 0,
    "sum of p if largest set in p = 2 and any 1 in p otherwise 0": lambda p: sum(p) if widest(p) == 2 and 1 in p else 0,
    "sum of p + 10 * sets of 1 in p": lambda p: sum(p) + 10 * list(Counter(p).values()).count(1),
    "size of p if sets of 2 in p >= 1 and none 3 in p otherwise 0": lambda p: (
        len(p) if 2 in Counter(p).values() and 3 not in p else 0
    ),
    "largest set in p if sum of p >= 9 otherwise 0": lambda p: widest(p) if sum(p) >= 9 else 0,
    "sets of 2 in p if sum of p in 5..9 otherwise 9": lambda p: (
        list(Counter(p).values()).count(2) if 5 <= sum(p) <= 9 else 9
    ),
}


def law_of(throw: str) -> Law:
    """The enumerated law of a pool, once."""
    if throw not in LAWS:
        LAWS[throw] = POOLS[throw]()
    return LAWS[throw]


def agrees(text: str, law: Law, answer: Callable[[Pool], object], room: Fraction = TAIL) -> None:
    wanted: dict[object, Fraction] = {}
    for pool, chance in law.items():
        value = answer(pool)
        wanted[value] = wanted.get(value, Fraction(0)) + chance
    lies_where_enumeration_leaves_room(rulesrun.parse(text)["r"].odds().of("x"), wanted, room)


@pytest.mark.parametrize("throw", POOLS)
@pytest.mark.parametrize("question", [*WITH_FACE, *BESIDE])
def test_chances_lie_where_enumeration_leaves_room(throw: str, question: str) -> None:
    text = f"rule r\n    roll p = {throw}\n    x = {question}\n"
    if question in WITH_FACE and throw not in LEADS:
        return
    agrees(text, law_of(throw), {**WITH_FACE, **BESIDE}[question])


@pytest.mark.parametrize("question", [*WITH_FACE, "sum of p >= 8 and largest set in p >= 3", "sets of 2 in p"])
@pytest.mark.parametrize("second", ["1d4!", "2d4", "d4, again on any 4"])
def test_two_throws_in_one_pool(second: str, question: str) -> None:
    others = {"1d4!": exploding(1, 4, (4,)), "2d4": plain(2, 4), "d4, again on any 4": exploding(1, 4, (4,))}[second]
    both: dict[Pool, Fraction] = {}
    for dice, chance in exploding(2, 4, (4,)).items():
        for more, share in others.items():
            if chance * share > Fraction(1, 10**9):
                key = tuple(sorted(dice + more))
                both[key] = both.get(key, Fraction(0)) + chance * share
    answer = {**WITH_FACE, **BESIDE, "sets of 2 in p": lambda p: list(Counter(p).values()).count(2)}[question]
    agrees(f"rule r\n    roll a = 2d4!\n    roll b = {second}\n    p = a + b\n    x = {question}\n", both, answer)


@pytest.mark.parametrize("throw", ["2d4, again on any 4", "2d4, explode on 3.."])
def test_the_largest_set_where_the_sum_is_at_least_so_much(throw: str) -> None:
    rule = rulesrun.parse(f"rule r\n    roll p = {throw}\n    x = largest set in p\n    y = sum of p\n")["r"]
    below = {pool: chance for pool, chance in law_of(throw).items() if sum(pool) < 12}
    wanted: dict[object, Fraction] = {}
    for pool, chance in law_of(throw).items():
        if pool not in below:
            wanted[widest(pool)] = wanted.get(widest(pool), Fraction(0)) + chance / (1 - sum(below.values()))
    lies_where_enumeration_leaves_room(rule.odds(given="y >= 12").of("x"), wanted, TAIL * 100)


def test_so_many_laws_that_they_would_take_minutes_are_refused() -> None:
    text = "rule r\n    roll p = 2d6, again on any 6\n    roll q = 3d6!\n    x = largest set in (p + q)\n"
    with pytest.raises(rulesrun.RulesError, match="too large"):
        rulesrun.parse(text)["r"].odds().of("x")


@pytest.mark.parametrize("face", [1, 2, 3, 4])
def test_faces_below_those_that_go_on(face: int) -> None:
    text = f"rule r\n    roll p = 2d6, explode on 5..6\n    x = face of largest set in p = {face}\n"
    pair = several(again(plain(1, 6), lambda dice: dice[0] > 4), 2)
    agrees(text, pair, lambda p: of_widest(p) == face)


def test_which_of_two_faces_that_go_on_shows_most_often_is_no_fraction() -> None:
    rule = rulesrun.parse("rule r\n    roll p = 3d6, explode on 5..6\n    x = face of largest set in p\n")["r"]
    with pytest.raises(rulesrun.RulesError) as caught:
        rule.odds().of("x")
    assert caught.value.diagnostics[0].code in ("endless", "budget")


CONDITIONS: dict[str, Callable[[Pool], bool]] = {
    "all 1": lambda dice: set(dice) == {1},
    "any 3": lambda dice: 3 in dice,
    "sum >= 5": lambda dice: sum(dice) >= 5,
}


@settings(deadline=None, max_examples=40)
@given(
    faces=some.lists(some.integers(1, 3), min_size=2, max_size=4).filter(lambda faces: len(set(faces)) > 1),
    count=some.integers(1, 2),
    goes=some.sampled_from(sorted(CONDITIONS)),
    question=some.sampled_from(sorted({**WITH_FACE, **BESIDE})),
)
def test_groups_of_any_dice_thrown_again(faces: list[int], count: int, goes: str, question: str) -> None:
    holds = CONDITIONS[goes]
    group: dict[Pool, Fraction] = {}
    for pool, chance in several({(face,): Fraction(faces.count(face), len(faces)) for face in faces}, count).items():
        group[pool] = chance
    if sum(weight for dice, weight in group.items() if holds(dice)) > Fraction(1, 3):
        return
    listed = ", ".join(map(str, faces))
    text = f"rule r\n    roll p = {count}d{{{listed}}}, again on {goes}\n    x = {question}\n"
    try:
        agrees(text, again(group, holds), {**WITH_FACE, **BESIDE}[question])
    except rulesrun.RulesError as error:
        assert error.diagnostics[0].code in ("endless", "budget")
        assert question in WITH_FACE
        assert goes == "sum >= 5"


@pytest.mark.parametrize(
    "question", ["largest set in p", "face of largest set in p", "largest set in p + 10 * face of largest set in p"]
)
def test_known_dice_in_the_widest_set(question: str) -> None:
    """One of two dice lies there, the other is thrown again: `r` is looked at, and counts for a set all the same."""
    both: dict[Pool, Fraction] = {}
    for dice, chance in plain(2, 4).items():
        for more, share in again(plain(1, 4), lambda pool: pool == (4,)).items():
            key = tuple(sorted(dice + more))
            both[key] = both.get(key, Fraction(0)) + chance * share
    throws = "    roll r = 2d4\n    roll q = dice of (lowest 1 of r), again on all 4\n    p = q + r\n"
    agrees(f"rule r\n{throws}    x = {question}\n", both, WITH_FACE[question])
