"""Numbers worked out from numbers some of which are unknown: they stay unknown where they are sums, multiples, rounded
numbers or extremes of such, and are split, spread or looked at otherwise.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rulesrun.evaluation import operations
from rulesrun.evaluation.exact import beyond
from rulesrun.evaluation.exact.beyond import Beyond
from rulesrun.evaluation.exact.expressions.comparisons import compared, decided
from rulesrun.evaluation.exact.expressions.compiling import Compilers, Evaluated, compiled
from rulesrun.evaluation.exact.forms import reads_endless
from rulesrun.evaluation.exact.one_die import of_one_die
from rulesrun.evaluation.exact.seen import Seen
from rulesrun.evaluation.exact.symbols import (
    AnyShows,
    Extreme,
    Floor,
    Inside,
    Linear,
    UnknownPool,
    add,
    is_number,
    times,
)
from rulesrun.evaluation.exact.within import inside_for_certain
from rulesrun.semantics import plan
from rulesrun.semantics.domains import number_bounds


def _arithmetic(at: plan.Arithmetic) -> Evaluated:
    left, right = compiled(at.left), compiled(at.right)
    operator = at.operator

    def slow(a: Any, b: Any, seen: Seen) -> Any:
        if isinstance(a, Linear | AnyShows | Inside | UnknownPool) or isinstance(
            b, Linear | AnyShows | Inside | UnknownPool
        ):
            if isinstance(a, int | Fraction | Linear) and isinstance(b, int | Fraction | Linear):
                made = seen.algebra.made((operator, a, b), lambda: _unknown_arithmetic(a, b, operator))
                if made is not NotImplemented:
                    return made
                found = of_one_die((a, b), lambda pair: operations.arithmetic(pair[0], pair[1], at), seen)
                if found is not None:
                    return found
                if operator in ("*", "/") and isinstance(b, Linear) and not endless_number(b, seen):
                    if endless_number(a, seen):
                        return slow(a, seen.known(b), seen)
                elif operator == "*" and isinstance(a, Linear) and not endless_number(a, seen):
                    return slow(seen.known(a), b, seen)
            a, b = seen.bounded(a), seen.bounded(b)
        if isinstance(a, Beyond) or isinstance(b, Beyond):
            return beyond.arithmetic(a, b, operator)
        return operations.arithmetic(a, b, at)

    if operator == "+":

        def plus(seen: Seen) -> Any:
            a, b = left(seen), right(seen)
            return (
                a + b
                if type(a) is int and type(b) is int and -_SMALL < a < _SMALL and -_SMALL < b < _SMALL
                else slow(a, b, seen)
            )

        return plus
    if operator == "-":

        def minus(seen: Seen) -> Any:
            a, b = left(seen), right(seen)
            return (
                a - b
                if type(a) is int and type(b) is int and -_SMALL < a < _SMALL and -_SMALL < b < _SMALL
                else slow(a, b, seen)
            )

        return minus
    return lambda seen: slow(left(seen), right(seen), seen)


def _unknown_arithmetic(a: Any, b: Any, operator: str) -> Any:
    """`a operator b`, one of them unknown, as an unknown number; NotImplemented where it is none."""
    if operator == "+":
        return add(a, b)
    if operator == "-":
        return add(a, b, -1)
    if operator == "*":
        if not isinstance(a, Linear):
            return times(b, a)
        if not isinstance(b, Linear):
            return times(a, b)
    if operator == "/" and not isinstance(b, Linear) and b:
        return times(a, Fraction(1) / b)
    return NotImplemented


def endless_number(value: Any, seen: Seen) -> bool:
    """Whether it is an unknown number of dice that may go on without end."""
    return isinstance(value, Linear) and reads_endless(value, seen.sources)


_SMALL = 1 << 60


def _negative(at: plan.Negative) -> Evaluated:
    operand = compiled(at.operand)

    def negative(seen: Seen) -> Any:
        value = operand(seen)
        if isinstance(value, Linear):
            return times(value, -1)
        return beyond.negative(value) if isinstance(value, Beyond) else operations.negative(seen.known(value), at)

    return negative


def _function(at: plan.Function) -> Evaluated:
    arguments = [compiled(each) for each in at.arguments]
    name = at.name

    def call(seen: Seen) -> Any:
        values = [each(seen) for each in arguments]
        unknown = sum(isinstance(value, Linear | UnknownPool | AnyShows | Inside | Beyond) for value in values)
        if not unknown:
            return operations.function(values, at)
        if all(map(is_number, values)):
            found = of_one_die(values, lambda known: operations.function(known, at), seen)
            if found is None:
                found = unknown_function(name, values, unknown, seen)
            if found is not None:
                return found
        values = [seen.bounded(value) for value in values]
        if any(isinstance(value, Beyond) for value in values):
            return beyond.function(name, values)
        return operations.function(values, at)

    return call


def unknown_function(name: str, values: list[Any], unknown: int, seen: Seen) -> Any:
    """A function of unknown numbers, as an unknown number; None where they have to be known."""
    if name in ("max", "min"):
        if unknown > 1:
            return Linear(0, (), ((Extreme(name == "max", tuple(values)), 1),))
        best = values[0]
        for value in values[1:]:
            better = compared(add(value, best, -1), "<" if name == "min" else ">", seen)
            best = value if decided(better, seen) else best
        return best
    if name in ("round_down", "round_up"):
        (value,) = values
        if is_whole(value):
            return value
        return floored(value) if name == "round_down" else times(floored(times(value, -1)), -1)
    if name == "remainder":
        return None
    if name == "abs":
        return values[0] if decided(compared(values[0], ">=", seen), seen) else times(values[0], -1)
    amount, low, high = values
    if isinstance(low, Linear) or isinstance(high, Linear) or low > high:
        return None
    if decided(compared(add(amount, low, -1), "<=", seen), seen):
        return low
    return high if decided(compared(add(amount, high, -1), ">=", seen), seen) else amount


def is_whole(value: Linear) -> bool:
    """Whether an unknown number is whole, whatever the dice."""
    numbers = [value.constant, *(x for _, scores in value.terms for x in scores), *(x for _, x in value.leftovers)]
    items = [item for each, _ in value.leftovers if isinstance(each, Extreme) for item in each.items]
    return all(type(x) is int for x in numbers) and all(
        is_whole(item) if isinstance(item, Linear) else type(item) is int for item in items
    )


def floored(value: Any) -> Linear:
    """An unknown number, rounded down."""
    return Linear(0, (), ((Floor(value), 1),))


def _within(at: plan.Within) -> Evaluated:
    value = compiled(at.value)
    bounds = [None if bound is None else compiled(bound) for bound in number_bounds(at.domain)]

    def hold(seen: Seen) -> Any:
        found = value(seen)
        least, most = (None if bound is None else seen.known(bound(seen)) for bound in bounds)
        if isinstance(found, Linear) and inside_for_certain(found, at.domain, least, most, seen):
            return found
        return operations.within(seen.known(found), least, most, at)

    return hold


COMPILERS: Compilers = {
    plan.Within: _within,
    plan.Arithmetic: _arithmetic,
    plan.Negative: _negative,
    plan.Function: _function,
}
