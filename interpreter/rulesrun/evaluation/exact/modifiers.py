"""Modifiers that leave dice independent, as changes of their weights."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from math import floor, lcm
from typing import TYPE_CHECKING, Any

from rulesrun.diagnostics import RulesError
from rulesrun.dice import Law
from rulesrun.evaluation.exact.beyond import Beyond, Lost
from rulesrun.evaluation.exact.seen import Reveal, Seen, Split, Spread, Uncapped
from rulesrun.evaluation.exact.sources import Again, Hom, Look, More, OneDie, Part, Struck, SumIn, Thrown, Weighted
from rulesrun.evaluation.exact.stage import NotAlgebra, Stage
from rulesrun.evaluation.exact.symbols import AnyShows, Asked, Inside, Linear, Ranges, UnknownPool, names_of, slots_of
from rulesrun.evaluation.exact.totals import Endless, faces_up_to
from rulesrun.evaluation.pools import Die, rank
from rulesrun.semantics import plan
from rulesrun.semantics.borne import as_number

if TYPE_CHECKING:
    from rulesrun.evaluation.exact.chances import Algebra


UNTOLD = Fraction(1, 10**12)
"""Less than this is left to the highest face of dice that explode adding, which stands for all above it."""


def never_ends(at: plan.Modifier, what: str) -> RulesError:
    """The error for a modifier that goes on for ever."""
    return RulesError.of(
        f"this never ends: every face {what}",
        code="never-ends",
        span=at.span,
        hint="leave out a face, or add `once` or `at most 3 times`",
    )


def shows(look: Look, face: int) -> Die:
    """A die of this look that shows one of its faces."""
    return Die(look.faces[face], look.sides, look.target, look.kind)  # type: ignore[arg-type]


def explodes(stage: Stage, die: Die, look: Look | None) -> bool:
    """Whether a die of a look explodes: by the faces that are named, else by the highest."""
    if stage.fits is not None:
        return stage.fits(die)
    assert look is not None, "a die that is itself rolled has no highest face"
    return rank(die.face) == max(rank(face) for face in look.faces)  # type: ignore[arg-type]


# ---------------------------------------------------------------- explode


def exploded(
    looks: Sequence[Look], parts: Sequence[Part], stage: Stage, summed: bool, algebra: Algebra, natural: bool
) -> tuple[list[Look], list[Part]]:
    """Every die that shows one of the faces adds another. Dice that add to their own face, and are asked for more
    than their `summed`
    faces, get faces up to a cap that stands for all above it.
    """
    modifier = stage.modifier
    assert isinstance(modifier, plan.Explode)
    if stage.many != 1:
        raise NotAlgebra
    new_looks = list(looks)
    new_parts: list[Part] = []
    added_to: set[int] = set()
    for part in parts:
        die = part.die
        if die.more is not None or any(look.cap is not None for look in looks):
            raise NotAlgebra
        slots = {slot for slot, _, _ in die.stop}
        if len(slots) != 1:
            raise NotAlgebra
        slot = slots.pop()
        look = looks[slot]
        stop, go = parted(die.stop, look, stage)
        if not go or stage.limit == 0 or not part.count:
            if modifier.adding and any(isinstance(face, tuple) for face in look.faces):
                raise NotAlgebra
            new_parts.append(part)
            continue
        added = replace(look if stage.look is None else stage.look, target=look.target)
        if natural:
            added = replace(added, first=None)
        if modifier.adding:
            if stage.look is not None or stage.limit is not None:
                raise NotAlgebra
            if not summed:
                added_to.add(slot)
                new_parts.append(part)
                continue
        if added not in new_looks:
            new_looks.append(added)
        at = new_looks.index(added)
        fresh = tuple((at, face, weight) for face, weight in enumerate(added.weights))
        more_stop, more_go = parted(fresh, added, stage)
        if not more_stop and stage.limit is None:
            raise never_ends(modifier, "explodes")
        more = More(sum(added.weights), more_stop, more_go, stage.limit)
        new_parts.append(Part(part.count, OneDie(die.total, stop, go, more)))
    for slot in added_to:
        mine = {at: part.die for at, part in enumerate(new_parts) if part.count and part.die.stop[0][0] == slot}
        endless = {at: _endless(looks[slot], die, stage) for at, die in mine.items()}
        needed = max(each.law.window(UNTOLD)[1] for each in endless.values())
        if needed > algebra.cap:
            raise Uncapped(needed)
        cap, period = algebra.told
        faces = faces_up_to(cap, period, (each.law for each in endless.values()))
        look = new_looks[slot] = replace(looks[slot], faces=faces, cap=cap, period=period)
        for at, each in endless.items():
            new_parts[at] = Part(new_parts[at].count, each.die(slot, look))
    return new_looks, new_parts


def exploded_again(source: Again, stage: Stage, algebra: Algebra) -> Again:
    """Groups thrown again, each die of which explodes afterwards: what that adds brings no further throw."""
    modifier, group, condition = stage.modifier, source.group, source.condition
    assert isinstance(modifier, plan.Explode)
    if algebra.natural or modifier.adding or source.start is not None or not isinstance(condition, Struck):
        raise NotAlgebra
    looks, parts = exploded(group.looks, group.parts, stage, False, algebra, False)
    before = len(group.looks)
    more_faces = (face for part in parts if part.die.more for face in (*part.die.more.stop, *part.die.more.go))
    added = [*dict.fromkeys(slot for slot, _, _ in more_faces)]
    places = {slot: before + at for at, slot in enumerate(added)}

    def moved(faces: Weighted) -> Weighted:
        return tuple((places[slot], face, weight) for slot, face, weight in faces)

    new = []
    for part in parts:
        more = part.die.more
        if more is not None:
            more = replace(more, stop=moved(more.stop), go=moved(more.go))
        new.append(Part(part.count, replace(part.die, more=more)))
    terms = tuple((sign, (*masks, *(0 for _ in added))) for sign, masks in condition.terms)
    thrown = Thrown(group.name, (*group.looks, *(looks[slot] for slot in added)), tuple(new))
    return replace(source, group=thrown, condition=Struck(terms))


def _endless(look: Look, die: OneDie, stage: Stage) -> Endless:
    numbers = [as_number(face) for face in look.faces]  # type: ignore[arg-type]
    if not all(type(number) is int and number >= 0 for number in numbers):
        raise NotAlgebra
    slot = die.stop[0][0]
    stop, go = parted(die.stop, look, stage)
    more_stop, more_go = parted(tuple((slot, face, weight) for face, weight in enumerate(look.weights)), look, stage)
    if not more_stop:
        raise never_ends(stage.modifier, "explodes")
    whole = sum(look.weights)
    return Endless(
        *(
            _law_of(((numbers[face], Fraction(weight, total)) for _, face, weight in faces))
            for faces, total in ((stop, die.total), (go, die.total), (more_stop, whole), (more_go, whole))
        )
    )


def _law_of(weighted: Iterable[tuple[Any, Fraction]]) -> Law:
    weights: dict[int, Fraction] = {}
    for number, weight in weighted:
        weights[number] = weights.get(number, Fraction(0)) + weight
    return Law.of(weights)


def parted(faces: Weighted, look: Look, stage: Stage) -> tuple[Weighted, Weighted]:
    """The faces that do not explode, and those that do."""
    go = tuple(each for each in faces if explodes(stage, shows(look, each[1]), look))
    return tuple(each for each in faces if each not in go), go


# ---------------------------------------------------------------- reroll


def rerolled(looks: Sequence[Look], parts: Sequence[Part], stage: Stage) -> tuple[list[Look], list[Part]]:
    """Every die that shows one of the faces is replaced, up to `limit` times or until it shows another."""
    if stage.dice is not None and stage.dice < sum(part.count for part in parts):
        if stage.dice == 0:
            return list(looks), list(parts)
        raise NotAlgebra
    if any(look.cap is not None for look in looks) or (stage.dice is not None and any(part.die.more for part in parts)):
        raise NotAlgebra
    new_parts = []
    for part in parts:
        die = part.die
        total, stop, go = _replaced(looks, die.total, die.stop, die.go, stage)
        more = die.more
        if more is not None:
            more_total, more_stop, more_go = _replaced(looks, more.total, more.stop, more.go, stage)
            more = More(more_total, more_stop, more_go, more.limit)
        new_parts.append(Part(part.count, OneDie(total, stop, go, more)))
    return list(looks), new_parts


def _replaced(
    looks: Sequence[Look], total: int, stop: Weighted, go: Weighted, stage: Stage
) -> tuple[int, Weighted, Weighted]:
    changed = [_replaced_faces(looks, total, faces, stage) for faces in (stop, go)]
    bottom = lcm(*(weight.denominator for faces in changed for weight in faces.values()))
    new = [
        tuple((slot, face, int(weight * bottom)) for (slot, face), weight in faces.items() if weight)
        for faces in changed
    ]
    return bottom, new[0], new[1]


def _replaced_faces(
    looks: Sequence[Look], total: int, faces: Weighted, stage: Stage
) -> dict[tuple[int, int], Fraction]:
    found: dict[tuple[int, int], Fraction] = {}
    assert stage.fits is not None
    for slot, face, weight in faces:
        chance = Fraction(weight, total)
        look = looks[slot]
        if not stage.fits(shows(look, face)) or stage.limit == 0:
            found[slot, face] = found.get((slot, face), Fraction(0)) + chance
            continue
        for new, share in enumerate(final_faces(look, stage)):
            if share:
                found[slot, new] = found.get((slot, new), Fraction(0)) + chance * share
    return found


def final_faces(look: Look, stage: Stage) -> list[Fraction]:
    """The chance of each face of a die that is rerolled at least once."""
    assert stage.fits is not None
    whole = sum(look.weights)
    bad = [stage.fits(shows(look, face)) for face in range(len(look.faces))]
    again = Fraction(sum(weight for weight, is_bad in zip(look.weights, bad, strict=True) if is_bad), whole)
    if stage.limit is None:
        if again == 1:
            raise never_ends(stage.modifier, "is rerolled")
        good, left = 1 / (1 - again), Fraction(0)
    else:
        good = sum((again**j for j in range(stage.limit)), Fraction(0))
        left = again ** (stage.limit - 1)
    return [
        Fraction(weight, whole) * (left if is_bad else good) for weight, is_bad in zip(look.weights, bad, strict=True)
    ]


# ---------------------------------------------------------------- advantage


def advantage(looks: Sequence[Look], parts: Sequence[Part], number: int) -> tuple[list[Look], list[Part]]:
    """One die thrown several times, the highest or the lowest kept."""
    if number == 0:
        return list(looks), list(parts)
    dice = [part for part in parts if part.count]
    if len(dice) != 1 or dice[0].count != 1 or dice[0].die.more is not None:
        raise NotAlgebra
    die = dice[0].die
    by_face: dict[Any, list[tuple[int, int, int]]] = {}
    for slot, face, weight in die.stop:
        by_face.setdefault(rank(looks[slot].faces[face]), []).append((slot, face, weight))  # type: ignore[arg-type]
    times = 1 + abs(number)
    before, faces = 0, []
    for value in sorted(by_face, reverse=number < 0):
        same = by_face[value]
        if len(same) > 1:
            raise NotAlgebra
        slot, face, weight = same[0]
        faces.append((slot, face, (before + weight) ** times - before**times))
        before += weight
    return list(looks), [Part(1, OneDie(die.total**times, tuple(sorted(faces))))]


# ---------------------------------------------------------------- again


def again_condition(group: Thrown, stage: Stage, seen: Seen) -> Struck | SumIn | bool:
    """The condition of an `again` in a form that the algebra can repeat; raises `NotAlgebra`."""
    assert stage.asked is not None
    several = any(part.die.more is not None for part in group.parts)
    pieces = tuple(((group.name, slot), look.faces) for slot, look in enumerate(group.looks))
    before = seen.sources, seen.group
    seen.sources, seen.group = {**seen.sources, group.name: group}, UnknownPool(pieces)
    try:
        condition = stage.asked(seen)
        if several and not isinstance(condition, AnyShows):
            raise NotAlgebra
        holds = _as_condition(condition, group, seen)
    except (Split, Spread, Reveal) as open_:
        reads = open_.names if isinstance(open_, Reveal) else names_of(_about(open_))
        if group.name in reads:
            raise NotAlgebra from None
        raise
    finally:
        seen.sources, seen.group = before
    if holds is not False and stage.limit is None:
        plain = Hom((None,) * len(group.looks), (0,) * len(group.looks), (0,) * len(group.looks))
        if holds is True or Again("", group, holds, None).going(plain).mass == 1:
            raise never_ends(stage.modifier, "brings another throw")
    return holds


def _about(open_: Split | Spread) -> object:
    return open_.condition if isinstance(open_, Split) else open_.form


def _as_condition(condition: Any, group: Thrown, seen: Seen) -> Struck | SumIn | bool:
    nothing = (0,) * len(group.looks)
    if isinstance(condition, bool):
        return condition
    if isinstance(condition, AnyShows):
        bits = dict(condition.marks)
        masks = tuple(bits.get((group.name, slot), 0) for slot in range(len(group.looks)))
        return Struck(((1, masks),)) if condition.negated else Struck(((1, nothing), (-1, masks)))
    if not isinstance(condition, Inside):
        raise NotAlgebra
    form, moved = _less_others(condition.form, group, seen)
    if not form.leftovers:
        scores = dict(form.terms)
        every = tuple(
            tuple(int(x) for x in scores.get((group.name, slot), (0,) * len(look.faces)))
            for slot, look in enumerate(group.looks)
        )
        if isinstance(moved, Beyond):
            return _settled_beyond(every, condition.ranges, group, moved)
        ends = (tuple(None if end is None else end - moved for end in pair) for pair in condition.ranges.ranges)
        return SumIn(every, Ranges(tuple(ends)))  # type: ignore[arg-type]
    (only, factor), *more = form.leftovers
    if more or form.terms or factor != 1 or not isinstance(only, Asked) or only.what != "all_equal" or only.pool.steps:
        raise NotAlgebra
    if moved or condition.ranges != Ranges.of(1, 1) or any(look.cap is not None for look in group.looks):
        raise NotAlgebra
    if sum(part.count for part in group.parts) < 2:
        return False
    terms = []
    images = [faces for _, faces in only.pool.pieces]
    for value in {face for faces in images for face in faces}:
        terms.append((1, tuple(sum(1 << i for i, face in enumerate(faces) if face != value) for faces in images)))
    return Struck(tuple(terms))


def _less_others(form: Linear, group: Thrown, seen: Seen) -> tuple[Linear, int | Beyond]:
    """The share of a form that the group has, and what the dice of other throws add to it, which has to be known."""
    others = tuple(pair for pair in form.terms if pair[0][0] != group.name)
    left = tuple(pair for pair in form.leftovers if any(slot[0] != group.name for slot in slots_of(pair[0])))
    if not others and not left:
        return form, 0
    if any(slot[0] == group.name for each, _ in left for slot in slots_of(each)):
        raise NotAlgebra
    mine = tuple(pair for pair in form.terms if pair not in others)
    rest = tuple(pair for pair in form.leftovers if pair not in left)
    return Linear(0, mine, rest), seen.bounded(Linear(0, others, left))


def _settled_beyond(scores: Sequence[tuple[int, ...]], ranges: Ranges, group: Thrown, moved: Beyond) -> bool:
    """Whether the sum of scores lies in the ranges together with a number beyond a bound. Raises `Lost`."""
    ends = [group.bounds(slot, each)[0 if moved.above else 1] for slot, each in enumerate(scores)]
    known = [end for end in ends if end is not None]
    if len(known) < len(ends):
        raise Lost
    nearest = floor(moved.bound) + sum(known)
    reached = ranges.meets(Ranges.of(nearest, None) if moved.above else Ranges.of(None, nearest))
    if reached.empty:
        return False
    if reached.ranges == ((nearest, None) if moved.above else (None, nearest),):
        return True
    raise Lost
