"""The law of a whole number divided by another one and rounded down, for numbers with and without an end.

Weights that follow a linear recurrence with the powers a^n do so again where only each p-th is looked at, with the
powers (a^p)^n, and so do sums over p neighbours: the new denominator comes from the power sums of the old one.
"""

from __future__ import annotations

from flint import fmpq, fmpq_poly, fmpz_poly

from rulesrun.dice.law import Law
from rulesrun.dice.series import Series, check_size
from rulesrun.dice.termwise import from_power_sums, power_sums


def divided(law: Law, by: int) -> Law:
    """The law of the number divided by a whole number of at least 1, rounded down. Raises `TooLarge`."""
    if by == 1:
        return law
    found = Law.of({})
    if law.up is not None:
        found = found + _upward(law.up, by)
    if law.down is not None:
        # -m / by rounded down is -((m + by - 1) / by rounded down)
        down = law.down
        found = found + _upward(Series(down.num, down.den, down.offset + by - 1), by).affine(-1)
    return found


def _upward(series: Series, by: int) -> Law:
    low = series.offset // by
    if series.finite:
        weights = _added_up(series.num, series.offset - low * by, by)
        return Law.from_poly(fmpz_poly(weights), series.den[0], low)
    order = series.den.degree()
    common = fmpq_poly(from_power_sums(power_sums(series.den, order * by, by)))
    irregular = max(0, series.num.degree() - order + 1 + series.offset - low * by)
    length = irregular // by + 1 + order
    check_size(length * by, length * by)
    head, bottom = series.head(length * by - (series.offset - low * by))
    weights = _added_up(head, series.offset - low * by, by)
    numbers = fmpq_poly([fmpq(weight, bottom) for weight in weights])
    return Law.series(numbers.mul_low(common, length), common, low)


def _added_up(poly: fmpz_poly, skip: int, by: int) -> list[int]:
    """The sums of so many neighbouring coefficients each, the first of them `skip` places before the first."""
    sums: list[int] = [0] * ((poly.length() + skip + by - 1) // by)
    for place, weight in enumerate(poly.coeffs(), skip):
        sums[place // by] += int(weight)
    return sums
