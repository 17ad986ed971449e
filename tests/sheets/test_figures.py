"""What follows from what a character states: values, statuses, points, limits, prices."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulesrun
from rulesrun import RulesError

HERE = Path(__file__).parent
CREW = rulesrun.load(HERE / "crew.rules")


def zoe(**changed: str) -> rulesrun.Character:
    """Zoe; a line is replaced for each name."""
    text = (HERE / "zoe.yaml").read_text(encoding="utf-8")
    for name, value in changed.items():
        text = "\n".join(f"{name}: {value}" if line.startswith(f"{name}:") else line for line in text.split("\n"))
    return CREW.character_from(text, "zoe.yaml")


def test_traits_are_stated_or_have_their_default() -> None:
    assert dict(zoe().traits) == {
        "name": "Zoe Black",
        "origin": "desert",
        "motto": None,
        "armed": False,
        "will": 6,
        "damage": 0,
        "xp": 7,
        "body.strength": 3,
        "body.speed": 2,
    }
    assert zoe().lists == {
        "skills": {"climbing": 4, "Heavy Weapons": 2, "lore": 1},
        "tricks": {"whistling": None, "cards": None},
    }


def test_values_read_traits_groups_and_tables() -> None:
    assert zoe().values == {"reach": 5, "most_damage": 9}
    assert zoe(body="{strength: 1}", origin="city").values == {"reach": 5, "most_damage": 3}
    entries = zoe().figures.entries["skills"]
    assert [each.names["training"] for each in entries] == [None, "focus", "specialty"]


def test_statuses_hold_or_not() -> None:
    assert zoe().statuses == ()
    assert zoe(will="0").statuses == ("lost", "taken_over")
    assert zoe(will="9").do("hurt 9").statuses == ("taken_over",)


def test_points_by_line() -> None:
    budget = zoe().budgets["points"]
    assert (budget.amount, budget.spent, budget.left) == (20, 19, 1)
    assert {line.name: cost for line, cost in budget.lines} == {
        "points.body": 10,
        "points.skills": 7,
        "points.tricks": 2,
    }


def test_settings_change_what_follows() -> None:
    poor = CREW.with_settings(start=10).character(HERE / "zoe.yaml")
    assert poor.budgets["points"].left == -9
    assert [each.text for each in poor.broken] == ["points: 19 spent of 10"]


def test_limits_of_the_sheet_and_of_entries() -> None:
    text = (
        "name: A\nbody: {strength: 1}\norigin: desert\nskills:\n  a: {rating: 4, field: x, focus: y}\n  b: 1\ndamage: 4"
    )
    broken = CREW.character_from(text).broken
    assert [(each.text, each.entries, each.entry) for each in broken] == [
        ("a field or a focus, not both", "skills", "a"),
        ("more damage than a body can bear", None, None),
        ("a skill above its reach", None, None),
    ]


def test_prices_of_what_can_be_raised() -> None:
    steps = {(each.name, each.entry): each for each in zoe().advances}
    heavy = steps["skills", "Heavy Weapons"]
    assert (heavy.now, heavy.next, heavy.price, heavy.affordable) == (2, 3, 3, True)
    assert steps["skills", None].price == 3
    strength = steps["body.strength", None]
    assert (strength.price, strength.affordable) == (8, False)
    capped = {each.entry: each for each in zoe(origin="city", body="{strength: 0}").advances if each.entry}
    assert not capped["climbing"].allowed


@pytest.mark.parametrize(
    ("system", "right"), [("crew", True), ("Crew", True), ("crew.rules", True), ("other", False), ("[]", False)]
)
def test_the_system_is_the_one_of_the_rules(system: str, right: bool) -> None:
    assert (zoe(system=system).faults == ()) is right


def test_a_variant_takes_the_characters_of_its_base(tmp_path: Path) -> None:
    (tmp_path / "crew.rules").write_text((HERE / "crew.rules").read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / "rich.rules").write_text('system "Rich"\nbased on "crew.rules"\nsetting start = 99\n', encoding="utf-8")
    character = rulesrun.load(tmp_path / "rich.rules").character(HERE / "zoe.yaml")
    assert (character.faults, character.budgets["points"].left) == ((), 80)


def test_rules_without_a_sheet_have_no_characters() -> None:
    with pytest.raises(RulesError, match="has no sheet"):
        rulesrun.parse("rule r\n    x = 1\n").character(HERE / "zoe.yaml")
