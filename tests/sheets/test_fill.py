"""What a character brings to the inputs of a rule, and what wins over it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import rulesrun
from rulesrun import RulesError

HERE = Path(__file__).parent
CREW = rulesrun.load(HERE / "crew.rules")
ZOE = CREW.character_from((HERE / "zoe.yaml").read_text(encoding="utf-8"), "zoe.yaml")
BOB = CREW.character_from((HERE / "bob.yaml").read_text(encoding="utf-8"), "bob.yaml")
CHECK, DUEL, TOGETHER = CREW["check"], CREW["duel"], CREW["together"]


@pytest.mark.parametrize(
    ("given", "filled", "private"),
    [
        ({}, {"damage": 0, "taken_over": False}, True),
        ({"taken_over": False}, {"damage": 0, "taken_over": False}, False),
        ({"damage": 3, "taken_over": True}, {"damage": 3, "taken_over": True}, False),
        (
            {"attribute": "strength", "skill": "heavy weapons", "taken_over": False},
            {"attribute": 3, "skill": 2, "training": "focus", "damage": 0, "taken_over": False},
            False,
        ),
        (
            {"attribute": "body.speed", "skill": "Heavy_Weapons", "training": None, "taken_over": False},
            {"attribute": 2, "skill": 2, "training": None, "damage": 0, "taken_over": False},
            False,
        ),
        ({"attribute": "reach", "skill": "skills.lore"}, {"attribute": 5, "skill": 1, "training": "specialty"}, True),
        ({"attribute": "will", "taken_over": False}, {"attribute": 6}, True),
    ],
)
def test_inputs_are_filled_by_name(given: dict[str, object], filled: dict[str, object], private: bool) -> None:
    found = CHECK.filled(ZOE, given)
    assert {**found.inputs, **filled} == found.inputs
    assert found.private is private
    assert set(found.inputs) <= {"attribute", "skill", "training", "damage", "taken_over"}


def test_a_roll_and_its_odds_are_made_with_the_character() -> None:
    named: dict[str, Any] = {"attribute": "strength", "skill": "Heavy Weapons", "needed": 4}
    plain: dict[str, Any] = {"attribute": 3, "skill": 2, "training": "focus", "needed": 4}
    assert CHECK.roll(character=ZOE, seed=1, **named).to_json() == CHECK.roll(seed=1, **plain).to_json()
    assert CHECK.odds(character=ZOE, **named)["success"] == CHECK.odds(**plain)["success"]


def test_a_sweep_takes_names_and_numbers() -> None:
    table = CHECK.odds_table(character=ZOE, attribute=["strength", "speed", 7], training=None)
    assert [row.inputs["attribute"] for row in table] == [3, 2, 7]
    same = CHECK.odds_table(character=ZOE, skill=["climbing", "Heavy Weapons"], training=None)
    assert [row.inputs["skill"] for row in same] == [4, 2]
    with pytest.raises(RulesError, match="the entries that skill sweeps over differ in training"):
        CHECK.odds_table(character=ZOE, skill=["climbing", "Heavy Weapons"])


def test_each_side_has_its_own_character() -> None:
    found = DUEL.filled(
        {"attacker": ZOE, "defender": BOB},
        {"attacker": {"skill": "climbing"}, "defender.skill": "climbing", "defender.attribute": "strength"},
    ).inputs
    assert (found["attacker.skill"], found["defender.skill"], found["defender.attribute"]) == (4, 1, 2)
    assert (found["attacker.damage"], found["defender.damage"]) == (0, 2)
    one = DUEL.filled({"attacker": ZOE}, {}).inputs
    assert not any(name.startswith("defender.") for name in one)


def test_a_team_brings_a_number_each() -> None:
    found = TOGETHER.filled([ZOE, BOB], {"attribute": "strength", "skill": "climbing"})
    assert (found.inputs, found.private) == ({"sizes": (7, 3), "damages": (0, 2)}, False)
    assert TOGETHER.filled(BOB, {"attribute": 5}).inputs == {"sizes": (5,), "damages": (2,)}
    assert TOGETHER.filled([ZOE, BOB], {"attribute": 1, "damages": [0, 0]}).inputs["damages"] == [0, 0]
    assert TOGETHER.odds(character=[ZOE, BOB], attribute="strength", skill="climbing").good > 0


@pytest.mark.parametrize(
    ("rule", "characters", "given", "message", "hint"),
    [
        (CHECK, ZOE, {"skill": "climbng"}, "zoe.yaml has nothing called climbng", "did you mean climbing?"),
        (CHECK, ZOE, {"skil": 1}, "check has no input called skil", "did you mean skill?"),
        (CHECK, ZOE, {"attribute": "origin"}, "attribute: `desert` is not a whole number of 0 or more", None),
        (DUEL, ZOE, {}, "nothing of zoe.yaml fills an input of duel", "say which side it is: --as attacker=zoe.yaml"),
        (DUEL, {"atacker": ZOE}, {}, "duel has no side called atacker", "did you mean attacker?"),
        (DUEL, {"attacker": ZOE}, {"defender.skill": "climbing"}, "defender.skill: `climbing` is not a whole", "--as"),
        (DUEL, [ZOE, BOB], {}, "the sheet does not say how several characters make duel", "--as attacker=zoe.yaml"),
        (TOGETHER, [BOB], {"attribute": "speeed"}, "bob.yaml has nothing called speeed", "did you mean speed?"),
        (TOGETHER, [], {}, "a team has at least one character", None),
    ],
)
def test_what_does_not_fit_is_told(
    rule: rulesrun.Rule, characters: Any, given: dict[str, object], message: str, hint: str | None
) -> None:
    with pytest.raises(RulesError) as caught:
        rule.roll(character=characters, inputs=given)
    assert message in caught.value.message
    assert hint is None or hint in (caught.value.hint or "")


def test_a_character_with_faults_fills_nothing() -> None:
    broken = CREW.character_from("name: A\ndamage: lots\nwil: 3\n")
    with pytest.raises(RulesError) as caught:
        CHECK.roll(character=broken)
    assert [each.code for each in caught.value.diagnostics] == ["outside-domain", "unknown-key"]
