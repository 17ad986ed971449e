"""Answers to any number of questions about the same few ways in which dice can fall: one column of numbers a question.

Each throw is listed once; what two throws make together is an operation on whole arrays. A table of joint answers is
then a grouping of columns, so that further questions about the same dice cost little.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import gcd
from typing import Any

from rulesrun.evaluation.exact.listing import Dice, counted_throws
from rulesrun.evaluation.exact.resolve import Resolver
from rulesrun.evaluation.exact.sources import Source
from rulesrun.evaluation.exact.symbols import Linear, Marks, Modulo, Slot
from rulesrun.evaluation.exact.tabled import Alone, Answers, Parts, Question, Reader, Shows, Sum, Versus, reader_of

MOST_WAYS = 1_000_000
RESOLVED = 3
"""So many steps it takes to ask dice that lie there, where a question is not just a sum."""
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
    work: Callable[[int], None]
    """Counts steps, and may raise."""
    listed: list[tuple[str, list[Dice]]] = field(init=False)
    weights: Any = field(init=False)
    total: int = field(init=False)
    share: Fraction = Fraction(1)
    method: str = "listing"
    known: dict[Question, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        import numpy as np

        self.listed, axes, self.total = [], [], 1
        for name, source in self.sources.items():
            weights, total = counted_throws(source, self.budget)
            here = [
                (dice, weight)
                for dice, weight in weights
                if not any(self.struck.get((name, slot), 0) >> face & 1 for slot, face in dice)
            ]
            common = gcd(total, *(weight for _, weight in here))
            self.total *= total // common
            self.work(len(here))
            self.listed.append((name, [dice for dice, _ in here]))
            axes.append([weight // common for _, weight in here])
        kind: Any = np.int64 if self.total < WIDEST else object
        grid: Any = np.ones((), dtype=kind)
        for axis in axes:
            grid = np.multiply.outer(grid, np.array(axis, dtype=kind))
        self.weights = grid.reshape(-1)

    @property
    def ways(self) -> int:
        """In how many ways the throws fall."""
        return len(self.weights)

    def can_answer(self, questions: Iterable[Question]) -> bool:
        """Whether all these questions can be asked of whole columns."""
        return all(self._column(question) is not None for question in questions)

    def answers(self, questions: Sequence[Question]) -> Answers:
        """The joint answers to questions that can be asked."""
        weights = self._grouped([self._column(question) for question in questions])
        places = {question: place for place, question in enumerate(questions)}
        return Answers(places, weights, self.total, self.share, self.method)

    def values(self, forms: Sequence[Linear], shown: Sequence[Marks]) -> dict[tuple[int, ...], int]:
        """The weights of the joint values of some forms, where all these marks show."""
        import numpy as np

        columns = [self._value(form) for form in forms]
        if not shown:
            return self._grouped(columns)
        held = np.logical_and.reduce([self._column(marks) > 0 for marks in shown])
        return self._grouped([column[held] for column in columns], self.weights[held])

    def _value(self, form: Linear) -> Any:
        """The values of a form; a Modulo as what is left over."""
        import numpy as np

        parts = [(self._column(form.terms), 1)] if form.terms else []
        for left, factor in form.leftovers:
            column = self._column(left.terms) % left.modulus if isinstance(left, Modulo) else self._column(left)
            parts.append((column, int(factor)))
        if len(parts) == 1 and parts[0][1] == 1:
            return parts[0][0]
        return sum((column.astype(np.int64) * factor for column, factor in parts), np.zeros(self.ways, dtype=np.int64))

    def _grouped(self, columns: Sequence[Any], weights: Any = None) -> dict[tuple[int, ...], int]:
        """The weights of the rows of some columns that are alike."""
        import numpy as np

        weights = self.weights if weights is None else weights
        if not len(weights):
            return {}
        if not columns:
            return {(): int(weights.sum())}
        key: Any = np.zeros(len(weights), dtype=np.int64)
        width = 1
        for column in columns:
            low, high = int(column.min()), int(column.max())
            if width * (high - low + 1) > WIDEST:
                kinds, key = np.unique(key, return_inverse=True)
                width = len(kinds)
            width *= high - low + 1
            key = key * (high - low + 1) + (column.astype(np.int64) - low)
        if width <= COUNTED and self.total < EXACT_FLOAT:
            counted = np.bincount(key, weights=weights.astype(np.float64), minlength=width)
            keys = np.nonzero(counted)[0]
            sums, some = counted[keys], np.zeros(width, dtype=np.int64)
            some[key] = np.arange(len(key))
            one_each = some[keys]
        else:
            order = np.argsort(key, kind="stable")
            _, starts = np.unique(key[order], return_index=True)
            sums, one_each = np.add.reduceat(weights[order], starts), order[starts]
        values = zip(*(column[one_each].tolist() for column in columns), strict=True)
        return {each: int(weight) for each, weight in zip(values, sums.tolist(), strict=True)}

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
        self.work((RESOLVED if isinstance(reader, Alone | Versus) else 1) * sum(len(ways) for _, ways in self.listed))
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
