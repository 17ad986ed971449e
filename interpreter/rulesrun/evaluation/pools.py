"""Dice that lie on the table, what can be asked of them and what can be made of them: pure functions.

A pool is a multiset of dice, written as a tuple in the order drawn; no answer depends on that order. Questions look at
faces alone and take any sequence of them (`shown`), so they ask lists of numbers too; what yields dice takes a pool.
Among equal faces the die with fewer sides is the higher one; further ties are broken by the rest of a die, so that
every result is a function of the multiset. A blank counts as 0 where a number is needed; symbols have no order, but of
faces with the same number that with the later symbols is the higher one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, TypeVar

from rulesrun.diagnostics import RulesError, Span
from rulesrun.evaluation.groups import most_groups
from rulesrun.evaluation.limits import sized, too_large
from rulesrun.evaluation.values import face_text
from rulesrun.limits import in_force
from rulesrun.semantics.borne import is_marked, number_on, symbols_on
from rulesrun.semantics.plan import Asked, Face, Number

if TYPE_CHECKING:
    from rulesrun.evaluation.faces import FaceTest


class Die(NamedTuple):
    """One die on the table.

    `sides` is its size (of given faces their number, None for dice whose face is itself rolled); `kind` its name (`d6`,
    `dF`, a named die's). `first` is what it showed when it was first thrown, before any modifier; None for a die that
    was added later.
    """

    face: Face
    sides: int | None = None
    target: Number | None = None
    kind: str = ""
    first: Face | None = None


Pool: TypeAlias = tuple[Die, ...]
Faces: TypeAlias = Sequence[Face]


# ---------------------------------------------------------------- questions to faces


def shown(pool: Iterable[Any]) -> list[Any]:
    """The faces of a pool, or the items of a list."""
    return [each.face if isinstance(each, Die) else each for each in pool]


def count(faces: Faces, test: FaceTest) -> int:
    """How many of them belong to the set; for symbols, how many symbols."""
    return sum(map(test.count, faces))


def any_of(faces: Faces, test: FaceTest) -> bool:
    """Whether one belongs to the set."""
    return any(map(test.contains, faces))


def all_of(faces: Faces, test: FaceTest) -> bool:
    """Whether all belong to the set; no for an empty pool."""
    return bool(faces) and all(map(test.contains, faces))


def none_of(faces: Faces, test: FaceTest) -> bool:
    """Whether none belongs to the set; yes for an empty pool."""
    return not any(map(test.contains, faces))


def pairs(faces: Faces, test: FaceTest) -> int:
    """The count, halved, rounded down."""
    return count(faces, test) // 2


def all_equal(faces: Faces) -> bool:
    """At least two, all showing the same."""
    return len(faces) >= 2 and len(set(faces)) == 1


def distinct(faces: Faces) -> int:
    """How many different faces."""
    return len(set(faces))


def largest_set(faces: Faces) -> int:
    """The size of the widest group of equal faces."""
    return max(Counter(faces).values(), default=0)


def face_of_largest_set(faces: Faces, span: Span) -> Number:
    """The face of the widest group, the highest on ties; 0 for an empty pool."""
    groups = Counter(faces)
    widest = max(groups.values(), default=0)
    return max((rank(face, span) for face, size in groups.items() if size == widest), default=0)


def longest_run(faces: Faces, span: Span) -> int:
    """The length of the longest row of numbers that follow one another, each counted once."""
    there = {rank(face, span) for face in set(faces) if face != ()}
    longest = 0
    for face in there:
        if face - 1 not in there:
            end = face
            while end in there:
                end += 1
            longest = max(longest, int(end - face))
    return longest


def sets(faces: Faces, sizes: FaceTest) -> int:
    """How many faces are shown by so many dice."""
    return sum(1 for number in Counter(faces).values() if sizes.contains(number))


def downward(faces: Faces, span: Span) -> tuple[Number, ...]:
    """The faces as a list of numbers, the highest first."""
    return tuple(descending(faces, span))


def total(faces: Faces, span: Span) -> Number:
    """The sum; 0 for an empty pool."""
    return sized(sum([rank(face, span) for face in faces]), span)


def highest(faces: Faces, span: Span) -> Number:
    """The highest; 0 for an empty pool."""
    return max([rank(face, span) for face in faces], default=0)


def lowest(faces: Faces, span: Span) -> Number:
    """The lowest; 0 for an empty pool."""
    return min([rank(face, span) for face in faces], default=0)


def middle(faces: Faces, span: Span) -> Number:
    """The one in the middle, of an even number the lower of two; 0 for an empty pool."""
    ordered = sorted(rank(face, span) for face in faces)
    return ordered[(len(ordered) - 1) // 2] if ordered else 0


def ask(asked: Asked, pool: Iterable[Any], span: Span, test: FaceTest | None = None) -> Number | bool:
    """The answer to a plan's question; `test` where the question has faces."""
    faces = shown(pool)
    if asked == "groups":
        assert test is not None
        return most_groups([rank(face, span) for face in faces], test)
    if test is not None:
        return _WITH_FACES[asked](faces, test)
    if asked == "size":
        return len(faces)
    if asked in _UNORDERED:
        return _UNORDERED[asked](faces)
    return _ORDERED[asked](faces, span)


_WITH_FACES: dict[str, Callable[[Faces, FaceTest], int]] = {
    "count": count,
    "any": any_of,
    "all": all_of,
    "none": none_of,
    "pairs": pairs,
    "sets": sets,
}
_UNORDERED: dict[str, Callable[[Faces], int]] = {
    "all_equal": all_equal,
    "distinct": distinct,
    "largest_set": largest_set,
}
_ORDERED: dict[str, Callable[[Faces, Span], Number]] = {
    "face_of_largest_set": face_of_largest_set,
    "longest_run": longest_run,
    "sum": total,
    "highest": highest,
    "lowest": lowest,
    "middle": middle,
}


def outranks(left: Faces, right: Faces, span: Span) -> bool:
    """Whether the highest is higher, on ties the next, and so on; more dice win over fewer that begin the same."""
    return descending(left, span) > descending(right, span)


def wins(left: Faces, right: Faces, span: Span) -> int:
    """Both sorted and compared one to one: how many of the left are higher. Dice without a partner do not count."""
    return sum(1 for a, b in zip(descending(left, span), descending(right, span), strict=False) if a > b)


def descending(faces: Faces, span: Span) -> list[Number]:
    """The faces as numbers, from the highest to the lowest."""
    return sorted((rank(face, span) for face in faces), reverse=True)


# ---------------------------------------------------------------- order


def rank(face: Face, span: Span | None = None) -> Number:
    """The number on the face; a blank is 0. An error for symbols alone, which have no order."""
    if isinstance(face, tuple):
        if is_marked(face):
            return face[0]  # type: ignore[return-value]
        if face:
            raise RulesError.of(
                f"a die shows {face_text(face)}, and symbols are no numbers",
                code="symbols-no-numbers",
                span=span,
                hint="count symbols: `count success in pool`",
            )
        return 0
    return face


def order(die: Die, span: Span | None = None) -> tuple[Any, ...]:
    """The place of a die among others: a higher face, then fewer sides, then a higher target, then the rest of it."""
    return (rank(die.face, span), *_apart(die))


def _apart(die: Die) -> tuple[Any, ...]:
    """The place of a die among those with the same number."""
    return (
        symbols_on(die.face),
        -die.sides if die.sides is not None else float("-inf"),
        die.target is not None,
        die.target or 0,
        die.kind,
        die.first is not None,
        str(die.first) if isinstance(die.first, tuple) else "",
        die.first if not isinstance(die.first, tuple) and die.first is not None else 0,
    )


def in_order(faces: Iterable[Face], span: Span | None = None) -> list[Face]:
    """The faces from the lowest to the highest."""
    faces = list(faces)
    if any(isinstance(face, tuple) for face in faces):
        return sorted(faces, key=lambda face: (rank(face, span), face[1:] if isinstance(face, tuple) else ()))
    return sorted(faces, key=lambda face: rank(face, span))


def ascending(pool: Iterable[Die], span: Span | None = None) -> list[Die]:
    """The dice from the lowest to the highest."""
    return sorted(pool, key=lambda die: order(die, span))


def from_lowest(pool: Iterable[Die]) -> list[Die]:
    """The dice in the order in which a player goes through them: as `ascending`, symbols alone as if beside a 0."""
    return sorted(pool, key=lambda die: (number_on(die.face) or 0, *_apart(die)))


def arranged(pool: Iterable[Die]) -> Pool:
    """The dice in an order that depends on them alone, so that equal pools come out equal."""
    return tuple(sorted(pool, key=_written))


_written = lru_cache(1 << 14)(repr)


# ---------------------------------------------------------------- dice from dice


P = TypeVar("P", tuple[Any, ...], list[Any])


def joined(left: P, right: P, span: Span) -> P:
    """The dice of two pools together; the same dice may be taken again and again, so that the number is bounded."""
    both = left + right
    if len(both) > in_force.get().all_dice:
        raise too_large(f"a pool of {len(both):,} dice", "all_dice", span)
    return both


def take_highest(pool: Pool, number: int, span: Span) -> Pool:
    """The `number` highest dice, all if there are no more."""
    if number >= len(pool):
        return pool
    return tuple(ascending(pool, span)[len(pool) - number :])


def take_lowest(pool: Pool, number: int, span: Span) -> Pool:
    """The `number` lowest dice: the complement of the highest others."""
    if number >= len(pool):
        return pool
    return tuple(ascending(pool, span)[:number])


def take_middle(pool: Pool, number: int, span: Span) -> Pool:
    """The `number` dice in the middle; of an odd excess one more goes from the top."""
    if number >= len(pool):
        return pool
    low = (len(pool) - number) // 2
    return tuple(ascending(pool, span)[low : low + number])


def nth_highest(pool: Pool, number: int, span: Span) -> Pool:
    """The die that is the `number`-th highest, counted from 1; an empty pool if there is none."""
    if number > len(pool):
        return ()
    return (ascending(pool, span)[len(pool) - number],)


def keep(pool: Pool, which: str, number: int, span: Span) -> Pool:
    """The dice that `keep highest/lowest/middle N` leaves."""
    taken = {"highest": take_highest, "lowest": take_lowest, "middle": take_middle}[which]
    return taken(pool, number, span)


def drop(pool: Pool, which: str, number: int, span: Span) -> Pool:
    """The dice that `drop highest/lowest N` leaves."""
    return keep(pool, "lowest" if which == "highest" else "highest", max(0, len(pool) - number), span)


def without(pool: Iterable[Die], gone: Iterable[Die]) -> Pool:
    """The pool less those dice, as multisets.

    What a die showed when it was first thrown is no part of what it is: it only says which of several goes first, the
    one that was first thrown as the die that takes it away, then that which was first thrown the highest.
    """
    left = Counter(gone)
    stay: list[Die] = []
    for die in pool:
        if left[die]:
            left[die] -= 1
        else:
            stay.append(die)
    alike = Counter(die._replace(first=None) for die in left.elements())
    if not any(alike[die._replace(first=None)] for die in stay):
        return tuple(stay)
    remain: list[Die] = []
    for die in sorted(stay, key=_apart, reverse=True):
        looks = die._replace(first=None)
        if alike[looks]:
            alike[looks] -= 1
        else:
            remain.append(die)
    return tuple(remain)


def showing(pool: Pool, test: FaceTest) -> Pool:
    """The dice whose face belongs to the set."""
    return tuple(die for die in pool if test.contains(die.face))


def natural(pool: Pool) -> Pool:
    """The same dice as they were first thrown; dice that were added later are not among them."""
    return tuple(die._replace(face=die.first) for die in pool if die.first is not None)


def with_each(pool: Pool, faces: Iterable[Face]) -> Pool:
    """The same dice with other faces, one for each in their order."""
    return tuple(die._replace(face=face) for die, face in zip(pool, faces, strict=True))


def cancelled(pool: Pool, by: Pool, span: Span) -> Pool:
    """What is left when each die of `by` takes away one with an equal face, of equal faces the higher die first."""
    takers = Counter(die.face for die in by)
    there = Counter(die.face for die in pool)
    stay: list[Die] = []
    for face, number in there.items():
        dice = [die for die in pool if die.face == face]
        if takers[face]:
            dice = sorted(dice, key=lambda die: order(die._replace(face=0), span))[: max(0, number - takers[face])]
        stay += dice
    return tuple(stay)


def cancelled_when(pool: Pool, by: Pool, goes: Callable[[Die, Die], bool], span: Span) -> Pool:
    """What is left when each die of `by` may take away one die for which `goes(die, other)` holds.

    As many go as possible, the highest of them: a maximum matching, grown from the highest die down (the sets of dice
    that can go together are a matroid, so the greedy choice is the best).
    """
    ranked = sorted(pool, key=lambda die: _order_of_any(die, span), reverse=True)
    options = [[place for place, other in enumerate(by) if goes(die, other)] for die in ranked]
    partner: dict[int, int] = {}
    taken: dict[int, int] = {}
    for mine in range(len(ranked)):
        _find_partner(mine, options, partner, taken)
    return tuple(die for mine, die in reversed(list(enumerate(ranked))) if mine not in partner)


def _order_of_any(die: Die, span: Span) -> tuple[Any, ...]:
    if isinstance(die.face, tuple) and not is_marked(die.face):
        return (0, die.face, *order(die._replace(face=0), span)[1:])
    return (1, *order(die, span))


def _find_partner(start: int, options: Sequence[Sequence[int]], partner: dict[int, int], taken: dict[int, int]) -> None:
    """Gives `start` a place of its own if that can be, moving those before it to other places where need be."""
    came_from: dict[int, int] = {}
    waiting = [start]
    for mine in waiting:
        for place in options[mine]:
            if place in came_from:
                continue
            came_from[place] = mine
            if place in taken:
                waiting.append(taken[place])
                continue
            while True:
                owner = came_from[place]
                before = partner.get(owner)
                partner[owner], taken[place] = place, owner
                if before is None:
                    return
                place = before
