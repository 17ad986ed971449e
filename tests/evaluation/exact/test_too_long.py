"""Questions that would run for minutes are refused by the budget; repetitions inside one another are compiled once."""

from __future__ import annotations

from fractions import Fraction
from math import comb, factorial
from typing import Any

import pytest

import rulesrun
from rulesrun import RulesError
from rulesrun.evaluation.exact import question
from rulesrun.evaluation.exact.answer import Answer
from rulesrun.evaluation.exact.collecting import collected
from rulesrun.evaluation.exact.effort import Effort
from rulesrun.evaluation.exact.listing import ENDLESS_TAIL
from rulesrun.evaluation.exact.states import Run

NATURALS = """\
rule r
    roll pool = 3d8, explode on 8 adding
    result = highest of pool
    bust   = 2 * count 1 in (natural pool) > 3
    outcome
        - bust    if bust
        + success if result >= 5
        - failure otherwise
"""

CHOSEN = """\
rule r
    roll p = 4d10
    choice c: dice of p by default best for x
    roll q = dice of c
    x = sum of q + size of p
"""


def refused(text: str, budget: int = 2_000_000, name: str = "x") -> RulesError:
    """The error for a question that is over the budget."""
    with pytest.raises(RulesError) as caught:
        rulesrun.parse(text, "r.rules")["r"].odds(budget=budget).of(name)
    assert "r is too large for exact odds: " in caught.value.message
    assert caught.value.line == 1
    assert f"`--budget {10 * budget}`" in (caught.value.hint or "")
    return caught.value


def test_first_faces_beside_sums_without_end_are_not_listed_one_by_one() -> None:
    assert "1,774,630 ways in which 3 dice can fall" in refused(NATURALS, name="result").message


def test_what_options_are_weighed_for_counts() -> None:
    assert "more than 200,000 steps" in refused(CHOSEN, 200_000).message


def test_cells_of_exploding_dice_count_for_their_rows() -> None:
    text = "rule r\n    roll p = 3d6, explode on 6\n    x = for each die in p: count die in p\n"
    assert "more than 200,000 steps" in refused(text, 200_000).message


def test_a_corner_that_stays_open_is_not_followed_further(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two numbers without end are compared: however far they are followed, both may be further still."""
    passed: list[Run] = []

    def noted(run: Run, *rest: Any) -> Answer:
        passed.append(run)
        return collected(run, *rest)

    monkeypatch.setattr(question, "collected", noted)
    text = (
        "rule r\n    roll p = 2d6, explode on 5.. adding\n    roll q = 2d6, explode on 5.. adding\n"
        "    x = any 3 in p and any 3 in q and highest of p > highest of q\n"
    )
    with pytest.raises(RulesError, match="endless in a way that has no exact chance"):
        rulesrun.parse(text, "r.rules")["r"].odds().of("x")
    assert passed[-1].algebra.tail == ENDLESS_TAIL


@pytest.mark.parametrize(
    "value", ["1 if die > sum of q otherwise 0", "min(die, sum of q)", "min(die, sum of p)", "round_down(60 / die)"]
)
def test_dice_without_end_held_against_sums_without_end_are_not_listed(value: str) -> None:
    """Those that are told apart one by one fall in 125,000 ways, and most of what is further up stays open."""
    text = (
        "rule r\n    roll q = 1d6, explode on 6 adding\n    roll p = 2d6, explode on 6 adding\n"
        f"    x = for each die in p: {value}\n"
    )
    with pytest.raises(RulesError) as caught:
        rulesrun.parse(text, "r.rules")["r"].odds().of("x")
    assert caught.value.diagnostics[0].code in ("endless", "budget")
    assert "ways" not in caught.value.message


def test_a_bound_far_up_is_told() -> None:
    text = "rule r\n    roll p = 1d6, explode on 6 adding\n    x = for each die in p: 1 if die > {} otherwise 0\n"
    for bound in (260, 299, 500, 501):
        law = rulesrun.parse(text.format(bound), "r.rules")["r"].odds().of("x")
        assert law[1] == Fraction(6 - bound % 6, 6 ** (bound // 6 + 1))


def test_repetitions_inside_one_another_are_compiled_once() -> None:
    depth = 18
    turns = "".join(f"{'    ' * (level + 1)}repeat 2 times\n" for level in range(depth))
    text = f"rule r\n    track x = 1\n{turns}{'    ' * (depth + 1)}x += 1\n    y = x\n"
    assert rulesrun.parse(text, "r.rules")["r"].odds().of("y").mean == 2**depth + 1


def test_chances_with_long_numbers_count_for_their_length() -> None:
    text = "rule r\n    roll a = 3000d6\n    roll b = 3000d6\n    x = max(sum of a, sum of b)\n"
    assert "more than 200,000 steps" in refused(text, 200_000).message


def test_the_sum_of_very_many_unlike_dice_is_refused_before_it_is_added_up() -> None:
    dice = " + ".join(f"1d{sides}" for sides in range(2, 1202))
    assert "an exact distribution over " in refused(f"rule r\n    roll p = {dice}\n    x = sum of p\n").message


def test_the_sum_of_many_unlike_dice_is_that_of_each() -> None:
    dice = " + ".join(f"1d{sides}" for sides in range(2, 33))
    x = rulesrun.parse(f"rule r\n    roll p = {dice}\n    x = sum of p\n", "r.rules")["r"].odds().of("x")
    assert x.mean == sum(Fraction(sides + 1, 2) for sides in range(2, 33))
    assert x[31] == Fraction(1, factorial(32))


def test_series_without_end_count_for_what_their_arithmetic_takes() -> None:
    text = "rule r\n    roll p = 5d6, explode on 6\n    x = largest set in p * 100 + sum of p\n"
    x = rulesrun.parse(text, "r.rules")["r"].odds().of("x")
    assert x.mean == Fraction(329588527, 1259712)
    assert "more than 20,000 steps of arithmetic with long numbers" in refused(text, 20_000).message


def test_products_of_long_sums_count_for_what_their_arithmetic_takes() -> None:
    turns = "".join(f"{'    ' * (level + 1)}repeat 2 times\n" for level in range(18))
    inside = "    " * 19
    text = f"rule r\n    track n = 0\n{turns}{inside}roll p = d6\n{inside}n += p\n    x = n\n"
    assert "arithmetic with long numbers" in refused(text, 300_000).message


MANY_OPTIONS = """\
rule r
    given n: 1.. = 2
    roll p = n d6
    choice c: dice of p by default best for x
    roll q = dice of c
    x = sum of p - sum of c + sum of q
"""


def test_decisions_with_too_many_options_are_refused_before_the_first_is_weighed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rule = rulesrun.parse(MANY_OPTIONS, "r.rules")["r"]
    assert rule.odds().of("x").mean == 2 * Fraction(17, 4)
    options = 6 * 3 + 15 * 4
    assert rule.odds(budget=20 * options + 20_000).of("x").mean == 2 * Fraction(17, 4)
    monkeypatch.setattr(Run, "value", None)
    for inputs, budget in (({}, 20 * options - 1), ({"n": 10}, 2_000_000)):
        with pytest.raises(RulesError, match=f"more than {budget // 20:,} options to weigh"):
            rule.odds(budget=budget, inputs=inputs).of("x")


def test_many_questions_about_many_ways_to_fall_are_not_listed() -> None:
    squares = " + ".join(f"(count {face} in p) * (count {face} in p)" for face in range(1, 20))
    text = f"rule r\n    roll p = 60d20\n    x = {squares}\n"
    assert "combined results of" in refused(text).message


def test_listing_counts_what_is_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    listed: list[int] = []
    work = Effort.work

    def counted(effort: Effort, steps: int) -> None:
        listed.append(steps)
        work(effort, steps)

    monkeypatch.setattr(Effort, "work", counted)
    text = "rule r\n    roll p = {} d4\n    x = (count 1 in p) * (count 2 in p) * (count 3 in p)\n"
    sums = []
    for dice in (2, 3):
        listed.clear()
        mean = rulesrun.parse(text.format(dice), "r.rules")["r"].odds().of("x").mean
        assert mean == (0 if dice == 2 else Fraction(6, 64))
        sums.append(sum(listed))
    assert 2 * sums[1] > 3 * sums[0] > 0


@pytest.mark.parametrize(
    ("line", "asked"),
    [
        ("x = distinct in symbols of h", "x = 4"),
        ("flag f if distinct in symbols of h >= 4", "f"),
        ("outcome\n        + four if distinct in symbols of h = 4\n        - fewer otherwise", "four"),
    ],
)
def test_the_symbols_of_many_cards_are_asked_without_their_numbers(line: str, asked: str) -> None:
    suits = ", ".join(f"1..13 & {suit}" for suit in ("clubs", "hearts", "spades", "diamonds"))
    text = f"bag deck = {suits}\nrule r\n    draw h = 13 from deck\n    {line}\n"
    odds = rulesrun.parse(text, "r.rules")["r"].odds(budget=20_000)
    without = [comb(4, out) * comb(52 - 13 * out, 13) for out in range(4)]
    assert odds.chance(asked) == Fraction(without[0] - without[1] + without[2] - without[3], comb(52, 13))


def test_listing_the_cells_of_endless_dice_counts() -> None:
    text = "rule r\n    roll p = 3d100, explode on 100\n    x = largest set in p\n"
    assert (
        "more than 100,000 steps"
        in refused(text.replace("largest set in p", "largest set in p * 1000 + sum of p"), 100_000).message
    )


def test_asking_unknown_dice_for_one_face_after_another_counts() -> None:
    text = "rule r\n    roll p = {0}d{0}\n    x = for each die in 1..{0}: (1 if any die in p otherwise 0)\n"
    x = rulesrun.parse(text.format(5), "r.rules")["r"].odds().of("x")
    assert x.mean == 5 * (1 - Fraction(4, 5) ** 5)
    assert x[5] == Fraction(factorial(5), 5**5)
    assert "more than 300,000 items and faces to look at" in refused(text.format(20), 100_000).message


def test_a_question_for_faces_that_differ_is_answered_for_each_of_them() -> None:
    text = (
        "rule r\n    given s: list of 0.. = [1, 2]\n    roll p = 4d6\n"
        "    x = for each die in s: die * count die in p + (10 if any die + 1 in p otherwise 0)\n"
    )
    rule = rulesrun.parse(text, "r.rules")["r"]
    shown = 1 - Fraction(5, 6) ** 4
    for numbers in ([1, 2], [2, 1], [4, 4, 6], [1, 2]):
        wanted = sum(Fraction(4, 6) * each + 10 * shown * (each < 6) for each in numbers)
        assert rule.odds(s=numbers).of("x").mean == wanted
