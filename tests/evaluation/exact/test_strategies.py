"""Best decisions in repetitions against the reference and against games worked out by hand."""

from __future__ import annotations

from fractions import Fraction

import pytest
from flint import fmpq
from tests.properties.compare import compare_odds
from tests.properties.rules import Sample

import rulesrun
from rulesrun.diagnostics import RulesError
from rulesrun.evaluation.exact.improving import Improving

NESTED = """rule r
    track points = 0
    repeat 2 times
        track here = 0
        repeat 2 times
            roll x = d3
            choice take by default best
            here += x if take
        points += 0 if here > 4 otherwise here
    outcome
        + good if points >= 6
        - bad otherwise
"""
TWO_AIMS = """rule r
    track points = 0
    track coins = 0
    repeat 2 times
        roll x = d3
        choice save by default best for coins
        choice risk if not save by default best for points
        roll more = d3 if risk
        points += x + more if risk and more > 1 otherwise 0
        coins += 2 if save and x = 1 otherwise 0
    outcome
        + good if points > coins
        - bad otherwise
"""
HIDDEN = """rule r
    roll secret = d3
    track points = 0
    repeat 2 times
        roll x = d3
        choice take by default best for (points = secret)
        points += x if take
    flag met if points = secret
    outcome
        + good if points = secret
        - bad otherwise
"""
CARDS = """bag deck = 1..4
rule r
    track held = 0
    repeat 3 times
        choice more if held < 5 by default best
        draw card = 1 from deck if more
        held += sum of card if more
    outcome
        + good if held in 4..5
        - bad otherwise
"""
WORST = """rule r
    track points = 0
    repeat 3 times
        roll x = d4
        choice spend: 0..2 by default worst
        points += x - spend
    outcome
        + good if points >= 4
        - bad otherwise
"""


@pytest.mark.parametrize(
    "text", [NESTED, TWO_AIMS, HIDDEN, CARDS, WORST], ids=["nested", "two", "hidden", "cards", "worst"]
)
def test_as_the_reference_decides(text: str) -> None:
    verdict = compare_odds(Sample(text, "r", {}, asked=()), runs=200_000)
    assert verdict.agrees, verdict


def test_what_is_best_depends_on_the_turn() -> None:
    text = """rule r
    track points = 0
    track done = no
    repeat until done, at most 3 times
        roll x = d6
        choice take by default best for points
        points becomes x if take otherwise points
        done becomes take
    total = points
"""
    rule = rulesrun.parse(text)["r"]
    odds = rule.odds()
    taken = {(each["turn"], each["x"]) for each in odds.policies["take"]["when"]}
    assert taken == {(turn, x) for turn, least in ((1, 5), (2, 4), (3, 1)) for x in range(least, 7)}
    assert odds.of("points").mean == Fraction(14, 3)
    assert abs(rule.sample(20_000, seed=1).of("points").mean - 14 / 3) < 0.06  # six standard errors
    for faces, points in (([4, 3, 1], 1), ([4, 4], 4), ([5], 5)):
        assert rule.roll(dice={"x": faces}, seed=1).values["points"] == points


DITHER = """rule r
    track points = 6
    track done = no
    repeat until done
        choice stay by default best for {aim}
        roll x = d6 if not stay
        points becomes x if not stay otherwise points
        done becomes not stay and x >= 4
    total = points
"""


@pytest.mark.parametrize(("aim", "mean"), [("points", 5), ("-points", 5), ("(points = 6)", 5)])
def test_nobody_stays_for_ever(aim: str, mean: int) -> None:
    """To do nothing leads back to where one is, and is worth as much as what can be reached from there."""
    assert rulesrun.parse(DITHER.format(aim=aim))["r"].odds().of("points").mean == mean


def test_a_throw_of_which_the_sum_alone_matters() -> None:
    """Situations are told apart by the sum of the dice; rolls and samples decide the same."""
    text = "rule r\n    track points = 0\n    repeat 2 times\n        roll x = 2d4\n"
    text += "        choice take by default best for points\n"
    text += "        points becomes sum of x if take otherwise points\n    total = points\n"
    rule = rulesrun.parse(text)["r"]
    odds = rule.odds()
    wanted = compare_odds(Sample(text, "r", {}), runs=200_000)
    assert wanted.agrees, wanted
    first = [each for each in odds.policies["take"]["when"] if each["turn"] == 1]
    assert [each["sum of x"] for each in first] == list(range(3, 9))  # no second throw is less than a 2
    assert rule.roll(dice={"x": [1, 2, 1, 1]}, seed=1).values["points"] == 3
    assert rule.roll(dice={"x": [1, 2, 2, 2]}, seed=1).values["points"] == 4
    assert abs(rule.sample(20_000, seed=1).of("points").mean - odds.of("points").mean) < 0.06


def test_a_repetition_that_no_decision_ends() -> None:
    text = "rule r\n    track n = 0\n    repeat until n = 5\n        choice up by default best for n\n"
    text += "        n becomes 1 if up otherwise 0\n    total = n\n"
    with pytest.raises(RulesError, match="may never end"):
        rulesrun.parse(text)["r"].odds()


def test_an_endless_result_that_is_decided_on() -> None:
    text = "rule r\n    track points = 0\n    repeat 2 times\n        roll x = d4!\n"
    text += "        choice take by default best for points\n        points += x if take\n    total = points\n"
    with pytest.raises(RulesError, match="endless result inside a repetition"):
        rulesrun.parse(text)["r"].odds()


def race(goal: int) -> str:
    return f"""rule r
    track mine = 0
    track yours = 0
    track pot = 0
    track first = yes
    repeat until mine >= {goal} or yours >= {goal}
        choice hold if pot > 0 and first by default best for (mine >= {goal})
        choice rest if pot > 0 and not first by default worst for (mine >= {goal})
        roll x = d3 if not (hold or rest)
        over = hold or rest or x = 1
        gain = 0 if not (hold or rest) otherwise pot
        mine becomes mine + gain if first otherwise mine
        yours becomes yours + gain if not first otherwise yours
        pot becomes 0 if over otherwise clamp(pot + x, 0, {goal})
        first becomes first if not over otherwise not first
    outcome
        + won if mine >= {goal}
        - lost otherwise
"""


def race_value(goal: int) -> float:
    """The chance of the first to win a race with three-sided dice, by value iteration."""
    worth = {
        (mine, yours, pot): 0.5 for mine in range(goal) for yours in range(goal) for pot in range(goal + 1)
    }  # for whoever is to move

    def after(mine: int, yours: int, pot: int) -> float:
        """To the mover, when the other moves next."""
        return 1.0 if mine + pot >= goal else 1 - worth[yours, mine + pot, 0]

    for _ in range(400):
        for mine, yours, pot in worth:
            on = after(mine, yours, 0) / 3
            for face in (2, 3):
                more = min(pot + face, goal)
                on += worth[mine, yours, more] / 3
            worth[mine, yours, pot] = max(on, after(mine, yours, pot)) if pot else on
    return worth[0, 0, 0]


@pytest.mark.parametrize("goal", [3, 4, 6])
def test_two_players_who_play_against_each_other(goal: int) -> None:
    won = rulesrun.parse(race(goal))["r"].odds()["won"]
    assert float(won) == pytest.approx(race_value(goal), abs=1e-9)


def test_the_best_of_many_ways_round() -> None:
    """A ring of places: from each one may go on, or leave for good with what the place gives."""
    gives = {"a": 3, "b": 5, "c": 4}
    worth = {place + "!": (fmpq(amount),) for place, amount in gives.items()}
    on = {"a": "b", "b": "c", "c": "a"}
    options = {place: [[(fmpq(1), on[place])], [(fmpq(1), place + "!")]] for place in gives}
    improving = Improving(options, list(gives), worth, 1, len, lambda place, new, old: new[0] - old[0], print)
    improving.improve()
    assert improving.policy == {"a": 0, "b": 1, "c": 0}
    assert set(improving.worth.values()) == {(fmpq(5),)}
