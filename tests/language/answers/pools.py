"""Pools that are counted, kept, matched or thrown again."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from math import comb

from tests.language.answers.play import Answers, Law, Table, chance, law, mean, multisets


def one_roll_engine() -> Answers:
    def play(size: int) -> Law:
        def roll(t: Table) -> tuple[int, int]:
            counts = Counter(t.pool(size, 10))
            return max((face for face, n in counts.items() if n >= 2), default=0), max(counts.values())

        return law(roll)

    six, three, four = play(6), play(3), play(4)
    return {
        "p_any_set_6d": chance(six, lambda r: r[0] > 0),
        "p_height_ge8_6d": chance(six, lambda r: r[0] >= 8),
        "p_width_ge3_6d": chance(six, lambda r: r[1] >= 3),
        "p_height_eq_10_3d": chance(three, lambda r: r[0] == 10),
        "mean_height_4d": mean(four, lambda r: r[0]),
    }


def exalted() -> Answers:
    def play(size: int, double: int) -> Law:
        def roll(t: Table) -> tuple[int, bool]:
            pool = t.pool(size, 10)
            return sum((die >= 7) + (die >= double) for die in pool), 1 in pool

        return law(roll)

    six, nines, damage = play(6, 10), play(5, 9), play(5, 11)
    return {
        "p_ge3_6d": chance(six, lambda r: r[0] >= 3),
        "p_botch_6d": chance(six, lambda r: r[0] == 0 and r[1]),
        "mean_6d": mean(six, lambda r: r[0]),
        "mean_double9_5d": mean(nines, lambda r: r[0]),
        "p_damage_ge2_5d": chance(damage, lambda r: r[0] >= 2),
    }


def cortex_prime() -> Answers:
    def roll(t: Table) -> tuple[int, int, bool, bool]:
        dice = [(t.roll(sides), sides) for sides in (6, 8, 8, 10)]
        live = sorted((die for die in dice if die[0] != 1), key=lambda die: (die[0], -die[1]))
        total = sum(face for face, _ in live[-2:])
        effect = max([sides for _, sides in live[:-2]], default=4)
        return total, effect, len(live) < 4, not live

    test = law(roll)
    return {
        "p_success": chance(test, lambda r: r[0] > 9 and not r[3]),
        "p_hitch": chance(test, lambda r: r[2]),
        "p_botch": chance(test, lambda r: r[3]),
        "p_effect10": chance(test, lambda r: r[1] == 10),
        "mean_total": mean(test, lambda r: r[0]),
        "mean_effect": mean(test, lambda r: r[1]),
    }


def raise_and_see() -> Answers:
    def roll(t: Table) -> str:
        mine, yours = t.pool(4, 6), t.pool(3, 6)
        raised = sum(mine[-2:])
        for word, number in ("reversed", 1), ("blocked", 2), ("taken", 3):
            if sum(yours[-number:]) >= raised:
                return word
        return "gives"

    exchange = law(roll)
    return {f"p_{word}": exchange.get(word, Fraction(0)) for word in ("blocked", "taken", "gives", "reversed")}


def liars_dice() -> Answers:
    def at_least(number: int, dice: int) -> Fraction:
        return sum(
            (comb(dice, k) * Fraction(1, 3) ** k * Fraction(2, 3) ** (dice - k) for k in range(number, dice + 1)),
            Fraction(0),
        )

    return {"p_bid_7_of_20": at_least(7, 20), "p_with_two_in_hand": at_least(3, 10)}


def king_of_tokyo() -> Answers:
    kept = 1 - Fraction(5, 6) ** 3
    claws = {k: comb(6, k) * kept**k * (1 - kept) ** (6 - k) for k in range(7)}
    return {
        "mean_claws": mean(claws),
        "p_claws_ge4": chance(claws, lambda k: k >= 4),
        "mean_points_of_threes": mean(claws, lambda k: k if k >= 3 else 0),
        "p_three_threes": chance(claws, lambda k: k >= 3),
    }


def farkle() -> Answers:
    def score(pool: tuple[int, ...]) -> int:
        counts = Counter(pool)
        if len(counts) == 6:
            return 1500
        if list(counts.values()).count(2) == 3:
            return 750
        points = 0
        for face in range(1, 7):
            number = counts[face]
            if number >= 3:
                points += 1000 if face == 1 else 100 * face
                number -= 3
            points += number * {1: 100, 5: 50}.get(face, 0)
        return points

    six, three = law(lambda t: score(t.pool(6, 6))), law(lambda t: score(t.pool(3, 6)))
    return {
        "p_farkle_6": six[0],
        "p_farkle_3": three[0],
        "p_farkle_1": Fraction(2, 3),
        "mean_score_6": mean(six),
        "p_score_ge1000_6": chance(six, lambda r: r >= 1000),
    }


def lasers_feelings() -> Answers:
    def under_four(t: Table) -> tuple[int, bool]:
        pool = t.pool(2, 6)
        return sum(die <= 4 for die in pool), 4 in pool

    lasers = law(under_four)
    feelings = law(lambda t: sum(d >= 2 for d in t.pool(3, 6)))
    return {
        "p_barely_lasers4_2d": chance(lasers, lambda r: r[0] == 1),
        "p_insight_2d": chance(lasers, lambda r: r[1]),
        "p_critical_feelings2_3d": feelings[3],
    }


def trophy_ruin() -> Answers:
    def roll(t: Table) -> tuple[int, bool]:
        bright, gloom = max(t.pool(2, 6)), t.roll(6)
        return max(bright, gloom), gloom >= bright and gloom > 2

    risk = law(roll)
    return {
        "p_success_2l1d": chance(risk, lambda r: r[0] == 6),
        "p_partial_2l1d": chance(risk, lambda r: r[0] in (4, 5)),
        "p_ruin_2l1d_r2": chance(risk, lambda r: r[1]),
        "p_success_without_ruin": risk[6, False],
    }


def heart_difficulty() -> Answers:
    free, hard = law(lambda t: t.pool(3, 10)[-1]), law(lambda t: t.pool(3, 10)[-2])
    return {
        "p_crit_3d": free[10],
        "p_success_3d_hard": hard[8] + hard[9],
        "p_cost_3d_hard": hard[6] + hard[7],
        "p_cost_1d_impossible": Fraction(1, 10),
    }


def artifact_dice() -> Answers:
    swords = {face: max(0, (face - 4) // 2) for face in range(1, 13)}

    def plain(t: Table) -> int:
        return sum(swords[die] for die in (*t.pool(5, 6), t.roll(10)))

    def push(number: int, ones_stay: bool) -> Law:
        """Sixes and ones of a pool after a push."""

        def roll(t: Table) -> tuple[int, int]:
            pool = t.pool(number, 6)
            stay = tuple(die for die in pool if die == 6 or (ones_stay and die == 1))
            after = stay + t.pool(len(pool) - len(stay), 6)
            return after.count(6), after.count(1)

        return law(roll)

    attribute, skilled, tools = push(3, True), push(1, False), push(2, True)

    def pushed(t: Table) -> tuple[int, int, int]:
        base, skill, gear = t.of(attribute), t.of(skilled), t.of(tools)
        return base[0] + skill[0] + gear[0], base[1], gear[1]

    first, after = law(plain), law(pushed)
    return {
        "p_success_3_2_artifact10": chance(first, lambda r: r >= 1),
        "mean_successes": mean(first),
        "p_pushed": chance(after, lambda r: r[0] >= 1),
        "p_pushed_two": chance(after, lambda r: r[0] >= 2),
        "p_damage_pushed": chance(after, lambda r: r[1] >= 1),
        "mean_broken": mean(after, lambda r: r[2]),
    }


def x_wing() -> Answers:
    attack = ("hit",) * 3 + ("crit",) + ("eye",) * 2 + ("blank",) * 2
    defence = ("evade",) * 3 + ("eye",) * 2 + ("blank",) * 3

    def play(helped: bool) -> Law:
        def roll(t: Table) -> tuple[int, int]:
            red, green = t.pool(3, attack), t.pool(2, defence)
            if helped:
                red = tuple(d for d in red if d != "blank") + t.pool(red.count("blank"), attack)
            hits, crits = red.count("hit") + helped * red.count("eye"), red.count("crit")
            damage = max(0, hits + crits - green.count("evade") - helped * green.count("eye"))
            return damage, min(crits, damage)

        return law(roll)

    bare, helped = play(False), play(True)
    return {
        "mean_damage_3v2": mean(bare, lambda r: r[0]),
        "p_no_damage_3v2": chance(bare, lambda r: r[0] == 0),
        "mean_focused_locked_3v2": mean(helped, lambda r: r[0]),
        "p_crit_through_3v2": chance(bare, lambda r: r[1] >= 1),
    }


def block_dice() -> Answers:
    faces = ("skull", "both_down", "pushed", "pushed", "stumble", "pow")

    def block(t: Table, dice: int, picked: bool, down: set[str]) -> str:
        shown = [t.roll(faces) for _ in range(dice)]
        good, bad = sum(face in down for face in shown), sum(face in ("skull", "both_down") for face in shown)
        if (good and picked) or good == dice:
            return "down"
        return "turnover" if (bad and not picked) or bad == dice else "pushed"

    stumbling, standing = {"stumble", "pow"}, {"pow"}

    def again(t: Table, dice: int, down: set[str], when: set[str]) -> str:
        first = block(t, dice, True, down)
        return block(t, dice, True, down) if first in when else first

    ours, theirs = law(lambda t: block(t, 2, True, stumbling)), law(lambda t: block(t, 2, False, stumbling))
    return {
        "p_down_2d": ours["down"],
        "p_turnover_2d": ours["turnover"],
        "p_down_2d_against": theirs["down"],
        "p_turnover_2d_against": theirs["turnover"],
        "p_turnover_reroll": law(lambda t: again(t, 1, stumbling, {"turnover"}))["turnover"],
        "p_down_always_reroll": law(lambda t: again(t, 2, standing, {"turnover", "pushed"}))["down"],
    }


def chosen_rerolls() -> Answers:
    def best(size: int) -> Fraction:
        @cache
        def made(hand: tuple[int, ...], throws: int) -> Fraction:
            """The chance of equal faces, with so many throws to come, kept dice chosen as well as can be."""
            if throws == 0:
                return Fraction(len(set(hand)) == 1)
            kept = {tuple(die for at, die in enumerate(hand) if stay >> at & 1) for stay in range(2**size)}
            return max(
                sum(
                    (w * made(tuple(sorted(stay + new)), throws - 1) for new, w in multisets(size - len(stay), 6)),
                    Fraction(0),
                )
                for stay in kept
            )

        return sum((weight * made(hand, 2) for hand, weight in multisets(size, 6)), Fraction(0))

    return {"p_three_of_three": best(3), "p_yahtzee_played_well": best(5)}


def best_combination() -> Answers:
    def roll(t: Table) -> int:
        counts = Counter(t.pool(3, 10))
        sets = [face * number for face, number in counts.items()]
        runs = [3 * face + 3 for face in counts if face + 1 in counts and face + 2 in counts]
        return int(max(sets + runs))

    test = law(roll)
    return {"mean_3": mean(test), "p_ge15_3": chance(test, lambda r: r >= 15)}


def cant_stop() -> Answers:
    def possible(number: int) -> Fraction:
        def roll(t: Table) -> bool:
            dice = t.pool(4, 6)
            return any(dice[a] + dice[b] == number for a in range(4) for b in range(a))

        return law(roll)[True]

    return {"p_seven": possible(7), "p_two": possible(2), "p_eight": possible(8)}


def cut_and_twist() -> Answers:
    def play(cut: int) -> Law:
        def roll(t: Table) -> tuple[int, bool]:
            pool = t.pool(4, 6)[: 4 - cut]
            return pool[-1], len(set(pool)) < len(pool)

        return law(roll)

    whole, cut = play(0), play(1)
    return {
        "p_triumph_4d": chance(whole, lambda r: r[0] == 6),
        "p_twist_4d": chance(whole, lambda r: r[1]),
        "p_triumph_4d_cut1": chance(cut, lambda r: r[0] == 6),
        "p_conflict_and_twist_4d_cut1": chance(cut, lambda r: r[0] in (4, 5) and r[1]),
    }


def base_dice() -> Answers:
    def count(die: int) -> int:
        return (die >= 6) + (die >= 10)

    def play(sides: tuple[int, ...], push: bool) -> Law:
        def roll(t: Table) -> tuple[int, int]:
            dice = [t.roll(s) for s in sides]
            if push and not any(die >= 6 for die in dice):
                dice = [t.roll(s) if 2 <= die <= 5 else die for die, s in zip(dice, sides, strict=True)]
                return sum(map(count, dice)), dice.count(1)
            return sum(map(count, dice)), 0

        return law(roll)

    def two(t: Table) -> bool:
        dice = [t.roll(12), t.roll(12)]
        if sum(map(count, dice)) < 2:
            dice = [t.roll(12) if 2 <= die <= 5 else die for die in dice]
        return sum(map(count, dice)) >= 2

    plain, pushed = play((10, 8), False), play((10, 8), True)
    return {
        "p_success_10_8": chance(plain, lambda r: r[0] >= 1),
        "mean_successes_10_8": mean(plain, lambda r: r[0]),
        "p_success_pushed_10_8": chance(pushed, lambda r: r[0] >= 1),
        "mean_damage_pushed": mean(pushed, lambda r: r[1]),
        "p_two_pushed_12_12": law(two)[True],
    }


def shared_out_dice() -> Answers:
    def roll(t: Table) -> str:
        pool = t.pool(3, 6)
        ways = [(pool[goal], max(pool[:goal] + pool[goal + 1 :])) for goal in (2, 1, 0)]
        if any(goal >= 5 and danger >= 4 for goal, danger in ways):
            return "whole"
        return "mixed" if pool[2] >= 5 or pool[1] >= 4 else "disaster"

    venture = law(roll)
    return {"p_whole": venture["whole"], "p_disaster": venture["disaster"]}
