"""Questions to a list of numbers of which some have no end: the numbers are compared with one another, or with the
faces that are asked for, and need not be known.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from rulesrun.evaluation.exact.expressions.arithmetic import endless_number, unknown_function
from rulesrun.evaluation.exact.expressions.comparisons import compared, decided
from rulesrun.evaluation.exact.expressions.conditions import number_in
from rulesrun.evaluation.exact.seen import Seen
from rulesrun.evaluation.exact.symbols import Linear, add, is_number
from rulesrun.evaluation.faces import FaceTest
from rulesrun.semantics import plan


def asked_of_numbers(at: plan.Question, items: Sequence[Any], test: FaceTest | None, seen: Seen) -> Any:
    """The answer, perhaps unknown; None where no number has no end, or the numbers have to be known."""
    if not any(endless_number(item, seen) for item in items) or not all(map(is_number, items)):
        return None
    if test is not None and at.asked in FITTING:
        fit = sum(seen.truth(number_in(item, test, seen, at.pool), at.pool) for item in items)
        return FITTING[at.asked](fit, len(items))
    match at.asked:
        case "size":
            return len(items)
        case "highest" | "lowest":
            unknown = sum(isinstance(item, Linear) for item in items)
            return unknown_function("max" if at.asked == "highest" else "min", list(items), unknown, seen)
        case "groups":
            return None
    sets = _sets(items, seen)
    match at.asked:
        case "all_equal":
            return len(items) > 1 and len(sets) == 1
        case "distinct":
            return len(sets)
        case "sets":
            assert test is not None
            return sum(1 for each in sets if test.contains(len(each)))
        case "largest_set":
            return max(map(len, sets))
        case "face_of_largest_set":
            return max(reversed(sets), key=len)[0]
        case "middle":
            return [item for each in sets for item in each][(len(items) - 1) // 2]
        case "longest_run":
            return _longest_run([each[0] for each in sets], seen)
    return None


FITTING = {
    "count": lambda fit, size: fit,
    "pairs": lambda fit, size: fit // 2,
    "any": lambda fit, size: fit > 0,
    "none": lambda fit, size: fit == 0,
    "all": lambda fit, size: 0 < fit == size,
}


def _sets(items: Sequence[Any], seen: Seen) -> list[list[Any]]:
    """Equal numbers together, from the lowest to the highest."""
    sets: list[list[Any]] = []
    for item in items:
        place = 0
        while place < len(sets) and _holds(item, ">", sets[place][0], seen):
            place += 1
        if place < len(sets) and _holds(item, "=", sets[place][0], seen):
            sets[place].append(item)
        else:
            sets.insert(place, [item])
    return sets


def _longest_run(numbers: Sequence[Any], seen: Seen) -> int:
    longest = length = 1
    for before, after in pairwise(numbers):
        length = length + 1 if _holds(after, "=", add(before, 1), seen) else 1
        longest = max(longest, length)
    return longest


def _holds(left: Any, operator: str, right: Any, seen: Seen) -> bool:
    return decided(compared(add(left, right, -1), operator, seen), seen)
