"""The exact joint distribution of several questions asked of one throw of independent dice.

`joint` is the door: it tidies the groups and takes the cheapest method that can answer these questions.

| method | questions | cost grows with |
|---|---|---|
| `presence` | which faces are shown at all | the number of faces, not of dice |
| `multiplicity` | sets in one group, with the above | a product of polynomials for each state and face |
| `kept` | sums over dice kept from one end, one die of a rank; sums of all beside | a product for each group and face |
| `ranks` | other questions about the dice kept of one group | the square of the number of dice kept |
| `walk` | everything else: selections, comparisons, cancelling | states times the ways to share out the dice |
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import gcd

from rulesrun.dice import kept, multiplicity, presence, ranks, walk
from rulesrun.dice.pool import Face, Group
from rulesrun.dice.questions import Answer, Question

BUDGET = 1_000_000  # transitions that one call may take


@dataclass(frozen=True, slots=True)
class Joint:
    """Integer weights of the tuples of answers, in the order of the questions, and their sum."""

    weights: dict[tuple[Answer, ...], int]
    total: int
    method: str


def joint(groups: Sequence[Group], questions: Sequence[Question], budget: int = BUDGET) -> Joint:
    """How likely each tuple of answers is. Raises `TooLarge` where it would take more than `budget` steps."""
    total = 1
    for group in groups:
        total *= sum(weight for _, weight in group.faces) ** group.count
    read, factor = tidied(groups, questions)
    questions = tuple(question.simpler(read) for question in questions)
    for name, method in METHODS.items():
        if method.suits(read, questions):
            found = method.answers(read, questions, budget)
            weights = {key: weight * factor for key, weight in found.items() if weight}
            return Joint(weights, total, name)
    raise AssertionError("the walk suits all questions")


METHODS = {
    "presence": presence,
    "multiplicity": multiplicity,
    "kept": kept,
    "ranks": ranks,
    "walk": walk,
}


def tidied(groups: Sequence[Group], questions: Sequence[Question]) -> tuple[tuple[Group, ...], int]:
    """The groups that some question reads, in the order in which equal faces rank, like neighbours put together; and
    the weight of all throws of the others.
    """
    read = {g for question in questions for pool in question.pools for g in pool.read(groups)}
    factor, tidy = 1, list[Group]()
    for g, group in sorted(enumerate(groups), key=lambda each: each[1].place):
        if group.count < 0:
            raise ValueError(f"a negative number of dice: {group.count}")
        faces: dict[Face, int] = {}
        for face, weight in group.faces:
            faces[face] = faces.get(face, 0) + weight
        if min(faces.values(), default=0) < 0 or not any(faces.values()):
            raise ValueError("a die needs faces whose weights are not negative and not all 0")
        if g not in read:
            factor *= sum(faces.values()) ** group.count
        elif group.count:
            common = gcd(*faces.values())
            factor *= common**group.count
            weighted = tuple(sorted((face, weight // common) for face, weight in faces.items() if weight))
            like = replace(group, faces=weighted)
            if tidy and replace(tidy[-1], count=group.count) == like:
                like = replace(like, count=tidy.pop().count + group.count)
            tidy.append(like)
    return tuple(tidy), factor
