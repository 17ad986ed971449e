"""Sets of faces made concrete: `6..10`, `>= target`, `1 or 10`, `not 1`, `even`, symbols, what a pool shows.

In: a plan's `FaceSet` and the values of its expressions. Out: a `FaceTest`, which knows of every face whether it
belongs and how often it counts. What is said of numbers looks at the number of a face, and fits none without one; a
face with two successes counts as two.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

from rulesrun.diagnostics import RulesError, Span
from rulesrun.evaluation.pools import Die
from rulesrun.evaluation.values import Approximate, Several, Value, value_text
from rulesrun.record import record
from rulesrun.semantics.borne import as_number, is_marked, number_on
from rulesrun.semantics.plan import (
    Expression,
    Face,
    FaceBetween,
    FaceCompare,
    FaceIs,
    FaceParity,
    FaceSet,
    FaceWhole,
    Kind,
    Number,
)


@record
class Equal:
    """Faces whose number is one of these; the empty face is a blank."""

    faces: frozenset[Face]

    def fits(self, face: Face) -> bool:
        return face in self.faces or (is_marked(face) and as_number(face) in self.faces)


@record
class Whole:
    """Faces that bear just what one of these bears."""

    faces: frozenset[Face]

    def fits(self, face: Face) -> bool:
        return face in self.faces


@record
class Between:
    """Numbers from `low` to `high`, both included; None is open."""

    low: Number | None
    high: Number | None

    def fits(self, face: Face) -> bool:
        number = _number_on(face)
        return (
            number is not None
            and (self.low is None or self.low <= number)
            and (self.high is None or number <= self.high)
        )


@record
class Beyond:
    """Numbers below (`below`) or above a bound that does not belong."""

    bound: Number
    below: bool

    def fits(self, face: Face) -> bool:
        number = _number_on(face)
        return number is not None and (number < self.bound if self.below else number > self.bound)


@record
class Differs:
    """Numbers other than this one."""

    number: Number

    def fits(self, face: Face) -> bool:
        number = _number_on(face)
        return number is not None and number != self.number


@record
class Parity:
    """Even or odd whole numbers."""

    odd: bool

    def fits(self, face: Face) -> bool:
        number = _number_on(face)
        return number is not None and number % 2 == self.odd


def _number_on(face: Face | str) -> Number | None:
    return None if isinstance(face, str) else number_on(face)


Alternative: TypeAlias = Equal | Whole | Between | Beyond | Differs | Parity


@record
class FaceTest:
    """Which faces belong to a set. `symbols` are those any of which fits."""

    alternatives: tuple[Alternative, ...]
    symbols: frozenset[str]
    negated: bool

    def contains(self, face: Face | str) -> bool:
        """Whether a die that shows the face (or an item of a list) belongs to the set."""
        return self._fits(face) != self.negated

    def count(self, face: Face | str) -> int:
        """How much the face adds to a `count`: 1 if it belongs, for symbols how many of them it bears."""
        if isinstance(face, tuple) and self.symbols and not self.negated:
            symbols = sum(1 for symbol in face if symbol in self.symbols)
            if symbols:
                return symbols
        return int(self._fits(face) != self.negated)

    def settled_from(self, every: int = 1) -> Number | None:
        """A number from which on all numbers belong, or none does, that are multiples of `every` apart; None where
        there is no such number (`even`).
        """
        ends: list[Number] = [0]
        for alternative in self.alternatives:
            match alternative:
                case Equal(faces) | Whole(faces):
                    ends += [face + 1 for face in faces if not isinstance(face, tuple)]
                case Between(low, high):
                    ends += [end for end in (low, None if high is None else high + 1) if end is not None]
                case Beyond(bound, _):
                    ends.append(bound + 1)
                case Differs(number):
                    ends.append(number + 1)
                case Parity() if every % 2:
                    return None
        return max(ends)

    def settled_below(self) -> Number | None:
        """A number at and below which all numbers belong, or none does; None where there is no such number."""
        ends: list[Number] = [0]
        for alternative in self.alternatives:
            match alternative:
                case Equal(faces) | Whole(faces):
                    ends += [face - 1 for face in faces if not isinstance(face, tuple)]
                case Between(low, high):
                    ends += [end for end in (None if low is None else low - 1, high) if end is not None]
                case Beyond(bound, _):
                    ends.append(bound - 1)
                case Differs(number):
                    ends.append(number - 1)
                case Parity():
                    return None
        return min(ends)

    @property
    def parity(self) -> bool | None:
        """True where it is just the odd numbers, False: the even ones; None: something else."""
        match self.alternatives:
            case (Parity(odd),) if not self.symbols:
                return odd != self.negated
            case _:
                return None

    @property
    def least(self) -> Number | None:
        """The number from which on all numbers belong and no other does; None for any other set."""
        match self.alternatives:
            case (Between(low=low, high=None),) if not self.negated and not self.symbols:
                return low
        return None

    def _fits(self, face: Face | str) -> bool:
        if isinstance(face, str):
            return face in self.symbols
        if isinstance(face, tuple) and not self.symbols.isdisjoint(face):
            return True
        return any(alternative.fits(face) for alternative in self.alternatives)


def expressions_of(faces: FaceSet) -> tuple[Expression, ...]:
    """The expressions of a set, in the order in which `face_test` takes their values."""
    return tuple(_expressions(faces))


def _expressions(faces: FaceSet) -> Iterator[Expression]:
    for alternative in faces.alternatives:
        match alternative:
            case FaceIs(value):
                yield value
            case FaceBetween(low, high):
                yield from (bound for bound in (low, high) if bound is not None)
            case FaceCompare(_, bound):
                yield bound
            case FaceWhole(number):
                yield from () if number is None else (number,)
            case FaceParity():
                pass


def face_test(faces: FaceSet, values: Iterable[Value]) -> FaceTest:
    """The test for a set whose expressions (see `expressions_of`) have these values; an error where one is no face."""
    rest = iter(values)
    alternatives: list[Alternative] = []
    equal: set[Face] = set()
    whole: set[Face] = set()
    symbols: set[str] = set()
    for alternative in faces.alternatives:
        match alternative:
            case FaceIs(at):
                value = next(rest)
                if value == "":
                    equal.add(())
                elif isinstance(value, str):
                    symbols.add(value)
                elif isinstance(value, tuple | list):
                    _add_shown(value, whole if at.kind is Kind.POOL else equal, symbols)
                else:
                    equal.add(_number(value, at.span))
            case FaceBetween(low, high):
                least = None if low is None else _number(next(rest), low.span)
                most = None if high is None else _number(next(rest), high.span)
                alternatives.append(Between(least, most))
            case FaceCompare(operator, bound):
                alternatives.append(_compared(operator, _number(next(rest), bound.span)))
            case FaceParity(odd):
                alternatives.append(Parity(odd))
            case FaceWhole(number, words):
                whole.add(words if number is None else (_number(next(rest), number.span), *words))
    if equal:
        alternatives.append(Equal(frozenset(equal)))
    if whole:
        alternatives.append(Whole(frozenset(whole)))
    return FaceTest(tuple(alternatives), frozenset(symbols), faces.negated)


def _compared(operator: str, bound: Number) -> Alternative:
    match operator:
        case "<=":
            return Between(None, bound)
        case ">=":
            return Between(bound, None)
        case "<":
            return Beyond(bound, below=True)
        case ">":
            return Beyond(bound, below=False)
        case _:
            return Differs(bound)


def _add_shown(shown: Sequence[object], faces: set[Face], symbols: set[str]) -> None:
    for each in shown:
        face = each.face if isinstance(each, Die) else each
        if isinstance(face, str):
            symbols.add(face)
        else:
            faces.add(face)  # type: ignore[arg-type]


def _number(value: object, span: Span) -> Number:
    if isinstance(value, bool) or value is None or isinstance(value, Approximate | Several | str | tuple):
        raise RulesError.of(
            f"`{' '.join(span.text.split())}` is {value_text(value)} here, which is no face", code="no-face", span=span
        )
    return value  # type: ignore[return-value]
