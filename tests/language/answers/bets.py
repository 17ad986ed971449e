"""Played for money or for points alone: what a bet brings, how long the money lasts, what to throw again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations

from tests.language.answers.chains import played
from tests.language.answers.parlour import TWO_DICE, some_of
from tests.language.answers.play import Answers, Law, Table, chance, law, mean, multisets


def sic_bo() -> Answers:
    shown = law(lambda t: t.pool(3, 6))
    triple = [dice for dice in shown if len({*dice}) == 1]
    return {
        "p_big": chance(shown, lambda dice: sum(dice) >= 11 and dice not in triple),
        "mean_single": mean(shown, lambda dice: dice.count(6) or -1),
        "mean_double": mean(shown, lambda dice: 10 if dice.count(6) >= 2 else -1),
        "mean_any_triple": mean(shown, lambda dice: 30 if dice in triple else -1),
        "p_ten_given_big": chance(shown, lambda dice: sum(dice) == 12 and dice not in triple)
        / chance(shown, lambda dice: sum(dice) >= 11 and dice not in triple),
    }


POINTS = (4, 5, 6, 8, 9, 10)


def fire_bet() -> Answers:
    """By how many points were made: the shooter goes on until a seven comes before the point."""

    def turn(t: Table, at: tuple[frozenset[int], int, bool]) -> tuple[frozenset[int], int, bool]:
        made, point, _ = at
        total = t.of(TWO_DICE)
        if not point:
            return made, total if total in POINTS else 0, False
        if total == 7:
            return made, point, True
        return (made | {point}, 0, False) if total == point else at

    ends, rolls = played((frozenset(), 0, False), lambda at: at[2], turn)
    pays = {4: 24, 5: 249, 6: 999}
    return {
        "p_four": chance(ends, lambda at: len(at[0]) == 4),
        "p_five": chance(ends, lambda at: len(at[0]) == 5),
        "p_six": chance(ends, lambda at: len(at[0]) == 6),
        "mean_gain": mean(ends, lambda at: pays.get(len(at[0]), -1)),
        "mean_rolls": rolls,
    }


def martingale() -> Answers:
    def turn(t: Table, at: tuple[int, int]) -> tuple[int, int]:
        money, bet = at
        won = t.of({True: Fraction(18, 37), False: Fraction(19, 37)})
        return (money + bet, 1) if won else (money - bet, 2 * bet)

    ends, rounds = played((31, 1), lambda at: at[0] >= 36 or at[1] > at[0], turn)
    return {
        "p_ahead": chance(ends, lambda at: at[0] >= 36),
        "mean_money": mean(ends, lambda at: at[0]),
        "mean_rounds": rounds,
    }


def red_dog() -> Answers:
    def win(ranks: tuple[int, int], raised: bool) -> Fraction:
        """The mean gain once two cards lie there."""
        low, high = sorted(ranks)
        spread = high - low - 1
        if low == high:
            return 11 * Fraction(2, 50)
        if spread == 0:
            return Fraction(0)
        hit = Fraction(4 * spread, 50)
        pays = {1: 5, 2: 4, 3: 2}.get(spread, 1)
        return (2 if raised else 1) * (hit * pays - (1 - hit))

    cards = [rank for rank in range(2, 15) for _ in range(4)]
    pairs = Counter((a, b) if a < b else (b, a) for a, b in combinations(cards, 2))
    total = pairs.total()

    def over(value: Callable[[tuple[int, int]], Fraction]) -> Fraction:
        return sum((Fraction(ways, total) * value(ranks) for ranks, ways in pairs.items()), Fraction(0))

    return {
        "mean_best": over(lambda ranks: max(win(ranks, False), win(ranks, True))),
        "mean_never": over(lambda ranks: win(ranks, False)),
        "p_raise": over(lambda ranks: Fraction(win(ranks, True) > win(ranks, False))),
    }


Card = tuple[int, str]
DECK: list[Card] = [(rank, suit) for suit in ("spade", "heart", "club", "diamond") for rank in range(2, 15)]


def worth(hand: tuple[Card, ...]) -> int:
    """What jacks or better pays."""
    ranks = Counter(rank for rank, _ in hand)
    sets = sorted(ranks.values(), reverse=True)
    flush = len({suit for _, suit in hand}) == 1
    low, high = min(ranks), max(ranks)
    straight = len(ranks) == 5 and (high - low == 4 or {*ranks} == {14, 2, 3, 4, 5})
    if straight and flush:
        return 800 if low == 10 else 50
    if sets[0] == 4:
        return 25
    if sets[:2] == [3, 2]:
        return 9
    if flush:
        return 6
    if straight:
        return 4
    if sets[0] == 3:
        return 3
    if sets[:2] == [2, 2]:
        return 2
    return 1 if sets[0] == 2 and any(rank >= 11 and number == 2 for rank, number in ranks.items()) else 0


def video_poker() -> Answers:
    def best(hand: list[Card]) -> tuple[Fraction, tuple[Card, ...]]:
        """The highest mean of all ways to throw two cards away at most, and what is kept."""
        rest = [card for card in DECK if card not in hand]
        found = []
        for kept in (each for number in range(3, 6) for each in combinations(hand, number)):
            pays = [worth(kept + more) for more in combinations(rest, 5 - len(kept))]
            found.append((Fraction(sum(pays), len(pays)), kept))
        return max(found)

    mixed, kept = best([(14, "heart"), (11, "heart"), (12, "heart"), (13, "heart"), (13, "club")])
    pair, _ = best([(13, "club"), (12, "heart"), (11, "heart"), (10, "heart"), (11, "club")])
    assert (13, "club") not in kept
    return {"mean_royal_draw": mixed, "mean_jacks": pair}


def hearts_dice() -> Answers:
    word = "HEARTS"

    def turn(t: Table, score: int) -> int:
        thrown = t.pool(6, tuple(word))
        if thrown.count("H") >= 3:
            return 0
        prefix = next((at for at, letter in enumerate(word) if letter not in thrown), 6)
        return min(100, score + 5 * prefix + (5 if prefix == 6 else 0))

    once = law(lambda t: t.pool(6, tuple(word)))
    one = law(lambda t: turn(t, 0))
    ends, throws = played(0, lambda score: score >= 100, turn)
    assert ends == {100: 1}
    return {
        "p_lost": chance(once, lambda thrown: thrown.count("H") >= 3),
        "p_nothing": one[0],
        "mean_score": mean(one),
        "mean_throws": throws,
    }


def crag() -> Answers:
    def value(dice: tuple[int, ...]) -> int:
        total, sets = sum(dice), max(Counter(dice).values())
        straights = ((1, 2, 3), (4, 5, 6), (1, 3, 5), (2, 4, 6))
        rows = [
            50 if total == 13 and sets == 2 else 0,
            26 if total == 13 else 0,
            25 if sets == 3 else 0,
            20 if dice in straights else 0,
            *(face * dice.count(face) for face in range(1, 7)),
        ]
        return max(rows)

    def best(value: Callable[[tuple[int, ...]], int]) -> Fraction:
        def again(kept: tuple[int, ...]) -> Fraction:
            return sum(
                (weight * value(tuple(sorted(kept + more))) for more, weight in multisets(3 - len(kept), 6)),
                Fraction(0),
            )

        return sum((weight * max(map(again, some_of(first))) for first, weight in multisets(3, 6)), Fraction(0))

    def is_crag(dice: tuple[int, ...]) -> int:
        return int(sum(dice) == 13 and len({*dice}) == 2)

    once = law(lambda t: t.pool(3, 6))
    return {
        "p_crag": best(is_crag),
        "mean_score": best(value),
        "p_crag_once": chance(once, lambda dice: is_crag(dice) == 1),
    }


def boston() -> Law:
    """Three throws, each of which leaves the highest die."""

    def play(t: Table) -> int:
        return sum(int(max(t.pool(dice, 6))) for dice in (3, 2, 1))

    return law(play)


def going_to_boston() -> Answers:
    total = boston()
    return {
        "mean_total": mean(total),
        "p_ge17": chance(total, lambda n: n >= 17),
        "p_first_ahead": chance(law(lambda t: t.of(total) - t.of(total)), lambda n: n > 0),
    }


def straight_in_three() -> Answers:
    """Two more throws of what is not kept."""

    def best(goal: Callable[[tuple[int, ...]], bool]) -> Fraction:
        now = {dice: Fraction(goal(dice)) for dice, _ in multisets(5, 6)}
        for _ in range(2):
            after: dict[tuple[int, ...], Fraction] = {}
            for kept in {each for dice in now for each in some_of(dice)}:
                after[kept] = sum(
                    (weight * now[tuple(sorted(kept + more))] for more, weight in multisets(5 - len(kept), 6)),
                    Fraction(0),
                )
            now = {dice: max(after[kept] for kept in some_of(dice)) for dice in now}
        return sum((weight * now[dice] for dice, weight in multisets(5, 6)), Fraction(0))

    def run(dice: tuple[int, ...], length: int) -> bool:
        return any({*range(low, low + length)} <= {*dice} for low in range(1, 8 - length))

    return {"p_large": best(lambda dice: run(dice, 5)), "p_small": best(lambda dice: run(dice, 4))}


BETS: tuple[Callable[[], Answers], ...] = (
    sic_bo, fire_bet, martingale, red_dog, video_poker, hearts_dice, crag, going_to_boston, straight_in_three,
)  # fmt: skip
