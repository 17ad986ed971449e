"""Games that are won by deciding well: what to put aside, what to shut, when to stop, against somebody or alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb, prod

from tests.language.answers.parlour import TWO_DICE, some_of
from tests.language.answers.play import Answers, multisets

Ends = dict[int, Fraction]


def midnight() -> Answers:
    @cache
    def best(left: int, one: bool, four: bool, points: int) -> Ends:
        """The distribution of the score, with the highest mean."""
        if left == 0:
            return {points if one and four else 0: Fraction(1)}
        ends: Ends = {}
        for thrown, weight in multisets(left, 6):
            after = max(
                (taken(left, one, four, points, kept) for kept in some_of(thrown) if kept),
                key=lambda ends: sum((score * share for score, share in ends.items()), Fraction(0)),
            )
            for score, share in after.items():
                ends[score] = ends.get(score, Fraction(0)) + weight * share
        return ends

    def taken(left: int, one: bool, four: bool, points: int, kept: tuple[int, ...]) -> Ends:
        faces = Counter(kept)
        now = sum(kept) - (1 if faces[1] and not one else 0) - (4 if faces[4] and not four else 0)
        return best(left - len(kept), one or faces[1] > 0, four or faces[4] > 0, points + now)

    ends = best(6, False, False, 0)
    return {"mean_score": sum((score * share for score, share in ends.items()), Fraction(0))}


def shut_the_box() -> Answers:
    ways = {
        total: [each for number in range(1, 5) for each in combinations(range(1, 10), number) if sum(each) == total]
        for total in range(1, 13)
    }

    @cache
    def shut(tiles: frozenset[int]) -> Fraction:
        """The chance to shut all tiles with two dice."""
        if not tiles:
            return Fraction(1)
        return sum(
            (
                weight * max((shut(tiles - {*each}) for each in ways[total] if tiles >= {*each}), default=Fraction(0))
                for total, weight in TWO_DICE.items()
            ),
            Fraction(0),
        )

    @cache
    def left(tiles: frozenset[int]) -> Fraction:
        """The mean of the sum that is left with one die."""
        stuck = Fraction(sum(tiles))
        if not tiles:
            return stuck
        best = (
            min((left(tiles - {*each}) for each in ways[face] if tiles >= {*each}), default=stuck)
            for face in range(1, 7)
        )
        return sum(best, Fraction(0)) / 6

    return {"p_all_shut": shut(frozenset(range(1, 10))), "mean_left_one_die": left(frozenset(range(1, 7)))}


CUP = (6, 4, 3)
BRAINS, FOOTPRINTS, SHOTGUNS = (3, 2, 1), (2, 2, 2), (1, 2, 3)
Dice = tuple[int, int, int]


def zombie_best() -> Answers:
    """Green, yellow and red dice as (how many of each)."""

    def drawn(cup: Dice, number: int) -> list[tuple[Dice, Fraction]]:
        found: list[tuple[Dice, Fraction]] = []
        for green in range(number + 1):
            for yellow in range(number + 1 - green):
                dice = green, yellow, number - green - yellow
                ways = prod(comb(many, few) for many, few in zip(cup, dice, strict=True))
                if ways:
                    found.append((dice, Fraction(ways, comb(sum(cup), number))))
        return found

    @cache
    def rolled(dice: Dice) -> dict[tuple[int, int, Dice], Fraction]:
        """How many brains and shotguns come up, and which dice run."""
        for colour in range(3):
            if dice[colour]:
                fewer: Dice = tuple(many - (at == colour) for at, many in enumerate(dice))  # type: ignore[assignment]
                found: dict[tuple[int, int, Dice], Fraction] = {}
                for (brains, shotguns, running), weight in rolled(fewer).items():
                    runs: Dice = tuple(many + (at == colour) for at, many in enumerate(running))  # type: ignore[assignment]
                    for key, faces in (
                        ((brains + 1, shotguns, running), BRAINS[colour]),
                        ((brains, shotguns + 1, running), SHOTGUNS[colour]),
                        ((brains, shotguns, runs), FOOTPRINTS[colour]),
                    ):
                        found[key] = found.get(key, Fraction(0)) + weight * Fraction(faces, 6)
                return found
        return {(0, 0, (0, 0, 0)): Fraction(1)}

    @cache
    def best(throws: int, brains: int, shotguns: int, running: Dice, cup: Dice) -> tuple[Fraction, Fraction]:
        """The mean score, and the chance of three shotguns."""
        if shotguns >= 3:
            return Fraction(0), Fraction(1)
        if throws == 0:
            return Fraction(brains), Fraction(0)
        mean = dead = Fraction(0)
        for fresh, share in drawn(cup, 3 - sum(running)):
            left: Dice = tuple(many - few for many, few in zip(cup, fresh, strict=True))  # type: ignore[assignment]
            hand: Dice = tuple(a + b for a, b in zip(running, fresh, strict=True))  # type: ignore[assignment]
            for (more, shots, runs), weight in rolled(hand).items():
                average, killed = best(throws - 1, brains + more, shotguns + shots, runs, left)
                mean, dead = mean + share * weight * average, dead + share * weight * killed
        return (mean, dead) if not brains or mean > brains else (Fraction(brains), Fraction(0))

    average, killed = best(2, 0, 0, (0, 0, 0), CUP)
    return {"mean_score_2": average, "p_dead_2": killed}


def rounds_of_throws() -> Answers:
    """Three rounds of up to three throws each; a round's throw counts if it is kept, more than 10 in all is nothing."""

    @cache
    def round_of(left: int, points: int) -> Fraction:
        if left == 0:
            return Fraction(points if points <= 10 else 0)
        return throw(left, 3, points)

    @cache
    def throw(left: int, throws: int, points: int) -> Fraction:
        if throws == 0:
            return round_of(left - 1, points)
        best = (max(throw(left, throws - 1, points), round_of(left - 1, points + face)) for face in range(1, 7))
        return sum(best, Fraction(0)) / 6

    return {"mean_points": round_of(3, 0)}


DECIDED: tuple[Callable[[], Answers], ...] = (midnight, shut_the_box, zombie_best, rounds_of_throws)
