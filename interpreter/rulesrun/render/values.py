"""Values and domains in the words of the language: `yes`, `7/2`, `0..5`, `one of calm, alert or none`.

In: domains, expressions and exact numbers of a plan. Out: text for people, numbers correctly rounded.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal
from fractions import Fraction

from rulesrun.semantics.plan import (
    Domain,
    Expression,
    FacesDomain,
    LevelsDomain,
    ListDomain,
    Number,
    NumberDomain,
    OneOfDomain,
    TextDomain,
    YesNoDomain,
)

_SMALL = Fraction(1, 2000)
_LARGE = 10**24
_EXACT = 10**12
_MANIFOLD, _LARGE_SHARE = 100, 10**5

Levels = Mapping[str, Mapping[str, Number]]
"""The named numbers of a ruleset, by the name of the levels."""


def value_key(value: object) -> str:
    """A value as the key of an object: yes/no as `true` and `false`, none as `null`."""
    if value is None:
        return "null"
    return str(value).lower() if isinstance(value, bool) else str(value)


def domain_text(domain: Domain, levels: Levels) -> str:
    """A domain as the language writes it; levels with their numbers."""
    none = " or none" if domain.optional else ""
    match domain:
        case NumberDomain(low, high):
            return f"{_bound(low)}..{_bound(high)}{none}"
        case YesNoDomain():
            return f"yes or no{none}"
        case OneOfDomain(options):
            return ", ".join(map(str, options)) + none
        case LevelsDomain(name):
            return ", ".join(f"{level} {value}" for level, value in levels[name].items()) + f", any number{none}"
        case TextDomain():
            return f"text{none}"
        case FacesDomain():
            return f"faces{none}"
        case ListDomain(items):
            return f"list of {domain_text(items, levels)}{none}"


def written(expression: Expression) -> str:
    """An expression as the ruleset writes it, on one line."""
    return " ".join(expression.span.text.split())


def percent(chance: Fraction) -> str:
    """A chance for people: two decimals, never 0% or 100% for what is merely unlikely or likely."""
    if chance in (0, 1):
        return f"{100 * chance}%"
    hundredths = round(chance * 10_000)
    if hundredths == 0:
        return "<0.01%"
    if hundredths == 10_000:
        return ">99.99%"
    return f"{hundredths // 100}.{hundredths % 100:02}%"


def share(number: Fraction) -> str:
    """A share of any size for people: a percentage, from a hundred times on rounded."""
    if number < _MANIFOLD:
        return percent(number)
    return f"~{_scientific(100 * number)}%" if number >= _LARGE_SHARE else f"{round(100 * number):,}%"


def decimal(number: Fraction | int) -> str:
    """A number for people: at most four decimals, marked with `~` where that is rounded; never 0 for what is not."""
    size = abs(Fraction(number))
    if 0 < size < _SMALL or size >= _LARGE:
        return f"~{_scientific(number)}"
    shifted = round(size * 10_000)
    text = f"{'-' if number < 0 else ''}{shifted // 10_000}.{shifted % 10_000:04}".rstrip("0").rstrip(".")
    return text if Fraction(text) == number else f"~{text}"


def deviation(sd: float) -> str:
    """A standard deviation for people: three decimals, never 0 for what is not, and no digits that a float lacks."""
    return f"{sd:.3f}" if sd == 0 or _SMALL <= sd < _EXACT else f"{sd:.2e}"


def _scientific(number: Fraction | int) -> str:
    """`1.23e-400`: also numbers that no float can hold."""
    context = Context(prec=20, Emax=MAX_EMAX, Emin=MIN_EMIN)
    mantissa, _, power = f"{context.divide(Decimal(number.numerator), Decimal(number.denominator)):.2e}".partition("e")
    return f"{mantissa}e{int(power):+03}"


def _bound(bound: Expression | None) -> str:
    return "" if bound is None else written(bound)
