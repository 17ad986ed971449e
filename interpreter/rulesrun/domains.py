"""Whether a value that a caller gives lies in a domain, and which constant it is there.

In: a Python value (int, Fraction, bool, str, None, list). Out: the constant of the plan, or a `Misfit`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from numbers import Integral, Rational

from rulesrun.evaluation.values import whole_if_it_is
from rulesrun.render.values import Levels
from rulesrun.semantics.plan import (
    Constant,
    Domain,
    Expression,
    LevelsDomain,
    ListDomain,
    Number,
    NumberDomain,
    OneOfDomain,
    YesNoDomain,
)
from rulesrun.suggestions import nearest

Bound = Callable[[Expression], Constant]
"""The value of a bound of a domain."""


class Misfit(Exception):
    """The value does not lie in the domain; `hint` is the likely fix, if there is one."""

    def __init__(self, hint: str | None = None) -> None:
        super().__init__(hint)
        self.hint = hint


def fit(value: object, domain: Domain, levels: Levels, bound: Bound) -> Constant:
    """The constant that the value is in this domain; raises `Misfit` if it is none."""
    if value is None and domain.optional:
        return None
    match domain:
        case NumberDomain(low, high):
            number = _number(value)
            below = low is not None and number < _whole(bound(low))
            above = high is not None and number > _whole(bound(high))
            if not isinstance(number, int) or below or above:
                raise Misfit()
            return number
        case YesNoDomain():
            if not isinstance(value, bool):
                raise Misfit()
            return value
        case OneOfDomain(options):
            return _option(value, options)
        case LevelsDomain(name):
            return _level(value, levels[name])
        case ListDomain(items):
            if isinstance(value, str | Mapping) or not isinstance(value, Iterable):
                raise Misfit("a list is written 2,0,3 in a call and [2, 0, 3] in Python")
            return tuple(fit(each, items, levels, bound) for each in value)
    raise Misfit()


def _number(value: object) -> Number:
    if isinstance(value, Integral) and not isinstance(value, bool):
        return int(value)
    if isinstance(value, Rational) and not isinstance(value, bool):
        return whole_if_it_is(Fraction(int(value.numerator), int(value.denominator)))
    raise Misfit()


def _whole(value: Constant) -> Number:
    if isinstance(value, int | Fraction):
        return value
    raise Misfit()


def _option(value: object, options: Iterable[str | Number]) -> str | Number:
    for option in options:
        same_kind = isinstance(option, str) == isinstance(value, str) and not isinstance(value, bool)
        if same_kind and option == value:
            return option
    raise Misfit(_meant(value, [each for each in options if isinstance(each, str)]))


def _level(value: object, levels: Mapping[str, Number]) -> Number:
    if isinstance(value, str):
        if value not in levels:
            raise Misfit(_meant(value, levels))
        return levels[value]
    return _number(value)


def _meant(value: object, labels: Iterable[str]) -> str | None:
    near = nearest(value, labels) if isinstance(value, str) else None
    return f"did you mean {near}?" if near else None
