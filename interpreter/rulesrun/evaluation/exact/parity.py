"""Whether a product or a power is odd, from whether its parts are: that needs no endless number to be known."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from rulesrun.evaluation.exact.seen import Seen
from rulesrun.evaluation.exact.symbols import Linear
from rulesrun.semantics import plan
from rulesrun.semantics.renaming import parts

Parity: TypeAlias = Callable[[Seen], "bool | None"]
"""Whether a whole number is odd; None where that cannot be told without knowing it."""
Compile: TypeAlias = Callable[[plan.Expression], Callable[[Seen], Any]]
OfParity: TypeAlias = Callable[[Linear, bool, Seen], Any]
"""The condition that an unknown number is odd; None where it has to be known."""


def compiled_parity(at: plan.Expression, compiled: Compile, of_parity: OfParity) -> Parity | None:
    """Whether a number with a product or power in it is odd; None for any other, whose value is asked itself."""
    if not isinstance(at, plan.Arithmetic) or at.operator == "/":
        return None
    if not any(isinstance(each, plan.Arithmetic) and each.operator in ("*", "^") for each in parts(at)):
        return None
    return _parity(at, compiled, of_parity)


def _parity(at: plan.Expression, compiled: Compile, of_parity: OfParity) -> Parity:
    if isinstance(at, plan.Arithmetic) and at.operator in ("+", "-", "*"):
        left, right = (_parity(each, compiled, of_parity) for each in (at.left, at.right))
        product = at.operator == "*"

        def both(seen: Seen) -> bool | None:
            a, b = left(seen), right(seen)
            if a is None or b is None:
                return None
            return (a and b) if product else a != b

        return both
    if isinstance(at, plan.Arithmetic) and at.operator == "^":
        base, exponent = _parity(at.left, compiled, of_parity), compiled(at.right)

        def power(seen: Seen) -> bool | None:
            times = exponent(seen)
            return base(seen) if type(times) is int and times > 0 else None

        return power
    value = compiled(at)

    def odd(seen: Seen) -> bool | None:
        found = value(seen)
        if type(found) is int:
            return found % 2 == 1
        if not isinstance(found, Linear) or found.layered:
            return None
        condition = of_parity(found, True, seen)
        return None if condition is None else seen.truth(condition, at)

    return odd
