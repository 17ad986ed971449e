"""Numbers known only to lie beyond a bound: the far end of an endless row.

Most rules treat all numbers beyond some bound alike ("20 or more"), so arithmetic on `Beyond` keeps the bound as far
as it is certain, and
a comparison that the bound decides is decided. Where it does not decide, `Lost` is raised: that part of the weight
stays a tail.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor
from typing import Any, TypeAlias

from rulesrun.evaluation.exact.growth import Among, Growth
from rulesrun.semantics import plan

Number: TypeAlias = int | Fraction


class Lost(Exception):
    """What follows is not decided by the bound; it would be if only every so-manieth number of the row could be it."""

    def __init__(self, every: int = 1) -> None:
        super().__init__(every)
        self.every = every


@dataclass(frozen=True, slots=True)
class Beyond:
    """Some number at or above `bound`, or at or below it."""

    bound: Number
    above: bool
    growth: Growth | None = None
    """What it is at each n of an endless row, where that is known."""


def arithmetic(left: Any, right: Any, operator: str) -> Any:
    """`left operator right`, at least one of them beyond a bound."""
    found = _bounded(left, right, operator)
    if not isinstance(found, Beyond):
        return found
    return Beyond(found.bound, found.above, _grown(left, right, operator))


def _grown(left: Any, right: Any, operator: str) -> Growth | None:
    mine = left.growth if isinstance(left, Beyond) else None
    others = right.growth if isinstance(right, Beyond) else None
    if isinstance(left, Beyond) and isinstance(right, Beyond):
        return None if mine is None or others is None else mine.combined(others, operator)
    if mine is not None:
        if operator == "^":
            return mine.power(right)
        return mine.with_number(Fraction(1) / right, "*") if operator == "/" else mine.with_number(right, operator)
    if others is None:
        return None
    match operator:
        case "-":
            negated = others.with_number(-1, "*")
            return None if negated is None else negated.with_number(left, "+")
        case "^":
            return others.to_the(left)
        case "/":
            return None
        case _:
            return others.with_number(left, operator)


def _bounded(left: Any, right: Any, operator: str) -> Any:
    if not all(isinstance(each, Beyond | int | Fraction) and not isinstance(each, bool) for each in (left, right)):
        raise Lost
    match operator:
        case "+":
            return _sum(left, right)
        case "-":
            return _sum(left, negative(right))
        case "*":
            return _product(left, right)
        case "/":
            if isinstance(right, Beyond):
                return _product(left, _reciprocal(right)) if not isinstance(left, Beyond) else _lost()
            return _product(left, Fraction(1) / right) if right != 0 else _lost()
        case _:
            return _power(left, right)


def _sum(left: Any, right: Any) -> Any:
    if isinstance(left, Beyond) and isinstance(right, Beyond):
        if left.above != right.above:
            raise Lost
        return Beyond(left.bound + right.bound, left.above)
    if isinstance(left, Beyond):
        return Beyond(left.bound + right, left.above)
    return Beyond(left + right.bound, right.above)


def negative(value: Any) -> Any:
    """The negative of a number."""
    return arithmetic(value, -1, "*") if isinstance(value, Beyond) else -value


def _product(left: Any, right: Any) -> Any:
    if isinstance(left, Beyond) and isinstance(right, Beyond):
        if not (left.above and right.above and left.bound >= 0 and right.bound >= 0):
            raise Lost
        return Beyond(left.bound * right.bound, True)
    if not isinstance(left, Beyond):
        left, right = right, left
    if right == 0:
        return 0
    return Beyond(left.bound * right, left.above == (right > 0))


def _lost() -> Any:
    raise Lost


def _reciprocal(value: Beyond) -> Beyond:
    """1 / value: between 0 and 1 / bound, of which the bound is kept."""
    if (value.bound > 0) != value.above or value.bound == 0:
        raise Lost
    return Beyond(Fraction(1) / value.bound, not value.above)


def _power(base: Any, exponent: Any) -> Any:
    if isinstance(base, Beyond):
        whole = isinstance(exponent, int) and not isinstance(exponent, bool) and exponent > 0
        if not whole or not base.above or base.bound < 0:
            raise Lost
        return Beyond(base.bound**exponent, True)
    if not exponent.above or base < 1:
        raise Lost
    power = floor(exponent.bound)
    return Beyond(base**power if power >= 0 else Fraction(1) / base**-power, True)


def compared(left: Any, right: Any, operator: str) -> bool:
    """`left operator right`, if the bounds decide it."""
    difference = arithmetic(left, right, "-")
    if not isinstance(difference, Beyond):
        raise Lost
    if difference.above:
        if difference.bound > 0:
            return operator in (">", ">=", "!=")
        if difference.bound == 0 and operator in (">=", "<"):
            return operator == ">="
    else:
        if difference.bound < 0:
            return operator in ("<", "<=", "!=")
        if difference.bound == 0 and operator in ("<=", ">"):
            return operator == "<="
    raise Lost


def total_of(left: Any, right: Any) -> Any:
    """The sum of two numbers, each perhaps beyond a bound."""
    if isinstance(left, Beyond) or isinstance(right, Beyond):
        return arithmetic(left, right, "+")
    return left + right


def better(left: Any, right: Any) -> bool:
    """Whether a number is higher than another, each perhaps beyond a bound."""
    if isinstance(left, Beyond) or isinstance(right, Beyond):
        return compared(left, right, ">")
    return bool(left > right)


def function(name: str, values: Sequence[Any]) -> Any:
    """A function of numbers some of which lie beyond a bound."""
    match name:
        case "round_up" | "round_down":
            (value,) = values
            how: Callable[[Any], int] = ceil if name == "round_up" else floor
            return Beyond(how(value.bound), value.above, None if value.growth is None else value.growth.rounded(how))
        case "abs":
            (value,) = values
            if value.above and value.bound >= 0:
                return value
            if not value.above and value.bound <= 0:
                return negative(value)
            raise Lost
        case "remainder":
            return remainder(*values)
        case "max" | "min":
            return extreme(name == "max", values)
        case _:
            amount, low, high = values
            return extreme(True, (low, extreme(False, (high, amount))))


def remainder(value: Any, modulus: Any) -> int:
    """What a number leaves that is divided by another."""
    if not isinstance(value, Beyond) or value.growth is None or type(modulus) is not int or modulus < 1:
        raise Lost
    try:
        found = value.growth.remainder(modulus)
    except Among as wanted:
        raise Lost(wanted.every) from None
    if found is None:
        raise Lost
    return found


def extreme(highest: bool, values: Sequence[Any]) -> Any:
    """The highest or lowest of numbers."""
    known = [value for value in values if not isinstance(value, Beyond)]
    beyond = [value for value in values if isinstance(value, Beyond)]
    choose: Callable[..., Any] = max if highest else min
    toward = [value for value in beyond if value.above == highest]
    away = [value for value in beyond if value.above != highest]
    if toward:
        bound = choose([*(value.bound for value in toward), *known])
        alone = len(beyond) == 1 and bound == toward[0].bound
        return Beyond(bound, highest, toward[0].growth if alone else None)
    # each of `away` lies on the near side of its bound: a known number past all those bounds is the extreme
    best = choose(known) if known else None
    if best is not None and all((best >= value.bound) if highest else (best <= value.bound) for value in away):
        return best
    raise Lost


def row_for(table: plan.Table, value: Beyond) -> Number:
    """A number that stands for all beyond the bound in a table: raises `Lost` where rows tell them apart."""
    for row in table.rows:
        if row.key is not None:
            continue
        low, high, bound = row.low, row.high, value.bound
        if value.above:
            splits = (low is not None and low > bound) or (high is not None and high >= bound)
        else:
            splits = (low is not None and low <= bound) or (high is not None and high < bound)
        if splits:
            raise Lost
    return value.bound
