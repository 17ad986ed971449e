"""Goals for odds: what they ask, how far off a number is, and what is no goal."""

from __future__ import annotations

from fractions import Fraction

import pytest
from tests.semantics.compiling import ruleset

from rulesrun.diagnostics import RulesError, Source
from rulesrun.semantics.goals import Goal, compile_goal
from rulesrun.syntax.parser import parse_goal

PLAN = ruleset("""
setting line = 5
rule check
    given bonus: 0.. = 0
    roll pool = 2d6
    best = sum of pool + bonus
    outcome
        + hit  if best >= line
        - miss otherwise
""")


def goal(text: str) -> Goal:
    return compile_goal(PLAN, PLAN.rules["check"], parse_goal(Source.of_text("goal", text)))


@pytest.mark.parametrize(
    ("text", "found", "off"),
    [
        ("chance of hit = 65%", Fraction(1, 2), Fraction(3, 20)),
        ("chance of hit = 65%", Fraction(13, 20), Fraction(0)),
        ("chance of (best > 3) >= 1/2", Fraction(1, 4), Fraction(1, 4)),
        ("chance of good <= 50%", Fraction(1, 4), Fraction(0)),
        ("chance of good < 50%", Fraction(3, 4), Fraction(1, 4)),
        ("mean of best = 12", Fraction(9), Fraction(1, 4)),
        ("mean of (best - 7) = 0", Fraction(3), Fraction(3)),
        ("mean of best > 2 * line", Fraction(9), Fraction(1, 10)),
    ],
)
def test_how_far_off_a_number_is(text: str, found: Fraction, off: Fraction) -> None:
    assert goal(text).missed_by(found) == off


@pytest.mark.parametrize(
    ("text", "place", "said"),
    [
        ("good", 1, "a goal is a chance or a mean"),
        ("best = 7", 1, "a goal is a chance or a mean"),
        ("chance of hit != 50%", 1, "nothing comes nearest to being different"),
        ("chance of hit = bonus", 17, "known before the roll"),
        ("chance of best = 50%", 11, "this is a number, and yes or no is meant"),
        ("mean of hit = 1", 9, "a number is meant here"),
        ("mean of pool = 1", 9, "a number is meant here"),
        ("chance of hitt = 50%", 11, "nothing called `hitt`"),
        ("chance of best > 3 = 50%", 11, "a condition stands in brackets here"),
        ("chance of hit", 14, "the line ends too early"),
    ],
)
def test_what_is_no_goal(text: str, place: int, said: str) -> None:
    with pytest.raises(RulesError) as raised:
        goal(text)
    assert raised.value.column == place
    assert said in raised.value.message
