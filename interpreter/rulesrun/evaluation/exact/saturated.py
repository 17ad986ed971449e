"""Throws without end as finite ones: equal dice beyond those that anything tells apart are left out."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cache
from math import factorial, lcm

from flint import fmpq, fmpq_poly

from rulesrun.evaluation.exact.alike import Die, classes_of
from rulesrun.evaluation.exact.chain import Work
from rulesrun.evaluation.exact.enough import NEVER
from rulesrun.evaluation.exact.facts import Facts
from rulesrun.evaluation.exact.sources import Again, Listed, Mixed, Thrown
from rulesrun.evaluation.exact.symbols import Linear
from rulesrun.evaluation.exact.tallies import Tallies


def saturated(source: Thrown | Mixed | Again, most: int, forms: Iterable[Linear], facts: Facts, work: Work) -> Listed:
    """A throw of which no more than `most` equal dice are told apart, way by way; `work` counts steps, and may raise.

    Raises `TooLarge`.
    """
    dice, counting = _counting(source, most, list(forms), facts)
    found = replace(counting, work=work).ways(source)
    bottom = lcm(*(int(weight.q) for weight in found.values()))
    ways = tuple(
        (tuple(die for die, count in zip(dice, counts, strict=True) for _ in range(count)), int(weight * bottom))
        for counts, weight in found.items()
        if weight
    )
    return Listed(source.name, source.looks, ways, bottom)


def _counting(
    source: Thrown | Mixed | Again, most: int, forms: list[Linear], facts: Facts
) -> tuple[tuple[Die, ...], Tallies]:
    """The faces of a source that stand for what is told apart, and the numbers of dice that show each."""
    classes, unlike = classes_of(source, forms, facts)
    dice = tuple(dict.fromkeys(die for die in classes.values() if die is not None))
    read = {die: tuple(int(each == stands) for each in dice) for die, stands in classes.items()}
    return dice, Tallies((most,) * len(dice), read, [unlike[die] for die in dice])


def small_sets(source: Thrown | Again, form: Linear, facts: Facts) -> Callable[[int], fmpq] | None:
    """The chance that no face is shown by more than so many dice. None where a further throw is not always of one face.

    With rows of further throws of a number Y that is Gamma distributed, faces are shown independently (a negative
    multinomial is a mixture of Poisson laws): the chance is a product of cut exponential series in Y, in which each
    power of Y stands for its mean.
    """
    dice, work = _counting(source, NEVER, [form], facts)
    endings = [part.die.more for part in (source.group if isinstance(source, Again) else source).parts]
    if isinstance(source, Again):
        if source.limit is not None or any(endings):
            return None
        first_going, first_stopping, go, stopping = work.throws_of(source)
        by_going = [first_stopping, work.times(first_going, stopping)]
    elif len(endings) == 1 and endings[0] is not None and endings[0].limit is None:
        by_going, go = work.chains(source.parts[0].die, source.parts[0].count)
    else:
        return None
    if any(sum(map(bool, counts)) != 1 for counts in go):
        return None
    struck = [index for index, die in enumerate(dice) if facts.struck.get((source.name, die[0]), 0) >> die[1] & 1]
    steps = [
        (index, count, share)
        for counts, share in go.items()
        for index, count in enumerate(counts)
        if count and index not in struck
    ]

    @cache
    def rows(going: int, room: tuple[int, ...]) -> fmpq:
        product = fmpq_poly([1])
        for (_, _, share), most in zip(steps, room, strict=True):
            product *= fmpq_poly([share**times / factorial(times) for times in range(most + 1)])
        return sum(
            (c * factorial(going - 1 + at) / factorial(going - 1) for at, c in enumerate(product.coeffs())), fmpq(0)
        )

    def chance(most: int) -> fmpq:
        total = fmpq(0)
        for going, weights in enumerate(by_going):
            for counts, weight in weights.items():
                if max(counts) <= most and not any(counts[index] for index in struck):
                    room = tuple((most - counts[index]) // count for index, count, _ in steps)
                    total += weight * rows(going, room) if going else weight
        return total

    return chance
