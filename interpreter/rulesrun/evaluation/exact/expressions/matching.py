"""Dice told by how many of a pool show what they show: `where count die in pool >= 2`, `for each die in pool: count die
in pool`. The number on each face is all that has to be known of the others, so that the faces can be walked.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from math import lcm
from typing import Any

from rulesrun.evaluation.exact.ask import picture
from rulesrun.evaluation.exact.expressions.compiling import Evaluated, compiled
from rulesrun.evaluation.exact.expressions.outright import outright
from rulesrun.evaluation.exact.expressions.tails import each_face
from rulesrun.evaluation.exact.onward import falling
from rulesrun.evaluation.exact.resolve import identity
from rulesrun.evaluation.exact.seen import Seen
from rulesrun.evaluation.exact.symbols import Asked, InSets, Linear, Number, UnknownPool, times
from rulesrun.evaluation.pools import Die
from rulesrun.semantics import plan
from rulesrun.semantics.renaming import parts, rebuilt

MATCHES = " how many show it"
"""The name of the number of dice that show what a die shows."""
MOST = 20_000
"""So many faces, each with every number of dice, at the most."""

ByNumber = Mapping[int, Mapping[tuple[object, ...], Any]]
"""For each number of dice on a face, something about every die that may be there."""


def by_matches(each: plan.Expression, pool: plan.Expression) -> Evaluated | None:
    """What is said of each die of a pool by how many of it show the same; None where nothing is.

    The pool itself is read nowhere else in it. What is said of other dice, one by one, is left as it is.
    """

    def instead(part: Any) -> plan.Expression | None:
        if isinstance(part, plan.ForEach | plan.Where | plan.WithEach | plan.Cancelled):
            return part
        return plan.Var(part.span, plan.Kind.NUMBER, False, MATCHES) if _counts_matches(part, pool) else None

    found = rebuilt(each, instead)
    if found == each or any(part == pool for part in parts(found)):
        return None
    return outright(found, compiled(found))


def _counts_matches(part: Any, pool: plan.Expression) -> bool:
    match part:
        case plan.Question(
            asked="count",
            faces=plan.FaceSet(alternatives=(plan.FaceIs(plan.Each(word="die" | "number")),), negated=False),
        ):
            return bool(part.pool == pool)
        case _:
            return False


def told(pool: UnknownPool, value: Callable[[Die], Any], seen: Seen) -> ByNumber | None:
    """What is said of every die that may lie in an unknown pool, for each number that may show the same; None where the
    faces cannot be walked.
    """
    if not picture(pool, seen):
        return None
    most = len(pool.fixed) + sum(seen.count(slot) or 0 for slot, _ in pool.pieces)
    if most * (len(pool.fixed) + sum(len(images) for _, images in pool.pieces)) > MOST:
        return None
    found: dict[int, dict[tuple[object, ...], Any]] = {}
    before = seen.env
    for number in range(1, most + 1):
        seen.env = {**before, MATCHES: number}
        try:
            here = {identity(die): value(die) for die in pool.fixed}
            for slot, images in pool.pieces:
                look = seen.sources[slot[0]].looks[slot[1]]
                values = each_face(slot, images, value, pool, seen)
                kind = look.sides, look.target, look.kind
                here.update(((image, *kind), each) for image, each in zip(images, values, strict=True))
        finally:
            seen.env = before
        found[number] = here
    return found


def in_sets(pool: UnknownPool, by_number: ByNumber) -> UnknownPool | None:
    """The pool of which only the dice stay for which it is so; None where that depends on more than the face."""
    stays: dict[tuple[object, int], bool] = {}
    for number, here in by_number.items():
        for (face, *_), holds in here.items():
            if stays.setdefault((face, number), holds) != holds:
                return None
    sets = InSets(frozenset(key for key, holds in stays.items() if holds))
    return UnknownPool(pool.pieces, (*pool.steps, sets), pool.fixed)


def matched(pool: UnknownPool, by_number: ByNumber, seen: Seen) -> Linear | Number | None:
    """The sum over the dice of what is said of each; None where it falls without end."""
    for slot, images in pool.pieces:
        look = seen.sources[slot[0]].looks[slot[1]]
        kind = look.sides, look.target, look.kind
        if any(falling([here[(image, *kind)] for image in images], look) for here in by_number.values()):
            return None
    scores = [(*die, number, x) for number, here in by_number.items() for die, x in here.items()]
    bottom = lcm(*(Fraction(x).denominator for *_, x in scores))
    detail = frozenset((tuple(key), int(x * bottom)) for *key, x in scores)
    if not any(x for _, x in detail):
        return 0
    return times(Linear(0, (), ((Asked("matched", pool, detail), 1),)), Fraction(1, bottom))
