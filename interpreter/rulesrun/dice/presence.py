"""Questions that ask only which faces are shown: the cost does not grow with the number of dice.

Throws in which only faces of a set S appear weigh ``w(S)^n``. So write t^k for "weight k of the faces is allowed": a
face that is not shown is a factor 1, a face shown at least once is ``t^w - 1``, and at the end t^k stands for k^n.
Groups that the same pools hold are shown together; each group has its own variable, packed into the exponents of one
polynomial.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from flint import fmpz, fmpz_poly

from rulesrun.dice.pool import Group
from rulesrun.dice.questions import Answer, Question
from rulesrun.dice.series import TooLarge

WIDEST = 20_000


def suits(groups: Sequence[Group], questions: Sequence[Question]) -> bool:
    if any(group.drawn for group in groups):
        return False
    width = 1
    for group in groups:
        width *= sum(weight for _, weight in group.faces) + 1
    return width <= WIDEST and all(q.presence and not any(pool.steps for pool in q.pools) for q in questions)


def answers(groups: Sequence[Group], questions: Sequence[Question], budget: int) -> dict[tuple[Answer, ...], int]:
    members = [[pool.members(groups) for pool in question.pools] for question in questions]
    ready = [tuple(pool.size(groups) for pool in question.pools) for question in questions]
    together: dict[tuple[bool, ...], list[int]] = {}
    for g in range(len(groups)):
        together.setdefault(tuple(g in pool for pools in members for pool in pools), []).append(g)
    strides, width = [], 1
    for group in groups:
        strides.append(width)
        width *= sum(weight for _, weight in group.faces) + 1
    weights = [dict(group.faces) for group in groups]
    start = tuple((question.start(sizes), 0) for question, sizes in zip(questions, ready, strict=True))
    current = {start: fmpz_poly([1])}
    work = 0
    for face in sorted({face for group in groups for face, _ in group.faces}, reverse=True):
        options = []
        for held in together.values():
            weight = sum(weights[g].get(face, 0) * strides[g] for g in held)
            options.append([(held, 0), (held, weight)] if weight else [(held, 0)])
        following: dict[tuple[tuple[object, int], ...], fmpz_poly] = {}
        for choice in product(*options):
            shown = [g for held, weight in choice for g in held if weight]
            numbers = [tuple(int(any(g in pool for g in shown)) for pool in pools) for pools in members]
            exponents = [weight for _, weight in choice if weight]
            for states, poly in current.items():
                work += 1 + poly.length() // 16
                if work > budget:
                    raise TooLarge("the questions have too many states to be answered exactly")
                after = []
                for question, (state, added), number in zip(questions, states, numbers, strict=True):
                    new, more = question.next(state, face, *number)
                    after.append((new, added + more))
                for exponent in exponents:
                    poly = poly.left_shift(exponent) - poly
                key = tuple(after)
                following[key] = following[key] + poly if key in following else poly
        current = following
    return _weighed(current, groups, questions, strides)


def _weighed(
    ended: dict[tuple[tuple[object, int], ...], fmpz_poly],
    groups: Sequence[Group],
    questions: Sequence[Question],
    strides: Sequence[int],
) -> dict[tuple[Answer, ...], int]:
    """Every t^k taken for k^n."""
    powers: dict[int, fmpz] = {}
    found: dict[tuple[Answer, ...], int] = {}
    for states, poly in ended.items():
        weight = fmpz(0)
        for exponent, coefficient in enumerate(poly.coeffs()):
            if coefficient != 0:
                if exponent not in powers:
                    power, rest = fmpz(1), exponent
                    for group, stride in zip(reversed(groups), reversed(strides), strict=True):
                        allowed, rest = divmod(rest, stride)
                        power *= fmpz(allowed) ** group.count
                    powers[exponent] = power
                weight += coefficient * powers[exponent]
        key = tuple(q.answer(state, added, groups) for q, (state, added) in zip(questions, states, strict=True))
        found[key] = found.get(key, 0) + int(weight)
    return found
