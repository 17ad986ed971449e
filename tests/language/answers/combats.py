"""Blows, volleys and whole campaigns: hits that are stopped, lost and carried on, careers and rallies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from math import comb

from tests.language.answers.chains import played, turns
from tests.language.answers.play import Answers, Law, Table, chance, law, mean

TWO_DICE: Law = {total: Fraction(6 - abs(7 - total), 36) for total in range(2, 13)}


def fleet_battle() -> Answers:
    def hits(t: Table, ships: int, tenths: int) -> int:
        each = Fraction(tenths, 10)
        ways = [(n, comb(ships, n) * each**n * (1 - each) ** (ships - n)) for n in range(ships + 1)]
        return int(t.pick(ways))

    def fire(t: Table, at: tuple[int, int, int, int]) -> tuple[int, int, int, int]:
        small, big, shield, foes = at
        ours, theirs = hits(t, small, 4) + hits(t, big, 6), hits(t, foes, 2)
        held = min(theirs, shield)
        sunk = min(theirs - held, small)
        return small - sunk, big - min(theirs - held - sunk, big), shield - held, foes - min(ours, foes)

    ends, _ = played((2, 1, 1, 5), lambda at: at[0] + at[1] == 0 or at[3] == 0, fire)
    return {
        "p_won": chance(ends, lambda at: at[0] + at[1] > 0),
        "p_both": chance(ends, lambda at: at[0] + at[1] + at[3] == 0),
        "mean_big": mean(ends, lambda at: at[1]),
    }


def shared_reroll() -> Answers:
    def move(own: bool, team: int) -> Law:
        def play(t: Table) -> tuple[bool, int]:
            skill, left = own, team
            for place, needed in enumerate((3, 3, 4, 3)):
                if t.roll(6) >= needed:
                    continue
                if skill and place < 2:
                    skill = False
                elif left:
                    left -= 1
                else:
                    return False, left
                if t.roll(6) < needed:
                    return False, left
            return True, left

        return law(play)

    return {
        "p_arrived": chance(move(True, 1), lambda r: r[0]),
        "mean_rerolls_left": mean(move(True, 1), lambda r: r[1]),
        "p_arrived_bare": chance(move(False, 0), lambda r: r[0]),
    }


def descent_dice() -> Answers:
    blue = ((2, 2, 1), (3, 2, 0), (4, 2, 0), (5, 1, 0), (6, 1, 1), (-9, 0, 0))
    red = ((1, 0), (2, 0), (2, 0), (2, 0), (3, 0), (3, 1))

    def play(t: Table) -> int:
        reach, hearts, surges = t.roll(blue)
        more, another = t.roll(red)
        shields = t.roll([0, 0, 0, 1, 1, 2]) + t.roll([0, 1, 1, 1, 2, 3])
        surges += another
        if reach + (surges >= 2) < 3:
            return -1
        return int(max(0, hearts + more - max(0, shields - (surges >= 1))))

    found = law(play)
    return {
        "p_missed": found[-1],
        "p_stopped": found[0],
        "mean_damage": mean(found, lambda damage: max(0, damage)),
        "p_ge4": chance(found, lambda damage: damage >= 4),
    }


def kill_team() -> Answers:
    def play(t: Table) -> int:
        shots, saves = t.pool(4, 6), t.pool(3, 6)
        crits, hits = shots.count(6), sum(3 <= face <= 5 for face in shots)
        strong, weak = saves.count(6), sum(4 <= face <= 5 for face in saves)
        return int(
            min(
                4 * (crits - by_strong - by_pairs) + 3 * max(0, hits - (strong - by_strong) - (weak - 2 * by_pairs))
                for by_strong in range(min(strong, crits) + 1)
                for by_pairs in range(min(weak // 2, crits - by_strong) + 1)
            )
        )

    found = law(play)
    return {
        "mean_damage": mean(found),
        "p_none": found[0],
        "p_ge8": chance(found, lambda damage: damage >= 8),
    }


def trump_cards() -> Answers:
    others = Counter(dict.fromkeys(range(1, 10), 7) | {10: 10})

    @cache
    def turned(trumps: tuple[int, ...]) -> Law:
        left = len(trumps) + others.total()
        found = {card: Fraction(times, left) for card, times in others.items()}
        for card in trumps:
            for more, share in turned(tuple(other for other in trumps if other != card)).items():
                found[card + more] = found.get(card + more, Fraction(0)) + share / left
        return found

    total = {card + 6: share for card, share in turned(tuple(range(1, 10))).items()}
    return {"p_success": chance(total, lambda n: n >= 12), "p_ge_20": chance(total, lambda n: n >= 20)}


def random_armour() -> Answers:
    def play(t: Table) -> int:
        blow = t.pick([("critical", Fraction(6, 100)), ("hit", Fraction(54, 100)), ("miss", Fraction(40, 100))])
        parried = t.pick([(True, Fraction(40, 100)), (False, Fraction(60, 100))])
        if blow == "miss" or (blow == "hit" and parried):
            return 0
        if blow == "critical":
            return int(t.roll(8) + 1 + sum(t.pool(2, 6)))
        return int(max(0, t.roll(8) + 1 + t.roll(6) - (t.roll(10) - 1)))

    found = law(play)
    return {
        "p_slain": chance(found, lambda wound: wound >= 12),
        "p_major": chance(found, lambda wound: 6 <= wound < 12),
        "p_nothing": found[0],
        "mean_wound": mean(found),
    }


def clue_tokens() -> Answers:
    def check(good: int, clues: int) -> Law:
        def play(t: Table) -> tuple[bool, int]:
            hits, left = sum(face >= good for face in t.pool(4, 6)), clues
            while hits < 2 and left:
                hits, left = hits + (t.roll(6) >= good), left - 1
            return hits >= 2, left

        return law(play)

    return {
        "p_passed": chance(check(5, 3), lambda r: r[0]),
        "mean_clues_left": mean(check(5, 3), lambda r: r[1]),
        "p_passed_blessed": chance(check(4, 3), lambda r: r[0]),
        "p_passed_cursed_no_clues": chance(check(6, 0), lambda r: r[0]),
    }


def concentration() -> Answers:
    three = law(lambda t: 3 + sum(t.pool(3, 4)))
    return {
        "p_lost": 1 - Fraction(13, 20) ** 3,
        "mean_total": mean(three),
        "p_total_ge_12_once": Fraction(sum(3 * (1 + face) >= 12 for face in range(1, 5)), 4),
        "p_total_ge_12": chance(three, lambda total: total >= 12),
    }


def lethality() -> Answers:
    def play(t: Table) -> tuple[str, bool]:
        aim = t.roll(100)
        if aim > 50:
            return "unhurt", False
        critical = aim == 1 or aim % 11 == 0
        tens, ones = t.roll(10), t.roll(10)
        if (10 * (tens % 10) + ones % 10 or 100) <= (40 if critical else 20):
            return "dead", True
        wound = (tens + ones) * (2 if critical else 1) - 4
        return "dead" if wound >= 11 else "wounded" if wound > 0 else "unhurt", False

    found = law(play)
    return {
        "p_dead": chance(found, lambda r: r[0] == "dead"),
        "p_unhurt": chance(found, lambda r: r[0] == "unhurt"),
        "p_killed_outright": chance(found, lambda r: r[1]),
    }


def rally() -> Answers:
    def order(t: Table, pins: int) -> int:
        test = t.of(TWO_DICE)
        obeyed = test == 2 or (test <= 9 - pins and test != 12)
        return pins - min(pins, 1 + t.roll(6)) if obeyed else pins

    return {
        "mean_turns": played(4, lambda pins: pins == 0, order)[1],
        "p_first": turns(4, lambda pins: pins == 0, order, 1)[0],
        "p_le_3": turns(4, lambda pins: pins == 0, order, 3)[0],
    }


def career() -> Answers:
    def throws(t: Table, needed: int) -> bool:
        chances = chance(TWO_DICE, lambda total: total >= needed)
        return bool(t.pick([(True, chances), (False, 1 - chances)]))

    def play(t: Table) -> tuple[bool, int, int]:
        skills, rank = 1, 0
        for _ in range(4):
            if not throws(t, 5):
                return False, skills, rank
            raised = rank == 0 and throws(t, 8)
            promoted = (rank > 0 or raised) and throws(t, 8)
            rank += raised + promoted
            skills += 1 + raised + promoted
            if not throws(t, 6):
                break
        return True, skills, rank

    found = law(play)
    return {
        "p_dead": chance(found, lambda r: not r[0]),
        "mean_skills": mean(found, lambda r: r[1]),
        "p_rank_ge_3": chance(found, lambda r: r[0] and r[2] >= 3),
    }


def master_and_minion() -> Answers:
    def play(t: Table) -> int:
        ours, theirs = (sum(face for face in t.pool(number, 4) if face != 4) for number in (4, 3))
        return int(ours + t.roll(6) - theirs)

    margin = law(play)
    return {"p_wins": chance(margin, lambda n: n > 0), "p_tie": margin[0]}


def longest_set_first() -> Answers:
    def best(pool: tuple[int, ...]) -> tuple[int, int]:
        width = max(Counter(pool).values())
        return width, max(face for face in pool if pool.count(face) == width)

    def play(t: Table) -> tuple[bool, bool, int]:
        ours, theirs = t.pool(5, 6), t.pool(4, 6)
        first, other = best(ours), best(theirs)
        sets = sum(times >= 2 for times in Counter(ours).values())
        return first[0] >= 2 and first > other, max(first, other) < (2, 0), sets

    found = law(play)
    return {
        "p_first": chance(found, lambda r: r[0]),
        "p_nobody": chance(found, lambda r: r[1]),
        "mean_sets": mean(found, lambda r: r[2]),
    }


def healthiest_first() -> Answers:
    def blow(t: Table, health: tuple[int, ...]) -> tuple[int, ...]:
        *others, most = health
        rest = most - t.roll(3)
        return tuple(sorted([*others, rest])) if rest > 0 else tuple(others)

    return {
        "mean_blows": played((2, 2, 3), lambda health: not health, blow)[1],
        "p_three_blows": turns((2, 2, 3), lambda health: not health, blow, 3)[()],
    }


COMBATS: tuple[Callable[[], Answers], ...] = (
    fleet_battle, shared_reroll, descent_dice, kill_team, trump_cards, random_armour, clue_tokens, concentration,
    lethality, rally, career, master_and_minion, longest_set_first, healthiest_first,
)  # fmt: skip
