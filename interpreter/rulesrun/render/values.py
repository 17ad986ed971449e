"""Values and domains in the words of the language: `yes`, `7/2`, `0..5`, `one of calm, alert or none`.

In: values and domains of a plan. Out: text for people, or what `json.dumps` takes. Numbers are exact: fractions in
lowest terms.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from rulesrun.evaluation.values import face_text
from rulesrun.semantics.plan import (
    Domain,
    Expression,
    Face,
    FacesDomain,
    LevelsDomain,
    ListDomain,
    Number,
    NumberDomain,
    OneOfDomain,
    YesNoDomain,
)

Levels = Mapping[str, Mapping[str, Number]]
"""The named numbers of a ruleset, by the name of the levels."""

Json = int | float | bool | str | None | list["Json"] | dict[str, "Json"]


def value_json(value: object) -> Json:
    """A value for JSON: yes/no as true/false, none as null, labels and fractions as text."""
    match value:
        case None | bool() | int() | str():
            return value
        case tuple() | list():
            return [value_json(each) for each in value]
        case _:
            return str(value)


def face_json(face: Face) -> Json:
    """A face for JSON, as `--dice` takes it back."""
    return face if isinstance(face, int) else face_text(face)


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


def _bound(bound: Expression | None) -> str:
    return "" if bound is None else written(bound)
