"""Fights: to hit, to wound, to save, and what is left of either side."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from tests.language.answers.chains import played
from tests.language.answers.play import Answers, Law, Table, chance, law, mean


def binomials(first: Law, share: Fraction) -> Law:
    """Of so many tries each succeeds with this chance."""
    found: Law = {}
    for tries, weight in first.items():
        ways = {0: Fraction(1)}
        for _ in range(tries):
            after: Law = {}
            for hits, chance_ in ways.items():
                after[hits] = after.get(hits, Fraction(0)) + chance_ * (1 - share)
                after[hits + 1] = after.get(hits + 1, Fraction(0)) + chance_ * share
            ways = after
        for hits, chance_ in ways.items():
            found[hits] = found.get(hits, Fraction(0)) + weight * chance_
    return found


def lethal_hits() -> Answers:
    """One attack after the other: its lethal wounds and hits, wounds, saves, and two points of damage each ignored on
    sixes."""

    def attack(t: Table) -> int:
        shot = t.roll(6)
        if shot == 1:
            shot = t.roll(6)
        saves = [True] if shot == 6 else []
        for _ in range(shot >= 3):
            wound = t.roll(6)
            if wound >= 4:
                saves.append(wound != 6)
        return sum(2 for may_save in saves if not may_save or t.roll(6) < 4)

    one, total = law(attack), {0: Fraction(1)}
    for _ in range(4):
        after: Law = {}
        for before, weight in total.items():
            for more, share in one.items():
                after[before + more] = after.get(before + more, Fraction(0)) + weight * share
        total = after
    lost = binomials(total, Fraction(5, 6))
    return {
        "mean_lost": mean(lost),
        "p_none": lost[0],
        "p_ge6": chance(lost, lambda n: n >= 6),
    }


def hero_quest_fight() -> Answers:
    faces = ("skull", "skull", "skull", "white", "white", "black")

    def blow(t: Table, attack: int, defend: int, shield: str) -> int:
        return max(0, t.pool(attack, faces).count("skull") - t.pool(defend, faces).count(shield))

    def turn(t: Table, at: tuple[int, int]) -> tuple[int, int]:
        hero, monster = at
        monster = max(0, monster - blow(t, 3, 3, "black"))
        if monster:
            hero = max(0, hero - blow(t, 3, 2, "white"))
        return hero, monster

    ends, lasts = played((4, 2), lambda at: 0 in at, turn)
    return {
        "p_hero_wins": chance(ends, lambda at: at[0] > 0),
        "p_unhurt": chance(ends, lambda at: at[0] == 4),
        "mean_rounds": lasts,
    }


def face_to_face() -> Answers:
    def worth(face: int, value: int) -> int:
        return 100 if face == value else face if face < value else 0

    def play(t: Table) -> tuple[int, int, int]:
        shots, reply = [worth(face, 13) for face in t.pool(3, 20)], worth(t.roll(20), 11)
        hits = [] if reply == 100 else [shot for shot in shots if shot > reply]
        return len(hits), hits.count(100), int(reply > max(shots))

    found = law(play)
    return {
        "p_hit": chance(found, lambda r: r[0] > 0),
        "p_struck_back": chance(found, lambda r: r[0] == 0 and r[2] == 1),
        "mean_hits": mean(found, lambda r: r[0]),
        "p_any_crit": chance(found, lambda r: r[1] > 0),
    }


MELEE = {
    "cf": ("both", "attacker_fumbles", "back", "back"),
    "mf": ("defender_fumbles", "blocked", "blocked", "advantage"),
    "ms": ("2", "1", "blocked", "advantage"),
    "cs": ("3", "2", "1", "blocked"),
}


def attack_and_block() -> Answers:
    def degree(skill: int) -> Law:
        return law(lambda t: ("c" if (n := t.roll(100)) % 5 == 0 else "m") + ("s" if n <= skill else "f"))

    attack, block = degree(65), degree(50)
    found = law(lambda t: MELEE[t.of(attack)][("cf", "mf", "ms", "cs").index(t.of(block))])
    return {
        "p_hit": chance(found, str.isdigit),
        "p_riposte": found["back"],
        "mean_blow": mean(found, lambda r: Fraction(7, 2) * int(r) if r.isdigit() else 0),
        "p_blocked": found["blocked"],
    }


def close_assault() -> Answers:
    fight = law(lambda t: t.roll(6) + 1 - max(t.pool(3, 6)))

    def turn(t: Table, at: tuple[int, int, bool]) -> tuple[int, int, bool]:
        bolter = t.pool(2, 6)
        kills = 6 in bolter
        return at[0] - kills, at[1] - (not kills), bolter[0] == bolter[1]

    ends, lasts = played((3, 5, False), lambda at: at[2] or 0 in at[:2], turn)
    return {
        "p_killed": chance(fight, lambda n: n > 0),
        "p_even": fight[0],
        "p_held": chance(ends, lambda at: at[0] == 0),
        "p_jammed": chance(ends, lambda at: at[2]),
        "mean_shots": lasts,
    }


def frostgrave() -> Answers:
    def play(t: Table) -> tuple[int, int, int]:
        a, b = t.roll(20), t.roll(20)
        first, second = a + 3, b + 2
        dealt = max(0, first - 12) * (2 if a == 20 else 1) if first >= second else 0
        taken = max(0, second - 10) * (2 if b == 20 else 1) if second >= first else 0
        return first - second, dealt, taken

    found = law(play)
    return {
        "p_we_win": chance(found, lambda r: r[0] > 0),
        "mean_dealt": mean(found, lambda r: r[1]),
        "p_dealt_ge10": chance(found, lambda r: r[1] >= 10),
        "p_both_hurt": chance(found, lambda r: r[1] > 0 and r[2] > 0),
    }


def hit_wound_injury() -> Answers:
    def hits(t: Table) -> int:
        blows, guard = t.pool(2, 6), t.roll(6)
        found = sum(face >= 3 for face in blows)
        return int(found - int(found > 0 and guard > max(blows)))

    def injury(hits: int) -> Law:
        def play(t: Table) -> tuple[int, bool]:
            wounds = t.pool(hits, 6)
            through = sum(face < 6 for face in t.pool(sum(face >= 4 for face in wounds), 6))
            return max(t.pool(through, 6), default=0), 6 in wounds

        return law(play)

    injuries = {number: injury(number) for number in (0, 1, 2)}
    found = law(lambda t: t.of(injuries[hits(t)]))
    return {
        "p_out": chance(found, lambda r: r[0] >= 5),
        "p_nothing": chance(found, lambda r: r[0] == 0),
        "p_critical": chance(found, lambda r: r[1]),
    }


def activation() -> Answers:
    def rolled(quality: int, dice: int) -> Law:
        return law(lambda t: sum(face >= quality for face in t.pool(dice, 6)))

    def worth(quality: int, dice: int) -> Fraction:
        return mean(rolled(quality, dice), lambda n: n - (2 if dice - n >= 2 else 0))

    def best_of(quality: int) -> int:
        return max((1, 2, 3), key=lambda dice: (worth(quality, dice), -dice))

    best = {quality: best_of(quality) for quality in (3, 4)}
    return {
        "mean_worth_3": worth(3, best[3]),
        "p_turnover_3": chance(rolled(3, best[3]), lambda n: best[3] - n >= 2),
        "mean_actions_4": mean(rolled(4, best[4])),
        "p_three_actions": rolled(4, 3)[3],
    }


def bare_damage() -> Answers:
    def play(t: Table) -> tuple[str, int]:
        damage = max(t.roll(6), t.roll(8)) - 1
        left = 10 - max(0, damage - 4)
        if damage > 4:
            save = t.roll(20)
            return ("critical" if save > left else "hurt"), damage
        return ("scar" if damage == 4 else "hurt"), damage

    found = law(play)
    return {
        "p_critical": chance(found, lambda r: r[0] == "critical"),
        "p_scar": chance(found, lambda r: r[0] == "scar"),
        "mean_damage": mean(found, lambda r: r[1]),
    }


def armour_dice() -> Answers:
    def play(t: Table) -> int:
        number = t.roll(20)
        if number != 20 and (number == 1 or number + 1 < 12):
            return 0
        return max(0, int(t.roll(8)) * (2 if number == 20 else 1) - int(t.roll(4)))

    found = law(play)
    return {"p_slain": chance(found, lambda n: n >= 6), "p_nothing": found[0], "mean_lost": mean(found)}


def cliches() -> Answers:
    def margin(t: Table, at: tuple[int, int]) -> int:
        return int(sum(t.pool(at[0], 6)) - sum(t.pool(at[1], 6)))

    def turn(t: Table, at: tuple[int, int]) -> tuple[int, int]:
        found = margin(t, at)
        return at[0] - (found < 0), at[1] - (found > 0)

    ends, lasts = played((4, 3), lambda at: 0 in at, turn)
    other, _ = played((3, 4), lambda at: 0 in at, turn)
    return {
        "p_won_4_3": chance(ends, lambda at: at[0] > 0),
        "mean_rounds": lasts,
        "p_unhurt": chance(ends, lambda at: at[0] == 4),
        "p_won_3_4": chance(other, lambda at: at[0] > 0),
    }


def double_means_dead() -> Answers:
    def fight(ours: int, theirs: int) -> Law:
        def play(t: Table) -> str:
            mine, yours = t.roll(6) + ours, t.roll(6) + theirs
            if mine > yours:
                return "destroyed" if mine >= 2 * yours else "driven"
            return "stuck" if mine == yours else "lost"

        return law(play)

    strong, weak = fight(5, 2), fight(4, 3)
    stuck = weak["stuck"]
    return {
        "p_destroyed": strong["destroyed"],
        "p_driven": strong["driven"],
        "p_stuck": strong["stuck"],
        "p_won_in_three": (1 - weak["lost"] - stuck) * (1 + stuck + stuck**2),
        "p_open_in_three": stuck**3,
    }


def escalation() -> Answers:
    blow = law(lambda t: sum(t.pool(3, 6)))

    def turn(t: Table, at: tuple[int, int]) -> tuple[int, int]:
        left, rounds = at
        number = t.roll(20)
        if number == 20:
            dealt = 2 * t.of(blow)
        elif number > 1 and number + 6 + min(6, rounds) >= 18:
            dealt = t.of(blow) + (2 if number % 2 == 0 else 0)
        else:
            dealt = 3
        return max(0, left - dealt), rounds + 1

    ends, lasts = played((24, 0), lambda at: at[0] == 0, turn)
    return {"mean_rounds": lasts, "p_by_three": chance(ends, lambda at: at[1] <= 3)}


CLASHES: tuple[Callable[[], Answers], ...] = (
    lethal_hits, hero_quest_fight, face_to_face, attack_and_block, close_assault, frostgrave, hit_wound_injury,
    activation, bare_damage, armour_dice, cliches, double_means_dead, escalation,
)  # fmt: skip
