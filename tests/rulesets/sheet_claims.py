"""What the books say of characters. Each claim is true of its ruleset; `claims.py` keeps them by name."""

from __future__ import annotations

from typing import Any

from rulesrun import RulesError, Ruleset
from rulesrun.sheets.character import Character


def named(ruleset: Ruleset, **said: Any) -> Character:
    """A sound character that states this."""
    lines = "".join(f"{name}: {value}\n" for name, value in said.items())
    character = ruleset.character_from(f"name: Somebody\n{lines}")
    assert character.faults == ()
    return character


def refuses(character: Character, action: str, reason: str) -> None:
    """The action is refused, with this reason."""
    try:
        character.do(action)
    except RulesError as error:
        assert reason in error.message
    else:
        raise AssertionError(f"{action} is not refused")


def breaks(character: Character, reason: str) -> bool:
    """Whether the character breaks a limit with this reason."""
    return any(reason in each.text for each in character.broken)


def price(character: Character, name: str) -> Any:
    """What the next step of a trait's or entry's advance costs; None if there is none."""
    steps = [each.price for each in character.advances if name in (each.name, each.entry) and each.allowed]
    return steps[0] if steps else None


# ---------------------------------------------------------------- hive


def a_drone_and_back(hive: Ruleset) -> None:
    self = named(hive, willpower=5, drone_damage=4)
    assert self.statuses == ("autonomous",)
    drone = self.do("suffer_drone_damage 1")
    assert drone.statuses == ("as_drone",)
    assert drone.do("heal_drone_damage 1").statuses == ("autonomous",)
    assert drone.do("recover_willpower 1").statuses == ("autonomous",)
    assert self.do("lose_willpower 1").statuses == ("as_drone",)
    assert self.do("heal_drone_damage 9").traits["drone_damage"] == 0


def the_lost_never_recover(hive: Ruleset) -> None:
    lost = named(hive, willpower=1, drone_damage=1).do("lose_willpower 3")
    assert lost.statuses == ("lost", "as_drone")
    refuses(lost, "recover_willpower 2", "may never recover")
    healed = lost.do("heal_drone_damage 1")
    assert healed.statuses == ("lost", "as_drone") and healed.traits["drone_damage"] == 0
    assert named(hive, willpower=1, drone_damage=3).do("recover_willpower 3").statuses == ("autonomous",)


def what_a_drone_may_do(hive: Ruleset) -> None:
    texts = {each.name: each.text for each in named(hive, willpower=2, drone_damage=2).figures.statuses}
    assert "converts" in texts["as_drone"] and "may consult the Game Mxtress privately" in texts["as_drone"]
    texts = {each.name: each.text for each in named(hive, willpower=3, drone_damage=2).figures.statuses}
    assert "keeps what it learned" in texts["autonomous"]


def willpower_is_private(hive: Ruleset) -> None:
    sheet = hive.sheet
    assert sheet is not None
    private = {part.name for part in sheet.parts if part.private}
    assert {"willpower", "lost", "as_drone", "autonomous"} <= private
    assert not {"drone_damage", "attributes", "skills"} & private


def nobody_learns_who_is_lost(hive: Ruleset) -> None:
    lost = named(hive, willpower=0)
    assert lost.done("recover_willpower 1").private and lost.done("recover_willpower 1").refusal is not None
    assert named(hive, willpower=1).done("recover_willpower 1").private


def a_drone_rolls_without_drone_dice(hive: Ruleset) -> None:
    check = hive["skill_check"]
    for willpower, drones in ((4, 2), (2, 0)):
        roll = check.roll(character=named(hive, willpower=willpower, drone_damage=2), attribute=3, skill=2, seed=1)
        assert (len(roll.dice["human"]), len(roll.dice["drone"])) == (5 - drones, drones)


def a_team_is_filled_from_its_members(hive: Ruleset) -> None:
    skills = {"attributes": "{body: 2}", "skills": "{stealth: 1}", "drone_damage": 2}
    team = [named(hive, willpower=willpower, **skills) for willpower in (5, 2, 3)]
    roll = hive["team_check"].roll(character=team, attribute="body", skill="stealth", seed=1)
    assert (roll.inputs["sizes"], roll.inputs["drone_damages"]) == ((3, 3, 3), (2, 0, 2))


# ---------------------------------------------------------------- gifts


def the_opposed_roll_of_alia_and_the_guard(gifts: Ruleset) -> None:
    """Alia, Body 3 and Melee 2, against a Guard, Body 3 and Melee 3."""
    sides = {"attacker": gifts.character("alia.yaml"), "defender": gifts.character("guard.yaml")}
    named = {f"{side}.{part}": word for side in sides for part, word in (("gift", "body"), ("skill", "melee"))}
    dice = {
        "attacker.gift_die": [2],
        "attacker.skill_die": [5],
        "defender.gift_die": [6],
        "defender.skill_die": [1],
    }
    roll = gifts["opposed"].roll(character=sides, inputs=named, dice=dice)
    assert (roll.values["attack"], roll.values["defence"]) == (2, 3)
    assert (roll.outcome, roll.values["degree"]) == ("defender_wins", 1)


def dots_of_a_character(gifts: Ruleset) -> None:
    """Gifts are rated 1 to 5, Skills 0 to 5."""
    for text, sound in (
        ("gifts: {body: 1, wit: 5}\nskills: {melee: 0, stealth: 5}", True),
        ("gifts: {body: 0}", False),
        ("gifts: {body: 6}", False),
        ("skills: {melee: 6}", False),
    ):
        assert (gifts.character_from(f"name: Somebody\n{text}\n").faults == ()) is sound


# ---------------------------------------------------------------- twist


def inspiration_is_held_and_spent(twist: Ruleset) -> None:
    holder = named(twist).do("receive_inspiration")
    assert holder.traits["inspiration"] is True
    assert holder.do("spend_inspiration").traits["inspiration"] is False
    refuses(named(twist), "spend_inspiration", "no inspiration")


def inspiration_is_lost_to_another(twist: Ruleset) -> None:
    assert named(twist, inspiration="yes").do("lose_inspiration").traits["inspiration"] is False


def luck_and_attributes_are_the_characters(twist: Ruleset) -> None:
    scavenger = twist.character("scavenger.yaml")
    roll = twist["inspired_roll"].roll(character=scavenger, attribute="agility", seed=1)
    assert (roll.inputs["attribute"], roll.inputs["luck"], roll.inputs["inspiration"]) == (3, 3, True)
    party = [named(twist, attributes=f"{{wits: {wits}}}") for wits in (1, 0, 2)]
    assert twist["group_check"].roll(character=party, attribute="wits", limit=3).inputs["party"] == (1, 0, 2)


def a_fumble_hurts(twist: Ruleset) -> None:
    """1 hit point while fighting, 1 wound while exploring."""
    assert named(twist, hit_points=3).do("lose_hit_points 1").traits["hit_points"] == 2
    assert named(twist).do("take_wounds 1").traits["wounds"] == 1


# ---------------------------------------------------------------- polity

BOUGHT = {"modifiers": "{intellect: 3}", "skills": "{law: 4, art: 2}", "traits": "{famous: 5}", "requisition": 10}


def another_body_replaces_all(polity: Ruleset) -> None:
    drone = named(polity, physical="{strength: 6, resilience: 8, speed: 5, precision: 3, size: 4}")
    golem = drone.do("change_body strength=3 resilience=4 speed=2 precision=1")
    assert [golem.traits[f"physical.{name}"] for name in ("strength", "resilience", "speed", "precision", "size")] == [
        3,
        4,
        2,
        1,
        0,
    ]


def armistad_raises_intellect(polity: Ruleset) -> None:
    """Base 4 and a modifier of +2, so 6; to 7, a modifier of +3, for (3)^2 = 9 XP. (2 sets of attributes.)"""
    armistad = polity.character("armistad.yaml")
    assert armistad.traits["modifiers.intellect"] == 2 and armistad.values["intellect"] == 4 + 2
    assert price(armistad, "modifiers.intellect") == 3**2
    raised = armistad.do("raise intellect")
    assert raised.values["intellect"] == 7 and raised.traits["modifiers.intellect"] == 3
    assert raised.traits["xp"] == armistad.traits["xp"] - 9  # type: ignore[operator]
    assert raised.budgets["cp"].left == armistad.budgets["cp"].left


def armistad_learns_academics(polity: Ruleset) -> None:
    """Academics (Aetheter) at 1 costs 3 XP, at 2 only 2."""
    armistad = polity.character("armistad.yaml")
    assert price(armistad, "academics") == 3
    learned = armistad.do("raise academics")
    assert learned.lists["skills"]["academics"] == 1 and price(learned, "academics") == 2
    again = learned.do("raise academics")
    assert again.traits["xp"] == armistad.traits["xp"] - 3 - 2  # type: ignore[operator]
    assert again.budgets["cp"].left == armistad.budgets["cp"].left
    new = armistad.do("raise new viral attack")
    assert new.lists["skills"]["viral attack"] == 1 and new.traits["xp"] == armistad.traits["xp"] - 3  # type: ignore[operator]


def an_intellect_below_2_is_hardly_sapient(polity: Ruleset) -> None:
    """Below -2."""
    base = {"kind": "prador_war_drone"}
    assert not breaks(named(polity, **base), "Intellect below -2")
    assert breaks(named(polity, **base, modifiers="{intellect: -1}"), "Intellect below -2")


def health_is_of_the_body(polity: Ruleset) -> None:
    """Strength + Resilience + 10."""
    assert named(polity, physical="{strength: 1, resilience: 2}").values["health"] == 1 + 2 + 10


def field_skills(polity: Ruleset) -> None:
    text = "skills:\n  science biology: {rating: 3, field: biology}\n  science: {rating: 1, field: physics}\n"
    character = polity.character_from(f"name: Somebody\n{text}")
    assert character.faults == ()
    fields = {each.name: each.names["field"] for each in character.figures.entries["skills"]}
    assert fields == {"science biology": "biology", "science": "physics"}


def one_specialty_or_focus(polity: Ruleset) -> None:
    for said, sound in (
        ("specialty: railgun", True),
        ("focus: railgun", True),
        ("specialty: railgun, focus: lasers", False),
    ):
        character = named(polity, skills=f"{{heavy weapons: {{rating: 2, {said}}}}}")
        assert breaks(character, "one specialty or one focus") is not sound


def requisition_is_committed(polity: Ruleset) -> None:
    rich = named(polity, requisition=20).do('acquire "golem body" 15')
    assert rich.traits["requisition"] == 20 and rich.values["requisition_left"] == 5
    refuses(rich, "acquire railgun 6", "not so much is left")


def requisition_returns(polity: Ruleset) -> None:
    given_back = named(polity, requisition=20, equipment="{golem body: 15}").do('give_back "golem body"')
    assert given_back.values["requisition_left"] == 20 and given_back.lists["equipment"] == {}


def requisition_becomes_money(polity: Ruleset) -> None:
    rich = named(polity, requisition=20, equipment="{golem body: 15}")
    sold = rich.do("trade_for_money 3 900")
    assert (sold.traits["requisition"], sold.traits["money"]) == (17, 900)
    assert sold.budgets["cp"].left == rich.budgets["cp"].left
    refuses(rich, "trade_for_money 6 900", "not so much is left")


def a_new_character_has_100_points_and_0_else(polity: Ruleset) -> None:
    new = named(polity)
    assert new.budgets["cp"].left == 100
    assert {value for name, value in new.traits.items() if "." in name} == {0}
    assert new.traits["requisition"] == 0 and new.traits["xp"] == 0
    assert [new.values[name] for name in ("intellect", "reaction_speed", "resolve", "interaction")] == [0, 0, 0, 0]


def what_points_buy(polity: Ruleset) -> None:
    cp = named(polity, **BOUGHT).budgets["cp"]
    costs = {line.name.removeprefix("cp."): cost for line, cost in cp.lines}
    assert costs == {"mental_attributes": 9, "skills": 6, "traits": 5, "requisition": 10}
    assert (cp.spent, cp.left) == (30, 70)


def more_points_for_the_exceptional(polity: Ruleset) -> None:
    assert named(polity, points=150).budgets["cp"].amount == 150
    assert named(polity, modifiers="{intellect: 11}").broken
    assert not named(polity, points=150, modifiers="{intellect: 11}").broken


def points_say_how_exceptional(polity: Ruleset) -> None:
    levels = {"average", "skilled", "exceptional", "veteran", "incredible"}
    for points, names in ((30, "average"), (50, "average skilled"), (100, "exceptional"), (150, "veteran incredible")):
        assert levels & set(named(polity, points=points).statuses) == set(names.split())


def no_agent_is_below_0(polity: Ruleset) -> None:
    weak = named(polity, modifiers="{resolve: -1}")
    assert breaks(weak, "below 0")
    assert not breaks(named(polity, kind="wasp_hive"), "below 0")


def skills_are_capped(polity: Ruleset) -> None:
    """At 6, or at Intellect."""
    assert not named(polity, skills="{law: 6}").broken
    assert breaks(named(polity, skills="{law: 7}"), "capped")
    assert not named(polity, kind="attack_ship", skills="{law: 12}").broken
    assert price(named(polity, skills="{law: 6}", xp=99), "law") is None


def few_skills_above_3(polity: Ruleset) -> None:
    skills = "{law: 4, art: 4, science: 3}"
    assert not named(polity, skills=skills).broken
    assert breaks(named(polity.with_settings(most_skills_above_3=1), skills=skills), "above 3")
    assert not named(polity.with_settings(most_skills_above_3=2), skills=skills).broken


def bodies_are_upgraded_by_requisition(polity: Ruleset) -> None:
    body = named(polity, requisition=10).do("upgrade_body implants 4 strength=2")
    assert body.traits["physical.strength"] == 2 and body.values["requisition_left"] == 6
    assert price(body, "physical.strength") is None
    refuses(body, "upgrade_body gravplates 7 speed=1", "not so much is left")
