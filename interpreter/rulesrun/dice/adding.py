"""Like dice that explode on one face and add to themselves, lined up by what they show, highest first.

A die that shows v and is thrown again shows v more each time, then a rest below v. So all that have exploded g times
lie above all that have less often: level by level some of those still there stop, and take the next places in the line.
The law of any sum of multiples of the places (the highest three, the middle, the highest less the lowest) follows from
the levels above it, and each level from itself once more: a geometric series.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from math import comb, lcm

from rulesrun.dice.law import Law
from rulesrun.dice.series import TooLarge

MOST_STEPS = 3_000_000


@dataclass(frozen=True, slots=True)
class Onward:
    """How a law goes on for ever: from `start` on, what is `step` higher has `ratio` times the chance."""

    start: int
    step: int
    ratio: Fraction


@dataclass(frozen=True, slots=True)
class Adding:
    """One such die: with the chance `more` it shows `step` and is thrown again; `rests` are what else it can show,
    each below `step`, with their chances.
    """

    step: int
    more: Fraction
    rests: tuple[tuple[int, Fraction], ...]

    @property
    def law(self) -> Law:
        """The law of what one die shows at last."""
        return Law.geometric_sum(Law.of(dict(self.rests)), Law.point(self.step, self.more))


def lined_up(die: Adding, factors: Sequence[int]) -> Law:
    """The law of the sum over so many dice, highest first, of factor times what the die shows. Raises `TooLarge`."""
    count = len(factors)
    if count**3 * len(die.rests) * (1 + max(map(abs, factors), default=0)) * die.step > MOST_STEPS:
        raise TooLarge(f"{count} dice that explode, in the order of what they show")
    before = [0, *accumulate(factors)]
    levels: list[Law] = [Law.point(0)]
    stopping = [_stopping(die, factors[start:]) for start in range(count)]
    for there in range(1, count + 1):
        stop = Law.of({})
        for on in range(there):
            way = levels[on].affine(1, die.step * before[on]).scaled(comb(there, on) * die.more**on)
            stop = stop + way * stopping[on][there - on]
        levels.append(Law.geometric_sum(stop, Law.point(die.step * before[there], die.more**there)))
    return levels[count]


def _stopping(die: Adding, factors: Sequence[int]) -> list[Law]:
    """For each number of dice, the law of the sum of factors times rests where all of them stop, highest first."""
    bottom = lcm(*(chance.denominator for _, chance in die.rests))
    ways: list[dict[int, int]] = [{0: 1}, *({} for _ in factors)]
    before = [0, *accumulate(factors)]
    for value, chance in sorted(die.rests, reverse=True):
        weight = int(chance * bottom)
        for there in range(len(factors), 0, -1):
            found = ways[there]
            for placed in range(there):
                more = there - placed
                times, shift = comb(there, more) * weight**more, value * (before[there] - before[placed])
                for total, many in ways[placed].items():
                    found[total + shift] = found.get(total + shift, 0) + many * times
    return [Law.of({v: Fraction(w, bottom**many) for v, w in each.items()}) for many, each in enumerate(ways)]
