"""Exact answers to the mechanics in `more/`, worked out without the language: every way the dice can fall is played.

`python tests/language/answers.py` prints them as JSON; `data/more.json` holds what it printed. An endless explosion is
followed as far as a question can tell its results apart, or summed as the geometric series it is.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable, Hashable, Iterable
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, product
from math import comb, factorial, prod
from typing import Any

Law = dict[Any, Fraction]
Answers = dict[str, Fraction]


class Table:
    """Where a game is played: `roll` and `pool` follow one branch of all that can happen and remember its chance."""

    def __init__(self, path: list[int]) -> None:
        self.path, self.at, self.chance = path, 0, Fraction(1)
        self.widths: list[int] = []

    def pick(self, options: list[tuple[Any, Fraction]]) -> Any:
        step = self.path[self.at] if self.at < len(self.path) else 0
        if self.at >= len(self.path):
            self.path.append(0)
        self.at += 1
        self.widths.append(len(options))
        self.chance *= options[step][1]
        return options[step][0]

    def roll(self, faces: int | Iterable[Any]) -> Any:
        return self.pick(_weights(faces))

    def pool(self, number: int, faces: int | Iterable[Any]) -> tuple[Any, ...]:
        """So many equal dice, sorted."""
        shown: tuple[Any, ...] = self.pick(_multisets(number, faces if isinstance(faces, int) else tuple(faces)))
        return shown

    def of(self, law: Law) -> Any:
        return self.pick(list(law.items()))


def _weights(faces: int | Iterable[Any]) -> list[tuple[Any, Fraction]]:
    shown = list(range(1, faces + 1)) if isinstance(faces, int) else list(faces)
    return [(face, Fraction(times, len(shown))) for face, times in Counter(shown).items()]


@cache
def _multisets(number: int, faces: int | tuple[Any, ...]) -> list[tuple[Any, Fraction]]:
    weights = dict(_weights(faces))
    result = []
    for shown in combinations_with_replacement(sorted(weights), number):
        counts = Counter(shown)
        ways = factorial(number) // prod(factorial(times) for times in counts.values())
        result.append(
            (shown, ways * prod((weights[face] ** times for face, times in counts.items()), start=Fraction(1)))
        )
    return result


def law(play: Callable[[Table], Hashable]) -> Law:
    """The chance of each result of a game that ends."""
    chances: Law = {}
    path: list[int] = []
    while True:
        table = Table(path)
        result = play(table)
        chances[result] = chances.get(result, Fraction(0)) + table.chance
        path = path[: table.at]
        while path and path[-1] + 1 == table.widths[len(path) - 1]:
            path.pop()
        if not path:
            assert sum(chances.values()) == 1
            return chances
        path[-1] += 1


def chance(chances: Law, holds: Callable[[Any], bool]) -> Fraction:
    return sum((weight for result, weight in chances.items() if holds(result)), Fraction(0))


def mean(chances: Law, value: Callable[[Any], Any] = lambda result: result) -> Fraction:
    return sum((weight * value(result) for result, weight in chances.items()), Fraction(0))


def exploding(sides: int, on: Iterable[int], cap: int) -> Law:
    """The sum of a die that goes on at `on`; everything from `cap` up is one result."""
    again = set(on)
    done: Law = {}
    open_: Law = {0: Fraction(1)}
    while open_:
        sofar, weight = open_.popitem()
        if sofar >= cap:
            done[cap] = done.get(cap, Fraction(0)) + weight
            continue
        for face in range(1, sides + 1):
            target = open_ if face in again else done
            value = min(cap, sofar + face)
            target[value] = target.get(value, Fraction(0)) + weight / sides
    return done


def successes(sides: int, good: Iterable[int], on: Iterable[int], cap: int) -> Law:
    """How many of the faces of an exploding die are good; `cap` and more are one result."""
    scoring, again = set(good), set(on)
    assert again <= scoring
    done: Law = {}
    weight = Fraction(1)
    for scored in range(cap):
        for face in set(range(1, sides + 1)) - again:
            value = min(cap, scored + (face in scoring))
            done[value] = done.get(value, Fraction(0)) + weight / sides
        weight *= Fraction(len(again), sides)
    done[cap] = done.get(cap, Fraction(0)) + weight
    return done


def savage_worlds() -> Answers:
    def play(sides: int, cap: int) -> Law:
        first = {s: _first(s, cap) for s in (sides, 6)}

        def roll(t: Table) -> tuple[int, bool]:
            trait, wild = t.of(first[sides]), t.of(first[6])
            return max(trait[0], wild[0]), trait[1] == wild[1] == 1

        return law(roll)

    d8, d4, d12 = play(8, 30), play(4, 30), play(12, 30)
    return {
        "p_success_d8": chance(d8, lambda r: r[0] >= 4 and not r[1]),
        "p_raise_d8": chance(d8, lambda r: r[0] >= 8),
        "p_snake_eyes_d8": chance(d8, lambda r: r[1]),
        "p_good_d4_minus2": chance(d4, lambda r: r[0] - 2 >= 4 and not r[1]),
        "p_two_raises_d12": chance(d12, lambda r: r[0] >= 12),
    }


def _first(sides: int, cap: int) -> Law:
    """The sum of a die that explodes on its top face, with the face shown first."""
    result: Law = {(face, face): Fraction(1, sides) for face in range(1, sides)}
    for value, weight in exploding(sides, [sides], cap).items():
        key = (min(cap, sides + value), sides)
        result[key] = result.get(key, Fraction(0)) + weight / sides
    return result


def roll_and_keep() -> Answers:
    die = exploding(10, [10], 30)

    def play(t: Table) -> int:
        return sum(sorted(t.of(die) for _ in range(3))[1:])

    total = law(play)
    return {
        "p_3k2_ge15": chance(total, lambda r: r >= 15),
        "p_3k2_ge25": chance(total, lambda r: r >= 25),
        "mean_3k3": 3 * Fraction(11, 2) * Fraction(10, 9),
    }


def percentile_bonus() -> Answers:
    def play(bonus: int) -> Law:
        def roll(t: Table) -> int:
            unit = t.roll(range(10))
            tens = [t.roll(range(0, 100, 10)) for _ in range(1 + abs(bonus))]
            numbers = [ten + unit or 100 for ten in tens]
            return min(numbers) if bonus >= 0 else max(numbers)

        return law(roll)

    bonus, penalty = play(1), play(-2)
    return {
        "p_good_55_bonus": chance(bonus, lambda n: n <= 55),
        "p_extreme_55_bonus": chance(bonus, lambda n: 1 < n <= 11),
        "p_fumble_40_penalty2": chance(penalty, lambda n: n >= 96),
        "mean_bonus": mean(bonus),
    }


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


def fate_ladder() -> Answers:
    fudge = law(lambda t: sum(t.pool(4, (-1, 0, 1))))
    return {
        "p_style_great_vs_fair": chance(fudge, lambda r: r + 2 >= 3),
        "p_success_great_vs_fair": chance(fudge, lambda r: 1 <= r + 2 < 3),
        "p_tie_equal": chance(fudge, lambda r: r == 0),
        "p_fail_fair_vs_great": chance(fudge, lambda r: r - 2 < 0),
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


def mythras_opposed() -> Answers:
    def level(number: int, skill: int) -> int:
        if number * 10 <= skill:
            return 3
        if number == 100 or (number == 99 and skill <= 100):
            return 0
        if number > 95:
            return 1
        return 2 if number <= max(5, skill) else 1

    def contest(t: Table) -> str:
        first, second = t.roll(100), t.roll(100)
        ours, theirs = (level(first, 65), first), (level(second, 50), second)
        if max(ours[0], theirs[0]) < 2:
            return "nobody"
        return "first" if ours > theirs else "second" if theirs > ours else "tie"

    skill, opposed = law(lambda t: level(t.roll(100), 65)), law(contest)
    return {
        "p_critical_65": skill[3],
        "p_fumble_65": skill[0],
        "p_first_wins_65_50": opposed["first"],
        "p_second_wins_65_50": opposed["second"],
        "p_nobody_65_50": opposed["nobody"],
    }


def gurps_success() -> Answers:
    three = law(lambda t: sum(t.pool(3, 6)))

    def contest(t: Table) -> int:
        ours, theirs = t.of(three), t.of(three)
        return int((12 - ours) - (10 - theirs))

    margin = law(contest)
    return {
        "p_crit_16": chance(three, lambda n: n <= 6),
        "p_good_12": chance(three, lambda n: n <= 12),
        "p_critfail_6": chance(three, lambda n: n >= 16),
        "p_first_wins_12_10": chance(margin, lambda m: m > 0),
        "p_tie_12_10": chance(margin, lambda m: m == 0),
    }


def dice_chain() -> Answers:
    return {
        "p_d24_plus3_dc15": chance(law(lambda t: t.roll(24)), lambda n: n != 1 and n + 3 >= 15),
        "p_d16_fumble": Fraction(1, 16),
        "mean_d30": Fraction(31, 2),
        "p_d3_end_of_chain": Fraction(1, 3),
    }


def marvel_multiverse() -> Answers:
    def roll(t: Table) -> tuple[int, bool, int]:
        plain, marvel, again = [t.roll(6), t.roll(6)], t.roll(6), t.roll(6)
        counted = 6 if marvel == 1 else marvel
        edge = max(sum(plain), max(plain) + again) + counted
        return sum(plain) + counted, marvel == 1, edge

    action = law(roll)
    return {
        "p_success_2_vs_13": chance(action, lambda r: r[0] + 2 >= 13),
        "p_fantastic_and_success": chance(action, lambda r: r[1] and r[0] + 2 >= 13),
        "p_edge_on_lowest_plain": chance(action, lambda r: r[2] + 2 >= 13),
        "mean_total": mean(action, lambda r: r[0] + 2),
    }


def penetrating_dice() -> Answers:
    def die(sides: int, cap: int) -> Law:
        """The first die counts its face, each further one its face less one: every top face adds `sides - 1`."""
        done: Law = {}
        sofar, weight = 0, Fraction(1)
        while sofar < cap:
            for face in range(1, sides):
                value = min(cap, sofar + face)
                done[value] = done.get(value, Fraction(0)) + weight / sides
            weight /= sides
            sofar += sides - 1
        done[cap] = done.get(cap, Fraction(0)) + weight
        return done

    two = law(lambda t: t.of(die(6, 30)) + t.of(die(6, 30)))
    one = die(8, 40)
    return {
        "mean_2d6p": 2 * (Fraction(7, 2) + Fraction(1, 6) * (Fraction(5, 2) / (1 - Fraction(1, 6)))),
        "p_2d6p_ge12": chance(two, lambda r: r >= 12),
        "p_1d8p_eq8": one[8],
        "p_1d8p_eq15": one[15],
    }


def plus_minus() -> Answers:
    def exactly(total: int) -> Fraction:
        """Over n = 6k + r: the chance that one die reads n and the other n + total, a geometric series in k."""
        return sum((Fraction(1, 6) ** ((r + total) // 6) / 35 for r in range(1, 6) if (r + total) % 6), Fraction(0))

    at_least_0 = (1 + exactly(0)) / 2
    return {
        "p_swerve_ge0": at_least_0,
        "p_swerve_eq0": exactly(0),
        "p_swerve_ge5": (1 - exactly(0)) / 2 - sum((exactly(total) for total in range(1, 5)), Fraction(0)),
        "p_boxcars_and_success": at_least_0 / 36,
        "mean_swerve": Fraction(0),
    }


def cyberpunk_red() -> Answers:
    def roll(t: Table) -> int:
        number = t.roll(10)
        return int(number + (t.roll(10) if number == 10 else 0) - (t.roll(10) if number == 1 else 0))

    check = law(roll)
    return {
        "p_10_vs_15": chance(check, lambda r: r + 10 > 15),
        "p_14_vs_15": chance(check, lambda r: r + 14 > 15),
        "p_5_vs_20": chance(check, lambda r: r + 5 > 20),
        "mean_10": mean(check) + 10,
    }


def stress_die() -> Answers:
    tenth = Fraction(1, 10)
    doubled = {2**k * face: Fraction(0) for k in range(1, 5) for face in range(2, 11)}
    for k in range(1, 5):
        for face in range(2, 11):
            doubled[2**k * face] += tenth * tenth ** (k - 1) * tenth
    return {
        "p_number_ge9": tenth + tenth * (1 - sum(10 * weight for value, weight in doubled.items() if value < 9)),
        "p_botch_3_dice": tenth * (1 - (1 - tenth) ** 3),
        # 2^k * 27/5 (2 to 10 on the last die, one chance in ten each) with k - 1 further ones before it
        "mean_number": sum(range(2, 10)) * tenth + tenth * Fraction(27, 5) * 2 / (1 - 2 * tenth),
        "p_number_eq8": tenth + doubled[8],
    }


def burning_wheel() -> Answers:
    def test(size: int, obstacle: int, lowest: int, fate: bool) -> Fraction:
        luck = successes(6, range(lowest, 7), [6], obstacle)

        def roll(t: Table) -> bool:
            pool = t.pool(size, 6)
            scored = sum(die >= lowest for die in pool)
            if fate and scored < obstacle:
                scored += sum(t.of(luck) for die in pool if die == 6)
            return bool(scored >= obstacle)

        return law(roll)[True]

    return {
        "p_b4_ob3": test(4, 3, 4, False),
        "p_b4_ob3_fate": test(4, 3, 4, True),
        "p_g5_ob4_fate": test(5, 4, 3, True),
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


ZOMBIE = {
    "green": ("brain",) * 3 + ("runner",) * 2 + ("shot",),
    "yellow": ("brain",) * 2 + ("runner",) * 2 + ("shot",) * 2,
    "red": ("brain",) + ("runner",) * 2 + ("shot",) * 3,
}


def zombie_dice() -> Answers:
    def draw(t: Table, cup: Counter[str], number: int) -> Counter[str]:
        """So many dice out of the cup, by how many of each colour."""
        hands = [
            (
                Counter(dict(zip(cup, counts, strict=True))),
                Fraction(prod(map(comb, cup.values(), counts)), comb(cup.total(), number)),
            )
            for counts in product(range(number + 1), repeat=len(cup))
            if sum(counts) == number
        ]
        hand: Counter[str] = t.pick([(hand, weight) for hand, weight in hands if weight])
        cup.subtract(hand)
        return hand

    def throw(t: Table, hand: Counter[str]) -> dict[str, tuple[str, ...]]:
        return {colour: t.pool(number, ZOMBIE[colour]) for colour, number in hand.items()}

    def play(rounds: int) -> Law:
        def roll(t: Table) -> tuple[int, int]:
            cup = Counter(green=6, yellow=4, red=3)
            shown = throw(t, draw(t, cup, 3))
            faces = [face for pool in shown.values() for face in pool]
            if rounds == 2 and faces.count("shot") < 3:
                runners = Counter({colour: pool.count("runner") for colour, pool in shown.items()})
                faces += [
                    face for pool in throw(t, runners + draw(t, cup, 3 - runners.total())).values() for face in pool
                ]
            return faces.count("brain"), faces.count("shot")

        return law(roll)

    one, two = play(1), play(2)
    return {
        "p_three_shotguns_at_once": chance(one, lambda r: r[1] == 3),
        "mean_brains_first": mean(one, lambda r: r[0]),
        "p_two_brains_first": chance(one, lambda r: r[0] == 2),
        "p_dead_after_two": chance(two, lambda r: r[1] >= 3),
        "mean_brains_after_two": mean(two, lambda r: r[0]),
    }


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


def craps() -> Answers:
    two = law(lambda t: t.roll(6) + t.roll(6))
    won: Fraction = two[7] + two[11]
    throws = Fraction(1)
    for point in (4, 5, 6, 8, 9, 10):
        ends = two[point] + two[7]
        won += two[point] * two[point] / ends
        throws += two[point] / ends
    return {"p_win": won, "p_natural": two[7] + two[11], "p_craps": two[2] + two[3] + two[12], "mean_throws": throws}


def pig() -> Answers:
    @cache
    def reach(points: int) -> Fraction:
        """The chance that a turn stands at so many points while still rolling or at its end."""
        if points == 0:
            return Fraction(1)
        return sum((reach(points - face) for face in range(2, 7) if 0 <= points - face < 20), Fraction(0)) / 6

    banked = {points: reach(points) for points in range(20, 26)}
    return {"p_bust_20": 1 - sum(banked.values()), "mean_20": mean(banked), "p_score_25": banked[25]}


def poker_hands() -> Answers:
    hands = {
        "four": 13 * 48,
        "full_house": 13 * 4 * 12 * 6,
        "straight": 10 * 4**5,
        "three": 13 * 4 * comb(12, 2) * 16,
        "two_pair": comb(13, 2) * 36 * 44,
        "pair": 13 * 6 * comb(12, 3) * 64,
    }
    return {f"p_{name}": Fraction(number, comb(52, 5)) for name, number in hands.items()}


def torg_bonus() -> Answers:
    number = exploding(20, [10, 20], 60)
    return {
        "p_success_8_vs_10": chance(number, lambda n: n >= 15),
        "p_number_ge21": chance(number, lambda n: n >= 21),
        "mean_number": Fraction(21, 2) / (1 - Fraction(1, 10)),
        "p_change_ge9": chance(number, lambda n: n >= 26),
    }


def earthdawn_steps() -> Answers:
    def step(sides: tuple[int, ...]) -> Law:
        return law(lambda t: sum(t.of(exploding(s, [s], 40)) for s in sides))

    five, nine, eleven = step((8,)), step((8, 6)), step((10, 8))
    return {
        "p_step5_ge6": chance(five, lambda r: r >= 6),
        "p_step9_ge10": chance(nine, lambda r: r >= 10),
        "p_step11_ge20": chance(eleven, lambda r: r >= 20),
        "mean_step9": Fraction(9, 2) * Fraction(8, 7) + Fraction(7, 2) * Fraction(6, 5),
    }


def roll_for_shoes() -> Answers:
    def play(ours: int, theirs: int) -> Law:
        def roll(t: Table) -> tuple[bool, bool]:
            mine = t.pool(ours, 6)
            return sum(mine) > sum(t.pool(theirs, 6)), set(mine) == {6}

        return law(roll)

    return {
        "p_2v1": chance(play(2, 1), lambda r: r[0]),
        "p_1v2": chance(play(1, 2), lambda r: r[0]),
        "p_advance_2": Fraction(1, 36),
        "p_success_and_advance_2v3": play(2, 3)[True, True],
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


def opposed_sl() -> Answers:
    def passed(number: int, skill: int) -> bool:
        return number <= 5 or number <= min(skill, 95)

    double = {11 * k for k in range(1, 10)} | {100}
    margin = law(lambda t: (4 - t.roll(100) // 10) - (3 - t.roll(100) // 10))
    return {
        "p_critical_45": Fraction(sum(passed(n, 45) for n in double), 100),
        "p_fumble_45": Fraction(sum(not passed(n, 45) for n in double), 100),
        "p_attacker_wins_45_38": chance(margin, lambda m: m >= 0),
        "p_margin_ge4_45_38": chance(margin, lambda m: m >= 4),
    }


def open_ended() -> Answers:
    more = exploding(100, range(96, 101), 300)

    def roll(t: Table) -> int:
        first = t.roll(100)
        return int(first + (t.of(more) if first >= 96 else 0) - (t.of(more) if first <= 5 else 0))

    total = law(roll)
    return {
        "p_over_100_skill30": chance(total, lambda r: r + 30 > 100),
        "p_total_ge150": chance(total, lambda r: r >= 150),
        "p_total_le_minus50": chance(total, lambda r: r <= -50),
        "mean_total": Fraction(101, 2),
    }


def mastery_contest() -> Answers:
    def level(number: int, rating: int, masteries: int) -> int:
        rolled = 4 if number == 1 else 1 if number == 20 else 3 if number <= rating else 2
        return min(4, rolled + masteries)

    def play(ours: int, mastery: int, theirs: int) -> Law:
        def roll(t: Table) -> tuple[bool, int]:
            first, second = t.roll(20), t.roll(20)
            degree = level(first, ours, mastery) - level(second, theirs, 0)
            return degree > 0 or (degree == 0 and first < second), degree

        return law(roll)

    even, mastered = play(15, 0, 12), play(5, 1, 12)
    return {
        "p_victory_15_12": chance(even, lambda r: r[0]),
        "p_victory_5m_12": chance(mastered, lambda r: r[0]),
        "p_complete_5m_12": chance(mastered, lambda r: r[1] == 3),
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


def wild_die_d6() -> Answers:
    wild = exploding(6, [6], 40)

    def roll(t: Table) -> tuple[int, bool]:
        plain, extra = t.pool(3, 6), t.of(wild)
        return (sum(plain[:-1]), True) if extra == 1 else (sum(plain) + extra, False)

    skill = law(roll)
    highest = mean(law(lambda t: t.pool(3, 6)[-1]))
    return {
        "p_4d_ge10": chance(skill, lambda r: r[0] >= 10),
        "p_4d_ge15": chance(skill, lambda r: r[0] >= 15),
        "p_success_despite_complication": chance(skill, lambda r: r[0] >= 10 and r[1]),
        "mean_4d": Fraction(21, 2) + Fraction(21, 5) - Fraction(1, 6) * (1 + highest),
    }


def flip_flop() -> Answers:
    def roll(t: Table) -> tuple[int, int, bool]:
        tens, units = t.roll(range(10)), t.roll(range(10))
        return (10 * tens + units or 100), (10 * units + tens or 100), tens == units

    digits = law(roll)
    return {
        "p_good_45": chance(digits, lambda r: r[0] <= 45),
        "p_matched_success_45": chance(digits, lambda r: r[2] and 1 < r[0] <= 45),
        "p_good_45_obsession": chance(digits, lambda r: min(r[0], r[1]) <= 45),
        "p_matched_failure_45": chance(digits, lambda r: r[2] and 45 < r[0] < 100),
    }


def usage_die() -> Answers:
    def uses(sides: int, cap: int) -> Law:
        """How many uses there are in a die and all smaller ones; `cap` and more are one result."""
        chain = [die for die in (12, 10, 8, 6, 4) if die <= sides]
        chances: Law = {0: Fraction(1)}
        for die in chain:
            after: Law = {}
            for used, weight in chances.items():
                left = weight
                for more in range(1, cap):
                    gone = left * Fraction(2, die)
                    left -= gone
                    after[min(cap, used + more)] = after.get(min(cap, used + more), Fraction(0)) + gone
                after[cap] = after.get(cap, Fraction(0)) + left
            chances = after
        return chances

    return {
        "mean_uses_d4": Fraction(2),
        "p_one_use_d4": uses(4, 20)[1],
        "mean_uses_d8": Fraction(8, 2) + Fraction(6, 2) + Fraction(4, 2),
        "p_more_than_10_d8": uses(8, 11)[11],
        "mean_uses_d12": Fraction(12 + 10 + 8 + 6 + 4, 2),
    }


def ten_candles() -> Answers:
    def throws(dice: int) -> dict[tuple[int, bool], Fraction]:
        return law(lambda t: (lambda pool: (pool.count(1), 6 not in pool))(t.pool(dice, 6)))

    @cache
    def rolls(dice: int) -> Fraction:
        """The mean number of throws: those that lose no die and succeed leave everything as it was."""
        if dice == 0:
            return Fraction(0)
        thrown = throws(dice)
        later = sum(
            (weight * rolls(dice - lost) for (lost, failed), weight in thrown.items() if lost and not failed),
            Fraction(0),
        )
        return (1 + later) / (1 - thrown[0, False])

    @cache
    def left(dice: int) -> Fraction:
        thrown = throws(dice)
        ends = sum((weight * (dice - lost) for (lost, failed), weight in thrown.items() if failed), Fraction(0))
        later = sum(
            (weight * left(dice - lost) for (lost, failed), weight in thrown.items() if lost and not failed),
            Fraction(0),
        )
        return (ends + later) / (1 - thrown[0, False])

    @cache
    def lasts(dice: int, wanted: int) -> Fraction:
        """The chance of at least so many throws."""
        if wanted == 0:
            return Fraction(1)
        if dice == 0:
            return Fraction(0)
        if wanted == 1:
            return Fraction(1)
        return sum(
            (weight * lasts(dice - lost, wanted - 1) for (lost, failed), weight in throws(dice).items() if not failed),
            Fraction(0),
        )

    return {
        "mean_rolls_10": rolls(10),
        "p_first_fails_10": Fraction(5, 6) ** 10,
        "p_three_rolls_or_more_4": lasts(4, 3),
        "mean_left_4": left(4),
    }


def death_saves() -> Answers:
    @cache
    def ends(successes: int, failures: int, bonus: int) -> tuple[Fraction, ...]:
        """The chances of dying, waking up and being stable."""
        if successes >= 3 or failures >= 3:
            return (Fraction(failures >= 3), Fraction(0), Fraction(successes >= 3))
        total = [Fraction(0)] * 3
        for face in range(1, 20):
            lost = 2 if face == 1 else 1 if face + bonus < 10 else 0
            for at, weight in enumerate(ends(successes + (lost == 0), failures + lost, bonus)):
                total[at] += weight / 20
        return total[0], total[1] + Fraction(1, 20), total[2]

    plain = ends(0, 0, 0)
    return {"p_dead": plain[0], "p_revived": plain[1], "p_stable": plain[2], "p_dead_bonus1": ends(0, 0, 1)[0]}


def blackjack_dealer() -> Answers:
    @cache
    def draws(deck: tuple[int, ...], hard: int, aces: bool, cards: int) -> dict[tuple[int, int], Fraction]:
        """The chances of each total with its number of cards, capped at three."""
        total = hard + 10 if aces and hard <= 11 else hard
        if total >= 17:
            return {(total, min(cards, 3)): Fraction(1)}
        result: dict[tuple[int, int], Fraction] = {}
        for at, number in enumerate(deck):
            if number:
                rest = (*deck[:at], number - 1, *deck[at + 1 :])
                for end, weight in draws(rest, hard + at + 1, aces or at == 0, cards + 1).items():
                    result[end] = result.get(end, Fraction(0)) + weight * Fraction(number, sum(deck))
        return result

    dealer = draws((4,) * 9 + (16,), 0, False, 0)
    return {
        "p_bust": chance(dealer, lambda r: r[0] > 21),
        "p_blackjack": dealer[21, 2],
        "p_17": chance(dealer, lambda r: r[0] == 17),
    }


def keno() -> Answers:
    hits = {k: Fraction(comb(10, k) * comb(70, 20 - k), comb(80, 20)) for k in range(11)}
    return {"p_five_hits": hits[5], "p_ten_hits": hits[10], "mean_hits": mean(hits)}


def mulligan() -> Answers:
    def hand(cards: int) -> Law:
        return {k: Fraction(comb(24, k) * comb(36, cards - k), comb(60, cards)) for k in range(cards + 1)}

    first, second = hand(7), hand(6)
    kept = {lands: weight for lands, weight in first.items() if 2 <= lands <= 5}
    again = 1 - sum(kept.values())
    return {
        "p_mulligan": again,
        "p_keepable": 1 - again + again * chance(second, lambda lands: 2 <= lands <= 5),
        "mean_lands": mean(kept) + again * mean(second),
        "p_keepable_without": 1 - again,
    }


def one_ring() -> Answers:
    def play(weary: bool) -> Law:
        def roll(t: Table) -> tuple[bool, int, int]:
            feat, pool = t.roll(12), t.pool(3, 6)
            total = (feat if feat <= 10 else 0) + sum(0 if weary and die <= 3 else die for die in pool)
            return feat == 11 or total >= 14, pool.count(6), total

        return law(roll)

    fresh, weary = play(False), play(True)
    return {
        "p_good_3d_14": chance(fresh, lambda r: r[0]),
        "p_extraordinary_3d_14": chance(fresh, lambda r: r[0] and r[1] >= 2),
        "p_good_3d_14_weary": chance(weary, lambda r: r[0]),
        "mean_total_weary": mean(weary, lambda r: r[2]),
    }


def two_readings() -> Answers:
    def roll(t: Table) -> tuple[int, int]:
        pool = t.pool(6, 6)
        return sum(pool), sum({1: 0, 6: 2}.get(die, 1) for die in pool)

    blow = law(roll)
    return {
        "mean_body_6": mean(blow, lambda r: r[1]),
        "p_stun_ge25_and_body_le5": chance(blow, lambda r: r[0] >= 25 and r[1] <= 5),
        "p_body_eq6": chance(blow, lambda r: r[1] == 6),
    }


def stunt_die() -> Answers:
    def roll(t: Table) -> tuple[bool, int]:
        dice = [t.roll(6) for _ in range(3)]
        passed = sum(dice) + 2 >= 13
        return passed, dice[2] if passed and len(set(dice)) < 3 else 0

    test = law(roll)
    return {
        "p_success": chance(test, lambda r: r[0]),
        "p_any_stunts": chance(test, lambda r: r[1] > 0),
        "mean_stunts": mean(test, lambda r: r[1]),
        "p_stunts_ge5": chance(test, lambda r: r[1] >= 5),
    }


def boons_banes() -> Answers:
    total = law(lambda t: t.roll(20) + max(t.pool(2, 6)))
    banes = law(lambda t: t.roll(20) - max(t.pool(2, 6)))
    return {
        "p_two_boons": chance(total, lambda r: r >= 13),
        "mean_two_boons": mean(total),
        "p_three_banes_one_boon": chance(banes, lambda r: r + 2 >= 10),
    }


def collecting() -> Answers:
    unseen = [(-1) ** (k + 1) * comb(6, k) * Fraction(6 - k, 6) ** 20 for k in range(1, 7)]
    return {
        "mean_rolls": sum((Fraction(6, k) for k in range(1, 7)), Fraction(0)),
        "p_six_rolls": Fraction(factorial(6), 6**6),
        "p_more_than_20": sum(unseen, Fraction(0)),
    }


def chaos_bag() -> Answers:
    tokens = [1, 0, 0, -1, -1, -1, -2, -2, -3, -4, -1, -1, -2, -2, None, 1]
    passed = [token is not None and max(0, 4 + token) >= 3 for token in tokens]
    return {
        "p_success_4_vs_3": Fraction(sum(passed), len(tokens)),
        "mean_change": Fraction(sum(token or 0 for token in tokens), len(tokens)),
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
                    (w * made(tuple(sorted(stay + new)), throws - 1) for new, w in _multisets(size - len(stay), 6)),
                    Fraction(0),
                )
                for stay in kept
            )

        return sum((weight * made(hand, 2) for hand, weight in _multisets(size, 6)), Fraction(0))

    return {"p_three_of_three": best(3), "p_yahtzee_played_well": best(5)}


def pig_best() -> Answers:
    @cache
    def worth(points: int) -> Fraction:
        """A turn's mean from here on; from 20 on rolling gains nothing."""
        rolled = sum((worth(points + face) for face in range(2, 7)), Fraction(0)) / 6 if points < 20 else Fraction(0)
        return max(rolled, Fraction(points))

    @cache
    def reach(points: int) -> Fraction:
        """The chance to come by so many points while rolling up to 20: as good as holding there, and ties roll on."""
        if points == 0:
            return Fraction(1)
        return sum((reach(points - face) for face in range(2, 7) if 0 <= points - face <= 20), Fraction(0)) / 6

    return {"mean_points": worth(0), "p_bust": 1 - sum((reach(points) for points in range(21, 27)), Fraction(0))}


def duel() -> Answers:
    def damage(bonus: int, armour: int) -> Law:
        def roll(t: Table) -> int:
            hit = t.roll(20)
            if hit == 20:
                return int(t.roll(8) + t.roll(8) + 2)
            return int(t.roll(8) + 2) if hit > 1 and hit + bonus >= armour else 0

        return law(roll)

    ours, theirs = damage(5, 14), damage(3, 15)

    @cache
    def wins(us: int, them: int) -> Fraction:
        """The chance of victory before our attack: rounds without a hit change nothing."""
        total = Fraction(0)
        for dealt, weight in ours.items():
            if dealt >= them:
                total += weight
                continue
            for taken, more in theirs.items():
                if taken < us and (dealt or taken):
                    total += weight * more * wins(us - taken, them - dealt)
        return total / (1 - ours[0] * theirs[0])

    first = chance(ours, lambda dealt: dealt >= 15)
    return {"p_victory": wins(12, 15), "p_one_round": first + (1 - first) * chance(theirs, lambda taken: taken >= 12)}


def unit_battle() -> Answers:
    def roll(t: Table) -> int:
        units = [(3, 1), (2, 3), (1, 4)]
        return sum(die <= target for number, target in units for die in t.pool(number, 6))

    hits = law(roll)
    return {"mean_hits": mean(hits), "p_ge3_hits": chance(hits, lambda r: r >= 3), "p_no_hits": hits[0]}


def best_combination() -> Answers:
    def roll(t: Table) -> int:
        counts = Counter(t.pool(3, 10))
        sets = [face * number for face, number in counts.items()]
        runs = [3 * face + 3 for face in counts if face + 1 in counts and face + 2 in counts]
        return max(sets + runs)

    test = law(roll)
    return {"mean_3": mean(test), "p_ge15_3": chance(test, lambda r: r >= 15)}


def cant_stop() -> Answers:
    def possible(number: int) -> Fraction:
        def roll(t: Table) -> bool:
            dice = t.pool(4, 6)
            return any(dice[a] + dice[b] == number for a in range(4) for b in range(a))

        return law(roll)[True]

    return {"p_seven": possible(7), "p_two": possible(2), "p_eight": possible(8)}


def tied_highest() -> Answers:
    def roll(t: Table) -> int:
        """Victories; below 0 for a loss."""
        mine, yours = list(t.pool(4, 10)), list(t.pool(3, 10))
        while mine and yours and mine[-1] == yours[-1]:
            mine.pop()
            yours.pop()
        top = (mine[-1] if mine else 0), (yours[-1] if yours else 0)
        return sum(die > top[1] for die in mine) if top[0] > top[1] else -1

    conflict = law(roll)
    return {
        "p_win_4v3": chance(conflict, lambda r: r > 0),
        "p_two_victories": chance(conflict, lambda r: r >= 2),
        "mean_victories": mean(conflict, lambda r: max(0, r)),
    }


def doubles_again() -> Answers:
    def roll(t: Table) -> int:
        """Spaces; negative for those before going to jail."""
        spaces = 0
        for throw in range(3):
            first, second = t.roll(6), t.roll(6)
            if throw == 2 and first == second:
                return -spaces
            spaces += first + second
            if first != second:
                break
        return spaces

    move = law(roll)
    return {
        "p_jail": chance(move, lambda r: r < 0),
        "mean_spaces": mean(move, abs),
        "p_spaces_ge20": chance(move, lambda r: abs(r) >= 20),
    }


def pendragon_opposed() -> Answers:
    def score(number: int, skill: int) -> int:
        reached = min(20, number + max(0, skill - 20))
        if reached == min(20, skill):
            return 20
        return reached if reached < skill else 0

    def play(ours: int) -> Law:
        return law(lambda t: (score(t.roll(20), ours), score(t.roll(20), 12)))

    even, master = play(15), play(23)
    return {
        "p_win_15_12": chance(even, lambda r: r[0] > r[1]),
        "p_tie_15_12": chance(even, lambda r: r[0] == r[1] > 0),
        "p_both_fail_15_12": even[0, 0],
        "p_win_23_12": chance(master, lambda r: r[0] > r[1]),
    }


def duality_dice() -> Answers:
    def play(trait: int, advantage: int) -> Law:
        def roll(t: Table) -> str:
            hope, fear = t.roll(12), t.roll(12)
            total = hope + fear + trait + (advantage * t.roll(6) if advantage else 0)
            if hope == fear:
                return "critical"
            return ("success " if total >= 12 else "failure ") + ("hope" if hope > fear else "fear")

        return law(roll)

    plain = play(1, 0)
    return {
        "p_critical": plain["critical"],
        "p_success_hope": plain["success hope"],
        "p_success_fear": plain["success fear"],
        "p_failure_hope": plain["failure hope"],
        "p_failure_fear": plain["failure fear"],
        "p_success_hope_disadvantage": play(2, -1)["success hope"],
    }


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


def two_unlike_dice() -> Answers:
    check = law(lambda t: (t.roll(10), t.roll(8)))

    def critical(dice: tuple[int, int]) -> bool:
        return dice[0] == dice[1] >= 6

    return {
        "p_good_10_8": chance(check, lambda r: critical(r) or sum(r) >= 10),
        "p_critical_10_8": chance(check, critical),
        "mean_high_10_8": mean(check, max),
        "p_success_with_high_8": chance(check, lambda r: sum(r) >= 10 and not critical(r) and max(r) >= 8),
    }


def primary_die() -> Answers:
    chain = _first(6, 40)

    def roll(t: Table) -> tuple[int, bool]:
        (total, first), other = t.of(chain), t.roll(6)
        return 0 if first == 1 else min(60, total + other + 1), first == 6

    attack = law(roll)
    # a first die of 2 to 5, or 6 and an endless die of mean 21/5; the other die and the bonus whenever it is not 1
    hit = Fraction(5, 6) * (Fraction(7, 2) + 1)
    return {
        "mean_2d6": Fraction(2 + 3 + 4 + 5, 6) + Fraction(1, 6) * (6 + Fraction(21, 5)) + hit,
        "p_ge10_2d6": chance(attack, lambda r: r[0] >= 10),
        "p_critical_and_ge15": chance(attack, lambda r: r[1] and r[0] >= 15),
    }


def middle_die() -> Answers:
    effect = law(lambda t: sorted((t.roll(10), t.roll(8), t.roll(6)))[1])
    return {
        "p_major": chance(effect, lambda r: r <= 3),
        "p_minor": chance(effect, lambda r: 4 <= r <= 7),
        "p_success": chance(effect, lambda r: r >= 8),
        "mean_middle": mean(effect),
    }


def climbing_die() -> Answers:
    def roll(t: Table) -> int:
        total, size = 0, 4
        while True:
            shown = t.roll(size)
            total += shown
            if shown < size or size == 12:
                return total
            size += 2

    climb = law(roll)
    return {
        "mean_d4": mean(climb),
        "p_ge10_d4": chance(climb, lambda r: r >= 10),
        "p_ge20_d4": chance(climb, lambda r: r >= 20),
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


def best_of_five() -> Answers:
    def roll(t: Table) -> int:
        first, second = t.pool(3, 6)[-1], t.pool(2, 6)[-1]
        return (first > second) - (first < second)

    one = law(roll)
    won = one[1] / (1 - one[0])
    lost = 1 - won
    rounds = {3: won**3 + lost**3, 4: 3 * (won**3 * lost + lost**3 * won), 5: 6 * won**2 * lost**2}
    return {
        "p_match_won": won**3 * (1 + 3 * lost + 6 * lost**2),
        "p_whitewash": won**3,
        "mean_rounds": mean(rounds) / (1 - one[0]),
    }


def location_and_armour() -> Answers:
    def roll(t: Table) -> tuple[int, bool, bool]:
        where, force = t.roll(10), t.of(three)
        armour, maims = (3, 6) if where <= 2 else (2, 12) if where <= 7 else (0, 8)
        through = max(0, force - armour)
        return through, through >= maims, where <= 2

    three = law(lambda t: sum(t.pool(3, 6)))
    blow = law(roll)
    return {
        "mean_through": mean(blow, lambda r: r[0]),
        "p_maimed": chance(blow, lambda r: r[1]),
        "p_maimed_head": chance(blow, lambda r: r[1] and r[2]),
    }


GAMES: dict[str, Callable[[], Answers]] = {
    "savage-worlds": savage_worlds,
    "roll-and-keep": roll_and_keep,
    "percentile-bonus": percentile_bonus,
    "one-roll-engine": one_roll_engine,
    "exalted": exalted,
    "fate-ladder": fate_ladder,
    "cortex-prime": cortex_prime,
    "mythras-opposed": mythras_opposed,
    "gurps-success": gurps_success,
    "dice-chain": dice_chain,
    "marvel-multiverse": marvel_multiverse,
    "penetrating-dice": penetrating_dice,
    "plus-minus": plus_minus,
    "cyberpunk-red": cyberpunk_red,
    "stress-die": stress_die,
    "burning-wheel": burning_wheel,
    "raise-and-see": raise_and_see,
    "liars-dice": liars_dice,
    "zombie-dice": zombie_dice,
    "king-of-tokyo": king_of_tokyo,
    "farkle": farkle,
    "craps": craps,
    "pig": pig,
    "poker-hands": poker_hands,
    "torg-bonus": torg_bonus,
    "earthdawn-steps": earthdawn_steps,
    "roll-for-shoes": roll_for_shoes,
    "lasers-feelings": lasers_feelings,
    "trophy-ruin": trophy_ruin,
    "heart-difficulty": heart_difficulty,
    "artifact-dice": artifact_dice,
    "opposed-sl": opposed_sl,
    "open-ended": open_ended,
    "mastery-contest": mastery_contest,
    "x-wing": x_wing,
    "block-dice": block_dice,
    "wild-die-d6": wild_die_d6,
    "flip-flop": flip_flop,
    "usage-die": usage_die,
    "ten-candles": ten_candles,
    "death-saves": death_saves,
    "blackjack-dealer": blackjack_dealer,
    "keno": keno,
    "mulligan": mulligan,
    "one-ring": one_ring,
    "two-readings": two_readings,
    "stunt-die": stunt_die,
    "boons-banes": boons_banes,
    "collecting": collecting,
    "chaos-bag": chaos_bag,
    "chosen-rerolls": chosen_rerolls,
    "pig-best": pig_best,
    "duel": duel,
    "unit-battle": unit_battle,
    "best-combination": best_combination,
    "cant-stop": cant_stop,
    "tied-highest": tied_highest,
    "doubles-again": doubles_again,
    "pendragon-opposed": pendragon_opposed,
    "duality-dice": duality_dice,
    "cut-and-twist": cut_and_twist,
    "base-dice": base_dice,
    "two-unlike-dice": two_unlike_dice,
    "primary-die": primary_die,
    "middle-die": middle_die,
    "climbing-die": climbing_die,
    "shared-out-dice": shared_out_dice,
    "best-of-five": best_of_five,
    "location-and-armour": location_and_armour,
}


def answers() -> list[dict[str, Any]]:
    """All of it, in the shape of the mechanics in `data/`."""
    return [
        {"id": name, "answers": {key: f"{value.numerator}/{value.denominator}" for key, value in game().items()}}
        for name, game in GAMES.items()
    ]


if __name__ == "__main__":
    sys.stdout.write(json.dumps(answers(), indent=1) + "\n")
