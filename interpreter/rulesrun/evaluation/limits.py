"""What is over a bound: a ruleset from a stranger ends in an error with a position, never in a hang.

In: sizes that come up while a roll is made or odds are found; bounds that a caller raises. Out: nothing, or a
`RulesError` that names the size and the bound.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from rulesrun.diagnostics import RulesError, Span
from rulesrun.limits import NAMES, Limits, in_force
from rulesrun.record import changed
from rulesrun.suggestions import nearest


def limits_of(given: Limits | Mapping[str, int] | None) -> Limits:
    """The bounds that a caller gives, all of them or some by name, else those in force.

    Raises `RulesError` for what is no name of a bound or no number that one can have.
    """
    if given is None:
        return in_force.get()
    if not isinstance(given, Limits):
        for name in given:
            if name not in NAMES:
                near = nearest(str(name), NAMES)
                hint = f"did you mean {near}?" if near else f"the limits are {', '.join(NAMES)}"
                raise RulesError.of(f"there is no limit called {name}", code="unknown-limit", hint=hint)
        given = changed(Limits(), **given)
    for name in NAMES:
        number = getattr(given, name)
        if not isinstance(number, int) or isinstance(number, bool) or number < 1:
            raise RulesError.of(f"limit {name} is a whole number from 1, not {number!r}", code="bad-limit")
    return given


def too_large(what: str, limit: str, span: Span | None, hint: str | None = None) -> RulesError:
    """The error for a size over the limit of that name: `100000000 dice in one draw; the limit is 100,000`."""
    bound: int = getattr(in_force.get(), limit)
    raised = f"`--limit {limit}=N` raises it for files of your own"
    return RulesError.of(f"{what}; the limit is {bound:,}", code="too-large", span=span, hint=hint or raised)


def sized(number: int | Fraction, span: Span | None) -> int | Fraction:
    """The number itself, an int where it is whole; an error where it is too long."""
    if type(number) is int:
        if number.bit_length() > in_force.get().number_bits:
            raise too_long(number.bit_length(), span)
        return number
    if number.denominator == 1:
        return sized(number.numerator, span)
    bits = max(number.numerator.bit_length(), number.denominator.bit_length())
    if bits > in_force.get().number_bits:
        raise too_long(bits, span)
    return number


def too_long(bits: int, span: Span | None) -> RulesError:
    """The error for a number of so many bits."""
    digits = max(1, bits * 3 // 10)
    bound = in_force.get().number_bits * 3 // 10
    return RulesError.of(
        f"a number of about {digits:,} digits; the limit is {bound:,}",
        code="too-large",
        span=span,
        hint="`--limit number_bits=N` raises it for files of your own",
    )
