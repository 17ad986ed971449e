"""Conditions joined by not, and, or; whether an unknown number belongs to a set of faces or numbers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from math import ceil, floor
from typing import Any

from rulesrun.evaluation import operations
from rulesrun.evaluation.exact.beyond import Beyond, Lost, remainder
from rulesrun.evaluation.exact.expressions.compiling import Compilers, Evaluated, compiled, compiled_faces
from rulesrun.evaluation.exact.fallible import may_fail
from rulesrun.evaluation.exact.onward import rising
from rulesrun.evaluation.exact.parity import compiled_parity
from rulesrun.evaluation.exact.seen import Seen, Uncapped
from rulesrun.evaluation.exact.sources import Counted
from rulesrun.evaluation.exact.symbols import AnyShows, Inside, Linear, Modulo, Ranges
from rulesrun.evaluation.faces import FaceTest
from rulesrun.semantics import plan


def _not(at: plan.Not) -> Evaluated:
    operand = compiled(at.operand)

    def negated(seen: Seen) -> Any:
        value = operand(seen)
        if isinstance(value, AnyShows):
            return AnyShows(value.marks, not value.negated)
        if isinstance(value, Inside):
            return Inside(value.form, value.ranges.rest())
        return not operations.truth(value, at.operand)

    return negated


def _and(at: plan.And) -> Evaluated:
    right = compiled(at.right)
    holds = _first_side(at, right, decisive=False)

    def both(seen: Seen) -> Any:
        return holds(seen) and _yes_no(right(seen), at.right)

    return both


def _or(at: plan.Or) -> Evaluated:
    right = compiled(at.right)
    holds = _first_side(at, right, decisive=True)

    def either(seen: Seen) -> Any:
        return holds(seen) or _yes_no(right(seen), at.right)

    return either


def _first_side(at: plan.And | plan.Or, right: Evaluated, decisive: bool) -> Callable[[Seen], bool]:
    """Whether the first of two conditions holds; where that is lost beyond a bound, the second may decide alone."""
    left, may_be_asked = compiled(at.left), not may_fail(at.right)

    def holds(seen: Seen) -> bool:
        try:
            return seen.truth(left(seen), at.left)
        except Lost:
            if may_be_asked and seen.truth(right(seen), at.right) == decisive:
                return decisive
            raise

    return holds


def _yes_no(value: Any, at: plan.Expr) -> Any:
    return value if isinstance(value, AnyShows | Inside) else operations.truth(value, at)


def _in_faces(at: plan.InFaces) -> Evaluated:
    value, faces = compiled(at.value), compiled_faces(at.faces)
    parity = compiled_parity(at.value, compiled, _of_parity)

    def belongs(seen: Seen) -> Any:
        if parity is not None and (wanted := faces(seen).parity) is not None:
            odd = parity(seen)
            if odd is not None:
                return odd == wanted
        found = value(seen)
        return number_in(found, faces(seen), seen, at.value)

    return belongs


def number_in(value: Any, test: FaceTest, seen: Seen, at: plan.Expression) -> Any:
    """Whether a number, perhaps unknown, belongs to a set: yes, no, or the condition."""
    if isinstance(value, Linear) and not value.layered and (test.parity is not None or seen.capped(value) is None):
        inside = _in_endless(value, test, seen)
        if inside is not None:
            return inside
    value = seen.bounded(value)
    if isinstance(value, Beyond):
        settled = test.settled_from() if value.above else test.settled_below()
        if settled is None and value.above and value.growth is not None:
            value = _as_odd(value)
            settled = test.settled_from(2)
        if settled is None or (value.bound < settled if value.above else value.bound > settled):
            raise Lost
        value = value.bound
    return test.contains(operations.new_face(value, at))


def _as_odd(value: Beyond) -> Beyond:
    """The number with a bound that is odd where it is itself; raises `Lost` where that is not known."""
    odd = remainder(value, 2)
    return replace(value, bound=ceil(value.bound) - (ceil(value.bound) % 2 != odd))


def _in_endless(value: Linear, test: FaceTest, seen: Seen) -> Inside | None:
    """Whether an unknown number belongs to a set, as a condition on it; None where it has to be known."""
    form, factor = value.canonical()
    low, high = seen.algebra.form_bounds(seen.sources, form)
    if test.parity is not None and (low is None or high is None or seen.capped(value) is not None):
        return _of_parity(value, test.parity, seen)
    least, most = low, high
    if low is None or high is None:
        ends = test.settled_below(), test.settled_from()
        if None in ends:
            return None
        a, b = (Fraction(end - value.constant) / Fraction(factor) for end in ends)  # type: ignore[operator]
        least = min(floor(a), floor(b)) if low is None else low
        most = max(ceil(a), ceil(b), least) if high is None else high
    assert least is not None and most is not None
    if most - least > 10_000:
        return None
    found = runs([v for v in range(least, most + 1) if test.contains(value.constant + factor * v)]).ranges
    if found and low is None and found[0][0] == least:
        found = ((None, found[0][1]), *found[1:])
    if found and high is None and found[-1][1] == most:
        found = (*found[:-1], (found[-1][0], None))
    return Inside(form, Ranges(found))


def _of_parity(value: Linear, odd: bool, seen: Seen) -> Inside | None:
    numbers = (value.constant, *(x for _, scores in value.terms for x in scores))
    if value.leftovers or any(type(x) is not int for x in numbers):
        return None
    if any(isinstance(seen.sources[name], Counted) for (name, _), _ in value.terms):
        return None
    for (name, place), scores in value.terms:
        look = seen.sources[name].looks[place]
        if rising(scores, look) and look.period % 2:
            raise Uncapped(0, 2)
    terms = tuple((slot, tuple(int(x) % 2 for x in scores)) for slot, scores in value.terms)
    left = Linear(0, (), ((Modulo(tuple(pair for pair in terms if any(pair[1])), 2), 1),))
    wanted = (int(odd) - int(value.constant)) % 2
    return Inside(left, Ranges.of(wanted, wanted)) if left.leftovers[0][0].terms else None  # type: ignore[union-attr]


def runs(numbers: list[int]) -> Ranges:
    """Ascending whole numbers as ranges."""
    found: list[tuple[int | None, int | None]] = []
    for number in numbers:
        if found and found[-1][1] == number - 1:
            found[-1] = (found[-1][0], number)
        else:
            found.append((number, number))
    return Ranges(tuple(found))


COMPILERS: Compilers = {
    plan.Not: _not,
    plan.And: _and,
    plan.Or: _or,
    plan.InFaces: _in_faces,
}
