"""Values from outside: the text of a command line, the values of a Python call, judged by the domain they are for.

In: a domain of a plan and a value. Out: the constant, or a `RulesError` without a place that names the domain in words.
Number domains mean whole numbers, unless a setting's own value is a fraction.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TypeAlias, cast

from rulesrun.diagnostics import RulesError
from rulesrun.limits import in_force
from rulesrun.suggestions import nearest

from . import plan
from .constants import is_number, number_of, plain
from .plan import Constant, Number

Levels: TypeAlias = Mapping[str, Mapping[str, Number]]

_NUMBER = re.compile(r"[+-]?\d+(\.\d+|/\d+)?%?", re.ASCII)
_MINUS = str.maketrans({"\u2212": "-"})


def read_value(domain: plan.Domain, text: str, levels: Levels) -> Constant:
    """The value that a text stands for: `3`, `1/2`, `35%`, `yes`, `none`, `medium`, `focus`, `2,0,3`. Bounds that are
    not constant are not judged.
    """
    if isinstance(domain, plan.TextDomain) and not (domain.optional and text.strip() == "none"):
        return accept(domain, text.strip(), levels)
    if isinstance(domain, plan.ListDomain) and text.strip() != "none":
        inside = text.strip().removeprefix("[").removesuffix("]")
        return tuple(read_value(domain.items, each, levels) for each in inside.split(",")) if inside.strip() else ()
    low, high = _bounds(domain)
    return accept(domain, _read(text.strip()), levels, low, high)


_ANSWERS = {"yes": ("yes", "y", "true", "on"), "no": ("no", "n", "false", "off")}
_SPAN = re.compile(r"(-?[0-9]+)[ \t]*(?:-|\.{3,}|to|:)[ \t]*(-?[0-9]+)")
"""Ends of a range that is not written with two dots."""


def accept(
    domain: plan.Domain, value: object, levels: Levels, low: Number | None = None, high: Number | None = None
) -> Constant:
    """The constant for a Python value; `low` and `high` are the bounds of a number, or of the numbers of a list."""
    if value is None and domain.optional:
        return None
    match domain:
        case plan.ListDomain(items=items):
            if not isinstance(value, list | tuple | range):
                raise _refuse(domain, value, levels, low, high)
            return tuple(accept(items, each, levels, low, high) for each in value)
        case plan.TextDomain() if isinstance(value, str):
            return value
        case plan.YesNoDomain() if isinstance(value, bool):
            return value
        case plan.NumberDomain(whole=whole):
            number = _number(value)
            if number is None or (whole and number.denominator != 1) or not _within(number, low, high):
                raise _refuse(domain, value, levels, low, high)
            return number
        case plan.LevelsDomain(levels=name):
            number = levels[name].get(value) if isinstance(value, str) else _number(value)
            if number is None:
                raise _refuse(domain, value, levels, low, high)
            return number
        case plan.OneOfDomain(options=options):
            known = _number(value) if not isinstance(value, str) else value
            if known is not None and known in options:
                return known
            raise _refuse(domain, value, levels, low, high)
        case _:
            raise _refuse(domain, value, levels, low, high)


def misfit(domain: plan.Domain, value: Constant, levels: Levels) -> bool:
    """Whether a constant certainly lies outside a domain; bounds that are not constant are not judged."""
    if isinstance(domain, plan.FacesDomain):
        return value is None and not domain.optional
    try:
        accept(domain, value, levels, *_bounds(domain))
    except RulesError:
        return True
    return False


def domain_text(
    domain: plan.Domain, levels: Levels | None = None, low: Number | None = None, high: Number | None = None
) -> str:
    """A domain in words: `a whole number from 0 to 5, or none`; evaluated bounds may be given."""
    none = ", or none" if domain.optional else ""
    match domain:
        case plan.NumberDomain(whole=whole):
            return ("a whole number" if whole else "a number") + _range_text(domain, low, high) + none
        case plan.YesNoDomain():
            return "yes, no or none" if domain.optional else "yes or no"
        case plan.OneOfDomain(options=options):
            words = [str(each) for each in options] + (["none"] if domain.optional else [])
            return " or ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else words[0]
        case plan.LevelsDomain(levels=name):
            named = ", ".join(f"{word} ({number})" for word, number in (levels or {}).get(name, {}).items())
            return f"{named} or any number{none}" if named else f"one of the {name} or any number{none}"
        case plan.TextDomain():
            return f"a text{none}"
        case plan.FacesDomain():
            return f"faces such as 6..10{none}"
        case plan.ListDomain(items=items):
            return f"a list, each item {domain_text(items, levels, low, high)}{none}"


def _range_text(domain: plan.NumberDomain, low: Number | None, high: Number | None) -> str:
    below = str(low) if low is not None else "" if domain.low is None else domain.low.span.text
    above = str(high) if high is not None else "" if domain.high is None else domain.high.span.text
    if below and above:
        return f" from {below} to {above}"
    return f" of {below} or more" if below else f" of {above} or less" if above else ""


def _bounds(domain: plan.Domain) -> tuple[Number | None, Number | None]:
    if isinstance(domain, plan.ListDomain):
        return _bounds(domain.items)
    return (number_of(domain.low), number_of(domain.high)) if isinstance(domain, plan.NumberDomain) else (None, None)


def _within(number: Number, low: Number | None, high: Number | None) -> bool:
    return (low is None or low <= number) and (high is None or number <= high)


def _number(value: object) -> Number | None:
    return plain(Fraction(cast(Number, value))) if is_number(value) else None


def _read(text: str) -> object:
    number = text.translate(_MINUS)
    if len(number) <= in_force.get().digits and _NUMBER.fullmatch(number):
        percent = number.endswith("%")
        try:
            return plain(Fraction(number.removesuffix("%")) / (100 if percent else 1))
        except ZeroDivisionError:
            return text
    return {"yes": True, "no": False, "none": None}.get(text, text)


def _refuse(domain: plan.Domain, value: object, levels: Levels, low: Number | None, high: Number | None) -> RulesError:
    options: list[str] = []
    if isinstance(domain, plan.OneOfDomain):
        options = [each for each in domain.options if isinstance(each, str)]
    elif isinstance(domain, plan.LevelsDomain):
        options = list(levels[domain.levels])
    return RulesError.of(
        f"{_shown(value)} is not {domain_text(domain, levels, low, high)}",
        code="outside-domain",
        hint=_meant(domain, value, [*options, *(["none"] if domain.optional else [])]),
    )


def _meant(domain: plan.Domain, value: object, options: Sequence[str]) -> str | None:
    """What was probably meant by a text."""
    if not isinstance(value, str):
        return None
    if isinstance(domain, plan.YesNoDomain):
        answers = [answer for answer, words in _ANSWERS.items() if value.casefold() in words]
        return f"write `{answers[0]}`" if answers else _maybe(value, options)
    if isinstance(domain, plan.NumberDomain | plan.LevelsDomain) and (ends := _SPAN.fullmatch(value.strip())):
        return f"several values are written {ends[1]}..{ends[2]}"
    return _maybe(value, options)


def _maybe(value: str, options: Sequence[str]) -> str | None:
    near = nearest(value, options)
    return f"did you mean {near}?" if near else None


def _shown(value: object) -> str:
    match value:
        case True:
            return "yes"
        case False:
            return "no"
        case None:
            return "none"
        case list() | tuple():
            return "a list" if value else "an empty list"
        case int() if abs(value) >= 10**40:
            return "so large a number"
        case Fraction() if 10**6 % value.denominator == 0 and abs(value) < 10**9:
            return f"{float(value):.6f}".rstrip("0").rstrip(".")
        case int() | Fraction():
            return str(value)
        case float():
            return (
                f"{value!r} (a floating-point number; give a Fraction)"
                if value % 1
                else f"{value!r} (a floating-point number; give an int)"
            )
        case str():
            return f"`{value[:40]}{'…' if len(value) > 40 else ''}`"
        case _:
            return f"a {type(value).__name__}"
