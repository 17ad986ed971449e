"""The faces of a throw in the order they are walked, those that no question tells apart put together."""

from __future__ import annotations

from collections.abc import Sequence

from rulesrun.dice.pool import Face, Group
from rulesrun.dice.questions import Question


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
