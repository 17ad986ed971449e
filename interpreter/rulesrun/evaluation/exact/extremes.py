"""The highest or lowest of several independent numbers without end, by the chances that all of them are so low or high.

The chance that a number is at least so much follows a linear recurrence, and so do products of such chances.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulesrun.dice import Law
from rulesrun.dice.series import TooLarge
from rulesrun.dice.termwise import tail_chances, termwise


def highest_of(laws: Sequence[Law]) -> Law:
    """The law of the highest of independent numbers. Raises `TooLarge`."""
    least = max(_low(law) for law in laws)
    above = Law.of({})
    for law in laws:
        more = tail_chances(law, least + 1).affine(1, -1)
        above = above + more - termwise(above, more)
    return Law.point(least) + above.affine(1, 1) - above


def lowest_of(laws: Sequence[Law]) -> Law:
    """The law of the lowest of independent numbers. Raises `TooLarge`."""
    least = min(_low(law) for law in laws)
    all_above = tail_chances(laws[0], least)
    for law in laws[1:]:
        all_above = termwise(all_above, tail_chances(law, least))
    return all_above - all_above.restrict(least + 1, None).affine(1, -1)


def _low(law: Law) -> int:
    low, _ = law.bounds
    if low is None:
        raise TooLarge("the highest or lowest of numbers that have no end below")
    return low
