"""From how many equal dice on one more of them changes no answer: no question tells endless dice further apart.

| question | equal dice |
|---|---|
| which faces show: `any`, `highest`, `distinct` | 1 |
| `all equal` | 2 |
| `sets of N` | N + 1 |
| whether the largest set, or a sum, has at least N | N |
| its face, where it is not told which of those without end | 1 more than there are of others |
| anything of the highest or lowest N | N |
| `wins`, `outranks`, `cancelled by` beside N other dice | N more |
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from rulesrun.evaluation.exact.facts import Facts
from rulesrun.evaluation.exact.listing import MOST_ENDLESS, throws
from rulesrun.evaluation.exact.sources import Again, Mixed, OneDie, Source, Thrown
from rulesrun.evaluation.exact.symbols import (
    Asked,
    Keep,
    Linear,
    Modulo,
    Only,
    Ranges,
    UnknownPool,
    Without,
    names_of,
)

NEVER = 1 << 40
"""One more die of a face always matters."""
_OF_PRESENCE = {"highest": 1, "lowest": 1, "distinct": 1, "longest_run": 1, "all_equal": 2}


def enough(name: str, forms: Iterable[Linear], facts: Facts, sources: Mapping[str, Source]) -> int | None:
    """How many equal dice of a throw are enough for all these forms and facts; None where every die counts."""
    most = int(any(slot[0] == name for marks in facts.shown for slot, _ in marks))
    most = max(most, int(any(slot[0] == name for slot in facts.struck)))
    for form in forms:
        if name in names_of(form):
            most = max(most, _of_form(name, form, facts.inside.get(form), sources))
    return None if most >= NEVER else most


def _of_form(name: str, form: Linear, ranges: Ranges | None, sources: Mapping[str, Source]) -> int:
    if is_largest_set(form):
        return NEVER if ranges is None else past(ranges)
    if ranges is not None and (pool := pool_of_face(form)) is not None:
        return _of_face(pool, ranges, sources)
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


def uncounted(form: Linear, total: Linear, sources: Mapping[str, Source]) -> int | None:
    """How many dice of the pool of which a form is the largest set may add nothing to a sum to which all others add at
    least 1; None where there is no end of them, or some take away, or for another form.
    """
    if not is_largest_set(form, unknown_only=True) or any(x < 0 for _, scores in total.terms for x in scores):
        return None
    ((asked, _),) = form.leftovers
    scores, found = dict(total.terms), 0
    for slot, images in asked.pool.pieces:  # type: ignore[union-attr]
        here = scores.get(slot, (0,) * len(images))
        if any(score == 0 and image is not None for score, image in zip(here, images, strict=True)):
            count = sources[slot[0]].count(slot[1])
            if count is None:
                return None
            found += count
    return found


def pool_of_face(form: Linear) -> UnknownPool | None:
    """The pool of which a form is the face of the largest set, if it is just that."""
    if form.terms or len(form.leftovers) != 1:
        return None
    ((only, factor),) = form.leftovers
    if not isinstance(only, Asked) or only.what != "face_of_largest_set" or only.pool.steps or factor != 1:
        return None
    return only.pool


def _of_face(pool: UnknownPool, ranges: Ranges, sources: Mapping[str, Source]) -> int:
    """How many equal dice are enough to know whether the face of the largest set is in the ranges: one more than there
    are of faces that have an end, where those without end are all within, or all outside.
    """
    going = {(name, die) for name, source in sources.items() for die in without_end(source)}
    held = set()
    for (name, slot), images in pool.pieces:
        for face, image in enumerate(images):
            if image is not None and (name, (slot, face)) in going:
                held.add(ranges.meets(Ranges.of(image, image)).empty)  # type: ignore[arg-type]
    if len(held) > 1:
        return NEVER
    return 1 + len(pool.fixed) + sum(ending(sources[name]) for name in {name for (name, _), _ in pool.pieces})


def without_end(source: Source) -> Iterator[tuple[int, int]]:
    """The dice (slot, face) of a source of which there may be any number."""
    match source:
        case Thrown():
            for part in source.parts:
                if part.die.more is not None and part.die.more.limit is None:
                    yield from ((slot, face) for slot, face, _ in part.die.more.go)
        case Mixed():
            for _, thrown in source.options:
                yield from without_end(thrown)
        case Again():
            yield from without_end(source.first)
            shift = len(source.group.looks)
            yield from ((slot + shift, face) for slot, face in without_end(source.group))
            if source.limit is None:
                for slot, look in enumerate(source.group.looks):
                    yield from ((slot + shift, face) for face in range(len(look.faces)))


def outdone(sources: Mapping[str, Source], forms: Iterable[Linear]) -> bool:
    """Whether it is asked which face shows most often where there may be any number of dice of several faces."""
    going = {(name, die) for name, source in sources.items() for die in without_end(source)}
    return any(
        isinstance(left, Asked)
        and left.what == "face_of_largest_set"
        and len(
            {image for (name, slot), images in left.pool.pieces for at, image in enumerate(images)
             if (name, (slot, at)) in going}
        ) > 1
        for form in forms
        for left, _ in form.leftovers
    )  # fmt: skip


def ending(source: Source) -> int:
    """How many dice of a source there are at most beside those of rows without end."""
    match source:
        case Thrown():
            return sum(part.count * _ending(part.die) for part in source.parts)
        case Mixed():
            return max(ending(thrown) for _, thrown in source.options)
        case Again():
            return ending(source.first) + ending(source.group) * (1 + (source.limit or 0))
        case _:
            return max((len(dice) for dice, _ in throws(source, MOST_ENDLESS)), default=0)


def _ending(die: OneDie) -> int:
    more = die.more
    if more is None:
        return 1
    if more.limit is not None:
        return 1 + more.limit
    return 1 if {(s, f) for s, f, _ in die.go} <= {(s, f) for s, f, _ in more.go} else 2


def past(ranges: Ranges) -> int:
    """The first number from which on all lie in the ranges, or none does."""
    ends = [end for low, high in ranges.ranges for end in (low, None if high is None else high + 1)]
    return max((end for end in ends if end is not None), default=0)


def _of_leftover(name: str, each: object, sources: Mapping[str, Source]) -> int:
    if name not in names_of(each):
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
