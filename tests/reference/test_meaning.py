"""The enumerator against values worked out by hand, one or two for each ruling of the language."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from rulesrun.diagnostics import Source
from rulesrun.syntax.parser import parse

from . import Reference, enumerate_rule

HEAD = """
die rune = blank, hit, hit & hit
die stat = highest of 2d2
bag tokens = 2 green, 1 red
bag deck = 1..3
table grades
    ..2 poor 1
    2..3 fair 2
    5.. fine
table fumbles, d4
    1 trip
    2..4 slip
rule twice
    given number: ..
    doubled = 2 * number
rule side
    given bonus: 0..3 = 0
    roll number = d2
    choice push if number = 1 by default never
    roll extra = d2 if push
    total = number + extra + bonus
    flag low if number = 1
    outcome
        + success if total >= 2
        - failure otherwise
"""


def odds(lines: str, **calls: Any) -> Reference:
    text = "\n    ".join(line for line in lines.split("\n"))
    return enumerate_rule(parse(Source.of_text("meaning.rules", f"{HEAD}rule main\n    {text}\n")), "main", **calls)


NUMBERS = {
    "exploded dice compete for keep": (
        "roll a = 1d2, explode on 2 once, keep highest 1\nx = sum of a",
        {1: "1/2", 2: "1/2"},
    ),
    "adding makes one die": (
        "roll a = 1d2, explode on 2 once adding\nx = highest of a",
        {1: "1/2", 3: "1/4", 4: "1/4"},
    ),
    "explosions roll another die": ("roll a = 1d2, explode on 2 once rolling d3\nx = size of a", {1: "1/2", 2: "1/2"}),
    "a limit is for each original die": ("roll a = 2d1, explode on 1 at most 2 times\nx = size of a", {6: "1"}),
    "reroll once": ("roll a = 1d2, reroll 1 once\nx = sum of a", {1: "1/4", 2: "3/4"}),
    "reroll without end": ("roll a = 1d3, reroll 1\nx = sum of a", {2: "1/2", 3: "1/2"}),
    "reroll the lowest first": (
        "roll a = 2d2, reroll 1..2 once in at most 1 dice\nx = sum of a",
        {2: "1/8", 3: "1/2", 4: "3/8"},
    ),
    "reroll then explode": ("roll a = 1d2, reroll 1 once, explode on 2 once\nx = size of a", {1: "1/4", 2: "3/4"}),
    "again then keep": ("roll a = 1d2, again on all 2 once, keep highest 1\nx = sum of a", {1: "1/2", 2: "1/2"}),
    "keep then again": ("roll a = 2d2, keep highest 1, again on all 2 once\nx = size of a", {1: "1/4", 2: "3/4"}),
    "advantage": ("roll a = d2, with advantage 1\nx = a", {1: "1/4", 2: "3/4"}),
    "disadvantage at most": ("roll a = d2, with advantage -2 at most 1\nx = a", {1: "3/4", 2: "1/4"}),
    "keep middle drops one more from the top": (
        "roll a = d{1, 1} + d{2, 2} + d{3, 3} + d{4, 4}, keep middle 1\nx = sum of a",
        {2: "1"},
    ),
    "the lower middle": ("x = middle of [4, 1, 3, 2]", {2: "1"}),
    "an empty pool": (
        "roll a = 0 d6\nx = sum of a + highest of a + count 1 in a + size of a + largest set in a",
        {0: "1"},
    ),
    "a die that was not rolled": ("roll a = d6 if 1 > 2\nx = a", {0: "1"}),
    "the highest face on ties": ("roll a = 2d2\nx = face of largest set in a", {1: "1/4", 2: "3/4"}),
    "sets of exactly two": ("roll a = 3d2\nx = sets of 2 in a", {0: "1/4", 1: "3/4"}),
    "a straight": ("x = longest run in [1, 2, 4, 5, 6, 9]", {3: "1"}),
    "beyond the size": ("roll a = 1d2\nx = die 2 of a", {0: "1"}),
    "wins are not ties": ("roll a = 2d1\nroll b = 1d1\nx = wins of a over b", {0: "1"}),
    "as many as possible are cancelled": ("x = size of ([1, 3] cancelled by [2, 3] when other >= die)", {0: "1"}),
    "the highest of them": ("x = sum of ([1, 2, 4] cancelled by [2] when other >= die)", {5: "1"}),
    "symbols are counted": ("roll a = rune\nx = count hit in a", {0: "1/3", 1: "1/3", 2: "1/3"}),
    "a die that is a question": ("roll a = stat\nx = a", {1: "1/4", 2: "3/4"}),
    "targets": ("roll a = 1d2, against 2\nx = for each die in a: max(0, target - die + 1)", {1: "1/2", 2: "1/2"}),
    "a named item of dice": ("roll a = 2d2\nx = for each shown in a: shown ^ 2", {2: "1/4", 5: "1/2", 8: "1/4"}),
    "a named item of a list": ("x = for each member in [3, 1, 1]: member + 1", {8: "1"}),
    "faces that are the named item": ("x = for each face in 1..3: face * count face in [1, 3, 3]", {7: "1"}),
    "faces from the named item on": ("x = for each face in 1..3: count face.. in [1, 3, 3]", {7: "1"}),
    "an inner range up to the outer item": ("x = for each a in 1..3: a * (for each b in 1..a: b)", {25: "1"}),
    "inner dice that show the outer item": (
        "x = for each a in 1..2: (for each b in ([1, 2, 2] showing a): b)",
        {5: "1"},
    ),
    "the item hides a name above": ("a = 9\nx = (for each a in 1..2: a) + a", {12: "1"}),
    "an inner item of the same name": ("x = for each a in 2..3: (for each a in 1..a: a)", {9: "1"}),
    "targets beside a named item": ("roll a = 1d2, against 2\nx = for each b in a: target - b", {0: "1/2", 1: "1/2"}),
    "sides beside a named item": ("roll a = 1d2 + 1d1\nx = for each b in a: sides + b", {5: "1/2", 6: "1/2"}),
    "a named item that bears a symbol": (
        "roll a = rune\nx = for each mark in a: 1 if mark is hit otherwise 2",
        {1: "2/3", 2: "1/3"},
    ),
    "an item named after a word of dice": ("roll a = 1d2\nx = for each sides in a: sides", {1: "1/2", 2: "1/2"}),
    "the other die within an inner item": (
        "x = size of ([1, 2] cancelled by [3] when (for each b in 1..2: other * b) = 9 * die)",
        {1: "1"},
    ),
    "an item that a formula is given": ("x = for each a in 1..3: twice(number = a).doubled", {12: "1"}),
    "an empty range": ("x = for each die in 3..1: 1", {0: "1"}),
    "minus before a power": ("x = -2 ^ 2", {-4: "1"}),
    "down is toward minus infinity": ("x = round_down(-1 / 2)", {-1: "1"}),
    "natural": ("roll a = 1d2, reroll 1 once\nx = sum of (natural a)", {1: "1/2", 2: "1/2"}),
    "without putting back": ("draw hand = 2 from tokens\nx = count green in hand", {1: "2/3", 2: "1/3"}),
    "all that is left": ("draw hand = 5 from deck\nx = sum of hand", {6: "1"}),
    "put back": (
        "draw a = 3 from deck\nput a back\ndraw b = 1 from deck\nx = sum of b",
        {1: "1/3", 2: "1/3", 3: "1/3"},
    ),
    "a rolled rule": ("roll a = side(bonus = 1)\nx = a.total", {2: "1/2", 3: "1/2"}),
    "the same inputs again": (
        "roll a = side\nroll b = reroll a if a.low\nx = a.total if b.total = none otherwise b.total",
        {1: "1/4", 2: "3/4"},
    ),
    "a policy in the brackets": ("roll a = side(push = yes)\nx = a.total", {2: "3/4", 3: "1/4"}),
    "tested before each turn": (
        "track n = 0\nrepeat until n >= 1, at most 2 times\n    roll a = coin\n    n += a\nx = n",
        {0: "1/4", 1: "3/4"},
    ),
    "turns count from 1": ("track n = 0\nrepeat 3 times\n    n += turn\nx = n", {6: "1"}),
    "round the list": ("party = [1, 10]\ntrack n = 0\nrepeat 3 times\n    n += party at turn\nx = n", {12: "1"}),
    "round a list as it is written": ("track n = 0\nrepeat 3 times\n    n += [1, 10] at turn\nx = n", {12: "1"}),
    "the best choice": (
        "roll a = d3\nchoice again if a < 3 by default best for x\nroll b = d3 if again\nx = b if again otherwise a",
        {1: "1/9", 2: "4/9", 3: "4/9"},
    ),
    "no on ties": ("choice take by default best for 1\nx = 1 if take otherwise 0", {0: "1"}),
    "a choice of dice": ("roll a = 2d2\nchoice kept: dice of a by default best for x\nx = 0 - size of kept", {0: "1"}),
    "the condition does not hold": ("choice points: 1..3 if 1 > 2 by default 3\nx = points", {1: "1"}),
}


@pytest.mark.parametrize("ruling", NUMBERS)
def test_a_number(ruling: str) -> None:
    lines, wanted = NUMBERS[ruling]
    found = odds(lines, max_draws=12)
    assert found.mistake is None
    assert abs(sum(found.of("x").values()) + found.rest) == 1
    for value, chance in wanted.items():
        assert 0 <= Fraction(chance) - found.of("x").get(Fraction(value), Fraction(0)) <= found.rest
    assert set(found.of("x")) <= {Fraction(value) for value in wanted}


CONDITIONS = {
    "all of an empty pool": ("roll a = 0 d6\nx = all 1 in a", False),
    "none of an empty pool": ("roll a = 0 d6\nx = none 1 in a", True),
    "all equal needs two": ("roll a = 1d1\nx = all equal in a", False),
    "a longer pool wins over its own prefix": ("x = [3, 1] outranks [3]", True),
    "of none `is` is no": ("roll a = side if 1 > 2\nx = a is success or a is good", False),
    "of none `is not` is yes": ("roll a = side if 1 > 2\nx = a is not success and a.low = no", True),
    "any of the rows that fit": ("x = grades at 2 is poor and grades at 2 is fair", True),
    "a gap is none": ("x = grades at 4 is none", True),
    "and goes only as far as needed": ("x = no and 1 / 0 = 1", False),
}


@pytest.mark.parametrize("ruling", CONDITIONS)
def test_a_condition(ruling: str) -> None:
    lines, wanted = CONDITIONS[ruling]
    found = odds(lines)
    assert found.mistake is None
    assert found.of("x") == {wanted: 1}


MISTAKES = {
    "division by zero": "roll a = coin\nx = 1 / a",
    "a negative number of dice": "roll a = (0 - 1) d6\nx = 1",
    "a die without sides": "roll a = d(1 - 1)\nx = a",
    "every face explodes": "roll a = 1d2, explode on 1..2\nx = sum of a",
    "every face is rerolled": "roll a = 1d2, reroll 1 or 2\nx = sum of a",
    "a limit that does not hold": 'limit "too few": 1 > 2\nx = 1',
    "a place outside the list": "items = [1, 2]\nx = items at 3",
    "arithmetic with none": "a = none\nx = a + 1",
    "an argument outside the domain": "roll a = side(bonus = 4)\nx = a.total",
    "an endless repetition": "track n = 0\nrepeat until n > 0\n    n += 0\nx = n",
}


@pytest.mark.parametrize("what", MISTAKES)
def test_a_mistake(what: str) -> None:
    assert odds(MISTAKES[what], max_draws=8).mistake is not None


def test_outcomes_come_with_their_flags() -> None:
    lines = "roll a = d4\nflag even_roll if a in even\noutcome\n    + high if a >= 3\n    - low otherwise"
    found = odds(lines)
    assert found.outcomes == {
        (label, frozenset(flags)): Fraction(1, 4)
        for label, flags in (("high", ()), ("high", ("even_roll",)), ("low", ()), ("low", ("even_roll",)))
    }
    assert found.outcome("high") == found.flag("even_roll") == Fraction(1, 2)


def test_a_rolled_table_gives_its_row() -> None:
    assert odds("roll bad = fumbles\nx = bad is trip").of("x") == {True: Fraction(1, 4), False: Fraction(3, 4)}


def test_inputs_of_rolled_rules_come_from_outside() -> None:
    lines = "roll a = side\nroll b = side(bonus = 0)\nx = a.total - b.total"
    assert odds(lines, inputs={"a.bonus": 3}).mean("x") == 3
    assert odds(lines).mean("x") == 0


def test_policies_and_settings_of_the_caller() -> None:
    lines = "roll a = side\nx = a.total"
    assert odds(lines, choose={"a.push": "yes"}).mean("x") == Fraction(9, 4)
    assert odds(lines, choose={"a.push": "best"}, aim="x").mean("x") == Fraction(9, 4)
    assert odds(lines, choose={"a.push": "worst"}, aim="x").mean("x") == Fraction(3, 2)


def test_what_is_not_followed_is_the_rest() -> None:
    found = odds("roll a = 1d2, explode on 2\nx = size of a", max_draws=3)
    assert found.rest == Fraction(1, 8)
    assert found.of("x") == {1: Fraction(1, 2), 2: Fraction(1, 4), 3: Fraction(1, 8)}
