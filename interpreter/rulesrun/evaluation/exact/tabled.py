"""Joint answers to several questions about the same dice, as one table that many facts are read from.

| method | when |
|---|---|
| listing | the dice can fall in few ways: every question is answered by itself, whatever it is |
| packed polynomial | sums and counts only: they are the digits of one exponent |
| face walk | many dice: `rulesrun.dice` walks their faces |
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb, gcd, prod
from typing import Any, TypeAlias

from rulesrun.dice.series import TooLarge
from rulesrun.evaluation import pools
from rulesrun.evaluation.exact.drawn import Drawn
from rulesrun.evaluation.exact.facts import Facts
from rulesrun.evaluation.exact.listing import Dice, counted_throws
from rulesrun.evaluation.exact.lumping import lumped
from rulesrun.evaluation.exact.resolve import Resolver, answer, stepped
from rulesrun.evaluation.exact.sources import Listed, Source, Thrown
from rulesrun.evaluation.exact.symbols import (
    AnyShows,
    Asked,
    Linear,
    Marks,
    Modulo,
    Slot,
    UnknownPool,
    names_of,
)

Question: TypeAlias = Any
"""An `Asked`; the terms of a sum of whole scores; or marks, of which it is asked whether one shows."""

FEW = 10_000
FEW_SIMPLE = 1_200_000
FEW_DRAWN = 40_000
"""In so many ways the dice may fall at the most: where a question joins several throws by more than a sum or one
comparison, else, and where cards are drawn.
"""
DICE = 8
"""So many dice are read in one step."""


@dataclass(frozen=True, slots=True)
class Answers:
    """Joint answers: `places` says where in each tuple a question's answer stands; `share` is the weight of throws
    without struck faces
    that `total` stands for.
    """

    places: Mapping[Question, int]
    weights: Mapping[tuple[Any, ...], int]
    total: int
    share: Fraction
    method: str

    def can_answer(self, questions: Iterable[Question]) -> bool:
        """Whether all these questions have been asked."""
        return all(question in self.places for question in questions)

    def values(self, forms: Sequence[Linear], shown: Sequence[Marks]) -> dict[tuple[int, ...], int]:
        """The weights of the joint values of some forms, where all these marks show."""
        marked = [self.places[marks] for marks in shown]
        reading = [self._reading(form) for form in forms]
        found: dict[tuple[int, ...], int] = {}
        for answers, weight in self.weights.items():
            if all(answers[place] for place in marked):
                values = tuple(
                    [
                        answers[parts[0][0]]
                        if alone
                        else sum([x * (answers[at] % modulus if modulus else answers[at]) for at, x, modulus in parts])
                        for alone, parts in reading
                    ]
                )
                found[values] = found.get(values, 0) + weight
        return found

    def _reading(self, form: Linear) -> tuple[bool, list[tuple[int, int, int]]]:
        """Where the answers stand that make up a form, each with its factor and what it is taken modulo (0: as it
        is); and whether it is a single one as it stands.
        """
        parts = [(self.places[form.terms], 1, 0)] if form.terms else []
        for left, factor in form.leftovers:
            question, modulus = (left.terms, left.modulus) if isinstance(left, Modulo) else (left, 0)
            parts.append((self.places[question], int(factor), modulus))
        return parts[0][1:] == (1, 0) and len(parts) == 1, parts


def is_marks(question: Question) -> bool:
    """Whether a question is marks (bits) and not terms (scores)."""
    return not isinstance(question, Asked) and isinstance(question[0][1], int)


def ways(sources: Mapping[str, Source]) -> int:
    """In how many ways the dice can fall; very many where that has no end."""
    total = 1
    for source in sources.values():
        if isinstance(source, Listed):
            total *= len(source.throws)
            continue
        if isinstance(source, Drawn):
            total *= source.ways
            continue
        if not isinstance(source, Thrown) or not source.finite:
            return 1 << 60
        for part in source.parts:
            total *= comb(part.count + len(part.die.stop) - 1, part.count)
    return total


def listed_answers(
    sources: Mapping[str, Source],
    struck: Mapping[Slot, int],
    questions: Sequence[Question],
    budget: int,
    work: Callable[[int], None],
) -> Answers | None:
    """The table by listing; None where that is too much. `work` counts steps, and may raise."""
    reading = [_value(question) for question in questions]
    facts = Facts(struck)
    few = {name: lumped(source, reading, facts) for name, source in sources.items()}
    readers = [reader_of(question) for question in questions]
    simple = not any(isinstance(reader, Parts) for reader in readers)
    most = FEW_DRAWN if any(isinstance(source, Drawn) for source in few.values()) else FEW_SIMPLE
    if ways(few) > min(most if simple else FEW, 4 * budget):
        return None
    steps = sum(ways({name: source}) * _steps(source, len(readers)) for name, source in few.items())
    if steps > budget:
        return None
    work(steps)
    own = [_own(name, source, sources, struck, readers, budget) for name, source in few.items()]
    entries = {tuple(reader.nothing for reader in readers): 1}
    for here, _ in own[:-1]:
        entries = _joined(entries, here, readers)
    final: dict[tuple[Any, ...], int] = {}
    last: Mapping[tuple[Any, ...], int] = own[-1][0] if own else {}
    for before, weight in entries.items():
        for parts, more in last.items():
            answers = tuple([reader.last(a, b) for reader, a, b in zip(readers, before, parts, strict=True)])
            final[answers] = final.get(answers, 0) + weight * more
    places = {question: place for place, question in enumerate(questions)}
    return Answers(places, final, prod(total for _, total in own), Fraction(1), "listing")


def _steps(source: Source, readers: int) -> int:
    """How many steps it takes to list one way in which dice can fall and to read it for so many questions."""
    dice = sum(part.count for part in source.parts) if isinstance(source, Thrown) else 0
    return 2 + readers * (1 + dice // DICE)


def _joined(
    entries: Mapping[tuple[Any, ...], int], own: Mapping[tuple[Any, ...], int], readers: Sequence[Reader]
) -> dict[tuple[Any, ...], int]:
    joined: dict[tuple[Any, ...], int] = {}
    for before, weight in entries.items():
        for parts, more in own.items():
            both = tuple([reader.both(a, b) for reader, a, b in zip(readers, before, parts, strict=True)])
            joined[both] = joined.get(both, 0) + weight * more
    return joined


def _value(question: Question) -> Any:
    if isinstance(question, Asked):
        return Linear(0, (), ((question, 1),))
    return AnyShows(question) if is_marks(question) else Linear(0, question, ())


class Reader:
    """How a question is read throw by throw: what one throw adds, what two make together, and the answer with the
    last one.
    """

    nothing: Any = 0

    def __init__(self, question: Question) -> None:
        self.question = question
        self.reads = names_of(_value(question))

    def own(self, name: str, dice: Dice, resolver: Resolver) -> Any:
        """What one throw adds."""
        raise NotImplementedError

    def both(self, left: Any, right: Any) -> Any:
        """What two throws make together."""
        return left + right

    def last(self, left: Any, right: Any) -> Any:
        """The answer, the right side being the last throw."""
        return self.both(left, right)


class Sum(Reader):
    """A sum of scores."""

    def __init__(self, question: Question) -> None:
        super().__init__(question)
        self.scores: dict[str, dict[int, Sequence[Any]]] = {name: {} for name in self.reads}
        for (name, slot), scores in question:
            self.scores[name][slot] = scores

    def own(self, name: str, dice: Dice, resolver: Resolver) -> Any:
        if name not in self.scores:
            return 0
        scores = self.scores[name]
        return sum([scores[slot][face] for slot, face in dice if slot in scores])


class Shows(Reader):
    """Whether a marked face shows."""

    nothing = False

    def own(self, name: str, dice: Dice, resolver: Resolver) -> Any:
        bits = dict(self.question)
        return any(bits.get((name, slot), 0) >> face & 1 for slot, face in dice)

    def both(self, left: Any, right: Any) -> Any:
        return left or right


class Alone(Reader):
    """A question to a single throw: the others add nothing."""

    nothing = None

    def own(self, name: str, dice: Dice, resolver: Resolver) -> Any:
        if name not in self.reads:
            return None
        return resolver.answered(self.question)

    def both(self, left: Any, right: Any) -> Any:
        return right if left is None else left


class Versus(Reader):
    """One throw outranks another: each side's faces, until both are there."""

    nothing = (None, None)

    def own(self, name: str, dice: Dice, resolver: Resolver) -> Any:
        return tuple(
            tuple(sorted((die.face for die in resolver.dice_of(side)), reverse=True))
            if side.pieces and side.pieces[0][0][0] == name
            else None
            for side in (self.question.pool, self.question.other)
        )

    def both(self, left: Any, right: Any) -> Any:
        if isinstance(left, int):
            return left
        a, b = left[0] if right[0] is None else right[0], left[1] if right[1] is None else right[1]
        return (a, b) if a is None or b is None else int(a > b)


class Parts(Reader):
    """Any other question: the dice are put together."""

    def __init__(self, question: Question) -> None:
        super().__init__(question)
        self.nothing = (question.pool.fixed, question.other.fixed if question.other is not None else ())

    def own(self, name: str, dice: Dice, resolver: Resolver) -> Any:
        return (resolver.dice_of(self.question.pool), resolver.dice_of(self.question.other))

    def both(self, left: Any, right: Any) -> Any:
        return tuple(
            tuple(sorted((*a, *b), key=_order)) if a and b else a or b for a, b in zip(left, right, strict=True)
        )

    def last(self, left: Any, right: Any) -> Any:
        pool, other = self.both(left, right)
        question = self.question
        pool = stepped(pool, question.pool.steps, _refuse)
        return answer(
            question, pool, stepped(other, question.other.steps, _refuse) if question.other is not None else None
        )


def reader_of(question: Question) -> Reader:
    """How a question is read."""
    if not isinstance(question, Asked):
        return Shows(question) if is_marks(question) else Sum(question)
    if len(names_of(question)) == 1:
        return Alone(question)
    sides = (question.pool, question.other)
    if question.what == "outranks" and all(
        side is not None and not side.steps and not side.fixed and len({slot[0] for slot, _ in side.pieces}) == 1
        for side in sides
    ):
        return Versus(question)
    return Parts(question)


def _own(
    name: str,
    source: Source,
    sources: Mapping[str, Source],
    struck: Mapping[Slot, int],
    readers: Sequence[Reader],
    budget: int,
) -> tuple[dict[tuple[Any, ...], int], int]:
    """What one throw adds to each answer, with whole weights, and what these are parts of."""
    found: dict[tuple[Any, ...], int] = {}
    weights, total = counted_throws(source, budget)
    for dice, weight in weights:
        if not any(struck.get((name, slot), 0) >> face & 1 for slot, face in dice):
            resolver = Resolver({name: dice}, sources)
            key = tuple([reader.own(name, dice, resolver) for reader in readers])
            found[key] = found.get(key, 0) + weight
    common = gcd(total, *found.values())
    return {key: weight // common for key, weight in found.items()}, total // common


def _order(die: pools.Die) -> Any:
    return (die.face, die.sides or 0, die.kind, str(die.target))


def _refuse(pool: UnknownPool) -> Any:
    raise TooLarge("a pool cancelled by a pool of several throws")
