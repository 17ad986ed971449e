"""Throws and draws at the family's table: boards, dice that are pushed, decks and bags."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from math import comb

from tests.language.answers.chains import played, turns
from tests.language.answers.play import Answers, Law, Table, chance, law, mean


def drop_dead() -> Answers:
    def turn(t: Table, at: tuple[int, int]) -> tuple[int, int]:
        left, score = at
        pool = t.pool(left, 6)
        lost = sum(face in (2, 5) for face in pool)
        return left - lost, score if lost else min(20, score + sum(pool))

    @cache
    def points(left: int) -> Fraction:
        if left == 0:
            return Fraction(0)
        rest, stays, gained = Fraction(0), Fraction(0), Fraction(0)
        for pool, weight in law(lambda t: t.pool(left, 6)).items():
            lost, total = sum(face in (2, 5) for face in pool), sum(pool)
            if lost:
                rest += weight * points(left - lost)
            else:
                stays += weight
                gained += weight * total
        return (rest + gained) / (1 - stays)

    ends, _ = played((5, 0), lambda at: at[0] == 0, turn)
    return {
        "mean_score": points(5),
        "p_nothing": chance(ends, lambda at: at[1] == 0),
        "p_score_ge20": chance(ends, lambda at: at[1] >= 20),
    }


def left_right_center() -> Answers:
    def over(at: tuple[tuple[int, ...], int]) -> bool:
        return sum(chips > 0 for chips in at[0]) == 1

    def turn(t: Table, at: tuple[tuple[int, ...], int]) -> tuple[tuple[int, ...], int]:
        chips, player = list(at[0]), at[1]
        for face in t.pool(min(3, chips[player]), ("left", "right", "centre", "keep", "keep", "keep")):
            if face != "keep":
                chips[player] -= 1
            if face == "left":
                chips[(player + 1) % 3] += 1
            if face == "right":
                chips[(player - 1) % 3] += 1
        return tuple(chips), (player + 1) % 3

    ends, lasts = played(((2, 2, 2), 0), over, turn)
    return {
        "p_first_wins": chance(ends, lambda at: at[0][0] > 0),
        "p_second_wins": chance(ends, lambda at: at[0][1] > 0),
        "mean_turns": lasts,
    }


SLIDES = {
    1: 38, 4: 14, 9: 31, 16: 6, 21: 42, 28: 84, 36: 44, 47: 26, 49: 11, 51: 67,
    56: 53, 62: 19, 64: 60, 71: 91, 80: 100, 87: 24, 93: 73, 95: 75, 98: 78,
}  # fmt: skip


def snakes_and_ladders() -> Answers:
    def turn(t: Table, square: int) -> int:
        to = square + t.roll(6)
        return SLIDES.get(to, to) if to <= 100 else square

    def over(square: int) -> bool:
        return square == 100

    return {
        "mean_throws": played(0, over, turn)[1],
        "p_seven_throws": turns(0, over, turn, 7)[100] - turns(0, over, turn, 6).get(100, Fraction(0)),
    }


def ship_captain_crew() -> Answers:
    def turn(t: Table, at: tuple[int, int]) -> tuple[int, int]:
        crew, cargo = at
        if crew == 3 and cargo >= 7:
            return at
        pool = list(t.pool(5 - crew, 6))
        for wanted in (6, 5, 4)[crew:]:
            if wanted not in pool:
                break
            pool.remove(wanted)
            crew += 1
        return crew, sum(pool) if crew == 3 else 0

    ends = turns((0, 0), lambda at: False, turn, 3)
    return {
        "mean_points": mean(ends, lambda at: at[1] if at[0] == 3 else 0),
        "p_sails_off": chance(ends, lambda at: at[0] == 3),
    }


def bunco() -> Answers:
    def points(pool: tuple[int, ...]) -> int:
        return 21 if pool == (1, 1, 1) else 5 if len(set(pool)) == 1 else pool.count(1)

    def turn(t: Table, at: tuple[int, bool]) -> tuple[int, bool]:
        gain = points(t.pool(3, 6))
        return min(5, at[0] + gain), gain == 0

    one = law(lambda t: points(t.pool(3, 6)))
    ends, _ = played((0, False), lambda at: at[1], turn)
    return {
        "mean_points": mean(one) / one[0],
        "p_nothing": chance(ends, lambda at: at[0] == 0),
        "p_ge5": chance(ends, lambda at: at[0] >= 5),
    }


def backgammon_blot() -> Answers:
    def hit(distance: int) -> Fraction:
        def play(t: Table) -> bool:
            a, b = t.roll(6), t.roll(6)
            return distance in ({a, 2 * a, 3 * a, 4 * a} if a == b else {a, b, a + b})

        return law(play)[True]

    def pips(t: Table) -> int:
        a, b = t.roll(6), t.roll(6)
        return int(4 * a if a == b else a + b)

    return {"p_hit_6": hit(6), "p_hit_8": hit(8), "p_hit_12": hit(12), "mean_pips": mean(law(pips))}


def monopoly_jail() -> Answers:
    throw = law(lambda t: (sum(pair := t.pool(2, 6)), pair[0] == pair[1]))

    def move(t: Table) -> int | None:
        steps: int = 0
        for _ in range(3):
            more, double = t.of(throw)
            steps += int(more)
            if not double:
                return steps
        return None

    def leave(t: Table) -> tuple[bool, int]:
        for throw in (1, 2, 3):
            if t.roll(6) == t.roll(6):
                return True, throw
        return False, 3

    moved, left = law(move), law(leave)
    return {
        "p_jailed": moved[None],
        "p_moved_ge12": chance(moved, lambda steps: steps is not None and steps >= 12),
        "p_double_in_three": chance(left, lambda r: r[0]),
        "mean_throws": mean(left, lambda r: r[1]),
    }


def bang_dice() -> Answers:
    def turn(t: Table, at: tuple[int, int]) -> tuple[int, int]:
        shown = t.pool(5 - sum(at), ("arrow", "dynamite", "one", "two", "beer", "gatling"))
        return at[0] + shown.count("dynamite"), at[1] + shown.count("gatling")

    ends = turns((0, 0), lambda at: max(at) >= 3, turn, 3)
    return {
        "p_blown_up": chance(ends, lambda at: at[0] >= 3),
        "p_fired": chance(ends, lambda at: at[0] < 3 and at[1] >= 3),
        "mean_dynamite": mean(ends, lambda at: at[0]),
    }


def memoir_44() -> Answers:
    faces = ("foot", "foot", "tank", "grenade", "flag", "star")

    def attack(dice: int, target: str, figures: int, room: int) -> Law:
        def play(t: Table) -> tuple[int, int]:
            shown = t.pool(dice, faces)
            flags = shown.count("flag")
            struck = shown.count(target) + shown.count("grenade") + max(0, flags - room)
            return min(figures, struck), min(flags, room)

        return law(play)

    foot, tanks = attack(3, "foot", 4, 9), attack(3, "tank", 2, 1)
    return {
        "mean_losses_3_foot": mean(foot, lambda r: r[0]),
        "p_driven_and_struck_3_foot": chance(foot, lambda r: r[0] > 0 and r[1] > 0),
        "p_wiped_out_tanks": chance(tanks, lambda r: r[0] == 2),
    }


def betrayal_haunt() -> Answers:
    dice = law(lambda t: sum(t.pool(6, (0, 0, 1, 1, 2, 2))))
    safe, found, after = Fraction(1), Fraction(0), {}
    for omens in range(1, 14):
        begins = safe * sum((share for n, share in dice.items() if n < omens), Fraction(0))
        found += omens * begins
        safe -= begins
        after[omens] = safe
    assert safe == 0
    return {"mean_omens": found, "p_by_4": 1 - after[4], "p_none_by_7": after[7]}


def mexico() -> Answers:
    def value(t: Table) -> int:
        low, high = t.pool(2, 6)
        return 1000 if (low, high) == (1, 2) else 100 * high if low == high else 10 * high + low

    firsts = turns((0, 0), lambda at: at[0] >= 62, lambda t, at: (value(t), at[1] + 1), 3)

    def answered(first: int, throws: int) -> Law:
        return turns(0, lambda second: second > first, lambda t, _: value(t), throws)

    wins = ties = Fraction(0)
    for (first, throws), weight in firsts.items():
        answers = answered(first, throws)
        wins += weight * sum((share for second, share in answers.items() if second < first), Fraction(0))
        ties += weight * answers.get(first, Fraction(0))
    return {"p_first_wins": wins, "p_tie": ties, "p_first_mexico": chance(firsts, lambda at: at[0] == 1000)}


def quacks() -> Answers:
    """Chips 1 to 3 are white; 11 and 21 move one space."""

    def spaces(chips: tuple[int, ...]) -> int:
        return sum(chip if chip <= 3 else 1 for chip in chips)

    @cache
    def best(pot: tuple[int, ...], bag: tuple[int, ...]) -> tuple[Fraction, Fraction]:
        """The points and the chance to explode."""
        if sum(chip for chip in pot if chip <= 3) > 7:
            return Fraction(0), Fraction(1)
        stop = Fraction(spaces(pot)), Fraction(0)
        if not bag:
            return stop
        go = [Fraction(0), Fraction(0)]
        for chip, number in Counter(bag).items():
            left = list(bag)
            left.remove(chip)
            points, burst = best(tuple(sorted((*pot, chip))), tuple(left))
            go[0] += Fraction(number, len(bag)) * points
            go[1] += Fraction(number, len(bag)) * burst
        return (go[0], go[1]) if go[0] >= stop[0] else stop

    points, burst = best((), (1, 1, 1, 1, 2, 2, 3, 11, 21))
    return {"mean_points": points, "p_exploded": burst}


def incan_gold() -> Answers:
    """Of five hazards, three cards each, some show up once; the rest are treasures."""

    def alive(hazards: int) -> Fraction:
        return Fraction(comb(5, hazards) * 3**hazards * comb(15, 6 - hazards), comb(30, 6))

    return {
        "p_alive_6": sum((alive(hazards) for hazards in range(6)), Fraction(0)),
        "p_alive_6_three_treasures": sum((alive(hazards) for hazards in range(4)), Fraction(0)),
    }


BOARDS = (
    drop_dead, left_right_center, snakes_and_ladders, ship_captain_crew, bunco, backgammon_blot, monopoly_jail,
    bang_dice, memoir_44, betrayal_haunt, mexico, quacks, incan_gold,
)  # fmt: skip
