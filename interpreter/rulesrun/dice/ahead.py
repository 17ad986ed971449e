"""Two independent numbers without end, one of them ahead of the other: the law of a sum of multiples of both.

Of a number x whose weights follow a linear recurrence with denominator D, what lies from some value on is again a
fraction over D, and its numerator is made of the next few weights. So the weights of z, each with what of x lies
ahead of it, are a few products of both rows, value by value, each times a series over D.
"""

from __future__ import annotations

from flint import fmpz_poly

from rulesrun.dice.law import Law
from rulesrun.dice.series import TooLarge
from rulesrun.dice.termwise import termwise

MOST = 60
"""So long a recurrence at the most."""


def ahead(x: Law, z: Law, by: int, times_x: int, times_z: int) -> Law:
    """The law of `times_x * x + times_z * z` where x - z is at least `by`. Raises `TooLarge`."""
    if x.down is not None or z.down is not None:
        raise TooLarge("two endless results at once, which go both up and down")
    if x.up is None or z.up is None:
        return Law.of({})
    if z.up.finite:
        return _each(x, z, by, times_x, times_z)
    if x.up.finite:
        rest = z.restrict(None, x.up.offset + x.up.num.degree() - by)
        return _each(x, rest, by, times_x, times_z)
    den = x.up.den
    order = den.degree()
    if order > MOST:
        raise TooLarge("two endless results at once, of dice with many faces")
    regular = max(x.up.offset, x.up.num.degree() - order + 1 + x.up.offset) - by
    low = z.up.offset
    found = _each(x, z.restrict(None, regular - 1), by, times_x, times_z) if low < regular else Law.of({})
    above = z.restrict(max(low, regular), None)
    for place in range(order):
        beside = termwise(above, x.affine(1, -by - place))
        steps = Law.series(fmpz_poly(den.coeffs()[: order - place]).left_shift(place), den)
        found = found + beside.affine(times_x + times_z) * steps.affine(times_x, times_x * by)
    return found


def _each(x: Law, z: Law, by: int, times_x: int, times_z: int) -> Law:
    """As `ahead`, for each of the values that z has."""
    return Law.total(
        x.restrict(value + by, None).affine(times_x, times_z * value).scaled(weight) for value, weight in z.items()
    )
