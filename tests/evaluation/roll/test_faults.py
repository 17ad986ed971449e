"""Fault kinds that other dice tools were reported for, as far as rolling is concerned."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from random import Random

import pytest

from rulesrun.diagnostics import RulesError
from rulesrun.evaluation.roll import Roll, RuleRoller

Rolls = Callable[..., Roll]
Refused = Callable[..., RulesError]


def test_a_huge_count_is_refused_at_once_and_the_limit_named(refused: Refused) -> None:
    error = refused("rule test\n    given n: 0.. = 100000000\n    roll pool = n d20\n    total = sum of pool\n")
    assert error.message == "100000000 dice in one draw; the limit is 100,000"
    assert error.line == 4


def test_huge_sides_give_the_right_value(roll: Rolls) -> None:
    sides = 99999999999999999999999999999999
    text = f"rule test\n    given sides: 1.. = {sides}\n    roll number = d(sides)\n    total = number + 0\n"
    result = roll(text)
    assert 10**25 < result.values["total"] <= sides
    assert result.values["total"] == result.dice["number"][0]


@pytest.mark.parametrize("sides", [1, 0])
def test_a_die_size_from_outside_meets_explode(refused: Refused, sides: int) -> None:
    text = (
        "rule test\n    given sides: 0.. = 6\n    roll pool = 2 d(sides), explode on sides\n    total = sum of pool\n"
    )
    error = refused(text, sides=sides)
    assert ("every face of d1 explodes" if sides else "`sides` is 0") in error.message
    assert error.line == 4


def test_zero_dice_are_zero(roll: Rolls) -> None:
    assert roll("rule test\n    roll pool = 0d6\n    total = sum of pool + 3\n").values == {"total": 3}


def test_a_negative_number_of_dice_is_an_error_in_both_forms(roller: Callable[[str], RuleRoller]) -> None:
    test = roller("rule test\n    given n: .. = 5\n    roll pool = (n - 10) d10\n    total = sum of pool\n")
    errors = []
    for dice in (None, None, {"pool": [1]}):
        with pytest.raises(RulesError) as caught:
            test.roll({}, seed=1, dice=dice)
        errors.append((caught.value.message, caught.value.line, caught.value.column))
    assert errors[0] == errors[1] == errors[2]
    assert "`n - 10` is -5" in errors[0][0]


def test_division_is_exact(roll: Rolls) -> None:
    text = "rule test\n    roll pool = 4d20\n    quarter = sum of pool / 4\n"
    assert roll(text, dice={"pool": [1, 2, 3, 4]}).values == {"quarter": Fraction(5, 2)}
    assert roll(text, dice={"pool": [1, 2, 3, 2]}).values == {"quarter": 2}


def test_keep_more_than_there_are_keeps_all(roll: Rolls) -> None:
    text = "rule test\n    roll pool = 1d6, keep highest 2\n    number = size of pool\n"
    assert roll(text).values == {"number": 1}


def test_explode_each_die_or_the_sum(roll: Rolls) -> None:
    each_die = "rule test\n    roll pool = 2d2, explode on 2\n    total = sum of pool\n"
    whole = "rule test\n    roll pool = 2d2, again on sum = 4\n    total = sum of pool\n"
    assert roll(each_die, dice={"pool": [2, 1, 1]}).values == {"total": 4}
    assert roll(whole, dice={"pool": [2, 1]}).values == {"total": 3}
    assert roll(whole, dice={"pool": [2, 2, 1, 1]}).values == {"total": 6}


def test_bounds_are_included_or_not_as_written(roll: Rolls) -> None:
    below = "rule test\n    roll pool = 2d6, reroll < 2 once\n    total = sum of pool\n"
    at_most = "rule test\n    roll pool = 2d6, reroll <= 2 once\n    total = sum of pool\n"
    assert roll(below, dice={"pool": [2, 1, 6]}).values == {"total": 8}
    assert roll(at_most, dice={"pool": [2, 1, 6, 5]}).values == {"total": 11}


def test_dropped_dice_count_for_nothing(roll: Rolls) -> None:
    text = "rule test\n    roll pool = 2d20, keep highest 1\n    total = sum of pool\n    tens = count 10.. in pool\n"
    assert roll(text, dice={"pool": [12, 15]}).values == {"total": 15, "tens": 1}


def test_the_second_stage_sees_the_dice_of_the_first(roll: Rolls) -> None:
    text = """
rule test
    roll first = 6d6, explode on 6
    misses = first showing ..4
    roll second = dice of misses
    hits = count 5.. in first + count 5.. in second
    thrown = size of second
"""
    result = roll(text, dice={"first": [6, 6, 1, 2, 3, 5, 4, 6, 1], "second": [5, 5, 5, 5, 5]})
    assert result.values == {"hits": 4 + 5, "thrown": 5}


def test_a_name_is_rolled_once(roll: Rolls) -> None:
    text = "rule test\n    roll x = d20\n    nothing = x - x\n    same = x = x\n"
    assert roll(text).values == {"nothing": 0, "same": True}


def test_counting_before_or_after_adding(roll: Rolls) -> None:
    text = """
rule test
    roll pool = 1d20
    raised = pool with each die as die + 5
    a = count 6.. in raised
    b = count 6.. in pool + 5
"""
    assert roll(text, dice={"pool": [1]}).values == {"a": 1, "b": 5}


def test_a_face_may_count_twice(roll: Rolls) -> None:
    text = """
die proficiency = blank, success, success & triumph
rule test
    roll pool = 2 proficiency
    successes = count success in pool
    triumphs = count triumph in pool
"""
    result = roll(text, dice={"pool": ["success & triumph", "success"]})
    assert result.values == {"successes": 2, "triumphs": 1}


def test_weights_of_a_table_picked_by_a_die_are_exact(roller: Callable[[str], RuleRoller]) -> None:
    test = roller(
        "table pick, d{1 x3, 2}\n    1 often\n    2 seldom\nrule test\n    roll row = pick\n    often = row is often\n"
    )
    rng = Random(4)
    seen = Counter(test.roll({}, rng=rng).values["row"] for _ in range(8000))
    assert set(seen) == {"often", "seldom"}
    assert abs(seen["often"] - 6000) < 200


def test_a_seed_means_one_roll_and_a_generator_goes_on(roller: Callable[[str], RuleRoller]) -> None:
    test = roller("rule test\n    roll pool = 5d6\n    total = sum of pool\n")
    assert test.roll({}, seed=3).dice == test.roll({}, seed=3).dice
    rng = Random(3)
    ten = [test.roll({}, rng=rng).dice for _ in range(10)]
    rng = Random(3)
    twenty = [test.roll({}, rng=rng).dice for _ in range(20)]
    assert twenty[:10] == ten


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("    track x = 0\n    repeat until x < 0\n        x += 1\n    y = x", "more than 100,000 turns"),
        ("    given n: 0.. = 9000000\n    repeat n times\n        y = turn\n    z = n", "more than 100,000 turns"),
        ("    track x = 2\n    repeat 100 times\n        x becomes x * x\n    y = x", "a number of about"),
        ("    given n: 0.. = 10\n    y = n ^ n ^ n", "a number of about"),
        (
            "    given n: 0.. = 100000\n    y = for each die in 1..n: for each die in 1..n: die",
            "dice and items to look at",
        ),
        ("    given n: 0.. = 1000000\n    y = for each die in 1..n: die", "a range of 1000000 numbers"),
        (
            "    roll a = 90000d6\n    track x = 0\n    repeat 90000 times\n        x += count 6 in a\n    y = x",
            "dice and items",
        ),
        ("    roll a = 90000d6, with advantage 20\n    y = sum of a", "more than 300,000 dice in one roll"),
        (
            "    track x = 0\n    repeat until x > 1\n        roll a = 90000d6\n        x += count 7.. in a\n    y = x",
            "300,000 dice",
        ),
        (
            "    roll a = 90000d2, explode on 1 at most 100 times, again on sum > 1\n    y = sum of a",
            "300,000 dice",
        ),
    ],
)
def test_no_roll_takes_for_ever(refused: Refused, lines: str, message: str) -> None:
    error = refused(f"rule test\n{lines}\n")
    assert message in error.message
    assert error.line is not None


def test_text_of_a_ruleset_reaches_python_only_as_a_constant(roll: Rolls) -> None:
    evil = "__import__('os').system('x')"
    text = f"""
rule test "{evil}"
    given class: 0.. = 1 "{evil}"
    given lambda: 0.. = 2
    given run: 0.. = 3
    given see: 0.. = 4
    given door: 0.. = 5
    roll import = 2d6
    flag exec if class > 0 "{evil}"
    def = class + lambda + run + see + door + sum of import
    outcome
        + pass if def > 0 "{evil}"
        - None otherwise
"""
    result = roll(text, dice={"import": [1, 2]})
    assert result.values == {"def": 18}
    assert (result.outcome, result.text, result.flags) == ("pass", evil, ("exec",))
    assert json.loads(json.dumps(result.to_json()))["outcome"] == "pass"


def test_deep_nesting_is_an_error_not_a_crash(roller: Callable[[str], RuleRoller]) -> None:
    sums = " + ".join(["n"] * 20_000)
    with pytest.raises(RulesError):
        roller(f"rule test\n    given n: 0.. = 1\n    total = {sums}\n").roll({}, seed=1)
