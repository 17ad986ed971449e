"""Few numbers that lie far apart, held against plain counting."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

import rulesrun

FAR = 10**12
QUESTIONS: dict[str, Callable[[tuple[int, ...]], object]] = {
    "1000000007 * (3000000000 + sum of p)": lambda p: 1000000007 * (3000000000 + sum(p)),
    "10^40 * sum of p + 1/3": lambda p: 10**40 * sum(p) + Fraction(1, 3),
    "10^12 * (count 4 in p) + sum of p": lambda p: FAR * p.count(4) + sum(p),
    "10^12 * (sets of 2 in p) - sum of p": lambda p: FAR * (len(set(p)) < len(p)) - sum(p),
    "max(10^12 * sum of p, 4 * 10^12)": lambda p: max(FAR * sum(p), 4 * FAR),
    "10^12 if sum of p > 4 otherwise sum of p": lambda p: FAR if sum(p) > 4 else sum(p),
    "10^12 * sum of p if any 1 in p otherwise highest of p": lambda p: FAR * sum(p) if 1 in p else max(p),
    "1 if 10^12 * (count 4 in p) + sum of p > 10^12 + 6 otherwise 0": lambda p: int(
        FAR * p.count(4) + sum(p) > FAR + 6
    ),
    "round_down((10^12 * (count 4 in p) + sum of p) / 7)": lambda p: (FAR * p.count(4) + sum(p)) // 7,
}


@pytest.mark.parametrize("question", QUESTIONS)
def test_few_numbers_far_apart(question: str) -> None:
    wanted: dict[Any, Fraction] = {}
    for p in product(range(1, 5), repeat=2):
        value = QUESTIONS[question](p)
        wanted[value] = wanted.get(value, Fraction(0)) + Fraction(1, 16)
    found = rulesrun.parse(f"rule r\n    roll p = 2d4\n    x = {question}\n")["r"].odds().of("x")
    assert dict(found.items()) == wanted
    assert found.mean == sum(value * chance for value, chance in wanted.items())


@given(faces=some.lists(some.integers(0, 10**15), min_size=2, max_size=4, unique=True), least=some.integers(0, 10**15))
def test_faces_far_apart(faces: list[int], least: int) -> None:
    listed = ", ".join(map(str, faces))
    odds = rulesrun.parse(
        f"rule r\n    roll p = 2d{{{listed}}}\n    x = sum of p\n    y = highest of p\n    z = sum of p >= {least}\n"
    )["r"].odds()
    answers_to: list[tuple[str, Callable[[tuple[int, ...]], object]]]
    answers_to = [("x", sum), ("y", max), ("z", lambda p: sum(p) >= least)]
    both = list(product(faces, repeat=2))
    for name, answer in answers_to:
        answers = [answer(p) for p in both]
        assert dict(odds.of(name).items()) == {each: Fraction(answers.count(each), len(both)) for each in answers}


def test_multiples_of_an_endless_number() -> None:
    odds = rulesrun.parse("rule r\n    roll p = d4!\n    x = 10^12 * sum of p\n    y = sum of p\n")["r"].odds()
    times, once = odds.of("x"), odds.of("y")
    assert [(value * FAR, chance) for value, chance in once.items()] == list(times.items())
    assert times.mean == FAR * once.mean
    assert times.at_least(9 * FAR - 1) == once.at_least(9)
    assert times[5 * FAR + 1] == 0


def test_endless_numbers_far_apart_are_refused_and_not_begun() -> None:
    rule = rulesrun.parse("rule r\n    roll p = d4!\n    x = 10^15 * (count 4 in p) + sum of p\n")["r"]
    with pytest.raises(rulesrun.RulesError, match="too large for exact odds"):
        rule.odds().of("x")
