"""What the operators and functions of the language mean, on concrete values: one meaning for every evaluator.

In: values and the plan's expression they belong to, which gives errors their place. Out: values. All numbers are exact;
a power whose exponent is not whole is `Approximate` and may decide nothing. `none` may be compared with `=` and `!=`
and asked with `is`; elsewhere it is an error that says where it came from.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Context, Decimal
from fractions import Fraction
from typing import Any

from rulesrun.diagnostics import RulesError
from rulesrun.evaluation.limits import sized, too_large, too_long
from rulesrun.evaluation.pools import Die
from rulesrun.evaluation.values import Approximate, Several, Value, value_text
from rulesrun.limits import in_force
from rulesrun.semantics.inputs import accept
from rulesrun.semantics.plan import (
    Arithmetic,
    Compare,
    Each,
    Expr,
    Function,
    IsLabel,
    ItemAt,
    Negative,
    Number,
    NumbersBetween,
    Table,
    TableAt,
    TableRow,
    Var,
    Within,
)

_DECIMAL = Context(prec=40, traps=[])


def written(at: Expr) -> str:
    """The expression as the ruleset has it, on one line, for messages."""
    return " ".join(at.span.text.split())


def wrong(at: Expr, message: str, code: str = "value", hint: str | None = None) -> RulesError:
    """An error about an expression's value."""
    return RulesError.of(message, code=code, span=at.span, hint=hint)


# ---------------------------------------------------------------- what a value must be


def number(value: Value, at: Expr) -> Number | Approximate:
    """The value as a number; an error that names it where it is none."""
    if type(value) is int or isinstance(value, Fraction | Approximate):
        return value
    raise _not(value, at, "a number")


def exact(value: Value, at: Expr) -> Number:
    """The value as an exact number, which may decide something."""
    if type(value) is int or isinstance(value, Fraction):
        return value
    if isinstance(value, Approximate):
        raise wrong(
            at,
            f"`{written(at)}` is only approximate ({value}), so it cannot decide anything",
            code="approximate",
            hint="compare whole powers instead, such as the squares",
        )
    raise _not(value, at, "a number")


def new_face(value: Any, at: Expr) -> Any:
    """What a die shows from now on: an exact number, or part of the face that it shows."""
    return value if isinstance(at, Each) else exact(value, at)


def whole(value: Value, at: Expr, what: str) -> int:
    """The value as a whole number; `what` it is for stands in the message: `the number of dice`."""
    amount = exact(value, at)
    if type(amount) is not int:
        raise wrong(at, f"{what} must be a whole number, and `{written(at)}` is {value_text(amount)}", code="not-whole")
    return amount


def natural_number(value: Value, at: Expr, what: str) -> int:
    """The value as a whole number that is not negative."""
    amount = whole(value, at, what)
    if amount < 0:
        raise wrong(
            at,
            f"{what} cannot be negative, and `{written(at)}` is {amount}",
            code="negative",
            hint=f"`max(0, {written(at)})` takes none then",
        )
    return amount


def dice_number(value: Value, at: Expr) -> int:
    """The value as a number of dice that may be thrown."""
    if type(value) is int and 0 <= value <= in_force.get().dice:
        return value
    amount = natural_number(value, at, "the number of dice")
    if amount > in_force.get().dice:
        raise too_large(f"{value_text(amount)} dice in one draw", "dice", at.span)
    return amount


def die_sides(value: Value, at: Expr) -> int:
    """The value as the number of sides of a die."""
    amount = whole(value, at, "the number of sides")
    if amount < 1:
        raise wrong(
            at,
            f"a die has at least 1 side, and `{written(at)}` is {amount}",
            code="no-sides",
            hint=f"`max(1, {written(at)})` takes a die of one side then",
        )
    if amount > in_force.get().sides:
        raise too_large("a die of so many sides", "sides", at.span)
    return amount


def truth(value: Value, at: Expr) -> bool:
    """The value as yes or no."""
    if isinstance(value, bool):
        return value
    raise _not(value, at, "yes or no")


def dice(value: Value, at: Expr) -> tuple[Any, ...]:
    """The value as dice or as a list."""
    if isinstance(value, tuple):
        return value
    raise _not(value, at, "dice or a list")


def _not(value: Value, at: Expr, wanted: str) -> RulesError:
    text = written(at)
    if value is None:
        return wrong(
            at,
            f"`{text}` is none here, and {wanted} is needed",
            code="none",
            hint=f"say what holds then: `… if {text} = none`" if isinstance(at, Var) else "say what holds for none",
        )
    if isinstance(value, Several):
        return wrong(
            at,
            f"several rows of {value.table} fit here ({value}), and only `is` may ask them",
            code="several-rows",
            hint=f"`{text} is {value.values[0]}` is yes if any of them fits",
        )
    return wrong(at, f"`{text}` is {value_text(value)} here, and {wanted} is needed", code="kind")


# ---------------------------------------------------------------- arithmetic


def arithmetic(left: Value, right: Value, at: Arithmetic) -> Number | Approximate:
    """`left operator right`."""
    a, b = number(left, at.left), number(right, at.right)
    if isinstance(a, Approximate) or isinstance(b, Approximate):
        return _approximate(a, b, at)
    match at.operator:
        case "+":
            return sized(a + b, at.span)
        case "-":
            return sized(a - b, at.span)
        case "*":
            return sized(a * b, at.span)
        case "/":
            if b == 0:
                raise _zero_power(at)
            return sized(Fraction(a) / b, at.span)
        case "^":
            return _power(a, b, at)


def negative(value: Value, at: Negative) -> Number | Approximate:
    """`-value`."""
    amount = number(value, at.operand)
    return Approximate(-amount.value) if isinstance(amount, Approximate) else -amount


def _power(base: Number, exponent: Number, at: Arithmetic) -> Number | Approximate:
    if isinstance(exponent, Fraction):
        return _root(_decimal(base), exponent, at)
    if exponent < 0 and base == 0:
        raise _zero_power(at)
    if exponent == 0 or base == 1:
        return 1
    if base in (0, -1):
        return base if base == 0 or exponent % 2 else 1
    ratio = Fraction(base)
    bits = max(abs(ratio.numerator).bit_length(), ratio.denominator.bit_length()) - 1
    if bits * abs(exponent) > in_force.get().number_bits:
        raise too_long(bits * abs(exponent), at.span)
    return sized(ratio**exponent, at.span)


def _root(base: Decimal, exponent: Fraction, at: Arithmetic) -> Approximate:
    if base < 0:
        raise wrong(
            at,
            f"a negative number ({value_text(base)}) has no power of {exponent}, which is not whole",
            code="root-of-negative",
        )
    if base == 0:
        if exponent < 0:
            raise _zero_power(at)
        return Approximate(Decimal(0))
    return _tame(_DECIMAL.power(base, _decimal(exponent)), at)


def _approximate(a: Number | Approximate, b: Number | Approximate, at: Arithmetic) -> Approximate:
    left, right = _decimal(a), _decimal(b)
    match at.operator:
        case "+":
            return _tame(_DECIMAL.add(left, right), at)
        case "-":
            return _tame(_DECIMAL.subtract(left, right), at)
        case "*":
            return _tame(_DECIMAL.multiply(left, right), at)
        case "/":
            if right == 0:
                raise _zero_power(at)
            return _tame(_DECIMAL.divide(left, right), at)
        case "^":
            return _root(left, Fraction(right), at)


def _tame(value: Decimal, at: Expr) -> Approximate:
    if not value.is_finite():
        raise RulesError.of("a number too long to work with", code="too-large", span=at.span)
    if abs(value.adjusted()) > in_force.get().number_bits * 3 // 10:
        raise too_long(abs(value.adjusted()) * 10 // 3, at.span)
    return Approximate(value)


def _decimal(amount: Number | Approximate) -> Decimal:
    if isinstance(amount, Approximate):
        return amount.value
    if isinstance(amount, int):
        return _DECIMAL.create_decimal(amount)
    return _DECIMAL.divide(_DECIMAL.create_decimal(amount.numerator), _DECIMAL.create_decimal(amount.denominator))


def _zero_power(at: Arithmetic) -> RulesError:
    return _division_by_zero(at.right if at.operator == "/" else at.left)


def _division_by_zero(side: Expr) -> RulesError:
    message = f"division by zero: `{written(side)}` is 0 here"
    return wrong(side, message, code="division-by-zero", hint="say what holds then: `… otherwise …`")


# ---------------------------------------------------------------- comparisons


def compare(left: Value, right: Value, at: Compare) -> bool:
    """`left operator right`; `=` and `!=` also of yes/no, and of anything with none."""
    if at.operator in ("=", "!="):
        same = _equal(left, right, at)
        return same if at.operator == "=" else not same
    a, b = exact(left, at.left), exact(right, at.right)
    return bool(COMPARISONS[at.operator](a, b))


COMPARISONS: Mapping[str, Callable[[Any, Any], Any]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def _equal(left: Value, right: Value, at: Compare) -> bool:
    for value, side in ((left, at.left), (right, at.right)):
        if isinstance(value, Several):
            raise _not(value, side, "one value")
    if left is None or right is None:
        return left is right
    for value, side in ((left, at.left), (right, at.right)):
        if isinstance(value, Approximate):
            exact(value, side)
    return left == right and isinstance(left, bool) == isinstance(right, bool)


def is_label(value: Value, at: IsLabel) -> bool:
    """Whether the label, or one of several rows' labels, is among those asked for; no for none."""
    if isinstance(value, Several):
        return not at.labels.isdisjoint(each for each in value.values if isinstance(each, str))
    if value is None:
        return False
    if isinstance(value, str):
        return value in at.labels
    raise _not(value, at.value, "a label")


# ---------------------------------------------------------------- functions


def function(values: Sequence[Value], at: Function) -> Number | Approximate:
    """`min`, `max`, `abs`, `round_up`, `round_down`, `remainder` (with the sign of the divisor), `clamp`."""
    if at.name == "abs":
        amount = number(values[0], at.arguments[0])
        if isinstance(amount, Approximate):
            return Approximate(abs(amount.value))
        return amount if amount >= 0 else -amount
    numbers = [exact(value, argument) for value, argument in zip(values, at.arguments, strict=True)]
    match at.name:
        case "min":
            return min(numbers)
        case "max":
            return max(numbers)
        case "round_up":
            return -((-numbers[0]) // 1)
        case "round_down":
            return numbers[0] // 1
        case "remainder":
            if not numbers[1]:
                raise _division_by_zero(at.arguments[1])
            left = numbers[0] % numbers[1]
            return left.numerator if left.denominator == 1 else left
        case "clamp":
            amount, low, high = numbers
            if low > high:
                raise wrong(
                    at,
                    f"nothing lies between {value_text(low)} and {value_text(high)}:"
                    f" `{written(at.arguments[1])}` is above `{written(at.arguments[2])}`",
                    code="empty-range",
                )
            return max(low, min(high, amount))


def total(values: Iterable[Value], at: Expr) -> Number | Approximate:
    """The sum of the values of a `for each`; `at` is the expression that gave each of them."""
    exact_part: Number = 0
    rest: Approximate | None = None
    for value in values:
        amount = number(value, at)
        if isinstance(amount, Approximate):
            rest = Approximate(_DECIMAL.add(rest.value if rest else Decimal(0), amount.value))
        else:
            exact_part += amount
    if rest:
        return Approximate(_DECIMAL.add(rest.value, _decimal(exact_part)))
    return sized(exact_part, at.span)


# ---------------------------------------------------------------- lists, ranges, tables


def numbers_between(low: Value, high: Value, at: NumbersBetween) -> tuple[int, ...]:
    """The whole numbers from one to another as a list."""
    return tuple(span_of_numbers(low, high, at.low, at.high))


def sizes_of_dice(sizes: Value, at: Expr) -> list[int]:
    """The numbers of a list as numbers of sides."""
    there = dice(sizes, at)
    if len(there) > in_force.get().dice:
        raise too_large(f"{len(there):,} dice in one draw", "dice", at.span)
    return [die_sides(each.face if isinstance(each, Die) else each, at) for each in there]


def within(value: Value, low: Value, high: Value, at: Within) -> Value:
    """A value that has to lie in the domain stated for a name."""
    if isinstance(value, Several):
        raise _not(value, at, "one value")
    if isinstance(value, Approximate):
        value = exact(value, at)
    try:
        return accept(at.domain, value, {}, low, high)  # type: ignore[arg-type]
    except RulesError as error:
        raise wrong(at, f"{at.name}: {error.message}", code="outside-domain", hint=error.hint) from None


def span_of_numbers(low: Value, high: Value, at_low: Expr, at_high: Expr) -> range:
    """The whole numbers from one to another, both included; none where the end is below the start."""
    first, last = whole(low, at_low, "the start of a range"), whole(high, at_high, "the end of a range")
    if last - first >= in_force.get().items:
        raise too_large(f"a range of {value_text(last - first + 1)} numbers", "items", at_high.span)
    return range(first, last + 1)


def item_at(items: Value, index: Value, at: ItemAt) -> Value:
    """The item with this number, counted from 1; `at turn` goes round."""
    there = dice(items, at.items)
    place = whole(index, at.index, "the number of an item")
    text = written(at.items)
    if not there:
        raise wrong(at.items, f"`{text}` is empty, so it has no item {place}", code="no-item")
    if at.around:
        place = (place - 1) % len(there) + 1
    if not 1 <= place <= len(there):
        many = f"items 1 to {len(there)}" if len(there) > 1 else "only item 1"
        raise wrong(at.index, f"`{text}` has {many}, and `{written(at.index)}` is {place}", code="no-item")
    item = there[place - 1]
    return item.face if isinstance(item, Die) else item


def table_at(table: Table, index: Value, at: TableAt) -> Value:
    """What the rows that fit give: nothing (None), one value, or `Several`."""
    if not isinstance(index, str):
        index = exact(index, at.index)
    return _fitting(table, index, at.part)


def rows_at(table: Table, index: Number | str) -> list[TableRow]:
    """The rows whose band holds the number, or whose key is the label."""
    if isinstance(index, str):
        return [row for row in table.rows if row.key == index]
    return [
        row
        for row in table.rows
        if row.key is None and (row.low is None or row.low <= index) and (row.high is None or index <= row.high)
    ]


def row_value(row: TableRow, part: str | None) -> Number | str | None:
    """The stated part of a row; without a part its label, else its number, else its text."""
    match part:
        case "label":
            return row.label
        case "value":
            return row.value
        case "text":
            return row.text
        case _:
            return row.label if row.label is not None else row.value if row.value is not None else row.text


def table_row(table: Table, faces: Sequence[Any]) -> Value:
    """What a rolled table gives for the faces of its die: None where it was not rolled."""
    return _fitting(table, sum(faces), None) if faces else None


def _fitting(table: Table, index: Number | str, part: str | None) -> Value:
    values = tuple(row_value(row, part) for row in rows_at(table, index))
    if len(values) > 1:
        return Several(table.name, values)
    return values[0] if values else None
