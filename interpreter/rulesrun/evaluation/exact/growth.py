"""What a value is at each n of an endless row, where that is a sum of terms c n^k b^n, perhaps other ones for each
remainder of n: `2 ^ n`, `3 n + 1`, `n / 5` rounded down.

Such values can be added, multiplied and rounded, and their moments are derivatives of the row's generating function.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from math import gcd, lcm
from typing import TypeAlias

from flint import acb, fmpq, fmpz_poly

from rulesrun.dice import Law
from rulesrun.dice.series import Series, fraction
from rulesrun.dice.termwise import one_in
from rulesrun.evaluation.exact.symbols import Linear, Number

Terms: TypeAlias = tuple[tuple[tuple[Fraction, int], Fraction], ...]
"""Pairs of ((b, k), c), in order."""
MOST_POWER = 8
LONGEST = 60
"""So many remainders are told apart at the most."""


class Among(Exception):
    """It is known where only every so-manieth n is of interest."""

    def __init__(self, every: int) -> None:
        super().__init__(every)
        self.every = every


class Diverges(Exception):
    """A sum over an endless row has no finite value."""


@dataclass(frozen=True, slots=True)
class Growth:
    """The value at each n that a form may have; `pieces` are the terms for each remainder of n."""

    form: Linear
    pieces: tuple[Terms, ...]
    among: tuple[int, int] = (1, 0)
    """It is only of interest at each n that, divided by the first, leaves the second."""

    @staticmethod
    def of(form: Linear, constant: Number, factor: Number, among: tuple[int, int] = (1, 0)) -> Growth:
        """The value constant + factor * n."""
        return Growth(form, (_terms({(ONE, 0): Fraction(constant), (ONE, 1): Fraction(factor)}),), among)

    def with_number(self, number: Number, operator: str) -> Growth | None:
        """`self operator number`; None where it is no such value."""
        return self.combined(replace(self, pieces=(_terms({(ONE, 0): Fraction(number)}),)), operator)

    def combined(self, other: Growth, operator: str) -> Growth | None:
        """The sum, difference or product of two values at the same n."""
        period = lcm(len(self.pieces), len(other.pieces))
        if self.form != other.form or period > LONGEST or operator not in ("+", "-", "*"):
            return None
        found = []
        for rest in range(period):
            left, right = self.pieces[rest % len(self.pieces)], other.pieces[rest % len(other.pieces)]
            terms = dict(left) if operator != "*" else {}
            for (base, power), factor in right:
                if operator != "*":
                    terms[base, power] = terms.get((base, power), ZERO) + (factor if operator == "+" else -factor)
                    continue
                for (mine, exponent), times in left:
                    key = (mine * base, exponent + power)
                    terms[key] = terms.get(key, ZERO) + times * factor
            found.append(_terms(terms))
        return replace(self, pieces=tuple(found))

    def power(self, exponent: Number) -> Growth | None:
        """`self ^ exponent`; None where that is no small whole number."""
        if not isinstance(exponent, int) or not 1 <= exponent <= MOST_POWER:
            return None
        found: Growth | None = self
        for _ in range(exponent - 1):
            found = None if found is None else found.combined(self, "*")
        return found

    def to_the(self, base: Number) -> Growth | None:
        """`base ^ self`; None where the exponent is not a whole multiple of n and something."""
        found = []
        for terms in self.pieces:
            line = _straight(terms)
            if line is None or base <= 0 or any(number.denominator != 1 for number in line):
                return None
            constant, slope = line
            found.append(_terms({(Fraction(base) ** int(slope), 0): Fraction(base) ** int(constant)}))
        return replace(self, pieces=tuple(found))

    def rounded(self, how: Callable[[Fraction], int]) -> Growth | None:
        """The whole number next to it; None where it is not a straight line for each remainder."""
        lines = [line for terms in self.pieces if (line := _straight(terms)) is not None]
        period = lcm(len(lines), *(slope.denominator for _, slope in lines))
        if len(lines) < len(self.pieces) or period > LONGEST:
            return None
        found = []
        for rest in range(period):
            constant, slope = lines[rest % len(lines)]
            found.append(_terms({(ONE, 0): how(constant + slope * rest) - slope * rest, (ONE, 1): slope}))
        return replace(self, pieces=tuple(found))

    @property
    def line(self) -> tuple[Fraction, Fraction] | None:
        """The constant and the slope, where it is a straight line; None for anything else. Raises `Among`."""
        every, rest = self.among
        if every % len(self.pieces):
            raise Among(lcm(every, len(self.pieces)))
        return _straight(self.pieces[rest % len(self.pieces)])

    def remainder(self, modulus: int) -> int | None:
        """What the value leaves when it is divided by a whole number; None where that is not known. Raises `Among`."""
        line, (every, rest) = self.line, self.among
        if line is None:
            return None
        constant, step = line[0] + line[1] * rest, line[1] * every
        if constant.denominator != 1 or step.denominator != 1:
            return None
        if step % modulus:
            raise Among(every * modulus // gcd(int(step), modulus))
        return int(constant) % modulus

    def moment(self, law: Law, power: int) -> Fraction:
        """The sum of the value to a power over all n, each weighed by the law. Raises `Diverges`."""
        value = self.power(power)
        assert value is not None
        total = value._over(Law(law.up, None))
        if law.down is not None:
            total += value._mirrored()._over(Law(law.down, None))
        return fraction(total)

    def _over(self, law: Law) -> fmpq:
        """The sum of the value over all n, each weighed by the law, which has no end but above."""
        total = fmpq(0)
        for rest, terms in enumerate(self.pieces):
            row = one_in(law, len(self.pieces), rest).up
            for (base, exponent), factor in terms if row is not None else ():
                total += fmpq(factor.numerator, factor.denominator) * _sum(row, base, exponent)  # type: ignore[arg-type]
        return total

    def _mirrored(self) -> Growth:
        """The value at -n for each n."""
        period = len(self.pieces)
        return Growth(
            self.form,
            tuple(
                _terms(
                    {(1 / base, power): factor * (-1) ** power for (base, power), factor in self.pieces[-rest % period]}
                )
                for rest in range(period)
            ),
        )


ZERO, ONE = Fraction(0), Fraction(1)


def _terms(terms: Mapping[tuple[Fraction, int], Fraction]) -> Terms:
    return tuple(sorted((key, factor) for key, factor in terms.items() if factor))


def _straight(terms: Terms) -> tuple[Fraction, Fraction] | None:
    """The constant and the slope of a straight line; None for anything else."""
    known = dict(terms)
    if not known.keys() <= {(ONE, 0), (ONE, 1)}:
        return None
    return known.get((ONE, 0), ZERO), known.get((ONE, 1), ZERO)


def _sum(row: Series, base: Fraction, power: int) -> fmpq:
    """The sum of weight * n^power * base^n."""
    row = row.reduced()
    if not row.finite:
        roots: list[tuple[acb, int]] = row.den.complex_roots()  # type: ignore[assignment]
        size = fmpq(abs(base).numerator, abs(base).denominator)
        if not all(abs(root) > size for root, _ in roots):
            raise Diverges
    num, den = row.num, row.den
    if row.offset >= 0:
        num = num.left_shift(row.offset)
    else:
        den = den.left_shift(-row.offset)
    x, slope = fmpz_poly([0, 1]), den.derivative()
    for times in range(1, power + 1):
        num = x * (num.derivative() * den - times * num * slope)
    at = fmpq(base.numerator, base.denominator)
    return num(at) / den(at) ** (power + 1)
