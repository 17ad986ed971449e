"""What is worked out from one die is a score of its faces, whatever the function: half a d100 rounded down, a square.

So it stays one unknown number, and nothing has to be told apart that the function does not tell apart.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from rulesrun.diagnostics import RulesError
from rulesrun.evaluation.exact.seen import Seen
from rulesrun.evaluation.exact.symbols import Linear


def of_one_die(values: Sequence[Any], work: Callable[[list[Any]], Any], seen: Seen) -> Any:
    """`work` of these numbers, where all that is unknown in them is one die; None where it is something else, or where
    `work` gives no exact number for some face.
    """
    unknown = [value for value in values if isinstance(value, Linear)]
    if any(value.leftovers or len(value.terms) != 1 for value in unknown):
        return None
    slots = {value.terms[0][0] for value in unknown}
    if len(slots) != 1:
        return None
    (slot,) = slots
    if seen.count(slot) != 1 or seen.sources[slot[0]].looks[slot[1]].cap is not None:
        return None
    scores: list[Any] = []
    for face in range(len(unknown[0].terms[0][1])):
        known = [value.constant + value.terms[0][1][face] if isinstance(value, Linear) else value for value in values]
        try:
            score = work(known)
        except RulesError:
            return None
        if not isinstance(score, int | Fraction) or isinstance(score, bool):
            return None
        scores.append(score)
    return seen.score(0, {slot: tuple(scores)})
