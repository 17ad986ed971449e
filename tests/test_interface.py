"""The Python interface line by line as its users see it; `mypy --strict` checks the annotations as a client's."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest

import rulesrun
from rulesrun import Distribution, Odds, OddsTable, Roll, Rule, RulesError, Ruleset

HIVE: Ruleset = rulesrun.load("hive.rules")
CHECK: Rule = HIVE["skill_check"]


def test_rulesets_and_rules() -> None:
    other: Ruleset = rulesrun.parse("rule r\n    x = 1\n", name="mine.rules")
    assert (other.file, [each.name for each in other]) == ("mine.rules", ["r"])
    inputs: list[str] = [each.name for each in CHECK.inputs]
    assert inputs[:2] == ["attribute", "skill"]
    outcomes: list[tuple[str, bool | None]] = [(each.label, each.good) for each in CHECK.outcomes]
    assert ("success", True) in outcomes and ("failure", False) in outcomes
    assert "successes" in [each.name for each in CHECK.values]
    assert [each.name for each in rulesrun.load("twist")["attribute_roll"].choices] == ["push"]
    assert CHECK.text
    labels: list[str | None] = [each.label for each in rulesrun.load("polity.rules").tables["difficulty_levels"].at(7)]
    assert labels
    assert rulesrun.load("polity.rules").tables["difficulty_levels"].at(-1) == ()


def test_dice_without_a_file() -> None:
    best: Rule = rulesrun.throw("2d20kh1 + 5")
    assert best.roll(dice={"dice": [5, 19]}).values == {"total": 24}
    assert best.odds().of("total").mean == Fraction(753, 40)
    assert rulesrun.throw("4d6, keep highest 3").odds().of("total")[18] == Fraction(21, 1296)
    mixed: Rule = rulesrun.throw("number d(sides) - 2d8kl1 + 2 - bonus")
    assert [each.name for each in mixed.inputs] == ["number", "sides", "bonus"]
    given = {"number": 2, "sides": 6, "bonus": 1}
    assert mixed.roll(dice={"dice": [6, 5], "minus": [3, 4]}, inputs=given).values == {"total": 9}
    assert mixed.odds(inputs=given).of("total").mean == 7 - Fraction(51, 16) + 2 - 1
    with pytest.raises(RulesError, match="no dice are thrown here"):
        rulesrun.throw("5 + bonus")


def test_rolls() -> None:
    roll: Roll = CHECK.roll(attribute=3, seed=7)
    outcome: str | None = roll.outcome
    good: bool | None = roll.good
    seed: int | None = roll.seed
    faces: Mapping[str, tuple[object, ...]] = roll.dice
    assert (outcome, good, seed) == ("success", True, 7)
    assert faces["human"] == (6, 3, 7, 1, 2)
    assert roll.values["successes"] == 2
    assert tuple(roll.flags) == ()
    assert roll.to_json()["outcome"] == "success"
    assert "3d10" not in [each.text for each in roll.trace]
    again: Roll = CHECK.roll(attribute=3, dice={"human": [10, 10, 6]}, choose={}, rng=Random(1), inputs={"skill": 0})
    assert again.values["successes"] == 5
    with pytest.raises(RulesError):
        CHECK.roll(attribute="strong")


def test_odds() -> None:
    odds: Odds = CHECK.odds(attribute=3, drone_damage=2)
    success: Fraction = odds["success"]
    any_good: Fraction = odds.good
    chance: Fraction = odds.chance("successes >= 3 and any 10 in drone")
    assert 0 < chance < success < any_good < 1
    assert odds["critical_drone_success"] == odds.chance("outcome is critical_drone_success")
    with pytest.raises(KeyError, match="did you mean success"):
        odds["sucess"]
    assert "conditional" not in repr(odds)
    known: Odds = CHECK.odds(attribute=3, drone_damage=2, given="any 10 in drone", budget=10**6)
    assert known["success"] == 0


def test_distributions() -> None:
    spread: Distribution = CHECK.odds(attribute=3, drone_damage=2).of("successes")
    three: Fraction = spread[3]
    mean: Fraction = spread.mean
    sd: float = spread.sd
    pairs: list[tuple[object, Fraction]] = list(spread.items())
    assert sum(chance for _, chance in pairs) == 1
    assert spread.at_least(3) - spread.at_least(4) == three
    assert mean == sum(value * chance for value, chance in spread.items())
    assert abs(sd**2 - float(sum((value - mean) ** 2 * chance for value, chance in spread.items()))) < 1e-9
    assert spread.tail == 0
    endless: Distribution = rulesrun.load("twist")["damage"].odds(amount=1).of("damage")
    tail: Fraction = endless.tail
    assert 0 < tail < Fraction(1, 10**9)
    assert endless[601] > 0
    assert tail + sum(chance for _, chance in endless.items()) == 1


def test_tables() -> None:
    table: OddsTable = CHECK.odds_table(attribute=range(1, 6), needed=[1, 2])
    assert len(table.rows) == 10
    inputs: Mapping[str, object] = table.rows[3].inputs
    assert (inputs["attribute"], inputs["needed"]) == (2, 2)
    cell: Fraction = table.rows[3]["success"]
    assert cell == CHECK.odds(attribute=2, needed=2)["success"]
    assert table.to_csv().splitlines()[4].startswith(f"2,2,0.0,{float(cell)},")
    rows: Iterator[Odds] = CHECK.odds_rows(attribute=range(1, 6), needed=[1, 2], first=3)
    assert next(rows)["success"] == cell


def test_settings_leave_the_ruleset_as_it_is() -> None:
    tweaked: Ruleset = HIVE.with_settings(success_on="7..10")
    assert (tweaked.settings["success_on"], HIVE.settings["success_on"]) == ("7..10", "6..10")
    assert tweaked["skill_check"].odds().good < CHECK.odds().good


def test_inputs_of_rolled_rules_and_none() -> None:
    opposed = rulesrun.load("gifts.rules")["opposed"]
    side = opposed.inputs[0].name
    who, _, what = side.partition(".")
    flat: dict[str, Any] = {side: 3}
    nested: dict[str, Any] = {who: {what: 3}}
    plain = opposed.odds(**flat)
    assert plain.outcomes == opposed.odds(inputs=nested).outcomes == opposed.odds(**nested).outcomes
    polity = rulesrun.load("polity.rules")["check"]
    assert polity.odds(field=None).outcomes == polity.odds().outcomes


def test_errors_have_their_place() -> None:
    with pytest.raises(RulesError) as caught:
        rulesrun.parse("rule r\n    x = 1 +\n", name="mine.rules")
    error: RulesError = caught.value
    place: tuple[str | None, int | None, int | None] = (error.file, error.line, error.column)
    assert place[:2] == ("mine.rules", 2)
    message: str = error.message
    hint: str | None = error.hint
    assert message and hint is not None
    with pytest.raises(RulesError, match="did you mean skill_check"):
        HIVE["skil_check"]


def test_everything_public_is_documented_and_named() -> None:
    for name in rulesrun.__all__:
        public = getattr(rulesrun, name)
        assert public.__doc__
        if isinstance(public, type):
            for each, value in vars(public).items():
                if not each.startswith("_") and (callable(value) or isinstance(value, property)):
                    assert value.__doc__, f"{name}.{each}"
    assert (Path(rulesrun.__file__).parent / "py.typed").exists()


def test_rulesets_and_rules_travel() -> None:
    there: Rule = pickle.loads(pickle.dumps(CHECK))
    assert there.roll(seed=7, attribute=4).outcome == CHECK.roll(seed=7, attribute=4).outcome
    assert there.odds(needed=3).outcomes == CHECK.odds(needed=3).outcomes
    assert copy.deepcopy(HIVE).settings == HIVE.settings
