"""Whatever stands in a character file: a character or a `RulesError`, in bounded time, and no secret is told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import rulesrun
from rulesrun import RulesError
from rulesrun.render.problems import problems_text
from rulesrun.render.sheet import sheet_text
from rulesrun.render.sheet_json import sheet_json
from rulesrun.sheets.secrecy import discreet

HERE = Path(__file__).parent
CREW = rulesrun.load(HERE / "crew.rules")
ZOE = (HERE / "zoe.yaml").read_text(encoding="utf-8")
ACTIONS = ["hurt 2", "doubt", "learn 'x: y' 1", "forget climbing", "pick_up Boats", "raise climbing", "raise new z"]


def words(text: str) -> list[str]:
    return text.split()


NAMES = "system name origin motto armed will damage xp body skills tricks strength speed rating it field focus training"
KEYS = st.sampled_from([*words(NAMES), *words("reach lost climbing << none"), "", "x: y", "Heavy Weapons"])
VALUES = "none yes no true 3 -1 1/2 1/0 crew city focus ~ '3' 'a' *a @ ` % { } [ ] ? | > .. --- ... é 😀 010 1e3 35%"
ODD = ["", "9" * 2000, '"3"', "&a 1", "!!int 3", "!x y", "|\n  x", "- a", "\t", "\u2028", "a # c", "a: b"]
LEAVES = st.one_of(st.sampled_from(words(VALUES)), st.sampled_from(ODD), st.text(max_size=8))
INSIDE = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4).map(lambda items: f"[{', '.join(items)}]"),
        st.lists(st.tuples(KEYS, inner), max_size=4).map(
            lambda pairs: "{" + ", ".join(f"{key}: {value}" for key, value in pairs) + "}"
        ),
    ),
    max_leaves=8,
)
BLOCKS = st.one_of(
    INSIDE.map(lambda value: f" {value}"),
    st.lists(st.tuples(KEYS, INSIDE), max_size=4).map(
        lambda pairs: "".join(f"\n  {key}: {value}" for key, value in pairs)
    ),
    st.lists(INSIDE, max_size=3).map(lambda items: "".join(f"\n  - {item}" for item in items)),
)
FILES = st.lists(st.tuples(KEYS, BLOCKS), max_size=7).map(
    lambda pairs: "\n".join(f"{key}:{value}" for key, value in pairs)
)


@st.composite
def damaged(draw: st.DrawFn) -> str:
    """Zoe's file with a few slips in it."""
    text = ZOE
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(text)))
        end = draw(st.integers(start, min(len(text), start + 10)))
        slip = draw(st.one_of(LEAVES, st.text(max_size=4), st.sampled_from(["\n", "  ", ":", "- ", "{", "}", ", "])))
        text = text[:start] + slip + text[end:]
    return text


@given(st.one_of(FILES, damaged(), st.text(max_size=60)))
@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
def test_a_character_or_an_error(text: str) -> None:
    try:
        character = CREW.character_from(text, "any.yaml")
    except RulesError as error:
        assert problems_text(error.diagnostics)
        return
    for reveal in (False, True):
        assert sheet_text(character, reveal)
        assert json.dumps(sheet_json(character, reveal))
    for faults in (character.faults, character.discreet_faults):
        assert problems_text(faults) or not faults
    for action in [] if character.faults else ACTIONS:
        try:
            new = character.do(action)
            again = CREW.character_from(new.to_yaml())
        except RulesError:
            continue
        assert (again.faults, again.lists, again.traits) == ((), new.lists, new.traits)


SECRET = "2718281828"


@given(st.data())
@settings(max_examples=150, deadline=None)
def test_no_slip_betrays_what_is_private(data: st.DataObject) -> None:
    lines = [line for line in ZOE.split("\n") if not line.startswith("will:")]
    lines.insert(data.draw(st.integers(0, len(lines))), f"will: {SECRET}")
    text = "\n".join(lines)
    start = data.draw(st.integers(0, len(text)))
    slip = data.draw(st.one_of(LEAVES, st.sampled_from(["\n", ":", "- ", "{", "'"])))
    if SECRET not in (text := text[:start] + slip + text[start:]):
        return
    assert CREW.sheet is not None
    try:
        faults = CREW.character_from(text, "zoe.yaml").discreet_faults
    except RulesError as error:
        faults = discreet(error.diagnostics, CREW.sheet, {}, "zoe.yaml")
    told = problems_text(faults)
    assert told
    assert SECRET not in told


@pytest.mark.parametrize(
    "text",
    [
        "[" * 100_000,
        "{a: " * 50_000,
        "- " * 50_000,
        "? " * 50_000,
        "a: " + "x" * 190_000,
        "a: &a [*a, *a]\n" * 1000,
        "!" * 90_000,
        "k: 1\n" * 40_000,
        "a: 'x" * 3_000,
        "\n" * 100_000 + "a: 1",
        "a: >\n" + " x\n" * 50_000,
        "skills: {" + ", ".join(f"s{number}: 1" for number in range(9_000)) + "}",
        "tricks:\n" + "\n".join(f"- s{number}" for number in range(9_000)),
        "name: x\n" * 2 + "y" * 300_000,
    ],
    ids=lambda text: text[:12].replace("\n", " "),
)
def test_no_file_takes_long(text: str) -> None:
    import time

    start = time.process_time()
    try:
        faults = CREW.character_from(text).faults
    except RulesError as error:
        faults = error.diagnostics
    assert faults
    assert time.process_time() - start < 10
