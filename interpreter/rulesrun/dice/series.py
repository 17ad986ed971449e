"""One-sided rational generating functions: ``x^offset * num(x) / den(x)``, expanded upward from ``x^offset``.

The coefficient of ``x^k`` is the weight of the value ``k``. A constant ``den`` is one common integer denominator, so
a finite law is a polynomial; any other ``den`` (with ``den(0) != 0``) gives infinitely many values whose weights
follow a linear recurrence. All coefficients are exact. Nothing is brought to lowest terms on the finite path.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate
from math import lcm

from flint import fmpq, fmpq_poly, fmpz, fmpz_poly

from rulesrun.dice import cost

LISTED = 30_000_000  # digits in base 2 that the listed weights of an endless series may take together
FIRST = 2_000  # so many weights at most are looked at to see how long they are
SHORT = 128  # so many weights are looked at as they are, before it is asked how many there are to list
ROUNDED = 300  # digits in base 2 of rounded numbers
WORTH_COUNTING = 20_000  # digits in base 2 of a finite product that takes less than a step of a budget
SIZE_LIMIT = 4_000_000_000  # bits that one polynomial's coefficients may take together


class TooLarge(ValueError):
    """The exact result would not fit the memory that one law may take."""


class EndlessWays(TooLarge):
    """Dice that go on without end fall in too many ways; a larger budget does not help."""


class Irrational(TooLarge):
    """The exact result is no fraction."""


def check_size(length: int, bits: int) -> None:
    """Raise `TooLarge` if `length` coefficients of `bits` bits each are more than one law may hold."""
    if length * max(bits, 64) > SIZE_LIMIT:
        raise TooLarge(f"an exact distribution over {length} values with numbers of {bits} bits is too large")


def fraction(numerator: fmpz | fmpq | int, denominator: fmpz | int = 1) -> Fraction:
    """The exact quotient as a Fraction; brought to lowest terms by flint where the numbers are long."""
    if isinstance(numerator, fmpq):
        return fraction(numerator.p, numerator.q * denominator)
    if denominator.bit_length() < LONG:
        return Fraction(int(numerator), int(denominator))
    cost.spend(cost.lowest_terms(denominator.bit_length()))
    exact = fmpq(numerator, denominator)
    found = object.__new__(Fraction)
    found._numerator, found._denominator = int(exact.p), int(exact.q)  # type: ignore[attr-defined]
    return found


LONG = 500
"""From so many bits on Python's own greatest common divisor is slow."""


def reverse(poly: fmpz_poly, length: int) -> fmpz_poly:
    """``x^(length-1) * poly(1/x)``; `length` is at least the length of `poly`."""
    return fmpz_poly(poly.coeffs()[::-1]).left_shift(length - poly.length())


@dataclass(frozen=True, slots=True, eq=False)
class Series:
    """``x^offset * num / den``; `total` is ``num(1)`` where that is known without adding up a long polynomial."""

    num: fmpz_poly
    den: fmpz_poly
    offset: int = 0
    total: fmpz | None = None

    @property
    def finite(self) -> bool:
        return self.den.degree() == 0

    @property
    def is_zero(self) -> bool:
        return self.num.is_zero()

    @property
    def weight_sum(self) -> fmpz:
        """``num(1)``."""
        return self.num(1) if self.total is None else self.total

    @property
    def mass(self) -> fmpq:
        return fmpq(self.weight_sum, self.den(1))

    @property
    def low(self) -> int:
        """The lowest value with a weight other than 0 (the series is not zero)."""
        first = 0
        while self.num[first] == 0:
            first += 1
        return self.offset + first

    @property
    def high(self) -> int | None:
        return self.offset + self.num.degree() if self.finite else None

    def plus(self, other: Series) -> Series:
        return self.beside(other).lowest()

    def lowest(self) -> Series:
        """In lowest terms, if it has no end."""
        return self if self.finite else self.reduced()

    def beside(self, other: Series) -> Series:
        """The sum, not in lowest terms."""
        offset = min(self.offset, other.offset)
        a, b = self.shifted_numerator(offset), other.shifted_numerator(offset)
        if self.den == other.den:
            known = self.total is not None and other.total is not None
            return Series(a + b, self.den, offset, self.weight_sum + other.weight_sum if known else None)
        common = self.den.gcd(other.den)
        cost.spend(cost.BASE + cost.common_factor(self.den, other.den, common))
        for_a, for_b = other.den // common, self.den // common
        cost.spend(cost.product(a, for_a) + cost.product(b, for_b))
        return Series(a * for_a + b * for_b, self.den * for_a, offset)

    def shifted_numerator(self, offset: int) -> fmpz_poly:
        if self.offset == offset:
            return self.num
        check_size(self.num.length() + self.offset - offset, 64)
        return self.num.left_shift(self.offset - offset)

    def times(self, other: Series) -> Series:
        length, bits = self.num.length() + other.num.length(), self.num.height_bits() + other.num.height_bits()
        check_size(length, bits)
        endless = not (self.finite and other.finite)
        if endless:
            cost.spend(cost.BASE + cost.product(self.num, other.num) + cost.product(self.den, other.den))
        elif length * bits > WORTH_COUNTING:
            cost.spend(cost.product(self.num, other.num))
        known = self.total is not None and other.total is not None
        total = self.weight_sum * other.weight_sum if known else None
        result = Series(self.num * other.num, self.den * other.den, self.offset + other.offset, total)
        return result.reduced() if endless else result

    def power(self, exponent: int) -> Series:
        """The product of `exponent` factors; in lowest terms if this series is."""
        length, bits = self.num.degree() * exponent + 1, self.power_bits * exponent
        check_size(length, bits)
        if length * bits > WORTH_COUNTING:
            cost.spend(cost.power(length, bits))
        known = self.total is not None or self.num.length() <= 64
        total = self.weight_sum**exponent if known else None
        return Series(self.num**exponent, self.den**exponent, self.offset * exponent, total)

    @property
    def power_bits(self) -> int:
        """By how many bits at most the numbers of a power grow with each factor."""
        if self.num.length() > 64:
            return self.num.height_bits() + self.num.length().bit_length()
        return int(sum(abs(c) for c in self.num.coeffs())).bit_length()

    def scaled(self, factor: fmpq) -> Series:
        total = None if self.total is None else self.total * factor.p
        result = Series(self.num * factor.p, self.den * factor.q, self.offset, total)
        return result if self.finite else result.reduced()

    def stretched(self, factor: int) -> Series:
        """Every value times `factor` (at least 1)."""
        if factor == 1:
            return self
        check_size(self.num.length() * factor, self.num.height_bits())
        num, den = self.num.inflate(factor), self.den if self.finite else self.den.inflate(factor)
        return Series(num, den, self.offset * factor, self.total)

    def mirrored(self) -> Series:
        """Every value of a finite series negated."""
        return Series(reverse(self.num, self.num.length()), self.den, 1 - self.offset - self.num.length(), self.total)

    def reduced(self) -> Series:
        """The same function in lowest terms, with ``den(0) > 0`` and no leading zeros in `num`."""
        num, den, offset = self.num, self.den, self.offset
        if num.is_zero():
            return Series(num, fmpz_poly([1]))
        common = num.gcd(den)
        cost.spend(cost.common_factor(num, den, common))
        if den[0] < 0:
            common = -common
        num, den = num // common, den // common
        if num[0] == 0:
            first = next(k for k in range(num.length()) if num[k] != 0)
            num, offset = num.right_shift(first), offset + first
        if den(1) == 0:
            raise ValueError("the weights do not have a finite sum")
        return Series(num, den, offset)

    def head(self, length: int) -> tuple[fmpz_poly, fmpz]:
        """The first `length` coefficients from `offset` on: integer numerators over one denominator."""
        if length <= 0:
            return fmpz_poly(), fmpz(1)
        if self.finite:
            return self.num.truncate(length) if length < self.num.length() else self.num, self.den[0]
        check_size(length, self.den[0].bit_length() * (length // self.den.degree() + 1))
        den = fmpq_poly(self.den)
        inverse, known, two = fmpq_poly([1 / fmpq(self.den[0])]), 1, fmpq_poly([2])
        while known < length:
            known = min(2 * known, length)
            cost.spend(cost.inverse(known, 2 * inverse.denom().bit_length()))
            inverse = inverse.mul_low(two - den.mul_low(inverse, known), known)
        result = fmpq_poly(self.num).mul_low(inverse, length)
        return result.numer(), result.denom()

    def upto(self, high: int) -> Series:
        """The part with values of at most `high`: finite."""
        num, den = self.head(high - self.offset + 1)
        return Series(num, fmpz_poly([den]), self.offset)

    def starting(self, low: int) -> Series:
        """The part with values of at least `low`."""
        skip = low - self.offset
        if skip <= 0:
            return self
        if self.finite:
            return Series(self.num.right_shift(skip), self.den, low)
        num, den = self.head(skip)
        rest = (self.num * den - num * self.den).right_shift(skip)
        return Series(rest, self.den * den, low).reduced()

    def until_below(self, tail: fmpq, least: int) -> tuple[int, Series]:
        """The lowest value (of an endless series, and not below `least`) above which less than `tail` lies, or one so
        high that more would take too many digits to list; and the part up to there.
        """
        return _until_below(self, tail.p, tail.q, least)

    @property
    def listable(self) -> int:
        """So many weights of an endless series may be listed."""
        first = min(FIRST, max(128, 4 * self.den.degree()))
        rate = max(1.0, self.head(first)[1].bit_length() / first)
        return max(first, int((LISTED / rate) ** 0.5))

    def roughly_below(self, tail: fmpq, most: int) -> int:
        """About how many weights there are before less than `tail` is left, from rounded numbers; if more than `most`,
        any number above that.
        """
        one, length = 1 << ROUNDED, 1
        scale = fmpq(one, self.den[0])
        den = fmpz_poly([round(int(c) * scale) for c in self.den.coeffs()])
        num = fmpz_poly([round(int(c) * scale) for c in self.num.coeffs()])
        wanted = round((self.mass - tail) * one)
        inverse = fmpz_poly([one])
        while True:
            length *= 2
            step = fmpz_poly([2 * one]) - _rounded(den * inverse, length)
            inverse = _rounded(inverse * step, length)
            sums = list(accumulate(map(int, _rounded(num * inverse, length).coeffs())))
            if (sums and sums[-1] > wanted) or length > most:
                return bisect_right(sums, wanted) + 1

    def mass_between(self, low: int | None, high: int | None) -> fmpq:
        """The sum of the coefficients from `low` to `high`, both included; None is no bound."""
        if high is not None and not self.finite:
            return self.upto(high).mass_between(low, None)
        first = 0 if low is None else max(0, low - self.offset)
        if not self.finite:
            return self.mass if first == 0 else self.mass - self.upto(self.offset + first - 1).mass
        length = self.num.length()
        end = length if high is None else min(length, high - self.offset + 1)
        if end <= first:
            return fmpq(0)
        if first == 0 and end == length:
            return self.mass
        if end - first == 1:
            return fmpq(self.num[first], self.den[0])
        if self.total is not None and end - first > length // 2:
            inside = self.total - self.num.truncate(first)(1) - self.num.right_shift(end)(1)
        elif first == 0:
            inside = self.num.truncate(end)(1)
        else:
            inside = self.num.right_shift(first).truncate(end - first)(1)
        return fmpq(inside, self.den[0])

    def moments(self) -> tuple[fmpq, fmpq, fmpq]:
        """The sums of weight, weight * value and weight * value^2."""
        num1, den1 = self.num.derivative(), self.den.derivative()
        d0, d1, d2 = self.den(1), den1(1), den1.derivative()(1)
        f0 = fmpq(self.weight_sum, d0)
        f1 = (num1(1) - f0 * d1) / d0
        f2 = (num1.derivative()(1) - 2 * f1 * d1 - f0 * d2) / d0
        o = self.offset
        first = f1 + o * f0
        return f0, first, f2 + 2 * o * f1 + o * (o - 1) * f0 + first


def _rounded(poly: fmpz_poly, length: int) -> fmpz_poly:
    """The first coefficients, over 2^ROUNDED."""
    return fmpz_poly([c >> ROUNDED for c in map(int, poly.truncate(length).coeffs())])


@lru_cache(maxsize=4)
def _until_below(series: Series, top: fmpz, bottom: fmpz, least: int) -> tuple[int, Series]:
    """As `Series.until_below`; the last answers are kept, since a list and its tail are asked one after the other."""
    tail, whole, most, length = fmpq(top, bottom), series.mass, None, 0
    while True:
        if length < SHORT:
            length = 4 * length or SHORT // 4
        elif most is None:
            most = max(series.listable, least - series.offset + 1)
            length = min(most, max(series.roughly_below(tail, most), least - series.offset + 1))
        else:
            length = min(2 * length, most)
        head = series.upto(series.offset + length - 1)
        above = whole - head.mass
        if (above < tail and length > least - series.offset) or length == most:
            break
    value = series.offset + length - 1
    while above < tail and value > least:
        above += fmpq(head.num[value - head.offset], head.den[0])
        if above < tail:
            value -= 1
    return value, head.upto(value)


def total_of(parts: Iterable[Series]) -> Series | None:
    """The sum of many series: those whose denominators differ by a number first, then two by two, and in lowest
    terms only at the end.
    """
    like: dict[tuple[int, ...], list[Series]] = {}
    for part in parts:
        common = part.den.content()
        like.setdefault(tuple(int(c // common) for c in part.den.coeffs()), []).append(part)
    waiting = []
    for den, group in sorted(like.items(), key=lambda pair: len(pair[0])):
        offset = min(part.offset for part in group)
        bottom = lcm(*(int(part.den.content()) for part in group))
        num = fmpz_poly()
        cost.spend(cost.BASE * len(group))
        for part in group:
            num += part.shifted_numerator(offset) * (bottom // int(part.den.content()))
        waiting.append(Series(num, fmpz_poly(list(den)) * bottom, offset))
    while len(waiting) > 1:
        pairs = [a.beside(b) for a, b in zip(waiting[::2], waiting[1::2], strict=False)]
        waiting = waiting[2 * len(pairs) :] + pairs
    return waiting[0].lowest() if waiting else None
