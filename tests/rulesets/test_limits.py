"""What the books do not allow is refused, with the book's reason, before anything is rolled."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from rulesrun import RulesError, load

REFUSED: list[tuple[str, str, Mapping[str, Any], str]] = [
    ("hive", "team_check", {"sizes": [4, 3], "drone_damages": [1]}, "both lists are as long"),
    ("hive", "team_check", {"sizes": [4, 3]}, "drone_damages"),
    ("hive", "skill_check", {"attribute": -1}, "attribute"),
    ("hive", "skill_check", {"needed": 0}, "needed"),
    ("polity", "attribute_advance", {"from_modifier": 3, "to_modifier": 2}, "an advance goes up"),
    ("polity", "skill_advance", {"from_rating": 3, "to_rating": 2}, "an advance goes up"),
    ("polity", "effort", {"training": "expert"}, "training"),
    ("polity", "base_attributes", {"kind": "veteran_war_drone", "in_range": 13}, "in_range"),
    ("gifts", "attempt", {"gift": 0}, "gift"),
    ("gifts", "attempt", {"gift": 6}, "gift"),
    ("gifts", "attempt", {"skill": 6}, "skill"),
    ("twist", "attribute_roll", {"difficulty": "harder"}, "difficulty"),
    ("twist", "group_check", {"party": [1, 2]}, "two others"),
    ("twist", "group_check", {"party": [], "goal": 1}, "somebody has to roll"),
    ("twist", "finding_supplies", {"party": [1, 2]}, "two others"),
    ("twist", "escaping_laboratory", {"party": [1, 2]}, "two others"),
    ("twist", "fumble", {"pick": 7}, "pick"),
    ("twist", "inspiration_vote", {"votes": [1, 1, 2]}, "cannot vote for themselves"),
    ("twist", "inspiration_vote", {"votes": [2, 4, 1]}, "one of the players"),
    ("twist", "inspiration_vote", {"votes": [2, 1, 1, 2], "tiebreak": 3}, "breaks the tie"),
]


@pytest.mark.parametrize(("system", "rule", "inputs", "reason"), REFUSED, ids=str)
def test_refused(system: str, rule: str, inputs: Mapping[str, Any], reason: str) -> None:
    with pytest.raises(RulesError) as caught:
        load(system)[rule].roll(inputs=inputs)
    assert reason in caught.value.message


@pytest.mark.parametrize(("system", "rule", "inputs", "reason"), REFUSED, ids=str)
def test_odds_refuse_the_same(system: str, rule: str, inputs: Mapping[str, Any], reason: str) -> None:
    with pytest.raises(RulesError) as caught:
        load(system)[rule].odds(inputs=inputs)
    assert reason in caught.value.message


def test_single_and_three_members_may_try() -> None:
    twist = load("twist")
    assert twist["group_check"].roll(party=[1], limit=3).outcome in ("achieved", "failed")
    assert twist["group_check"].roll(party=[0, 1, 2], limit=3).outcome in ("achieved", "failed")
