"""The lines of a rule working together: rules that roll rules, choices, repetition, bags, tables, pools from pools."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from rulesrun.diagnostics import RulesError
from rulesrun.evaluation.choices import ASK, Offer
from rulesrun.evaluation.roll import Roll, RuleRoller
from rulesrun.evaluation.values import Value
from rulesrun.semantics.plan import Policy

Rolls = Callable[..., Roll]

OPPOSED = """
rule attempt
    given gift: 1..5 = 3
    given skill: 0..5 or none = none
    roll gift_die = d6, against gift
    roll skill_die = d6, against skill if skill != none
    pool = gift_die + skill_die
    total = for each die in pool: target - die + 1 if die <= target otherwise -1 if die = 6 otherwise 0
    outcome
        + success if total > 0
        ~ nothing if total = 0
        - fumbled otherwise

rule opposed
    roll attacker = attempt
    roll defender = attempt
    margin = attacker.total - defender.total
    outcome
        + attacker_wins if margin > 0
        ~ tie if margin = 0
        - defender_wins otherwise
"""


def test_an_opposed_roll_with_inputs_of_both(roll: Rolls) -> None:
    result = roll(
        OPPOSED,
        dice={"attacker.gift_die": [2], "attacker.skill_die": [5], "defender.gift_die": [6], "defender.skill_die": [1]},
        attacker={"gift": 3, "skill": 2},
        **{"defender.gift": 3, "defender.skill": 3},
    )
    assert result.values == {"attacker.total": 2, "defender.total": 2, "margin": 0}
    assert (result.outcome, result.good) == ("tie", None)
    assert result.inputs == {
        "attacker.gift": 3, "attacker.skill": 2, "defender.gift": 3, "defender.skill": 3,
    }  # fmt: skip


def test_good_is_what_the_outcome_bears(roll: Rolls) -> None:
    assert roll(OPPOSED, dice={"attacker.gift_die": [1], "defender.gift_die": [5]}).good is True
    assert roll(OPPOSED, dice={"attacker.gift_die": [5], "defender.gift_die": [1]}).good is False


INSPIRED = """
rule attribute_roll
    given luck: 0.. = 0
    roll number = d12
    succeeding = number >= 10
    choice push if number <= luck by default not succeeding "flip a coin"
    roll flip = coin if push
    outcome
        - fumble  if push and flip = 0
        + success if succeeding or push
        - failure otherwise

rule inspired
    roll first = attribute_roll
    choice inspire by default first is not good
    roll second = reroll first if inspire
    outcome as second if inspire otherwise first
"""


def test_a_reroll_makes_the_whole_roll_again_and_hands_on_its_outcome(roll: Rolls) -> None:
    result = roll(
        INSPIRED,
        dice={"first.number": [3], "second.number": [4], "second.flip": [1]},
        luck=4,
        choose={"first.push": Policy("never")},
    )
    assert result.outcome == "success"
    assert result.values["inspire"] is True
    assert result.dice["first.flip"] == ()
    kept = roll(INSPIRED, dice={"first.number": [11]})
    assert kept.outcome == "success"
    assert kept.dice["second.number"] == ()


def test_policies_of_choices(roll: Rolls, roller: Callable[[str], RuleRoller]) -> None:
    dice = {"first.number": [2], "first.flip": [1], "second.number": [10]}
    always = roll(
        INSPIRED,
        dice=dice | {"second.number": []},
        luck=12,
        choose={"first.push": Policy("always"), "inspire": Policy("never")},
    )
    assert (always.outcome, always.values["inspire"]) == ("success", False)
    test = roller(INSPIRED)
    with pytest.raises(RulesError, match="inspired has no choice called inspir") as caught:
        test.roll({}, choose={"inspir": Policy("never")})
    assert caught.value.hint == "did you mean inspire?"
    with pytest.raises(RulesError, match=r"push may be first\.push or second\.push"):
        test.roll({}, choose={"push": Policy("never")})
    with pytest.raises(RulesError, match="inspire cannot be chosen by `best` here"):
        test.roll({}, choose={"inspire": Policy("best")})
    with pytest.raises(RulesError, match="nobody is there to ask"):
        test.roll({}, choose={"inspire": ASK})


CHOICES = """
rule test
    given most: 0.. = 3
    roll pool = 4d6
    choice push "roll again"
    choice spend: 1..(most) "points to spend"
    choice keep: dice of pool
    choice style: one of calm, wild
    total = sum of keep + spend
"""


def test_a_person_is_asked_with_everything_known_so_far(roller: Callable[[str], RuleRoller]) -> None:
    offers: list[Offer] = []
    answers: dict[str, Value] = {"push": True, "spend": 2, "style": "wild"}

    def decide(offer: Offer) -> Value:
        offers.append(offer)
        return offer.pool[1:3] if offer.pool is not None else answers[offer.step.name]

    asked = dict.fromkeys(("push", "spend", "keep", "style"), ASK)
    result = roller(CHOICES).roll({}, dice={"pool": [1, 5, 4, 2]}, choose=asked, decide=decide, seed=1)
    assert result.values == {"total": 11, "push": True, "spend": 2, "style": "wild"}
    assert [(each.step.name, each.options, each.low, each.high) for each in offers] == [
        ("push", (False, True), None, None),
        ("spend", (), 1, 3),
        ("keep", (), None, None),
        ("style", ("calm", "wild"), None, None),
    ]
    assert [die.face for die in offers[2].pool or ()] == [1, 5, 4, 2]
    assert offers[2].known["spend"] == 2
    assert "keep" not in offers[2].known


@pytest.mark.parametrize(
    ("name", "answer", "message"),
    [
        ("push", 1, "push takes no or yes, not 1"),
        ("spend", 4, "spend takes a whole number from 1 to 3, not 4"),
        ("spend", True, "spend takes a whole number from 1 to 3, not yes"),
        ("style", "mild", "style takes calm or wild, not mild"),
        ("keep", 3, "keep takes dice of the pool"),
    ],
)
def test_an_answer_that_may_not_be_chosen_is_an_error(
    roller: Callable[[str], RuleRoller], name: str, answer: Value, message: str
) -> None:
    with pytest.raises(RulesError) as caught:
        roller(CHOICES).roll({}, choose={name: ASK}, decide=lambda offer: answer, seed=1)
    assert message in caught.value.message


def test_a_pool_of_chosen_dice_is_rolled_again(roll: Rolls) -> None:
    text = """
rule test
    roll pool = 5d6
    choice again: dice of pool by default pool showing not 6
    roll new = dice of again
    hits = count 6 in pool + count 6 in new
"""
    result = roll(text, dice={"pool": [6, 2, 3, 6, 1], "new": [6, 1, 1]})
    assert result.values == {"hits": 3}


def test_repetition_with_rolls_updates_and_a_bound(roll: Rolls) -> None:
    text = """
rule check
    roll number = d12
    outcome
        + critical if number = 12
        + success  if number >= 8
        - failure  otherwise
rule test
    given goal: 1.. = 3
    given bound: 0.. = 9
    track successes = 0
    track failures = 0
    track state: one of calm, alert = calm
    repeat until successes >= goal or failures >= 2, at most bound times
        roll each_one = check
        successes += 2 if each_one is critical otherwise 1 if each_one is good otherwise 0
        failures += 1 if each_one is failure
        state becomes alert if failures = 1
    alarmed = state is alert
    outcome
        + achieved if successes >= goal
        - failed   otherwise
"""
    result = roll(text, dice={"each_one.number": [12, 3, 8]})
    assert result.values == {"successes": 3, "failures": 1, "state": "alert", "alarmed": True}
    assert result.outcome == "achieved"
    assert result.dice == {"each_one.number": (12, 3, 8)}
    short = roll(text, bound=1, dice={"each_one.number": [8]})
    assert (short.values["successes"], short.outcome) == (1, "failed")


def test_a_pool_kept_from_round_to_round(roll: Rolls) -> None:
    text = """
rule test
    roll start = 3d6
    track pool = start
    repeat 2 times
        roll new = dice of (pool showing not 6)
        pool becomes (pool showing 6) + new
    sixes = count 6 in pool
    number = size of pool
"""
    result = roll(text, dice={"start": [6, 1, 2], "new": [6, 3, 6]})
    assert result.values == {"sixes": 3, "number": 3}


def test_bags_hold_dice_tokens_and_numbers(roll: Rolls, refused: Callable[..., RulesError]) -> None:
    text = """
die green = good, blank
die red = bad, bad
bag cup = 2 green, 1 red
bag deck = 1..3 x2
bag stones = 2 black, 1 white
rule test
    given n: 0.. = 2
    draw taken = n from cup
    roll thrown = dice of taken
    draw hand = n from deck
    draw picked = n from stones
    good = count good in thrown
    bad = count bad in thrown
    total = sum of hand
    black = count black in picked
"""
    result = roll(
        text,
        dice={"taken": ["green", "red"], "thrown": ["good", "bad"], "hand": [3, 3], "picked": ["white", "black"]},
    )
    assert result.values == {"good": 1, "bad": 1, "total": 6, "black": 1}
    assert result.to_json()["dice"] == {
        "taken": ["green", "red"], "thrown": ["good", "bad"], "hand": [3, 3], "picked": ["white", "black"],
    }  # fmt: skip
    error = refused(text, dice={"hand": [3, 3], "picked": ["white", "white"]})
    assert "no white left in stones" in error.message
    assert error.hint == "it still holds 2 black"


def test_a_table_is_rolled_and_looked_up(roll: Rolls) -> None:
    text = """
table fumbles, d6
    1     hurt  "you lose 1 hit point"
    2..5  noise 3
    6     lucky
table labelled
    hurt  5
    noise 1
rule test
    roll fumble = fumbles
    hurt = fumble is hurt
    words = (fumbles at 1).text
    number = (fumbles at 3).value
    cost = labelled at fumble
"""
    result = roll(text, dice={"fumble": [1]})
    assert result.values == {"hurt": True, "words": "you lose 1 hit point", "number": 3, "cost": 5, "fumble": "hurt"}


def test_rolled_dice(roll: Rolls) -> None:
    text = """
die stat = sum of 4d6, keep highest 3
rule test
    roll stats = 2 stat
    best = highest of stats
    total = sum of stats
"""
    result = roll(text, dice={"stats": [6, 6, 6, 1, 1, 2, 3, 4]})
    assert result.values == {"best": 18, "total": 27}
    assert 6 <= roll(text, seed=4).values["total"] <= 36


def test_pools_from_pools(roll: Rolls) -> None:
    text = """
rule test
    roll a = 5d6
    roll b = 3d6
    left = a cancelled by b
    stopped = a cancelled by b when other > die
    doubled = a with each die as (10 if die = 6 otherwise 0)
    third = die 3 of a
    two = sum of highest 2 of a
    low = sum of lowest 2 of (a + b)
    ahead = a outranks b
    won = wins of a over b
    remaining = sum of left
    standing = sum of stopped
    score = for each die in doubled: die
"""
    result = roll(text, dice={"a": [6, 5, 5, 2, 1], "b": [5, 3, 1]})
    assert result.values["third"] == 5
    assert {name: result.values[name] for name in ("two", "low", "ahead", "won", "remaining", "standing", "score")} == {
        "two": 11, "low": 2, "ahead": True, "won": 3, "remaining": 6 + 5 + 2, "standing": 6 + 5 + 5, "score": 10,
    }  # fmt: skip


def test_a_limit_that_does_not_hold_is_an_error_before_anything_is_rolled(refused: Callable[..., RulesError]) -> None:
    text = """
rule test
    given party: list of .. = [1, 2]
    limit "a party of two cannot take turns": size of party != 2
    roll pool = 2d6
    total = sum of pool
"""
    error = refused(text, dice={"pool": [9]})
    assert (error.message, error.line) == ("a party of two cannot take turns", 5)


def test_an_argument_outside_its_domain_is_an_error_where_it_stands(refused: Callable[..., RulesError]) -> None:
    text = """
rule inner
    given size: 1..5
    roll pool = size d6
    total = sum of pool
rule test
    given n: 0.. = 3
    roll one = inner(size = n * 2)
    total = one.total
"""
    error = refused(text)
    assert "6 is not a whole number from 1 to 5" in error.message
    assert error.line == 9


def test_conditions_are_evaluated_only_as_far_as_needed(roll: Rolls) -> None:
    text = """
rule test
    given n: 0.. = 0
    safe = n != 0 and 10 / n > 2
    other = n = 0 or 10 / n > 2
    chosen = 5 if n = 0 otherwise 10 / n
"""
    assert roll(text).values == {"safe": False, "other": True, "chosen": 5}


def test_numbers_are_exact(roll: Rolls) -> None:
    text = "rule test\n    given n: .. = 10\n    a = n * 1 / 3 + n * 2 / 3\n    b = 35% * n\n    c = 0.1 + 0.2 = 0.3\n"
    assert roll(text).values["a"] == 10
    assert str(roll(text).values["b"]) == "7/2"
    assert roll(text).values["c"] is True


def test_a_card_or_a_token_thrown_again_stays_what_it_is(roll: Rolls) -> None:
    text = """
bag stones = 2 black, 1..2
rule test
    draw taken = 4 from stones
    roll thrown = dice of taken
    blacks = count black in thrown
    numbers = count 1.. in thrown
"""
    assert roll(text).values == {"blacks": 2, "numbers": 2}
