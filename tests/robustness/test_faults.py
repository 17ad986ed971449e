"""The kinds of fault that other dice tools were reported for, one by one: FAULTS.md names each and its test here.

Every kind is tried as a person meets it: in a roll, in exact odds, and where the two could differ, in both forms of a
roll.
"""

from __future__ import annotations

import io
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest

import rulesrun
from rulesrun import Rule, RulesError
from rulesrun.cli.main import main
from rulesrun.cli.terminal import Terminal
from rulesrun.render.layout import PLAIN

RULE = "rule r\n    "


def refusals(text: str, **inputs: Any) -> Iterator[RulesError]:
    """What is said when the file is read; else when the first rule is rolled, in either form, and in odds of all."""
    try:
        rule = next(iter(rulesrun.parse(text, "r.rules")))
    except RulesError as error:
        yield error
        return
    for _ in range(2):
        with pytest.raises(RulesError) as caught:
            rule.roll(inputs=inputs, seed=1)
        yield caught.value
    with pytest.raises(RulesError) as caught:
        all_odds(rule, inputs)
    yield caught.value


def all_odds(rule: Rule, inputs: dict[str, Any]) -> None:
    """The odds of every value."""
    odds = rule.odds(inputs=inputs)
    for each in rule.values:
        odds.of(each.name)


def refused(text: str, said: str, line: int, **inputs: Any) -> None:
    """Every way of asking is answered by the same error at the same line."""
    for error in refusals(text, **inputs):
        assert said in str(error)
        assert (error.file, error.line) == ("r.rules", line)
        assert error.column is not None


def of(text: str, name: str = "x", **inputs: Any) -> dict[Any, Fraction]:
    """The exact chances of a value of the first rule; every roll of a hundred has a chance there."""
    rule = next(iter(rulesrun.parse(text, "r.rules")))
    chances = dict(rule.odds(inputs=inputs).of(name).items())
    rng = Random(3)
    assert {rule.roll(inputs=inputs, rng=rng).values[name] for _ in range(100)} <= chances.keys()
    return chances


def value(text: str, name: str = "x", **inputs: Any) -> Any:
    """The one value that is possible."""
    (only,) = of(text, name, **inputs)
    return only


def command(tmp_path: Path, text: str | bytes, *words: str) -> tuple[int, str, str]:
    """Exit status and streams of a call on a file `a.rules`."""
    file = tmp_path / "a.rules"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    out, err = io.StringIO(), io.StringIO()
    status = main([each.replace("FILE", str(file)) for each in words], Terminal(io.StringIO(), out, err, PLAIN, PLAIN))
    return status, out.getvalue(), err.getvalue()


# ---------------------------------------------------------------- sizes and numbers of dice


def test_b01_a_huge_count() -> None:
    refused(RULE + "roll p = 100000000d20\n    x = sum of p\n", "the limit is 100,000", 2)
    refused(RULE + "given n: 0.. = 1\n    roll p = n d20\n    x = sum of p\n", "the limit is 100,000", 3, n=10**8)


def test_b05_huge_sides() -> None:
    sides = 99999999999999999999999999999999
    rule = rulesrun.parse(f"{RULE}roll p = 1d{sides}\n    x = sum of p\n")["r"]
    drawn = [rule.roll(seed=seed).values["x"] for seed in range(20)]
    assert len(set(drawn)) == 20
    assert max(drawn) > sides // 2
    with pytest.raises(RulesError, match="sides; the limit is 10,000"):
        rule.odds().of("x")


def test_b08_symbol_pools() -> None:
    text = """\
die ability     = blank, success x2, success & success, advantage x2, success & advantage, advantage & advantage
die proficiency = blank, success x2, success & success x2, advantage, success & advantage x3, advantage x2, triumph
die difficulty  = blank, failure, failure & failure, threat x3, threat & threat, failure & threat
die challenge   = blank, failure x2, failure & failure x2, threat x2, failure & threat x2, threat & threat x2, despair
rule r
    roll p = 5 ability + 3 proficiency + 4 difficulty + 2 challenge
    x = count (success or triumph) in p - count (failure or despair) in p
"""
    chances = of(text)
    assert sum(chances.values()) == 1
    assert min(chances) >= -12 and max(chances) <= 16
    mean = sum(value * chance for value, chance in chances.items())
    assert mean == 5 * Fraction(5, 8) + 3 * Fraction(10, 12) - 4 * Fraction(4, 8) - 2 * Fraction(9, 12)


@pytest.mark.parametrize(
    ("throw", "line"),
    [("1d1, explode on 1", 2), ("1d6, reroll < 7", 2), ("4d6, explode on 1..", 2), ("2d4, again on sum >= 2", 2)],
)
def test_b09_b11_what_never_ends(throw: str, line: int) -> None:
    refused(f"{RULE}roll p = {throw}\n    x = sum of p\n", "never ends", line)


def test_b11_only_the_face_that_is_named_is_rolled_again() -> None:
    rule = rulesrun.parse(RULE + "roll p = 4d6, reroll 4 once\n    x = sum of p\n")["r"]
    assert rule.roll(dice={"p": [1, 4, 1, 2, 6]}).values["x"] == 1 + 6 + 1 + 2


@pytest.mark.parametrize(("sides", "said"), [(1, "explodes"), (0, "`sides` is 0")])
def test_b14_sides_from_outside(sides: int, said: str) -> None:
    text = RULE + "given sides: 0.. = 6\n    roll p = 3 d(sides), explode on sides\n    x = sum of p\n"
    for error in refusals(text, sides=sides):
        assert said in error.message
        assert error.line == 3


def test_b15_no_sides() -> None:
    refused(RULE + "roll p = 2d0\n    x = sum of p\n", "no die with 0 sides", 2)


def test_b18_no_dice() -> None:
    assert of(RULE + "roll p = 0d6\n    x = sum of p\n") == {0: 1}
    assert of(RULE + "roll p = 0d6\n    x = sum of p + 3\n") == {3: 1}


def test_b21_b22_negative_numbers_of_dice() -> None:
    assert of(RULE + "roll p = 9d2\n    x = -(sum of p)\n").keys() == set(range(-18, -8))
    refused(RULE + "roll p = (-9)d20\n    x = sum of p\n", "-9 dice cannot be rolled", 2)
    refused(RULE + "roll p = (5 + (-10)) d10\n    x = sum of p\n", "-5 dice cannot be rolled", 2)
    refused(RULE + "given n: .. = -5\n    roll p = n d10\n    x = sum of p\n", "`n` is -5", 3)
    refused(RULE + "roll p = -9d20\n    x = sum of p\n", "minus", 2)


def test_b23_a_rule_of_its_own_for_the_empty_pool() -> None:
    text = """\
rule r
    given size: .. = 0
    roll p =
        size d6 if size > 0
        2d6, keep lowest 1 otherwise
    x = highest of p
"""
    assert of(text, size=-3)[6] == Fraction(1, 36)
    assert of(text, size=1)[6] == Fraction(1, 6)


# ---------------------------------------------------------------- arithmetic


def test_b26_rounding_to_zero_names_the_result_once() -> None:
    text = RULE + "roll p = 4dF\n    n = sum of p\n    x = round_down(n / 2) if n > 0 otherwise round_up(n / 2)\n"
    assert of(text).keys() == {-2, -1, 0, 1, 2}


def test_b27_division_is_exact() -> None:
    rule = rulesrun.parse(RULE + "roll p = 4d20\n    x = sum of p / 4\n")["r"]
    assert rule.roll(dice={"p": [1, 2, 3, 4]}).values["x"] == Fraction(5, 2)
    assert rule.odds().of("x").mean == Fraction(21, 2)


@pytest.mark.parametrize("written", ["1 % 2", "d6 % 2", "3 ** 2", "3 // 2", "1 & 2"])
def test_b52_operators_that_are_none(written: str) -> None:
    for error in refusals(f"{RULE}x = {written}\n"):
        assert (error.line, error.file) == (2, "r.rules")


def test_b52_powers_are_computed() -> None:
    assert value(RULE + "x = 6 ^ 2\n") == 36
    refused(RULE + "roll p = d6\n    x = p ^ 0.5 >= 2\n", "", 3)


def test_b53_the_usual_precedence() -> None:
    assert value(RULE + "x = 1 + 4 * 10\n") == 41
    assert value(RULE + "x = -2 ^ 2\n") == -4


def test_b55_leading_signs() -> None:
    assert [value(f"{RULE}x = {each}\n") for each in ("-1", "+1", "0 - 1", "-(2 + 1)", "--1")] == [-1, 1, -1, -3, 1]
    refused(RULE + "x = -d6\n", "only in a `roll` line", 2)
    refused(RULE + "x = +2d6\n", "only in a `roll` line", 2)


@pytest.mark.parametrize("written", ["d20 -5", "d20- 5", "d20 - 5", "d20-5", "d20\t-\t5"])
def test_b57_blanks_change_nothing(written: str) -> None:
    assert of(f"{RULE}roll d = d20\n    x = {written.replace('d20', 'd')}\n").keys() == set(range(-4, 16))


@pytest.mark.parametrize("sign", ["\u2212", "\u2013"])
def test_b59_other_minus_signs(sign: str) -> None:
    try:
        assert of(f"{RULE}roll d = d20\n    x = d {sign} 2\n").keys() == set(range(-1, 19))
    except RulesError as error:
        assert sign in error.message
        assert (error.line, error.column) == (3, 11)


def test_b59_digits_of_other_scripts() -> None:
    refused(RULE + "x = \uff11\uff12\n", "\uff11", 2)


def test_b77_tiny_chances_do_not_vanish() -> None:
    odds = rulesrun.parse(RULE + "roll p = 60d100\n    x = sum of p\n    y = x = 60\n")["r"]
    assert odds.odds().of("x")[60] == Fraction(1, 100**60)
    known = odds.odds(given="x <= 61")
    assert known.of("x")[60] + known.of("x")[61] == 1
    assert known.of("x")[60] == Fraction(1, 61)


# ---------------------------------------------------------------- keeping, exploding, counting


def test_b28_keep_more_than_there_are() -> None:
    assert of(RULE + "roll p = 1d6, keep highest 2\n    x = sum of p\n") == {
        face: Fraction(1, 6) for face in range(1, 7)
    }


def test_b30_chains_or_dice_compete() -> None:
    dice = RULE + "roll p = 2d2, explode on 2 once, keep highest 1\n    x = sum of p\n"
    chains = RULE + "roll p = 2d2, explode on 2 once adding, keep highest 1\n    x = sum of p\n"
    assert of(dice).keys() == {1, 2}
    assert of(chains) == {1: Fraction(1, 4), 3: Fraction(5, 16), 4: Fraction(7, 16)}


def test_b33_each_die_or_the_sum_explodes() -> None:
    each = RULE + "roll p = 2d2, explode on 2 once\n    x = sum of p\n"
    whole = RULE + "roll p = 2d2, again on sum = 4 once\n    x = sum of p\n"
    assert of(each)[4] == Fraction(1, 4)
    assert 4 not in of(whole)
    assert of(whole)[6] == Fraction(1, 16)


def test_b34_modifiers_without_a_comma() -> None:
    refused(RULE + "roll p = 2d20khmin10\n    x = sum of p\n", "", 2)
    refused(RULE + "roll p = 2d20 keep highest 1\n    x = sum of p\n", "comma", 2)


def test_b35_below_or_at_most() -> None:
    def mean(faces: str) -> Fraction:
        rule = rulesrun.parse(f"{RULE}roll p = 2d6, reroll {faces} once\n    x = sum of p\n")["r"]
        return rule.odds().of("x").mean

    assert mean("< 2") == Fraction(47, 6)
    assert mean("<= 2") == Fraction(25, 3)


def test_b39_b42_what_is_dropped_is_gone() -> None:
    text = RULE + "roll p = 2d20, keep highest 1\n    x = sum of p\n"
    assert max(of(text)) == 20
    rule = rulesrun.parse(text)["r"]
    assert rule.odds().of("x").mean == Fraction(553, 40)
    for seed in range(50):
        roll = rule.roll(seed=seed)
        assert roll.values["x"] == max(roll.dice["p"])


def test_b41_a_dropped_group_leaks_nothing() -> None:
    text = RULE + "roll p = 2d6\n    roll q = 2d6\n    x = max(count 4.. in p, count 4.. in q)\n"
    assert of(text) == {0: Fraction(1, 16), 1: Fraction(8, 16), 2: Fraction(7, 16)}


def test_b44_the_second_stage_sees_the_dice_of_the_first() -> None:
    text = RULE + "roll p = 2d6, explode on 6 once\n    missed = p showing ..4\n"
    text += "    roll q = dice of missed\n    x = size of q\n"
    assert sum(of(text).values()) == 1
    assert max(of(text)) == 2
    rule = rulesrun.parse(text)["r"]
    assert rule.roll(dice={"p": [6, 6, 1, 2], "q": [3, 3]}).values["x"] == 2


def test_b46_a_name_is_rolled_once() -> None:
    assert of(RULE + "roll d = d20\n    x = d - d\n") == {0: 1}


def test_b48_before_or_after_counting() -> None:
    assert value(RULE + "roll p = 1d20\n    y = p with each die as die + 5\n    x = count 6.. in y\n") == 1
    assert of(RULE + "roll p = 1d20\n    x = count 6.. in p + 5\n").keys() == {5, 6}


def test_b50_a_symbol_with_two_meanings() -> None:
    text = """\
die proficiency = success & triumph, success, blank
rule r
    roll p = 1 proficiency
    successes = count success in p
    triumphs  = count triumph in p
    x = successes * 10 + triumphs
"""
    assert of(text) == {11: Fraction(1, 3), 10: Fraction(1, 3), 0: Fraction(1, 3)}


# ---------------------------------------------------------------- names and words


@pytest.mark.parametrize(
    "name", ["score", "d20_bonus", "max_hp", "mind6", "keep", "resin", "ceiling", "d", "kh", "notes"]
)
def test_b62_names_that_begin_like_words(name: str) -> None:
    assert value(f"{RULE}{name} = 7\n    x = {name} + 1\n") == 8


def test_b64_an_input_called_d() -> None:
    assert set(of(RULE + "given n: 1.. = 2\n    given d: 1.. = 4\n    roll p = n d(d)\n    x = sum of p\n")) == set(
        range(2, 9)
    )


@pytest.mark.parametrize(
    "comment", ["please", "kh1 dl", 'he said "no', "((([", "keep highest 1", "if x otherwise", "# #"]
)
def test_b66_a_comment_changes_nothing(comment: str) -> None:
    assert of(f"{RULE}roll d = d20   # {comment}\n    x = d + 0 # {comment}\n").keys() == set(range(1, 21))


def test_b68_deep_brackets() -> None:
    refused(f"{RULE}x = {'(' * 5000}1{')' * 5000}\n", "deeper than 50", 2)


@pytest.mark.parametrize("written", ["1da", "1d", "d", "1dd6", "1d6d", "d-6", "2d6d6", "dd"])
def test_b71_half_written_dice(written: str) -> None:
    for error in refusals(f"{RULE}roll p = {written}\n    x = sum of p\n"):
        assert error.line == 2
        assert error.column is not None
        assert "Error" not in error.message


def test_b73_a_missing_plus() -> None:
    for written in ("4d6 3d8", "4d63d8"):
        for error in refusals(f"{RULE}roll p = {written}\n    x = sum of p\n"):
            assert error.line == 2
            assert "+" in (error.hint or "") or "3d8" in str(error) or "d8" in str(error)


def test_b74_what_is_not_there() -> None:
    refused(RULE + "x = before.total\n", "before", 2)
    refused(RULE + "x = y\n    y = 3\n", "y", 2)


def test_b76_one_bad_rule_of_three(tmp_path: Path) -> None:
    text = "rule a\n    x = 1\nrule b\n    x = nothing_there\nrule c\n    x = 1\n"
    status, out, err = command(tmp_path, text, "FILE", "a")
    assert (status, out) == (2, "")
    assert "a.rules:4:9: error:" in err and "nothing_there" in err


def test_b90_what_stands_twice(tmp_path: Path) -> None:
    status, _, err = command(tmp_path, "rule a\n    x = 1\nrule a\n    x = 2\n", "check", "FILE")
    assert status == 1
    assert "a.rules:3:6" in err and "1 |" in err
    status, _, err = command(tmp_path, "table t\n    one 1\n    one 2\n" + RULE + "x = 1\n", "check", "FILE")
    assert status == 1
    assert "a.rules:3:5" in err and "2 |" in err


# ---------------------------------------------------------------- chance


@pytest.mark.parametrize("sides", [6, 20, 100])
def test_b80_no_face_is_favoured(sides: int) -> None:
    rule = rulesrun.parse(f"{RULE}roll p = 20000 d{sides}\n    x = sum of p\n")["r"]
    faces = Counter(rule.roll(seed=5).dice["p"])
    expected = 20_000 / sides
    chi = sum((faces[face] - expected) ** 2 / expected for face in range(1, sides + 1))
    assert chi < sides + 6 * (2 * sides) ** 0.5


def test_b80_a_range_that_is_no_power_of_two() -> None:
    rule = rulesrun.parse(RULE + "roll p = 3000 d3000000000\n    x = sum of p\n")["r"]
    faces = rule.roll(seed=5).dice["p"]
    thirds = Counter(int(str(face)) * 3 // 3_000_000_001 for face in faces)
    assert all(abs(thirds[third] - 1000) < 160 for third in range(3))


def test_b82_three_entries_picked_by_four_sides() -> None:
    text = "table t, d4\n    1 one\n    2 two\n    3..4 three\n" + RULE + "roll row = t\n    x = row is three\n"
    assert of(text)[True] == Fraction(1, 2)


def test_b83_the_same_seed_everywhere(tmp_path: Path) -> None:
    file = tmp_path / "a.rules"
    file.write_text(RULE + "roll p = 10d100\n    x = sum of p\n")
    words = [sys.executable, "-m", "rulesrun", str(file), "--seed", "9", "--json"]
    one, other = (subprocess.run(words, capture_output=True, check=True, timeout=120).stdout for _ in range(2))
    assert one == other
    rule = rulesrun.load(file)["r"]
    first, second = rule.roll(seed=9), rule.roll(seed=9)
    assert first.dice == second.dice
    assert str(list(first.dice["p"])) in one.decode()
    rng, again = Random(9), Random(9)
    ten = [rule.roll(rng=rng).dice for _ in range(10)]
    assert [rule.roll(rng=again).dice for _ in range(20)][:10] == ten


# ---------------------------------------------------------------- files


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace("\n", "\r\n"),
        lambda text: text.replace("\n", "\r\n", 1),
        lambda text: text.replace("\n", "\r"),
        lambda text: text.rstrip("\n"),
        lambda text: "\ufeff" + text,
        lambda text: text.replace("    ", "\t"),
    ],
)
def test_b85_line_endings(tmp_path: Path, change: Any) -> None:
    text = "setting n = 2\n\n# A comment\nrule r\n    roll p = n d6\n    x = sum of p\n"
    plain = command(tmp_path, text, "odds", "FILE", "--json")
    assert plain[0] == 0
    for words in (("odds", "FILE", "--json"), ("check", "FILE"), ("FILE", "--seed", "1", "--json")):
        assert command(tmp_path, change(text), *words) == command(tmp_path, text, *words)


def test_b88_what_doubles_forty_times() -> None:
    pools = "roll p0 = 8d6\n" + "".join(f"    p{n} = p{n - 1} + p{n - 1}\n" for n in range(1, 41))
    rule = rulesrun.parse(RULE + pools + "    x = size of p40\n", "r.rules")["r"]
    for _ in range(2):
        with pytest.raises(RulesError, match="the limit is 300,000") as caught:
            rule.roll(seed=1)
        assert caught.value.line == 18
    with pytest.raises(RulesError):
        rule.odds(budget=20_000).of("x")
    rules = "rule r0\n    roll p = d6\n    x = p + 0\n" + "".join(
        f"rule r{n}\n    roll a = r{n - 1}\n    roll b = r{n - 1}\n    x = a.x + b.x\n" for n in range(1, 41)
    )
    with pytest.raises(RulesError, match="more than 20,000 steps"):
        rulesrun.parse(rules)


def test_b88_shared_work_is_counted_once() -> None:
    numbers = "x0 = 1\n" + "".join(f"    x{n} = x{n - 1} + x{n - 1}\n" for n in range(1, 400))
    assert value(RULE + numbers + "    x = x399\n") == 2**399
