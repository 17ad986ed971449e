"""Games for the family's table that go on: races, cards that are turned up, dice that are put aside well."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement, pairwise, product
from math import comb, prod

from tests.language.answers.chains import played
from tests.language.answers.decks import drawn
from tests.language.answers.play import Answers, Law, Table, chance, law, mean, multisets

TWO_DICE: Law = {total: Fraction(6 - abs(7 - total), 36) for total in range(2, 13)}


def some_of(dice: Sequence[int]) -> set[tuple[int, ...]]:
    """Every way to take some of the dice, none to all."""
    return {taken for number in range(len(dice) + 1) for taken in combinations(dice, number)}


def full_house_best() -> Answers:
    def best_of_three(worth: Callable[[tuple[int, ...]], int]) -> Fraction:
        @cache
        def thrown(kept: tuple[int, ...], throws: int) -> Fraction:
            ways = multisets(5 - len(kept), 6)
            return sum((weight * best(tuple(sorted(kept + more)), throws) for more, weight in ways), Fraction(0))

        @cache
        def best(hand: tuple[int, ...], throws: int) -> Fraction:
            if throws == 0:
                return Fraction(worth(hand))
            return max(thrown(kept, throws - 1) for kept in some_of(hand))

        return thrown((), 2)

    return {
        "p_full_house": best_of_three(lambda hand: sorted(Counter(hand).values()) == [2, 3]),
        "p_large_straight": best_of_three(lambda hand: len(set(hand)) == 5 and max(hand) - min(hand) == 4),
    }


def threes() -> Answers:
    def counted(dice: Sequence[int]) -> int:
        return sum(0 if face == 3 else face for face in dice)

    @cache
    def best(dice: int) -> tuple[Fraction, Law]:
        if dice == 0:
            return Fraction(0), {0: Fraction(1)}
        average, ends = Fraction(0), dict[int, Fraction]()
        for thrown, weight in multisets(dice, 6):
            kept = min(filter(None, some_of(thrown)), key=lambda kept: best(dice - len(kept))[0] + counted(kept))
            rest, after = best(dice - len(kept))
            average += weight * (rest + counted(kept))
            for points, share in after.items():
                ends[points + counted(kept)] = ends.get(points + counted(kept), Fraction(0)) + weight * share
        return average, ends

    average, ends = best(4)
    return {"mean_points": average, "p_none": ends[0], "p_le_3": chance(ends, lambda points: points <= 3)}


def blackjack_player() -> Answers:
    card = [(number, Fraction(4 if number == 10 else 1, 13)) for number in range(1, 11)]

    def total(hard: int, ace: bool) -> int:
        return hard + 10 if ace and hard <= 11 else hard

    @cache
    def dealer(hard: int, ace: bool) -> Law:
        if total(hard, ace) >= 17:
            return {total(hard, ace): Fraction(1)}
        ends: Law = {}
        for number, weight in card:
            for end, share in dealer(hard + number, ace or number == 1).items():
                ends[end] = ends.get(end, Fraction(0)) + weight * share
        return ends

    def stand(mine: int, shown: int) -> Fraction:
        return mean(dealer(shown, shown == 1), lambda end: 1 if end > 21 or mine > end else -1 if mine < end else 0)

    def best(hard: int, ace: bool, shown: int) -> Fraction:
        if hard > 21:
            return Fraction(-1)
        drawing = sum((weight * best(hard + n, ace or n == 1, shown) for n, weight in card), Fraction(0))
        return max(stand(total(hard, ace), shown), drawing)

    return {
        "mean_16_10": best(16, False, 10),
        "mean_16_10_stand": stand(16, 10),
        "mean_soft_18_9": best(8, True, 9),
        "mean_12_4": best(12, False, 4),
    }


def tunnel() -> Answers:
    extra = {number: Fraction(comb(26, number) * comb(84, 3 - number), comb(110, 3)) for number in range(4)}
    return {"p_built": extra[0] + extra[1], "mean_extra": mean(extra), "p_none": extra[0]}


def barbarians() -> Answers:
    steps = Fraction(1, 2) * Fraction(5, 6) / (1 - Fraction(1, 2) * Fraction(5, 6))
    comes = TWO_DICE[5] + TWO_DICE[6] + TWO_DICE[9]
    return {
        "mean_turns": Fraction(14),
        "p_turns_le_10": Fraction(sum(comb(10, number) for number in range(7, 11)), 2**10),
        "mean_sevens": Fraction(14, 6),
        "p_no_seven": steps**7,
        "mean_wait": 1 / comes,
        "p_wait_over_4": (1 - comes) ** 4,
    }


def epidemics() -> Answers:
    return {"p_early": Fraction(6, 11), "p_double": Fraction(1, 11) * Fraction(1, 11)}


def pigs() -> Answers:
    lands = {"dot": 349, "plain": 302, "back": 224, "trotter": 88, "snouter": 30, "jowler": 7}
    alone = {"dot": 0, "plain": 0, "back": 5, "trotter": 5, "snouter": 10, "jowler": 15}

    def play(t: Table) -> int:
        first, second = (t.pick([(pig, Fraction(times, 1000)) for pig, times in lands.items()]) for _ in range(2))
        if first == second:
            return 4 * alone[first] or 1
        return alone[first] + alone[second]

    throw = law(play)

    def turn(t: Table, at: tuple[int, bool]) -> tuple[int, bool]:
        points = t.of(throw)
        return (at[0] + points, False) if points else (0, True)

    ends, _ = played((0, False), lambda at: at[1] or at[0] >= 20, turn)
    return {
        "p_pig_out": throw[0],
        "mean_points": mean(throw),
        "p_double_back": throw[20],
        "p_banked_20": chance(ends, lambda at: not at[1]),
        "mean_won": mean(ends, lambda at: at[0]),
    }


def royal_ur() -> Answers:
    coins: Law = {number: Fraction(comb(4, number), 16) for number in range(5)}

    def turn(t: Table, at: tuple[int, bool, int]) -> tuple[int, bool, int]:
        square, free, turns = at
        steps = t.of(coins)
        again = steps > 0 and square + steps in (4, 8, 14)
        return square + steps if square + steps <= 15 else square, again, min(7, turns + (not free))

    def squares(t: Table, at: tuple[int, bool]) -> tuple[int, bool]:
        square, again, _ = turn(t, (*at, 0))
        return (square, again)

    @cache
    def turns_from(square: int, free: bool) -> Fraction:
        if square == 15:
            return Fraction(0)
        moves = law(lambda t: squares(t, (square, free)))
        stays = moves.pop((square, False), Fraction(0))
        rest = mean(moves, lambda to: turns_from(*to))
        return rest + stays * turns_from(square, False) if free else (1 + rest) / (1 - stays)

    ends, _ = played((0, False, 0), lambda at: at[0] == 15 or at[2] == 7, turn)
    return {"mean_turns": turns_from(0, False), "p_le_6": chance(ends, lambda at: at[0] == 15 and at[2] <= 6)}


def three_sixes() -> Answers:
    steps = {6 * sixes + last: Fraction(1, 6) ** (sixes + 1) for sixes in range(3) for last in range(1, 6)}
    steps[0] = Fraction(1, 216)
    return {
        "mean_steps": mean(steps),
        "p_nothing": steps[0],
        "p_ge_10": chance(steps, lambda number: number >= 10),
        "p_out": 1 - Fraction(5, 6) ** 3,
        "mean_tries": 1 + Fraction(5, 6) + Fraction(25, 36),
    }


def qwixx() -> Answers:
    def throw(wanted: int) -> Law:
        def play(t: Table) -> tuple[bool, bool]:
            white, coloured = t.pool(2, 6), t.pool(4, 6)
            return sum(white) == wanted, any(a + b == wanted for a in white for b in coloured)

        return law(play)

    return {
        "p_marked_3": chance(throw(3), any),
        "p_white_3": chance(throw(3), lambda marked: marked[0]),
        "p_marked_7": chance(throw(7), any),
    }


def cribbage() -> Answers:
    scores: Law = {}
    for hand in combinations_with_replacement(range(1, 14), 5):
        ranks = Counter(hand)
        weight = Fraction(prod(comb(4, times) for times in ranks.values()), comb(52, 5))
        values = [min(rank, 10) for rank in hand]
        fifteens = sum(sum(cards) == 15 for number in range(2, 6) for cards in combinations(values, number))
        pairs = sum(a == b for a, b in combinations(hand, 2))
        runs = 0
        for length in (3, 4, 5):
            rows = sum(all(b - a == 1 for a, b in pairwise(row)) for row in combinations(hand, length))
            runs = length * rows if rows else runs
        score = 2 * fifteens + 2 * pairs + runs
        scores[score] = scores.get(score, Fraction(0)) + weight
    return {"mean_score": mean(scores), "p_none": scores[0], "p_28": scores[28]}


def camel_race() -> Answers:
    def play(t: Table) -> str:
        board, left = {0: ["c"], 1: ["a", "b"]}, ["a", "b", "c"]
        while left:
            camel = t.roll(left)
            left.remove(camel)
            square = next(square for square, stack in board.items() if camel in stack)
            place = board[square].index(camel)
            board[square], carried = board[square][:place], board[square][place:]
            to = square + t.roll(3)
            board[to] = board.get(to, []) + carried
        return board[max(square for square, stack in board.items() if stack)][-1]

    leads = law(play)
    return {"p_a_leads": leads["a"], "p_b_leads": leads["b"]}


def mastermind() -> Answers:
    guess = (1, 1, 2, 3)
    pegs: Counter[tuple[int, int]] = Counter()
    for code in product(range(1, 7), repeat=4):
        black = sum(a == b for a, b in zip(code, guess, strict=True))
        pegs[black, (Counter(code) & Counter(guess)).total()] += 1
    shares: Law = {found: Fraction(times, 6**4) for found, times in pegs.items()}
    return {
        "mean_black": mean(shares, lambda found: found[0]),
        "mean_white": mean(shares, lambda found: found[1] - found[0]),
        "p_two_black": chance(shares, lambda found: found[0] == 2),
        "p_nothing": chance(shares, lambda found: found[1] == 0),
    }


def hazard() -> Answers:
    def round_of(main: int) -> tuple[Fraction, Fraction]:
        nicks = {main} | ({12} if main in (6, 8) else set()) | ({11} if main == 7 else set())
        nick = sum((TWO_DICE[total] for total in nicks), Fraction(0))
        points = set(range(4, 11)) - nicks
        return nick + sum(TWO_DICE[p] ** 2 / (TWO_DICE[p] + TWO_DICE[main]) for p in points), nick

    return {"p_wins_7": round_of(7)[0], "p_nick_7": round_of(7)[1]} | {
        f"p_wins_{main}": round_of(main)[0] for main in (5, 6)
    }


def random_targets() -> Answers:
    def volley(missiles: int) -> Law:
        def play(t: Table) -> tuple[int, int, int]:
            health = {"small": 1, "large": 2, "hero": 9}
            for _ in range(missiles):
                health[t.roll([name for name, left in health.items() if left])] -= 1
            return health["small"], health["large"], 9 - health["hero"]

        return law(play)

    three = volley(3)
    return {
        "p_cleared": chance(three, lambda at: at[:2] == (0, 0)),
        "mean_hero": mean(three, lambda at: at[2]),
        "p_second_dead": chance(three, lambda at: at[1] == 0),
        "p_cleared_5": chance(volley(5), lambda at: at[:2] == (0, 0)),
    }


def pickomino() -> Answers:
    @cache
    def turn(taken: frozenset[int], left: int, points: int) -> Fraction:
        if points >= 21 and 6 in taken:
            return Fraction(1)
        won = Fraction(0)
        for thrown, weight in multisets(left, 6):
            worth = {face: (min(face, 5) * thrown.count(face), face) for face in set(thrown) - taken}
            if worth:
                face = max(worth, key=worth.__getitem__)
                won += weight * turn(taken | {face}, left - thrown.count(face), points + worth[face][0])
        return won

    return {"p_tile": turn(frozenset(), 8, 0)}


def flip_seven() -> Answers:
    cards = {0: 1} | {number: number for number in range(1, 13)}

    @cache
    def turn(row: frozenset[int]) -> tuple[Fraction, Fraction]:
        if sum(row) >= 20 or len(row) == 7:
            return Fraction(0), Fraction(sum(row) + (15 if len(row) == 7 else 0))
        left = 79 - len(row)
        bust, score = Fraction(sum(cards[number] - 1 for number in row), left), Fraction(0)
        for number in set(cards) - row:
            after = turn(row | {number})
            bust += Fraction(cards[number], left) * after[0]
            score += Fraction(cards[number], left) * after[1]
        return bust, score

    bust, score = turn(frozenset())
    return {"p_bust": bust, "mean_score": score}


def bonus_ball() -> Answers:
    hits = {number: Fraction(comb(6, number) * comb(43, 6 - number), comb(49, 6)) for number in range(7)}
    five = hits[5] / 43
    return {"p_jackpot": hits[6], "p_five_bonus": five, "p_prize": hits[3] + hits[4] + hits[5] - five}


def acting_order() -> Answers:
    def first(edge: str) -> Fraction:
        def play(t: Table) -> bool:
            deck = Counter(dict.fromkeys(range(2, 15), 4) | {15: 2})
            ours = max(drawn(t, deck, 2 if edge == "level_headed" else 1))
            theirs = drawn(t, deck)[0]
            if edge == "quick" and ours <= 5:
                ours = max(ours, *drawn(t, deck))
            return ours > theirs

        return law(play)[True]

    return {
        "p_first": first("plain"),
        "p_first_level_headed": first("level_headed"),
        "p_first_quick": first("quick"),
    }


PARLOUR: tuple[Callable[[], Answers], ...] = (
    full_house_best, threes, blackjack_player, tunnel, barbarians, epidemics, pigs, royal_ur, three_sixes, qwixx,
    cribbage, camel_race, mastermind, hazard, random_targets, pickomino, flip_seven, bonus_ball, acting_order,
)  # fmt: skip
