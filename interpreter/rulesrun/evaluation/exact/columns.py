"""Answers to any number of questions about the same few ways in which dice can fall: one column of numbers a question.

Each throw is listed once; what two throws make together is an operation on whole arrays. A table of joint answers is
then a grouping of columns, so that further questions about the same dice cost little.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm
from typing import Any

from rulesrun.evaluation.exact.listing import Dice, throws
from rulesrun.evaluation.exact.resolve import Resolver
from rulesrun.evaluation.exact.sources import Source
from rulesrun.evaluation.exact.symbols import Slot
from rulesrun.evaluation.exact.tabled import Alone, Answers, Parts, Question, Reader, Shows, Sum, Versus, reader_of

MOST_WAYS = 1_000_000
WIDEST = 1 << 62
"""Weights and keys up to here are numbers of the machine."""
COUNTED = 4_000_000
EXACT_FLOAT = 1 << 53
"""So many different keys are counted without sorting, where their weights are exact as floating numbers."""


@dataclass(slots=True)
class Columns:
    """The ways in which some finite throws can fall, each source along an axis of its own."""

    sources: Mapping[str, Source]
    struck: Mapping[Slot, int]
    budget: int
    listed: list[tuple[str, list[Dice]]] = field(init=False)
    weights: Any = field(init=False)
    total: int = field(init=False)
    known: dict[Question, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        import numpy as np

        self.listed, axes, self.total = [], [], 1
        for name, source in self.sources.items():
            here = [
                (dice, weight)
                for dice, weight in throws(source, self.budget)
                if not any(self.struck.get((name, slot), 0) >> face & 1 for slot, face in dice)
            ]
            bottom = lcm(*(weight.denominator for _, weight in here))
            self.total *= bottom
            self.listed.append((name, [dice for dice, _ in here]))
            axes.append([int(weight * bottom) for _, weight in here])
        kind: Any = np.int64 if self.total < WIDEST else object
        grid: Any = np.ones((), dtype=kind)
        for axis in axes:
            grid = np.multiply.outer(grid, np.array(axis, dtype=kind))
        self.weights = grid.reshape(-1)

    def answers(self, questions: Sequence[Question]) -> Answers | None:
        """The joint answers; None where a question cannot be asked of whole columns."""
        import numpy as np

        columns = [self._column(question) for question in questions]
        if any(column is None for column in columns):
            return None
        places = {question: place for place, question in enumerate(questions)}
        if not len(self.weights):
            return Answers(places, {}, self.total, Fraction(1), "listing")
        key = np.zeros(len(self.weights), dtype=np.int64)
        width = 1
        lows = []
        for column in columns:
            low, high = int(column.min()), int(column.max())
            lows.append((low, high - low + 1))
            width *= high - low + 1
            if width > WIDEST:
                return None
            key = key * (high - low + 1) + (column - low)
        if width <= COUNTED and self.total < EXACT_FLOAT:
            counted = np.bincount(key, weights=self.weights)
            keys = np.nonzero(counted)[0]
            sums = counted[keys]
        else:
            order = np.argsort(key, kind="stable")
            keys, starts = np.unique(key[order], return_index=True)
            sums = np.add.reduceat(self.weights[order], starts)
        found = {}
        for packed, weight in zip(keys.tolist(), sums.tolist(), strict=True):
            digits = []
            for low, size in reversed(lows):
                packed, digit = divmod(packed, size)
                digits.append(low + digit)
            found[tuple(reversed(digits))] = int(weight)
        return Answers(places, found, self.total, Fraction(1), "listing")

    def _column(self, question: Question) -> Any:
        if question not in self.known:
            try:
                self.known[question] = _small(self._made(reader_of(question)))
            except OverflowError:
                self.known[question] = None
        return self.known[question]

    def _made(self, reader: Reader) -> Any:
        import numpy as np

        if isinstance(reader, Parts):
            return None
        own = [
            [reader.own(name, dice, Resolver({name: dice}, self.sources)) for dice in ways]
            for name, ways in self.listed
        ]
        shape = tuple(len(ways) for _, ways in self.listed)
        match reader:
            case Sum() | Shows():
                grid: Any = np.zeros((), dtype=np.int64)
                for answers in own:
                    grid = np.add.outer(grid, np.array([int(answer) for answer in answers], dtype=np.int64))
                return (grid.reshape(-1) > 0).astype(np.int64) if isinstance(reader, Shows) else grid.reshape(-1)
            case Alone():
                axis = next(at for at, (name, _) in enumerate(self.listed) if name in reader.reads)
                if not all(type(answer) is int for answer in own[axis]):
                    return None
                return self._along(own[axis], axis, shape)
            case Versus():
                sides = []
                shown = {faces for answers in own for pair in answers for faces in pair if faces is not None}
                ranks = {faces: rank for rank, faces in enumerate(sorted(shown))}
                for side in (0, 1):
                    axis = next(at for at, answers in enumerate(own) if any(pair[side] is not None for pair in answers))
                    sides.append(self._along([ranks[pair[side]] for pair in own[axis]], axis, shape))
                return (sides[0] > sides[1]).astype(np.int64)
            case _:
                return None

    def _along(self, answers: Sequence[int], axis: int, shape: tuple[int, ...]) -> Any:
        import numpy as np

        wide = [1] * len(shape)
        wide[axis] = len(answers)
        return np.broadcast_to(np.array(answers, dtype=np.int64).reshape(wide), shape).reshape(-1)


def _small(column: Any) -> Any:
    """The same whole numbers in as little memory as will do."""
    import numpy as np

    if column is None or not len(column):
        return column
    ends = np.min_scalar_type(int(column.min())), np.min_scalar_type(int(column.max()))
    return column.astype(np.promote_types(*ends))
