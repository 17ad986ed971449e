"""Pools of which nothing but faces is asked, as lists of faces: what the fast form of a rule calls.

Each function leaves what `pools` leaves of whole dice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from rulesrun.diagnostics import Span
from rulesrun.evaluation.draws import Bits, Given, Numbered, Shape
from rulesrun.evaluation.faces import FaceTest
from rulesrun.evaluation.pools import Die, in_order
from rulesrun.semantics.plan import Face, Number


def given_faces(number: int, shape: Shape, bits: Bits) -> list[Face]:
    """The faces of so many dice of given faces."""
    assert isinstance(shape, Given | Numbered)
    return [shape.draw(bits) for _ in range(number)]


def kept_faces(faces: list[Face], word: str, which: str, number: int, span: Span) -> list[Face]:
    """What `keep` or `drop` leaves of faces."""
    if which == "middle":
        if number >= len(faces):
            return faces
        low = (len(faces) - number) // 2
        return in_order(faces)[low : low + number]
    number = min(number, len(faces))
    if word == "drop":
        which, number = "lowest" if which == "highest" else "highest", len(faces) - number
    return selected_faces(faces, which, number, span)


def selected_faces(faces: list[Face], which: str, number: int, span: Span) -> list[Face]:
    """The so many highest or lowest faces, or the `nth` highest alone."""
    if which != "nth" and number >= len(faces):
        return faces
    ordered = in_order(faces, span)
    match which:
        case "highest":
            return ordered[len(ordered) - number :]
        case "lowest":
            return ordered[:number]
        case _:
            return [ordered[-number]] if number <= len(ordered) else []


def faces_showing(faces: list[Face], test: FaceTest) -> list[Face]:
    """The faces that belong to a set."""
    return [face for face in faces if test.contains(face)]


def cancelled_faces(faces: list[Face], by: list[Face]) -> list[Face]:
    """What is left of faces when equal ones go one for one."""
    gone = Counter(by)
    left: list[Face] = []
    for face in faces:
        if gone[face]:
            gone[face] -= 1
        else:
            left.append(face)
    return left


def faces_as_dice(faces: Sequence[Face]) -> tuple[Die, ...]:
    """Faces as dice of which nothing else is asked."""
    return tuple([Die(face) for face in faces])


def highest_face(faces: Sequence[Number]) -> Number:
    """The highest of faces that are numbers; 0 where there is none."""
    return max(faces) if faces else 0


def lowest_face(faces: Sequence[Number]) -> Number:
    """The lowest of faces that are numbers; 0 where there is none."""
    return min(faces) if faces else 0
