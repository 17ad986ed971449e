"""How much one roll may cost: a ruleset from a stranger ends in an error with a position, never in a hang.

In: sizes that come up while a roll is made. Out: nothing, or a `RulesError` that names the size and the bound.
"""

from __future__ import annotations

from fractions import Fraction

from rulesrun.diagnostics import RulesError, Span
from rulesrun.record import record


@record
class Limits:
    """The bounds of one roll."""

    dice: int = 100_000
    """Dice that one draw may throw at once."""
    all_dice: int = 300_000
    """Dice that all draws of a roll may throw together, explosions and rerolls included."""
    turns: int = 100_000
    """Turns of all repetitions of a roll together, and groups of all `again`."""
    number_bits: int = 4096
    """Length of a number, about 1,200 decimal digits; of a fraction, of either part."""
    items: int = 100_000
    """Items of a list or a range."""
    work: int = 2_000_000
    """Dice and items that repetitions and `for each` inside one another may look at."""


LIMITS = Limits()
"""The bounds in force."""


def too_large(what: str, bound: int, span: Span | None, hint: str | None = None) -> RulesError:
    """The error for a size over its bound: `100,000,000 dice in one draw; the limit is 100,000`."""
    return RulesError.of(f"{what}; the limit is {bound:,}", code="too-large", span=span, hint=hint)


def sized(number: int | Fraction, span: Span | None) -> int | Fraction:
    """The number itself, an int where it is whole; an error where it is too long."""
    if type(number) is int:
        if number.bit_length() > LIMITS.number_bits:
            raise too_long(number.bit_length(), span)
        return number
    if number.denominator == 1:
        return sized(number.numerator, span)
    bits = max(number.numerator.bit_length(), number.denominator.bit_length())
    if bits > LIMITS.number_bits:
        raise too_long(bits, span)
    return number


def too_long(bits: int, span: Span | None) -> RulesError:
    """The error for a number of so many bits."""
    digits = max(1, bits * 3 // 10)
    bound = LIMITS.number_bits * 3 // 10
    return too_large(f"a number of about {digits:,} digits", bound, span)
