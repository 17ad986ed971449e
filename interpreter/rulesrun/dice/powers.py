"""Products of powers of short polynomials, as pools of several kinds of dice have them.

``f = P^m * Q^n`` satisfies ``P Q f' = (m P' Q + n P Q') f``, so each coefficient follows from as many before it as PQ
has degrees, with small factors. For long results this is far cheaper than multiplying.
"""

from __future__ import annotations

from collections.abc import Sequence

from flint import fmpz, fmpz_poly

_COEFFICIENT = 0.6e-6  # seconds for one term of the recurrence,
_COEFFICIENT_BIT = 0.1e-9  # and for each bit of its number
_POWER_BIT = 0.15e-9  # for each bit of a whole power
_PRODUCT_BIT = 2e-9  # for each bit of a product


def product_of_powers(factors: Sequence[tuple[fmpz_poly, int]]) -> fmpz_poly:
    """The product of the polynomials, each to its power (at least 0)."""
    bases: list[tuple[fmpz_poly, int]] = []
    shift = 0
    for base, exponent in factors:
        if exponent == 0:
            continue
        if base.is_zero():
            return base
        lowest = next(k for k in range(base.length()) if base[k] != 0)
        shift += lowest * exponent
        base = base.right_shift(lowest)
        known = next((n for n, (other, _) in enumerate(bases) if other == base), None)
        if known is None:
            bases.append((base, exponent))
        else:
            bases[known] = base, bases[known][1] + exponent
    length = sum(base.degree() * exponent for base, exponent in bases) + 1
    bits = sum(exponent * (base.height_bits() + base.length().bit_length()) for base, exponent in bases)
    recurrence = length * sum(base.degree() for base, _ in bases) * (_COEFFICIENT + bits * _COEFFICIENT_BIT)
    direct = bits * length * (_POWER_BIT if len(bases) == 1 else _PRODUCT_BIT)
    if length > 1 and recurrence < direct:
        return _by_recurrence(bases, length).left_shift(shift)
    result = fmpz_poly([1])
    for base, exponent in bases:
        result *= base**exponent
    return result.left_shift(shift)


def _by_recurrence(bases: Sequence[tuple[fmpz_poly, int]], length: int) -> fmpz_poly:
    """The coefficients; no base is 0 at 0."""
    product, first = fmpz_poly([1]), fmpz(1)
    for base, exponent in bases:
        product *= base
        first *= base[0] ** exponent
    slope = fmpz_poly()
    for base, exponent in bases:
        slope += (product // base) * base.derivative() * exponent
    terms = [(j, int(slope[j - 1]), int(product[j])) for j in range(1, product.length())]
    lead = int(product[0])
    coefficients = [first]
    for k in range(1, length):
        value = fmpz(0)
        for j, a, b in terms[:k]:
            value += coefficients[k - j] * (a - b * (k - j))
        coefficients.append(value // (lead * k))
    return fmpz_poly(coefficients)
