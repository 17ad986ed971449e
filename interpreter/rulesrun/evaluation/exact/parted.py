"""Two numbers of independent throws and one sum of both: `a` where a > b, `b` where 2 a + b < 9.

With a and b both endless the weights of a are multiplied, value by value, with the chance that b lets the sum lie where
it has to.
"""

from __future__ import annotations

from fractions import Fraction

from rulesrun.dice import Law
from rulesrun.dice.ahead import ahead
from rulesrun.dice.divided import divided
from rulesrun.dice.series import TooLarge
from rulesrun.dice.termwise import tail_chances, termwise
from rulesrun.evaluation.exact.symbols import Ranges


def where_sum(mine: Law, factor: int, other: Law, ranges: Ranges) -> Law:
    """The law of the first number k, where factor * k plus the other number lies in the ranges. Raises `TooLarge`."""
    if mine.is_zero or other.is_zero:
        return Law.of({})
    if mine.is_finite:
        return Law.of(
            {
                value: weight * sum((other.mass_between(*_moved(pair, factor * value)) for pair in ranges.ranges), ZERO)
                for value, weight in mine.items()
            }
        )
    if abs(factor) != 1 or mine.down is not None:
        raise TooLarge("two endless results at once")
    if factor == 1:
        other = other.affine(-1)
    else:
        ranges = Ranges(
            tuple((None if b is None else -b, None if a is None else -a) for a, b in reversed(ranges.ranges))
        )
    total = Law.of({})
    for low, high in ranges.ranges:
        total = total + _from(mine, other, high) - (_from(mine, other, low - 1) if low is not None else Law.of({}))
    return total


def sum_where(laws: tuple[Law, Law], factors: tuple[int, int], multiples: tuple[int, int], ranges: Ranges) -> Law:
    """The law of the sum of these multiples of two independent numbers, where the sum of factors times the numbers lies
    in the ranges. Raises `TooLarge`.
    """
    whole = abs(factors[0] * factors[1])
    x, y = (law.affine(factor) for law, factor in zip(laws, factors, strict=True))
    times_x, times_y = (many * whole // factor for many, factor in zip(multiples, factors, strict=True))

    def up_to(most: int | None) -> Law:
        if most is None:
            return x.affine(times_x) * y.affine(times_y)
        if _falls(x):
            if _falls(y):
                mirrored = _each_below(x.affine(-1), y.affine(-1), -most - 1, -times_x, -times_y)
                return x.affine(times_x) * y.affine(times_y) - mirrored
            return ahead(x.affine(-1), y, -most, -times_x, times_y)
        if _falls(y):
            return ahead(y.affine(-1), x, -most, -times_y, times_x)
        return _each_below(x, y, most, times_x, times_y)

    total = Law.of({})
    for low, high in ranges.ranges:
        total = total + (up_to(high) - up_to(low - 1) if low is not None else up_to(high))
    return divided(total, whole)


ZERO = Fraction(0)


def _falls(law: Law) -> bool:
    """Whether a law has no end below."""
    return law.down is not None


def _each_below(x: Law, y: Law, most: int, times_x: int, times_y: int) -> Law:
    """The law of the sum of multiples of two numbers that have no end but above, where their own sum is so much at
    most.
    """
    if x.is_zero or y.is_zero:
        return Law.of({})
    low = y.bounds[0]
    assert low is not None
    return Law.total(
        y.restrict(None, most - value).affine(times_y, times_x * value).scaled(weight)
        for value, weight in x.restrict(None, most - low).items()
    )


def _moved(pair: tuple[int | None, int | None], by: int) -> tuple[int | None, int | None]:
    low, high = pair
    return None if low is None else low - by, None if high is None else high - by


def _from(mine: Law, other: Law, most: int | None) -> Law:
    """The law of k where k - other is at most `most`: where the other is at least k - most."""
    if most is None:
        return mine.scaled(other.mass)
    low = mine.bounds[0]
    assert low is not None
    least, highest = other.bounds
    if highest is not None:
        last = highest + most
        return Law.of(
            {
                value: mine[value] * other.mass_between(value - most, None)
                for value in range(low, last + 1)
                if mine[value]
            }
        )
    if least is None:
        raise TooLarge("two endless results at once, which go both up and down")
    return termwise(mine, tail_chances(other, low - most).affine(1, most))
