"""The exact odds of the four systems are those that were computed apart from this project."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import pytest
from tests.rulesets.oracle import DATA, QUESTIONS, Question

from rulesrun import Ruleset, load


@cache
def ruleset(system: str, settings: tuple[tuple[str, object], ...] = ()) -> Ruleset:
    return load(system).with_settings(**dict(settings))


@pytest.mark.parametrize("question", QUESTIONS, ids=str)
def test_exact(question: Question) -> None:
    rule = ruleset(question.system, tuple(sorted(question.settings.items())))[question.rule]
    odds = rule.odds(choose=question.choose, inputs=question.inputs)
    assert {name: odds[name] for name in question.outcomes} == question.outcomes
    if question.good is not None:
        assert odds.good == question.good
    for name, law in question.laws.items():
        assert {number: odds.of(name)[number] for number in law} == law
        assert odds.of(name)[min(law) - 1] == 0
    for name, mean in question.means.items():
        assert odds.of(name).mean == mean
    for condition, chance in question.conditions.items():
        assert odds.chance(condition) == chance


def test_outcomes_add_up_to_one() -> None:
    for question in QUESTIONS[::23]:
        rule = ruleset(question.system, tuple(sorted(question.settings.items())))[question.rule]
        if rule.outcomes:
            odds = rule.odds(choose=question.choose, inputs=question.inputs)
            assert sum(odds[outcome.label] for outcome in rule.outcomes) == 1


def computed(system: str, rule: str, value: str) -> Callable[..., object]:
    """A formula as a function of its inputs."""
    return lambda **inputs: ruleset(system)[rule].roll(inputs=inputs).values[value]


def test_scores_of_given_dice() -> None:
    for case in DATA["hive"]["scores"]:
        check = ruleset("hive")["skill_check"]
        roll = check.roll(attribute=len(case["faces"]), skill=0, dice={"human": case["faces"]})
        assert roll.values["successes"] == case["successes"]


def test_costs_and_advances() -> None:
    polity = DATA["polity"]
    cost = computed("polity", "attribute_cost", "cost")
    assert {modifier: cost(modifier=int(modifier)) for modifier in polity["attribute_cp"]} == polity["attribute_cp"]
    cost = computed("polity", "skill_cost", "cost")
    assert {rating: cost(rating=int(rating)) for rating in polity["skill_cp"]} == polity["skill_cp"]
    xp = computed("polity", "attribute_advance", "xp")
    for case in polity["attribute_xp"]:
        assert xp(from_modifier=case["from"], to_modifier=case["to"]) == case["xp"]
    xp = computed("polity", "skill_advance", "xp")
    for case in polity["skill_xp"]:
        assert xp(from_rating=case["from"], to_rating=case["to"]) == case["xp"]
    cap = computed("polity", "skill_cap", "cap")
    assert [cap(intellect=case["intellect"]) for case in polity["skill_cap"]] == [
        case["cap"] for case in polity["skill_cap"]
    ]


def test_field_skills() -> None:
    trained = computed("polity", "effort", "trained")
    for case in DATA["polity"]["field_skill"]:
        assert trained(skill=case["rating"], field="same") == case["same_field"]
        assert trained(skill=case["rating"], field="other") == case["other_field"]


def test_scale() -> None:
    squared = computed("polity", "scale", "factor_squared")
    for difference, text in DATA["polity"]["scale_factor_squared"].items():
        numerator, denominator = map(int, text.split("/"))
        assert squared(difference=int(difference)) * denominator == numerator  # type: ignore[operator]


@pytest.mark.parametrize(
    ("table", "key"), [("difficulty_levels", "difficulty_labels"), ("cp_levels", "cp_labels")], ids=str
)
def test_bands_as_the_book_has_them(table: str, key: str) -> None:
    names = {"nigh-impossible": "nigh_impossible", "25-50": "average", "50-75": "skilled", "75-100": "exceptional"}
    names |= {"101-150": "veteran", "150+": "incredible"}
    for number, labels in DATA["polity"][key].items():
        rows = ruleset("polity").tables[table].at(int(number))
        assert [row.label for row in rows] == [names.get(label.lower(), label.lower()) for label in labels]


def test_negative_totals_pass_to_the_other_side() -> None:
    opposed = ruleset("gifts")["opposed"]
    for case in DATA["gifts"]["resolve"]:
        inputs: dict[str, object] = {}
        dice: dict[str, list[int]] = {}
        for side, total in (("attacker", case["a"]), ("defender", case["b"])):
            gift, face = (5, 6 - total) if total > 0 else (1, 2) if total == 0 else (1, 6)
            inputs |= {f"{side}.gift": gift, f"{side}.skill": None}
            dice[f"{side}.gift_die"] = [face]
        values = opposed.roll(inputs=inputs, dice=dice).values
        assert (values["attack"], values["defence"]) == (case["final_a"], case["final_b"])
        assert (values["difference"], values["degree"]) == (case["degree"], abs(case["degree"]))
