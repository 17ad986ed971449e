"""What is worked out for each face of dice that are known only up to a cap: whether it goes on as it should."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from rulesrun.evaluation.exact.beyond import Beyond, Lost
from rulesrun.evaluation.exact.expressions.looking import as_die, raise_reveal
from rulesrun.evaluation.exact.growth import Growth
from rulesrun.evaluation.exact.seen import Uncapped
from rulesrun.evaluation.exact.sources import Look
from rulesrun.evaluation.exact.symbols import Linear, UnknownPool
from rulesrun.evaluation.pools import Die

FACE = Linear(0, ((("", 0), (1,)),), ())
"""What the values are straight lines of."""
FAR = 300
"""Dice are told one by one up to there at the most, to find where something asked of them settles."""


def each_face(images: Sequence[Any], look: Look, value: Callable[[Die], Any], pool: UnknownPool) -> tuple[Any, ...]:
    """The value for each image of the faces of a look, None where there is none.

    The last, where it stands for all from a cap on, has to be the value of all of them, or that of the lowest of values
    that go on rising or falling in a straight line; else the dice are looked at, or told further up.
    """
    end: Any = None
    if look.cap is not None and images[-1] is not None:
        try:
            end = value(as_die(_beyond(images, look), look))
        except Lost:
            if look.cap < FAR:
                raise Uncapped(look.cap + 1) from None
            raise_reveal(pool)
    found = tuple([None if face is None else _known(value(as_die(face, look))) for face in images])
    if look.cap is None or images[-1] is None:
        return found
    before, line = end, None
    if isinstance(end, Beyond):
        line = end.growth.line if end.growth is not None and end.growth.form == FACE else None
        if line is None or line[0] + line[1] * look.cap != found[-1]:
            raise_reveal(pool)
        else:
            before = line[0] + line[1] * look.faces[-2]  # type: ignore[operator]
    if found[-2] != before:
        raise Uncapped(look.cap + 1)
    return found


def _known(value: Any) -> Any:
    if isinstance(value, Beyond):
        raise Lost
    return value


def _beyond(images: Sequence[Any], look: Look) -> Any:
    """What dice show above the cap: the same, or a straight line."""
    if images[-1] == images[-2]:
        return images[-1]
    run: Any = look.faces[-1] - look.faces[-2]  # type: ignore[operator]
    slope = Fraction(images[-1] - images[-2], run)
    assert look.cap is not None
    return Beyond(images[-1], slope > 0, Growth.of(FACE, images[-1] - slope * look.cap, slope))
