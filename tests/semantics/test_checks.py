"""Checks beyond names and kinds: endless throws, lines never reached, faces no die has, tables, unused names."""

from __future__ import annotations

import pytest
from tests.semantics.compiling import codes


def said(body: str, items: str = "") -> list[str]:
    lines = "\n".join("    " + line for line in body.split("\n"))
    return codes(f"{items}\nrule test\n{lines}\n")


@pytest.mark.parametrize(
    ("throw", "endless"),
    [
        ("3d6, explode on 1..6", True),
        ("3d6, explode on 1..5", False),
        ("3d6, explode on not 7", True),
        ("3d6, explode on even or odd", True),
        ("3d6, explode on >= 1 once", False),
        ("3d6, explode on >= 1 at most 5 times", False),
        ("3d1!", True),
        ("1d1, explode on sides", True),
        ("3d2!", False),
        ("d6 + d{5, 6}, explode on 5..6", True),
        ("3d6, explode on 5..6 rolling d{5, 6}", True),
        ("3d{5, 6}, explode on 5..6 rolling d6", False),
        ("3d6, explode on 1..6 adding", True),
        ("3d6, reroll 1..6", True),
        ("3d6, reroll <7", True),
        ("3d6, reroll 1..6 once", False),
        ("3d6, reroll 1..5", False),
        ("3d6, reroll 1..6 in at most 2 dice", True),
        ("3d1000000, reroll 1..1000000", True),
        ("3d1000000, reroll 2..1000000", False),
        ("3d1000000, explode on >= 1", True),
        ("2d6, again on any 1..6", True),
        ("2d6, again on all >= 1", True),
        ("2d6, again on none 7", True),
        ("2d6, again on all 6", False),
        ("0d6, again on any 1..6", False),
        ("2d6, again on sum >= 2", True),
        ("2d6, again on sum > 2", False),
        ("2d6, again on sum <= 12 once", False),
        ("2d6, again on highest >= 1", True),
        ("2d6, again on lowest != 7", True),
        ("2d6, keep highest 1, again on sum >= 2", False),
        ("2d{3}, again on all equal", True),
        ("2d6, again on all equal", False),
    ],
)
def test_throws_that_never_end_are_found_before_rolling(throw: str, endless: bool) -> None:
    found = said(f"roll pool = {throw}\ntotal = sum of pool")
    assert any(code in ("never-ends", "again-never-ends") for code in found) == endless
    assert all(code in ("never-ends", "again-never-ends", "face-lacking") for code in found)


@pytest.mark.parametrize(
    ("first", "second", "reached"),
    [
        ("x >= 5", "x >= 10", False),
        ("x >= 10", "x >= 5", True),
        ("x > 5", "x >= 5", True),
        ("x >= 5", "x > 5", False),
        ("x >= 5", "x = 7", False),
        ("x >= 5", "x = 4", True),
        ("x < 5", "x <= 3", False),
        ("x <= 3", "x < 4", True),
        ("x != 3", "x > 3", False),
        ("x != 3", "x = 4", False),
        ("x > 3", "x > 3 and ready", False),
        ("x > 3 and ready", "x > 3", True),
        ("x > 3 and ready", "ready and x > 5", False),
        ("x > 3 or ready", "ready", False),
        ("ready", "x > 3 or ready", True),
        ("x > 3 or ready", "x > 5 or ready", False),
        ("kind is (a or b)", "kind is a", False),
        ("kind is a", "kind is (a or b)", True),
        ("yes", "ready", False),
        ("ready", "no", False),
        ("x > 3", "y > 5", True),
        ("x > bonus", "x > bonus", False),
        ("x > bonus", "x > malus", True),
        ("x > 1", "x > bonus", True),
        ("x in lucky", "x in winning", True),
        ("x in lucky", "x in lucky", False),
        ("x > 1 and open_ended", "open_ended", True),
    ],
)
def test_a_line_is_unreachable_only_if_an_earlier_one_takes_it_in_every_setting(
    first: str, second: str, reached: bool
) -> None:
    items = (
        "setting bonus = 1\nsetting malus = 1\nsetting open_ended = no\n"
        "setting lucky = 6..10\nsetting winning = 6..10\n"
    )
    inputs = "given x: 0.. = 1\ngiven y: 0.. = 1\ngiven ready: yes or no = no\ngiven kind: one of a, b, c = a\n"
    found = said(f"{inputs}v =\n    1 if {first}\n    2 if {second}\n    3 otherwise", items)
    assert ("case-unreachable" not in found) == reached
    outcome = f"{inputs}outcome\n    + hit if {first}\n    ~ even if {second}\n    - miss otherwise"
    assert ("outcome-unreachable" not in said(outcome, items)) == reached


@pytest.mark.parametrize(
    ("question", "lacking"),
    [
        ("count 7 in pool", True),
        ("count 6 in pool", False),
        ("count 6..10 in pool", False),
        ("count 7..10 in pool", True),
        ("count >= 7 in pool", True),
        ("count 6 or 7 in pool", True),
        ("count not 7 in pool", True),
        ("count 1/2 in pool", True),
        ("count limit_of in pool", False),
        ("count 7 in other", False),
        ("count 9 in other", True),
        ("count 9 in pool + other", False),
        ("count 9 in (pool + other)", True),
        ("count 7 in natural pool", True),
        ("count 3 in bigger", False),
        ("count 13 in summed", False),
        ("count 10 in exploded", False),
        ("count 7 in unknown_sides", False),
        ("count 7 in (pool with each die as die + 1)", False),
        ("count 7 in (pool showing 1..3)", True),
    ],
)
def test_faces_that_no_die_there_has_are_doubtful(question: str, lacking: bool) -> None:
    body = (
        "given limit_of: 0.. = 9\nroll pool = 3d6\nroll other = 2d6 + d8\nroll bigger = 3d6, explode on 6 adding\n"
        "roll summed = 3d6, explode on 6 adding\nroll exploded = 3d6, explode on 6 rolling d10\n"
        f"roll unknown_sides = 3 d(limit_of)\nx = {question}"
    )
    assert ("face-lacking" in said(body)) == lacking


@pytest.mark.parametrize(
    ("rows", "wanted"),
    [
        ("..5 a\n    6.. b", []),
        ("0..5 a\n    6..8 b", []),
        ("0..5 a\n    7..8 b", ["gap"]),
        ("0..5 a\n    5..8 b", ["overlap"]),
        ("0..8 a\n    3 b\n    9..10 c", ["overlap"]),
        ("0..8 a\n    3 b\n    10..11 c", ["overlap", "gap"]),
        ("7..9 b\n    0..5 a", ["gap"]),
        ("0..1/2 a\n    1..2 b", []),
        ("1 a\n    3 b\n    5 c", []),
        ("..5 a\n    ..3 b", ["overlap"]),
        ("5.. a\n    7.. b", ["overlap"]),
        ("1 a\n    1 b", ["row-twice"]),
    ],
)
def test_gaps_and_overlaps_of_tables(rows: str, wanted: list[str]) -> None:
    assert sorted(said("given x: 0.. = 1\ny = levels at x", f"table levels\n    {rows}\n")) == sorted(wanted)


@pytest.mark.parametrize(
    ("rows", "wanted"),
    [
        ("1..3 a\n    4..6 b", []),
        ("1..3 a\n    5..6 b", ["face-without-row"]),
        ("1..3 a\n    4..6 b\n    7 c", ["row-without-face"]),
        ("1..3 a\n    3..6 b", ["overlap"]),
    ],
)
def test_tables_that_are_rolled(rows: str, wanted: list[str]) -> None:
    assert said("roll x = levels\ny = x is a", f"table levels, d6\n    {rows}\n") == wanted


def test_results_of_a_rule_are_not_unused() -> None:
    outcome = "\noutcome\n    + hit if x > 1\n    - miss otherwise"
    assert said("given x: 0.. = 1\nshown = x + 1") == []
    assert said("given x: 0.. = 1\nshown = x + 1" + outcome) == ["unused-value"]
    text = (
        "rule one\n    given x: 0.. = 1\n    shown = x + 1\n"
        "    outcome\n        + hit if x > 1\n        - miss otherwise\n"
    )
    assert codes(text + "rule two\n    roll o = one\n    y = o.shown\n") == []
    assert codes(text + 'example "shown"\n    roll one\n    expect shown = 2\n') == []


def test_inputs_passed_by_name_alone_are_used() -> None:
    text = (
        "rule one\n    given x: 0.. = 1\n    y = x + 1\nrule two\n"
        "    given x: 0.. = 1\n    given z: 0.. = 1\n    roll o = one\n    y = o.y\n"
    )
    assert codes(text) == ["unused-input"]


def test_nothing_is_called_unused_while_something_is_faulty() -> None:
    assert said("given x: 0.. = 1\ngiven y: 0.. = 1\nz = wrong") == ["unknown-name"]
