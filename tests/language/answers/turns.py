"""Throw after throw, and draws without putting back."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb, factorial, prod

from tests.language.answers.play import Answers, Law, Table, chance, law, mean

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
    return {"p_bust_20": 1 - sum(banked.values(), Fraction(0)), "mean_20": mean(banked), "p_score_25": banked[25]}


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
    again = 1 - sum(kept.values(), Fraction(0))
    return {
        "p_mulligan": again,
        "p_keepable": 1 - again + again * chance(second, lambda lands: 2 <= lands <= 5),
        "mean_lands": mean(kept) + again * mean(second),
        "p_keepable_without": 1 - again,
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
