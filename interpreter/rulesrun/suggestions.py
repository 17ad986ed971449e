"""The nearest right name to a wrong one.

In: what was written and the names that would have been right. Out: one of them, or None when none is near. The same
question has the same answer whatever the order of the names.
"""

from collections.abc import Iterable


def nearest(name: str, names: Iterable[str]) -> str | None:
    """The name that was probably meant: a slip away (letters more, less, wrong, swapped), else one that begins so."""
    wanted = _folded(name)
    if not wanted:
        return None
    candidates = sorted(set(names))
    limit = min(1, len(wanted) // 2) if len(wanted) < 6 else min(3, len(wanted) // 3)
    distances = [(edit_distance(wanted, _folded(each), limit), each) for each in candidates]
    near = min((pair for pair in distances if pair[0] <= limit), default=None)
    if near:
        return near[1]
    longer = [each for each in candidates if len(wanted) > 1 and _folded(each).startswith(wanted)]
    return min(longer, key=lambda each: (len(each), each), default=None)


def edit_distance(a: str, b: str, limit: int) -> int:
    """How many letters inserted, deleted, replaced or swapped with a neighbour make `b` of `a`; at most `limit + 1`."""
    if abs(len(a) - len(b)) > limit:
        return limit + 1
    before: list[int] = []
    last = list(range(len(b) + 1))
    for i, left in enumerate(a, 1):
        row = [i]
        for j, right in enumerate(b, 1):
            cost = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (left != right))
            if i > 1 and j > 1 and left == b[j - 2] and a[i - 2] == right:
                cost = min(cost, before[j - 2] + 1)
            row.append(cost)
        if min(row) > limit:
            return limit + 1
        before, last = last, row
    return min(last[-1], limit + 1)


def _folded(name: str) -> str:
    return name.casefold().replace("-", "_")
