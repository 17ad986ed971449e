"""Scores of whole pools: one polynomial power a group."""

from __future__ import annotations

from collections.abc import Sequence

from flint import fmpz_poly

from rulesrun.dice.packing import Packing
from rulesrun.dice.pool import Face, Group
from rulesrun.dice.powers import product_of_powers
from rulesrun.dice.questions import Answer, Count, Question, Size
from rulesrun.dice.series import TooLarge, check_size

MOST_ANSWERS = 4  # for each step of the budget


def suits(groups: Sequence[Group], questions: Sequence[Question]) -> bool:
    return all(
        isinstance(question, Count | Size) and not any(pool.steps for pool in question.pools) for question in questions
    )


def answers(groups: Sequence[Group], questions: Sequence[Question], budget: int) -> dict[tuple[Answer, ...], int]:
    packing = Packing.of(questions, groups)
    check_size(packing.width, packing.bits)
    if packing.width > MOST_ANSWERS * budget:
        raise TooLarge("the questions have too many answers to be listed exactly")
    dice = []
    for g, group in enumerate(groups):
        die: dict[int, int] = {}
        for face, weight in group.faces:
            exponent = _exponent(g, face, groups, questions, packing)
            die[exponent] = die.get(exponent, 0) + weight
        dice.append((_sparse(die), group.count))
    return dict(packing.answers([None] * len(questions), product_of_powers(dice), questions, groups))


def _exponent(g: int, face: Face, groups: Sequence[Group], questions: Sequence[Question], packing: Packing) -> int:
    """What one die of this group adds to the packed sums by this face."""
    shown = tuple(int(other == g) for other in range(len(groups)))
    result = 0
    for question, stride in zip(questions, packing.strides, strict=True):
        kept = tuple(shown if g in pool.members(groups) else (0,) * len(groups) for pool in question.pools)
        result += stride * question.next_kept(question.start(()), face, shown, kept, groups)[1]
    return result


def _sparse(weights: dict[int, int]) -> fmpz_poly:
    coefficients = [0] * (max(weights) + 1)
    for exponent, weight in weights.items():
        coefficients[exponent] = weight
    return fmpz_poly(coefficients)
