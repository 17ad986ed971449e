"""Scores and `any` of whole pools: one polynomial power a group.

The marked faces of each `any` are struck out (none shown) or not (all throws); the difference are those that show
one.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from flint import fmpz_poly

from rulesrun.dice.packing import Packing
from rulesrun.dice.pool import Face, Group
from rulesrun.dice.powers import product_of_powers
from rulesrun.dice.questions import Answer, Any, Count, Question, Size
from rulesrun.dice.series import TooLarge, check_size

MOST_ANY = 6
MOST_ANSWERS = 4  # for each step of the budget


def suits(groups: Sequence[Group], questions: Sequence[Question]) -> bool:
    return (
        all(
            isinstance(question, Count | Size | Any) and not any(pool.steps for pool in question.pools)
            for question in questions
        )
        and sum(isinstance(question, Any) for question in questions) <= MOST_ANY
    )


def answers(groups: Sequence[Group], questions: Sequence[Question], budget: int) -> dict[tuple[Answer, ...], int]:
    packing = Packing.of(questions, groups)
    marks = [q for q, question in enumerate(questions) if isinstance(question, Any)]
    check_size(packing.width << len(marks), packing.bits)
    if packing.width << len(marks) > MOST_ANSWERS * budget:
        raise TooLarge("the questions have too many answers to be listed exactly")
    exponents = [
        {face: _exponent(g, face, groups, questions, packing) for face, _ in group.faces}
        for g, group in enumerate(groups)
    ]
    unseen: dict[tuple[bool, ...], fmpz_poly] = {}
    for struck in product((False, True), repeat=len(marks)):
        absent = [questions[q] for q, gone in zip(marks, struck, strict=True) if gone]
        dice = []
        for g, group in enumerate(groups):
            die: dict[int, int] = {}
            for face, weight in group.faces:
                if not any(_marks(question, group, face) for question in absent):
                    exponent = exponents[g][face]
                    die[exponent] = die.get(exponent, 0) + weight
            dice.append((_sparse(die), group.count))
        unseen[struck] = product_of_powers(dice)
    for position in range(len(marks)):
        for struck in unseen:
            if not struck[position]:
                unseen[struck] -= unseen[(*struck[:position], True, *struck[position + 1 :])]
    found: dict[tuple[Answer, ...], int] = {}
    for struck, poly in unseen.items():
        states: list[object] = [None] * len(questions)
        for q, gone in zip(marks, struck, strict=True):
            states[q] = not gone
        found.update(packing.answers(states, poly, questions, groups))
    return found


def _exponent(g: int, face: Face, groups: Sequence[Group], questions: Sequence[Question], packing: Packing) -> int:
    """What one die of this group adds to the packed sums by this face."""
    shown = tuple(int(other == g) for other in range(len(groups)))
    result = 0
    for question, stride in zip(questions, packing.strides, strict=True):
        kept = tuple(shown if g in pool.members(groups) else (0,) * len(groups) for pool in question.pools)
        result += stride * question.next_kept(question.start(()), face, shown, kept, groups)[1]
    return result


def _marks(question: Question, group: Group, face: Face) -> bool:
    tags = question.pools[0].tags
    return isinstance(question, Any) and face in question.faces and (tags is None or group.tag in tags)


def _sparse(weights: dict[int, int]) -> fmpz_poly:
    coefficients = [0] * (max(weights, default=-1) + 1)
    for exponent, weight in weights.items():
        coefficients[exponent] = weight
    return fmpz_poly(coefficients)
