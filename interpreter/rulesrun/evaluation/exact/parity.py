"""Whether a product or a power is odd, from whether its parts are: that needs no endless number to be known."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import and_, xor
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
ODD: Mapping[str, Callable[[bool, bool], bool]] = {"+": xor, "-": xor, "*": and_}
"""Whether what is worked out from two numbers is odd, from whether they are."""


def compiled_parity(at: plan.Expression, compiled: Compile, of_parity: OfParity) -> Parity | None:
    """Whether a number with a product or power in it is odd; None for any other, whose value is asked itself."""
    if not isinstance(at, plan.Arithmetic) or at.operator == "/":
        return None
    if not any(isinstance(each, plan.Arithmetic) and each.operator in ("*", "^") for each in parts(at)):
        return None
    return _parity(at, compiled, of_parity)


def _parity(at: plan.Expression, compiled: Compile, of_parity: OfParity) -> Parity:
    match at:
        case plan.Arithmetic(operator="+" | "-" | "*"):
            left, right = (_parity(each, compiled, of_parity) for each in (at.left, at.right))
            return _of_two(left, right, ODD[at.operator])
        case plan.Arithmetic(operator="^"):
            return _of_power(_parity(at.left, compiled, of_parity), compiled(at.right))
    value = compiled(at)

    def odd(seen: Seen) -> bool | None:
        found = value(seen)
        if type(found) is int:
            return found % 2 == 1
        condition = of_parity(found, True, seen) if isinstance(found, Linear) else None
        return None if condition is None else seen.truth(condition, at)

    return odd


def _of_two(left: Parity, right: Parity, odd: Callable[[bool, bool], bool]) -> Parity:
    def both(seen: Seen) -> bool | None:
        a, b = left(seen), right(seen)
        return None if a is None or b is None else odd(a, b)

    return both


def _of_power(base: Parity, exponent: Callable[[Seen], Any]) -> Parity:
    def power(seen: Seen) -> bool | None:
        times = exponent(seen)
        return base(seen) if type(times) is int and times > 0 else None

    return power
