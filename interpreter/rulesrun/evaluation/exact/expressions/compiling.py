"""Each kind of expression compiles to a function of a `Seen`; the functions of its parts are found here.

`evaluate` puts the tables of the files of this folder together.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from rulesrun.evaluation.exact.seen import Seen
from rulesrun.evaluation.faces import FaceTest, expressions_of, face_test
from rulesrun.semantics import plan

Evaluated: TypeAlias = Callable[[Seen], Any]
Compilers: TypeAlias = dict[type, Callable[[Any], Evaluated]]

COMPILERS: Compilers = {}
"""For each kind of expression the function that compiles it."""


def compiled(at: plan.Expression) -> Evaluated:
    """The function that evaluates an expression."""
    return COMPILERS[type(at)](at)


def compiled_faces(faces: plan.FaceSet) -> Callable[[Seen], FaceTest]:
    """The function that makes a set of faces concrete; made once where it is constant."""
    parts = expressions_of(faces)
    if all(isinstance(each, plan.Const) for each in parts):
        test = face_test(faces, [each.value for each in parts if isinstance(each, plan.Const)])
        return lambda seen: test
    values = [compiled(each) for each in parts]
    return lambda seen: face_test(faces, [seen.known(value(seen)) for value in values])
