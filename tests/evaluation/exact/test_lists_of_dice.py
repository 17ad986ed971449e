"""Questions to lists of single dice, beside sums that join the dice: the odds are those of counting all faces."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rulesrun

Faces = tuple[int, ...]
QUESTIONS: dict[str, Callable[[Faces], Any]] = {
    "count 1 in dice": lambda f: f.count(1),
    "count 3.. in dice": lambda f: sum(x >= 3 for x in f),
    "any 4 in dice": lambda f: 4 in f,
    "none odd in dice": lambda f: all(x % 2 == 0 for x in f),
    "highest of dice": max,
    "lowest of dice": min,
    "middle of dice": lambda f: sorted(f)[len(f) // 2 - (len(f) % 2 == 0)],
    "die 2 of dice": lambda f: sorted(f)[-2],
    "largest set in dice": lambda f: max(Counter(f).values()),
    "face of largest set in dice": lambda f: max(Counter(f).items(), key=lambda pair: (pair[1], pair[0]))[0],
    "distinct in dice": lambda f: len(set(f)),
    "all equal in dice": lambda f: len(set(f)) == 1,
    "sets of 2 in dice": lambda f: sum(n == 2 for n in Counter(f).values()),
    "size of dice": len,
}


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.integers(2, 6), min_size=2, max_size=3),
    st.sampled_from(sorted(QUESTIONS)),
    st.sampled_from(["{0}", "{0} + 1", "5 - {0}", "2 * {0}", "max(0, {0} - 2)"]),
    st.sampled_from([(), (2,)]),
)
def test_a_list_of_dice_beside_their_sum(sizes: list[int], question: str, changed: str, beside: Faces) -> None:
    names = "abc"[: len(sizes)]
    throws = "".join(f"    roll {name} = d{size}\n" for name, size in zip(names, sizes, strict=True))
    items = ", ".join([changed.format(name) for name in names] + [str(number) for number in beside])
    text = f"rule r\n{throws}    dice = [{items}]\n    x = {question}\n    missing = {' + '.join(names)}\n"
    found = rulesrun.parse(text)["r"].odds()
    wanted: Counter[Any] = Counter()
    shift: dict[str, Callable[[int], int]] = {
        "{0}": lambda x: x,
        "{0} + 1": lambda x: x + 1,
        "5 - {0}": lambda x: 5 - x,
        "2 * {0}": lambda x: 2 * x,
        "max(0, {0} - 2)": lambda x: max(0, x - 2),
    }
    for faces in product(*(range(1, size + 1) for size in sizes)):
        shown = (*map(shift[changed], faces), *beside)
        if sum(faces) >= 4:
            wanted[QUESTIONS[question](shown)] += 1
    total = prod(sizes)
    for value, ways in wanted.items():
        condition = f"x = {value}" if not isinstance(value, bool) else ("x" if value else "not x")
        assert found.chance(f"({condition}) and missing >= 4") == Fraction(ways, total), (question, value)


def test_three_attributes_paid_with_points() -> None:
    """Three d20 under three attributes, doubles of ones and twenties decide: eight thousand ways, at once."""
    text = (
        "rule check\n    roll a = d20\n    roll b = d20\n    roll c = d20\n    dice = [a, b, c]\n"
        "    missing = max(0, a - 12) + max(0, b - 13) + max(0, c - 11)\n    outcome\n"
        "        + critical if count 1 in dice >= 2\n        - botch if count 20 in dice >= 2\n"
        "        + success if missing <= 6\n        - failure otherwise\n"
    )
    good = 0
    for dice in product(range(1, 21), repeat=3):
        missing = sum(max(0, die - most) for die, most in zip(dice, (12, 13, 11), strict=True))
        good += dice.count(1) >= 2 or (dice.count(20) < 2 and missing <= 6)
    odds = rulesrun.parse(text)["check"].odds()
    assert odds.good == Fraction(good, 8000)
    assert odds.method["states"] < 2_000


MADE: dict[str, Callable[[Faces], Any]] = {
    "sum of (highest 1 of dice)": max,
    "sum of (lowest 2 of (dice + [2]))": lambda f: sum(sorted((*f, 2))[:2]),
    "size of (dice showing 3..)": lambda f: sum(x >= 3 for x in f),
    "sum of (dice where die > 2)": lambda f: sum(x for x in f if x > 2),
    "sum of (dice with each die as max(die, 3))": lambda f: sum(max(x, 3) for x in f),
    "size of (dice cancelled by [2, 3])": lambda f: len(f) - (2 in f) - (3 in f),
    "size of ([2, 3, 3] cancelled by dice)": lambda f: 3 - (2 in f) - min(2, f.count(3)),
    "(for each die in dice: die * die)": lambda f: sum(x * x for x in f),
    "(1 if dice outranks [4, 2] otherwise 0)": lambda f: int(tuple(sorted(f)[::-1]) > (4, 2)),
    "wins of dice over [3, 2]": lambda f: sum(a > b for a, b in zip(sorted(f)[::-1], (3, 2), strict=False)),
}


@pytest.mark.parametrize("made", MADE)
def test_dice_made_from_a_list_of_dice(made: str) -> None:
    text = f"rule r\n    roll a = d4\n    roll b = d6\n    dice = [a, b]\n    x = {made}\n    both = a + b\n"
    odds = rulesrun.parse(text)["r"].odds()
    wanted: Counter[Any] = Counter()
    for faces in product(range(1, 5), range(1, 7)):
        wanted[MADE[made](faces)] += 1
    assert dict(odds.of("x").items()) == {value: Fraction(ways, 24) for value, ways in wanted.items()}
