"""Pools made from pools: joined, kept, cancelled, chosen by a condition, with other faces."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from rulesrun.evaluation import operations, pools
from rulesrun.evaluation.exact.ask import countable, select_unknown, settle, union
from rulesrun.evaluation.exact.beyond import Beyond
from rulesrun.evaluation.exact.expressions.compiling import Compilers, Evaluated, compiled, compiled_faces
from rulesrun.evaluation.exact.expressions.looking import first_look, raise_reveal
from rulesrun.evaluation.exact.expressions.matching import by_matches, in_sets, told
from rulesrun.evaluation.exact.expressions.outright import outright
from rulesrun.evaluation.exact.expressions.tails import each_face
from rulesrun.evaluation.exact.seen import Seen
from rulesrun.evaluation.exact.sources import SAME
from rulesrun.evaluation.exact.symbols import Keep, Only, UnknownPool, Without
from rulesrun.evaluation.expressions import numbers_as_dice, place_number
from rulesrun.evaluation.faces import FaceTest
from rulesrun.semantics import plan
from rulesrun.semantics.borne import as_number, as_symbols


def _dice_of(at: plan.Expression) -> Evaluated:
    """A pool; the numbers of a list as dice without sides."""
    pool = compiled(at)
    if at.kind is plan.Kind.POOL:
        return pool

    def dice(seen: Seen) -> Any:
        there = pool(seen)
        return there if isinstance(there, UnknownPool) else numbers_as_dice(seen.known(there))

    return dice


def _union(at: plan.Union) -> Evaluated:
    left, right = compiled(at.left), compiled(at.right)
    return lambda seen: union(left(seen), right(seen), seen, at)


def _select(at: plan.Select) -> Evaluated:
    pool, number = _dice_of(at.pool), compiled(at.number)
    take = {"highest": pools.take_highest, "lowest": pools.take_lowest, "nth": pools.nth_highest}[at.which]

    def select(seen: Seen) -> Any:
        there, wanted = pool(seen), seen.known(number(seen))
        if at.which == "nth":
            many = place_number(wanted, at.number)
        else:
            many = operations.natural_number(wanted, at.number, "the number of dice")
        if isinstance(there, UnknownPool):
            found = select_unknown(at.which, many, there, seen)
            if found is not None:
                return found
            there = seen.known(there)
        return take(tuple(there), many, at.span)

    return select


def _showing(at: plan.Showing) -> Evaluated:
    pool, faces = _dice_of(at.pool), compiled_faces(at.faces)

    def show(seen: Seen) -> Any:
        there, test = pool(seen), faces(seen)
        if not isinstance(there, UnknownPool):
            return pools.showing(tuple(there), test)
        settle(test, there, seen)
        if there.steps:
            images = {image for _, images in there.pieces for image in images} | {die.face for die in there.fixed}
            only = Only(frozenset(face for face in images if face is not None and test.contains(face)))  # type: ignore[arg-type]
            return UnknownPool(there.pieces, (*there.steps, only), there.fixed)
        pieces = tuple((slot, tuple(map(partial(_if_shown, test), images))) for slot, images in there.pieces)
        return UnknownPool(pieces, (), pools.showing(there.fixed, test))

    return show


def _if_shown(test: FaceTest, face: Any) -> Any:
    return face if face is not None and test.contains(face) else None


def _cancelled(at: plan.Cancelled) -> Evaluated:
    pool, by = _dice_of(at.pool), _dice_of(at.by)
    when = None if at.when is None else compiled(at.when)

    def cancel(seen: Seen) -> Any:
        there, takers = pool(seen), by(seen)
        if when is None and isinstance(there, UnknownPool) and isinstance(takers, UnknownPool):
            seen_by_both = {slot for slot, _ in there.pieces} & {slot for slot, _ in takers.pieces}
            if (
                not there.fixed
                and not takers.fixed
                and not seen_by_both
                and countable(there, seen)
                and countable(takers, seen)
            ):
                return UnknownPool(there.pieces, (*there.steps, Without(takers)))
        if isinstance(there, UnknownPool) or isinstance(takers, UnknownPool):
            raise_reveal(there, takers)
        if when is None:
            return pools.cancelled(tuple(there), tuple(takers), at.span)

        def goes(die: pools.Die, other: pools.Die) -> bool:
            before = seen.die, seen.other
            seen.die, seen.other = die, other
            try:
                return seen.truth(when(seen), at.when)  # type: ignore[arg-type]
            finally:
                seen.die, seen.other = before

        return pools.cancelled_when(tuple(there), tuple(takers), goes, at.span)

    return cancel


def _without(at: plan.Without) -> Evaluated:
    pool, gone = _dice_of(at.pool), _dice_of(at.gone)

    def without(seen: Seen) -> Any:
        there, away = pool(seen), gone(seen)
        rest = _rest(there, away)
        if rest is not None:
            return rest
        if isinstance(there, UnknownPool) or isinstance(away, UnknownPool):
            raise_reveal(there, away)
        return pools.without(tuple(seen.known(there)), tuple(seen.known(away)))

    return without


_OTHERS: dict[str, Any] = {
    "keep highest": "drop highest", "keep lowest": "drop lowest", "drop highest": "keep highest",
    "drop lowest": "keep lowest",
}  # fmt: skip


def _rest(pool: Any, away: Any) -> UnknownPool | None:
    """What is left of unknown dice without the highest or lowest of them; None where it is something else."""
    if not isinstance(pool, UnknownPool) or not isinstance(away, UnknownPool):
        return None
    if (pool.pieces, pool.fixed) != (away.pieces, away.fixed) or away.steps[:-1] != pool.steps:
        return None
    last = away.steps[-1] if away.steps else None
    if not isinstance(last, Keep) or last.kind not in _OTHERS:
        return None
    return UnknownPool(pool.pieces, (*pool.steps, Keep(_OTHERS[last.kind], last.number)), pool.fixed)


def _where(at: plan.Where) -> Evaluated:
    pool, condition = compiled(at.pool), outright(at.condition, compiled(at.condition))
    look_first = first_look(at.condition)
    by_number = by_matches(at.condition, at.pool)

    def stays(die: Any, seen: Seen, condition: Evaluated = condition) -> bool:
        return seen.with_die(die, lambda: seen.truth(condition(seen), at.condition))

    def where(seen: Seen) -> Any:
        there = pool(seen)
        if by_number is not None and isinstance(there, UnknownPool):
            held = told(there, lambda die: stays(die, seen, by_number), seen)
            found = None if held is None else in_sets(there, held)
            if found is not None:
                return found
        look_first(seen)
        if isinstance(there, UnknownPool) and not there.steps:
            pieces = _pictured(there, seen, lambda die: die.face if stays(die, seen) else None)
            return UnknownPool(pieces, (), tuple(die for die in there.fixed if stays(die, seen)))
        return tuple(die for die in operations.dice(seen.known(there), at.pool) if stays(die, seen))

    return where


def _pictured(pool: UnknownPool, seen: Seen, face_of: Callable[[pools.Die], Any]) -> tuple[Any, ...]:
    """The pieces of a pool with other faces: what each die that may lie there is to show, None to leave it out."""
    return tuple([(slot, each_face(slot, images, face_of, pool, seen)) for slot, images in pool.pieces])


def _natural(at: plan.Natural) -> Evaluated:
    pool = compiled(at.pool)

    def natural(seen: Seen) -> Any:
        there = pool(seen)
        if isinstance(there, UnknownPool) and not there.steps:
            pieces = []
            for slot, images in there.pieces:
                look = seen.sources[slot[0]].looks[slot[1]]
                if look.first is SAME and images == look.faces and look.cap is None:
                    pieces.append((slot, look.faces))
                elif look.first is not None:
                    break
            else:
                return UnknownPool(tuple(pieces), (), pools.natural(there.fixed))
        return pools.natural(tuple(seen.known(there)))

    return natural


def _with_each(at: plan.WithEach) -> Evaluated:
    pool, changed = compiled(at.pool), outright(at.changed, compiled(at.changed))
    look_first = first_look(at.changed)
    part = (
        {"number": as_number, "symbols": as_symbols}.get(at.changed.word) if isinstance(at.changed, plan.Each) else None
    )

    def change(seen: Seen) -> Any:
        look_first(seen)
        there = pool(seen)
        if isinstance(there, UnknownPool) and not there.steps:
            fixed = pools.with_each(there.fixed, [new_face(die, seen) for die in there.fixed])
            return UnknownPool(_pictured(there, seen, lambda die: new_face(die, seen)), (), fixed)
        there = tuple(seen.known(there))
        if part is not None and all(isinstance(each, pools.Die) for each in there):
            return tuple([die._replace(face=part(die.face)) for die in there])
        faces = [new_face(die, seen) for die in there]
        if not all(isinstance(each, pools.Die) for each in there):
            return numbers_as_dice(faces) if at.kind is plan.Kind.POOL else tuple(faces)
        if not seen.algebra.natural:
            there = tuple(die._replace(first=None) for die in there)
        return pools.with_each(there, faces)

    def new_face(die: pools.Die, seen: Seen) -> Any:
        face = seen.with_die(die, lambda: seen.bounded(changed(seen)))
        return face if isinstance(face, Beyond) else operations.new_face(face, at.changed)

    return change


COMPILERS: Compilers = {
    plan.Union: _union,
    plan.Select: _select,
    plan.Showing: _showing,
    plan.Cancelled: _cancelled,
    plan.Without: _without,
    plan.Where: _where,
    plan.WithEach: _with_each,
    plan.Natural: _natural,
}
