"""Checks of role-playing games: dice that cancel, dice that are raised or bought after the throw, chains."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from math import comb

from tests.language.answers.chains import played
from tests.language.answers.play import Answers, Law, Table, chance, law, mean, multisets, successes

TWO_DICE: Law = {total: Fraction(6 - abs(7 - total), 36) for total in range(2, 13)}


def added(left: Law, right: Law) -> Law:
    """The sum of two numbers that know nothing of each other."""
    found: Law = {}
    for a, weight in left.items():
        for b, share in right.items():
            found[a + b] = found.get(a + b, Fraction(0)) + weight * share
    return found


def hits_of(dice: int, each: Fraction) -> Law:
    return {hits: comb(dice, hits) * each**hits * (1 - each) ** (dice - hits) for hits in range(dice + 1)}


def double_cross() -> Answers:
    @cache
    def reaches(dice: int, critical: int, needed: int) -> Fraction:
        if needed <= 0 or dice == 0:
            return Fraction(needed <= 0)
        found = Fraction(0)
        for pool, weight in multisets(dice, 10):
            crits = sum(face >= critical for face in pool)
            found += weight * (reaches(crits, critical, needed - 10) if crits else max(pool) >= needed)
        return found

    @cache
    def average(dice: int) -> Fraction:
        gains, stays = Fraction(0), Fraction(1, 10**dice)
        for pool, weight in multisets(dice, 10):
            tens = pool.count(10)
            gains += weight * (10 + (average(tens) if tens < dice else 0) if tens else max(pool))
        return gains / (1 - stays)

    return {
        "p_ge10": reaches(5, 10, 10),
        "p_ge25": reaches(5, 10, 25),
        "mean_total": average(5),
        "p_fumble": Fraction(1, 10**5),
        "p_ge20_8": reaches(5, 8, 20),
        "p_ge40_8": reaches(5, 8, 40),
    }


def power_table() -> Answers:
    power = {2: 0, 3: 1, 4: 1, 5: 2, 6: 3, 7: 3, 8: 4, 9: 5, 10: 5, 11: 6, 12: 7}

    @cache
    def reaches(critical: int, needed: int) -> Fraction:
        if needed <= 0:
            return Fraction(1)
        return sum(
            (
                weight * (reaches(critical, needed - power[shown]) if shown >= critical else power[shown] >= needed)
                for shown, weight in TWO_DICE.items()
            ),
            Fraction(0),
        )

    again = chance(TWO_DICE, lambda shown: shown >= 10)
    return {
        "mean_number": mean(TWO_DICE, power.__getitem__) / (1 - again) + 4 * (1 - TWO_DICE[2]),
        "p_ge12": reaches(10, 12 - 4),
        "p_none": TWO_DICE[2],
        "p_ge20_8": reaches(8, 20 - 4),
    }


def gamebook_battle() -> Answers:
    margins = added(TWO_DICE, {-total: weight for total, weight in TWO_DICE.items()})

    def battle(tries: bool) -> Law:
        def round_of(t: Table, at: tuple[int, int, int]) -> tuple[int, int, int]:
            mine, foes, luck = at
            margin = t.of(margins) + 1
            if margin < 0:
                return max(0, mine - 2), foes, luck
            if margin == 0 or not tries:
                return mine, foes - 2 if margin else foes, luck
            lucky = t.of(TWO_DICE) <= luck
            return mine, foes - (4 if lucky else 1), max(0, luck - 1)

        return played((8, 7, 9), lambda at: min(at[:2]) <= 0, round_of)[0]

    plain, lucky = battle(False), battle(True)
    return {
        "p_won": chance(plain, lambda at: at[0] > 0),
        "mean_stamina_left": mean(plain, lambda at: at[0]),
        "p_won_with_luck": chance(lucky, lambda at: at[0] > 0),
        "mean_luck_left": mean(lucky, lambda at: at[2]),
    }


def storyteller() -> Answers:
    def check(difficulty: int) -> Law:
        def play(t: Table) -> tuple[int, int]:
            pool = t.pool(5, 10)
            return sum(face >= difficulty for face in pool), pool.count(1)

        return law(play)

    one: Law = {}
    for tens in range(9):
        for gain, ways in ((1, 4), (0, 4), (-1, 1)):
            one[tens + gain] = one.get(tens + gain, Fraction(0)) + Fraction(ways, 10 ** (tens + 1))
    four = added(added(one, one), added(one, one))
    answers = {"mean_net_specialty": 4 * Fraction(4, 9), "p_success_specialty": 1 - chance(four, lambda net: net <= 0)}
    for difficulty, name in ((6, ""), (8, "_8")):
        found = check(difficulty)
        answers[f"p_success{name}"] = chance(found, lambda shown: shown[0] > shown[1])
        answers[f"p_botch{name}"] = chance(found, lambda shown: shown[0] == 0 and shown[1] > 0)
    return answers


def action_table() -> Answers:
    never_ones = Fraction(90, 100) / (1 - Fraction(9, 100))

    @cache
    def reaches(total: int, needed: int) -> Fraction:
        """Without two ones on the way, and after it as long as doubles come."""
        found = Fraction(0)
        for a in range(1, 11):
            for b in range(1, 11):
                now = total + a + b
                if a != b:
                    found += Fraction(now >= needed, 100)
                elif a > 1:
                    found += (never_ones if now >= needed else reaches(now, needed)) / 100
        return found

    return {
        "p_success": reaches(0, 11),
        "p_double_ones": 1 - never_ones,
        "p_two_shifts": reaches(0, 15),
        "p_success_24": reaches(0, 24),
    }


def hard_and_wiggle() -> Answers:
    def worth(shown: tuple[int, ...]) -> int:
        width = max(shown.count(face) for face in shown)
        return 100 * width + max(face for face in shown if shown.count(face) == width) if width >= 2 else 0

    plain = law(lambda t: worth(t.pool(4, 10)))
    hard = law(lambda t: worth((*t.pool(4, 10), 10)))

    def wiggled(t: Table) -> int:
        pool = t.pool(4, 10)
        return max(worth((*pool, face)) for face in range(1, 11))

    wiggle = law(wiggled)
    return {
        "p_set": 1 - plain[0],
        "mean_worth": mean(plain),
        "p_set_hard": 1 - hard[0],
        "mean_worth_hard": mean(hard),
        "mean_worth_wiggle": mean(wiggle),
        "p_width_3_wiggle": chance(wiggle, lambda n: n >= 300),
    }


def focus_dice() -> Answers:
    def play(t: Table) -> int:
        pool = t.pool(5, 6)
        number, focus = sum(face >= 5 for face in pool), 2
        for price in sorted(5 - face for face in pool if face < 5):
            number, focus = (number + 1, focus - price) if price <= focus else (number, 0)
        return int(number)

    found = law(play)
    return {"p_success": chance(found, lambda n: n >= 3), "mean_successes": mean(found)}


def righteous_fury() -> Answers:
    hit = Fraction(40, 100)

    @cache
    def reaches(needed: int) -> Fraction:
        plain = Fraction(sum(face >= needed for face in range(1, 10)), 10)
        return plain + Fraction(1, 10) * (1 if needed <= 10 else hit * reaches(needed - 10))

    average = Fraction(11, 2) / (1 - Fraction(1, 10) * hit)
    burst = law(lambda t: _hits_of_a_burst(t.roll(100)))
    return {
        "mean_wounds": hit * (average - sum(reaches(needed) for needed in (1, 2, 3))),
        "p_ge10": hit * reaches(13),
        "p_none": 1 - hit * reaches(4),
        "mean_hits": mean(burst),
        "p_three_hits": burst[3],
    }


def _hits_of_a_burst(aim: int) -> int:
    return min(3, 1 + (65 - aim) // 20) if aim <= 65 else 0


def staging() -> Answers:
    def at_least(target: int) -> Fraction:
        return Fraction(1, 6) ** (target // 6) * (Fraction(7 - target % 6, 6) if target % 6 else 1)

    nets: Law = {}
    for hits, weight in hits_of(5, at_least(4)).items():
        for resisted, share in hits_of(4, at_least(8)).items():
            level = max(0, min(4, 2 + int(Fraction(hits - resisted, 2)))) if hits else 0
            nets[level] = nets.get(level, Fraction(0)) + weight * share
    return {
        "mean_boxes": mean(nets, (0, 1, 3, 6, 10).__getitem__),
        "p_deadly": nets[4],
        "p_none": nets[0],
        "p_one_success_at_9": 1 - (1 - at_least(9)) ** 5,
    }


def push_the_limit() -> Answers:
    edge = successes(6, [5, 6], [6], 12)
    three = added(added(edge, edge), edge)
    answers = {"p_success": Fraction(0), "p_pushed": Fraction(0), "p_success_never": Fraction(0)}
    for shown, weight in hits_of(6, Fraction(1, 3)).items():
        if min(shown, 5) >= 4:
            answers["p_success"] += weight
            answers["p_success_never"] += weight
            continue
        pushed = chance(three, lambda more, shown=shown: shown + more >= 4)  # type: ignore[misc]
        again = chance(hits_of(6 - shown, Fraction(1, 3)), lambda more, shown=shown: shown + more >= 4)  # type: ignore[misc]
        answers["p_success"] += weight * max(pushed, again)
        answers["p_pushed"] += weight * (pushed >= again)
    return answers


def tens_and_ones() -> Answers:
    found = law(lambda t: max(10 * times + face for face, times in Counter(t.pool(6, tuple(range(10)))).items()))
    return {"p_success": chance(found, lambda n: n >= 30), "p_eq_29": found[29], "mean_result": mean(found)}


def group_action() -> Answers:
    def play(t: Table) -> tuple[bool, int, int]:
        sixes, best, stress = False, 0, 0
        for dots in (2, 1, 0):
            pool = t.pool(dots or 2, 6)
            result = max(pool) if dots else min(pool)
            sixes, best, stress = sixes or (dots > 0 and pool.count(6) > 1), max(best, result), stress + (result <= 3)
        return sixes, best, stress

    found = law(play)
    return {
        "p_critical": chance(found, lambda r: r[0]),
        "p_full": chance(found, lambda r: not r[0] and r[1] == 6),
        "p_bad": chance(found, lambda r: r[1] <= 3),
        "mean_stress": mean(found, lambda r: r[2]),
        "p_full_no_stress": chance(found, lambda r: r == (False, 6, 0)),
    }


def toughness() -> Answers:
    def blow(t: Table, at: tuple[int, bool, bool]) -> tuple[int, bool, bool]:
        bruises, staggered, _ = at
        degrees = max(0, -((t.roll(20) + 8 - bruises - 25) // 5))
        if degrees >= 4 or (degrees == 3 and staggered):
            return 0, True, True
        return bruises + (degrees >= 1), staggered or degrees == 3, False

    def counted(t: Table, at: tuple[tuple[int, bool, bool], int]) -> tuple[tuple[int, bool, bool], int]:
        return blow(t, at[0]), at[1] + 1

    ends, _ = played(((0, False, False), 0), lambda at: at[0][2] or at[1] == 3, counted)
    return {
        "mean_blows": played((0, False, False), lambda at: at[2], blow)[1],
        "p_down_at_once": chance(ends, lambda at: at[0][2] and at[1] == 1),
        "p_within_3": chance(ends, lambda at: at[0][2]),
    }


def situation_die() -> Answers:
    found = law(lambda t: (t.roll(20), t.roll(4)))
    return {
        "p_good": chance(found, lambda r: r[0] < 20 and 3 < sum(r) <= 7),
        "p_amazing": chance(found, lambda r: r[0] < 20 and sum(r) <= 3),
    }


def lowest_under() -> Answers:
    def play(t: Table) -> tuple[int, int]:
        pool = t.pool(3, 20)
        under = sum(face <= 9 for face in pool)
        return under, 9 - min(pool) + max(0, under - 1)

    found = law(play)
    success = chance(found, lambda r: r[0] > 0)
    return {
        "p_success": success,
        "mean_margin": mean(found, lambda r: r[1] if r[0] else 0) / success,
        "p_margin_ge_6": chance(found, lambda r: r[0] > 0 and r[1] >= 6),
    }


def quality_ratings() -> Answers:
    def quality(number: int) -> int:
        return sum(number <= bound for bound in (60, 30, 12, 6))

    numbers = range(1, 101)
    damage = (0, 2, 4, 6, 9)
    return {
        "p_excellent": Fraction(sum(quality(n) == 4 for n in numbers), 100),
        "p_fails": Fraction(sum(quality(n) == 0 for n in numbers), 100),
        "mean_damage": Fraction(sum(damage[quality(n)] for n in numbers), 100),
        "mean_damage_heroic": Fraction(sum(damage[min(4, quality(n) + 1)] for n in range(1, 100)), 100),
    }


STORIES: tuple[Callable[[], Answers], ...] = (
    double_cross, power_table, gamebook_battle, storyteller, action_table, hard_and_wiggle, focus_dice, righteous_fury,
    staging, push_the_limit, tens_and_ones, group_action, toughness, situation_die, lowest_under, quality_ratings,
)  # fmt: skip
