"""What the language rules so that nobody has to guess, one test a ruling."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest

from rulesrun.diagnostics import RulesError
from rulesrun.evaluation.roll import Roll

Rolls = Callable[..., Roll]
Refused = Callable[..., RulesError]


def value(roll: Rolls, expression: str, lines: str = "", **call: object) -> object:
    """The value of an expression at the end of a rule with these lines."""
    return roll(f"rule test\n{lines}\n    result = {expression}\n", **call).values["result"]


def test_adding_keeps_the_total_with_its_die_and_a_further_die_competes(roll: Rolls) -> None:
    dice = {"pool": [6, 4, 3, 5]}
    further = "    roll pool = 3d6, explode on 6, keep highest 2"
    adding = "    roll pool = 3d6, explode on 6 adding, keep highest 2"
    assert value(roll, "sum of pool", further, dice=dice) == 6 + 5
    assert value(roll, "sum of pool", adding, dice=dice) == 11 + 4


def test_an_exploded_die_reads_as_the_sum_of_its_throws_with_adding(roll: Rolls) -> None:
    lines = "    roll pool = 2d6, explode on 6 adding"
    assert value(roll, "count 10.. in pool", lines, dice={"pool": [6, 1, 4]}) == 1


def test_equal_faces_highest_takes_the_die_with_fewer_sides_and_lowest_is_its_complement(roll: Rolls) -> None:
    lines = "    roll pool = d4 + d12 + d8"
    dice = {"pool": [3, 3, 3]}
    assert value(roll, "for each die in highest 1 of pool: sides", lines, dice=dice) == 4
    assert value(roll, "for each die in highest 2 of pool: sides", lines, dice=dice) == 12
    assert value(roll, "for each die in lowest 1 of pool: sides", lines, dice=dice) == 12
    kept = "    roll pool = d4 + d12 + d8, keep highest 1"
    assert value(roll, "for each die in pool: sides", kept, dice=dice) == 4


def test_middle_of_an_even_number_is_the_lower_one(roll: Rolls) -> None:
    lines = "    roll pool = 4d6"
    assert value(roll, "middle of pool", lines, dice={"pool": [6, 1, 4, 3]}) == 3


def test_an_empty_pool(roll: Rolls) -> None:
    lines = "    roll pool = 0d6"
    for question in ("sum of", "size of", "highest of", "lowest of", "middle of"):
        assert value(roll, f"{question} pool", lines) == 0
    for question in ("count 6 in", "distinct in", "longest run in", "largest set in", "face of largest set in"):
        assert value(roll, f"{question} pool", lines) == 0
    assert value(roll, "any 6 in pool", lines) is False
    assert value(roll, "none 6 in pool", lines) is True
    assert value(roll, "all 6 in pool", lines) is False
    assert value(roll, "all equal in pool", lines) is False


def test_die_n_beyond_the_size_is_0(roll: Rolls) -> None:
    lines = "    roll pool = 2d6"
    assert value(roll, "die 2 of pool", lines, dice={"pool": [5, 3]}) == 3
    assert value(roll, "die 3 of pool", lines, dice={"pool": [5, 3]}) == 0


def test_a_roll_whose_condition_fails_is_an_empty_pool_and_a_die_reads_0(roll: Rolls) -> None:
    text = """
rule test
    given go: yes or no = no
    given by: .. = 0
    roll pool = 3d6, keep highest 1 / by   if go
    roll single = d6                       if go
    number = size of pool
    reads = single + 1
"""
    result = roll(text)
    assert result.values == {"number": 0, "reads": 1}
    assert result.dice == {"pool": (), "single": ()}


def test_of_a_rule_that_was_not_rolled_values_are_none_and_is_is_no(roll: Rolls) -> None:
    text = """
rule inner
    roll pool = 2d6
    total = sum of pool
    flag high if total > 10
    outcome
        + done   if total > 6
        - failed otherwise
rule test
    given go: yes or no = no
    roll once = inner if go
    missing = once.total = none
    done = once is done
    not_done = once is not done
    good = once is good
    number = size of once.pool
    high = once.high
"""
    assert roll(text).values == {
        "once.total": None,
        "missing": True,
        "done": False,
        "not_done": True,
        "good": False,
        "number": 0,
        "high": False,
    }


@pytest.mark.parametrize(
    ("throw", "message", "hint"),
    [
        ("n d6", "the number of dice cannot be negative, and `n` is -1", "max(0, n)"),
        ("(n / 2) d6", "the number of dice must be a whole number, and `n / 2` is -1/2", None),
        ("2 d(n)", "a die has at least 1 side, and `n` is -1", None),
        ("2 d(n + 1)", "a die has at least 1 side, and `n + 1` is 0", None),
        ("2 d(n / 2)", "the number of sides must be a whole number, and `n / 2` is -1/2", None),
    ],
)
def test_a_wrong_number_of_dice_or_sides_names_the_value(
    refused: Refused, throw: str, message: str, hint: str | None
) -> None:
    error = refused(f"rule test\n    given n: .. = -1\n    roll pool = {throw}\n    total = sum of pool\n")
    assert message in error.message
    assert error.line == 4
    if hint:
        assert error.hint and hint in error.hint


def test_zero_dice_are_an_empty_pool_and_d1_is_fine(roll: Rolls) -> None:
    rolls = "    roll pool = n d6\n    roll one = 3d1\n"
    text = f"rule test\n    given n: 0.. = 0\n{rolls}    total = sum of pool + 3\n    ones = sum of one\n"
    assert roll(text).values == {"total": 3, "ones": 3}


def test_none_may_be_compared_with_equals_and_asked_with_is(roll: Rolls, refused: Refused) -> None:
    text = """
rule test
    given skill: 0..5 or none = none
    given training: one of focus, specialty or none = none
    a = skill = none
    b = skill != none
    c = skill = 3
    d = training is focus
    e = training is not focus
    f = training is none
"""
    assert roll(text).values == {"a": True, "b": False, "c": False, "d": False, "e": True, "f": True}
    assert roll(text, skill=3, training="focus").values == {
        "a": False, "b": True, "c": True, "d": True, "e": False, "f": False,
    }  # fmt: skip
    error = refused("rule test\n    given skill: 0..5 or none = none\n    total = skill + 1\n")
    assert "`skill` is none here, and a number is needed" in error.message
    assert (error.line, error.column) == (4, 13)


def test_division_by_zero_is_an_error_with_position(refused: Refused) -> None:
    error = refused("rule test\n    given n: .. = 0\n    half = 1 / (n * 2)\n")
    assert "division by zero" in error.message
    assert (error.line, error.column) == (4, 17)


def test_round_down_goes_toward_minus_infinity(roll: Rolls) -> None:
    text = "rule test\n    given n: .. = -7\n    down = round_down(n / 2)\n    up = round_up(n / 2)\n"
    assert roll(text).values == {"down": -4, "up": -3}


def test_minus_binds_weaker_than_a_power(roll: Rolls) -> None:
    text = "rule test\n    given x: .. = 3\n    a = -x ^ 2\n    b = (-x) ^ 2\n    c = 2 ^ -x\n    d = 2 ^ x ^ 2\n"
    assert roll(text).values == {"a": -9, "b": 9, "c": Fraction(1, 8), "d": 512}


def test_list_at_counts_from_1_and_only_at_turn_goes_round(roll: Rolls, refused: Refused) -> None:
    text = """
rule test
    given party: list of .. = [5, 7]
    given n: .. = 2
    track total = 0
    repeat 5 times
        total += party at turn
    track written = 0
    repeat 3 times
        written += [1, 10] at turn
    second = party at n
"""
    assert roll(text).values == {"total": 5 + 7 + 5 + 7 + 5, "written": 12, "second": 7}
    error = refused(text, n=3)
    assert "`party` has items 1 to 2, and `n` is 3" in error.message
    assert "`n` is 0" in refused(text, n=0).message


def test_everything_of_a_rolled_rule_is_reachable_as_one_joint_result(roll: Rolls) -> None:
    text = """
rule inner
    choice risk by default always
    roll pool = 2d6
    total = sum of pool
    flag high if total > 10
    outcome
        + done   if total > 6
        - failed otherwise
rule test
    roll one = inner
    same = one.total = sum of one.pool
    risky = one.risk
    high = one.high
    done = one is done
"""
    result = roll(text, dice={"one.pool": [6, 5]})
    assert {name: result.values[name] for name in ("same", "risky", "high", "done")} == {
        "same": True, "risky": True, "high": True, "done": True,
    }  # fmt: skip
    assert "one.high" in result.flags


def test_a_choice_whose_condition_is_false_is_no_the_lowest_or_no_dice(roll: Rolls) -> None:
    text = """
rule test
    given go: yes or no = no
    roll pool = 3d6
    choice push if go by default always
    choice spend: 2..4 if go by default always
    choice pick: dice of pool if go by default always
    choice style: one of calm, wild if go by default always
    picked = size of pick
    wild = style is wild
"""
    assert roll(text).values == {"push": False, "spend": 2, "picked": 0, "style": "calm", "wild": False}
    assert roll(text, go=True).values == {"push": True, "spend": 4, "picked": 3, "style": "wild", "wild": True}


def test_no_by_default_means_no(roll: Rolls) -> None:
    assert roll("rule test\n    choice push\n    pushed = push\n").values == {"pushed": False, "push": False}


def test_repeat_tests_before_each_turn_and_updates_apply_in_order(roll: Rolls) -> None:
    text = """
rule test
    given start: .. = 0
    track a = start
    track b = 0
    repeat until a >= 3
        a += 1
        b += a
    turns = b
"""
    assert roll(text).values == {"a": 3, "b": 6, "turns": 6}
    assert roll(text, start=5).values == {"a": 5, "b": 0, "turns": 0}


def test_draw_of_more_than_is_left_gives_all_that_is_left(roll: Rolls) -> None:
    text = """
bag stones = 2 black, 1 white
rule test
    draw first = 2 from stones
    draw second = 5 from stones
    a = size of first
    b = size of second
    blacks = count black in first + count black in second
"""
    assert roll(text).values == {"a": 2, "b": 1, "blacks": 2}


def test_every_rolled_rule_starts_with_full_bags(roll: Rolls) -> None:
    text = """
bag stones = 2 black
rule inner
    draw mine = 5 from stones
    number = size of mine
rule test
    draw mine = 1 from stones
    roll one = inner
    roll two = inner
    numbers = 100 * size of mine + 10 * one.number + two.number
"""
    assert roll(text).values["numbers"] == 122


def test_put_back_returns_what_was_drawn_under_that_name(roll: Rolls) -> None:
    text = """
bag stones = 2 black, 1 white
rule test
    draw first = 2 from stones
    put first back
    draw second = 5 from stones
    number = size of second
    again = size of first
"""
    assert roll(text).values == {"number": 3, "again": 2}


def test_coin_and_fudge_and_percentile(roll: Rolls, refused: Refused) -> None:
    text = (
        "rule test\n    roll c = (1 + 1) coin\n    roll f = 3dF\n    roll p = d%\n    total = sum of c + sum of f + p\n"
    )
    assert roll(text, dice={"c": [1, 0], "f": [-1, 0, 1], "p": [100]}).values == {"total": 101}
    assert refused(text, dice={"c": [2]}).hint == "its faces are 1, 0"
    assert "cannot show 101" in refused(text, dice={"p": [101]}).message


def test_with_advantage_on_equal_sums_the_first_throw_stays(roll: Rolls) -> None:
    text = """
rule test
    roll pool = 2d6, with advantage 1
    first = highest of natural pool
"""
    assert roll(text, dice={"pool": [5, 2, 4, 3]}).values == {"first": 5}
    assert roll(text, dice={"pool": [4, 3, 5, 2]}).values == {"first": 4}


def test_natural_is_the_first_face_before_any_modifier(roll: Rolls) -> None:
    text = """
rule test
    roll pool = 3d6, reroll 1, explode on 6
    natural_ones = count 1 in natural pool
    natural_size = size of natural pool
    ones = count 1 in pool
"""
    assert roll(text, dice={"pool": [1, 6, 3, 2, 4]}).values == {"natural_ones": 1, "natural_size": 3, "ones": 0}


def test_natural_of_the_throw_that_advantage_keeps(roll: Rolls) -> None:
    text = """
rule test
    roll die_one = d20, reroll 1, with advantage 1
    first = natural die_one
"""
    assert roll(text, dice={"die_one": [1, 15, 12]}).values == {"first": 1}


def test_sets_of_n_are_faces_shown_by_exactly_n_dice(roll: Rolls) -> None:
    lines = "    roll pool = 6d6"
    dice = {"pool": [2, 2, 3, 3, 3, 5]}
    assert value(roll, "sets of 2 in pool", lines, dice=dice) == 1
    assert value(roll, "sets of 1 in pool", lines, dice=dice) == 1
    assert value(roll, "sets of 4 in pool", lines, dice=dice) == 0


def test_wins_of_ties_are_not_wins(roll: Rolls) -> None:
    lines = "    roll a = 3d6\n    roll b = 2d6"
    assert value(roll, "wins of a over b", lines, dice={"a": [6, 3, 1], "b": [5, 3]}) == 1


def test_a_range_whose_end_is_below_its_start_is_empty(roll: Rolls) -> None:
    text = """
rule test
    given n: .. = 0
    nothing = for each die in 1..n: die
    some = for each die in 1..(n + 3): die * die
"""
    assert roll(text).values == {"nothing": 0, "some": 14}


def test_roll_cases_without_otherwise_roll_nothing(roll: Rolls) -> None:
    text = """
rule test
    given rating: 0.. = 5
    roll pool =
        2d6, keep lowest 1        if rating = 0
        rating d6, keep highest 1 if rating < 3
    number = size of pool
"""
    assert roll(text).values == {"number": 0}
    assert roll(text, rating=0, dice={"pool": [4, 2]}).values == {"number": 1}


def test_inside_for_each_the_words_mean_the_dies(roll: Rolls) -> None:
    text = """
rule test
    given target: .. = 100
    roll pool = d6 + d8, against 4
    hits = for each die in pool: die - target
    outer = target
"""
    assert roll(text, dice={"pool": [6, 3]}).values == {"hits": 1, "outer": 100}


def test_of_several_rows_is_asks_any_and_anything_else_is_an_error(roll: Rolls, refused: Refused) -> None:
    text = """
table grade
    ..5   low
    5..9  high
rule test
    given n: .. = 5
    low = grade at n is low
    high = grade at n is high
    other = grade at n is not low
    missing = grade at n = none
"""
    assert roll(text, n=3).values == {"low": True, "high": False, "other": False, "missing": False}
    assert roll(text, n=12).values == {"low": False, "high": False, "other": True, "missing": True}
    error = refused(text, n=5)
    assert "several rows of grade fit here (low and high), and only `is` may ask them" in error.message
    asked = text.replace("    missing = grade at n = none\n", "")
    assert roll(asked, n=5).values == {"low": True, "high": True, "other": False}


def test_known_dice_are_taken_in_the_order_drawn_rolled_rules_by_their_names(roll: Rolls) -> None:
    text = """
rule inner
    roll pool = 2d6, explode on 6
    total = sum of pool
rule test
    roll left = inner
    roll right = inner
    both = left.total - right.total
"""
    result = roll(text, dice={"left.pool": [6, 1, 2], "right.pool": [3, 4]})
    assert result.values["both"] == 2


def test_an_approximate_value_may_be_shown(roll: Rolls) -> None:
    text = "rule test\n    given x: .. = 1\n    factor = 2 ^ (x / 2)\n    double = factor * 2\n"
    assert str(roll(text).values["double"]) == "about 2.82843"
    assert roll(text, x=4).values == {"factor": 4, "double": 8}


def test_a_die_from_a_bag_shows_its_name_until_it_is_thrown(roll: Rolls) -> None:
    text = (
        "die red = 1..6\ndie green = 1..4\nbag cup = 3 red, 3 green\nrule test\n"
        "    draw hand = 3 from cup\n    roll shown = dice of (hand showing red)\n"
        "    reds = count red in hand\n    colours = distinct in hand\n    total = sum of shown\n"
    )
    values = roll(text, dice={"hand": [("red",), ("green",), ("red",)], "shown": [5, 6]}).values
    assert (values["reds"], values["colours"], values["total"]) == (2, 2, 11)


def test_of_fewer_dice_than_are_kept_in_the_middle_all_stay(roll: Rolls) -> None:
    dice = {"pool": [6, 1, 3]}
    assert value(roll, "sum of pool", "    roll pool = 3d6, keep middle 5", dice=dice) == 10


@pytest.mark.parametrize(
    ("taken", "total"), [("2 dice of pool", 9), ("at most 2 dice of pool", 9), ("9 dice of pool", 10)]
)
def test_always_takes_the_highest_dice_that_may_be_taken(roll: Rolls, taken: str, total: int) -> None:
    lines = f"    roll pool = 3d6\n    choice kept: {taken} by default always"
    assert value(roll, "sum of kept", lines, dice={"pool": [6, 1, 3]}) == total
