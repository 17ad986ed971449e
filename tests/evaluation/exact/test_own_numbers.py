"""Extremes, roundings and kept dice without end, and what is made of them, beside enumeration that is cut off."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import product

import pytest

import rulesrun

from .nearly import lies_where_enumeration_leaves_room

Law = dict[int, Fraction]


def ace(sides: int, throws: int) -> Law:
    """A die that explodes on its highest face and adds to itself, so many throws at most."""
    found: Law = {}
    for more in range(throws):
        found |= {sides * more + face: Fraction(1, sides ** (more + 1)) for face in range(1, sides)}
    return found


def of_all(laws: Iterable[Law], answer: Callable[..., object]) -> dict[object, Fraction]:
    """The law of what follows from independent numbers."""
    found: dict[object, Fraction] = {}
    for ways in product(*(law.items() for law in laws)):
        chance = Fraction(1)
        for _, each in ways:
            chance *= each
        value = answer(*(value for value, _ in ways))
        found[value] = found.get(value, Fraction(0)) + chance
    return found


def agrees(text: str, value: str, wanted: dict[object, Fraction], given: str | None = None) -> None:
    """Asserts that the law of a value is what was enumerated, up to what was not."""
    odds = rulesrun.parse(text)["r"].odds(given=given)
    whole = Fraction(1) if given is None else rulesrun.parse(text)["r"].odds().chance(given)
    room = (whole - sum(wanted.values())) / whole
    assert 0 <= room < Fraction(1, 1000)
    found = odds.of(value)
    lies_where_enumeration_leaves_room(found, {at: chance / whole for at, chance in wanted.items()}, room)


OPPOSED = """rule r
    roll a = d4, explode on 4 adding
    roll aw = d3, explode on 3 adding
    roll b = d5, explode on 5 adding
    roll bw = d3, explode on 3 adding
    mine = max(a, aw)
    theirs = max(b, bw)
    margin = mine - theirs
    raises = max(0, round_down(margin / 4))
    outcome
        + raised if margin >= 4
        + won    if margin > 0
        - lost   otherwise
"""
FOUR = [ace(4, 8), ace(3, 9), ace(5, 7), ace(3, 9)]


@pytest.fixture(scope="module")
def opposed() -> dict[tuple[int, int], Fraction]:
    """Mine and theirs together."""
    mine = of_all(FOUR[:2], max)
    theirs = of_all(FOUR[2:], max)
    return {(x, y): p * q for x, p in mine.items() for y, q in theirs.items()}  # type: ignore[misc]


VALUES: dict[str, Callable[[int, int], int]] = {
    "margin": lambda x, y: x - y,
    "raises": lambda x, y: max(0, (x - y) // 4),
    "max(0, margin) + 2": lambda x, y: max(0, x - y) + 2,
    "round_up(margin / 3)": lambda x, y: -((y - x) // 3),
    "2 * mine + theirs": lambda x, y: 2 * x + y,
    "min(mine, theirs)": min,
    "round_down((mine - 7) / 5)": lambda x, y: (x - 7) // 5,
    "max(mine, theirs) - min(3, round_down(theirs / 2))": lambda x, y: max(x, y) - min(3, y // 2),
}


@pytest.mark.parametrize("value", VALUES)
def test_what_two_sides_come_to(value: str, opposed: dict[tuple[int, int], Fraction]) -> None:
    wanted: dict[object, Fraction] = {}
    for both, chance in opposed.items():
        at = VALUES[value](*both)
        wanted[at] = wanted.get(at, Fraction(0)) + chance
    agrees(OPPOSED, value, wanted)


def test_how_two_sides_end(opposed: dict[tuple[int, int], Fraction]) -> None:
    odds = rulesrun.parse(OPPOSED)["r"].odds()
    left = 1 - sum(opposed.values())
    for label, least, most in (("raised", 4, 1000), ("won", 1, 3)):
        enumerated = sum((chance for (x, y), chance in opposed.items() if least <= x - y <= most), Fraction(0))
        assert 0 <= odds[label] - enumerated <= left
    assert sum(odds.outcomes.values()) == 1


def test_means_of_margins_and_raises() -> None:
    odds = rulesrun.parse(OPPOSED)["r"].odds()
    assert odds.of("margin").mean == odds.of("mine").mean - odds.of("theirs").mean
    raises, margin = odds.of("raises"), odds.of("margin")
    chances = [margin.at_least(4 * number) for number in range(1, 60)]
    assert [raises.at_least(number) for number in range(1, 60)] == chances
    assert 0 <= raises.mean - sum(chances) < Fraction(1, 10**30)


@pytest.mark.parametrize("value", ["mine", "mine + theirs", "margin"])
def test_where_one_side_wins(value: str, opposed: dict[tuple[int, int], Fraction]) -> None:
    wanted: dict[object, Fraction] = {}
    for (x, y), chance in opposed.items():
        if x > y:
            at = {"mine": x, "mine + theirs": x + y, "margin": x - y}[value]
            wanted[at] = wanted.get(at, Fraction(0)) + chance
    agrees(OPPOSED, value, wanted, given="margin > 0")


THREE = "rule r\n    roll p = 3d4, explode on 4 adding\n    high = highest of p\n    low = lowest of p\n"
PLACES: dict[str, Callable[..., int]] = {
    "high - low": lambda *p: max(p) - min(p),
    "high - sum of die 2 of p": lambda *p: max(p) - sorted(p)[1],
    "middle of p": lambda *p: sorted(p)[1],
    "sum of highest 2 of p": lambda *p: sum(p) - min(p),
    "sum of p - 2 * high": lambda *p: sum(p) - 2 * max(p),
    "round_down(sum of highest 2 of p / 5)": lambda *p: (sum(p) - min(p)) // 5,
    "max(0, sum of lowest 2 of p - 4)": lambda *p: max(0, sum(p) - max(p) - 4),
    "high / 2 + low": lambda *p: Fraction(max(p), 2) + min(p),
}


@pytest.mark.parametrize("value", PLACES)
def test_places_of_exploding_dice(value: str) -> None:
    agrees(THREE, value, of_all([ace(4, 7)] * 3, PLACES[value]))


def test_kept_dice_against_kept_dice() -> None:
    text = "rule r\n    roll p = 3d4, explode on 4 adding, keep highest 2\n"
    text += "    roll q = 2d3, explode on 3 adding, keep middle 1\n"
    text += "    margin = sum of p - sum of q\n"
    mine = of_all([ace(4, 7)] * 3, lambda *p: sum(p) - min(p))
    theirs = of_all([ace(3, 8)] * 2, min)
    agrees(text, "margin", of_all([mine, theirs], lambda x, y: x - y))  # type: ignore[list-item]


TWO = "rule r\n    roll p = 2d3!\n    roll q = 1d4!\n    a = sum of p\n    b = sum of q\n"
SUMS: dict[str, tuple[Callable[[int, int], int], Callable[[int, int], bool]]] = {
    "a + b, given a > b": (lambda a, b: a + b, lambda a, b: a > b),
    "a - 2 * b, given a + b >= 9": (lambda a, b: a - 2 * b, lambda a, b: a + b >= 9),
    "a + b, given 2 * a < 3 * b": (lambda a, b: a + b, lambda a, b: 2 * a < 3 * b),
    "a + b, given a - b in 1..3": (lambda a, b: a + b, lambda a, b: 1 <= a - b <= 3),
    "a, given a + b >= 9": (lambda a, b: a, lambda a, b: a + b >= 9),
    "max(a, b) + a, given a + b >= 3": (lambda a, b: max(a, b) + a, lambda a, b: a + b >= 3),
    "max(a, b) - min(a, b), given b >= 2": (lambda a, b: abs(a - b), lambda a, b: b >= 2),
}


@pytest.mark.parametrize("question", SUMS)
def test_two_endless_sums_bound_by_one(question: str) -> None:
    value, given = question.split(", given ")
    answer, holds = SUMS[question]
    p: Law = of_all([ace(3, 9)] * 2, lambda x, y: x + y)  # type: ignore[assignment]
    ways = {(a, b): x * y for a, x in p.items() for b, y in ace(4, 8).items() if holds(a, b)}
    wanted: dict[object, Fraction] = {}
    for both, chance in ways.items():
        wanted[answer(*both)] = wanted.get(answer(*both), Fraction(0)) + chance
    agrees(TWO, value, wanted, given=given)
    chance = rulesrun.parse(TWO)["r"].odds().chance(f"{given} and a + 2 * b < 12")
    sure = sum((chance for (a, b), chance in ways.items() if a + 2 * b < 12), Fraction(0))
    assert chance == sure


@pytest.mark.parametrize(
    "value", ["max(a, b, c) + a", "max(a, b, c) - b", "min(a, b, c) + 2 * a", "max(a, c) - min(b, 7)"]
)
def test_extremes_of_three_beside_one_of_them(value: str) -> None:
    text = "rule r\n" + "".join(
        f"    roll {name} = d{sides}, explode on {sides} adding\n" for name, sides in zip("abc", (3, 4, 5), strict=True)
    )
    names = {"max": max, "min": min}

    def answer(a: int, b: int, c: int) -> int:
        return int(eval(value, {**names, "a": a, "b": b, "c": c}))

    agrees(text, value, of_all([ace(3, 9), ace(4, 7), ace(5, 6)], answer))


@pytest.mark.parametrize("value", ["max(a, b, 3)", "max(a, 3) + b", "min(a, b)"])
def test_extremes_of_throws_that_a_condition_joins(value: str) -> None:
    """What is left of one of them when the other has its own number is not its law any more."""
    text = "rule r\n    roll a = d3, explode on 3 adding\n    roll b = d4, explode on 4 adding\n"

    def answer(a: int, b: int) -> int:
        return int(eval(value, {"max": max, "min": min, "a": a, "b": b})) if a > b else -1

    agrees(text, f"{value} if a > b otherwise -1", of_all([ace(3, 9), ace(4, 7)], answer))


def test_the_highest_sum_of_endless_pools_that_a_comparison_joins_is_an_error() -> None:
    rule = rulesrun.parse("rule r\n    roll p = d2!\n    roll q = d2!\n")["r"]
    with pytest.raises(rulesrun.RulesError, match="too large for exact odds"):
        rule.odds().of("max(sum of q, sum of p, 3) if q outranks p otherwise -1")
