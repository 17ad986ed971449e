"""What dice showed first is there for the conditions of rolled rules and for the heads of repetitions, too."""

from __future__ import annotations

import rulesrun

TEXT = """
rule helper
    roll other = d2
    total = 4

rule main
    roll first = d3
    roll more = helper if none ..2 in (natural first)
    got = more.total = 4

rule heads
    roll again = d3, reroll 1 once
    track turns = 0
    repeat (sum of (natural again)) times
        turns += 1
"""


def test_the_condition_of_a_rolled_rule_sees_the_first_faces() -> None:
    rule = rulesrun.parse(TEXT, name="natural.rules")["main"]
    assert not rule.roll(dice={"first": [2]}).values["got"]
    assert rule.roll(dice={"first": [3]}).values["got"]
    for seed in range(20):
        roll = rule.roll(seed=seed)
        assert roll.values["got"] == (roll.dice["first"] == (3,))


def test_the_head_of_a_repetition_sees_the_first_faces() -> None:
    rule = rulesrun.parse(TEXT, name="natural.rules")["heads"]
    assert rule.roll(dice={"again": [1, 3]}).values["turns"] == 1
    for seed in range(20):
        roll = rule.roll(seed=seed)
        assert roll.values["turns"] == roll.dice["again"][0]
