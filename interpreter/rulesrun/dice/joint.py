"""The exact joint distribution of several questions asked of one throw of independent dice.

`joint` is the door: it tidies the groups, parts questions that read different groups, and takes the cheapest method
that can answer them.

| method | questions | cost grows with |
|---|---|---|
| `presence` | which faces are shown at all | the number of faces, not of dice |
| `multiplicity` | sets in one group, with the above | a product of polynomials for each state and face |
| `kept` | sums over dice kept from one end, one die of a rank; sums of all beside | a product for each group and face |
| `ranks` | other questions about the dice kept of one group | the square of the number of dice kept |
| `facing` | two groups of like dice compared | the dice of both times the ways in which they show a face |
| `walk` | everything else: selections, comparisons, cancelling | states times the ways to share out the dice |
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import gcd

from rulesrun.dice import facing, kept, multiplicity, presence, ranks, walk
from rulesrun.dice.pool import Face, Group
from rulesrun.dice.questions import Answer, Question
from rulesrun.dice.series import TooLarge

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
        total *= group.ways
    read, factor = tidied(groups, questions)
    questions = [question.simpler(read) for question in questions]
    names: list[str] = []
    weights: dict[tuple[Answer, ...], int] = {(): factor}
    order: list[int] = []
    for places, members in _apart(read, questions):
        part = tuple(read[g] for g in members)
        name, found = _answers(part, [questions[place] for place in places], budget)
        if len(weights) * len(found) > budget:
            raise TooLarge("the questions have too many answers together")
        weights = {
            (*before, *answer): weight * more for before, weight in weights.items() for answer, more in found.items()
        }
        names.append(name)
        order += places
    if order != sorted(order):
        back = [order.index(place) for place in range(len(order))]
        weights = {tuple([key[at] for at in back]): weight for key, weight in weights.items()}
    return Joint(weights, total, max(names, key=list(METHODS).index, default=next(iter(METHODS))))


def _answers(
    groups: tuple[Group, ...], questions: Sequence[Question], budget: int
) -> tuple[str, dict[tuple[Answer, ...], int]]:
    """The method taken, and the weights of the answers."""
    for name, method in METHODS.items():
        if method.suits(groups, questions):
            found = method.answers(groups, questions, budget)
            return name, {key: weight for key, weight in found.items() if weight}
    raise AssertionError("the walk suits all questions")


def _apart(groups: Sequence[Group], questions: Sequence[Question]) -> list[tuple[list[int], list[int]]]:
    """The places of questions that read the same groups, with these groups: what others read is independent of it."""
    parts: list[tuple[list[int], set[int]]] = []
    for place, question in enumerate(questions):
        reads = {g for pool in question.pools for g in pool.read(groups)}
        with_it = [part for part in parts if not reads.isdisjoint(part[1])]
        parts = [part for part in parts if reads.isdisjoint(part[1])]
        places = sorted([place, *(each for part in with_it for each in part[0])])
        parts.append((places, reads.union(*(part[1] for part in with_it))))
    return [(places, sorted(members)) for places, members in parts]


METHODS = {
    "presence": presence,
    "multiplicity": multiplicity,
    "kept": kept,
    "ranks": ranks,
    "facing": facing,
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
        if group.drawn and group.count > sum(faces.values()):
            raise ValueError(f"more cards than there are: {group.count}")
        if g not in read:
            factor *= group.of(group.count, sum(faces.values()))
        elif group.count:
            common = 1 if group.drawn else gcd(*faces.values())
            factor *= common**group.count
            weighted = tuple(sorted((face, weight // common) for face, weight in faces.items() if weight))
            like = replace(group, faces=weighted)
            if tidy and not group.drawn and replace(tidy[-1], count=group.count) == like:
                like = replace(like, count=tidy.pop().count + group.count)
            tidy.append(like)
    return tuple(tidy), factor
