"""One side against another."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

from tests.language.answers.play import Answers, Law, Table, chance, law, mean


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


def best_of_five() -> Answers:
    def roll(t: Table) -> int:
        first, second = t.pool(3, 6)[-1], t.pool(2, 6)[-1]
        return int(first > second) - int(first < second)

    one = law(roll)
    won = one[1] / (1 - one[0])
    lost = 1 - won
    rounds = {3: won**3 + lost**3, 4: 3 * (won**3 * lost + lost**3 * won), 5: 6 * won**2 * lost**2}
    return {
        "p_match_won": won**3 * (1 + 3 * lost + 6 * lost**2),
        "p_whitewash": won**3,
        "mean_rounds": mean(rounds) / (1 - one[0]),
    }


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
