"""From how many equal dice on one more of them changes no answer: no question tells endless dice further apart.

| question | equal dice |
|---|---|
| which faces show: `any`, `highest`, `distinct` | 1 |
| `all equal` | 2 |
| `sets of N` | N + 1 |
| whether the largest set, or a sum, has at least N | N |
| anything of the highest or lowest N | N |
| `wins`, `outranks`, `cancelled by` beside N other dice | N more |
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rulesrun.evaluation.exact.facts import Facts
from rulesrun.evaluation.exact.sources import Source, Thrown
from rulesrun.evaluation.exact.symbols import Asked, Keep, Linear, Modulo, Only, Ranges, UnknownPool, Without, slots_of

NEVER = 1 << 40
"""One more die of a face always matters."""
_OF_PRESENCE = {"highest": 1, "lowest": 1, "distinct": 1, "longest_run": 1, "all_equal": 2}


def enough(name: str, forms: Iterable[Linear], facts: Facts, sources: Mapping[str, Source]) -> int | None:
    """How many equal dice of a throw are enough for all these forms and facts; None where every die counts."""
    most = int(any(slot[0] == name for marks in facts.shown for slot, _ in marks))
    most = max(most, int(any(slot[0] == name for slot in facts.struck)))
    for form in forms:
        if any(slot[0] == name for slot in slots_of(form)):
            most = max(most, _of_form(name, form, facts.inside.get(form), sources))
    return None if most >= NEVER else most


def _of_form(name: str, form: Linear, ranges: Ranges | None, sources: Mapping[str, Source]) -> int:
    if is_largest_set(form):
        return NEVER if ranges is None else past(ranges)
    if form.terms and not form.leftovers:
        if ranges is None:
            return NEVER
        mirrored = Ranges(tuple((_minus(high), _minus(low)) for low, high in reversed(ranges.ranges)))
        return min(_of_sum(form, past(ranges), sources, 1), _of_sum(form, past(mirrored), sources, -1))
    if form.terms and any(slot[0] == name for slot, _ in form.terms):
        return NEVER
    return max((_of_leftover(name, each, sources) for each, _ in form.leftovers), default=0)


def _minus(end: int | None) -> int | None:
    return None if end is None else -end


def _of_sum(form: Linear, most: int, sources: Mapping[str, Source], sign: int) -> int:
    """How many equal dice are enough to know a sum (times a sign) below a number: those that reach it, however low the
    others are, and all dice with scores below 0, of which there have to be only so many.
    """
    for (name, slot), scores in form.terms:
        source = sources[name]
        low, count = source.bounds(slot, tuple(sign * int(score) for score in scores))[0], source.count(slot)
        if low is None or (low < 0 and count is None):
            return NEVER
        most = max(most - low, count or 0) if low < 0 else most
    return max(most, 0)


def is_largest_set(form: Linear, unknown_only: bool = False) -> bool:
    """Whether a form is the size of the largest set in whole throws (`unknown_only`: without known dice)."""
    if form.terms or len(form.leftovers) != 1:
        return False
    ((only, _),) = form.leftovers
    if not isinstance(only, Asked) or only.what != "largest_set" or only.pool.steps:
        return False
    return not (unknown_only and only.pool.fixed)


def past(ranges: Ranges) -> int:
    """The first number from which on all lie in the ranges, or none does."""
    ends = [end for low, high in ranges.ranges for end in (low, None if high is None else high + 1)]
    return max((end for end in ends if end is not None), default=0)


def _of_leftover(name: str, each: object, sources: Mapping[str, Source]) -> int:
    if not any(slot[0] == name for slot in slots_of(each)):
        return 0
    if isinstance(each, Modulo) or not isinstance(each, Asked):
        return NEVER
    if each.what in ("wins", "outranks"):
        assert each.other is not None
        sides = (each.pool, each.other)
        return max(_of_pool(name, side, dice_in(other, sources) + 1, sources) for side, other in (sides, sides[::-1]))
    needed = _OF_PRESENCE.get(each.what, NEVER)
    if each.what == "sets":
        needed = 1 + max(each.detail, default=0)  # type: ignore[arg-type, operator]
    return _of_pool(name, each.pool, needed, sources)


def _of_pool(name: str, pool: UnknownPool, needed: int, sources: Mapping[str, Source]) -> int:
    """How many equal dice are enough where so many of those left by the steps are."""
    most = 0
    for at in range(len(pool.steps) - 1, -1, -1):
        match pool.steps[at]:
            case Keep(kind, number):
                if kind == "keep middle":
                    needed = NEVER
                else:
                    needed = number if kind.startswith("keep") else min(NEVER, needed + number)
            case Without(other):
                before = UnknownPool(pool.pieces, pool.steps[:at], pool.fixed)
                most = max(most, _of_pool(name, other, dice_in(before, sources), sources))
                needed = min(NEVER, needed + dice_in(other, sources))
            case Only():
                pass
    return max(most, needed) if any(slot[0] == name for slot, _ in pool.pieces) else most


def dice_in(pool: UnknownPool, sources: Mapping[str, Source]) -> int:
    """How many dice of a pool there are at most; `NEVER` where that has no end."""
    total = len(pool.fixed)
    for (name, slot), _ in pool.pieces:
        source = sources[name]
        count = source.count(slot) if isinstance(source, Thrown) else None
        total += NEVER if count is None else count
    for step in pool.steps:
        if isinstance(step, Keep) and step.kind in ("keep highest", "keep lowest"):
            total = min(total, step.number)
    return min(total, NEVER)
