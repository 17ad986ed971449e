"""The greatest number of groups into which dice can be put so that each reaches a sum.

In: the faces as numbers, and which sums are meant. Out: how many groups there can be at most; dice may be left over. An
exhaustive search that remembers what it has seen: the highest number left either goes into a group or is left over.
Where every higher sum will do too (`10..`) and no face is negative, only groups are tried from which nothing can be
taken away, and the highest number need never be left over.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

from rulesrun.semantics.plan import Number

if TYPE_CHECKING:
    from rulesrun.evaluation.faces import FaceTest

Numbers: TypeAlias = tuple[Number, ...]
"""In descending order."""


def most_groups(numbers: Sequence[Number], sums: FaceTest) -> int:
    """The greatest number of groups of these numbers, each with a sum that belongs to the set."""
    ordered = tuple(sorted(numbers, reverse=True))
    least = sums.least
    if least is not None and least > 0 and all(number >= 0 for number in ordered):
        return _reaching(ordered, least)
    return _of_sums(ordered, sums)


@lru_cache(maxsize=1 << 18)
def _reaching(numbers: Numbers, least: Number) -> int:
    """The most groups that reach a sum."""
    total = sum(numbers)
    if total < least:
        return 0
    first, rest = numbers[0], numbers[1:]
    if first >= least:
        return 1 + _reaching(rest, least)
    bound = int((total - first) // least) + 1
    best = 0
    for left in _completions(rest, least - first, 0):
        best = max(best, 1 + _reaching(left, least))
        if best >= bound or best >= int(total // least):
            break
    return best


def _completions(numbers: Numbers, missing: Number, start: int) -> Iterator[Numbers]:
    """What is left of the numbers when some are taken that reach what is missing, none of them needless; the smallest
    that do it alone first.
    """
    for place in range(len(numbers) - 1, start - 1, -1):
        if place + 1 < len(numbers) and numbers[place] == numbers[place + 1]:
            continue
        if numbers[place] >= missing:
            yield numbers[:place] + numbers[place + 1 :]
            break
    seen: set[Number] = set()
    for place in range(start, len(numbers)):
        number = numbers[place]
        if 0 < number < missing and number not in seen:
            seen.add(number)
            yield from _completions(numbers[:place] + numbers[place + 1 :], missing - number, place)


@lru_cache(maxsize=1 << 18)
def _of_sums(numbers: Numbers, sums: FaceTest) -> int:
    """The most groups whose sums belong to the set, by trying all."""
    if not numbers:
        return 0
    first, rest = numbers[0], numbers[1:]
    best = _of_sums(rest, sums)
    for left in _joined(rest, first, 0, sums):
        best = max(best, 1 + _of_sums(left, sums))
    return best


def _joined(numbers: Numbers, total: Number, start: int, sums: FaceTest) -> Iterator[Numbers]:
    """What is left of the numbers when some of them join a group and its sum belongs to the set."""
    if sums.contains(total):
        yield numbers
    seen: set[Number] = set()
    for place in range(start, len(numbers)):
        number = numbers[place]
        if number not in seen:
            seen.add(number)
            yield from _joined(numbers[:place] + numbers[place + 1 :], total + number, place, sums)
