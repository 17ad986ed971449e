"""The product of two laws value by value: what two independent rows of weights have at the same place.

Weights that follow a linear recurrence are sums of powers a^n (times powers of n), so products follow one whose powers
are all products a*b. Its denominator is found from the power sums of both: those of the products are the products of
the power sums. A root that is there m times in one and n times in the other is there m + n - 1 times in the product,
in however many ways it is one of two roots.
"""

from __future__ import annotations

from flint import fmpq, fmpq_poly, fmpz, fmpz_poly

from rulesrun.dice.law import Law
from rulesrun.dice.series import Series, TooLarge, fraction

LARGEST = 500
"""So long a recurrence at most."""


def termwise(left: Law, right: Law) -> Law:
    """The weight at each value is the product of both weights there. Both have no end below."""
    a, b = left.up, right.up
    if left.down is not None or right.down is not None:
        raise TooLarge("two endless results at once, which go both up and down")
    if a is None or b is None:
        return Law.of({})
    if a.finite:
        return _within(a, right)
    if b.finite:
        return _within(b, left)
    low = max(a.offset, b.offset)
    first, second = a.starting(low), b.starting(low)
    if first.finite or second.finite:
        return _within(first, right) if first.finite else _within(second, left)
    pairs = [(p, q, m + n - 1) for p, m in first.den.factor()[1] for q, n in second.den.factor()[1]]
    if any(p.degree() * q.degree() > LARGEST for p, q, _ in pairs):
        raise TooLarge("endless results at once, of dice with many faces")
    common = fmpq_poly([1])
    for p, q, many in pairs:
        roots = products_of_roots(p, q)
        common *= (roots // roots.gcd(roots.derivative())) ** many
        if common.degree() > LARGEST:
            raise TooLarge("endless results at once, of many dice")
    order = common.degree()
    irregular = max(_start(first) - low, _start(second) - low, 0)
    length = irregular + order
    numbers = [fmpq_poly(_head(each, length, low)) for each in (first, second)]
    product = fmpq_poly([x * y for x, y in zip(*(_padded(poly, length) for poly in numbers), strict=True)])
    return Law.series(product.mul_low(common, length), common, low)


def tail_chances(law: Law, start: int) -> Law:
    """At each m from `start` on, the weight of all values of m and more: a row that adds up where the law has a mean.

    The law has no end below.
    """
    if law.down is not None:
        raise TooLarge("an endless result that goes both up and down")
    above = law.restrict(start, None).up
    if above is None:
        return Law.of({})
    total = above.mass
    num = fmpq_poly(above.num).left_shift(above.offset - start + 1) - fmpq_poly(above.den) * total
    return Law.series(num // fmpq_poly([-1, 1]), above.den, start)


def _within(finite: Series, other: Law) -> Law:
    low, high = finite.offset, finite.offset + finite.num.degree()
    weights = {
        value: other[value] * fraction(finite.num[value - low], finite.den[0])
        for value in range(low, high + 1)
        if finite.num[value - low] != 0
    }
    return Law.of(weights)


def _start(series: Series) -> int:
    """From which index on the weights follow the recurrence alone."""
    return series.num.degree() - series.den.degree() + 1 + series.offset


def _head(series: Series, length: int, low: int) -> list[fmpq]:
    """The weights at low, low + 1, ..."""
    num, den = series.head(length - (series.offset - low))
    return [fmpq(0)] * (series.offset - low) + [fmpq(c, den) for c in num.coeffs()]


def _padded(poly: fmpq_poly, length: int) -> list[fmpq]:
    coefficients = poly.coeffs()
    return coefficients + [fmpq(0)] * (length - len(coefficients))


def products_of_roots(left: fmpz_poly, right: fmpz_poly) -> fmpq_poly:
    """The product of 1 - a b x over all a and b for which 1 - a x divides the left and 1 - b x the right."""
    order = left.degree() * right.degree()
    sums = [x * y for x, y in zip(power_sums(left, order), power_sums(right, order), strict=True)]
    return fmpq_poly(from_power_sums(sums))


def power_sums(den: fmpz_poly, count: int, step: int = 1) -> list[fmpq]:
    """The sums of the k-th powers of all a, for each `step`-th k up to `count`, where den is the product of 1 - a x,
    times a constant.
    """
    sums = [fmpq(0)] * (count // step)
    for factor, many in den.factor()[1]:
        sums = [total + many * each for total, each in zip(sums, _power_sums(factor, count, step), strict=True)]
    return sums


def _power_sums(den: fmpz_poly, count: int, step: int) -> list[fmpq]:
    """With d = den(0) the sums of the powers of d * a are whole numbers, each made of those before it."""
    order, first = den.degree(), den[0]
    factors = [(i, den[i] * first ** (i - 1)) for i in range(1, order + 1) if den[i] != 0]
    sums = [fmpz(order)]
    for k in range(1, count + 1):
        total = fmpz(0)
        for i, factor in factors:
            if i > k:
                break
            total -= factor * (k if i == k else sums[k - i])
        sums.append(total)
    return [fmpq(sums[k], first**k) for k in range(step, count + 1, step)]


def one_in(law: Law, period: int, rest: int) -> Law:
    """The part of a law whose values leave a rest when divided by a period. The law has no end below.

    The denominator is made one of whole steps of the period: the product of 1 - a^p x^p for its factors 1 - a x.
    """
    if law.down is not None:
        raise TooLarge("an endless result that goes both up and down")
    up = law.up
    if up is None or period == 1:
        return law
    if up.finite:
        return Law.of({value: weight for value, weight in law.items() if value % period == rest})
    order = up.den.degree()
    sums = power_sums(up.den, order * period, period)
    whole = fmpq_poly(from_power_sums(sums))
    wide = fmpq_poly([c for each in whole.coeffs() for c in (each, *[fmpq(0)] * (period - 1))])
    numerator = (wide // fmpq_poly(up.den)) * fmpq_poly(up.num)
    kept = [c if (up.offset + place) % period == rest else fmpq(0) for place, c in enumerate(numerator.coeffs())]
    return Law.series(fmpq_poly(kept), wide, up.offset)


def from_power_sums(sums: list[fmpq]) -> list[fmpq]:
    """The coefficients of the product of 1 - a x, by the sums of the k-th powers of all a (Newton's identities)."""
    found = [fmpq(1)]
    for n in range(1, len(sums) + 1):
        found.append(-sum((sums[k - 1] * found[n - k] for k in range(1, n + 1)), fmpq(0)) / n)
    return found
