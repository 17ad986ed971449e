"""Sets of faces of the plan, held against pools."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

import numpy as np

from rulesrun.evaluation.faces import FaceTest, expressions_of, face_test
from rulesrun.evaluation.sample.columns import (
    Array,
    at,
    keys_of,
    together,
)
from rulesrun.evaluation.sample.dice import Dice, alike
from rulesrun.evaluation.sample.face_sets import belonging, counting
from rulesrun.evaluation.sample.lanes import Lanes
from rulesrun.evaluation.sample.lazily import Lazily
from rulesrun.record import changed
from rulesrun.semantics.plan import (
    Const,
    Expression,
    FaceIs,
    FaceSet,
    Kind,
)

Marks = tuple[Sequence[FaceTest], "Array | None", Sequence[Dice], bool]
"""Tests, which of them is each lane's, pools whose faces belong too, and whether the set is the rest."""


class PlannedFaces(Lazily):
    """Knows which dice belong to a set of faces."""

    def __init__(self) -> None:
        super().__init__()
        self._tests: dict[int, tuple[FaceSet, FaceTest]] = {}

    @abstractmethod
    def pool(self, e: Expression, lanes: Lanes) -> Dice:
        """The pools that an expression is."""

    def tests(self, faces: FaceSet, lanes: Lanes) -> Marks:
        """The tests of a set of faces."""
        known = self._tests.get(id(faces))
        if known is not None and known[0] is faces:
            return (known[1],), None, (), False
        needed = expressions_of(faces)
        if all(isinstance(each, Const) for each in needed):
            test = face_test(faces, [each.value for each in needed if isinstance(each, Const)])
            self._tests[id(faces)] = (faces, test)
            return (test,), None, (), False
        members = [
            each.value for each in faces.alternatives if isinstance(each, FaceIs) and each.value.kind is Kind.POOL
        ]
        rest = faces
        if members:
            left = tuple(
                each for each in faces.alternatives if not (isinstance(each, FaceIs) and each.value.kind is Kind.POOL)
            )
            rest = changed(faces, alternatives=left, negated=False)
            needed = expressions_of(rest)
        columns = [self.value(each, lanes) for each in needed]
        groups = together(map(keys_of, columns))
        examples = [0] if groups is None else groups.examples.tolist()
        tests = [face_test(rest, [at(column, lane) for column in columns]) for lane in examples]
        shown = [self.pool(each, lanes) for each in members]
        return tests, None if groups is None else groups.codes, shown, bool(members) and faces.negated

    def belongs(self, faces: FaceSet, pool: Dice, lanes: Lanes) -> Array:
        """Whether each die belongs to a set of faces."""
        tests, codes, members, negated = self.tests(faces, lanes)
        found = belonging(pool, tests, codes) if tests else np.zeros(pool.faces.shape, bool)
        for member in members:
            found = found | shown_by(pool, member)
        return ~found if negated else found

    def counts(self, faces: FaceSet, pool: Dice, lanes: Lanes) -> Array:
        """How often each die counts."""
        tests, codes, members, negated = self.tests(faces, lanes)
        if not members:
            return counting(pool, tests, codes) if tests else np.zeros(pool.faces.shape, bool)
        if negated:
            return self.belongs(faces, pool, lanes)
        found = counting(pool, tests, codes)
        for member in members:
            found = np.maximum(found, shown_by(pool, member))
        return found


def shown_by(pool: Dice, member: Dice) -> Array:
    """Whether each die of a pool shows a face that a die of the other pool shows."""
    pool, member = alike([pool, member])
    found = np.zeros(pool.faces.shape, bool)
    for row in range(member.rows):
        same = pool.faces == member.faces[row]
        found |= same if member.there is None else same & member.there[row]
    return found
