"""The enumerator against 28 games' mechanics: published answers, or of smaller pools what a plain loop over the dice
counts.
"""

from __future__ import annotations

from fractions import Fraction

import pytest

import rulesrun
from rulesrun.diagnostics import Source
from rulesrun.syntax.parser import parse

from . import enumerate_rule

SYMBOLS = """
die boost = blank x2, success, success & advantage, advantage & advantage, advantage
die ability = blank, success x2, success & success, advantage x2, success & advantage, advantage & advantage
die difficulty = blank, failure, failure & failure, threat x3, threat & threat, failure & threat
"""

MECHANICS = {
    "blades-action": ("roll pool = 4d6", "count 6 in pool >= 2", "19/144"),
    "blades-action, none": ("roll pool = 2d6, keep lowest 1", "sum of pool = 6", "1/36"),
    "yze-push": (
        "roll first = 2d6\n    roll second = dice of (first showing not 6) if count 6 in first < 1",
        "count 6 in (first + second) >= 1",
        "671/1296",
    ),
    "alien-stress": (
        "roll base = 4d6\n    roll stress = 2d6",
        "none 6 in (base + stress) and none 1 in stress",
        "625/2916",
    ),
    "genesys-pool": ("roll dice = 2 ability + boost", "mean of count success in dice", "19/12"),
    "genesys-pool, opposed": (
        "roll mine = 2 ability\n    roll yours = difficulty",
        "count success in mine - count failure in yours >= 1",
        "295/512",
    ),
    "shadowrun-glitch": ("roll pool = 2d6", "count 1 in pool * 2 >= size of pool", "11/36"),
    "nwod-10-again": ("roll pool = 1d10, explode on 10", "count 8..10 in pool >= 1", "3/10"),
    "ironsworn": (
        "roll action = d6\n    roll challenge = 2d10\n    hits = count < min(10, action + 1) in challenge",
        "hits = 2",
        "91/600",
    ),
    "pbta-move": ("roll pool = 3d6, drop lowest 1", "sum of pool <= 6", "7/36"),
    "w40k-damage-models": ("roll hits = 2d6", "mean of count 3..6 in hits + count 6 in hits", "5/3"),
    "dnd-halfling-luck": (
        "roll pool = 2d20, reroll 1 once in at most 1 dice, keep highest 1",
        "sum of pool = 10",
        "377/8000",
    ),
    "dnd-great-weapon": ("roll pool = 2d6, reroll 1..2 once", "sum of pool >= 10", "8/27"),
    "dnd-great-weapon, 2024": (
        "roll pool = 2d6\n    changed = pool with each die as max(3, die)",
        "sum of changed >= 10",
        "1/6",
    ),
    "dnd-stat-array": ("roll pool = 4d6, drop lowest 1", "mean of sum of pool", "15869/1296"),
    "risk-battle": ("roll a = 2d6\n    roll b = 2d6", "wins of a over b = 2", "295/1296"),
    "yahtzee": ("roll pool = 5d6", "largest set in pool = 5", "1/1296"),
    "silhouette": (
        "roll pool = 3d6\n    result = highest of pool + max(0, count 6 in pool - 1)",
        "mean of result",
        "136/27",
    ),
    "highest-plus-duplicates": (
        "roll pool = 3d6\n    top = highest of pool\n    result = top + count top in pool - 1",
        "result = 6",
        "11/27",
    ),
    "tnt-daro-taro": (
        "roll pool = 2d6, again on all equal at most 1 times",
        "sum of pool = 4 or sum of pool = 3",
        "145/1296",
    ),
    "v5-hunger": (
        "roll human = 3d10\n    roll hunger = 1d10\n    pool = human + hunger",
        "count 6..10 in pool + 2 * pairs of 10 in pool = 0",
        "1/16",
    ),
    "neon-city-overdrive": (
        "roll action = 2d6\n    roll danger = 1d6\n    left = action cancelled by danger",
        "highest of left = 6",
        "7/27",
    ),
    "hits-cancel-hits": (
        "roll mine = 2d6\n    roll yours = 1d6\n"
        "    net = (mine showing >= 4) cancelled by (yours showing >= 4) when other >= die",
        "size of net = 2",
        "4/27",
    ),
    "dont-rest-your-head": ("roll a = 2d6\n    roll b = 1d6", "a outranks b", "161/216"),
    "opposed-pool-target": (
        "roll a = 2d6\n    roll b = 2d6",
        "count >= highest of b in a > count >= highest of a in b",
        "535/1296",
    ),
    "blackjack-2d10": ("roll a = 2d10", "size of (a showing <= 6) = 2", "9/25"),
    "flip-3d12": (
        "roll main_dice = 2d4\n    roll decider = d4\n"
        "    result = highest of main_dice if decider in even otherwise lowest of main_dice",
        "mean of result",
        "5/2",
    ),
    "charges-left": (
        "track charges = 4\n    track uses = 0\n    repeat until charges = 0, at most 4 times\n"
        "        roll number = d6\n        uses += 1\n        charges -= 1 if number >= charges",
        "charges = 0",
        "5/18",
    ),
    "modiphius-2d20": ("roll pool = 3d20", "count 1..11 in pool + count 1..3 in pool >= 2", "5327/8000"),
    "the-pool": ("roll pool = 5d6", "any 1 in pool", "4651/7776"),
    "d10x-product": ("roll a = d10\n    roll b = d10", "a * b <= 20", "23/50"),
}


@pytest.mark.parametrize("name", MECHANICS)
def test_a_published_answer(name: str) -> None:
    lines, asked, answer = MECHANICS[name]
    mean = asked.startswith("mean of ")
    question = asked.removeprefix("mean of ")
    text = f"{SYMBOLS}\nrule main\n    {lines}\n    found = {question}\n"
    odds = enumerate_rule(parse(Source.of_text("mechanics.rules", text)), "main", max_draws=12)
    got = odds.mean("found") if mean else odds.of("found").get(True, Fraction(0))
    assert got == Fraction(answer) or abs(got - Fraction(answer)) <= odds.rest


@pytest.mark.parametrize(
    ("dice", "ends"),
    [
        ("1d{1, 2}, reroll 1, again on any 2", False),
        ("d4, again on sum >= 1", False),
        ("2d{1, 2}, keep highest 1, reroll 1, again on all 2", False),
        ("d{1, 2}, again on any 2", True),
        ("d{1, 2}, reroll 1, again on any 2 at most 2 times", True),
    ],
)
def test_throws_that_can_never_stop_are_a_mistake_here_and_in_the_odds(dice: str, ends: bool) -> None:
    text = f"rule main\n    roll pool = {dice}\n    found = size of pool\n"
    assert (enumerate_rule(parse(Source.of_text("again.rules", text)), "main", max_draws=10).mistake is None) == ends
    if ends:
        rulesrun.parse(text)["main"].odds().of("found")
    else:
        with pytest.raises(rulesrun.RulesError, match="this never ends"):
            rulesrun.parse(text)["main"].odds().of("found")
