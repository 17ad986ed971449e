"""The bundled characters are sound, and the command shows of them and of broken ones what a player asks."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from rulesrun import load
from rulesrun.library import bundled

DATA = Path(__file__).parent / "data"
CHARACTERS = {
    "armistad.yaml": "polity",
    "alia.yaml": "gifts",
    "guard.yaml": "gifts",
    "scout.yaml": "hive",
    "medic.yaml": "hive",
    "scavenger.yaml": "twist",
}


def run(*words: str, status: int = 0) -> str:
    done = subprocess.run([sys.executable, "-m", "rulesrun", *words], capture_output=True, text=True, check=False)
    assert done.returncode == status, done.stdout + done.stderr
    return done.stdout + done.stderr


def sheet(*words: str, status: int = 0) -> Any:
    return json.loads(run("sheet", *words, "--json", status=status))


def test_these_are_the_bundled_characters() -> None:
    assert set(bundled(".yaml")) == set(CHARACTERS)


@pytest.mark.parametrize(("name", "system"), CHARACTERS.items())
def test_a_bundled_character_is_sound(name: str, system: str) -> None:
    character = load(system).character(name)
    assert character.faults == () and character.broken == ()
    text = run("sheet", system, name)
    assert str(character.traits["name"]) in text
    assert max(map(len, text.splitlines())) <= 80


def test_an_agent_has_two_sets_of_four_attributes_and_a_size() -> None:
    traits = [name.split(".") for name in load("polity").character("armistad.yaml").traits if "." in name]
    mental = [name for group, name in traits if group == "modifiers"]
    assert mental == ["intellect", "reaction_speed", "resolve", "interaction"]
    physical = [name for group, name in traits if group == "physical"]
    assert physical == ["strength", "resilience", "speed", "precision", "size"]


def test_armistad_on_paper() -> None:
    text = run("sheet", "polity.rules", "armistad.yaml")
    for stated in ("Intellect", "academics", "Aetheter", "9", "3"):
        assert stated.lower() in text.lower()
    assert advances(text) >= {"intellect 2 to 3 9 xp", "academics 0 to 1 3 xp"}
    text = run("sheet", "polity.rules", "armistad.yaml", "--do", "raise intellect", "--do", "raise academics")
    assert "academics 1 to 2 2 xp" in advances(text)


def advances(text: str) -> set[str]:
    """The lines of a sheet that say what the next step of something costs, with single spaces."""
    return {" ".join(line.split()) for line in text.partition("\nadvances")[2].splitlines()}


def test_armistad_at_the_table() -> None:
    words = ["polity", "check", "--as", "armistad.yaml", "attribute=intellect", "skill=academics", "difficulty=15"]
    roll = json.loads(run(*words, "--dice", "swing=5,6", "--json"))
    assert (roll["inputs"]["attribute"], roll["inputs"]["skill"], roll["values"]["total"]) == (6, 0, 17)
    assert roll["outcome"] == "success"
    odds = json.loads(run("odds", *words, "--json"))
    plain = json.loads(run("odds", "polity", "check", "attribute=6", "skill=0", "difficulty=15", "--json"))
    assert odds["outcomes"] == plain["outcomes"]
    words = ["polity", "effort", "--as", "armistad.yaml", "attribute=intellect", "skill=heavy weapons", "related=yes"]
    roll = json.loads(run(*words, "--json"))
    assert (roll["inputs"]["skill"], roll["inputs"]["training"], roll["values"]["bonus"]) == (4, "focus", 3)


def test_the_opposed_example_is_played_from_its_characters() -> None:
    sides = ["--as", "attacker=alia.yaml", "--as", "defender=guard.yaml"]
    named = [f"{side}.{part}" for side in ("attacker", "defender") for part in ("gift=body", "skill=melee")]
    dice = [f"--dice={name}" for name in ("attacker.gift_die=2", "attacker.skill_die=5", "defender.gift_die=6")]
    won = json.loads(run("gifts", "opposed", *sides, *named, *dice, "--dice", "defender.skill_die=1", "--json"))
    assert (won["outcome"], won["values"]["degree"]) == ("defender_wins", 1)
    lost = json.loads(run("gifts", "opposed", *sides, *named, *dice, "--dice", "defender.skill_die=6", "--json"))
    assert (lost["outcome"], lost["values"]["degree"]) == ("attacker_wins", 3)


def test_a_character_becomes_a_drone_and_comes_back(tmp_path: Path) -> None:
    scout = tmp_path / "scout.yaml"
    shutil.copy(Path(__file__).parents[2] / "rulesets" / "scout.yaml", scout)
    words = ["hive", str(scout), "--reveal"]
    assert sheet(*words)["statuses"] == ["autonomous"]
    assert sheet(*words, "--do", "suffer_drone_damage 3")["statuses"] == ["as_drone"]
    assert sheet(*words)["statuses"] == ["autonomous"]
    run("sheet", *words, "--do", "suffer_drone_damage 3", "--write")
    assert sheet(*words)["statuses"] == ["as_drone"]
    assert "# Still her own" in scout.read_text(encoding="utf-8")
    assert sheet(*words, "--do", "recover_willpower 1")["statuses"] == ["autonomous"]
    lost = ["--do", "lose_willpower 5"]
    assert sheet(*words, *lost)["statuses"] == ["lost", "as_drone"]
    assert "never recover" in run("sheet", *words, *lost, "--do", "recover_willpower 1", status=1)


def test_willpower_is_shown_to_its_player_only() -> None:
    told = run("sheet", "hive", "medic.yaml")
    assert "willpower" not in told.lower() and "drone" not in run("sheet", "hive", "medic.yaml").replace(
        "drone_damage", ""
    )
    assert "as_drone" in json.dumps(sheet("hive", "medic.yaml", "--reveal"))


def test_a_team_of_two() -> None:
    members = ["--as", "scout.yaml", "--as", "medic.yaml"]
    words = ["hive", "team_check", *members, "attribute=mind", "skill=infiltration"]
    roll = json.loads(run(*words, "--reveal", "--json"))
    assert (roll["inputs"]["sizes"], roll["inputs"]["drone_damages"]) == ([4, 5], [2, 0])


def test_everything_that_is_wrong_is_said_at_once() -> None:
    told = run("sheet", "polity", str(DATA / "broken.yaml"), status=2)
    for line, word in ((5, "wisdom"), (8, "focus"), (9, "piloting")):
        assert f"broken.yaml:{line}:" in told and word in told
    for reason in ("capped", "one specialty or one focus", "committed", "character points: 47 spent of 40"):
        assert reason in told


def test_every_limit_that_is_broken_is_said_at_once() -> None:
    told = run("sheet", "polity", str(DATA / "illegal.yaml"), status=1)
    for reason in ("capped", "one specialty or one focus", "below 0", "committed", "character points"):
        assert reason in told
