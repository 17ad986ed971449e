"""What the trace says, line by line."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest

from rulesrun.evaluation.roll import Roll
from rulesrun.evaluation.trace import Shown

Rolls = Callable[..., Roll]

HIVE = """
setting success_on: faces = 6..10
rule skill_check
    given attribute: 0.. = 3
    given drones: 0.. = 1
    size = attribute + (1 if drones > 0 otherwise 0)
    roll human = (size - drones) d10
    roll drone = drones d10
    pool = human + drone
    successes = count success_on in pool + 2 * pairs of 10 in pool
    succeeded = successes >= 3
    flag hurt if any 1 in drone "it hurts"
    outcome
        + critical if succeeded and any 10 in drone "served"
        + success  if succeeded
        - failure  otherwise
"""


def lines(result: Roll) -> list[tuple[int, str, str, str]]:
    return [(each.line, each.name, each.what, each.text) for each in result.trace]


def test_a_whole_rule_in_the_rulesets_order(roll: Rolls) -> None:
    result = roll(HIVE, dice={"human": [10, 10, 6], "drone": [1]})
    assert lines(result) == [
        (7, "size", "value", "3 + 1 = 4"),
        (8, "human", "roll", "3d10: 10 10 6"),
        (9, "drone", "roll", "1d10: 1"),
        (10, "pool", "value", "10 10 6 1"),
        (11, "successes", "value", "3 (10 10 6) + 2 * 1 (10 10) = 5"),
        (12, "succeeded", "value", "yes: 5 >= 3"),
        (13, "hurt", "flag", "yes (1)"),
        (16, "outcome", "outcome", "success: succeeded"),
    ]
    assert result.to_json()["trace"][1] == {  # type: ignore[index]
        "line": 8, "name": "human", "what": "roll", "text": "3d10: 10 10 6",
    }  # fmt: skip


def test_the_line_of_the_outcome_that_fired(roll: Rolls) -> None:
    served = roll(HIVE, dice={"human": [10, 6, 6], "drone": [10]})
    assert lines(served)[-1] == (15, "outcome", "outcome", "critical: succeeded and any 10 in drone (yes and yes (10))")
    assert served.text == "served"
    failed = roll(HIVE, dice={"human": [1, 2, 3], "drone": [1]})
    assert lines(failed)[-1] == (17, "outcome", "outcome", "failure: otherwise")


def fates(result: Roll) -> str:
    return " ".join(f"{die.face}{die.fate[0]}" for die in result.trace[0].dice)


@pytest.mark.parametrize(
    ("throw", "dice", "text", "shown"),
    [
        ("4d6, keep highest 3", [6, 1, 3, 3], "4d6, keep highest 3: 6 1 3 3; dropped 1; left 3 3 6", "6k 1d 3k 3k"),
        ("2d6, explode on 6", [6, 2, 6, 1], "2d6, explode on 6: 6 2 6 1; 6 exploded: 6; 6 exploded: 1", "6e 2k 6e 1k"),
        ("2d6, explode on 6 adding", [6, 2, 1], "2d6, explode on 6 adding: 6 2 1; 6 exploded: 1; left 7 2", "6e 2k 1k"),
        ("2d6, reroll 1", [1, 2, 5], "2d6, reroll 1: 1 2 5; 1 rerolled: 5; left 5 2", "1r 2k 5k"),
        ("d6, with advantage n - 1", [3, 5], "d6, with advantage 1: 3 5; set aside 3; left 5", "3s 5k"),
        ("n d6, again on all 6", [6, 6, 1, 2], "2d6, again on all 6: 6 6 1 2; thrown again 1 2", "6k 6k 1k 2k"),
        ("d(3 * n), against n", [4], "d6, against 2: 4", "4k"),
        ("0d6", [], "0d6: no dice", ""),
        ("2d6 if n > 5", [], "not rolled", ""),
    ],
)
def test_what_happened_to_every_die(roll: Rolls, throw: str, dice: list[int], text: str, shown: str) -> None:
    result = roll(
        f"rule test\n    given n: 1.. = 2\n    roll pool = {throw}\n    total = sum of pool + n\n", dice={"pool": dice}
    )
    assert result.trace[0].text == text
    assert fates(result) == shown


def test_symbols_and_weighted_dice(roll: Rolls) -> None:
    text = """
die mark = hit & hit, miss, blank
rule test
    roll marks = 3 mark
    hits = count hit in marks
"""
    result = roll(text, dice={"marks": ["hit & hit", "blank", "miss"]})
    assert [each.text for each in result.trace] == ["3mark: hit & hit blank miss", "2 (hit & hit)"]
    assert result.trace[0].dice[1] == Shown((), "kept")


def test_choices_say_why(roll: Rolls) -> None:
    text = """
rule test
    given luck: 0.. = 3
    roll number = d12
    choice push if number <= luck by default number < 3
    choice stay by default always
    total = number
"""
    offered = roll(text, dice={"number": [2]})
    assert [each.text for each in offered.trace if each.what == "choice"] == ["yes: 2 < 3", "yes (always)"]
    not_offered = roll(text, dice={"number": [9]})
    assert not_offered.trace[1].text == "no (not offered: 9 <= 3)"


def test_rolled_rules_and_turns(roll: Rolls) -> None:
    text = """
rule inner
    given bonus: .. = 0
    roll number = d6
    total = number + bonus
rule test
    track sum_of_all = 0
    repeat 2 times
        roll one = inner(bonus = turn)
        sum_of_all += one.total
    roll last = inner if sum_of_all > 100
"""
    result = roll(text, dice={"one.number": [3, 4]})
    assert [(name, text) for _, name, what, text in lines(result) if what in ("turn", "rule", "input", "update")] == [
        ("turn", "1"), ("one", "inner"), ("one.bonus", "1"), ("sum_of_all", "0 + 4 = 4"),
        ("turn", "2"), ("one", "inner"), ("one.bonus", "2"), ("sum_of_all", "4 + 6 = 10"),
        ("last", "not rolled"),
    ]  # fmt: skip


def test_for_each_shows_its_parts(roll: Rolls) -> None:
    text = "rule test\n    roll pool = 3d6\n    score = for each die in pool: die - 4\n"
    assert roll(text, dice={"pool": [6, 4, 1]}).trace[1].text == "2 + 0 + (-3) = -1"


def test_a_question_shows_the_dice_it_asks_but_a_size_none(roll: Rolls) -> None:
    asked = "a = size of p\n    b = highest of p\n    c = distinct in p\n    d = sum of p\n"
    text = f"rule test\n    roll p = 3d6\n    {asked}"
    shown = [each.text for each in roll(text, dice={"p": [6, 4, 4]}).trace[1:]]
    assert shown == ["3", "6 (6 4 4)", "2 (6 4 4)", "14 (6 4 4)"]


def test_a_whole_fraction_is_a_face_like_any_whole_number(roll: Rolls) -> None:
    result = roll("rule test\n    roll p = 1d6\n    x = sum of p\n", dice={"p": [Fraction(8, 2)]})
    assert (result.dice["p"], result.trace[0].text) == ((4,), "1d6: 4")
    assert type(result.dice["p"][0]) is int


def test_the_trace_of_a_random_roll_is_that_of_its_dice(roll: Rolls) -> None:
    text = "rule test\n    roll pool = 6d6, explode on 6, reroll 1 once, keep highest 3\n    total = sum of pool\n"
    for seed in range(20):
        result = roll(text, seed=seed)
        faces = " ".join(map(str, result.dice["pool"]))
        assert f"keep highest 3: {faces}" in result.trace[0].text
        assert result.trace[1].text.startswith(f"{result.values['total']} (")


def test_long_throws_and_long_traces_are_cut(roll: Rolls) -> None:
    many = roll("rule test\n    roll pool = 1000d6, explode on 6\n    total = sum of pool\n")
    assert len(many.trace[0].dice) == len(many.dice["pool"]) > 1000
    assert len(many.trace[0].text) < 2000
    assert " more" in many.trace[0].text
    known = roll("rule test\n    roll pool = 100d6\n    x = sum of pool\n", dice={"pool": [6] * 100})
    assert known.trace[0].text == f"100d6: {'6 ' * 60}and 40 more"
    turns = roll("rule test\n    track x = 0\n    repeat 30000 times\n        x += 1\n    y = x\n")
    assert turns.values == {"x": 30000, "y": 30000}
    assert turns.trace[-1].text == "and so on: the trace is cut here"


FILLED = {
    "n + 2 if m > 0 otherwise 0": "3 + 2 = 5",
    "n + 2 if m > 1 otherwise 7": "7",
    "n + 2 if m > 1 otherwise m - 4": "1 - 4 = -3",
    "2 * (n + m if m > 0 otherwise 0)": "2 * (3 + 1) = 8",
    "-(n + m) * 2": "-(3 + 1) * 2 = -8",
    "n - (m - 4)": "3 - (1 - 4) = 6",
    "n - m - 1": "3 - 1 - 1 = 1",
    "n / (m + 1) ^ 2": "3 / (1 + 1) ^ 2 = 3/4",
    "2 ^ (n - 1)": "2 ^ (3 - 1) = 4",
    "max(n + m, 2)": "max(3 + 1, 2) = 4",
    "n > 2 and m > 4": "no: 3 > 2 and 1 > 4",
    "n > 2 or m > 4": "yes: 3 > 2",
    "not (n > 2 and m > 0)": "no: not (3 > 2 and 1 > 0)",
    "n in (1 or 3)": "yes: 3 in 1 or 3",
    "p outranks q": "yes: 6 2 2 outranks 5 1",
    "wins of p over q": "2 (6 2 2 against 5 1)",
    "highest of p - lowest of q": "6 (6 2 2) - 1 (5 1) = 5",
    "for each die in p: die * 2": "12 + 4 + 4 = 20",
    "prices at (n + 1)": "prices at 3 + 1 = 9",
}


@pytest.mark.parametrize("value", FILLED)
def test_values_as_they_are_filled_in(roll: Rolls, value: str) -> None:
    text = (
        "table prices\n    1..2   5\n    3..9   9\n"
        "rule r\n    given n: 0.. = 3\n    given m: 0.. = 1\n    roll p = 3d6\n    roll q = 2d6\n"
        f"    x = {value}\n"
    )
    result = roll(text, dice={"p": [6, 2, 2], "q": [5, 1]})
    assert result.trace[-1].text == FILLED[value]
