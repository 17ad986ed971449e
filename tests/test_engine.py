"""The Python interface: what it promises about rulesets, rules, rolls, odds and tables."""

from __future__ import annotations

import json
import threading
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest

import rulesrun
from rulesrun import RulesError

DUEL = """
system "Duel"
    about "a test"

setting bonus = 1 "added to every roll"
setting hits = 5..6

table levels
    1..3  low   "not much"
    3..6  high  2

rule strike "d6 and a bonus"
    given might: 0..5 = 2   "how strong"
    given sure: yes or no = no
    given foes: list of 0.. = [1]
    roll die = d6
    roll pool = might d6
    choice push if die <= 2 by default never "try again?"
    roll second = d6 if push
    total = (second if push otherwise die) + bonus
    good_dice = count hits in pool
    flag wild if die = 6 "wild!"
    outcome
        + hit   if total >= 5 "it lands"
        - miss  otherwise

rule duel
    roll attacker = strike
    roll defender = strike
    margin = attacker.total - defender.total

example "a six hits"
    dice die = 6
    roll strike
    expect outcome is hit
    expect chance of hit = 1

example "known dice lie there, the others are random"
    dice pool = 6, 1
    roll strike(might = 3)
    expect chance of (good_dice = 2) = 1/3
    expect mean of good_dice = 4/3

example "the bonus counts"
    dice die = 4
    roll strike
    expect total = 6
"""


@pytest.fixture(scope="module")
def duel() -> rulesrun.Ruleset:
    return rulesrun.parse(DUEL, name="duel.rules")


def test_a_ruleset_says_what_it_is(duel: rulesrun.Ruleset) -> None:
    assert (duel.name, duel.about, duel.file) == ("Duel", "a test", "duel.rules")
    assert list(duel.rules) == ["strike", "duel"]
    assert [rule.name for rule in duel] == ["strike", "duel"]
    assert dict(duel.settings) == {"bonus": "1", "hits": "5..6"}
    strike = duel["strike"]
    assert [each.name for each in strike.inputs] == ["might", "sure", "foes"]
    assert [(each.label, each.good, each.text) for each in strike.outcomes] == [
        ("hit", True, "it lands"),
        ("miss", False, ""),
    ]
    assert [each.name for each in strike.choices] == ["push"]
    assert [each.name for each in strike.flags] == ["wild"]
    assert strike.text == "d6 and a bonus"


def test_tables_give_all_rows_that_fit(duel: rulesrun.Ruleset) -> None:
    levels = duel.tables["levels"]
    assert [row.label for row in levels.at(2)] == ["low"]
    assert [row.label for row in levels.at(3)] == ["low", "high"]
    assert [(row.value, row.text) for row in levels.at(6)] == [(2, None)]
    assert levels.at(7) == ()


def test_a_roll_is_whole_and_reproducible(duel: rulesrun.Ruleset) -> None:
    roll = duel["strike"].roll(might=3, seed=7)
    assert roll.to_json() == duel["strike"].roll(might=3, seed=7).to_json()
    assert roll.seed == 7
    assert len(roll.dice["pool"]) == 3
    assert roll.outcome == ("hit" if roll.values["total"] >= 5 else "miss")
    assert roll.good == (roll.outcome == "hit")
    assert json.loads(json.dumps(roll.to_json()))["inputs"] == {"might": 3, "sure": False, "foes": [1]}
    again = duel["strike"].roll(might=3, dice=roll.dice)
    assert (again.outcome, again.values, again.dice) == (roll.outcome, roll.values, roll.dice)


def test_a_generator_may_be_passed_instead_of_a_seed(duel: rulesrun.Ruleset) -> None:
    ones, others = ([duel["strike"].roll(rng=generator).dice for _ in range(5)] for generator in (Random(3), Random(3)))
    assert ones == others
    with pytest.raises(RulesError, match="not both"):
        duel["strike"].roll(rng=Random(1), seed=1)


@pytest.mark.parametrize("policy", ["never", "always", "die = 1", "default", True])
def test_the_trace_tells_of_the_roll_that_was_made(duel: rulesrun.Ruleset, policy: object) -> None:
    strike = duel["strike"]
    for seed in range(60):
        roll = strike.roll(seed=seed, choose={"push": policy})
        line = next(each for each in roll.trace if each.name == "outcome")
        assert line.text.startswith(str(roll.outcome))
        pushed = next(each for each in roll.trace if each.name == "push")
        assert pushed.text.startswith("yes" if roll.values["push"] else "no")


def test_inputs_of_rolled_rules(duel: rulesrun.Ruleset) -> None:
    rule = duel["duel"]
    dotted: dict[str, Any] = {"attacker.might": 0, "defender.might": 5}
    flat = rule.roll(seed=1, **dotted)
    nested = rule.roll(seed=1, attacker={"might": 0}, inputs={"defender": {"might": 5}})
    assert flat.to_json() == nested.to_json()
    assert [len(flat.dice[f"{who}.pool"]) for who in ("attacker", "defender")] == [0, 5]


def test_odds_are_exact(duel: rulesrun.Ruleset) -> None:
    odds = duel["strike"].odds()
    assert odds["hit"] == Fraction(1, 2)
    assert odds["wild"] == Fraction(1, 6)
    assert odds.good == Fraction(1, 2)
    assert odds.chance("total >= 6 and not wild") == Fraction(1, 6)
    assert odds.of("good_dice")[1] == Fraction(2 * 2 * 4, 36)
    assert odds.of("total").mean == Fraction(9, 2)
    assert duel["strike"].odds(choose={"push": "best"})["hit"] == Fraction(1, 2) + Fraction(1, 3) * Fraction(1, 2)
    assert duel["strike"].odds(given="die >= 4")["hit"] == 1
    with pytest.raises(KeyError):
        odds["hitt"]


def test_a_table_of_odds_sweeps(duel: rulesrun.Ruleset) -> None:
    table = duel["strike"].odds_table(might=range(2), sure=[True, False])
    assert table.swept == ("might", "sure")
    assert [(row.inputs["might"], row.inputs["sure"]) for row in table.rows] == [
        (0, True),
        (0, False),
        (1, True),
        (1, False),
    ]
    assert {row["hit"] for row in table.rows} == {Fraction(1, 2)}
    assert table.to_csv().splitlines()[:2] == [
        "might,sure,hit,miss,wild,hit exact,miss exact,wild exact",
        "0,yes,0.5,0.5,0.16666666666666666,1/2,1/2,1/6",
    ]
    assert duel["strike"].odds_table(foes=[1, 2]).swept == ()
    assert duel["strike"].odds_table(foes=[[1], [2, 3]]).swept == ("foes",)
    with pytest.raises(RulesError, match="1,000,000 combinations"):
        duel["strike"].odds_table(inputs={"might": [1] * 1000, "sure": [True] * 1000})


def test_settings_make_a_new_ruleset(duel: rulesrun.Ruleset) -> None:
    harder = duel.with_settings(bonus=-1, hits="6")
    assert harder["strike"].odds()["hit"] == Fraction(1, 6)
    assert harder["strike"].odds().of("good_dice")[1] == Fraction(2 * 5, 36)
    assert dict(harder.settings) == {"bonus": "-1", "hits": "6"}
    assert harder.with_settings(bonus=0).settings["hits"] == "6"
    assert dict(duel.settings) == {"bonus": "1", "hits": "5..6"}


def test_examples_run(duel: rulesrun.Ruleset) -> None:
    assert [result.holds for result in duel.test()] == [True, True, False]
    (check,) = duel.test()[2].checks
    assert check.found.startswith("total is 5 with die = 4")
    assert check.wanted == "6"


@pytest.mark.parametrize(
    ("throw", "faces", "chance"),
    [
        ("3d6", "6", "chance of (count 6 in pool = 3) = 1/36"),
        ("d6 + d4", "6, 4", "chance of (sum of pool = 10) = 1"),
        ("2d6 + 2d4", "6, 6, 4", "chance of (sum of pool = 17) = 1/4"),
        ("(1 + extra) d6, keep highest 1", "5", "chance of (sum of pool = 6) = 1/6"),
        ("(1 + extra) d6", "5", "chance of (size of pool = 2) = 1"),
    ],
)
def test_known_dice_in_chances(throw: str, faces: str, chance: str) -> None:
    text = f"rule r\n    given extra: 0.. = 1\n    roll pool = {throw}\n    total = sum of pool + extra\n"
    example = f'example "e"\n    dice pool = {faces}\n    roll r\n    expect {chance}\n'
    (result,) = rulesrun.parse(text + example).test()
    assert result.holds, (result.error, [each.found for each in result.checks])


@pytest.mark.parametrize(
    ("modifier", "chance"), [("explode on 6", "1/6"), ("reroll 1", "1/5"), ("again on all 6", "1/6")]
)
def test_known_dice_whose_throw_goes_on(modifier: str, chance: str) -> None:
    text = f"rule r\n    roll pool = 2d6, {modifier}\n    total = sum of pool\n"
    example = f'example "e"\n    dice pool = 3\n    roll r\n    expect chance of (total = 5) = {chance}\n'
    (result,) = rulesrun.parse(text + example).test()
    assert result.holds, (result.error, result.checks)


@pytest.mark.parametrize(
    ("call", "message", "hint"),
    [
        (lambda duel: duel["strik"], "no rule called strik", "did you mean strike?"),
        (lambda duel: duel["strike"].roll(migt=1), "no input called migt", "did you mean might?"),
        (lambda duel: duel["strike"].roll(might=6), "might: 6 is not a whole number from 0 to 5", None),
        (lambda duel: duel["strike"].roll(might="x"), "might: `x` is not a whole number", None),
        (lambda duel: duel["strike"].roll(might=True), "might: yes is not a whole number", None),
        (lambda duel: duel["strike"].roll(foes=3), "foes: 3 is not a list", None),
        (lambda duel: duel["strike"].roll(dice={"die": [7]}), "cannot show 7", "its faces are 1 to 6"),
        (lambda duel: duel["strike"].roll(dice={"die": [1, 2]}), "too many", None),
        (lambda duel: duel["strike"].roll(dice={"dye": [1]}), "no roll called dye", "did you mean die?"),
        (lambda duel: duel["strike"].roll(choose={"pus": "never"}), "no choice called pus", "did you mean push?"),
        (
            lambda duel: duel["duel"].roll(might=1),
            "might may be attacker.might or defender.might",
            "write attacker.might",
        ),
        (lambda duel: duel["strike"].odds(choose={"push": "ask"}), "odds cannot ask about push", None),
        (lambda duel: duel.with_settings(bonu=1), "no setting called `bonu`", "did you mean `bonus`?"),
        (lambda duel: duel.with_settings(bonus="high"), "high", None),
        (lambda duel: duel.with_settings(bonus=object()), "setting bonus cannot be", None),
    ],
)
def test_what_does_not_fit_is_refused(duel: rulesrun.Ruleset, call, message: str, hint: str | None) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(RulesError) as raised:
        call(duel)
    assert message in raised.value.message
    assert hint is None or hint in (raised.value.hint or "")


def test_a_ruleset_is_based_on_a_file_beside_it_or_on_a_bundled_one(tmp_path: Path) -> None:
    (tmp_path / "duel.rules").write_text(DUEL)
    variant = tmp_path / "house.rules"
    variant.write_text('system "House"\nbased on "duel.rules"\nsetting bonus = 2\n')
    house = rulesrun.load(variant)
    assert (house.name, house["strike"].odds()["hit"]) == ("House", Fraction(2, 3))
    (tmp_path / "duel.rules").write_text(DUEL.replace("total >= 5", "total >= 6"))
    assert rulesrun.load(variant)["strike"].odds()["hit"] == Fraction(1, 2), "a changed base is read again"
    assert house.with_settings(bonus=1)["strike"].odds()["hit"] == Fraction(1, 2), "a loaded ruleset stays as it is"
    other = tmp_path / "hive_house.rules"
    other.write_text('system "Mine"\nbased on "hive.rules"\nsetting success_on = 7..10\n')
    assert rulesrun.load(other).settings["success_on"] == "7..10"


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"a.rules": 'based on "gone.rules"'}, "gone.rules"),
        ({"a.rules": 'based on "b.rules"', "b.rules": 'based on "a.rules"'}, "based on itself"),
        ({"a.rules": 'based on "../outside.rules"'}, "outside the folder"),
        ({"a.rules": 'based on "/etc/passwd"'}, "outside the folder"),
    ],
)
def test_bases_that_cannot_be_used_are_placed_errors(tmp_path: Path, files: dict[str, str], message: str) -> None:
    folder = tmp_path / "inside"
    folder.mkdir()
    (tmp_path / "outside.rules").write_text("rule r\n    x = 1\n")
    for name, text in files.items():
        (folder / name).write_text(f'system "X"\n{text}\n')
    with pytest.raises(RulesError) as raised:
        rulesrun.load(folder / "a.rules")
    assert message in str(raised.value)
    assert raised.value.line == 2


def test_a_link_does_not_lead_out_of_the_folder(tmp_path: Path) -> None:
    folder = tmp_path / "inside"
    folder.mkdir()
    (tmp_path / "outside.rules").write_text("rule r\n    x = 1\n")
    (folder / "link.rules").symlink_to(tmp_path / "outside.rules")
    (folder / "a.rules").write_text('system "X"\nbased on "link.rules"\n')
    with pytest.raises(RulesError, match="outside the folder"):
        rulesrun.load(folder / "a.rules")


def test_bundled_names_and_paths() -> None:
    assert rulesrun.load("hive").name == rulesrun.load("hive.rules").name == "Hive"
    with pytest.raises(RulesError) as raised:
        rulesrun.load("hivee.rules")
    assert raised.value.hint == "did you mean hive.rules?"


def test_threads_share_a_ruleset(duel: rulesrun.Ruleset) -> None:
    fresh = rulesrun.parse(DUEL, name="duel.rules")
    found: list[tuple[object, Fraction]] = []

    def work() -> None:
        for seed in range(20):
            roll = fresh["strike"].roll(seed=seed)
            found.append((roll.to_json(), fresh["strike"].odds()["hit"]))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    expected = [(duel["strike"].roll(seed=seed).to_json(), Fraction(1, 2)) for seed in range(20)]
    assert len(found) == 80
    assert all(each in expected for each in found)


POLICY_WORDS = """
rule r
    roll d = d6
    best  = d + 1
    never = d = 1
    outcome
        + always  if best = 7
        - default otherwise
"""


def test_values_may_be_called_like_policies() -> None:
    rule = rulesrun.parse(POLICY_WORDS)["r"]
    odds = rule.odds()
    assert odds.chance("best = 7") == odds.chance("always") == odds.chance("never") == Fraction(1, 6)
    assert odds.of("best").mean == Fraction(9, 2)
    assert rule.odds(given="best >= 6", aim="best")["always"] == Fraction(1, 2)


@pytest.mark.parametrize("text", ["best", "worst for total", "total", "none", "d6", "", "7 = "])
def test_a_condition_is_yes_or_no(duel: rulesrun.Ruleset, text: str) -> None:
    with pytest.raises(RulesError):
        duel["strike"].odds().chance(text)


def test_a_variant_does_not_claim_what_its_base_claims(tmp_path: Path) -> None:
    (tmp_path / "duel.rules").write_text(DUEL)
    own = 'example "no bonus"\n    dice die = 4\n    roll strike\n    expect total = 4\n'
    (tmp_path / "house.rules").write_text(f'based on "duel.rules"\nsetting bonus = 0\n{own}')
    house = rulesrun.load(tmp_path / "house.rules")
    assert [each.text for each in house.examples] == ["no bonus"]
    assert [each.holds for each in house.test()] == [True]
    assert len(rulesrun.load(tmp_path / "duel.rules").examples) == 3
