"""The exact law of one whole-numbered random value, as a generating function.

A `Law` gives every integer an exact weight. The weights of a distribution add up to 1; those of a part of one
(restricted to a condition) to less. The support may be infinite upward, downward or both ways, as of exploding dice
and of their differences: then the weights are the coefficients of rational functions, and every question is still
answered exactly. Laws never change. `a + b` adds weights (a mixture), `a * b` is the law of the sum of two
independent values.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

from flint import fmpq, fmpq_poly, fmpz, fmpz_poly

from rulesrun.dice.repetition import inverse_both_ways, inverse_upward
from rulesrun.dice.series import Series, check_size, fraction, reverse, total_of

_TAIL = Fraction(1, 10**9)


@dataclass(frozen=True, slots=True, eq=False)
class Law:
    """`up` holds weights of values growing upward, `down` those of negated values, only where they have no end."""

    up: Series | None
    down: Series | None

    # ---- making

    @staticmethod
    def point(value: int, weight: Fraction | int = 1) -> Law:
        """All the weight on one value."""
        weight = Fraction(weight)
        top = fmpz(weight.numerator)
        return _law(Series(fmpz_poly([top]), fmpz_poly([weight.denominator]), value, top))

    @staticmethod
    def of(weights: Mapping[int, Fraction | int], unit: Fraction | int = 1) -> Law:
        """The law with the given weights, each times the unit; values that are not named have none."""
        named = [(value, weight) for value, weight in weights.items() if weight] if unit else []
        if not named:
            return ZERO
        low, high = min(named)[0], max(named)[0]
        common = lcm(*{weight.denominator for _, weight in named})
        check_size(high - low + 1, common.bit_length())
        coefficients = [0] * (high - low + 1)
        for value, weight in named:
            coefficients[value - low] = weight.numerator * (common // weight.denominator) * unit.numerator
        total = fmpz(sum(coefficients))
        return _law(Series(fmpz_poly(coefficients), fmpz_poly([common * unit.denominator]), low, total))

    @staticmethod
    def from_poly(poly: fmpz_poly, denominator: fmpz | int = 1, offset: int = 0) -> Law:
        """The value ``offset + k`` weighs ``poly[k] / denominator``."""
        total = poly(1) if poly.length() <= 64 else None
        return _law(Series(poly, fmpz_poly([denominator]), offset, total))

    @staticmethod
    def series(num: fmpz_poly | fmpq_poly, den: fmpz_poly | fmpq_poly, offset: int = 0) -> Law:
        """The power series of ``x^offset * num / den``.

        The caller promises that the weights have a finite sum (all roots of `den` outside the unit circle).
        Raises ValueError where `den` is 0 at 0 or, in lowest terms, at 1.
        """
        return _law(_series(num, den, offset))

    @staticmethod
    def geometric_sum(stop: Law, go: Law, limit: int | None = None, last: Law | None = None) -> Law:
        """The sum of ``go**j * stop`` over j = 0, 1, 2, ...: repeat `go` until `stop`.

        With a `limit` there are at most so many factors of `go`; what follows the last of them is `last`, or one more
        `stop + go`. Raises ValueError if without a limit it would never end, or has no exact rational weights.
        """
        if limit is not None:
            before, power = _powers_below(go, limit)
            return before * stop + power * (stop + go if last is None else last)
        if go.is_zero or stop.is_zero:
            return stop
        if go.mass >= 1:
            raise ValueError("the repetition never ends: the chance of going on is 1")
        low, high = go.bounds
        if go.up is not None and low is not None and low >= 0:
            return stop * _law(inverse_upward(go.up))
        if high is not None and high <= 0:
            return Law.geometric_sum(stop.affine(-1), go.affine(-1)).affine(-1)
        upward, downward = inverse_both_ways(go.up, go.down)
        return stop * _law(upward) * _law(None, downward)

    # ---- combining

    def __add__(self, other: Law) -> Law:
        return _law(_plus(self.up, other.up), _plus(self.down, other.down))

    def __sub__(self, other: Law) -> Law:
        return self + other.scaled(-1)

    def __mul__(self, other: Law) -> Law:
        result = _law(_times(self.up, other.up), _times(self.down, other.down))
        if self.down is not None and other.up is not None:
            result = result + _two_sided(other.up, self.down)
        if self.up is not None and other.down is not None:
            result = result + _two_sided(self.up, other.down)
        return result

    def __pow__(self, exponent: int) -> Law:
        """The law of the sum of `exponent` independent values (0: the point 0)."""
        if exponent < 0:
            raise ValueError("a law cannot be taken a negative number of times")
        if exponent == 0:
            return Law.point(0)
        if exponent == 1:
            return self
        if self.up is None or self.down is None:
            up = None if self.up is None else self.up.power(exponent)
            down = None if self.down is None else self.down.power(exponent)
            return _law(up, down)
        half = self ** (exponent // 2)
        square = half * half
        return square * self if exponent % 2 else square

    @staticmethod
    def total(laws: Iterable[Law]) -> Law:
        """The sum of many laws: those with like denominators first, then two by two, which costs far less than one
        after another.
        """
        laws = list(laws)
        up = total_of([law.up for law in laws if law.up is not None])
        return _law(up, total_of([law.down for law in laws if law.down is not None]))

    def scaled(self, factor: Fraction | int) -> Law:
        """Every weight times `factor`."""
        exact = fmpq(Fraction(factor).numerator, Fraction(factor).denominator)
        up = None if self.up is None else self.up.scaled(exact)
        return _law(up, None if self.down is None else self.down.scaled(exact))

    def affine(self, factor: int, shift: int = 0) -> Law:
        """The law of ``factor * value + shift``."""
        if factor == 0:
            return Law.point(shift, self.mass)
        up, down = (self.up, self.down) if factor > 0 else (self.down, self.up)
        up = None if up is None else up.stretched(abs(factor))
        down = None if down is None else down.stretched(abs(factor))
        if up is not None:
            up = Series(up.num, up.den, up.offset + shift, up.total)
        if down is not None:
            down = Series(down.num, down.den, down.offset - shift, down.total)
        return _law(up, down)

    def restrict(self, low: int | None, high: int | None) -> Law:
        """The part with ``low <= value <= high``; None is no bound."""
        up, down = self.up, self.down
        if up is not None and high is not None:
            up = up.upto(high)
        if up is not None and low is not None:
            up = up.starting(low)
        if down is not None and low is not None:
            down = down.upto(-low)
        if down is not None and high is not None:
            down = down.starting(-high)
        return _law(up, down)

    # ---- asking

    @property
    def is_zero(self) -> bool:
        return self.up is None and self.down is None

    @property
    def is_finite(self) -> bool:
        return self.down is None and (self.up is None or self.up.finite)

    @property
    def mass(self) -> Fraction:
        return self.mass_between(None, None)

    def mass_between(self, low: int | None, high: int | None) -> Fraction:
        """The weight of ``low <= value <= high``; None is no bound."""
        result = fmpq(0)
        if self.up is not None:
            if self.down is None and self.up.finite and low is None and high is None:
                return fraction(self.up.weight_sum, self.up.den[0])
            result = self.up.mass_between(low, high)
        if self.down is not None:
            result += self.down.mass_between(None if high is None else -high, None if low is None else -low)
        return fraction(result)

    def __getitem__(self, value: int) -> Fraction:
        up = self.up
        if up is not None and up.finite and self.down is None:
            index = value - up.offset
            return fraction(up.num[index], up.den[0]) if index >= 0 else Fraction(0)
        return self.mass_between(value, value)

    @property
    def mean(self) -> Fraction:
        """The mean of the value, given that it is in this part. Raises ValueError for a law without weight."""
        mass, first, _ = self._moments()
        return fraction(first / mass)

    @property
    def variance(self) -> Fraction:
        """The variance of the value, given that it is in this part. Raises ValueError for a law without weight."""
        mass, first, second = self._moments()
        mean = first / mass
        return fraction(second / mass - mean * mean)

    def _moments(self) -> tuple[fmpq, fmpq, fmpq]:
        zero = (fmpq(0), fmpq(0), fmpq(0))
        a = zero if self.up is None else self.up.moments()
        b = zero if self.down is None else self.down.moments()
        mass = a[0] + b[0]
        if mass == 0:
            raise ValueError("a law without weight has no mean")
        return mass, a[1] - b[1], a[2] + b[2]

    @property
    def bounds(self) -> tuple[int | None, int | None]:
        """The lowest and the highest value with weight; None where there is no end. Raises ValueError if zero."""
        up, down = self.up, self.down
        if down is None:
            if up is None:
                raise ValueError("a law without weight has no bounds")
            return up.low, up.high
        return None, (-down.low if up is None else None)

    def weights(self) -> tuple[int, list[int], int]:
        """Of a finite law: lowest value, integer weights from it upward, common denominator (not in lowest terms)."""
        if not self.is_finite:
            raise ValueError("an endless law has no list of all its weights")
        if self.up is None:
            return 0, [], 1
        return self.up.offset, [int(c) for c in self.up.num.coeffs()], int(self.up.den[0])

    def window(self, tail: Fraction = _TAIL) -> tuple[int, int]:
        """The lowest and highest value that `items` reaches: outside them lies less than `tail` (finite: nothing), or
        all that would take too many digits to list.
        """
        low, high = self.bounds
        share = tail / 2 if low is None and high is None else tail
        if high is None:
            high = self._cut(share)[0]
        if low is None:
            low = -self.affine(-1)._cut(share)[0]
        return low, high

    def _cut(self, tail: Fraction) -> tuple[int, Series]:
        """The lowest value above which less than `tail` lies, and the weights of `up` as far as that."""
        if tail <= 0:
            raise ValueError("an endless law can be listed only down to a tail above 0")
        assert self.up is not None
        base = self.up.offset if self.down is None else max(self.up.offset, -self.down.offset)
        return self.up.until_below(fmpq(tail.numerator, tail.denominator), base)

    def _listed(self, tail: Fraction) -> Law:
        """The part within `window`."""
        if self.is_finite:
            return self
        low, high = self.bounds
        share = tail / 2 if low is None and high is None else tail
        up = self.up if high is not None else self._cut(share)[1]
        return _law(up) if low is not None else _law(up) + _law(self.affine(-1)._cut(share)[1]).affine(-1)

    def items(self, tail: Fraction = _TAIL) -> Iterator[tuple[int, Fraction]]:
        """The values with weight and their weights, in increasing order; of an endless law those within `window`."""
        up = self._listed(tail).up
        if up is not None:
            for index, weight in enumerate(up.num.coeffs()):
                if weight:
                    yield up.offset + index, fraction(weight, up.den[0])

    def values(self) -> list[int]:
        """The values of a finite law that have weight, in increasing order, without working out how much."""
        if not self.is_finite:
            raise ValueError("an endless law has no list of all its values")
        return [] if self.up is None else [self.up.offset + at for at, each in enumerate(self.up.num.coeffs()) if each]

    def rest(self, tail: Fraction = _TAIL) -> Fraction:
        """The exact weight of all values that `items` with the same `tail` does not list."""
        return Fraction(0) if self.is_finite else self.mass - self._listed(tail).mass

    def __eq__(self, other: object) -> bool:
        """Whether every value has the same weight in both."""
        return (self - other).is_zero if isinstance(other, Law) else NotImplemented

    __hash__ = None  # type: ignore[assignment]


def _law(up: Series | None, down: Series | None = None) -> Law:
    """The law in its one form: no empty parts; a finite part goes with the part that has no end."""
    if up is not None and up.is_zero:
        up = None
    if down is None or down.is_zero:
        return Law(up, None)
    if down.finite:
        return _law(_plus(up, down.mirrored()))
    if up is not None and up.finite:
        down, up = down.plus(up.mirrored()), None
    return Law(up, down)


def _series(num: fmpz_poly | fmpq_poly, den: fmpz_poly | fmpq_poly, offset: int) -> Series:
    if den[0] == 0:
        raise ValueError("the denominator is 0 at 0, so this is not a power series")
    top, bottom = fmpq_poly(num), fmpq_poly(den)
    return Series(top.numer() * bottom.denom(), bottom.numer() * top.denom(), offset).reduced()


def _powers_below(go: Law, count: int) -> tuple[Law, Law]:
    """``1 + go + ... + go^(count-1)`` and ``go^count``, with a number of products that grows as log count."""
    if count < 0:
        raise ValueError("a limit below 0")
    if count == 0:
        return ZERO, Law.point(0)
    total, power = _powers_below(go, count // 2)
    total, power = total + power * total, power * power
    return (total + power, power * go) if count % 2 else (total, power)


def _plus(a: Series | None, b: Series | None) -> Series | None:
    if a is None or b is None:
        return a if b is None else b
    return a.plus(b)


def _times(a: Series | None, b: Series | None) -> Series | None:
    return None if a is None or b is None else a.times(b)


def _two_sided(up: Series, down: Series) -> Law:
    """The product of an upward series and an endless downward one, by partial fractions.

    With y = 1/x the product is ``x^k * M / (D * E)`` where the roots of D lie outside the unit circle (expanded
    upward) and those of E inside (expanded downward). ``M = A*E + B*D`` splits it into ``A/D + B/E``.
    """
    if up.finite:
        return _law(None, down.times(up.mirrored()))
    degree = down.den.degree()
    above, below = fmpq_poly(up.den), fmpq_poly(reverse(down.den, degree + 1))
    numerator = fmpq_poly(up.num * reverse(down.num, down.num.length()))
    offset = up.offset - down.offset + degree - down.num.degree()
    common, factor, _ = above.xgcd(below)
    if common.degree() != 0:
        raise ValueError("the weights do not have a finite sum")
    part = (numerator * factor) % below
    upward = (numerator - part * above) // below
    mirrored = reverse(part.numer(), degree)
    return _law(_series(upward, above, offset), _series(mirrored, down.den * part.denom(), 1 - offset))


ZERO = Law(None, None)
