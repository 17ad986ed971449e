"""The middle of endless dice: each chance lies where plain enumeration leaves room for it, or is no fraction."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

import rulesrun

from .nearly import lies_where_enumeration_leaves_room
from .test_endless import Law, Pool, exploding, middle, plain, several, together
from .test_saturated import again

TAIL = Fraction(1, 10**4)


def weighted(faces: Mapping[int, int], goes: tuple[int, ...], count: int) -> Law:
    """Dice with weighted faces some of which explode, until less than a ten-thousandth is left."""
    total = sum(faces.values())
    one: dict[Pool, Fraction] = {}
    open_: dict[Pool, Fraction] = {(): Fraction(1)}
    while sum(open_.values()) > TAIL / 10:
        following: dict[Pool, Fraction] = {}
        for pool, weight in open_.items():
            for face, share in faces.items():
                into = following if face in goes else one
                key = tuple(sorted((*pool, face)))
                into[key] = into.get(key, Fraction(0)) + weight * Fraction(share, total)
        open_ = following
    return several(one, count)


POOLS: dict[str, tuple[str, Callable[[], Law]]] = {
    "two faces explode, and 1 - 4 p q is a square": (
        "roll p = 2d{1 x56, 2 x19, 3 x25}, explode on 2..3", lambda: weighted({1: 56, 2: 19, 3: 25}, (2, 3), 2)
    ),
    "two pools": (
        "roll a = 2d3!\n    roll b = d4, explode on 1\n    p = a + b",
        lambda: together(several(exploding(1, 3, (3,)), 2), exploding(1, 4, (1,))),
    ),
    "three pools": (
        "roll a = d3!\n    roll b = d4, explode on 1\n    roll c = d5, explode on 2\n    p = a + b + c",
        lambda: together(exploding(1, 3, (3,)), exploding(1, 4, (1,)), exploding(1, 5, (2,))),
    ),
    "again": ("roll p = 2d4, again on sum >= 7", lambda: again(plain(2, 4), lambda dice: sum(dice) >= 7)),
    "faces left out": (
        "roll a = 2d3!\n    p = a showing 2..",
        lambda: {},
    ),
}  # fmt: skip
QUESTIONS: dict[str, Callable[[Pool], object]] = {
    "middle of p": middle,
    "middle of p in (1 or 3)": lambda p: middle(p) in (1, 3),
    "middle of p in 0..2": lambda p: middle(p) in (0, 1, 2),
    "10 * middle of p if middle of p in -1..0 or any 1 in p otherwise 7": lambda p: (
        10 * middle(p) if middle(p) == 0 or 1 in p else 7
    ),
    "middle of p >= 2 and any 1 in p": lambda p: middle(p) >= 2 and 1 in p,
    "2 * middle of p - 1 if none 2 in p otherwise 0": lambda p: 2 * middle(p) - 1 if 2 not in p else 0,
}
LAWS: dict[str, Law] = {}


@pytest.mark.parametrize("name", POOLS)
@pytest.mark.parametrize("question", QUESTIONS)
def test_chances_lie_where_enumeration_leaves_room(name: str, question: str) -> None:
    lines, law = POOLS[name]
    if name not in LAWS:
        LAWS[name] = law() or left_out()
    wanted: dict[object, Fraction] = {}
    for pool, chance in LAWS[name].items():
        value = QUESTIONS[question](pool)
        wanted[value] = wanted.get(value, Fraction(0)) + chance
    found = rulesrun.parse(f"rule r\n    {lines}\n    x = {question}\n")["r"].odds().of("x")
    lies_where_enumeration_leaves_room(found, wanted, 4 * TAIL)


def left_out() -> Law:
    """The dice of a pool that show 2 or more, which may be none at all."""
    found: dict[Pool, Fraction] = {}
    for pool, chance in several(exploding(1, 3, (3,)), 2).items():
        key = tuple(face for face in pool if face >= 2)
        found[key] = found.get(key, Fraction(0)) + chance
    return found


@pytest.mark.parametrize("question", ["middle of p", "middle of p = 6"])
def test_where_no_fraction_is_the_chance_that_is_said(question: str) -> None:
    """Of 5 and 6 as many show as a walk takes steps to either side: with chance 3 / sqrt 8 at 4d6 it is 0 in all."""
    rule = rulesrun.parse(f"rule r\n    roll p = 4d6, explode on 5..6\n    x = {question}\n")["r"]
    with pytest.raises(rulesrun.RulesError, match="irrational"):
        rule.odds().of("x")


def test_what_is_a_fraction_of_such_a_middle_is_given() -> None:
    """Of 4 + k dice k explode with the chance of comb(3 + k, k) / 3^k 2^4 / 3^4: the middle stops where k <= 4."""
    odds = rulesrun.parse("rule r\n    roll p = 4d6, explode on 5..6\n    x = middle of p <= 4\n")["r"].odds()
    wanted = sum(Fraction(n * 16, 3 ** (4 + k)) for k, n in enumerate([1, 4, 10, 20, 35]))
    assert odds.of("x")[True] == wanted


def test_a_sum_that_goes_both_ways_is_refused_in_words() -> None:
    rule = rulesrun.parse("rule r\n    roll p = 2d{-1, 0, 0, 1}, explode on (1 or -1)\n    x = sum of p\n")["r"]
    with pytest.raises(rulesrun.RulesError, match="irrational"):
        rule.odds().of("x")


@settings(deadline=None, max_examples=25)
@given(
    weights=some.lists(some.integers(1, 3), min_size=4, max_size=4),
    goes=some.sampled_from([(1,), (2,), (3,), (1, 2), (2, 3), (1, 3)]),
    count=some.integers(1, 2),
    least=some.integers(1, 4),
)
def test_any_weighted_dice(weights: list[int], goes: tuple[int, ...], count: int, least: int) -> None:
    faces = dict(zip((1, 2, 3, 4), weights, strict=True))
    if sum(faces[face] for face in goes) * 3 > sum(weights):
        return
    listed = ", ".join(f"{face} x{weight}" for face, weight in faces.items())
    text = (
        f"rule r\n    roll p = {count}d{{{listed}}}, explode on {' or '.join(map(str, goes))}\n"
        f"    x = middle of p >= {least}\n"
    )
    wanted: dict[object, Fraction] = {}
    for pool, chance in weighted(faces, goes, count).items():
        value = middle(pool) >= least
        wanted[value] = wanted.get(value, Fraction(0)) + chance
    try:
        found = rulesrun.parse(text)["r"].odds().of("x")
    except rulesrun.RulesError as error:
        assert "irrational" in str(error)
        assert len(goes) == 2
        assert goes[0] < least <= goes[1]
        return
    lies_where_enumeration_leaves_room(found, wanted, 4 * TAIL)
