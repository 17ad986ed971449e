"""After how many turns a repetition that reads its turn is where it was: in rounds of players, say.

In: a repetition. Out: for each place that reads the turn, from which turn on it comes round, and after how many turns.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import ceil, floor

from rulesrun.evaluation.exact.evaluate import compiled, compiled_faces
from rulesrun.evaluation.exact.seen import Seen
from rulesrun.semantics import plan
from rulesrun.semantics.renaming import names_in, parts

Round = Callable[[Seen], tuple[int, int]]
"""Before which number of turns everything is still new, and after how many more it is as it was."""


def rounds_of(step: plan.Repeat) -> tuple[Round, ...] | None:
    """When `LIST at turn`, `remainder(turn, NUMBER)`, `turn in FACES` and `turn > NUMBER` come round; None where the
    turn is read otherwise, or where what it is read with changes from turn to turn.
    """
    if step.turn in names_in(step.until):
        return None
    changing = {step.turn, *step.names, *(each.name for each in parts(step.steps) if isinstance(each, plan.Update))}
    found: list[Round] = []

    def comes_round(part: object) -> bool:
        match part:
            case plan.ItemAt(items=items, index=index, around=True) if _is_turn(index, step.turn, changing):
                found.append(_size_of(items))
                return changing.isdisjoint(names_in(items))
            case plan.Function(name="remainder", arguments=(first, by)) if _is_turn(first, step.turn, changing):
                found.append(_least_multiple(by))
                return changing.isdisjoint(names_in(by))
            case plan.InFaces(value=plan.Var(name=name), faces=faces) if name == step.turn:
                found.append(_belonging(faces))
                parity = any(isinstance(each, plan.FaceParity) for each in faces.alternatives)
                return changing.isdisjoint(names_in(faces)) and not (parity and len(faces.alternatives) > 1)
            case (
                plan.Compare(left=plan.Var(name=name), right=bound)
                | plan.Compare(left=bound, right=plan.Var(name=name))
            ) if name == step.turn:
                found.append(_past(bound))
                return changing.isdisjoint(names_in(bound))
            case plan.Var(name=name):
                return name != step.turn
            case tuple():
                return all(comes_round(each) for each in part)
            case _:
                names = getattr(type(part), "__match_args__", ())
                return all(comes_round(getattr(part, name)) for name in names if name != "span")

    return tuple(found) if comes_round(step.steps) else None


def _is_turn(value: plan.Expression, turn: str, changing: set[str]) -> bool:
    """Whether a number is the turn, perhaps so many before or after it."""
    match value:
        case plan.Var(name=name):
            return name == turn
        case plan.Arithmetic(operator="+" | "-", left=left, right=right):
            return _is_turn(left, turn, changing) and changing.isdisjoint(names_in(right))
        case _:
            return False


def _size_of(items: plan.Expression) -> Round:
    there = compiled(items)
    return lambda seen: (0, max(1, len(there(seen))))


def _least_multiple(by: plan.Expression) -> Round:
    number = compiled(by)
    return lambda seen: (0, max(1, abs(Fraction(seen.known(number(seen))).numerator)))


def _belonging(faces: plan.FaceSet) -> Round:
    test = compiled_faces(faces)

    def turns(seen: Seen) -> tuple[int, int]:
        end = test(seen).settled_from()
        return (0, 2) if end is None else (max(0, ceil(end) - 1), 1)

    return turns


def _past(bound: plan.Expression) -> Round:
    number = compiled(bound)
    return lambda seen: (max(0, floor(seen.known(number(seen)))), 1)
