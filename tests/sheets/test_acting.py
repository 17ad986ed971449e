"""Actions and advances: all of it or nothing, and only that is written."""

from __future__ import annotations

import difflib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rulesrun
from rulesrun import RulesError

HERE = Path(__file__).parent
CREW = rulesrun.load(HERE / "crew.rules")
ZOE = CREW.character(HERE / "zoe.yaml")
TEXT = (HERE / "zoe.yaml").read_text(encoding="utf-8")


def changes(character: rulesrun.Character) -> list[str]:
    """The lines that differ from Zoe's file, marked as in a diff."""
    lines = difflib.ndiff(TEXT.split("\n"), character.to_yaml().split("\n"))
    return [line for line in lines if line[:2] in ("- ", "+ ")]


def test_nothing_done_is_nothing_written() -> None:
    assert ZOE.to_yaml() == TEXT


@pytest.mark.parametrize(
    ("actions", "lines"),
    [
        (["hurt 2"], ["+ damage: 2"]),
        (["hurt"], ["+ damage: 1"]),
        (["hurt n=3", "heal 1"], ["+ damage: 2"]),
        (["doubt 2"], ["- will: 6           # nobody else's business", "+ will: 4           # nobody else's business"]),
        (["learn 'night: watch' 3"], ['+   "night: watch": 3']),
        (["learn - 2"], ['+   "-": 2']),
        (["learn heavy_weapons 3"], ["- ... {rating: 2, ...", "+ ... {rating: 3, ..."]),
        (["forget climbing"], ["-   climbing: 4"]),
        (["pick_up juggling"], ["+ - juggling"]),
        (["give_up Whistling"], ["- - whistling  # loud"]),
        (["rest"], ["- xp: 7", "+ xp: 8", "+ damage: 0"]),
        (["raise climbing"], ["-   climbing: 4", "- xp: 7", "+   climbing: 5", "+ xp: 2"]),
        (["raise lore"], ["- ... {it: 1, ...", "- xp: 7", "+ ... {it: 2, ...", "+ xp: 5"]),
        (["raise speed"], ["- ... speed: 2}", "- xp: 7", "+ ... speed: 3}", "+ xp: 1"]),
        (["raise new sailing"], ["- xp: 7", "+   sailing: 1", "+ xp: 4"]),
        (["raise new skills.sailing"], ["- xp: 7", "+   sailing: 1", "+ xp: 4"]),
    ],
)
def test_only_what_was_done_is_written(actions: list[str], lines: list[str]) -> None:
    character = ZOE
    for action in actions:
        character = character.do(action)
    found = [
        line if "  # as born" not in line and "Heavy" not in line and "lore" not in line else shortened(line)
        for line in changes(character)
    ]
    assert sorted(found) == sorted(lines)
    again = CREW.character_from(character.to_yaml(), "zoe.yaml")
    assert (again.faults, again.traits, again.lists) == ((), character.traits, character.lists)


def shortened(line: str) -> str:
    """A line with several values, only the changed one told."""
    if "speed" in line:
        return line[:2] + "... " + line[line.index("speed") : line.index("}") + 1]
    return line[:2] + "... " + line[line.index("{") : line.index(",")] + ", ..."


def test_an_action_takes_its_arguments_in_python_too() -> None:
    assert ZOE.do("learn", what="sailing", rating=2).lists["skills"]["sailing"] == 2


def test_a_refused_action_says_why_and_changes_nothing() -> None:
    lost = ZOE.do("doubt 9")
    done = lost.done("hope 1")
    assert (done.refusal, done.character, done.private) == ("lost for good", lost, True)
    with pytest.raises(RulesError, match="hope is refused: lost for good") as caught:
        lost.do("hope 1")
    assert caught.value.diagnostics[0].code == "refused"
    assert ZOE.do("doubt 5").do("hope 1").traits["will"] == 2


@pytest.mark.parametrize(
    ("action", "message"),
    [
        ("hope 4", "will: 10 is not a whole number from 0 to 9"),
        ("learn sailing 10", "sailing: 10 is not a whole number from 0 to 9"),
        ("forget sailing", "skills has no sailing"),
        ("hurt 0", "hurt: n: 0 is not a whole number of 1 or more"),
        ("hurt x", "hurt: n: `x` is not a whole number of 1 or more"),
        ("hurt 1 2", "hurt takes n, and 2 is one too many"),
        ("hurt n=1 n=2", "n is given twice"),
        ("hurt m=1", "hurt takes no m"),
        ("forget", "forget needs what"),
        ("hurl 1", "the sheet has no action called hurl"),
        ("pick_up 'night watch", "a quotation mark is not closed"),
        ("", "which action?"),
        ("raise", "raise what?"),
        ("raise sailing", "there is nothing called sailing to raise"),
        ("raise new climbing", "climbing is there already"),
        ("raise strength", "strength costs 8 xp, and there is 7"),
    ],
)
def test_what_cannot_be_done_is_told(action: str, message: str) -> None:
    with pytest.raises(RulesError) as caught:
        ZOE.do(action)
    assert message in caught.value.message


def test_nothing_is_done_with_a_broken_file() -> None:
    with pytest.raises(RulesError, match="lots"):
        CREW.character_from("name: A\ndamage: lots\n").do("rest")


NAMES = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1, max_size=9)


@given(st.lists(st.tuples(st.sampled_from(["learn", "pick_up"]), NAMES), max_size=4))
@settings(deadline=None)
def test_whatever_is_learned_is_read_again(things: list[tuple[str, str]]) -> None:
    character = ZOE
    for action, name in things:
        character = character.do(action, **{"what" if action == "learn" else "trick": name})
    again = CREW.character_from(character.to_yaml())
    assert (again.faults, again.lists) == ((), character.lists)
    assert all(line in again.to_yaml() for line in ["  # learned at home", "- whistling  # loud", "# as born"])
