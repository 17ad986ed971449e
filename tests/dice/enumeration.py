"""The reference for all questions: every face of every die in every way, answered on plain lists of dice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product
from math import prod

from rulesrun import dice
from rulesrun.dice import Group, Pool, Question, Selection


@dataclass(frozen=True)
class Die:
    face: int | Fraction
    group: int
    tag: int
    place: int


def ranked(dice_: Sequence[Die]) -> list[Die]:
    """From the highest; of equal faces a lower place first, then the group named first."""
    return sorted(dice_, key=lambda die: (-die.face, die.place, die.group))


def in_pool(pool: Pool, thrown: Sequence[Die]) -> list[Die]:
    left = [die for die in thrown if pool.tags is None or die.tag in pool.tags]
    for step in pool.steps:
        if isinstance(step, Selection):
            left = selected(step, left)
        elif isinstance(step, dice.Showing):
            left = [die for die in left if die.face in step.faces]
        elif isinstance(step, dice.InSets):
            there = Counter(die.face for die in left)
            left = [die for die in left if (die.face, there[die.face]) in step.sets]
        else:
            assert isinstance(step, dice.Cancelled)
            against = Counter(die.face for die in in_pool(step.by, thrown))
            stay = []
            for die in ranked(left):
                if against[die.face]:
                    against[die.face] -= 1
                else:
                    stay.append(die)
            left = stay
    return left


def selected(step: Selection, left: list[Die]) -> list[Die]:
    among = ranked(left)
    excess = max(0, len(among) - step.count)
    match step.kind:
        case "keep highest":
            return among[: step.count]
        case "keep lowest":
            return among[excess:]
        case "drop highest":
            return among[step.count :]
        case "drop lowest":
            return among[:excess]
        case "keep middle":
            return among[(excess + 1) // 2 :][: step.count]


def answer(question: Question, thrown: Sequence[Die]) -> object:
    pools = [in_pool(pool, thrown) for pool in question.pools]
    faces = sorted((die.face for die in pools[0]), reverse=True)
    counts = Counter(faces)
    match question:
        case dice.Count(score):
            return sum(score.get((die.tag, die.face), 0) for die in pools[0])
        case dice.Matched(score):
            return sum(score.get((die.tag, die.face, counts[die.face]), 0) for die in pools[0])
        case dice.Size():
            return len(faces)
        case dice.Highest():
            return max(faces, default=0)
        case dice.Lowest():
            return min(faces, default=0)
        case dice.Middle():
            return sorted(faces)[(len(faces) - 1) // 2] if faces else 0
        case dice.LargestSet():
            return max(counts.values(), default=0)
        case dice.FaceOfLargestSet():
            return max(counts, key=lambda face: (counts[face], face), default=0)
        case dice.SetsOf(sizes):
            return sum(count in sizes for count in counts.values())
        case dice.Distinct():
            return len(counts)
        case dice.LongestRun():
            return max((run_from(face, counts) for face in counts), default=0)
        case dice.AllEqual():
            return len(faces) >= 2 and len(counts) == 1
        case dice.Wins():
            others = sorted((die.face for die in pools[1]), reverse=True)
            return sum(a > b for a, b in zip(faces, others, strict=False))
        case dice.Outranks():
            return faces > sorted((die.face for die in pools[1]), reverse=True)
    raise AssertionError(question)


def run_from(face: int | Fraction, counts: Counter[int | Fraction]) -> int:
    return 1 + run_from(face + 1, counts) if face in counts else 0


def falls(group: Group) -> list[tuple[tuple[int | Fraction, ...], int]]:
    """All that a group can show, each in as many ways as it weighs: every card is one of its own."""
    if group.drawn:
        cards = [face for face, number in group.faces for _ in range(number)]
        return [(drawn, 1) for drawn in combinations(cards, group.count)]
    shown = product(group.faces, repeat=group.count)
    return [(tuple(face for face, _ in throw), prod(weight for _, weight in throw)) for throw in shown]


def enumerated(groups: Sequence[Group], questions: Sequence[Question]) -> tuple[dict[tuple[object, ...], int], int]:
    """The weights of all tuples of answers, and the sum of all weights."""
    found: dict[tuple[object, ...], int] = {}
    total = 0
    for throw in product(*map(falls, groups)):
        weight = prod(ways for _, ways in throw)
        thrown = [
            Die(face, g, group.tag, group.place)
            for g, (group, (faces, _)) in enumerate(zip(groups, throw, strict=True))
            for face in faces
        ]
        key = tuple(answer(question, thrown) for question in questions)
        total += weight
        if weight:
            found[key] = found.get(key, 0) + weight
    return found, total
