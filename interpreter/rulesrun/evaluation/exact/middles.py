"""The middle of endless dice as sums.

The lower middle is at most t where no fewer dice show at most t than show more: where a sum of 1 for each of those and
-1 for each of these is not negative. So the middle of any dice has the chances of a sum, and where a sum has no chance
that is a fraction, neither has the middle.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rulesrun.dice import Law
from rulesrun.evaluation.exact.facts import Facts
from rulesrun.evaluation.exact.resolve import inside
from rulesrun.evaluation.exact.symbols import (
    EVERYWHERE,
    Asked,
    Inside,
    Linear,
    Ranges,
    UnknownPool,
    linear,
)


def middle_in(forms: Sequence[Linear]) -> Linear | None:
    """A form that is the middle of a pool, if there is one among them."""
    for form in forms:
        if not form.terms and len(form.leftovers) == 1:
            ((asked, factor),) = form.leftovers
            if isinstance(asked, Asked) and asked.what == "middle" and not asked.pool.steps and factor == 1:
                return form
    return None


def law_by_sums(middle: Linear, facts: Facts, form: Linear | None, law: Callable[[Facts, Linear | None], Law]) -> Law:
    """The law of a form (of 0 without one) where the facts hold, one of which, or the form, is about the middle;
    `law` gives laws with facts that are about sums in its place.
    """
    ((asked, _),) = middle.leftovers
    assert isinstance(asked, Asked)
    pool, ranges = asked.pool, facts.inside.get(middle, EVERYWHERE)
    others = Facts(
        facts.struck, facts.shown, {each: r for each, r in facts.inside.items() if each != middle}, facts.beyond
    )
    target = None if form == middle else form
    faces = _faces(pool)
    empty = Law.of({}) if pool.fixed else law(_without_dice(pool, others), target)

    def up_to(place: int) -> Law:
        """The law where there are dice, and their middle is one of the first faces."""
        if not place:
            return Law.of({})
        condition = _at_most(faces[place - 1], pool)
        if condition is False:
            return Law.of({})
        here = others if condition is True else others.learn(condition, True, EVERYWHERE)
        return law(here, target) - empty

    if form == middle:
        total = Law.point(0, empty.mass) if _holds(0, ranges) else Law.of({})
        before = Law.of({})
        for place, face in enumerate(faces, 1):
            after = up_to(place)
            if _holds(face, ranges):
                total = total + Law.point(face, after.mass - before.mass)
            before = after
        return total
    total = empty if _holds(0, ranges) else Law.of({})
    held = [_holds(face, ranges) for face in faces]
    for place, (holds, held_before) in enumerate(zip([*held, False], [False, *held], strict=True)):
        if holds != held_before:
            total = total - up_to(place) if holds else total + up_to(place)
    return total


def _holds(face: int, ranges: Ranges) -> bool:
    return not ranges.meets(Ranges.of(face, face)).empty


def _faces(pool: UnknownPool) -> list[int]:
    images = [face for _, images in pool.pieces for face in images if face is not None]
    return sorted({int(face) for face in (*images, *(die.face for die in pool.fixed))})  # type: ignore[call-overload]


def _at_most(most: int, pool: UnknownPool) -> Inside | bool:
    """Whether the middle is at most a face."""

    def score(face: object) -> int:
        return 0 if face is None else 1 if face <= most else -1  # type: ignore[operator]

    terms = {slot: tuple(map(score, images)) for slot, images in pool.pieces}
    return inside(linear(sum(score(die.face) for die in pool.fixed), terms, {}), Ranges.of(0, None))


def _without_dice(pool: UnknownPool, facts: Facts) -> Facts:
    struck = dict(facts.struck)
    for slot, images in pool.pieces:
        struck[slot] = struck.get(slot, 0) | sum(1 << i for i, face in enumerate(images) if face is not None)
    return Facts(struck, facts.shown, facts.inside, facts.beyond)
