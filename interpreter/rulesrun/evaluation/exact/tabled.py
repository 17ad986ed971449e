"""Joint answers to several questions about the same dice, as one table that many facts are read from.

| method | when |
|---|---|
| listing | the dice can fall in few ways: every question is answered by itself, whatever it is |
| packed polynomial | sums and counts only: they are the digits of one exponent |
| face walk | many dice: `rulesrun.dice` walks their faces |
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb, lcm
from typing import Any, TypeAlias

from rulesrun.dice.series import TooLarge
from rulesrun.evaluation import pools
from rulesrun.evaluation.exact.listing import throws
from rulesrun.evaluation.exact.lumping import lumped
from rulesrun.evaluation.exact.facts import Facts
from rulesrun.evaluation.exact.resolve import Resolver, answer, stepped
from rulesrun.evaluation.exact.sources import Source, Thrown
from rulesrun.evaluation.exact.symbols import AnyShows, Asked, Linear, Slot, UnknownPool

Question: TypeAlias = Any
"""An `Asked`; the terms of a sum of whole scores; or marks, of which it is asked whether one shows."""

FEW = 10_000


@dataclass(frozen=True, slots=True)
class Answers:
    """Joint answers: `places` says where in each tuple a question's answer stands; `share` is the weight of throws without struck faces
    that `total` stands for.
    """

    places: Mapping[Question, int]
    weights: Mapping[tuple[Any, ...], int]
    total: int
    share: Fraction
    method: str


def is_marks(question: Question) -> bool:
    """Whether a question is marks (bits) and not terms (scores)."""
    return not isinstance(question, Asked) and isinstance(question[0][1], int)


def ways(sources: Mapping[str, Source]) -> int:
    """In how many ways the dice can fall; very many where that has no end."""
    total = 1
    for source in sources.values():
        if not isinstance(source, Thrown) or not source.finite:
            return 1 << 60
        for part in source.parts:
            total *= comb(part.count + len(part.die.stop) - 1, part.count)
    return total


def listed_answers(sources: Mapping[str, Source], struck: Mapping[Slot, int], questions: Sequence[Question], budget: int) -> Answers | None:
    """The table by listing; None where that is too much."""
    reading = [_value(question) for question in questions]
    facts = Facts(struck)
    few = {name: lumped(source, reading, facts) for name, source in sources.items()}
    if ways(few) > min(FEW, budget):
        return None
    entries: dict[tuple[Any, ...], Fraction] = {tuple(_nothing(question) for question in questions): Fraction(1)}
    for name, source in few.items():
        own = _own(name, source, sources, struck, questions, budget)
        joined: dict[tuple[Any, ...], Fraction] = {}
        for before, weight in entries.items():
            for here, more in own.items():
                both = tuple(map(_both, questions, before, here))
                joined[both] = joined.get(both, Fraction(0)) + weight * more
        entries = joined
    final: dict[tuple[Any, ...], Fraction] = {}
    for parts, weight in entries.items():
        answers = tuple(map(_answer, questions, parts))
        final[answers] = final.get(answers, Fraction(0)) + weight
    bottom = lcm(*(weight.denominator for weight in final.values()))
    weights = {answers: int(weight * bottom) for answers, weight in final.items()}
    return Answers({question: place for place, question in enumerate(questions)}, weights, bottom, Fraction(1), "listing")


def _value(question: Question) -> Any:
    if isinstance(question, Asked):
        return Linear(0, (), ((question, 1),))
    return AnyShows(question) if is_marks(question) else Linear(0, question, ())


def _nothing(question: Question) -> Any:
    """The part of an answer before any throw."""
    if isinstance(question, Asked):
        return (question.pool.fixed, question.other.fixed if question.other is not None else ())
    return False if is_marks(question) else 0


def _own(
    name: str, source: Source, sources: Mapping[str, Source], struck: Mapping[Slot, int], questions: Sequence[Question], budget: int
) -> dict[tuple[Any, ...], Fraction]:
    """What one throw adds to each answer, with its weights."""
    found: dict[tuple[Any, ...], Fraction] = {}
    for dice, weight in throws(source, budget):
        if any(struck.get((name, slot), 0) >> face & 1 for slot, face in dice):
            continue
        resolver = Resolver({name: dice}, sources)
        parts: list[Any] = []
        for question in questions:
            if isinstance(question, Asked):
                parts.append((resolver.dice_of(question.pool), resolver.dice_of(question.other)))
            elif is_marks(question):
                bits = dict(question)
                parts.append(any(bits.get((name, slot), 0) >> face & 1 for slot, face in dice))
            else:
                scores = dict(question)
                parts.append(sum(scores[name, slot][face] for slot, face in dice if (name, slot) in scores))
        key = tuple(parts)
        found[key] = found.get(key, Fraction(0)) + weight
    return found


def _both(question: Question, left: Any, right: Any) -> Any:
    if isinstance(question, Asked):
        return tuple(tuple(sorted((*a, *b), key=_order)) if a and b else a or b for a, b in zip(left, right, strict=True))
    return left or right if is_marks(question) else left + right


def _order(die: pools.Die) -> Any:
    return (die.face, die.sides or 0, die.kind, str(die.target))


def _answer(question: Question, parts: Any) -> Any:
    if not isinstance(question, Asked):
        return parts
    pool = stepped(parts[0], question.pool.steps, _refuse)
    other = stepped(parts[1], question.other.steps, _refuse) if question.other is not None else None
    return answer(question, pool, other)


def _refuse(pool: UnknownPool) -> Any:
    raise TooLarge("a pool cancelled by a pool of several throws")

