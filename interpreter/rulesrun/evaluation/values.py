"""What names may stand for while a rule runs, beyond the plan's constants; and how values are written in messages.

Numbers are exact: int, or Fraction where they are not whole. The exception is `Approximate`.
"""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, TypeAlias

from rulesrun.record import record
from rulesrun.semantics.plan import Face, Number

if TYPE_CHECKING:
    from rulesrun.evaluation.pools import Die


SHORT_BITS = 10_000
"""Python writes numbers of this length whatever its settings."""


@record
class Approximate:
    """A power whose exponent is not whole, and what is computed from it. It may be shown, but decides nothing.

    Decimal, not float, so that every machine shows the same digits.
    """

    value: Decimal

    def __str__(self) -> str:
        return f"about {rounded(self.value)}"


@record
class Several:
    """What a table gives where bands overlap: the values of all rows that fit, in the table's order."""

    table: str
    values: tuple[Number | str | None, ...]

    def __str__(self) -> str:
        return " and ".join(str(each) for each in self.values)


Value: TypeAlias = "Number | bool | str | Approximate | Several | tuple[Value, ...] | tuple[Die, ...] | None"


def rounded(value: Decimal, digits: int = 6) -> str:
    """So many significant digits, without an exponent where the number is of a readable size."""
    short = Decimal(f"{value:.{digits - 1}e}").normalize()
    return f"{short:f}" if -digits < short.adjusted() < 2 * digits else f"{short:e}"


def value_text(value: object) -> str:
    """A value as the language writes it: `yes`, `7/2`, `none`, `2, 0, 3`."""
    match value:
        case True:
            return "yes"
        case False:
            return "no"
        case None:
            return "none"
        case tuple() | list():
            return ", ".join(map(value_text, value)) if value else "an empty list"
        case int() if value.bit_length() > 300:
            return f"a number of about {value.bit_length() * 3 // 10:,} digits"
        case _:
            return str(value)


def whole_text(number: int) -> str:
    """All digits of a number of any length; `str` refuses those beyond a few thousand."""
    if number.bit_length() <= SHORT_BITS:
        return str(number)
    if number < 0:
        return f"-{whole_text(-number)}"
    half = number.bit_length() * 3 // 20
    high, low = divmod(number, 10**half)
    return whole_text(high) + whole_text(low).zfill(half)


def exact_text(number: int | Fraction) -> str:
    """The number or fraction with all its digits."""
    if number.denominator == 1:
        return whole_text(number.numerator)
    return f"{whole_text(number.numerator)}/{whole_text(number.denominator)}"


def nearest_float(number: int | Fraction) -> float | None:
    """The nearest float; None for what is beyond the largest one."""
    try:
        return float(number)
    except OverflowError:
        return None


def face_text(face: Face) -> str:
    """What a die shows: a number, its symbols, both (`6 & tengwar`), or `blank`."""
    if isinstance(face, tuple):
        return " & ".join(map(str, face)) or "blank"
    return str(face)


def whole_if_it_is(number: int | Fraction) -> int | Fraction:
    """The same number, as an int where it is whole."""
    return number.numerator if number.denominator == 1 else number
