"""Throws with several endless modifiers, one after another.

Chances lie where plain enumeration leaves room for them.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache

import pytest

import rulesrun

from .nearly import lies_where_enumeration_leaves_room
from .test_endless import Law, Pool, exploding, plain
from .test_saturated import QUESTIONS, again

TAIL = Fraction(1, 10**4)
DEEP = 11
"""So many further dice or throws are followed by the enumeration."""


def each_exploding(pools: Law, sides: int, face: int) -> Law:
    """Each die that shows the face adds another, which may explode again."""
    chain: dict[Pool, Fraction] = {}
    for more in range(DEEP):
        for last in range(1, sides + 1):
            if last != face:
                chain[tuple(sorted((*(face,) * more, last)))] = Fraction(1, sides ** (more + 1))
    found: dict[Pool, Fraction] = {}
    for pool, weight in pools.items():
        ways: dict[Pool, Fraction] = {pool: weight}
        for _ in range(pool.count(face)):
            joined: dict[Pool, Fraction] = {}
            for before, share in ways.items():
                for more_dice, chance in chain.items():
                    if share * chance > TAIL / 10**5:
                        key = tuple(sorted((*before, *more_dice)))
                        joined[key] = joined.get(key, Fraction(0)) + share * chance
            ways = joined
        for key, share in ways.items():
            found[key] = found.get(key, Fraction(0)) + share
    return found


def kept(pools: Law, choose: Callable[[Pool], Pool]) -> Law:
    found: dict[Pool, Fraction] = {}
    for pool, weight in pools.items():
        found[choose(pool)] = found.get(choose(pool), Fraction(0)) + weight
    return found


POOLS: dict[str, Callable[[], Law]] = {
    "2d4!, keep highest 1, explode on 4": lambda: each_exploding(
        kept(each_exploding(plain(2, 4), 4, 4), lambda pool: pool[-1:]), 4, 4
    ),
    "2d4, explode on 1, keep lowest 2, explode on 3": lambda: each_exploding(
        kept(each_exploding(plain(2, 4), 4, 1), lambda pool: pool[:2]), 4, 3
    ),
    "2d3, again on all 3, keep highest 2, explode on 1": lambda: each_exploding(
        kept(again(plain(2, 3), lambda dice: dice == (3, 3)), lambda pool: pool[-2:]), 3, 1
    ),
    "2d4!, drop lowest 1, keep highest 2": lambda: kept(
        each_exploding(plain(2, 4), 4, 4), lambda pool: pool[1:][-2:]
    ),
    "2d3, again on all 3, explode on 2": lambda: each_exploding(
        again(plain(2, 3), lambda dice: dice == (3, 3)), 3, 2
    ),
    "d4, explode on 4, again on any 1": lambda: again(exploding(1, 4, (4,)), lambda dice: 1 in dice, TAIL / 10**5),
}  # fmt: skip
ASKED: dict[str, Callable[[Pool, Pool], object]] = {
    **{
        question: ask
        for question, ask in QUESTIONS.items()
        if "p + q" not in question and "largest set in p)" not in question
    },
    "sum of p": lambda p, q: sum(p),
    "size of p": lambda p, q: len(p),
    "highest of p": lambda p, q: max(p, default=0),
    "1 if sum of p >= 5 and any 1 in p otherwise 0": lambda p, q: int(sum(p) >= 5 and 1 in p),
}


@cache
def law_of(throw: str) -> tuple[tuple[Pool, Fraction], ...]:
    return tuple(POOLS[throw]().items())


@pytest.mark.parametrize("throw", POOLS)
@pytest.mark.parametrize("question", ASKED)
def test_chances_lie_where_enumeration_leaves_room(throw: str, question: str) -> None:
    wanted: dict[object, Fraction] = {}
    for p, chance in law_of(throw):
        for q, other in plain(2, 3).items() if "q" in question else [((), Fraction(1))]:
            value = ASKED[question](p, q)
            wanted[value] = wanted.get(value, Fraction(0)) + chance * other
    text = f"rule r\n    roll p = {throw}\n    roll q = 2d3\n    x = {question}\n"
    found = rulesrun.parse(text)["r"].odds().of("x")
    lies_where_enumeration_leaves_room(found, wanted, TAIL * 4)


def test_a_total_that_is_thrown_again_bears_its_marks() -> None:
    """A total is a bare number; the face of a die that is thrown again is as it stands on the die."""
    text = "die twin = 1 & moon x2, 2 & star\nrule r\n"
    text += "    roll cast = twin, explode on sides once adding, reroll >= 3 once\n"
    text += "    x = sum of (cast with each die as (5 if die is not moon otherwise die))\n"
    rule = rulesrun.parse(text)["r"]
    assert dict(rule.odds().of("x").items()) == {1: Fraction(2, 9), 5: Fraction(7, 9)}
    assert {rule.roll(seed=seed).values["x"] for seed in range(40)} == {1, 5}


def test_an_explosion_may_add_several_dice_where_it_happens_once() -> None:
    """The higher of two dice, which is a 4 or more unless both are less; then three more dice."""
    text = "rule r\n    roll p = 2d6, keep highest 1, explode on 4.. once rolling 3d6\n    x = sum of p\n"
    assert rulesrun.parse(text)["r"].odds().of("x").mean == Fraction(161, 36) + Fraction(3, 4) * 3 * Fraction(7, 2)
    endless = text.replace(" once", "")
    with pytest.raises(rulesrun.RulesError, match="need not end"):
        rulesrun.parse(endless)["r"].odds()
