"""Rolls and exact odds of every bundled rule agree: outcomes, flags and every named value."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from math import sqrt
from random import Random
from typing import Any

import pytest

from rulesrun import load
from rulesrun.library import bundled

ROLLS = 20_000
SIGMAS = 5
RARE = Fraction(1, 2000)

CALLS: Mapping[tuple[str, str], list[Mapping[str, Any]]] = {
    ("hive", "skill_check"): [{"drone_damage": 2, "leaning": 1, "needed": 3}],
    ("hive", "team_check"): [{"sizes": [4, 3], "drone_damages": [1, 5]}],
    ("polity", "check"): [{"modifier": 9, "difficulty": 7, "training": "focus"}],
    ("polity", "opposed"): [{"attacker.attribute": 2}],
    ("gifts", "attempt"): [{}, {"skill": 4}, {"skill": 0, "prepared": True}],
    ("gifts", "opposed"): [{"attacker.skill": 2, "defender.skill": 3}],
    ("twist", "attribute_roll"): [{"luck": 4, "advantages": 1}, {"luck": 8, "disadvantages": 3, "difficulty": 13}],
    ("twist", "degrees"): [{"attribute": 1, "luck": 3}],
    ("twist", "contested_roll"): [{"opposing": 2, "luck": 3, "acting": "opponent"}],
    ("twist", "inspired_roll"): [{"luck": 4, "advantages": 1}],
    ("twist", "group_check"): [{"party": [2, 0, 3], "goal": 5, "limit": 3}, {"party": [0], "goal": 3}],
    ("twist", "costly_check"): [{"party": [2, 0, 3]}],
    ("twist", "finding_supplies"): [{"party": [1, 0, 3, 2]}],
    ("twist", "escaping_laboratory"): [{"party": [1, 0, 3], "disadvantages": 1}],
    ("twist", "gain"): [{"amount": 2, "sides": 4}],
    ("twist", "fumble"): [{"scene": "exploration"}, {"scene": "social"}],
    ("twist", "risky_roll"): [{"luck": 6, "scene": "exploration"}],
    ("advantage_d20", "attack"): [{"edge": 1}, {"edge": -1, "bonus": 3}],
    ("ten_again_pool", "check"): [{"size": 0}, {"size": 9}],
    ("threshold_bands", "move"): [{"edge": -1}, {"edge": 1, "stat": 2}],
    ("wild_die", "trait_roll"): [{}, {"trait": 4, "modifier": 2}, {"trait": 12, "wild": False}],
    ("roll_and_keep", "check"): [{"rolled": 2, "kept": 1, "raises": 1}, {"rolled": 1, "kept": 3}],
    ("percentile_bonus_dice", "skill_roll"): [{"skill": 30, "bonus": 2}, {"skill": 60, "bonus": -2}],
    ("push_pool", "check"): [{"size": 6, "needed": 2}],
    ("matching_sets", "check"): [{"size": 7, "difficulty": 4}],
    ("symbol_pool", "check"): [{"abilities": 4, "difficulties": 3}],
    ("hit_wound_save", "volley"): [{"attacks": 4, "save_on": 7}],
    ("highest_die_pool", "action"): [{"rating": 0}, {"rating": 5}],
    ("battle_dice", "battle"): [{}, {"attackers": 1}, {"defenders": 1}],
    ("glitch_pool", "test"): [{"size": 5, "threshold": 1, "cap": 2}],
    ("cancelling_pools", "check"): [{}, {"action": 5, "danger": 4}],
    ("extended_test", "work"): [{"size": 6, "needed": 9}],
    ("step_dice", "check"): [{"attribute": 4, "skill": 12}],
    ("drawing_tokens", "dare"): [{"draws": 7, "needed": 4}],
}
"""How rules are called; the others that roll, with their defaults. Variants have the rules of their base."""


def calls() -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    for name in (each for each in bundled() if not load(each).bases):
        system = name.removesuffix(".rules")
        for rule in load(name):
            if rule.dice:
                yield from ((system, rule.name, inputs) for inputs in CALLS.get((system, rule.name), [{}]))


@pytest.mark.slow
@pytest.mark.parametrize(("system", "rule", "inputs"), list(calls()), ids=str)
def test_rolls_and_odds_agree(system: str, rule: str, inputs: Mapping[str, Any]) -> None:
    asked = load(system)[rule]
    odds = asked.odds(inputs=inputs)
    own = [value.name for value in asked.values if "." not in value.name]
    random = Random(f"{system} {rule} {inputs}")
    outcomes: Counter[str | None] = Counter()
    flags: Counter[str] = Counter()
    values: dict[str, Counter[Any]] = {name: Counter() for name in own}
    for _ in range(ROLLS):
        roll = asked.roll(rng=random, inputs=inputs)
        outcomes[roll.outcome] += 1
        flags.update(roll.flags)
        for name in own:
            values[name][roll.values[name]] += 1

    compared = [(each.label, outcomes[each.label], odds[each.label]) for each in asked.outcomes]
    compared += [(each.name, flags[each.name], odds[each.name]) for each in asked.flags]
    for name, seen in values.items():
        law = odds.of(name)
        assert all(law[value] > 0 for value in seen), name
        compared += [(f"{name} {value}", seen[value], chance) for value, chance in law.items() if chance > RARE]
    assert [each for each in compared if not within_chance(each[1], each[2])] == []


def within_chance(seen: int, chance: Fraction) -> bool:
    expected = float(chance) * ROLLS
    return abs(seen - expected) <= SIGMAS * sqrt(expected * float(1 - chance))
