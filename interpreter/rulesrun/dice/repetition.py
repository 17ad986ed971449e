"""The closed form of an endless repetition: ``1 + go + go^2 + ... = 1 / (1 - go)`` as one-sided series."""

from __future__ import annotations

from flint import acb, fmpz_poly

from rulesrun.dice.series import Irrational, Series, check_size, reverse

_ONE = fmpz_poly([1])


def inverse_upward(go: Series) -> Series:
    """``1 / (1 - go)`` where `go` has no negative values and a mass below 1."""
    check_size(go.num.length() + abs(go.offset), 64)
    numerator = go.num.left_shift(go.offset) if go.offset >= 0 else go.num.right_shift(-go.offset)
    return Series(go.den, go.den - numerator).reduced()


def inverse_both_ways(up: Series | None, down: Series | None) -> tuple[Series, Series]:
    """Two series, the second of negated values, whose product is ``1 / (1 - go)``; `go` has values of both signs.

    ``1 - go`` is one rational function. Each of its irreducible factors must have all its roots outside the unit circle
    (it is expanded upward) or all inside (downward); otherwise the weights are irrational and ValueError is raised.
    """
    numerator, denominator, offset = _as_one_fraction(up, down)
    check_size(max(numerator.length(), denominator.length()) + abs(offset), 64)
    top = denominator.left_shift(max(0, -offset))
    bottom = top - numerator.left_shift(max(0, offset))
    common = top.gcd(bottom)
    top, bottom, shift = top // common, bottom // common, 0
    while bottom[0] == 0:
        bottom, shift = bottom.right_shift(1), shift - 1
    constant, factors = bottom.factor()
    outside, inside = fmpz_poly([constant]), _ONE
    for factor, multiplicity in factors:
        if _all_roots_outside(factor):
            outside *= factor**multiplicity
        else:
            inside *= factor**multiplicity
    degree = inside.degree()
    return Series(top, outside, shift).reduced(), Series(_ONE, reverse(inside, degree + 1), degree).reduced()


def _all_roots_outside(factor: fmpz_poly) -> bool:
    """Whether all roots lie outside the unit circle; False if all lie inside."""
    roots: list[tuple[acb, int]] = factor.complex_roots()  # type: ignore[assignment]
    sizes = [abs(root) for root, _ in roots]
    if all(size > 1 for size in sizes):
        return True
    if all(size < 1 for size in sizes):
        return False
    raise Irrational("a repetition that goes both up and down without a limit has no exact rational odds")


def _as_one_fraction(up: Series | None, down: Series | None) -> tuple[fmpz_poly, fmpz_poly, int]:
    """``x^offset * numerator / denominator`` for both sides together."""
    if up is None:
        up = Series(fmpz_poly(), _ONE)
    if down is None:
        return up.num, up.den, up.offset
    degree = down.den.degree()
    bottom = reverse(down.den, degree + 1)
    top = reverse(down.num, down.num.length())
    shift = degree - down.num.degree() - down.offset
    offset = min(up.offset, shift)
    check_size(max(up.offset, shift) - offset + up.num.length() + top.length(), 64)
    numerator = up.num.left_shift(up.offset - offset) * bottom + top.left_shift(shift - offset) * up.den
    return numerator, up.den * bottom, offset
