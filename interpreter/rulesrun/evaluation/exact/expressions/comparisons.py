"""Comparisons of unknown numbers, as conditions on sums: ranges in which a form lies, or faces that show."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import ceil, floor
from typing import Any

from rulesrun.evaluation import operations
from rulesrun.evaluation.exact import beyond
from rulesrun.evaluation.exact.abreast import NotAbreast, Swept, joined
from rulesrun.evaluation.exact.beyond import Beyond
from rulesrun.evaluation.exact.expressions.compiling import Compilers, Evaluated, compiled
from rulesrun.evaluation.exact.seen import Seen, Uncapped
from rulesrun.evaluation.exact.symbols import AnyShows, Asked, Extreme, Floor, Inside, Linear, Ranges, add, plain, times
from rulesrun.semantics import plan


def _compare(at: plan.Compare) -> Evaluated:
    left, right = compiled(at.left), compiled(at.right)
    operator = at.operator
    may_be_swept = isinstance(at.left, plan.Var) or isinstance(at.right, plan.Var)

    def compare(seen: Seen) -> Any:
        a, b = left(seen), right(seen)
        if type(a) is int and type(b) is int:
            return operations.COMPARISONS[operator](a, b)
        if may_be_swept and (type(a) is Swept or type(b) is Swept):
            return _compared_each(a, b, operator, slow, seen)
        return slow(a, b, seen)

    def slow(a: Any, b: Any, seen: Seen) -> Any:
        if type(a) is int and type(b) is int:
            return operations.COMPARISONS[operator](a, b)
        unknown_a, unknown_b = isinstance(a, Linear), isinstance(b, Linear)
        if unknown_a or unknown_b:
            numbers = (unknown_a or isinstance(a, int | Fraction)) and (unknown_b or isinstance(b, int | Fraction))
            if numbers and not isinstance(a, bool) and not isinstance(b, bool):
                seen.algebra.look_at(COMPARED)
                if not unknown_b:
                    return compared(a, operator, seen, b)
                if not unknown_a:
                    return compared(b, _MIRRORED.get(operator, operator), seen, a)
                return compared(add(a, b, -1), operator, seen)
        a, b = seen.bounded(a), seen.bounded(b)
        if isinstance(a, Beyond) or isinstance(b, Beyond):
            return operator == "!=" if a is None or b is None else beyond.compared(a, b, operator)
        return operations.compare(a, b, at)

    return compare


def _compared_each(
    a: Any, b: Any, operator: str, one: Callable[[Any, Any, Seen], Any], seen: Seen
) -> AnyShows | Inside | bool:
    """A comparison with a number that is another in each cell. Raises `Apart`."""
    if type(a) is Swept:
        if type(b) is Swept:
            raise NotAbreast
        values, sign, unknown = a.values, 1, times(b, -1) if isinstance(b, Linear) else None
    else:
        values, sign, unknown = b.values, -1, a
    answers: dict[int, Any] = {}
    if isinstance(unknown, Linear) and not unknown.layered:
        form, factor = unknown.canonical()
        if seen.capped(form) is None:
            for cell in seen.cells:
                constant = unknown.constant + sign * values[cell]
                ranges = _ranges_where(factor, constant, operator)
                answers[cell] = ranges if isinstance(ranges, bool) else _condition(form, ranges, seen)
            return joined(answers, len(values))  # type: ignore[no-any-return]
    for cell in seen.cells:
        answers[cell] = one(values[cell], b, seen) if sign == 1 else one(a, values[cell], seen)
    return joined(answers, len(values))  # type: ignore[no-any-return]


COMPARED = 9
"""A comparison of unknown numbers takes as long as to look at so many items of a list."""


def compared(difference: Linear | int | Fraction, operator: str, seen: Seen, less: int | Fraction = 0) -> Any:
    """`difference - less operator 0`, as a condition where it is unknown."""
    if less and isinstance(difference, Linear) and not difference.layered:
        form, factor = difference.canonical()
        if seen.capped(form) is None:
            ranges = _ranges_where(factor, difference.constant - less, operator)
            return ranges if isinstance(ranges, bool) else _condition(form, ranges, seen)
    if less:
        difference = add(difference, less, -1)
    if not isinstance(difference, Linear):
        return operations.COMPARISONS[operator](difference, 0)
    if difference.layered:
        return _layered_compared(difference, operator, seen)
    form, factor = difference.canonical()
    ranges = _ranges_where(factor, difference.constant, operator)
    if isinstance(ranges, bool):
        return ranges
    cap = seen.capped(form)
    if cap is not None:
        seen.algebra.look_at(sum(len(scores) for _, scores in form.terms))
        if seen.mixed(form) or not _rising(form):
            return _compared_by_parts(difference, operator, seen)
        ends = [end for pair in ranges.ranges for end in pair if end is not None]
        if any(end > cap or (end == cap and operator in ("=", "!=")) for end in ends):
            raise Uncapped(max(ends) + 1)
    return _condition(form, ranges, seen)


def _condition(form: Linear, ranges: Ranges, seen: Seen) -> AnyShows | Inside | bool:
    shows = _as_shows(form, ranges, seen)
    return Inside(form, ranges) if shows is None else shows


def _ranges_where(factor: int | Fraction, constant: int | Fraction, operator: str) -> Ranges | bool:
    """Where a form lies if `constant + factor * form operator 0`; yes or no if that is so whatever it is."""
    threshold = -constant if factor == 1 else Fraction(-constant) / Fraction(factor)
    if factor < 0:
        operator = _MIRRORED.get(operator, operator)
    match operator:
        case ">=":
            return Ranges.of(ceil(threshold), None)
        case ">":
            return Ranges.of(floor(threshold) + 1, None)
        case "<=":
            return Ranges.of(None, floor(threshold))
        case "<":
            return Ranges.of(None, ceil(threshold) - 1)
        case _:
            if threshold.denominator != 1:
                return operator == "!="
            ranges = Ranges.of(int(threshold), int(threshold))
            return ranges.rest() if operator == "!=" else ranges


_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}


def _rising(form: Linear) -> bool:
    """Whether a form is one sum or one answer that grows with every face."""
    if form.terms:
        return not form.leftovers and all(x >= 0 for _, scores in form.terms for x in scores)
    return len(form.leftovers) == 1 and form.leftovers[0][1] > 0


def _layered_compared(difference: Linear, operator: str, seen: Seen) -> Any:
    """A comparison of a rounded number or an extreme, taken to what is inside it."""
    if difference.terms or len(difference.leftovers) > 1:
        return _compared_by_parts(difference, operator, seen)
    ((only, factor),) = difference.leftovers
    bound = plain(Fraction(-difference.constant) / Fraction(factor))
    if factor < 0:
        operator = _MIRRORED.get(operator, operator)
    if isinstance(only, Extreme):
        return _extreme_compared(only, operator, bound, seen)
    assert isinstance(only, Floor)
    low, high = ceil(bound), floor(bound) + 1
    match operator:
        case ">=":
            return compared(add(only.inner, low, -1), ">=", seen)
        case ">":
            return compared(add(only.inner, high, -1), ">=", seen)
        case "<":
            return compared(add(only.inner, low, -1), "<", seen)
        case "<=":
            return compared(add(only.inner, high, -1), "<", seen)
        case _:
            equal = (
                low == bound
                and decided(compared(add(only.inner, low, -1), ">=", seen), seen)
                and decided(compared(add(only.inner, low + 1, -1), "<", seen), seen)
            )
            return equal == (operator == "=")


def _compared_by_parts(difference: Linear, operator: str, seen: Seen) -> Any:
    """A comparison of a sum of which each part has to be known but the last."""
    parts = list(seen.parts(difference))
    left = [part for part in parts if not seen.is_settled(part[0])]
    if len(parts) > 1 and len(left) == 1:
        known = seen.total(difference.constant, [part for part in parts if part not in left])
        if not isinstance(known, Beyond):
            return compared(add(times(*left[0]), known), operator, seen)
    known = seen.bounded(difference)
    if isinstance(known, Beyond):
        return beyond.compared(known, 0, operator)
    return operations.COMPARISONS[operator](known, 0)


def _extreme_compared(extreme: Extreme, operator: str, bound: int | Fraction, seen: Seen) -> bool:
    if operator in ("=", "!="):
        equal = _extreme_compared(extreme, ">=", bound, seen) and _extreme_compared(extreme, "<=", bound, seen)
        return equal == (operator == "=")
    any_will_do = extreme.highest == (operator in (">", ">="))
    for item in extreme.items:
        if decided(compared(add(item, bound, -1), operator, seen), seen) == any_will_do:
            return any_will_do
    return not any_will_do


def decided(condition: Any, seen: Seen) -> bool:
    """A comparison's answer for certain."""
    return condition if isinstance(condition, bool) else seen.decide(condition)


def _as_shows(form: Linear, ranges: Ranges, seen: Seen) -> AnyShows | bool | None:
    """The highest or lowest of a pool in ranges, said as faces that show; None where it is another form."""
    if form.terms or len(form.leftovers) != 1:
        return None
    asked, factor = form.leftovers[0]
    if not isinstance(asked, Asked) or asked.what not in ("highest", "lowest") or asked.pool.steps or factor != 1:
        return None
    counts = [seen.count(slot) for slot, _ in asked.pool.pieces]
    if len(ranges.ranges) != 1 or not any(counts) or any(None in images for _, images in asked.pool.pieces):
        return None
    (low, high), highest = ranges.ranges[0], asked.what == "highest"
    if low is not None and high is not None:
        return None
    above = low is not None
    bound = low if low is not None else high
    assert bound is not None
    # "some die at or beyond the bound", or the opposite of "some die on its other side"
    some = above == highest
    limit = bound if some else (bound - 1 if above else bound + 1)
    upward = above if some else not above
    if any(die.face >= limit if upward else die.face <= limit for die in asked.pool.fixed):  # type: ignore[operator]
        return some
    marks = []
    for slot, images in asked.pool.pieces:
        beyond_limit = [face >= limit if upward else face <= limit for face in images]  # type: ignore[operator]
        bits = sum(1 << i for i, is_beyond in enumerate(beyond_limit) if is_beyond)
        if bits:
            marks.append((slot, bits))
    if not marks:
        return not some
    return AnyShows(tuple(sorted(marks)), not some)


COMPILERS: Compilers = {
    plan.Compare: _compare,
}
