"""What is worked out from one die is a score of its faces, whatever the function: half a d100 rounded down, a square.

So it stays one unknown number, and nothing has to be told apart that the function does not tell apart.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from rulesrun.diagnostics import RulesError
from rulesrun.evaluation.exact.seen import Seen
from rulesrun.evaluation.exact.symbols import Linear, Slot, UnknownPool
from rulesrun.evaluation.pools import Die


def of_one_die(values: Sequence[Any], work: Callable[[list[Any]], Any], seen: Seen) -> Any:
    """`work` of these numbers, where all that is unknown in them is one die; None where it is something else, or where
    `work` gives no exact number for some face.
    """
    slots = {_only_die(value, seen) for value in values if isinstance(value, Linear)}
    if len(slots) != 1 or (slot := slots.pop()) is None:
        return None
    scores: list[Any] = []
    for face in range(len(seen.sources[slot[0]].looks[slot[1]].faces)):
        known = [value.constant + value.terms[0][1][face] if isinstance(value, Linear) else value for value in values]
        try:
            score = work(known)
        except RulesError:
            return None
        if not isinstance(score, int | Fraction) or isinstance(score, bool):
            return None
        scores.append(score)
    return seen.score(0, {slot: tuple(scores)})


def dice_of_list(items: Sequence[Any], seen: Seen) -> UnknownPool | None:
    """A list of whole numbers as dice that show them, where all that is unknown in each is one die, another one each
    time; None where it is something else.
    """
    pieces: dict[Slot, tuple[object, ...]] = {}
    fixed: list[Die] = []
    for item in items:
        if type(item) is int:
            fixed.append(Die(item))
            continue
        if not isinstance(item, Linear) or (slot := _only_die(item, seen)) is None:
            return None
        images = tuple(item.constant + score for score in item.terms[0][1])
        if slot in pieces or any(type(face) is not int for face in images):
            return None
        pieces[slot] = images
    return UnknownPool(tuple(sorted(pieces.items())), (), tuple(fixed))


def _only_die(value: Linear, seen: Seen) -> Slot | None:
    """The one die that is all that is unknown in a number; None where that is something else."""
    if value.leftovers or len(value.terms) != 1:
        return None
    slot = value.terms[0][0]
    single = seen.count(slot) == 1 and seen.sources[slot[0]].looks[slot[1]].cap is None
    return slot if single else None
