"""Questions about sets of equal faces: exponential generating functions in the number of dice.

Showing a face by c dice is the term ``(w x)^c / c!``; the product over the faces, times n!, counts the throws of n
dice at x^n. Each state of the questions carries such a polynomial, so all numbers c that lead to the same state are
one product. Additive answers ride along in lower exponents. The widest set is asked as "at most m" for every m, which
has no state.

Of cards without putting back out of w, c on a face are C(w, c) x^c, and no n! is left to multiply with.

Groups of unlike dice are possible where each is the widest one cut off above, as a d6 and a d8 are of a d10. Upward
from the lowest face, k dice show a face up to 6 in k! p_k ways; if n of them are d6 that have to, k - n others
remain, which is the n-th derivative.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import factorial, perm

from flint import fmpq, fmpq_poly, fmpz_poly

from rulesrun.dice.packing import Packing
from rulesrun.dice.pool import Face, Group
from rulesrun.dice.questions import Answer, Count, Highest, Lowest, Matched, Question, Size
from rulesrun.dice.series import TooLarge
from rulesrun.dice.sets import AllEqual, Distinct, FaceOfLargestSet, LargestSet, LongestRun, SetsOf

WIDEST = 2_000_000
_FEW_CASES = (
    AllEqual, Count, Distinct, FaceOfLargestSet, Highest, LargestSet, LongestRun, Lowest, Matched, SetsOf, Size,
)  # fmt: skip
States = tuple[object, ...]


def suits(groups: Sequence[Group], questions: Sequence[Question]) -> bool:
    if not groups or not all(isinstance(question, _FEW_CASES) for question in questions):
        return False
    longest = max((group.faces for group in groups), key=len)
    return (
        all(not pool.steps and len(pool.members(groups)) == len(groups) for q in questions for pool in q.pools)
        and all(group.faces == longest[: len(group.faces)] for group in groups)
        and (len(groups) == 1 or not any(group.drawn for group in groups))
        and (len(groups) == 1 or all(q.either_way or isinstance(q, FaceOfLargestSet) for q in questions))
        and Packing.of(questions, groups).width * sum(group.count for group in groups) <= WIDEST
        and not any(question.tells_groups(face, groups) for question in questions for face, _ in longest)
    )


def answers(groups: Sequence[Group], questions: Sequence[Question], budget: int) -> dict[tuple[Answer, ...], int]:
    count = sum(group.count for group in groups)
    longest = max(groups, key=lambda group: len(group.faces))
    widest = frozenset(q for q, question in enumerate(questions) if isinstance(question, LargestSet))
    its_face = frozenset(q for q, question in enumerate(questions) if isinstance(question, FaceOfLargestSet))
    packing = Packing.of(questions, groups)
    walk = _Faces(longest, tuple(groups), count, tuple(questions), widest, its_face, packing, budget)
    found: dict[tuple[Answer, ...], int] = {}
    if len(widest) == len(questions) and not walk.upward:
        before = 0
        for most, weight in walk.no_wider():
            _put(found, iter([((most,) * len(questions), weight - before)]))
            before = weight
        return found
    if not widest and not its_face:
        for states, poly in walk.ended(count):
            _put(found, packing.answers(states, poly, questions, groups))
        return found
    smaller: dict[States, fmpz_poly] = {}
    for most in range((count - 1) // len(longest.faces) + 1, count + 1):
        before = walk.budget
        within = dict(walk.ended(most))
        if (before - walk.budget) * (count - most) > walk.budget:  # no later one takes less
            raise TooLarge("the questions have too many states to be answered exactly")
        for states, poly in within.items():
            if not any(states[q] is None for q in its_face):
                named = [most if q in widest else state for q, state in enumerate(states)]
                for q in its_face:
                    named[q] = most, states[q]
                difference = poly - smaller[states] if states in smaller else poly
                _put(found, packing.answers(named, difference, questions, groups))
        smaller = {} if its_face else within
    return found


def _put(found: dict[tuple[Answer, ...], int], more: Iterator[tuple[tuple[Answer, ...], int]]) -> None:
    for key, weight in more:
        found[key] = found.get(key, 0) + weight


@dataclass(slots=True)
class _Faces:
    """The walk over the faces, and the work it may still do."""

    longest: Group
    groups: tuple[Group, ...]
    count: int
    questions: tuple[Question, ...]
    widest: frozenset[int]
    its_face: frozenset[int]
    packing: Packing
    budget: int

    @property
    def upward(self) -> bool:
        return len(self.groups) > 1

    def no_wider(self) -> Iterator[tuple[int, int]]:
        """For each number that can be the most dice on one face: the weight of throws with no more than it on any.

        Without other states, like faces are a power of one polynomial.
        """
        count, length = self.count, self.count + 1
        alike = Counter(weight for _, weight in self.longest.faces)
        terms = {weight: list(self._terms(weight, count)) for weight in alike}
        whole = fmpq(1) if self.longest.drawn else fmpq(factorial(count))
        for most in range((count - 1) // len(self.longest.faces) + 1, length):
            poly = fmpq_poly([1])
            for weight, times in alike.items():
                poly = poly.mul_low(_power_low(fmpq_poly(terms[weight][: most + 1]), times, length), length)
            self.budget -= 1 + len(alike) * length * factorial(count).bit_length() // 1500
            if self.budget < 0:
                raise TooLarge("the questions have too many states to be answered exactly")
            yield most, int((poly[count] * whole).p)

    def ended(self, most: int) -> list[tuple[States, fmpz_poly]]:
        """The weights of the states after all faces, where no face is shown by more than `most` dice."""
        count, width = self.count, self.packing.width
        by_most = self.widest | self.its_face
        start = tuple(None if q in by_most else x.start((count,)) for q, x in enumerate(self.questions))
        current = {start: fmpq_poly([1])}
        factorials = factorial(count).bit_length()
        cache: dict[object, list[tuple[States, fmpq_poly]]] = {}
        for face, weight in self.longest.faces if self.upward else reversed(self.longest.faces):
            told = tuple(question.tells(face) for question in self.questions)
            following: dict[States, fmpq_poly] = {}
            for states, poly in current.items():
                key = (states, told, weight)
                if key not in cache:
                    self.budget -= 2 * (most + 1) * len(self.questions)
                    cache[key] = self._cases(states, face, weight, most)
                for after, terms in cache[key]:
                    length = min(poly.length() + terms.length(), width * (count + 1))
                    self.budget -= 1 + length * (self.packing.bits + factorials) // 1500
                    if self.budget < 0:
                        raise TooLarge("the questions have too many states to be answered exactly")
                    product = poly.mul_low(terms, width * (count + 1))
                    following[after] = following[after] + product if after in following else product
            fallen = sum(g.count for g in self.groups if g.faces[-1][0] == face != self.longest.faces[-1][0])
            if self.upward and fallen:
                following = {states: _derivative(poly, fallen, width) for states, poly in following.items()}
                count -= fallen
            current = following
        factor = fmpq(1) if self.longest.drawn else fmpq(factorial(count))
        result = []
        for states, poly in current.items():
            last = (poly * factor).numer().right_shift(width * count)
            if not last.is_zero():
                result.append((states, last))
        return result

    def _terms(self, weight: int, most: int) -> Iterator[fmpq]:
        """The terms of a face shown by 0, 1, and so on up to so many dice, or cards as far as there are some."""
        term = fmpq(1)
        yield term
        for number in range(1, min(most, weight) + 1 if self.longest.drawn else most + 1):
            term = term * (weight + 1 - number if self.longest.drawn else weight) / number
            yield term

    def _cases(self, states: States, face: Face, weight: int, most: int) -> list[tuple[States, fmpq_poly]]:
        """For each state that can follow: the terms of the numbers of dice that lead to it."""
        cases: dict[States, dict[int, fmpq]] = {}
        for number, term in enumerate(self._terms(weight, most)):
            after, exponent = [], self.packing.width * number
            for q, (question, state) in enumerate(zip(self.questions, states, strict=True)):
                added = 0
                if q in self.its_face:
                    state = face if number == most and (state is None or self.upward) else state
                elif q not in self.widest:
                    state, added = question.next_kept(state, face, (number,), ((number,),), (self.longest,))
                after.append(state)
                exponent += added * self.packing.strides[q]
            cases.setdefault(tuple(after), {})[exponent] = term
        result = []
        for states, terms in cases.items():
            coefficients = [fmpq(0)] * (max(terms) + 1)
            for exponent, value in terms.items():
                coefficients[exponent] = value
            result.append((states, fmpq_poly(coefficients)))
        return result


def _power_low(poly: fmpq_poly, exponent: int, length: int) -> fmpq_poly:
    """The first `length` coefficients of a power."""
    result = None
    while True:
        if exponent & 1:
            result = poly if result is None else result.mul_low(poly, length)
        exponent >>= 1
        if not exponent:
            return fmpq_poly([1]) if result is None else result
        poly = poly.mul_low(poly, length)


def _derivative(poly: fmpq_poly, order: int, width: int) -> fmpq_poly:
    """The derivative of that order by the number of dice, which stands in the exponents times `width`."""
    coefficients = poly.coeffs()[width * order :]
    return fmpq_poly([value * perm(k // width + order, order) for k, value in enumerate(coefficients)])
