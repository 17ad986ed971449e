"""What the texts state in numbers, as the independent computation has it: examples, and who rolls how many dice."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from rulesrun import load
from rulesrun.evaluation.roll import Roll

DATA: dict[str, Any] = json.loads((Path(__file__).parent / "data" / "examples.json").read_text(encoding="utf-8"))


def rolled(system: str, rule: str, dice: Mapping[str, Any] | None = None, **inputs: Any) -> Roll:
    return load(system)[rule].roll(inputs=inputs, dice=dice or {}, seed=1)


def hive_dice(size: int, drone_damage: int, extra: int) -> list[int]:
    dice = rolled("hive", "skill_check", attribute=size, skill=0, drone_damage=drone_damage, leaning=extra).dice
    return [len(dice["human"]), len(dice["drone"])]


def half_the_time(bonus: int, difficulty: int) -> str:
    return str(load("polity")["check"].odds(modifier=bonus, difficulty=difficulty).good)


def focus(focus: bool) -> dict[str, Any]:
    training = "focus" if focus else None
    bonus = {
        name: rolled("polity", "effort", training=training, related=name == "related").values
        for name in ("related", "unrelated")
    }
    return {name: values["bonus"] for name, values in bonus.items()}


def scored(values: list[int], rolls: list[int]) -> Any:
    """Dice against a Gift, a Skill, and the Gift again."""
    dice = dict(zip(("gift_die", "skill_die", "prepared_die"), ([face] for face in rolls), strict=False))
    skill = values[1] if len(values) > 1 else None
    return rolled("gifts", "attempt", dice, gift=values[0], skill=skill, prepared=len(values) > 2).values["total"]


def one_die(value: int, roll: int) -> Any:
    return rolled("gifts", "attempt", {"gift_die": [roll]}, gift=value).values["successes"]


def opposed(a: int, b: int) -> dict[str, Any]:
    """Two totals, made by one die each."""
    inputs: dict[str, Any] = {}
    dice: dict[str, list[int]] = {}
    for side, total in (("attacker", a), ("defender", b)):
        inputs[f"{side}.gift"], face = (5, 6 - total) if total > 0 else (1, 2) if total == 0 else (1, 6)
        dice[f"{side}.gift_die"] = [face]
    values = rolled("gifts", "opposed", dice, **inputs).values
    return {"final": [values["attack"], values["defence"]], "degree": values["difference"]}


def half_again(**dots: int) -> str:
    means = {name: load("gifts")["attempt"].odds(gift=value).of("successes").mean for name, value in dots.items()}
    return str(Fraction(means["to"] or 0) / Fraction(means["from"] or 1))


def kept(advantages: int, disadvantages: int) -> dict[str, Any]:
    """How many dice are rolled, and which of 3, 7, 5 stays."""
    inputs: dict[str, Any] = {"advantages": advantages, "disadvantages": disadvantages}
    thrown = len(rolled("twist", "attribute_roll", **inputs).dice["number"])
    faces = [3, 7, 5][:thrown]
    stays = rolled("twist", "attribute_roll", {"number": faces}, **inputs).values["total"]
    keep = "only" if thrown == 1 else "highest" if stays == 7 else "lowest"
    assert stays == {"only": 3, "highest": 7, "lowest": 3}[keep]
    return {"dice": thrown, "keep": keep}


def degrees(totals: list[int]) -> list[str | None]:
    return [rolled("twist", "degrees", {"number": [5]}, attribute=total - 5).outcome for total in totals]


def group(attribute: int, dc: int, need: int, fails: int) -> str:
    rule = {3: "finding_supplies", 4: "escaping_laboratory"}[fails]
    chance = load("twist")["group_check"].odds(party=[attribute], difficulty=dc, goal=need, limit=fails)["achieved"]
    assert load("twist")[rule].odds(party=[attribute])["achieved"] == chance
    return str(chance)


def formula(system: str, rule: str, value: str, **names: str) -> Callable[..., Any]:
    """A formula as a function; `names` gives the example's words for the rule's inputs."""

    def answer(**given: int) -> Any:
        inputs: dict[str, Any] = {names.get(name, name): number for name, number in given.items()}
        return rolled(system, rule, **inputs).values[value]

    return answer


WAYS: list[tuple[str, str, Callable[..., Any]]] = [
    ("hive", "faces", lambda faces: rolled("hive", "skill_check", {"human": faces}, attribute=len(faces), skill=0)),
    ("hive", "size drone_damage extra", hive_dice),
    ("polity", "bonus difficulty", half_the_time),
    ("polity", "modifier", formula("polity", "attribute_cost", "cost")),
    ("polity", "from_modifier to_modifier", formula("polity", "attribute_advance", "xp")),
    (
        "polity",
        "skill_from skill_to",
        formula("polity", "skill_advance", "xp", skill_from="from_rating", skill_to="to_rating"),
    ),
    ("polity", "skill", formula("polity", "skill_cost", "cost", skill="rating")),
    ("polity", "focus", focus),
    ("polity", "strength resilience", formula("polity", "health", "health")),
    ("gifts", "value roll", one_die),
    ("gifts", "values rolls", scored),
    ("gifts", "a b", opposed),
    ("gifts", "from to", half_again),
    ("twist", "advantages disadvantages", kept),
    ("twist", "totals", degrees),
    (
        "twist",
        "resisting_attribute",
        formula("twist", "contested_roll", "resistance", resisting_attribute="opposing"),
    ),
    ("twist", "players", lambda players: rolled("twist", "group_check", party=[0] * players).inputs["goal"]),
    ("twist", "attribute dc need fails", group),
]
ANSWERS = {(system, frozenset(words.split())): answer for system, words, answer in WAYS}
"""How each kind of example is asked, by the words that it gives."""


@pytest.mark.parametrize("example", DATA["examples"], ids=lambda each: f"{each['system']}: {each['text']}")
def test_stated(example: Mapping[str, Any]) -> None:
    answer = ANSWERS[example["system"], frozenset(example["in"])](**example["in"])
    if isinstance(answer, Roll):
        answer = answer.values["successes"]
    assert answer == example["expected"]


def test_every_way_of_asking_is_used() -> None:
    assert {(each["system"], frozenset(each["in"])) for each in DATA["examples"]} == set(ANSWERS)


@pytest.mark.parametrize("case", DATA["net_table"], ids=str)
def test_advantages_cancel_disadvantages(case: Mapping[str, Any]) -> None:
    inputs = {name: case[name] for name in ("advantages", "disadvantages")}
    assert rolled("twist", "attribute_roll", **inputs).values["net"] == case["net"]
    assert kept(**inputs) == {"dice": case["dice"], "keep": case["keep"]}


@pytest.mark.parametrize("net", DATA["kept_die"])
def test_the_die_that_stays(net: str) -> None:
    inputs = {"advantages": max(int(net), 0), "disadvantages": max(-int(net), 0)}
    law = load("twist")["attribute_roll"].odds(choose={"push": "never"}, inputs=inputs).of("number")
    assert {number: Fraction(chance) for number, chance in DATA["kept_die"][net].items()} == {
        str(number): law[number] for number in range(1, 13)
    }
