"""What a face bears: a number, symbols, or both.

A face that bears a number alone is that number; one that bears symbols is a tuple of them in sorted order, its number
before them if it has one (`6 & tengwar` is `(6, "tengwar")`). The empty tuple is a blank.
"""

from __future__ import annotations

from .plan import Face, Number


def number_on(face: Face) -> Number | None:
    """The number of a face; None where it bears symbols alone, or nothing."""
    if isinstance(face, tuple):
        return face[0] if face and not isinstance(face[0], str) else None
    return face


def symbols_on(face: Face) -> tuple[str, ...]:
    """The symbols of a face."""
    return tuple(each for each in face if isinstance(each, str)) if isinstance(face, tuple) else ()


def is_marked(face: Face) -> bool:
    """Whether a face bears a number and symbols."""
    return isinstance(face, tuple) and bool(face) and not isinstance(face[0], str)


def as_number(face: Face) -> Face:
    """The face without its symbols, where it bears a number; else the face as it is."""
    return face[0] if isinstance(face, tuple) and face and not isinstance(face[0], str) else face


def as_symbols(face: Face) -> Face:
    """The face without its number: what is left of a number alone is a blank."""
    if isinstance(face, tuple):
        return face[1:] if face and not isinstance(face[0], str) else face
    return ()
