"""Turns whose values follow from numbers at once, and last turns, behind which less is read, against the enumerator."""

from __future__ import annotations

from textwrap import indent

import pytest
from tests.reference.odds import enumerate_rule

import rulesrun
from rulesrun.diagnostics import Source
from rulesrun.syntax.parser import parse

HEAD = "bag deck = 1..3 x2, 5\nbag cards = 1..2 & red, 1..2 & black\n\n"

RULES = {
    "a bag that nothing reads behind": """
track best = 0
repeat 3 times
    draw p = 2 from deck
    best becomes max(best, sum of p)
x = best
""",
    "a counter that only the turns read": """
track n = 1
track seen = 0
repeat 3 times
    roll p = d3
    seen becomes seen + n
    n += p
x = seen
""",
    "two unknown numbers in one turn": """
track a = 0
track b = 0
repeat 2 times
    roll p = 2d3
    roll q = d4
    b += sum of p * a
    a becomes sum of p + 2 * q
x = 100 * a + b
""",
    "numbers of one throw beside another": """
track a = 0
track b = no
repeat 2 times
    roll p = 2d3
    roll q = 2d2
    a += highest of p - lowest of q
    b becomes sum of p > 3 and a > 1
x = a + (100 if b otherwise 0)
""",
    "halves and conditions of one number": """
track a = 0
track b = no
track c = 0
repeat 2 times
    roll p = 3d3
    a becomes a / 2 - sum of p
    b becomes sum of p = 4 or sum of p in 7..8
    c += 1 if b
x = 2 * a + 1000 * c + (500 if b otherwise 0)
""",
    "facts about throws that no value reads": """
track a = 0
repeat 2 times
    roll p = 2d3
    roll q = d4
    roll s = d2
    a += s if sum of p > 3
    a += q
x = a
""",
    "a repetition in a repetition": """
track a = 0
track b = 0
repeat 2 times
    repeat 2 times
        draw p = 1 from deck
        a becomes max(a, sum of p)
        b += a
    b += a
x = b
""",
    "a number of turns that is rolled": """
track a = 0
roll many = d3
repeat many times
    draw p = 1 from deck
    a becomes 2 * a + sum of p
x = a
""",
    "no turn at all": """
track a = 7
track b = 1
repeat 0 times
    roll p = d2
    a becomes a + p + b
    b becomes p
x = a
""",
    "what was drawn goes back in turns": """
track a = 0
repeat 3 times
    draw p = 1 from cards
    draw q = 1 from cards
    put p back if any red in p
    a becomes 3 * a + sum of q + (5 if any red in q otherwise 0)
x = a
""",
    "the turn is read": """
track a = 0
track b = 0
repeat 3 times
    roll p = d2
    b becomes p if turn < 3
    a += turn * p + b
x = a
""",
}


@pytest.mark.parametrize("what", RULES)
def test_odds_are_those_of_counting_all_ways(what: str) -> None:
    lines = RULES[what]
    text = f"{HEAD}rule r\n{indent(lines.strip(), '    ')}\n"
    rule = rulesrun.parse(text)["r"]
    odds = dict(rule.odds().of("x").items())
    assert odds == enumerate_rule(parse(Source.of_text("r.rules", text)), "r").of("x")
    assert set(odds) >= {rule.roll(seed=seed).values["x"] for seed in range(100)}


def test_a_value_that_no_turn_reads_may_fail_all_the_same() -> None:
    text = """
    track n = 0
    track m = 0
    repeat 3 times
        roll p = d6
        n += p
        m becomes 1 / (p - 1){condition}
    outcome
        + high if n > 9
        - low  otherwise
"""
    with pytest.raises(rulesrun.RulesError, match="division by zero"):
        rulesrun.parse("rule r" + text.format(condition=""))["r"].odds()
    fine = rulesrun.parse("rule r" + text.format(condition=" if p > 1"))["r"].odds()
    assert fine["high"] == rulesrun.parse("rule r\n    roll p = 3d6\n    x = sum of p\n")["r"].odds().chance("x > 9")
