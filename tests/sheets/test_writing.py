"""Changes are written in their place: every other letter, comment and blank line stays."""

from __future__ import annotations

import re

import pytest
import yaml
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from rulesrun.diagnostics import RulesError, Source
from rulesrun.sheets.document import Entries, Items, Node, Word, read_document
from rulesrun.sheets.writing import Edit, Join, Put, Take, edited, written

FILE = """\
# Zoe of the third cell   (keep this)
name:   Zoe     # her cover name
willpower:  5   # secret!

modifiers: {intellect: 2,  # sharp
            resolve: -1,}  # tired
skills:   # what she learned
    # at school
    academics: {it: 1, field: "Aetheter"}   # slow

    heavy weapons: 4      # fast
    'night-watch': 2
    # the last one
specializations: [Rifles, 'Night: work']
contacts:
- Ann   # reliable
- Bob
notes: >
    A long text
    # no comment

    ends here.
empty:
# the end
"""


SHORTER = ["+ modifiers: {resolve: -1,}  # tired"]


def after(*edits: Edit, text: str = FILE) -> list[str]:
    """The lines that differ from the file before, marked as in a diff."""
    import difflib

    new = edited(Source.of_text("zoe.yaml", text), edits).text
    lines = difflib.ndiff(text.split("\n"), new.split("\n"))
    return [line for line in lines if line[:2] in ("- ", "+ ")]


@pytest.mark.parametrize(
    ("edit", "changed"),
    [
        (
            Put(("willpower",), "4"),
            ["- willpower:  5   # secret!", "+ willpower:  4   # secret!"],
        ),
        (
            Put(("modifiers", "intellect"), "3"),
            ["- modifiers: {intellect: 2,  # sharp", "+ modifiers: {intellect: 3,  # sharp"],
        ),
        (
            Put(("modifiers", "interaction"), "1"),
            ["-             resolve: -1,}  # tired", "+             resolve: -1, interaction: 1,}  # tired"],
        ),
        (
            Put(("skills", "academics", "it"), "2"),
            [
                '-     academics: {it: 1, field: "Aetheter"}   # slow',
                '+     academics: {it: 2, field: "Aetheter"}   # slow',
            ],
        ),
        (Put(("skills", "night-watch"), "3"), ["-     'night-watch': 2", "+     'night-watch': 3"]),
        (Put(("skills", "new: one"), "1"), ['+     "new: one": 1']),
        (Take(("skills", "heavy weapons")), ["-     heavy weapons: 4      # fast"]),
        (
            Take(("modifiers", "intellect")),
            ["- modifiers: {intellect: 2,  # sharp", "-             resolve: -1,}  # tired", *SHORTER],
        ),
        (
            Join(("specializations",), "Boats"),
            ["- specializations: [Rifles, 'Night: work']", "+ specializations: [Rifles, 'Night: work', Boats]"],
        ),
        (
            Take(("specializations", "Night: work")),
            ["- specializations: [Rifles, 'Night: work']", "+ specializations: [Rifles]"],
        ),
        (Join(("contacts",), "Cid"), ["+ - Cid"]),
        (Take(("contacts", "Ann")), ["- - Ann   # reliable"]),
        (Put(("empty",), "1"), ["- empty:", "+ empty: 1"]),
        (Put(("empty", "inside"), "1"), ["+   inside: 1"]),
        (Join(("empty",), "x"), ["- empty:", "+ empty: [x]"]),
        (Put(("physical", "strength"), "5"), ["+ physical:", "+   strength: 5"]),
        (Join(("friends",), "Eve"), ["+ friends: [Eve]"]),
    ],
)
def test_only_the_place_itself_changes(edit: Edit, changed: list[str]) -> None:
    assert sorted(after(edit)) == sorted(changed)


def test_without_a_last_line_end() -> None:
    assert after(Put(("b",), "2"), text="a: 1 # one") == ["+ b: 2", "+ "]


def test_a_file_in_braces() -> None:
    assert after(Put(("b", "c"), "2"), text="{a: 1}") == ["- {a: 1}", "+ {a: 1, b: {c: 2}}"]


def test_an_empty_list_is_begun_inside() -> None:
    assert after(Join(("a",), "x"), text="a: []") == ["- a: []", "+ a: [x]"]
    assert after(Put(("a", "x"), "1"), text="a: {} # none yet") == ["- a: {} # none yet", "+ a: {x: 1} # none yet"]


def test_what_is_not_there_cannot_be_taken() -> None:
    with pytest.raises(RulesError, match="cannot be changed where it stands"):
        after(Take(("skills", "dancing")))


@pytest.mark.parametrize(
    ("value", "is_text", "text"),
    [
        (3, False, "3"),
        (None, False, "none"),
        (True, False, "yes"),
        ("war_drone", False, "war_drone"),
        ("none", True, '"none"'),
        ("Yes", True, '"Yes"'),
        ("12", True, '"12"'),
        ("a: b", True, '"a: b"'),
        ("Bob's (old) gun", True, "Bob's (old) gun"),
        ("two\nlines", True, '"two\\nlines"'),
        ("", True, '""'),
    ],
)
def test_values_are_written_as_they_are_read(value: int | bool | str | None, is_text: bool, text: str) -> None:
    assert written(value, is_text) == text


NAMES = st.text(min_size=1, max_size=12).filter(
    lambda name: not re.search(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff\ufeff]", name)
)


@given(NAMES, NAMES)
@settings(deadline=None)
def test_whatever_name_or_text_is_written_is_read_again(name: str, text: str) -> None:
    assume(name not in ("a", "b"))
    source = Source.of_text("x.yaml", "a: 1  # one\nb: {c: 2}\n")
    new = edited(source, [Put((name,), written(text, True)), Put(("b", name), written(text, True))])
    root, faults = read_document(new)
    assert faults == []
    assert plain(root) == {"a": "1", "b": {"c": "2", name: text}, name: text}
    assert "# one" in new.text


def plain(node: Node) -> object:
    match node:
        case Entries(pairs=pairs):
            return {key.text: plain(value) for key, value in pairs}
        case Items(items=items):
            return [plain(each) for each in items]
        case Word(text=text):
            return text
    raise AssertionError(node)


TREES = st.recursive(
    st.sampled_from(["1", "two words", "", "x # y", "- z", "yes"]),
    lambda inside: st.dictionaries(st.sampled_from(["a", "b c", "d-e", "1", "no: w"]), inside, max_size=4),
    max_leaves=12,
)


@given(
    st.dictionaries(st.sampled_from(["a", "b c", "d-e", "f"]), TREES, min_size=1, max_size=4),
    st.sampled_from([None, True, False]),
    st.integers(2, 6),
    st.lists(st.sampled_from(["a", "b c", "d-e", "new"]), min_size=1, max_size=3),
)
@settings(deadline=None)
def test_a_put_value_stands_there_and_all_else_stays(
    tree: dict[str, object], flow: bool | None, indent: int, path: list[str]
) -> None:
    source = Source.of_text("x.yaml", yaml.safe_dump(tree, default_flow_style=flow, indent=indent, sort_keys=False))
    before, _ = read_document(source)
    wanted = plain(before)
    here = wanted
    for key in path[:-1]:
        assert isinstance(here, dict)
        if here.get(key) in (None, ""):
            here[key] = {}
        here = here[key]
        if not isinstance(here, dict):
            break
    if not isinstance(here, dict) or isinstance(here.get(path[-1]), dict):
        with pytest.raises(RulesError, match="cannot be changed"):
            edited(source, [Put(tuple(path), "7")])
        return
    here[path[-1]] = "7"
    try:
        new = edited(source, [Put(tuple(path), "7")])
    except RulesError as error:
        assert "cannot be changed" in error.message and "''" in source.text
        return
    assert plain(read_document(new)[0]) == wanted
