"""Questions about the ranks kept of one group of like dice: only the dice that stay are walked.

Say the ranks from `first` up to `last` stay, K dice. Until a kept die is met only the number of dice above the face
matters, and that is binomial; from then on the number k of dice kept so far says how many are left. So a state is k
with the states of the questions, and at each face at most K more dice are chosen; all that lies beyond `last` is one
sum.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import comb

from flint import fmpz_poly

from rulesrun.dice.faces import faces_apart
from rulesrun.dice.packing import Packing
from rulesrun.dice.pool import Face, Group, Selection
from rulesrun.dice.questions import Answer, Question
from rulesrun.dice.series import TooLarge

States = tuple[object, ...]
Weight = fmpz_poly | int


def suits(groups: Sequence[Group], questions: Sequence[Question]) -> bool:
    if len(groups) != 1 or groups[0].drawn or not questions:
        return False
    pools = [pool for question in questions for pool in question.pools]
    steps = pools[0].steps
    if not steps or len(pools) != len(questions):
        return False
    selected = all(isinstance(step, Selection) for step in steps)
    return selected and all(pool.steps == steps and pool.members(groups) for pool in pools)


def answers(groups: Sequence[Group], questions: Sequence[Question], budget: int) -> dict[tuple[Answer, ...], int]:
    (group,) = groups
    first, last = _kept_ranks(group.count, [s for s in questions[0].pools[0].steps if isinstance(s, Selection)])
    upward = group.count - last < first and all(question.either_way for question in questions)
    if upward:
        first, last = group.count - last, group.count - first
    packing = Packing.of(questions, groups)
    states = tuple(question.start((last - first,)) for question in questions)
    faces = [(face, weight) for face, (weight,) in faces_apart(groups, questions, upward)]
    ended = _walked(group, questions, states, faces, first, last, packing, budget)
    dropped = (group.count - (last - first),)
    shift = sum(q.closing(dropped, groups) * stride for q, stride in zip(questions, packing.strides, strict=True))
    found: dict[tuple[Answer, ...], int] = {}
    for after, poly in ended.items():
        moved = poly if isinstance(poly, int) else poly.left_shift(shift)
        for key, weight in packing.answers(after, moved, questions, groups):
            found[key] = found.get(key, 0) + weight
    return found


def _kept_ranks(size: int, steps: Sequence[Selection]) -> tuple[int, int]:
    """The ranks from the highest, first and first no longer kept, that all steps together leave."""
    first, last = 0, size
    for step in steps:
        begin, end = step.ranks(last - first)
        first, last = first + begin, first + end
    return first, last


def _walked(
    group: Group,
    questions: Sequence[Question],
    start: States,
    faces: Sequence[tuple[Face, int]],
    first: int,
    last: int,
    packing: Packing,
    budget: int,
) -> dict[States, Weight]:
    """The weights of the states after the last kept die."""
    count, keep = group.count, last - first
    total = sum(weight for _, weight in faces)
    one: Weight = 1 if packing.width == 1 else fmpz_poly([1])
    if keep == 0:
        return {start: one * total**count}
    finished: dict[States, Weight] = {}
    current: dict[tuple[int, States], Weight] = {}
    before: States = start  # of the questions while nothing kept was met
    above = 0
    budget -= len(faces) * keep * (first + 1) * packing.unit // 4
    for face, weight in faces:
        rest = total - above - weight
        following: dict[tuple[int, States], Weight] = {}
        advanced: dict[tuple[States, int], tuple[States, int]] = {}
        for kept, states, more, poly in _moves(count, first, last, above, weight, rest, current, one, before):
            budget -= packing.cost(poly)
            if budget < 0:
                raise TooLarge("the questions have too many states to be answered exactly")
            if (states, more) not in advanced:
                advanced[states, more] = _advance(questions, group, states, face, more, packing)
            after, added = advanced[states, more]
            moved = poly if isinstance(poly, int) else poly.left_shift(added)
            if kept + more == keep:
                finished[after] = finished[after] + moved if after in finished else moved
            else:
                key = (kept + more, after)
                following[key] = following[key] + moved if key in following else moved
        before = _advance(questions, group, before, face, 0, packing)[0]
        current, above = following, above + weight
    return finished


def _moves(
    count: int,
    first: int,
    last: int,
    above: int,
    weight: int,
    rest: int,
    current: Mapping[tuple[int, States], Weight],
    one: Weight,
    before: States,
) -> Iterator[tuple[int, States, int, Weight]]:
    """What can happen at a face: dice kept so far, states, how many more are kept, the weight of that."""
    keep = last - first
    for (kept, states), poly in current.items():
        left = count - first - kept
        open_ways = (weight + rest) ** left
        for more in range(keep - kept if rest else 0):
            ways = comb(left, more) * weight**more
            open_ways -= ways * rest ** (left - more)
            yield kept, states, more, poly * ways
        yield kept, states, keep - kept, poly * open_ways
    for more, ways in enumerate(_entries(count, first, last, above, weight, rest), 1):
        if ways:
            yield 0, before, more, one * ways


def _entries(count: int, first: int, last: int, above: int, weight: int, rest: int) -> list[int]:
    """The weights of the throws whose first kept dice show this face, by how many of it are kept, from 1 on.

    For all but the last number the dice below the face are not counted in; the last is the whole weight of the
    throws in which everything kept shows this face.
    """
    met = _at_most(count, first, above, weight + rest) - _at_most(count, first, above + weight, rest)
    if not rest:
        return [0] * (last - first - 1) + [met]
    result = []
    for kept in range(1, last - first):
        reached = first + kept
        ways = sum(comb(reached, n) * above**n * weight ** (reached - n) for n in range(first + 1))
        result.append(comb(count, reached) * ways)
        met -= result[-1] * rest ** (count - reached)
    return [*result, met]


def _at_most(count: int, number: int, some: int, others: int) -> int:
    """The weight of the throws in which at most so many dice show some of the faces."""
    return sum(comb(count, n) * some**n * others ** (count - n) for n in range(number + 1))


def _advance(
    questions: Sequence[Question], group: Group, states: States, face: Face, more: int, packing: Packing
) -> tuple[States, int]:
    after, exponent = [], 0
    for question, state, stride in zip(questions, states, packing.strides, strict=True):
        state, added = question.next_kept(state, face, (more,), ((more,),), (group,))
        after.append(state)
        exponent += added * stride
    return tuple(after), exponent
