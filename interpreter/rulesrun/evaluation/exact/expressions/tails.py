"""What is worked out for each face of dice that are known only up to a cap: whether it goes on as it should."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NoReturn

from rulesrun.evaluation.exact.beyond import Beyond, Lost
from rulesrun.evaluation.exact.expressions.looking import FEW, as_die, raise_reveal
from rulesrun.evaluation.exact.growth import Among, Growth
from rulesrun.evaluation.exact.seen import Seen, Uncapped
from rulesrun.evaluation.exact.sources import Look
from rulesrun.evaluation.exact.symbols import Linear, Slot, UnknownPool, names_of
from rulesrun.evaluation.exact.tabled import ways
from rulesrun.evaluation.pools import Die

FACE = Linear(0, ((("", 0), (1,)),), ())
"""What the values are straight lines of."""
FAR = 300
"""Dice are told one by one up to there at the most, to find where something asked of them settles."""
MUCH = 4
"""A number that is wanted from there on may be so many times as far. One that is wanted of the last faces is never far
enough: it is where they are, however far that is.
"""


def each_face(
    slot: Slot, images: Sequence[Any], value: Callable[[Die], Any], pool: UnknownPool, seen: Seen
) -> tuple[Any, ...]:
    """The value for each image of the faces of a slot of a pool, None where there is none.

    That of a face that stands for others too has to be the value of all of them, or the lowest of values that go on
    rising or falling in a straight line; else the dice are told apart further, or looked at if they fall in few ways.
    """
    look = seen.sources[slot[0]].looks[slot[1]]
    ends = [_end(images, at, look, value, pool, seen) for at in look.tail]
    found: list[Any] = []
    for face in images:
        try:
            found.append(None if face is None else _known(value(as_die(face, look))))
        except Uncapped as low:
            near = look.cap is not None and look.cap >= FAR and low.wanted <= MUCH * look.cap
            if not found or low.period > 1 or not near:
                raise
            _look_at(pool, seen)
    for at, end in zip(look.tail, ends, strict=True):
        before, here = _at(end, look.faces[at - look.period]), _at(end, look.faces[at])
        if found[at] != here or found[at - look.period] != before:
            if look.cap > 2 * FAR:  # type: ignore[operator]
                _look_at(pool, seen)
            raise Uncapped(look.cap + 1)  # type: ignore[operator]
    return tuple(found)


def _end(images: Sequence[Any], at: int, look: Look, value: Callable[[Die], Any], pool: UnknownPool, seen: Seen) -> Any:
    """What all that a face stands for have: None, one value, or a straight line."""
    if images[at] is None:
        return None
    assert look.cap is not None
    try:
        end = value(as_die(_beyond(images, at, look), look))
        if not isinstance(end, Beyond):
            return end
        line = end.growth.line if end.growth is not None and end.growth.form == FACE else None
    except Among as wanted:
        raise Uncapped(0, wanted.every) from None
    except Lost as lost:
        if lost.every > 1:
            raise Uncapped(0, lost.every) from None
        if look.cap < FAR:
            raise Uncapped(look.cap + 1) from None
        line = None
    if line is None:
        _look_at(pool, seen)
    return _Line(*line)


def _look_at(pool: UnknownPool, seen: Seen) -> NoReturn:
    """Asks to look at the dice of a pool; where they fall in many ways, what is asked of them is lost."""
    if ways({name: seen.sources[name] for name in names_of(pool)}) > FEW:
        raise Lost
    raise_reveal(pool)


@dataclass(frozen=True, slots=True)
class _Line:
    constant: Fraction
    slope: Fraction


def _at(end: Any, face: Any) -> Any:
    return end.constant + end.slope * face if isinstance(end, _Line) else end


def _known(value: Any) -> Any:
    if isinstance(value, Beyond):
        raise Lost
    return value


def _beyond(images: Sequence[Any], at: int, look: Look) -> Any:
    """What the dice show for which a face stands: the same, or a straight line."""
    if images[at] == images[at - look.period]:
        return images[at]
    face: Any = look.faces[at]
    slope = Fraction(images[at] - images[at - look.period]) / look.period
    growth = Growth.of(FACE, images[at] - slope * face, slope, (look.period, face % look.period))
    return Beyond(images[at], slope > 0, growth)
