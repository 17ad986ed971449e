"""Arithmetic, comparisons and functions in many lanes at once.

In: columns, and the expression of the plan that says what is done with them. Out: a column. Whole numbers that fit into
arrays are worked with as arrays; everything else goes to `operations`, once for each different combination.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rulesrun.evaluation import operations
from rulesrun.evaluation.sample.columns import (
    SMALL,
    Column,
    Same,
    Truth,
    Whole,
    apply,
    bare,
    ends,
    tight,
    truths,
    whole_numbers,
)
from rulesrun.evaluation.sample.questions import number_column
from rulesrun.semantics.plan import (
    Arithmetic,
    Compare,
    Function,
)


def arithmetic(e: Arithmetic, left: Column, right: Column) -> Column:
    """`left operator right`."""
    if e.operator in "+-*" and whole_numbers(left) and whole_numbers(right):
        for once_more in (True, False):
            (a, b), (c, d) = ends(left), ends(right)
            match e.operator:
                case "+":
                    low, high = a + c, b + d
                case "-":
                    low, high = a - d, b - c
                case _:
                    corners = (a * c, a * d, b * c, b * d)
                    low, high = min(corners), max(corners)
            if low > -SMALL and high < SMALL:
                x, y = bare(left), bare(right)
                return number_column(x + y if e.operator == "+" else x - y if e.operator == "-" else x * y, low, high)
            if once_more:
                left, right = (tight(each) if isinstance(each, Whole) else each for each in (left, right))
    return apply(lambda a, b: operations.arithmetic(a, b, e), left, right)


def compare(e: Compare, left: Column, right: Column) -> Column:
    """`left operator right`; `=` and `!=` of anything."""
    if isinstance(left, Same) and isinstance(right, Same):
        return Same(operations.compare(left.value, right.value, e))
    numbers = whole_numbers(left) and whole_numbers(right)
    if numbers or (truths(left) and truths(right) and e.operator in ("=", "!=")):
        return Truth(operations.COMPARISONS[e.operator](bare(left), bare(right)))
    return apply(lambda a, b: operations.compare(a, b, e), left, right)


def function(e: Function, columns: Sequence[Column]) -> Column:
    """`min`, `max`, `abs` and their like."""
    if e.name != "clamp" and all(map(whole_numbers, columns)) and any(isinstance(c, Whole) for c in columns):
        lows, highs = zip(*map(ends, columns), strict=True)
        arrays = [bare(each) for each in columns]
        match e.name:
            case "min" | "max":
                pick, better = (min, np.minimum) if e.name == "min" else (max, np.maximum)
                found = arrays[0]
                for each in arrays[1:]:
                    found = better(found, each)
                return number_column(found, pick(lows), pick(highs))
            case "remainder" if isinstance(columns[1], Same) and columns[1].value:
                by = columns[1].value
                return number_column(arrays[0] % by, min(0, by), max(0, by))
            case "abs":
                return number_column(np.abs(arrays[0]), 0, max(abs(lows[0]), abs(highs[0])))
            case "round_up" | "round_down":
                return columns[0]
    return apply(lambda *values: operations.function(values, e), *columns)


def divided(e: Function, left: Column, right: Column) -> Column | None:
    """A division that is rounded at once, where that is one of whole numbers by one number."""
    if not (isinstance(left, Whole) and isinstance(right, Same) and type(right.value) is int and right.value):
        return None
    if abs(right.value) >= SMALL:
        return None
    by = right.value
    found = left.numbers // by if e.name == "round_down" else -(left.numbers // -by)
    one, other = left.low // by, left.high // by
    return Whole(found, min(one, other) - 1, max(one, other) + 1)
