"""What an expression is worth before anything is rolled, where that can be known.

In: expressions and faces of a plan. Out: their constants, or `UNKNOWN` where an input, a roll or a table is needed, or
where the calculation belongs to the run (a division by zero, a power too large to write down).
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor
from typing import Final, Literal, TypeAlias, cast

from rulesrun.limits import in_force

from . import plan
from .borne import as_number, is_marked, number_on, symbols_on
from .plan import Constant, Face, Number
from .renaming import parts


class Unknown:
    """Stands for what is not known before the roll; there is one, `UNKNOWN`."""

    __slots__ = ()


UNKNOWN: Final = Unknown()

Known: TypeAlias = Constant | Unknown


def plain(value: Number) -> Number:
    """The number as an int where it is whole."""
    return value.numerator if value.denominator == 1 else value


def is_number(value: object) -> bool:
    """Whether a value is a number; yes and no are none."""
    return isinstance(value, int | Fraction) and not isinstance(value, bool)


def value_of(expression: plan.Expression) -> Known:
    """The constant an expression always has, or `UNKNOWN`."""
    match expression:
        case plan.Const(value=value):
            return value
        case plan.ListOf(items=items):
            values = [value_of(each) for each in items]
            return UNKNOWN if any(each is UNKNOWN for each in values) else cast(Constant, tuple(values))
        case plan.Within(value=inside):
            return value_of(inside)
        case plan.Negative(operand=operand):
            known = value_of(operand)
            return plain(-cast(Number, known)) if is_number(known) else UNKNOWN
        case plan.Arithmetic(operator=operator, left=left, right=right):
            a, b = value_of(left), value_of(right)
            return _calculated(operator, cast(Number, a), cast(Number, b)) if is_number(a) and is_number(b) else UNKNOWN
        case plan.Function(name=name, arguments=arguments):
            values = [value_of(each) for each in arguments]
            return _applied(name, cast("list[Number]", values)) if all(map(is_number, values)) else UNKNOWN
        case plan.Compare(operator=operator, left=left, right=right):
            return _compared(operator, value_of(left), value_of(right))
        case plan.IsLabel(value=value, labels=labels):
            known = value_of(value)
            return UNKNOWN if known is UNKNOWN else known in labels
        case plan.InFaces(value=value, faces=faces):
            known = value_of(value)
            return _unless_none(fits(faces, cast(Number, known))) if is_number(known) else UNKNOWN
        case plan.Not(operand=operand):
            known = value_of(operand)
            return not known if isinstance(known, bool) else UNKNOWN
        case plan.And(left=left, right=right):
            return _joined(value_of(left), right, stops=False)
        case plan.Or(left=left, right=right):
            return _joined(value_of(left), right, stops=True)
        case plan.Cases(cases=cases):
            for case in cases:
                holds = True if case.condition is None else value_of(case.condition)
                if holds is True:
                    return value_of(case.value)
                if holds is not False:
                    return UNKNOWN
            return UNKNOWN
        case plan.Question(asked="size", pool=pool):
            known = value_of(pool)
            return len(known) if isinstance(known, tuple) else UNKNOWN
        case _:
            return UNKNOWN


def is_literal(part: object) -> bool:
    """Whether a part holds no value of a setting: then what is known of it holds in every setting."""
    return not any(isinstance(each, plan.Const) and each.setting for each in parts(part))


def literal_number(expression: plan.Expression | None) -> Number | None:
    """The number that an expression is in every setting; None where that is not known."""
    return number_of(expression) if expression is not None and is_literal(expression) else None


def number_of(expression: plan.Expression | None) -> Number | None:
    """The number an expression always is; None where it is not known or not a number."""
    value = UNKNOWN if expression is None else value_of(expression)
    return cast(Number, value) if is_number(value) else None


def fits(faces: plan.FaceSet, face: Face) -> bool | None:
    """Whether a face belongs to the faces; None where that is not known before the roll."""
    found = [_fits(each, face) for each in faces.alternatives]
    if any(each is True for each in found):
        return not faces.negated
    return None if any(each is None for each in found) else faces.negated


def _fits(alternative: object, face: Face) -> bool | None:
    match alternative:
        case plan.FaceIs(value=expression):
            value = value_of(expression)
            if isinstance(value, Unknown):
                return None
            if isinstance(value, tuple):
                return face in value or as_number(face) in value
            if value == "":
                return face == ()
            return value in face if isinstance(face, tuple) else value == face
        case plan.FaceWhole(number=expression, symbols=symbols):
            number = None if expression is None else number_of(expression)
            if expression is not None and number is None:
                return None if is_marked(face) and symbols_on(face) == symbols else False
            return face == (symbols if number is None else (number, *symbols))
    number = number_on(face)
    if number is None:
        return False
    match alternative:
        case plan.FaceBetween(low=low, high=high):
            a, b = number_of(low), number_of(high)
            if (low is not None and a is None) or (high is not None and b is None):
                return None
            return (a is None or a <= number) and (b is None or number <= b)
        case plan.FaceCompare(operator=operator, bound=bound):
            limit = number_of(bound)
            return None if limit is None else bool(_compared(operator, number, limit))
        case plan.FaceParity(odd=odd):
            return number.denominator == 1 and number.numerator % 2 == odd
        case _:
            raise AssertionError(f"no alternative of a set of faces: {alternative!r}")


def _unless_none(value: bool | None) -> Known:
    return UNKNOWN if value is None else value


def _joined(left: Known, right: plan.Expression, stops: bool) -> Known:
    if left is stops:
        return stops
    value = value_of(right)
    return value if left is (not stops) and isinstance(value, bool) else UNKNOWN


def _calculated(operator: str, a: Number, b: Number) -> Known:
    match operator:
        case "+":
            return plain(Fraction(a + b))
        case "-":
            return plain(Fraction(a - b))
        case "*":
            return plain(Fraction(a * b))
        case "/":
            return plain(Fraction(a) / b) if b else UNKNOWN
        case _:
            return _power(Fraction(a), b)


def _power(base: Fraction, exponent: Number) -> Known:
    if exponent.denominator != 1 or (not base and exponent < 0):
        return UNKNOWN
    bits = max(base.numerator.bit_length(), base.denominator.bit_length())
    if bits > 1 and bits * abs(exponent.numerator) > in_force.get().number_bits:
        return UNKNOWN
    return plain(base**exponent.numerator)


def _applied(name: str, values: list[Number]) -> Known:
    match name:
        case "min":
            return plain(min(Fraction(each) for each in values))
        case "max":
            return plain(max(Fraction(each) for each in values))
        case "abs":
            return plain(abs(Fraction(values[0])))
        case "round_up":
            return ceil(values[0])
        case "round_down":
            return floor(values[0])
        case "remainder":
            return plain(Fraction(values[0]) % values[1]) if values[1] else UNKNOWN
        case _:
            value, low, high = values
            return max(low, min(value, high)) if low <= high else UNKNOWN


def _compared(operator: Literal["=", "!=", "<", "<=", ">", ">="], a: Known, b: Known) -> Known:
    if isinstance(a, Unknown) or isinstance(b, Unknown):
        return UNKNOWN
    if operator in ("=", "!="):
        return (a == b) == (operator == "=")
    if not (is_number(a) and is_number(b)):
        return UNKNOWN
    left, right = cast(Number, a), cast(Number, b)
    return {"<": left < right, "<=": left <= right, ">": left > right, ">=": left >= right}[operator]
