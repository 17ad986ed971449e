"""Questions to any number of dice, answered by asking for one face after another.

How many dice an endless explosion leaves is not known, so they cannot be walked. But whether a face shows, and
whether at least n dice
show at least a face, is algebra for any number of dice; these answers settle the highest, the lowest, the n-th, what
is kept, and what
depends only on which faces show.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import ceil, floor
from typing import Any

from rulesrun.evaluation import pools
from rulesrun.evaluation.exact.seen import Seen
from rulesrun.evaluation.exact.symbols import AnyShows, Inside, Keep, Linear, Ranges, UnknownPool
from rulesrun.evaluation.pools import Die, Pool

MOST = 30
"""So many dice at most are settled one after another."""


def faces_of(pool: UnknownPool, seen: Seen) -> list[Any] | None:
    """The numbers that its dice can show, ascending; None where they are not all numbers of their own."""
    numbers: set[Any] = {die.face for die in pool.fixed}
    for (name, slot), images in pool.pieces:
        look = seen.sources[name].looks[slot]
        if look.cap is not None:
            return None
        numbers |= {face for face in images if face is not None}
    return sorted(numbers) if all(isinstance(face, int | Fraction) for face in numbers) else None


def shows(pool: UnknownPool, faces: Sequence[Any], seen: Seen) -> bool:
    """Whether some die shows one of these faces."""
    if any(die.face in faces for die in pool.fixed):
        return True
    marks = []
    for slot, images in pool.pieces:
        bits = sum(1 << i for i, image in enumerate(images) if image is not None and image in faces)
        if bits and seen.count(slot) != 0:
            marks.append((slot, bits))
    return bool(marks) and seen.decide(AnyShows(tuple(sorted(marks))))


def at_least(pool: UnknownPool, faces: Sequence[Any], number: int, seen: Seen) -> bool:
    """Whether at least so many dice show one of these faces."""
    scores = {
        slot: tuple(1 if image is not None and image in faces else 0 for image in images)
        for slot, images in pool.pieces
    }
    count: Any = seen.score(sum(die.face in faces for die in pool.fixed), scores)
    if not isinstance(count, Linear):
        return bool(count >= number)
    form, factor = count.canonical()
    bound = Fraction(number - count.constant) / Fraction(factor)
    return seen.decide(Inside(form, Ranges.of(ceil(bound), None) if factor > 0 else Ranges.of(None, floor(bound))))


def extreme(highest: bool, pool: UnknownPool, seen: Seen) -> Any:
    """The highest or lowest face, 0 if there is no die; None where faces cannot be asked one by one."""
    faces = faces_of(pool, seen)
    if faces is None or pool.steps:
        return None
    for face in reversed(faces) if highest else faces:
        if shows(pool, (face,), seen):
            return face
    return 0


def kept(pool: UnknownPool, seen: Seen) -> Pool | None:
    """The dice that a single `keep highest` or `keep lowest` leaves; None where it is something else."""
    faces = faces_of(pool, seen)
    looks = {
        (look.sides, look.target, look.kind)
        for (name, slot), _ in pool.pieces
        for look in (seen.sources[name].looks[slot],)
    }
    if faces is None or len(looks) != 1 or pool.fixed or len(pool.steps) != 1:
        return None
    step = pool.steps[0]
    if not isinstance(step, Keep) or step.kind not in ("keep highest", "keep lowest") or step.number > MOST:
        return None
    sides, target, kind = looks.pop()
    ordered = faces[::-1] if step.kind == "keep highest" else faces
    whole = UnknownPool(pool.pieces)
    found: list[Die] = []
    place = 0
    while len(found) < step.number and place < len(ordered):
        if at_least(whole, ordered[: place + 1], len(found) + 1, seen):
            found.append(Die(ordered[place], sides, target, kind))
        else:
            place += 1
    return tuple(found)


def nth(number: int, pool: UnknownPool, seen: Seen) -> Any:
    """The face of the n-th highest die as a pool of one, empty if there are fewer; None where faces cannot be asked
    one by one.
    """
    faces = faces_of(pool, seen)
    if faces is None or pool.steps or not 1 <= number <= MOST:
        return None
    for place in range(len(faces) - 1, -1, -1):
        if at_least(pool, faces[place:], number, seen):
            return (Die(faces[place]),)
    return ()


def present(asked: str, pool: UnknownPool, seen: Seen) -> Any:
    """What depends only on which faces show (`distinct`, `longest_run`); None where faces cannot be asked one by
    one.
    """
    faces = faces_of(pool, seen)
    if faces is None or pool.steps:
        return None
    return pools.ask(asked, [face for face in faces if shows(pool, (face,), seen)], _AT)  # type: ignore[arg-type]


def all_equal(pool: UnknownPool, seen: Seen) -> bool | None:
    """Whether there are at least two dice and all show the same; None where faces cannot be asked one by one."""
    faces = faces_of(pool, seen)
    if faces is None or pool.steps:
        return None
    if not at_least(pool, faces, 2, seen):
        return False
    return any(not shows(pool, [other for other in faces if other != face], seen) for face in faces)


_AT: Any = None
