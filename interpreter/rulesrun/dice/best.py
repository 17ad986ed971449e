"""The best or worst of several independent values: a power of the chance to be at most, or at least, each value."""

from __future__ import annotations

from itertools import accumulate, pairwise

from flint import fmpz, fmpz_poly

from rulesrun.dice.law import Law


def highest_of(law: Law, count: int) -> Law:
    """The law of the highest of `count` (at least 1) independent values of a finite law.

    Raises ValueError for an endless law, whose highest is no rational function of the same kind.
    """
    if count < 1:
        raise ValueError("the highest of no values")
    if count == 1:
        return law
    low, weights, denominator = law.weights()
    upto = [fmpz(0), *(total**count for total in accumulate(map(fmpz, weights)))]
    exactly = [after - before for before, after in pairwise(upto)]
    return Law.from_poly(fmpz_poly(exactly), fmpz(denominator) ** count, low)


def lowest_of(law: Law, count: int) -> Law:
    """The law of the lowest of `count` (at least 1) independent values of a finite law."""
    return highest_of(law.affine(-1), count).affine(-1)
