"""Best choices: over numbers without end, and among options that dice decide."""

from __future__ import annotations

from fractions import Fraction

import pytest

import rulesrun
from rulesrun.dice import Law

AGAIN = """rule r
    roll p = 2d6!
    a = sum of p
    choice push by default best for damage
    roll q = 2d6! if push
    damage = sum of q if push otherwise a
    outcome
        + good_one if damage >= 15
        - bad_one otherwise
"""


def two_exploding_dice() -> Law:
    stop = Law.of({face: Fraction(1, 6) for face in range(1, 6)})
    return Law.geometric_sum(stop, Law.of({6: Fraction(1, 6)})) ** 2


def test_the_best_of_an_endless_number_is_a_threshold() -> None:
    law = two_exploding_dice()
    odds = rulesrun.parse(AGAIN)["r"].odds()
    above = law.restrict(9, None)
    assert law.mean == Fraction(42, 5)
    assert odds.of("damage").mean == above.mean * above.mass + (1 - above.mass) * law.mean
    assert odds.chance("push") == law.mass_between(None, 8)
    assert odds.policies["push"]["when"] == [{"a": value} for value in range(2, 9)]


def test_the_best_for_the_chance_of_a_good_outcome() -> None:
    law = two_exploding_dice()
    odds = rulesrun.parse(AGAIN)["r"].odds(choose={"push": "best"})
    good = law.mass_between(15, None)
    assert odds.good == good + (1 - good) * good
    worst = rulesrun.parse(AGAIN)["r"].odds(choose={"push": "worst"})
    assert worst.good == good * good


@pytest.mark.parametrize(("sure", "pushed"), [(3, 0), (2, 1)])
def test_the_mean_of_an_endless_number_is_weighed_by_how_often_it_counts(sure: int, pushed: int) -> None:
    text = (
        "rule r\n    choice push by default best for total\n    roll b = d6\n    roll p = 3d6!\n"
        f"    total = (sum of p if b = 6 otherwise 0) if push otherwise {sure}\n"
    )
    odds = rulesrun.parse(text)["r"].odds(aim="total")
    assert odds.chance("push") == pushed
    means = {"never": Fraction(sure), "always": Fraction(21, 10)}
    best = max(means.values())
    means["default"] = best
    assert odds.policies["push"]["gain"] == {word: best - mean for word, mean in means.items()}


def test_options_that_dice_decide() -> None:
    text = "rule r\n    roll a = d3\n    choice t: 0..a by default best for x\n    x = t\n"
    assert dict(rulesrun.parse(text)["r"].odds().of("x").items()) == {n: Fraction(1, 3) for n in (1, 2, 3)}
    text = "rule r\n    roll a = d6\n    choice t: dice of a by default best for x\n    x = count >= 3 in t\n"
    assert dict(rulesrun.parse(text)["r"].odds().of("x").items()) == {0: Fraction(1, 3), 1: Fraction(2, 3)}


@pytest.mark.parametrize(("sure", "takes"), [("35 / 6 - 0.01", True), ("35 / 6 + 0.01", False)])
def test_a_mean_of_sums_without_end(sure: str, takes: bool) -> None:
    """A d4 that explodes has the mean 10 / 3: two of them 20 / 3, beside 5 the mean is 35 / 6."""
    text = (
        "rule r\n    choice take by default best for total\n    roll coin = d2\n    roll p = 2d4!\n"
        f"    won = sum of p if coin = 1 otherwise 5\n    total = won if take otherwise {sure}\n"
    )
    odds = rulesrun.parse(text)["r"].odds()
    assert odds.of("total").mean == max(Fraction(35, 6), Fraction(35, 6) - (-1) ** takes * Fraction(-1, 100))
    both = text.replace("otherwise 5", "otherwise sum of q").replace("    won", "    roll q = 3d4!\n    won")
    for more, wanted in (("25 / 3 - 0.01", Fraction(25, 3)), ("25 / 3 + 0.01", Fraction(25, 3) + Fraction(1, 100))):
        assert rulesrun.parse(both.replace(sure, more))["r"].odds().of("total").mean == wanted


@pytest.mark.parametrize(("sure", "takes"), [(8, True), (9, False)])
def test_an_aim_that_is_one_sum_without_end_or_another(sure: int, takes: bool) -> None:
    """The means are 20 / 3 and 10, and 25 / 3 where a coin says which."""
    text = (
        "rule r\n    choice take by default best for ((sum of p if coin = 1 otherwise sum of q) + sum of s)\n"
        "    roll coin = d2\n    roll p = 2d4! if take\n    roll q = 3d4! if take\n"
        f"    roll s = {sure}d1 if not take\n    flag taken if take\n"
    )
    assert rulesrun.parse(text)["r"].odds()["taken"] == takes
