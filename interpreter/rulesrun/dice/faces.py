"""The faces of a throw in walking order: neighbours that no question tells apart are one, and groups join.

A d8 that shows neither 8 nor 7 is a d6: dice of different groups whose faces still to come are the same, and which no
question tells apart, are dice of one group from there on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulesrun.dice.pool import Cancelled, Face, Group, Pool
from rulesrun.dice.questions import Question

Joined = tuple[tuple[int, int], ...]  # (group, the group that takes its dice over)


def faces_apart(
    groups: Sequence[Group], questions: Sequence[Question], upward: bool
) -> list[tuple[Face, tuple[int, ...]]]:
    """The faces in walking order with each group's weight; neighbours that no question tells apart are one."""
    weights = [dict(group.faces) for group in groups]
    result: list[tuple[Face, tuple[int, ...]]] = []
    previous = None
    may_merge = all(question.merges for question in questions)
    for face in sorted({face for group in groups for face, _ in group.faces}, reverse=not upward):
        here = tuple(weight.get(face, 0) for weight in weights)
        told = None
        if may_merge and all(
            pool.merges(groups, not question.tells_groups(face, groups))
            for question in questions
            for pool in question.pools
        ):
            told = tuple(
                (question.tells(face), *(step.tells(face) for pool in question.pools for step in pool.steps))
                for question in questions
            )
        if told is not None and told == previous:
            merged = tuple(a + b for a, b in zip(result[-1][1], here, strict=True))
            result[-1] = (result[-1][0], merged)
        else:
            result.append((face, here))
        previous = told
    return result


def joining(
    groups: Sequence[Group], questions: Sequence[Question], faces: Sequence[tuple[Face, tuple[int, ...]]]
) -> list[Joined]:
    """Which groups join others before the first face and after each."""
    role = _roles(groups, questions)
    result: list[Joined] = []
    for passed in range(len(faces) + 1):
        to_come: dict[tuple[object, ...], int] = {}
        joined = []
        for g in range(len(groups)):
            if groups[g].drawn:
                continue
            like = role[g], tuple(weights[g] for _, weights in faces[passed:])
            into = to_come.setdefault(like, g)
            if into != g:
                joined.append((g, into))
        result.append(tuple(joined))
    return result


def _roles(groups: Sequence[Group], questions: Sequence[Question]) -> list[object]:
    """For each group what it is to the questions: groups with the same role can take each other's place."""
    pools = [pool for question in questions for top in question.pools for pool in _all_pools(top)]
    told = any(question.tells_groups(face, groups) for question in questions for one in groups for face, _ in one.faces)
    roles: list[object] = [
        (one.tag if told else None, *(pool.tags is None or one.tag in pool.tags for pool in pools)) for one in groups
    ]
    if len(set(roles)) == 1 or not any(pool.steps for pool in pools):
        return roles
    stretch, previous = 0, None
    for g in sorted(range(len(groups)), key=lambda g: (groups[g].place, g)):
        stretch += roles[g] != previous
        previous = roles[g]
        roles[g] = stretch
    return roles


def _all_pools(pool: Pool) -> Iterator[Pool]:
    """The pool and those that cancel it."""
    yield pool
    for step in pool.steps:
        if isinstance(step, Cancelled):
            yield from _all_pools(step.by)
