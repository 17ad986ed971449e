"""Mistakes in YAML are told where they were made, with a fix that mends them; odd values are read as they stand."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rulesrun
from rulesrun import RulesError

CREW = rulesrun.load(Path(__file__).parent / "crew.rules")
SOUND = "name: Zoe\nmotto: 'up: and on'\nbody: {strength: 2, speed: 1}\nskills:\n  riding: 2\n  lore: 1\n"


def fault(text: str) -> RulesError:
    with pytest.raises(RulesError) as caught:
        CREW.character_from(text, "zoe.yaml")
    assert caught.value.diagnostics[0].code == "not-yaml"
    return caught.value


def test_every_part_that_is_no_yaml_is_told_at_once() -> None:
    text = SOUND.replace("name: Zoe", "name Zoe").replace("speed: 1}", "speed: 1").replace("lore: 1", "lore:1")
    told = fault(text).diagnostics
    assert [each.primary.span.line for each in told if each.primary] == [1, 3, 6]
    assert [each.notes != () for each in told] == [False, False, True]
    long = fault(text + "# and so on\n" * 2_000)
    assert len(long.diagnostics) == 1


def test_the_sound_one_is_sound() -> None:
    assert not CREW.character_from(SOUND).faults


@pytest.mark.parametrize(
    ("right", "wrong", "line", "column"),
    [
        ("name: Zoe", "name Zoe", 1, 4),
        ("name: Zoe", "name:Zoe", 1, 5),
        ("name: Zoe", "name = Zoe", 1, 6),
        ("name: Zoe", "name： Zoe", 1, 5),
        ("riding: 2", "riding 2", 5, 8),
        ("riding: 2", "riding:2", 5, 9),
        ("lore: 1", "lore 1", 6, 6),
        ("lore: 1", "lore:1", 6, 7),
        ("skills:", "skills", 4, 6),
    ],
)
def test_the_fix_is_what_mends_it(right: str, wrong: str, line: int, column: int) -> None:
    error = fault(SOUND.replace(right, wrong))
    assert (error.line, error.column) == (line, column)
    assert error.hint == f"write `{right}`"


@pytest.mark.parametrize(
    ("right", "wrong", "line", "column", "said"),
    [
        ("  riding", "\triding", 5, 1, "a tab begins this line"),
        ("name: Zoe", "name:\tZoe", 1, 6, "a tab stands between"),
        ("name: Zoe", 'name: "Zoe', 1, 7, "never closes"),
        ("'up: and on'", "'up: and on", 2, 8, "never closes"),
        ("'up: and on'", "up: and on", 2, 10, "a second `:`"),
        ("speed: 1}", "speed: 1", 3, 7, "this `{` is not closed"),
        ("speed: 1}", "speed: 1]", 3, 29, "`{` is closed by `}`, not by `]`"),
        ("speed: 1}", "speed: 1}}", 3, 30, "closes nothing"),
        ("strength: 2, speed", "strength: 2 speed", 3, 25, "is missing before this"),
        ("  lore", "   lore", 6, 4, "indented deeper"),
        ("  lore", " lore", 6, 2, "indented otherwise"),
        ("name", "  name", 1, 3, "the first line is indented deeper"),
        ("name: Zoe", "name: 'Zoe's'", 1, 11, "the text in quotes ends here"),
        ("name: Zoe", "name: %Zoe", 1, 7, "cannot begin with %"),
        ("name: Zoe", "name: |Zoe", 1, 7, "begins with `|`"),
    ],
)
def test_the_place_is_that_of_the_mistake(right: str, wrong: str, line: int, column: int, said: str) -> None:
    error = fault(SOUND.replace(right, wrong, 1))
    assert said in error.message
    assert (error.line, error.column) == (line, column)
    assert error.hint


def test_what_yaml_would_make_of_values_is_not_made() -> None:
    found = CREW.character_from("name: no\nmotto: 2026-11-30\ndamage: 010\nbody:\n  strength: 05\narmed: yes\n")
    assert not found.faults
    assert (found.traits["name"], found.traits["motto"], found.traits["armed"]) == ("no", "2026-11-30", True)
    assert (found.traits["damage"], found.traits["body.strength"]) == (10, 5)


@pytest.mark.parametrize(
    "text", ["name: Zoe # the brave\n", "name: Zoe\ndamage: 1 #note\n", "name: 'Zoe #1'\n", "name: Z#1\n"]
)
def test_comments_stay_comments(text: str) -> None:
    assert not CREW.character_from(text).faults


def test_a_private_value_is_not_in_the_fix() -> None:
    with pytest.raises(RulesError) as caught:
        CREW.character_from("name: Zoe\nwil 7\n")
    from rulesrun.sheets.secrecy import discreet

    assert CREW.sheet is not None
    (told,) = discreet(caught.value.diagnostics, CREW.sheet, {}, "<character>")
    assert "7" not in f"{told.message} {told.hint}" and told.primary is None


SIGNS = st.sampled_from([*":{}[]'\"#-\t =,|>%@&*!?`", "\n", "  ", ": "])


@given(st.lists(st.tuples(st.integers(0, len(SOUND)), st.integers(0, 2), SIGNS), min_size=1, max_size=3))
def test_any_slip_of_the_keys_is_answered_with_a_place(edits: list[tuple[int, int, str]]) -> None:
    text = SOUND
    for place, taken, put in edits:
        text = text[:place] + put + text[place + taken :]
    try:
        CREW.character_from(text)
    except RulesError as error:
        assert error.message
        if error.diagnostics[0].code == "not-yaml":
            assert error.line is not None and 1 <= error.line <= text.count("\n") + 1
