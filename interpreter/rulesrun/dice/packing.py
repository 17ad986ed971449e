"""Several additive answers in the exponents of one polynomial, and back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from flint import fmpq_poly, fmpz_poly

from rulesrun.dice.cost import spend
from rulesrun.dice.pool import Group
from rulesrun.dice.questions import Answer, Question
from rulesrun.dice.series import check_size

READ = 4
"""So many coefficients are read in one step of a budget."""


@dataclass(frozen=True, slots=True)
class Packing:
    """Each question's sum of additions takes its own range of exponents: the sum times `strides[q]`."""

    strides: tuple[int, ...]
    width: int  # all exponents are below this
    bits: int  # all weights are below two to this

    @staticmethod
    def of(questions: Sequence[Question], groups: Sequence[Group]) -> Packing:
        strides, width = [], 1
        for question in questions:
            strides.append(width)
            width *= question.most(groups) + 1
        bits = sum(group.count * sum(weight for _, weight in group.faces).bit_length() for group in groups)
        check_size(width, bits)
        return Packing(tuple(strides), width, bits)

    @property
    def unit(self) -> int:
        """How much of a budget a step with one number takes."""
        return 1 + self.bits // 300

    def cost(self, poly: fmpq_poly | fmpz_poly | int) -> int:
        """How much of a budget a step with such a weight takes."""
        return self.unit if isinstance(poly, int) else self.unit + poly.length() * self.bits // 30_000

    def unpacked(self, exponent: int) -> tuple[int, ...]:
        """The sums, in the order of the questions."""
        sums = []
        for stride in reversed(self.strides):
            added, exponent = divmod(exponent, stride)
            sums.append(added)
        return tuple(reversed(sums))

    def answers(
        self, states: Sequence[object], poly: fmpz_poly | int, questions: Sequence[Question], groups: Sequence[Group]
    ) -> Iterator[tuple[tuple[Answer, ...], int]]:
        """The tuples of answers, and their weights, of all that ended in these states."""
        spend(1 if isinstance(poly, int) else 1 + poly.length() // READ)
        weights = [poly] if isinstance(poly, int) else [int(weight) for weight in poly.coeffs()]
        for exponent, weight in enumerate(weights):
            if weight:
                sums = self.unpacked(exponent)
                answers = (q.answer(s, n, groups) for q, s, n in zip(questions, states, sums, strict=True))
                yield tuple(answers), weight
