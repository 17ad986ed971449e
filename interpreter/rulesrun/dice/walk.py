"""Any questions of any dice: the faces are walked from one end.

At each face the number of dice of every group that show it is chosen, with binomial weights. A state holds how many
dice of each group are left and the states of the questions; additive answers ride along as exponents of a polynomial.
A question whose answer can no longer change is closed, and dice that no open question reads are multiplied out at
once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import comb, prod
from operator import sub

from flint import fmpz_poly

from rulesrun.dice.faces import Joined, faces_apart, joining
from rulesrun.dice.packing import Packing
from rulesrun.dice.pool import Face, Group, InSets, Numbers, ReadyPool
from rulesrun.dice.questions import Answer, Question
from rulesrun.dice.series import TooLarge

PoolStates = tuple[object, ...] | None  # None: the question is closed
Standing = tuple[PoolStates, object]
Key = tuple[Numbers, tuple[Standing, ...]]


def suits(groups: Sequence[Group], questions: Sequence[Question]) -> bool:
    return True


def answers(groups: Sequence[Group], questions: Sequence[Question], budget: int) -> dict[tuple[Answer, ...], int]:
    walk = _Walk.over(tuple(groups), tuple(questions))
    found: dict[tuple[Answer, ...], int] = {}
    for standings, poly in walk.ended(budget).items():
        states = [state for _, state in standings]
        for key, weight in walk.packing.answers(states, poly, questions, groups):
            found[key] = found.get(key, 0) + weight
    return found


@dataclass(frozen=True, slots=True)
class _Walk:
    groups: tuple[Group, ...]
    questions: tuple[Question, ...]
    pools: tuple[tuple[ReadyPool, ...], ...]
    read: tuple[frozenset[int], ...]  # the groups that each question depends on
    held: tuple[frozenset[int], ...]  # the groups that can add dice to its pools
    steady: tuple[bool, ...]  # whether more dice on a face leave no fewer of them in its pools
    faces: list[tuple[Face, tuple[int, ...]]]
    packing: Packing

    @staticmethod
    def over(groups: tuple[Group, ...], questions: tuple[Question, ...]) -> _Walk:
        upward, pools = _direction(groups, questions)
        packing = Packing.of(questions, groups)
        read = tuple(frozenset().union(*(pool.read(groups) for pool in q.pools)) for q in questions)
        held = tuple(frozenset().union(*(pool.members(groups) for pool in q.pools)) for q in questions)
        steady = tuple(not any(isinstance(step, InSets) for pool in q.pools for step in pool.steps) for q in questions)
        return _Walk(groups, questions, pools, read, held, steady, faces_apart(groups, questions, upward), packing)

    def ended(self, budget: int) -> dict[tuple[Standing, ...], fmpz_poly | int]:
        """The weight of each way the questions can end."""
        one: fmpz_poly | int = 1 if self.packing.width == 1 else fmpz_poly([1])
        finished: dict[tuple[Standing, ...], fmpz_poly | int] = {}
        current: dict[Key, fmpz_poly | int] = {}
        rests = [sum(weight for _, weight in group.faces) for group in self.groups]
        left = tuple(group.count for group in self.groups)
        standings = tuple(
            (tuple(pool.start for pool in pools), question.start(tuple(pool.size for pool in pools)))
            for question, pools in zip(self.questions, self.pools, strict=True)
        )
        joined = joining(self.groups, self.questions, self.faces)
        first, added, factor = self.closed(left, standings, rests, joined[0])
        _put(current, finished, first, one, added, factor)
        for (face, weights), together in zip(self.faces, joined[1:], strict=True):
            rests = [rest - weight for rest, weight in zip(rests, weights, strict=True)]
            step = _Step(self, face, weights, rests, together)
            following: dict[Key, fmpz_poly | int] = {}
            if sum(map(step.least, current)) * self.packing.unit > budget:
                raise TooLarge("the questions have too many states to be answered exactly")
            for key, poly in current.items():
                moves = step.moves(key)
                budget -= step.work * self.packing.unit + len(moves) * self.packing.cost(poly)
                if budget < 0:
                    raise TooLarge("the questions have too many states to be answered exactly")
                for (after, exponent), scalar in moves.items():
                    _put(following, finished, after, poly, exponent, scalar)
            current = following
        return finished

    def closed(
        self, left: Numbers, standings: tuple[Standing, ...], rests: Sequence[int], joined: Joined
    ) -> tuple[Key, int, int]:
        """The key with settled questions closed, dice that none reads taken out and groups that are alike by now
        joined; what that adds, and its weight."""
        added, needed, after = 0, set[int](), []
        for q, (pool_states, state) in enumerate(standings):
            if pool_states is not None:
                question = self.questions[q]
                if (
                    question.settled(state)
                    or not any(left[g] for g in self.held[q])
                    or all(pool.done(s) for pool, s in zip(self.pools[q], pool_states, strict=True))
                ):
                    added += self.packing.strides[q] * question.closing(left, self.groups)
                    pool_states = None
                else:
                    needed |= self.read[q]
            after.append((pool_states, state))
        factor, still = 1, list(left)
        for g, count in enumerate(left):
            if count and g not in needed:
                factor *= self.groups[g].of(count, rests[g])
                still[g] = 0
        for g, into in joined:
            still[into] += still[g]
            still[g] = 0
        return (tuple(still), tuple(after)), added, factor


class _Step:
    """All that can happen at one face."""

    __slots__ = ("_advances", "_choices", "_closings", "_face", "_joined", "_rests", "_walk", "_weights", "work")

    def __init__(self, walk: _Walk, face: Face, weights: Sequence[int], rests: Sequence[int], joined: Joined) -> None:
        self._walk, self._face, self._weights, self._rests, self._joined = walk, face, weights, rests, joined
        self._choices: dict[tuple[int, int], list[tuple[int, int]]] = {}
        self._advances: dict[tuple[tuple[Standing, ...], Numbers], tuple[tuple[Standing, ...], int, bool]] = {}
        self._closings: dict[Key, tuple[Key, int, int]] = {}
        self.work = 0

    def least(self, key: Key) -> int:
        """So many throws at least are looked at from here."""
        numbers = [len(self._numbers(g, count)) for g, count in enumerate(key[0])]
        return prod(numbers) if sum(number > 1 for number in numbers) > 1 else 1

    def moves(self, key: Key) -> dict[tuple[Key, int], int]:
        """The keys that can follow, with what is added on the way there, and their weights."""
        left, standings = key
        found: dict[tuple[Key, int], int] = {}
        options = [self._numbers(g, count) for g, count in enumerate(left)]
        showing = [g for g, numbers in enumerate(options) if numbers[-1][0]]
        lone = showing[0] if len(showing) == 1 else None
        self.work = 0
        for shown, ways in _throws(options):
            self.work += 1
            told = standings, shown
            if told not in self._advances:
                self._advances[told] = self._advance(standings, shown)
            after, added, over = self._advances[told]
            reached = tuple(map(sub, left, shown)), after
            if reached not in self._closings:
                self._closings[reached] = self._walk.closed(*reached, self._rests, self._joined)
            following, more, factor = self._closings[reached]
            move = following, added + more
            if over and lone is not None:
                factor //= self._walk.groups[lone].of(reached[0][lone], self._rests[lone])
                found[move] = found.get(move, 0) + factor * self._at_least(lone, left[lone], shown[lone])
                break
            found[move] = found.get(move, 0) + ways * factor
        return found

    def _at_least(self, g: int, left: int, number: int) -> int:
        """The weight of all that can still come of a group with so many dice showing the face, or more."""
        group, rest = self._walk.groups[g], self._rests[g]
        fewer = sum(ways * group.of(left - n, rest) for n, ways in self._numbers(g, left)[:number] if n < number)
        return group.of(left, self._weights[g] + rest) - fewer

    def _numbers(self, g: int, left: int) -> list[tuple[int, int]]:
        """How many of the dice left in the group can show the face, and in how many weighted ways."""
        if (g, left) not in self._choices:
            weight, rest, group = self._weights[g], self._rests[g], self._walk.groups[g]
            if not weight or not left:
                numbers = [(0, 1)]
            elif not rest:
                numbers = [(left, group.of(left, weight))]
            elif group.drawn:
                some = range(max(0, left - rest), min(left, weight) + 1)
                numbers = [(number, comb(weight, number)) for number in some]
            else:
                numbers = [(number, comb(left, number) * weight**number) for number in range(left + 1)]
            self._choices[g, left] = numbers
        return self._choices[g, left]

    def _advance(self, standings: tuple[Standing, ...], shown: Numbers) -> tuple[tuple[Standing, ...], int, bool]:
        """The standings after the face was shown, what that adds, and whether more dice on it would change nothing.

        The last is meant for dice of one group while no other shows the face.
        """
        walk, result, exponent, over = self._walk, [], 0, True
        for q, (pool_states, state) in enumerate(standings):
            if pool_states is not None:
                question, pools = walk.questions[q], walk.pools[q]
                states, kept = [], []
                for pool, before in zip(pools, pool_states, strict=True):
                    pool_state, stay = pool.next(before, self._face, shown)
                    states.append(pool_state)
                    kept.append(stay)
                state, added = question.next_kept(state, self._face, shown, tuple(kept), walk.groups)
                pool_states = tuple(states)
                exponent += added * walk.packing.strides[q]
                over = over and (
                    (len(pools) == 1 and question.settled(state) and walk.steady[q])
                    or all(pool.done(s) for pool, s in zip(pools, pool_states, strict=True))
                )
            result.append((pool_states, state))
        return tuple(result), exponent, over


def _throws(options: Sequence[list[tuple[int, int]]]) -> Iterator[tuple[Numbers, int]]:
    """The numbers of dice of each group that show the face together, and in how many ways."""
    if len(options) == 1:
        for number, ways in options[0]:
            yield (number,), ways
        return
    for choice in product(*options):
        yield tuple(number for number, _ in choice), prod(ways for _, ways in choice)


def _put(
    current: dict[Key, fmpz_poly | int],
    finished: dict[tuple[Standing, ...], fmpz_poly | int],
    key: Key,
    poly: fmpz_poly | int,
    exponent: int,
    scalar: int,
) -> None:
    """Add the weight to the key's, or to the finished ones if no dice are left to it."""
    more = poly * scalar if isinstance(poly, int) else (poly * scalar).left_shift(exponent)
    left, standings = key
    if any(left):
        current[key] = current[key] + more if key in current else more
    else:
        finished[standings] = finished[standings] + more if standings in finished else more


def _direction(
    groups: Sequence[Group], questions: Sequence[Question]
) -> tuple[bool, tuple[tuple[ReadyPool, ...], ...]]:
    """Whether to walk from the lowest face up, where the dice that matter are passed sooner, and the pools for it.
    Raises ValueError where neither way all sizes that matter are certain.
    """

    def ready(upward: bool) -> tuple[tuple[ReadyPool, ...], ...]:
        return tuple(tuple(pool.ready(groups, upward) for pool in question.pools) for question in questions)

    steps = [step for question in questions for pool in question.pools for step in pool.steps]
    if not all(question.either_way for question in questions) or not all(step.reversible() for step in steps):
        return False, ready(False)
    try:
        downward = ready(False)
    except ValueError:
        return True, ready(True)
    try:
        upward = ready(True)
    except ValueError:
        return False, downward
    return (True, upward) if _reach(upward) < _reach(downward) else (False, downward)


def _reach(pools: tuple[tuple[ReadyPool, ...], ...]) -> int:
    return sum(pool.reach for several in pools for pool in several)
