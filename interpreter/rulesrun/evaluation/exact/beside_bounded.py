"""The law of a sum without end beside sums that are bounded, where only the first throw of dice tells those apart.

The bounded sums are the low digits of one packed number, the endless one is all above them. What goes on without end
then moves in whole steps of those digits, so each of their values has its own share of the weights over the same
denominator.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import prod

from flint import fmpz_poly

from rulesrun.dice import Law
from rulesrun.evaluation.exact.facts import Facts
from rulesrun.evaluation.exact.forms import inclusion_exclusion, within
from rulesrun.evaluation.exact.packing import Packing
from rulesrun.evaluation.exact.symbols import EVERYWHERE, Linear, Ranges, Scores, Slot

MOST_WIDE = 2_000
"""The bounded sums together may have so many values."""
Element = Callable[[Mapping[Slot, int], Mapping[Slot, Scores]], Law]


def beside_bounded(
    facts: Facts,
    form: Linear | None,
    forms: Sequence[Linear],
    bounds: Sequence[tuple[int | None, int | None]],
    element: Element,
) -> Law | None:
    """The law of a form (of 0 without one) where the facts hold; `bounds`: where each of `forms` can lie. `element`
    gives the law of scores, faces struck. None where that is not all that is asked, or more than a first throw tells
    bounded sums apart.
    """
    if any(each.leftovers for each in forms):
        return None
    endless = [each for each, ends in zip(forms, bounds, strict=True) if None in ends]
    finite = [each for each in forms if each not in endless]
    if len(endless) != 1 or not finite:
        return None
    limits = [(int(ends[0] or 0), int(ends[1] or 0)) for ends in bounds if None not in ends]
    width = prod(high - low + 1 for low, high in limits)
    if width > MOST_WIDE:
        return None
    packing = Packing.of([*limits, (0, 0)])
    terms = packing.terms([each.terms for each in (*finite, endless[0])])
    offset = sum(low * by for (low, _), by in zip(limits, packing.strides, strict=False))
    shares: dict[int, list[Law]] = {}
    for sign, struck in inclusion_exclusion(facts):
        parts = _by_digits(element(struck, terms).affine(1, -offset), width)
        if parts is None:
            return None
        for digits, share in parts.items():
            shares.setdefault(digits, []).append(share.scaled(sign))
    found = Law.of({})
    held = facts.inside.get(endless[0], EVERYWHERE)
    for digits, several in shares.items():
        values = packing.unpack(digits + offset)[:-1]
        if any(
            facts.inside.get(each, EVERYWHERE).meets(Ranges.of(value, value)).empty
            for each, value in zip(finite, values, strict=True)
        ):
            continue
        law = within(Law.total(several), held)
        if form != endless[0]:
            law = Law.point(0 if form is None else values[finite.index(form)], law.mass)
        found = found + law
    return found


def _by_digits(law: Law, width: int) -> dict[int, Law] | None:
    """What lies above the digits, for each value of these; None where the denominator tells them apart, too."""
    if law.down is not None:
        return None
    up = law.up
    if up is None:
        return {}
    if any(place % width for place, factor in enumerate(up.den.coeffs()) if factor):
        return None
    den = fmpz_poly(up.den.coeffs()[::width])
    rows: dict[int, dict[int, int]] = {}
    for place, weight in enumerate(up.num.coeffs(), up.offset):
        if weight:
            above, digits = divmod(place, width)
            rows.setdefault(digits, {})[above] = int(weight)
    found = {}
    for digits, row in rows.items():
        low = min(row)
        num = fmpz_poly([row.get(place, 0) for place in range(low, max(row) + 1)])
        found[digits] = Law.series(num, den, low)
    return found
