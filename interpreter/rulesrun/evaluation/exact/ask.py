"""Questions to dice that are not known: an unknown number or condition, or a request to look at the dice."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import ceil, gcd, lcm
from typing import Any, TypeAlias

from rulesrun.evaluation import pools
from rulesrun.evaluation.exact import peel
from rulesrun.evaluation.exact.drawn import Drawn
from rulesrun.evaluation.exact.onward import falling, goes_on, rising
from rulesrun.evaluation.exact.resolve import identity
from rulesrun.evaluation.exact.runs import runnable
from rulesrun.evaluation.exact.seen import Reveal, Seen, Uncapped
from rulesrun.evaluation.exact.sources import Again, Counted, Thrown
from rulesrun.evaluation.exact.symbols import (
    AnyShows,
    Asked,
    Inside,
    Keep,
    Linear,
    Modulo,
    Only,
    Ranges,
    UnknownPool,
    Without,
    add,
    multiples,
    names_of,
    slots_of,
    times,
)
from rulesrun.evaluation.faces import FaceTest
from rulesrun.evaluation.pools import Die
from rulesrun.semantics import plan

_NUMBERS = {"highest", "lowest", "middle", "largest_set", "face_of_largest_set", "distinct", "longest_run", "size"}
_BY_PRESENCE = {"highest", "lowest", "distinct", "longest_run", "all_equal"}
"""Questions that which faces show decides (nearly) alone: of endless pools these are asked face by face."""


def union(left: Any, right: Any, seen: Seen, at: plan.Union) -> Any:
    """The dice of both pools."""
    if not isinstance(left, UnknownPool) and not isinstance(right, UnknownPool):
        both = pools.joined(tuple(left), tuple(right), at.span)
        seen.algebra.look_at(len(both))
        return both
    pieces: list[Any] = []
    fixed: list[Die] = []
    for pool in (left, right):
        if not isinstance(pool, UnknownPool):
            fixed += pool
        elif pool.steps:
            raise Reveal(frozenset(name for value in (left, right) for name, _ in slots_of(value)))
        else:
            pieces += pool.pieces
            fixed += pool.fixed
    if len({slot for slot, _ in pieces}) < len(pieces):
        raise Reveal(frozenset(slot[0] for slot, _ in pieces))
    return UnknownPool(tuple(sorted(pieces, key=lambda piece: piece[0])), (), tuple(sorted(fixed, key=repr)))


def picture(pool: UnknownPool, seen: Seen, capped: bool = False) -> bool:
    """Whether questions that walk the faces can be put to these dice: whole numbers on a known number of dice.

    `capped`: whether it is no harm that a highest face stands for all above it; else such dice have to be of the sort
    that can be told apart further up.
    """
    if len({slot for slot, _ in pool.pieces}) < len(pool.pieces) or not all(
        type(die.face) is int for die in pool.fixed
    ):
        return False
    for slot, images in pool.pieces:
        source = seen.sources[slot[0]]
        if not isinstance(source, Thrown | Drawn) or source.count(slot[1]) is None:
            return False
        if source.looks[slot[1]].cap is not None and not capped and not goes_on(source, slot[1], images):
            return False
        if not all(type(face) is int for face in images):
            return False
    return all(picture(step.other, seen) for step in pool.steps if isinstance(step, Without))


def countable(pool: UnknownPool, seen: Seen, capped: bool = False) -> bool:
    """As `picture`, for dice too that explode without end: how many there are is then a run of equal faces."""
    if picture(pool, seen, capped):
        return True
    if len({slot for slot, _ in pool.pieces}) < len(pool.pieces) or not all(
        type(die.face) is int for die in pool.fixed
    ):
        return False
    for slot, images in pool.pieces:
        source = seen.sources[slot[0]]
        if not (runnable(source) or _endless_again(source)) or source.looks[slot[1]].cap is not None:
            return False
        if not all(face is None or type(face) is int for face in images):
            return False
    return all(countable(step.other, seen) for step in pool.steps if isinstance(step, Without))


def _endless_again(source: object) -> bool:
    return isinstance(source, Again) and source.limit is None


def _has_again(pool: UnknownPool, seen: Seen) -> bool:
    return any(_endless_again(seen.sources[name]) for (name, _), _ in pool.pieces)


def _stepped(pool: UnknownPool, seen: Seen) -> UnknownPool:
    """Capped dice of which some do not show, as all of them with a step that takes those out."""
    capped = [seen.sources[name].looks[slot].cap is not None for (name, slot), _ in pool.pieces]
    if pool.steps or not any(capped) or all(None not in images for _, images in pool.pieces):
        return pool
    shown: set[object] = {die.face for die in pool.fixed}
    gone: set[object] = set()
    pieces = []
    for (name, slot), images in pool.pieces:
        faces = seen.sources[name].looks[slot].faces
        if any(image is not None and image != face for image, face in zip(images, faces, strict=True)):
            return pool
        shown |= {face for face in images if face is not None}
        gone |= {face for image, face in zip(images, faces, strict=True) if image is None}
        pieces.append(((name, slot), faces))
    return pool if shown & gone else UnknownPool(tuple(pieces), (Only(frozenset(shown)),), pool.fixed)


def select_unknown(which: str, number: int, pool: UnknownPool, seen: Seen) -> Any:
    """The highest or lowest so many, or the n-th (from 1); None where the dice have to be looked at."""
    pool = _stepped(pool, seen)
    if which == "nth" and (not countable(pool, seen, capped=True) or (number == 1 and _has_again(pool, seen))):
        return peel.nth(number, pool, seen)
    if which == "nth":
        steps: tuple[Keep, ...] = (Keep("drop highest", number - 1), Keep("keep highest", 1))
    else:
        steps = (Keep("keep highest" if which == "highest" else "keep lowest", number),)
    return UnknownPool(pool.pieces, (*pool.steps, *steps), pool.fixed)


Pictures: TypeAlias = dict[tuple[object, ...], tuple[int, ...]]
"""For the faces of dice: how much each counts in a set of faces (`count`), and whether it belongs (`contains`), as 0
and 1.
"""


def ask_faces(asked: str, pool: UnknownPool, test: FaceTest, seen: Seen, pictures: Pictures) -> Any:
    """The answer to a question about a set of faces, as far as it can be left unknown; `pictures` are those of this
    set.
    """
    settle(test, pool, seen)
    if asked == "count":
        return _count(pool, test, seen, pictures)
    if asked == "pairs":
        return halved(_count(pool, test, seen, pictures), seen)
    return _shows(asked, pool, test, seen, pictures)


def settle(test: FaceTest, pool: UnknownPool, seen: Seen) -> None:
    """Makes sure that a set of faces treats alike all that the last face of capped dice stands for."""
    for (name, slot), images in pool.pieces:
        look = seen.sources[name].looks[slot]
        if look.cap is None or not rising(images, look):
            continue
        if falling(images, look):
            raise Reveal(names_of(pool))
        steps = [images[at] - images[at - look.period] for at in look.tail if images[at] is not None]  # type: ignore[operator]
        highest = test.settled_from(gcd(*steps) if all(type(step) is int for step in steps) else 1)
        if highest is None:
            raise Uncapped(0, 2 * look.period)
        if any(image is not None and highest > image for image in images[-2 * look.period : -look.period]):  # type: ignore[operator]
            raise Uncapped(max(look.cap, int(highest)) + 1)


def _picture(images: tuple[Any, ...], test: FaceTest, pictures: Pictures, counts: bool) -> tuple[int, ...]:
    key = (counts, images)
    found = pictures.get(key)
    if found is None:
        ask = test.count if counts else test.contains
        found = pictures[key] = tuple(0 if face is None else int(ask(face)) for face in images)
    return found


def ask_unknown(asked: str, pool: UnknownPool, test: FaceTest | None, seen: Seen) -> Any:
    """The answer to another question, as far as it can be left unknown."""
    if asked == "sum":
        return _sum(pool, seen)
    if asked == "size" and not pool.steps:
        scores = {slot: tuple(0 if face is None else 1 for face in images) for slot, images in pool.pieces}
        return seen.score(len(pool.fixed), scores)
    if asked in ("highest", "lowest", "middle") and _is_one_die(pool, seen):
        return _sum(pool, seen)
    pool = _stepped(pool, seen)
    if asked in ("highest", "lowest", "middle") and picture(pool, seen, capped=True):
        return Linear(0, (), ((Asked(asked, pool), 1),))
    if asked == "all_equal" and _is_drawn(pool, seen):
        return Inside(Linear(0, (), ((Asked("all_equal", pool), 1),)), Ranges.of(1, 1))
    counted = countable(pool, seen) and asked != "groups" and (pool.steps or asked not in _BY_PRESENCE)
    if not picture(pool, seen) and not counted:
        answer = _settled(asked, pool, test, seen)
        return pools.ask(asked, seen.known(pool), _AT, test) if answer is None else answer  # type: ignore[arg-type]
    if asked == "groups":
        return pools.ask("groups", seen.known(pool), _AT, test)
    if asked == "sets":
        assert test is not None
        return _sets(pool, test, seen)
    if asked == "all_equal":
        return Inside(Linear(0, (), ((Asked("all_equal", pool), 1),)), Ranges.of(1, 1))
    assert asked in _NUMBERS
    return Linear(0, (), ((Asked(asked, pool), 1),))


def _sets(pool: UnknownPool, test: FaceTest, seen: Seen) -> Any:
    """How many faces are shown by so many dice as the test says."""
    counts = [seen.count(slot) for slot, _ in pool.pieces]
    known = [count for count in counts if count is not None]
    if len(known) == len(counts):
        sizes = range(1, len(pool.fixed) + sum(known) + 1)
        return _sets_of(frozenset(size for size in sizes if test.contains(size)), pool)
    settled = test.settled_from()
    if settled is None:
        raise Reveal(frozenset(name for (name, _), _ in pool.pieces))
    end = max(1, ceil(settled))
    fits = frozenset(size for size in range(1, end) if test.contains(size))
    if not test.contains(end):
        return _sets_of(fits, pool)
    others = _sets_of(frozenset(range(1, end)) - fits, pool)
    return add(Linear(0, (), ((Asked("distinct", pool), 1),)), others, -1)


def _sets_of(sizes: frozenset[int], pool: UnknownPool) -> Any:
    return Linear(0, (), ((Asked("sets", pool, sizes), 1),)) if sizes else 0


def _settled(asked: str, pool: UnknownPool, test: FaceTest | None, seen: Seen) -> Any:
    """The answer for any number of dice; None where the dice have to be looked at."""
    if pool.steps:
        dice = peel.kept(pool, seen)
        return None if dice is None else pools.ask(asked, dice, _AT, test)  # type: ignore[arg-type]
    match asked:
        case "highest" | "lowest":
            return peel.extreme(asked == "highest", pool, seen)
        case "distinct" | "longest_run":
            return peel.present(asked, pool, seen)
        case "all_equal":
            return peel.all_equal(pool, seen)
        case _:
            return None


def _is_drawn(pool: UnknownPool, seen: Seen) -> bool:
    """Whether all these dice come out of a bag, and stay."""
    return not pool.steps and all(
        isinstance(seen.sources[name], Drawn) and None not in images for (name, _), images in pool.pieces
    )


def _is_one_die(pool: UnknownPool, seen: Seen) -> bool:
    if pool.fixed or pool.steps or len(pool.pieces) != 1:
        return False
    slot, images = pool.pieces[0]
    return seen.count(slot) == 1 and None not in images


def _count(pool: UnknownPool, test: FaceTest, seen: Seen, pictures: Pictures) -> Any:
    if pool.steps:
        return scored(pool, lambda die: test.count(die.face), seen)
    scores = {slot: _picture(images, test, pictures, counts=True) for slot, images in pool.pieces}
    return seen.score(sum(test.count(die.face) for die in pool.fixed), scores)


def _sum(pool: UnknownPool, seen: Seen) -> Any:
    if pool.steps:
        return scored(pool, lambda die: pools.rank(die.face), seen)
    total: Any = sum(pools.rank(die.face) for die in pool.fixed)
    scores = {slot: tuple(0 if face is None else pools.rank(face) for face in images) for slot, images in pool.pieces}  # type: ignore[arg-type]
    return seen.score(total, scores)


SCORED = 5
"""To score a face takes as long as to look at so many items of a list."""


def scored(pool: UnknownPool, score: Callable[[Die], Any], seen: Seen) -> Any:
    """The sum of scores over the dice that the steps leave."""
    one = len(pool.steps) == 1 and isinstance(pool.steps[0], Keep) and pool.steps[0].number == 1
    if not countable(pool, seen, capped=True) or (one and _has_again(pool, seen)):
        dice = peel.kept(pool, seen)
        return sum(score(die) for die in (seen.known(pool) if dice is None else dice))
    scores: dict[tuple[object, ...], Any] = {}
    for slot, images in pool.pieces:
        look = seen.sources[slot[0]].looks[slot[1]]
        for face in images:
            if face is None:
                continue
            die = Die(face, look.sides, look.target, look.kind)  # type: ignore[arg-type]
            scores[identity(die)] = score(die)
        told = [0 if face is None else scores[face, look.sides, look.target, look.kind] for face in images]
        if falling(told, look):
            raise Reveal(names_of(pool))
    for die in pool.fixed:
        scores[identity(die)] = score(die)
    seen.algebra.look_at(SCORED * len(scores))
    bottom = lcm(*(Fraction(x).denominator for x in scores.values()))
    detail = frozenset((die, int(x * bottom)) for die, x in scores.items())
    if not any(scores.values()):
        return 0
    if not countable(pool, seen) and min(scores.values()) < 0:
        seen.known(pool)
    return times(Linear(0, (), ((Asked("score", pool, detail), 1),)), Fraction(1, bottom))


def halved(count: Any, seen: Seen) -> Any:
    """Half a whole number, rounded down."""
    if not isinstance(count, Linear):
        return count // 2
    counted = any(isinstance(seen.sources[name], Counted) for (name, _), _ in count.terms)
    if counted or count.leftovers or any(x.denominator != 1 for _, scores in count.terms for x in scores):
        return seen.known(count) // 2
    return seen.algebra.made(("halved", count), lambda: _half(count))


def _half(count: Linear) -> Any:
    """Half of what is left when the dice's part, where it is odd, is taken to the even number below, if the constant is
    even, and to that above, if not.
    """
    half, above = divmod(int(count.constant), 2)
    odd = Modulo(tuple([(slot, tuple([int(x) % 2 for x in scores])) for slot, scores in count.terms]), 2)
    terms = [(slot, multiples(scores, Fraction(1, 2))) for slot, scores in count.terms]
    return Linear(half, tuple(terms), ((odd, Fraction(1 if above else -1, 2)),))


def _shows(asked: str, pool: UnknownPool, test: FaceTest, seen: Seen, pictures: Pictures) -> Any:
    if pool.steps:
        if asked == "all":
            out = scored(pool, lambda die: 0 if test.contains(die.face) else 1, seen)
            some = scored(pool, lambda die: 1, seen)
            none_out = _at_least_one(out, seen, negated=True)
            return seen.truth(none_out, _AT) and _at_least_one(some, seen)
        count = scored(pool, lambda die: 1 if test.contains(die.face) else 0, seen)
        return _at_least_one(count, seen, negated=asked == "none")
    if asked == "all":
        inside = _marks(pool, test, seen, pictures, fits=True)
        outside = _marks(pool, test, seen, pictures, fits=False)
        if isinstance(outside, AnyShows):
            none_outside: Any = AnyShows(outside.marks, True)
        else:
            none_outside = not outside
        if none_outside is False or inside is False:
            return False
        if _surely_some(pool, seen):
            return none_outside
        return seen.truth(none_outside, _AT) and inside
    found = _marks(pool, test, seen, pictures, fits=True)
    if asked == "any":
        return found
    return AnyShows(found.marks, not found.negated) if isinstance(found, AnyShows) else not found


_AT: Any = None


def _at_least_one(count: Any, seen: Seen, negated: bool = False) -> Any:
    if not isinstance(count, Linear):
        return (count >= 1) != negated
    form, _ = count.canonical()
    return Inside(form, Ranges.of(None, 0) if negated else Ranges.of(1, None))


def _surely_some(pool: UnknownPool, seen: Seen) -> bool:
    """Whether there is a die in it for certain."""
    if pool.fixed:
        return True
    return any(None not in images and _surely_thrown(slot, seen) for slot, images in pool.pieces)


def _surely_thrown(slot: Any, seen: Seen) -> bool:
    source = seen.sources[slot[0]]
    count = source.count(slot[1])
    if count is not None:
        return count > 0
    return len(source.looks) == 1 and any(
        seen.algebra.bounds({slot[0]: source}, ((slot, (1,) * len(source.looks[0].faces)),))[:1]
    )


def _marks(pool: UnknownPool, test: FaceTest, seen: Seen, pictures: Pictures, fits: bool) -> AnyShows | bool:
    """Whether any die shows a face that fits (or one that does not)."""
    if any(test.contains(die.face) == fits for die in pool.fixed):
        return True
    marks = []
    sure = False
    for slot, images in pool.pieces:
        if seen.count(slot) == 0:
            continue
        belongs = _picture(images, test, pictures, counts=False)
        bits = 0
        for i, face in enumerate(images):
            if face is not None and belongs[i] == fits:
                bits |= 1 << i
        if bits:
            marks.append((slot, bits))
            sure = sure or (bits == (1 << len(images)) - 1 and _surely_thrown(slot, seen))
    if sure:
        return True
    return AnyShows(tuple(marks)) if marks else False
