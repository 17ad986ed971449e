"""What the independent computation says of the four systems, as questions to their rulesets.

In: `data/oracle.json`, chances as `num/den`, computed apart from this project by plain enumeration and closed forms.
Out: `Question`s: a rule, how it is called, and the exact answer.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

DATA: dict[str, Any] = json.loads((Path(__file__).parent / "data" / "oracle.json").read_text(encoding="utf-8"))
FOUR = ("critical_success", "success", "failure", "critical_failure")
MODES = {"auto": True, "flag": False}
"""The two readings of criticals, as the setting `crits_always`."""


@dataclass(frozen=True, slots=True)
class Question:
    """`outcomes` and `conditions` have chances, `laws` are of whole values and may leave out what is far off."""

    system: str
    rule: str
    inputs: Mapping[str, Any]
    settings: Mapping[str, Any] = field(default_factory=dict)
    choose: Mapping[str, str] = field(default_factory=dict)
    outcomes: Mapping[str, Fraction] = field(default_factory=dict)
    good: Fraction | None = None
    laws: Mapping[str, Mapping[int, Fraction]] = field(default_factory=dict)
    means: Mapping[str, Fraction] = field(default_factory=dict)
    conditions: Mapping[str, Fraction] = field(default_factory=dict)

    def __str__(self) -> str:
        words = [f"{name}={value}" for name, value in {**self.inputs, **self.settings, **self.choose}.items()]
        return f"{self.system} {self.rule} {' '.join(words)}"


def chances(case: Mapping[str, str], names: Mapping[str, str] | tuple[str, ...]) -> dict[str, Fraction]:
    """Outcomes by the ruleset's names; `names` maps them to the data's names where those differ."""
    pairs = names.items() if isinstance(names, Mapping) else zip(names, names, strict=True)
    return {name: Fraction(case[key]) for name, key in pairs}


def law(case: Mapping[str, str]) -> dict[int, Fraction]:
    return {int(number): Fraction(chance) for number, chance in case.items() if Fraction(chance)}


def hive() -> Iterator[Question]:
    four = ("success", "critical_drone_success", "failure", "critical_drone_failure")
    for case in DATA["hive"]["cases"]:
        for needed, outcomes in case["outcomes"].items():
            dice = {"attribute": case["size"], "drone_damage": case["drone_damage"], "leaning": case["extra"]}
            yield Question(
                "hive",
                "skill_check",
                {**dice, "skill": 0, "needed": int(needed)},
                outcomes=chances(outcomes, four),
                laws={"successes": law(case["successes"])} if "successes" in case else {},
                means={"successes": Fraction(case["mean"])},
            )
        plain = case["outcomes"]["1"]
        if case["drone_damage"] == case["extra"] == 0:
            never = {"critical_drone_success": Fraction(0), "critical_drone_failure": Fraction(0)}
            yield Question(
                "hive",
                "skill_check",
                {"attribute": case["size"], "skill": 0, "drone_damage": 5, "leaning": 2, "as_drone": True},
                outcomes=chances(plain, ("success", "failure")) | never,
            )
    for case in DATA["hive"]["team"]:
        for cap, team_cap in (("cap_sum", "whole_team"), ("cap_each", "each_member")):
            for needed, outcomes in case[cap]["outcomes"].items():
                yield Question(
                    "hive",
                    "team_check",
                    {
                        "sizes": [each["size"] for each in case["members"]],
                        "drone_damages": [each["drone_damage"] for each in case["members"]],
                        "needed": int(needed),
                    },
                    {"team_cap": team_cap},
                    outcomes=chances(outcomes, four),
                )


def polity() -> Iterator[Question]:
    bands = {"exceptional_success": "exceptional", "incredible_success": "incredible", "success": "success"}
    sides = {"attacker_wins": "win", "tie": "tie", "defender_wins": "lose"}
    total = law(DATA["polity"]["pmf"])
    for rule in ("effort", "check"):
        yield Question("polity", rule, {}, laws={"total": total}, means={"total": Fraction(DATA["polity"]["mean"])})
    for case in DATA["polity"]["checks"]:
        inputs = {"modifier": case["bonus"], "difficulty": case["difficulty"]}
        yield Question("polity", "check", inputs, outcomes=chances(case, bands | {"failure": "failure"}))
    for case in DATA["polity"]["opposed"]:
        inputs = {"attacker.modifier": case["bonus_difference"]}
        yield Question("polity", "opposed", inputs, outcomes=chances(case, sides))


def gifts() -> Iterator[Question]:
    for case in DATA["gifts"]["pools"]:
        inputs = {"gift": case["gift"], "skill": case["skill"], "prepared": case["kind"].startswith("prepared")}
        if case["kind"] == "prepared_gift_only":
            inputs["skill"] = None
        yield Question(
            "gifts",
            "attempt",
            inputs,
            {"prepared_against": "skill"} if case["kind"] == "prepared_skill" else {},
            outcomes={"fumbled": Fraction(case["fumble"])},
            laws={"total": law(case["dist"])},
            means={"total": Fraction(case["mean"])},
        )
    for gift, case in DATA["gifts"]["per_die"].items():
        if gift != "0":
            yield Question("gifts", "attempt", {"gift": int(gift)}, means={"successes": Fraction(case["mean"])})
    for case in DATA["gifts"]["opposed"]:
        inputs = {}
        for side, values in (("attacker", case["a"]), ("defender", case["b"])):
            inputs[f"{side}.gift"] = values[0]
            inputs[f"{side}.skill"] = values[1] if len(values) > 1 else None
            inputs[f"{side}.prepared"] = len(values) > 2
        if all(len(values) < 3 or values[2] == values[0] for values in (case["a"], case["b"])):
            yield Question(
                "gifts",
                "opposed",
                inputs,
                outcomes=chances(case, {"attacker_wins": "win", "tie": "tie", "defender_wins": "loss"}),
                laws={"difference": law(case["degree"])},
            )


def twist_rolls() -> Iterator[Question]:
    degrees = ("critical_failure", "failure", "easy", "medium", "hard", "critical_success")
    for case in DATA["twist"]["rolls"]:
        inputs = {"attribute": case["attribute"], "difficulty": case["dc"], **advantage(case["net"])}
        never = {"push": "never"}
        yield Question("twist", "attribute_roll", inputs, mode(case), never, outcomes=chances(case, FOUR))
    for case in DATA["twist"]["degrees"]:
        inputs = {"attribute": case["attribute"], **advantage(case["net"])}
        yield Question("twist", "degrees", inputs, mode(case), {"push": "never"}, outcomes=chances(case, degrees))
    for case in DATA["twist"]["contested"]:
        inputs = {"attribute": case["attribute"], "opposing": case["resisting_attribute"], **advantage(case["net"])}
        crits = {"crits_always": False}
        yield Question("twist", "contested_roll", inputs, crits, {"push": "never"}, outcomes=chances(case, FOUR))
    for case in DATA["twist"]["push"]:
        yield Question(
            "twist", "attribute_roll", luck(case), mode(case), outcomes=chances(case["when_failing"], (*FOUR, "fumble"))
        )
        for policy, name in (("never", "never"), ("always", "always_eligible"), ("best", "best")):
            good = Fraction(case["p_success"][name])
            yield Question("twist", "attribute_roll", luck(case), mode(case), {"push": policy}, good=good)
    for case in DATA["twist"]["inspiration"]:
        chance = {name: Fraction(text) for name, text in case["p_success"].items()}
        plain = {"first.push": "never", "second.push": "never"}
        rerolled = chances(case["reroll_when_failed"], FOUR)
        yield Question("twist", "inspired_roll", luck(case), mode(case), plain, outcomes=rerolled)
        best = {"first.push": "best", "inspire": "best", "second.push": "best"}
        for rerolls, name in ((True, "best_reroll_of_fumble"), (False, "best_no_reroll_of_fumble")):
            settings = mode(case) | {"inspiration_rerolls_fumble": rerolls}
            yield Question("twist", "inspired_roll", luck(case), settings, best, good=chance[name])
        settings = mode(case) | {"inspiration_rerolls_fumble": False}
        yield Question("twist", "inspired_roll", luck(case), settings, good=chance["push_first_else_reroll"])


def twist_groups() -> Iterator[Question]:
    ends = {"achieved": "success", "failed": "failure"}
    for case in DATA["twist"]["group"]:
        inputs = {"party": [case["attribute"]], "goal": case["need"], "limit": case["fails"], "difficulty": case["dc"]}
        rolls = {"rolls": Fraction(case["mean_rolls"])}
        settings = mode(case)
        yield Question(
            "twist", "group_check", inputs | advantage(case["net"]), settings, {}, chances(case, ends), means=rolls
        )
    for case in DATA["twist"]["group_cycle"]:
        reached = {
            f"outcome is achieved and degree >= {degree}": Fraction(chance)
            for degree, chance in case.get("all_successes_at_least", {}).items()
        }
        yield Question(
            "twist",
            "group_check",
            {"party": case["attributes"], "goal": case["need"], "limit": case["fails"], "difficulty": case["dc"]},
            mode(case),
            outcomes=chances(case["given_order"], ends),
            means={"rolls": Fraction(case["given_order"]["mean_rolls"])},
            conditions=reached,
        )
    for case in DATA["twist"]["group_immediate"]:
        inputs = {"party": [case["attribute"]], "goal": case["need"], "limit": None, "difficulty": case["dc"]}
        means = {"failures": Fraction(case["mean_failures"]), "rolls": Fraction(case["mean_rolls"])}
        yield Question("twist", "group_check", inputs, mode(case), means=means)
    for case, rule in ((29287, "finding_supplies"), (2 * 49313, "escaping_laboratory")):
        yield Question("twist", rule, {"party": [2]}, outcomes={"achieved": Fraction(case, 186624)})


def twist_numbers() -> Iterator[Question]:
    for dice, case in DATA["twist"]["exploding"].items():
        inputs = {"amount": int(dice.removesuffix("d6!"))}
        means = {"damage": Fraction(case["mean"])}
        yield Question("twist", "damage", inputs, laws={"damage": law(case["pmf"])}, means=means)
    for dice, case in DATA["twist"]["dice_sums"].items():
        amount, sides = map(int, dice.split("d"))
        yield Question("twist", "gain", {"amount": amount, "sides": sides}, laws={"gain": law(case)})
        if sides == 6:
            inputs = {"amount": amount, "exploding": False}
            yield Question("twist", "damage", inputs, laws={"damage": law(case)})
    for scene in ("combat", "exploration", "social"):
        sixths = {number: Fraction(1, 6) for number in range(1, 7)}
        yield Question("twist", "fumble", {"scene": scene}, laws={"row": sixths})


def advantage(net: int) -> dict[str, int]:
    return {"advantages": max(net, 0), "disadvantages": max(-net, 0)}


def mode(case: Mapping[str, Any]) -> dict[str, bool]:
    return {"crits_always": MODES[case["mode"]]}


def luck(case: Mapping[str, Any]) -> dict[str, int]:
    return {"attribute": case["attribute"], "difficulty": case["dc"], "luck": case["luck"], **advantage(case["net"])}


QUESTIONS = [*hive(), *polity(), *gifts(), *twist_rolls(), *twist_groups(), *twist_numbers()]
