"""What the books say that no example can: of characters, and of what is refused. Each claim is true of its ruleset."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from inspect import signature
from typing import Any

from tests.rulesets import sheet_claims

from rulesrun import RulesError, Ruleset


def refused(ruleset: Ruleset, rule: str, reason: str, inputs: Mapping[str, Any]) -> None:
    """The rule refuses these inputs, with this reason."""
    try:
        ruleset[rule].roll(inputs=inputs)
    except RulesError as error:
        assert reason in error.message
    else:
        raise AssertionError(f"{rule} takes {inputs}")


def a_team_is_two_or_more(hive: Ruleset) -> None:
    hive["team_check"].roll(sizes=[4, 3], drone_damages=[0, 0])
    refused(hive, "team_check", "two or more", {"sizes": [4], "drone_damages": [0]})


def gifts_are_1_to_5(gifts: Ruleset) -> None:
    gifts["attempt"].roll(gift=1)
    gifts["attempt"].roll(gift=5)
    refused(gifts, "attempt", "gift", {"gift": 0})
    refused(gifts, "attempt", "gift", {"gift": 6})


def skills_are_0_to_5(gifts: Ruleset) -> None:
    gifts["attempt"].roll(skill=0)
    gifts["attempt"].roll(skill=5)
    refused(gifts, "attempt", "skill", {"skill": -1})
    refused(gifts, "attempt", "skill", {"skill": 6})


def nobody_rolls_again_before_2_others(twist: Ruleset) -> None:
    twist["group_check"].roll(party=[0, 1, 2])
    refused(twist, "group_check", "two others", {"party": [1, 2]})


def nobody_votes_for_themselves(twist: Ruleset) -> None:
    refused(twist, "inspiration_vote", "cannot vote for themselves", {"votes": [1, 1, 2]})


def the_plot_twister_decides_among_the_tied(twist: Ruleset) -> None:
    refused(twist, "inspiration_vote", "breaks the tie", {"votes": [2, 1, 1, 2], "tiebreak": 3})


def claims(*modules: Mapping[str, object]) -> dict[str, Callable[[Ruleset], None]]:
    """The claims of modules by name: each takes the ruleset that it is about, and is called so."""
    functions = [(name, each) for module in modules for name, each in module.items() if callable(each)]
    return {name: each for name, each in functions if asked_of(each) in SYSTEMS}


def asked_of(function: Callable[..., object]) -> str:
    """What a function of one argument calls it."""
    try:
        return "".join(signature(function).parameters)
    except ValueError:
        return ""


SYSTEMS = ("hive", "polity", "gifts", "twist")
CLAIMS = claims(globals(), vars(sheet_claims))
