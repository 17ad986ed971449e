"""Questions that tell only so many equal dice of an endless throw apart.

Each chance lies where plain enumeration leaves room for it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

import rulesrun

from .nearly import lies_where_enumeration_leaves_room
from .test_endless import Law, Pool, cancelled, exploding, plain, several, widest, wins

TAIL = Fraction(1, 10**4)


def again(group: Law, goes: Callable[[Pool], bool], least: Fraction = Fraction(0)) -> Law:
    """The sorted faces of a group that is thrown again, until less than a ten-thousandth is left; ways with smaller
    chances than `least` are left out.
    """
    found: dict[Pool, Fraction] = {}
    open_: dict[Pool, Fraction] = {(): Fraction(1)}
    while sum(open_.values()) > TAIL / 10:
        following: dict[Pool, Fraction] = {}
        for pool, weight in open_.items():
            for more, chance in group.items():
                if weight * chance < least:
                    continue
                into = following if goes(more) else found
                key = tuple(sorted((*pool, *more)))
                into[key] = into.get(key, Fraction(0)) + weight * chance
        open_ = following
    return found


POOLS: dict[str, Callable[[], Law]] = {
    "2d3, again on all 3": lambda: again(plain(2, 3), lambda dice: dice == (3, 3)),
    "2d3, again on all equal": lambda: again(plain(2, 3), lambda dice: dice[0] == dice[1]),
    "d4, again on any 1": lambda: again(plain(1, 4), lambda dice: dice == (1,)),
    "2d4, again on sum >= 7": lambda: again(plain(2, 4), lambda dice: sum(dice) >= 7),
    "d2 + d3, again on all 2": lambda: again(
        {tuple(sorted(dice)): Fraction(1, 6) for dice in [(1, 1), (1, 3), (2, 1), (2, 2), (2, 3)]}
        | {(1, 2): Fraction(2, 6)},
        lambda dice: dice == (2, 2),
    ),
    "d2 + d3, explode on 3": lambda: several_kinds(),
    "2d4, explode on 3..": lambda: exploding_pair(),
}


def several_kinds() -> Law:
    """A d2 and a d3 that explodes."""
    found: dict[Pool, Fraction] = {}
    for pool, weight in exploding(1, 3, (3,)).items():
        for face in (1, 2):
            key = tuple(sorted((*pool, face)))
            found[key] = found.get(key, Fraction(0)) + weight / 2
    return found


def exploding_pair() -> Law:
    """Two dice of which two faces explode."""
    return several(exploding(1, 4, (3, 4)), 2)


QUESTIONS: dict[str, Callable[[Pool, Pool], object]] = {
    "sets of 2 in p": lambda p, q: sum(size == 2 for size in Counter(p).values()),
    "sets of 2.. in p": lambda p, q: sum(size >= 2 for size in Counter(p).values()),
    "largest set in p >= 3": lambda p, q: widest(p) >= 3,
    "largest set in p = 2": lambda p, q: widest(p) == 2,
    "sum of (highest 2 of p)": lambda p, q: sum(p[-2:]),
    "sum of (lowest 2 of p)": lambda p, q: sum(p[:2]),
    "sum of (die 2 of p)": lambda p, q: p[-2] if len(p) > 1 else 0,
    "count 2.. in (highest 2 of p)": lambda p, q: sum(face >= 2 for face in p[-2:]),
    "wins of p over q": wins,
    "wins of q over p": lambda p, q: wins(q, p),
    "p outranks q": lambda p, q: p[::-1] > q[::-1],
    "size of (q cancelled by p)": lambda p, q: len(cancelled(q, p)),
    "sets of 1 in (p cancelled by q)": lambda p, q: sum(size == 1 for size in Counter(cancelled(p, q)).values()),
    "10 * (sets of 1 in p) + sum of q if any 2 in p otherwise 1": lambda p, q: (
        10 * sum(size == 1 for size in Counter(p).values()) + sum(q) if 2 in p else 1
    ),
    "sets of 2 in p = 1 and size of p <= 4": lambda p, q: (
        sum(size == 2 for size in Counter(p).values()) == 1 and len(p) <= 4
    ),
    "sets of 2 in p = 0 and sum of p > 5": lambda p, q: (
        sum(size == 2 for size in Counter(p).values()) == 0 and sum(p) > 5
    ),
    "sets of 1 in (p showing 2..)": lambda p, q: sum(size == 1 and face >= 2 for face, size in Counter(p).items()),
    "largest set in p": lambda p, q: widest(p),
    "2 * largest set in p + 1 if any 2 in p otherwise 0": lambda p, q: 2 * widest(p) + 1 if 2 in p else 0,
    "3 if largest set in p > 1 and any 1 in p otherwise 0": lambda p, q: 3 if widest(p) > 1 and 1 in p else 0,
    "largest set in p >= 2 and wins of q over p = 1": lambda p, q: widest(p) >= 2 and wins(q, p) == 1,
    "sets of 2 in p + 10 * size of (q cancelled by p)": lambda p, q: (
        sum(size == 2 for size in Counter(p).values()) + 10 * len(cancelled(q, p))
    ),
    "largest set in (p + q) >= 3": lambda p, q: widest(p + q) >= 3,
    "sets of 2 in (p + q)": lambda p, q: sum(size == 2 for size in Counter(p + q).values()),
}
CONDITIONS: dict[str, Callable[[Pool], bool]] = {
    "all 1": lambda dice: set(dice) == {1},
    "any 3": lambda dice: 3 in dice,
    "all equal": lambda dice: len(dice) > 1 and len(set(dice)) == 1,
    "sum >= 5": lambda dice: sum(dice) >= 5,
}
LAWS: dict[str, Law] = {}


def law_of(throw: str) -> Law:
    """The enumerated law of a pool, once."""
    if throw not in LAWS:
        LAWS[throw] = POOLS[throw]()
    return LAWS[throw]


@pytest.mark.parametrize("throw", POOLS)
@pytest.mark.parametrize("question", QUESTIONS)
def test_chances_lie_where_enumeration_leaves_room(throw: str, question: str) -> None:
    wanted: dict[object, Fraction] = {}
    for p, chance in law_of(throw).items():
        for q, other in plain(2, 3).items():
            value = QUESTIONS[question](p, q)
            wanted[value] = wanted.get(value, Fraction(0)) + chance * other
    text = f"rule r\n    roll p = {throw}\n    roll q = 2d3\n    x = {question}\n"
    found = rulesrun.parse(text)["r"].odds().of("x")
    lies_where_enumeration_leaves_room(found, wanted, TAIL)


@settings(deadline=None, max_examples=40)
@given(
    faces=some.lists(some.integers(1, 3), min_size=2, max_size=4).filter(lambda faces: len(set(faces)) > 1),
    count=some.integers(1, 2),
    goes=some.sampled_from(sorted(CONDITIONS)),
    question=some.sampled_from([each for each in QUESTIONS if "q" not in each]),
)
def test_groups_of_any_dice_thrown_again(faces: list[int], count: int, goes: str, question: str) -> None:
    holds = CONDITIONS[goes]
    group: dict[Pool, Fraction] = {}
    for dice in product(faces, repeat=count):
        key = tuple(sorted(dice))
        group[key] = group.get(key, Fraction(0)) + Fraction(1, len(faces) ** count)
    if sum(weight for dice, weight in group.items() if holds(dice)) > Fraction(1, 3):
        return
    listed = ", ".join(map(str, faces))
    text = f"rule r\n    roll p = {count}d{{{listed}}}, again on {goes}\n    x = {question}\n"
    wanted: dict[object, Fraction] = {}
    for pool, chance in again(group, holds).items():
        value = QUESTIONS[question](pool, ())
        wanted[value] = wanted.get(value, Fraction(0)) + chance
    lies_where_enumeration_leaves_room(rulesrun.parse(text)["r"].odds().of("x"), wanted, TAIL)
