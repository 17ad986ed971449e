"""Games whose rules need groups of dice, tables of rows and columns, lists of sizes, and choices of so many dice."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations
from math import prod

from tests.language.answers.play import Answers, Table, chance, law, mean


def groups(faces: tuple[int, ...], least: int) -> int:
    """The most groups of at least so much: each die is left over or begins a group with any of the others."""
    if sum(faces) < least:
        return 0
    first, rest = faces[0], faces[1:]
    best = groups(rest, least)
    for size in range(len(rest) + 1):
        for places in combinations(range(len(rest)), size):
            if first + sum(rest[place] for place in places) >= least:
                left = tuple(face for place, face in enumerate(rest) if place not in places)
                best = max(best, 1 + groups(left, least))
    return best


def seventh_sea_raises() -> Answers:
    five = law(lambda t: groups(t.pool(5, 10), 10))
    two = law(lambda t: groups(t.pool(2, 10), 10))

    def skilled(t: Table) -> int:
        pool = t.pool(4, 10)
        return max(groups(pool, 10), 2 * groups(pool, 15))

    return {
        "mean_raises_5d": mean(five),
        "p_three_raises_5d": chance(five, lambda n: n >= 3),
        "p_none_2d": chance(two, lambda n: n == 0),
        "mean_skilled_4d": mean(law(skilled)),
    }


def percentile_doubles() -> Answers:
    one = law(lambda t: t.roll(100) - 1)
    better = law(lambda t: min(t.roll(100) - 1, t.roll(100) - 1))
    doubles = {11 * digit for digit in range(10)}
    return {
        "p_critical_35": chance(one, lambda n: n < 35 and n in doubles),
        "p_good_35": chance(one, lambda n: n < 35),
        "p_critical_failure_35": chance(one, lambda n: n >= 35 and n in doubles),
        "p_good_95": chance(one, lambda n: n < 90),
        "p_good_35_advantage": chance(better, lambda n: n < 35),
        "p_critical_35_advantage": chance(better, lambda n: n < 35 and n in doubles),
    }


CLUSTERS = {
    5: (1, 2, 2, 3, 3, 3, 3, 4, 4, 5, 5),
    10: (3, 3, 4, 6, 6, 6, 6, 8, 8, 10, 10),
    20: (6, 6, 9, 12, 12, 12, 12, 16, 16, 20, 20),
}


def cluster_hits() -> Answers:
    def salvo(size: int) -> Answers:
        def play(t: Table) -> int:
            if sum(t.pool(2, 6)) < 8:
                return 0
            return CLUSTERS[size][sum(t.pool(2, 6)) - 2]

        found = law(play)
        return {f"mean_hits_{size}": mean(found), f"p_half_{size}": chance(found, lambda n: n >= size // 2)}

    return salvo(10) | salvo(20)


def odds_table() -> Answers:
    results = {
        "even": ("lost", "lost", "back", "back", "swap", "won"),
        "double": ("lost", "back", "swap", "swap", "won", "won"),
        "triple": ("back", "swap", "swap", "won", "won", "won"),
    }

    def column(ours: int, theirs: int) -> str | None:
        ratio = ours // theirs
        return {0: None, 1: "even", 2: "double"}.get(ratio, "triple")

    def play(ours: int, theirs: int) -> Answers:
        found = column(ours, theirs)
        faces = results[found] if found else ("lost",) * 6
        return {
            f"p_won_{ours}_{theirs}": Fraction(faces.count("won"), 6),
            f"p_lost_{ours}_{theirs}": Fraction(faces.count("lost"), 6),
        }

    return play(7, 3) | play(9, 3) | play(3, 4)


def mixed_dice() -> Answers:
    def check(t: Table) -> tuple[int, bool]:
        dice = [t.roll(sides) for sides in (4, 8, 8, 12)]
        return sum(face > 3 for face in dice), max(dice) == 1

    found = law(check)

    def contest(t: Table) -> int:
        ours, theirs = (sorted(map(t.roll, sides), reverse=True) for sides in ((4, 8, 12), (6, 10)))
        return (ours > theirs) - (ours < theirs)

    fight = law(contest)
    return {
        "p_success": chance(found, lambda r: r[0] > 0),
        "mean_successes": mean(found, lambda r: r[0]),
        "p_botch": chance(found, lambda r: r[1]),
        "p_first_wins": chance(fight, lambda n: n > 0),
        "p_tie": chance(fight, lambda n: n == 0),
    }


def dragon_and_demon() -> Answers:
    one = law(lambda t: t.roll(20))
    boon = law(lambda t: min(t.roll(20), t.roll(20)))
    banes = law(lambda t: max(t.roll(20), t.roll(20), t.roll(20)))
    return {
        "p_success_12": chance(one, lambda n: n <= 12),
        "p_success_12_boon": chance(boon, lambda n: n <= 12),
        "p_dragon_12_boon": chance(boon, lambda n: n == 1),
        "p_demon_12_banes": chance(banes, lambda n: n == 20),
        "p_success_12_banes": chance(banes, lambda n: n <= 12),
    }


def lucky_reroll() -> Answers:
    """Of three dice at most one is thrown again, to reach a sum; the player knows what is best."""

    def play(needed: int) -> Fraction:
        def roll(t: Table) -> Fraction:
            pool = t.pool(3, 6)
            ways = [Fraction(sum(pool) >= needed)]
            ways += [Fraction(sum(sum(pool) - die + face >= needed for face in range(1, 7)), 6) for die in pool]
            return max(ways)

        return mean(law(roll))

    return {"p_reach_11": play(11), "p_reach_14": play(14), "p_reach_18": play(18)}


DEGREES = ("critical_failure", "failure", "success", "critical_success")


def four_degrees() -> Answers:
    def check(bonus: int, difficulty: int) -> dict[str, Fraction]:
        def roll(t: Table) -> str:
            die = t.roll(20)
            margin = die + bonus - difficulty
            place = 3 if margin >= 10 else 2 if margin >= 0 else 1 if margin > -10 else 0
            place += (die == 20) - (die == 1)
            return DEGREES[max(0, min(3, place))]

        found = law(roll)
        return {degree: chance(found, lambda r: r == degree) for degree in DEGREES}  # noqa: B023

    fair, hard = check(7, 18), check(0, 31)
    return {
        "p_critical_7_18": fair["critical_success"],
        "p_success_7_18": fair["success"],
        "p_critical_failure_7_18": fair["critical_failure"],
        "p_failure_0_31": hard["failure"],
        "p_critical_failure_0_31": hard["critical_failure"],
    }


def killing_attack() -> Answers:
    def play(t: Table) -> tuple[int, int]:
        body = sum(t.pool(2, 6))
        return body, body * max(1, t.roll(6) - 1)

    found = law(play)
    return {
        "mean_stun": mean(found, lambda r: r[1]),
        "p_stun_ge30": chance(found, lambda r: r[1] >= 30),
        "p_through_6": chance(found, lambda r: r[0] > 6),
        "mean_through_6": mean(found, lambda r: max(0, r[0] - 6)),
    }


def skill_attack() -> Answers:
    """Whether some of the dice add up to what the other die shows."""

    def sums(dice: list[int]) -> set[int]:
        return {sum(some) for size in range(1, len(dice) + 1) for some in combinations(dice, size)}

    def play(t: Table) -> tuple[bool, bool]:
        dice = [t.roll(sides) for sides in (4, 6, 10)]
        prize = t.roll(20)
        return prize in sums(dice), any(die >= prize for die in dice)

    found = law(play)
    return {
        "p_skill": chance(found, lambda r: r[0]),
        "p_power": chance(found, lambda r: r[1]),
        "p_any": chance(found, lambda r: r[0] or r[1]),
    }


def cee_lo() -> Answers:
    def kind(pool: tuple[int, ...]) -> str:
        faces = sorted(pool)
        if faces == [4, 5, 6]:
            return "winner"
        if faces == [1, 2, 3]:
            return "loser"
        counted = Counter(faces)
        if len(counted) == 1:
            return "triple"
        return "point" if len(counted) == 2 else "nothing"

    once = law(lambda t: kind(t.pool(3, 6)))
    settled = 1 - once["nothing"]

    def point(pool: tuple[int, ...]) -> int:
        return min(pool, key=lambda face: (pool.count(face), face)) if kind(pool) == "point" else 0

    points = law(lambda t: point(t.pool(3, 6)))
    return {
        "p_winner": once["winner"] / settled,
        "p_loser": once["loser"] / settled,
        "p_triple": once["triple"] / settled,
        "p_point_six": points[6] / settled,
        "p_one_throw": settled,
        "mean_throws": 1 / settled,
    }


def tenzi() -> Answers:
    """Five dice thrown until all show a six; those that do are kept."""

    def within(turns: int) -> Fraction:
        return (1 - Fraction(5, 6) ** turns) ** 5

    terms = [(-1) ** (k + 1) * Fraction(prod(range(6 - k, 6)), prod(range(1, k + 1))) for k in range(1, 6)]
    expected = sum(term / (1 - Fraction(5, 6) ** k) for k, term in enumerate(terms, 1))
    return {
        "p_within_5": within(5),
        "p_within_10": within(10),
        "p_just_3": within(3) - within(2),
        "mean_turns": Fraction(expected),
    }


def boon_and_bane() -> Answers:
    two = law(lambda t: sum(t.pool(2, 6)))
    boon = law(lambda t: sum(sorted(t.pool(3, 6))[1:]))
    bane = law(lambda t: sum(sorted(t.pool(3, 6))[:2]))
    return {
        "p_success_plain": chance(two, lambda n: n + 1 >= 8),
        "p_success_boon": chance(boon, lambda n: n + 1 >= 8),
        "p_success_bane": chance(bane, lambda n: n + 1 >= 8),
        "p_exceptional_boon": chance(boon, lambda n: n + 3 - 8 >= 6),
        "p_both": chance(two, lambda n: n + 1 >= 8),
        "mean_effect_bane": mean(bane, lambda n: n + 1 - 8),
    }


RING = ((0, 0), (1, 0), (1, 1), (1, 1), (0, 0), (0, 1))
"""Successes and strife of each face of a die."""


def kept_by_choice() -> Answers:
    """Of three dice two are kept: most successes, and among these the least strife."""

    def play(t: Table) -> tuple[int, int]:
        faces = [RING[t.roll(6) - 1] for _ in range(3)]
        two = [(a[0] + b[0], a[1] + b[1]) for a, b in combinations(faces, 2)]
        return max(two, key=lambda r: 10 * r[0] - r[1])

    found = law(play)
    return {
        "p_two_successes": chance(found, lambda r: r[0] == 2),
        "mean_strife": mean(found, lambda r: r[1]),
        "p_calm_success": chance(found, lambda r: r[0] >= 1 and r[1] == 0),
    }


def poker_dice() -> Answers:
    def rank(pool: tuple[int, ...]) -> tuple[int, tuple[int, ...]]:
        counted = sorted(Counter(pool).values(), reverse=True)
        straight = len(counted) == 5 and max(pool) - min(pool) == 4
        kinds = [[1, 1, 1, 1, 1], [2, 1, 1, 1], [2, 2, 1], [3, 1, 1], None, [3, 2], [4, 1], [5]]
        return (4 if straight else kinds.index(counted)), ()

    hands = law(lambda t: rank(t.pool(5, 6))[0])

    def duel(t: Table) -> int:
        return int(t.of(hands)) - int(t.of(hands))

    found = law(duel)
    return {
        "p_full_house": hands[5],
        "p_straight": hands[4],
        "p_two_pairs": hands[2],
        "p_first_wins": chance(found, lambda n: n > 0),
        "p_tie": chance(found, lambda n: n == 0),
    }


FURTHER = (
    seventh_sea_raises, percentile_doubles, cluster_hits, odds_table, mixed_dice, dragon_and_demon, lucky_reroll,
    four_degrees, killing_attack, skill_attack, cee_lo, tenzi, boon_and_bane, kept_by_choice, poker_dice,
)  # fmt: skip
