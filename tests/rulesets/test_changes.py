"""Three rules of each system, changed by one line: it takes effect, and each example that no longer holds is named."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from rulesrun import Ruleset, load, parse
from rulesrun.library import bundled_text


@dataclass(frozen=True, slots=True)
class Change:
    """`before` becomes `after` in the file's text. `roll` then gives `now` where it gave `was`; `broken` begins every
    example that no longer holds."""

    system: str
    before: str
    after: str
    rule: str
    value: str
    was: Any
    now: Any
    broken: Sequence[str]
    inputs: Mapping[str, Any] = field(default_factory=dict)
    dice: Mapping[str, Sequence[int]] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.system}: {self.after.strip()}"


CHANGES = [
    Change(
        "hive",
        "setting success_on = 6..10",
        "setting success_on = 7..10",
        "skill_check",
        "successes",
        5,
        4,
        ["a 10, 10, 6 is 5 successes", "a die of ten", "6 to 10 are successes", "leaning raises"],
        {"attribute": 2, "skill": 1},
        {"human": [10, 10, 6]},
    ),
    Change(
        "hive",
        "successes = count success_on in pool + 2 * pairs of critical_on in pool",
        "successes = count success_on in pool + 1 * pairs of critical_on in pool",
        "skill_check",
        "successes",
        5,
        4,
        ["a 10, 10, 6 is 5 successes", "three criticals", "drone dice behave as normal dice"],
        {"attribute": 2, "skill": 1},
        {"human": [10, 10, 6]},
    ),
    Change(
        "hive",
        "setting fumble_on = 1 ",
        "setting fumble_on = 2 ",
        "skill_check",
        "outcome",
        "critical_drone_failure",
        "failure",
        ["a failure with a 1 on a drone die"],
        {"attribute": 1, "skill": 0, "drone_damage": 1},
        {"drone": [1]},
    ),
    Change(
        "polity",
        "given difficulty: .. = 11",
        "given difficulty: .. = 12",
        "check",
        "outcome",
        "success",
        "failure",
        ["difficulty 11: attribute 0 and skill 1"],
        dice={"swing": [6, 6]},
    ),
    Change(
        "polity",
        "setting focus_bonus = 3",
        "setting focus_bonus = 2",
        "effort",
        "bonus",
        3,
        2,
        ["Heavy Weapons (Focus: Railgun): +3"],
        {"training": "focus", "related": True},
    ),
    Change(
        "polity",
        "setting new_skill_xp = 3",
        "setting new_skill_xp = 1",
        "skill_advance",
        "xp",
        3,
        1,
        ["Armistad buys Academics"],
        {"from_rating": 0, "to_rating": 1},
    ),
    Change(
        "gifts",
        "setting fumble_cost = 1",
        "setting fumble_cost = 2",
        "attempt",
        "total",
        -1,
        -2,
        ["both of the Guard's dice", "1 die", "2 dice: a fumble only", "3 dice: a fumble only"],
        dice={"gift_die": [6]},
    ),
    Change(
        "gifts",
        "setting prepared_against: one of gift, skill = gift",
        "setting prepared_against: one of gift, skill = skill",
        "attempt",
        "total",
        4,
        6,
        ["the third die is judged against the Gift"],
        {"gift": 3, "skill": 5, "prepared": True},
        {"gift_die": [6], "skill_die": [3], "prepared_die": [3]},
    ),
    Change(
        "gifts",
        "max(0, target - die + 1)",
        "max(0, target - die)",
        "attempt",
        "total",
        2,
        1,
        [
            "Alia, Body 3 and Melee 2",
            "the Guard, Body 3 and Melee 3",
            "the Guard wins",
            "both of the Guard's dice",
            "1 dot",
            "2 dots",
            "3 dots",
            "4 dots",
            "5 dots",
            "a Skill counts like a Gift",
            "the third die",
            "or against the Skill",
            "prepared without a skill",
            "Alia against the Guard",
        ],
        dice={"gift_die": [2]},
    ),
    Change(
        "twist",
        "setting crits_always = yes",
        "setting crits_always = no",
        "attribute_roll",
        "outcome",
        "critical_success",
        "failure",
        ["a 12 on the die", "a 1 on the die"],
        {"attribute": -8},
        {"number": [12]},
    ),
    Change(
        "twist",
        "    hard   12\n",
        "    hard   13\n",
        "degrees",
        "outcome",
        "hard",
        "medium",
        ["a hard roll succeeds at 12", "12 or higher is a hard success"],
        {"attribute": 2},
        {"number": [10]},
    ),
    Change(
        "twist",
        "setting contested_base = 6",
        "setting contested_base = 8",
        "contested_roll",
        "resistance",
        9,
        11,
        ["the difficulty is 6 +", "a player who contests", "an opponent who contests", "attribute 2 against 3"],
        {"opposing": 3},
    ),
]


@pytest.mark.parametrize("change", CHANGES, ids=str)
def test_one_line_changes_the_game(change: Change) -> None:
    text = bundled_text(f"{change.system}.rules")
    changed = parse(text.replace(change.before, change.after, 1), name=f"my_{change.system}.rules")
    assert rolled(load(change.system), change) == change.was
    assert rolled(changed, change) == change.now


@pytest.mark.parametrize("change", CHANGES, ids=str)
def test_each_example_that_no_longer_holds_is_named(change: Change) -> None:
    text = bundled_text(f"{change.system}.rules")
    assert change.before in text
    results = parse(text.replace(change.before, change.after, 1), name=f"my_{change.system}.rules").test()
    named = [result.example.text for result in results if not result.holds]
    assert len(named) == len(change.broken), named
    assert all(example.startswith(begins) for example, begins in zip(named, change.broken, strict=True)), named


def rolled(ruleset: Ruleset, change: Change) -> object:
    roll = ruleset[change.rule].roll(inputs=change.inputs, dice=change.dice, seed=1)
    return roll.outcome if change.value == "outcome" else roll.values[change.value]
