"""Samples of whole rules: what they show, that a seed fixes them, and that they fail as a roll does."""

from __future__ import annotations

import subprocess
import sys
import tracemalloc
from fractions import Fraction
from math import sqrt
from typing import Any

import pytest

import rulesrun
from rulesrun.evaluation.sample.result import wilson

DUEL = """
rule duel
    given dice: 0..200 = 3
    roll pool = dice d6, explode on 6
    choice push if sum of pool < 8 by default never
    roll second = 2d6 if push
    total = sum of pool + sum of second
    flag wild if any 6 in pool
    outcome
        + win  if total >= 14
        ~ draw if total = 13
        - loss otherwise
"""


def rule(text: str) -> rulesrun.Rule:
    ruleset = rulesrun.parse(text, "sample.rules")
    return list(ruleset)[-1]


def near(share: float, chance: Fraction, trials: int) -> bool:
    p = float(chance)
    return abs(share - p) <= 5 * sqrt(p * (1 - p) / trials) + 3 / trials


# ---------------------------------------------------------------- what it shows


def test_a_sample_is_near_the_exact_odds() -> None:
    check = rule(DUEL)
    odds, sample = check.odds(), check.sample(40_000, seed=1)
    assert sample.trials == sample.known == 40_000
    for name in ("win", "draw", "loss", "wild"):
        low, high = sample.interval(name, 0.999999)
        assert low <= odds[name] <= high
        assert low < sample[name] < high
    assert sample.good == sample["win"]
    assert sum(sample.outcomes.values()) == pytest.approx(1)
    assert near(sample.chance("total >= 20 and wild"), odds.chance("total >= 20 and wild"), 40_000)
    assert near(sample.chance("any 5 in pool"), odds.chance("any 5 in pool"), 40_000)


def test_how_a_value_is_spread() -> None:
    spread, exact = rule(DUEL).sample(40_000, seed=2).of("total"), rule(DUEL).odds().of("total")
    low, high = spread.mean_interval(0.999999)
    assert low < exact.mean < high
    assert spread.sd == pytest.approx(exact.sd, rel=0.05)
    assert near(spread[10], exact[10], 40_000)
    assert near(spread.at_least(12), exact.at_least(12), 40_000)
    assert spread.at_most(11) == pytest.approx(1 - spread.at_least(12))
    assert list(spread) == sorted(spread)
    assert sum(share for _, share in spread.items()) == pytest.approx(1)
    assert spread.interval(10)[0] < spread[10] < spread.interval(10)[1]
    assert spread[1] == 0.0


def test_values_of_all_kinds() -> None:
    text = """
rule kinds
    roll pool = 2d3
    half = sum of pool / 2
    maybe =
        none if all equal in pool
        half otherwise
    mood: one of high, low =
        high if half > 2
        low  otherwise
    whole = half = round_down(half)
"""
    odds, sample = rule(text).odds(), rule(text).sample(20_000, seed=3)
    for name in ("half", "maybe", "mood", "whole"):
        spread = sample.of(name)
        law = dict(odds.of(name).items())
        assert set(spread) == set(law)
        assert all(near(spread[value], chance, 20_000) for value, chance in law.items())
    assert sample.of("half")[Fraction(5, 2)] > 0
    with pytest.raises(rulesrun.RulesError, match="only numbers have a mean"):
        _ = sample.of("maybe").mean


def test_conditional_chances() -> None:
    sample, odds = rule(DUEL).sample(40_000, seed=4, given="wild"), rule(DUEL).odds(given="wild")
    assert near(sample.known / 40_000, rule(DUEL).odds()["wild"], 40_000)
    assert near(sample["win"], odds["win"], sample.known)
    assert sample["wild"] == 1.0
    with pytest.raises(rulesrun.RulesError, match=r"did not come up in 1,000 trials"):
        rule(DUEL).sample(1000, seed=4, given="total < 0")


def test_policies() -> None:
    check = rule(DUEL.replace("on 6", "on 6 once"))
    for policy in ("never", "always", "sum of pool < 5", "best", "worst"):
        sample, odds = check.sample(20_000, seed=5, choose={"push": policy}), check.odds(choose={"push": policy})
        assert near(sample["win"], odds["win"], 20_000), policy
        assert sample.policies == {"push": policy}
    aimed = check.sample(20_000, seed=6, choose={"push": "best"}, aim="0 - total")
    assert near(aimed["win"], check.odds(choose={"push": "never"})["win"], 20_000)


def test_the_best_in_a_repetition() -> None:
    text = """
rule race
    track score = 0
    track left = 3
    repeat until left = 0 or score >= 7
        choice bold by default best
        roll die = d6
        gain =
            2 if bold and die >= 4
            0 if bold
            1 otherwise
        score += gain
        left becomes left - 1
    outcome
        + won  if score >= 4
        - lost otherwise
"""
    sample, odds = rule(text).sample(20_000, seed=7), rule(text).odds()
    assert near(sample["won"], odds["won"], 20_000)


def test_wilson_intervals() -> None:
    assert wilson(8, 10) == pytest.approx((0.4902, 0.9433), abs=1e-4)
    assert wilson(0, 100) == pytest.approx((0, 0.0370), abs=1e-4)
    assert wilson(100, 100)[1] == 1
    assert wilson(50, 100, 0.99) == pytest.approx((0.3753, 0.6247), abs=1e-4)
    with pytest.raises(rulesrun.RulesError, match="confidence"):
        wilson(1, 2, 95)


def test_intervals_hold_as_often_as_they_say() -> None:
    check, hits = rule("rule coin\n    roll die = d6\n    flag six if die = 6\n"), 0
    for seed in range(200):
        low, high = check.sample(300, seed=seed).interval("six", 0.9)
        hits += low <= 1 / 6 <= high
    assert 165 <= hits <= 195


def test_plain_data_for_programs() -> None:
    found = rule(DUEL).sample(2_000, seed=8).to_json()
    assert (found["seed"], found["trials"], found["given"], found["confidence"]) == (8, 2000, 2000, 0.95)
    assert set(found["outcomes"]) == {"win", "draw", "loss"}
    assert found["outcomes"]["win"]["good"] is True
    low, high = found["outcomes"]["win"]["interval"]
    assert low < found["outcomes"]["win"]["chance"] < high
    total = found["values"]["total"]
    assert total["mean"]["interval"][0] < total["mean"]["value"] < total["mean"]["interval"][1]
    assert sum(each["chance"] for each in total["estimates"].values()) == pytest.approx(1)
    assert found["policies"] == {"push": {"policy": "never"}}
    assert found["method"]["block"] == 1 << 14


def test_a_notebook_sees_a_table() -> None:
    sample = rule(DUEL).sample(500, seed=8)
    assert "<table>" in sample._repr_html_()
    assert "win" in repr(sample)


# ---------------------------------------------------------------- the same for the same seed


def shares(sample: Any) -> tuple[Any, ...]:
    return tuple(sorted(sample.joint.items(), key=str))


def test_any_number_of_workers_gives_the_same() -> None:
    check = rule(DUEL)
    one, two, four = (check.sample(70_000, seed=9, workers=workers) for workers in (1, 2, 4))
    assert shares(one) == shares(two) == shares(four)
    assert [list(each.of("total").counts()) for each in (one, two, four)].count(list(one.of("total").counts())) == 3


def test_a_seed_fixes_a_sample() -> None:
    check = rule(DUEL)
    assert shares(check.sample(3000, seed=10)) == shares(check.sample(3000, seed=10))
    assert shares(check.sample(3000, seed=10)) != shares(check.sample(3000, seed=11))
    assert shares(check.sample(3000, seed=-10)) != shares(check.sample(3000, seed=10))
    drawn = check.sample(3000)
    assert shares(check.sample(3000, seed=drawn.seed)) == shares(drawn)


def test_rules_with_many_dice_are_worked_on_in_smaller_blocks_and_give_the_same() -> None:
    check = rule("rule heap\n    roll pool = 3000 d6\n    total = sum of pool\n    flag high if total > 10500\n")
    one, two = (check.sample(2500, seed=12, workers=workers) for workers in (1, 2))
    assert one.method["block"] < 2500
    assert shares(one) == shares(two)
    assert near(one["high"], Fraction(1, 2), 2500)


def test_memory_is_bounded() -> None:
    check = rule(
        "rule heap\n    roll pool = 60d10, keep highest 20\n    total = sum of pool\n    flag high if total > 150\n"
    )
    peaks = []
    for trials in (40_000, 160_000):
        tracemalloc.start()
        check.sample(trials, seed=13, workers=2)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert max(peaks) < 150_000_000
    assert peaks[1] < peaks[0] * 1.5 + 20_000_000


def test_numpy_is_imported_only_when_sampling() -> None:
    code = (
        "import sys, rulesrun\n"
        "check = rulesrun.load('hive.rules')['skill_check']\n"
        "check.roll(seed=1)\n"
        "assert 'numpy' not in sys.modules\n"
        "check.sample(10, seed=1)\n"
        "assert 'numpy' in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


# ---------------------------------------------------------------- what goes wrong


def failure(text: str, trials: int = 20_000, **call: Any) -> rulesrun.RulesError:
    with pytest.raises(rulesrun.RulesError) as caught:
        rule(text).sample(trials, seed=1, **call)
    return caught.value


def test_an_error_in_any_trial_is_that_of_a_roll() -> None:
    text = "rule main\n    roll die = d500\n    x = 12 / (die - 3)\n"
    error = failure(text)
    assert error.message == "division by zero: `die - 3` is 0 here"
    assert (error.file, error.line) == ("sample.rules", 3)
    with pytest.raises(rulesrun.RulesError) as caught:
        rule(text).roll(dice={"die": [3]})
    assert str(caught.value) == str(error)


def test_what_a_condition_guards_is_no_error() -> None:
    text = """
rule main
    roll die = d20
    x = 0 if die = 3 otherwise 12 / (die - 3)
    y = die != 3 and 12 / (die - 3) > 2
    z = die = 3 or 12 / (die - 3) > 2
    cases =
        1             if die <= 3
        12 / (die - 3) otherwise
    roll pool = (die - 4) d6 if die >= 4
"""
    sample, odds = rule(text).sample(20_000, seed=1), rule(text).odds()
    for name in ("x", "y", "z", "cases"):
        assert all(near(sample.of(name)[value], chance, 20_000) for value, chance in odds.of(name).items())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("rule main\n    roll die = d1000\n    roll pool = (2 - die) d6\n", "the number of dice cannot be negative"),
        ("rule main\n    roll die = d1000\n    roll other = d(die - 7)\n", "a die has at least 1 side"),
        ("rule main\n    roll die = d6\n    list = [1, 2]\n    x = list at die\n", "`list` has items 1 to 2"),
        (
            "rule inner\n    total = 4 / 2\n\nrule main\n    roll die = d6\n    roll other = inner if die > 1\n"
            "    y = other.total + 1\n",
            "`other.total` is none here",
        ),
        ("rule main\n    roll die = d6\n    x = (1 / 2) ^ (die / 2)\n    y = x > 1\n", "is only approximate"),
        ("rule main\n    roll die = d6\n    x = clamp(die, 5, 7 - die)\n", "nothing lies between"),
        (
            "rule main\n    track x = 0\n    repeat until x > 6\n        roll die = d6\n        x becomes die\n",
            "more than 100,000 turns in one roll",
        ),
        (
            "rule main\n    roll die = d3000\n    roll a = (100000 if die = 1 otherwise 1) d6\n    roll b = dice of a"
            "\n    roll c = dice of b\n    roll e = dice of c\n",
            "more than 300,000 dice in one roll",
        ),
        (
            "rule main\n    roll die = d6\n    x = for each die in 1..10000: (for each die in 1..1000: die)\n",
            "dice and items to look at",
        ),
        ("rule main\n    given n: 1..9\n    roll die = d6\n", "main needs n"),
    ],
)
def test_errors_have_their_place(text: str, message: str) -> None:
    error = failure(text)
    assert message in error.message
    assert error.line is not None or "needs" in message


def test_calls_that_make_no_sense() -> None:
    check = rule(DUEL)
    for trials in (0, -1, 2.5, True):
        with pytest.raises(rulesrun.RulesError, match="trials"):
            check.sample(trials, seed=1)  # type: ignore[arg-type]
    with pytest.raises(rulesrun.RulesError, match="a seed is a whole number"):
        check.sample(10, seed="x")  # type: ignore[arg-type]
    with pytest.raises(rulesrun.RulesError, match="workers"):
        check.sample(10, seed=1, workers=0)
    with pytest.raises(rulesrun.RulesError, match="cannot ask"):
        check.sample(10, seed=1, choose={"push": "ask"})
    with pytest.raises(KeyError, match="did you mean win"):
        _ = check.sample(10, seed=1)["wim"]
    with pytest.raises(rulesrun.RulesError, match="no outcomes"):
        _ = rule("rule bare\n    roll die = d6\n").sample(10, seed=1).good


def test_an_interruption_ends_with_what_is_done() -> None:
    check, done = rule(DUEL), []

    def stop(trials: int) -> None:
        done.append(trials)
        if len(done) == 2:
            raise KeyboardInterrupt

    sample = check.sample(200_000, seed=14, progress=stop, keep_interrupted=True)
    assert not sample.complete
    assert sample.trials == done[-1] < 200_000
    assert shares(sample) == shares(check.sample(sample.trials, seed=14))
    done.clear()
    with pytest.raises(KeyboardInterrupt):
        check.sample(200_000, seed=14, progress=stop)


def test_values_counted_along_are_those_counted_later() -> None:
    check = rule(DUEL)
    along = check.sample(20_000, seed=16, of=["total", "sum of second"])
    later = check.sample(20_000, seed=16)
    for name in ("total", "sum of second"):
        assert list(along.of(name).counts()) == list(later.of(name).counts())
    assert check.numbers == ("total",)


def test_progress_is_told_to_the_end() -> None:
    told: list[int] = []
    rule(DUEL).sample(70_000, seed=15, progress=told.append)
    assert told == sorted(told)
    assert told[-1] == 70_000


def test_dice_of_several_sizes_that_explode_on_their_highest_face_or_a_one() -> None:
    made = rulesrun.parse("rule r\n    roll p = 2d6 + 2d4, explode on sides or 1 once\n    x = sum of p\n")["r"]
    low, high = made.sample(20_000, seed=1).of("x").mean_interval(0.999999)
    assert (
        low
        < made.odds().of("x").mean
        == 2 * Fraction(7, 2) * Fraction(4, 3) + 2 * Fraction(5, 2) * Fraction(3, 2)
        < high
    )


@pytest.mark.parametrize(
    ("modifier", "mean"),
    [
        ("explode on 3 once adding", Fraction(55, 8)),
        ("explode on 2.. at most 2 times adding", Fraction(79, 8)),
        ("explode on 3 once", Fraction(35, 8)),
    ],
)
def test_dice_with_symbols_add_up_by_their_numbers(modifier: str, mean: Fraction) -> None:
    text = (
        "die twin = 1 & moon x2, 2 & star, 3\nrule r\n    roll p = 2 twin, {}\n    x = sum of p + 5 * count 4.. in p\n"
    )
    made = rulesrun.parse(text.format(modifier))["r"]
    low, high = made.sample(20_000, seed=2).of("x").mean_interval(0.999999)
    assert low < made.odds().of("x").mean == mean < high
