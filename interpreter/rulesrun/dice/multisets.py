"""Whole pools: every multiset of faces with its weight, as the monomials of a power of a polynomial in many variables.

Each face has a variable for every way of being held by the pools; a die is the sum of its faces, dice are multiplied.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb

from flint import Ordering, fmpz_mpoly_ctx

from rulesrun.dice.pool import Face, Group
from rulesrun.dice.questions import Answer, Counts, Question
from rulesrun.dice.series import TooLarge

Holding = tuple[bool, ...]


def suits(groups: Sequence[Group], questions: Sequence[Question]) -> bool:
    return bool(groups) and all(isinstance(q, Counts) and not q.pool.steps for q in questions)


def answers(groups: Sequence[Group], questions: Sequence[Question], budget: int) -> dict[tuple[Answer, ...], int]:
    held: list[Holding] = [
        tuple(g in pool.members(groups) for question in questions for pool in question.pools)
        for g in range(len(groups))
    ]
    variables: dict[tuple[Holding, Face], int] = {}
    for holding, group in zip(held, groups, strict=True):
        for face, _ in group.faces:
            variables.setdefault((holding, face), len(variables))
    _check(groups, held, len(questions), budget)
    context = fmpz_mpoly_ctx.get(("x", len(variables)), Ordering.lex)
    unknowns = context.gens()
    result = context.constant(1)
    for holding, group in zip(held, groups, strict=True):
        die = context.constant(0)
        for face, weight in group.faces:
            die += unknowns[variables[holding, face]] * weight
        result *= die**group.count
    order = sorted(variables.items(), key=lambda item: -item[0][1])
    columns = [[(face, x) for (holding, face), x in order if holding[q]] for q in range(len(questions))]
    found: dict[tuple[Answer, ...], int] = {}
    for exponents, ways in result.to_dict().items():
        key = tuple(_multiset(column, exponents) for column in columns)
        found[key] = found.get(key, 0) + int(ways)
    return found


def _check(groups: Sequence[Group], held: Sequence[Holding], questions: int, budget: int) -> None:
    """Raise `TooLarge` before anything is multiplied, if there are too many multisets."""
    many = 1
    for holding in set(held):
        alike = [group for group, other in zip(groups, held, strict=True) if other == holding]
        faces = {face for group in alike for face, _ in group.faces}
        dice = sum(group.count for group in alike)
        many *= comb(dice + len(faces) - 1, dice)
    if many * (2 + questions) > budget:
        raise TooLarge("the dice can fall in too many ways to be listed exactly")


def _multiset(column: Sequence[tuple[Face, int]], exponents: Sequence[int]) -> tuple[tuple[Face, int], ...]:
    """The faces shown and how many dice show each; a face may have several variables."""
    shown: list[tuple[Face, int]] = []
    for face, x in column:
        number = exponents[x]
        if number:
            if shown and shown[-1][0] == face:
                number += shown.pop()[1]
            shown.append((face, number))
    return tuple(shown)
