"""Any questions of any dice: the faces are walked from one end.

At each face the number of dice of every group that show it is chosen, with binomial weights. A state holds how many
dice of each group are left and the states of the questions; additive answers ride along as exponents of a polynomial.
A question whose answer can no longer change is closed, and dice that no open question reads are multiplied out at
once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from math import comb

from flint import fmpz_poly

from rulesrun.dice.faces import faces_apart
from rulesrun.dice.packing import Packing
from rulesrun.dice.pool import Face, Group, Numbers, ReadyPool
from rulesrun.dice.questions import Answer, Question
from rulesrun.dice.series import TooLarge, check_size

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
    faces: list[tuple[Face, tuple[int, ...]]]
    packing: Packing

    @staticmethod
    def over(groups: tuple[Group, ...], questions: tuple[Question, ...]) -> _Walk:
        upward, pools = _direction(groups, questions)
        packing = Packing.of(questions, groups)
        bits = sum(group.count * sum(weight for _, weight in group.faces).bit_length() for group in groups)
        check_size(packing.width, bits)
        read = tuple(frozenset().union(*(pool.read(groups) for pool in q.pools)) for q in questions)
        held = tuple(frozenset().union(*(pool.members(groups) for pool in q.pools)) for q in questions)
        return _Walk(groups, questions, pools, read, held, faces_apart(groups, questions, upward), packing)

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
        first, added, factor = self._closed(left, standings, rests)
        _put(current, finished, first, one, added, factor)
        for face, weights in self.faces:
            rests = [rest - weight for rest, weight in zip(rests, weights, strict=True)]
            step = _Step(self, face, weights, rests)
            following: dict[Key, fmpz_poly | int] = {}
            for key, poly in current.items():
                moves = step.moves(key)
                budget -= step.work
                for (after, exponent), scalar in moves.items():
                    _put(following, finished, after, poly, exponent, scalar)
                if budget < 0:
                    raise TooLarge("the questions have too many states to be answered exactly")
            current = following
        return finished

    def _closed(self, left: Numbers, standings: tuple[Standing, ...], rests: Sequence[int]) -> tuple[Key, int, int]:
        """The key with settled questions closed and dice that none reads taken out; what that adds, its weight."""
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
                factor *= rests[g] ** count
                still[g] = 0
        return (tuple(still), tuple(after)), added, factor


class _Step:
    """All that can happen at one face."""

    __slots__ = ("_advances", "_choices", "_face", "_rests", "_walk", "_weights", "work")

    def __init__(self, walk: _Walk, face: Face, weights: Sequence[int], rests: Sequence[int]) -> None:
        self._walk, self._face, self._weights, self._rests = walk, face, weights, rests
        self._choices: dict[tuple[int, int], list[tuple[int, int]]] = {}
        self._advances: dict[tuple[int, Standing, Numbers], tuple[Standing, int]] = {}
        self.work = 0

    def moves(self, key: Key) -> dict[tuple[Key, int], int]:
        """The keys that can follow, with what is added on the way there, and their weights."""
        left, standings = key
        found: dict[tuple[Key, int], int] = {}
        self.work = 0
        for choice in product(*(self._numbers(g, count) for g, count in enumerate(left))):
            self.work += 1
            shown = tuple(number for number, _ in choice)
            exponent, scalar, after = 0, 1, []
            for _, weight in choice:
                scalar *= weight
            for q, standing in enumerate(standings):
                if standing[0] is not None:
                    standing, added = self._advance(q, standing, shown)
                    exponent += added
                after.append(standing)
            rest = tuple(count - number for count, number in zip(left, shown, strict=True))
            following, added, factor = self._walk._closed(rest, tuple(after), self._rests)
            move = following, exponent + added
            found[move] = found.get(move, 0) + scalar * factor
        return found

    def _numbers(self, g: int, left: int) -> list[tuple[int, int]]:
        """How many of the dice left in the group can show the face, and in how many weighted ways."""
        if (g, left) not in self._choices:
            weight = self._weights[g]
            if not weight or not left:
                numbers = [(0, 1)]
            elif not self._rests[g]:
                numbers = [(left, weight**left)]
            else:
                numbers = [(number, comb(left, number) * weight**number) for number in range(left + 1)]
            self._choices[g, left] = numbers
        return self._choices[g, left]

    def _advance(self, q: int, standing: Standing, shown: Numbers) -> tuple[Standing, int]:
        known = q, standing, shown
        if known not in self._advances:
            walk, (pool_states, state) = self._walk, standing
            assert pool_states is not None
            states, kept = [], []
            for pool, before in zip(walk.pools[q], pool_states, strict=True):
                pool_state, stay = pool.next(before, self._face, shown)
                states.append(pool_state)
                kept.append(stay)
            state, added = walk.questions[q].next_kept(state, self._face, shown, tuple(kept), walk.groups)
            self._advances[known] = (tuple(states), state), added * walk.packing.strides[q]
        return self._advances[known]


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
    """Whether to walk from the lowest face up, where the dice that matter are passed sooner, and the pools for it."""
    downward = tuple(tuple(pool.ready(groups) for pool in question.pools) for question in questions)
    steps = [step for question in questions for pool in question.pools for step in pool.steps]
    if all(question.either_way for question in questions) and all(step.reversible() for step in steps):
        try:
            upward = tuple(tuple(pool.ready(groups, True) for pool in question.pools) for question in questions)
        except ValueError:
            return False, downward
        if _reach(upward) < _reach(downward):
            return True, upward
    return False, downward


def _reach(pools: tuple[tuple[ReadyPool, ...], ...]) -> int:
    return sum(pool.reach for several in pools for pool in several)
