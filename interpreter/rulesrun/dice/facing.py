"""Two groups of like dice compared with one another, and no die left out: a walk of two numbers.

As in `walk`, how many dice of each group show a face is chosen face by face, from the highest; but nothing matters
except how many are left of both and the states of the questions. What is added rides along in the digits of one long
number.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb

from rulesrun.dice.comparisons import Outranks, Wins
from rulesrun.dice.packing import Packing
from rulesrun.dice.pool import Group
from rulesrun.dice.questions import Answer, Question
from rulesrun.dice.series import TooLarge

States = tuple[int, ...]
Key = tuple[tuple[int, int], States]
"""How many dice are left of both groups, and the states of the questions."""


def suits(groups: Sequence[Group], questions: Sequence[Question]) -> bool:
    return (
        len(groups) == 2
        and not any(group.drawn for group in groups)
        and all(isinstance(question, Wins | Outranks) for question in questions)
        and all(not pool.steps and len(pool.members(groups)) == 1 for q in questions for pool in q.pools)
    )


def answers(groups: Sequence[Group], questions: Sequence[Question], budget: int) -> dict[tuple[Answer, ...], int]:
    packing = Packing.of(questions, groups)
    sides: list[tuple[Question, int, int]] = []
    for question in questions:
        mine, others = (min(pool.members(groups)) for pool in question.pools)
        sides.append((question, mine, others))
    shifts = [stride * (packing.bits + 1) for stride in packing.strides]
    cost = 1 + packing.width * packing.bits // 2000
    weights = [dict(group.faces) for group in groups]
    rest_one, rest_two = (sum(weight.values()) for weight in weights)
    counts = groups[0].count, groups[1].count
    current: dict[Key, int] = {(counts, (0,) * len(questions)): 1}
    finished: dict[States, int] = {}
    for face in sorted({face for weight in weights for face in weight}, reverse=True):
        one, two = (weight.get(face, 0) for weight in weights)
        open_: dict[Key, int] = {}
        for (left, states), ways in current.items():
            if all(_is_over(q, state, left[a], left[b]) for (q, a, b), state in zip(sides, states, strict=True)):
                finished[states] = finished.get(states, 0) + ways * rest_one ** left[0] * rest_two ** left[1]
            else:
                open_[left, states] = ways
        rest_one, rest_two = rest_one - one, rest_two - two
        firsts = [_shown(left, one, rest_one) for left in range(counts[0] + 1)]
        seconds = [_shown(left, two, rest_two) for left in range(counts[1] + 1)]
        budget -= cost * sum(len(firsts[left[0]]) * len(seconds[left[1]]) for left, _ in open_)
        if budget < 0:
            raise TooLarge("the questions have too many states to be answered exactly")
        current = {}
        known: dict[tuple[States, int, int], tuple[States, int]] = {}
        for ((first, second), states), ways in open_.items():
            for number, more in firsts[first]:
                some = ways * more
                for other, again in seconds[second]:
                    told = states, number, other
                    if told not in known:
                        shown = number, other
                        steps = [
                            question.next(state, face, shown[a], shown[b])
                            for (question, a, b), state in zip(sides, states, strict=True)
                        ]
                        shift = sum(added * by for (_, added), by in zip(steps, shifts, strict=True))
                        known[told] = tuple([state for state, _ in steps]), shift
                    after, shift = known[told]
                    key: Key = (first - number, second - other), after
                    current[key] = current.get(key, 0) + (some * again << shift)
    for (_, states), ways in current.items():
        finished[states] = finished.get(states, 0) + ways
    found: dict[tuple[Answer, ...], int] = {}
    for states, ways in finished.items():
        for answer, weight in _unpacked(ways, states, packing, questions, groups):
            found[answer] = found.get(answer, 0) + weight
    return found


def _is_over(question: Question, state: int, first: int, second: int) -> bool:
    """Whether the answer is certain with so many dice left of both pools."""
    if isinstance(question, Wins):
        return not second or (not first and state <= 0)
    return question.settled(state) or not (first or second)


def _shown(left: int, weight: int, rest: int) -> list[tuple[int, int]]:
    """How many of the dice left can show a face, and in how many weighted ways."""
    if not weight or not left:
        return [(0, 1)]
    if not rest:
        return [(left, weight**left)]
    return [(number, comb(left, number) * weight**number) for number in range(left + 1)]


def _unpacked(
    ways: int, states: States, packing: Packing, questions: Sequence[Question], groups: Sequence[Group]
) -> list[tuple[tuple[Answer, ...], int]]:
    """The answers with their weights, out of the digits of a long number."""
    bits, found, exponent = packing.bits + 1, [], 0
    while ways:
        weight = ways & ((1 << bits) - 1)
        if weight:
            sums = packing.unpacked(exponent)
            key = tuple([q.answer(s, added, groups) for q, s, added in zip(questions, states, sums, strict=True)])
            found.append((key, weight))
        ways >>= bits
        exponent += 1
    return found
