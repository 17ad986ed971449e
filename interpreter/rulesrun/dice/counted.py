"""What questions about kept dice count, face by face, as exponents of one variable.

For questions of these kinds only: sums of scores and numbers of dice, of one pool with some ranks kept and of the
whole throw beside; and the face of one die, which is a score too. Kept dice with equal faces have to count alike, of
whatever group they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rulesrun.dice.pool import Face, Group, Selection
from rulesrun.dice.questions import Answer, Count, Highest, Lowest, Question, Size


@dataclass(frozen=True, slots=True)
class Digit:
    """Where the answer to a question stands in an exponent; `named` are the answers that are no numbers to add."""

    stride: int
    width: int
    offset: int = 0
    named: Sequence[Answer] | None = None

    def answer(self, exponent: int) -> Answer:
        value = exponent // self.stride % self.width
        return self.offset + value if self.named is None else self.named[value]


@dataclass(frozen=True, slots=True)
class Counted:
    """`members` are the groups of the pool; of its dice the ranks from `first` up to `last` from the highest stay.

    `kept` is what a die that stays adds, by the place of its face among `faces`; `beside` is what any die adds, by its
    group and face, where that is not 0.
    """

    members: frozenset[int]
    size: int
    first: int
    last: int
    faces: Sequence[Face]
    kept: Sequence[int]
    beside: dict[tuple[int, Face], int]
    digits: Sequence[Digit]


Asked = Count | Size | Highest | Lowest
Seen = tuple[frozenset[int], int, int]
"""The groups of a pool, the first rank of their dice that stays and the first that does not stay any more."""


def counted(groups: Sequence[Group], questions: Sequence[Question]) -> Counted | None:
    """What the questions count; None where they are not of these kinds, or several dice from the middle stay."""
    known, asked = None, list[Asked]()
    for question in questions:
        if not isinstance(question, Asked):
            return None
        asked.append(question)
        if question.pool.steps or isinstance(question, Highest | Lowest):
            seen = _seen(groups, question)
            if seen is None or (known is not None and seen != known):
                return None
            known = seen
    if known is None:
        return None
    members, first, last = known
    size = sum(groups[g].count for g in members)
    if first > 0 and last < size and last - first > 1:
        return None
    shown: dict[Face, list[int]] = {}
    for g in members:
        for face, _ in groups[g].faces:
            shown.setdefault(face, []).append(g)
    faces = sorted(shown, reverse=True)
    kept, beside, digits, stride = [0] * len(faces), dict[tuple[int, Face], int](), list[Digit](), 1
    for each in asked:
        scores: Sequence[int] = ()
        if isinstance(each, Highest | Lowest):
            digit, scores = Digit(stride, len(faces), named=faces), range(len(faces))
        elif isinstance(each, Size):
            whole = sum(groups[g].count for g in each.pool.members(groups))
            digit = Digit(stride, 1, last - first if each.pool.steps else whole)
        elif each.pool.steps:
            by_face = [{each.score.get((groups[g].tag, face), 0) for g in shown[face]} for face in faces]
            if any(len(several) > 1 for several in by_face):
                return None
            scores = [score for several in by_face for score in several]
            low = min(scores)
            scores = [score - low for score in scores]
            digit = Digit(stride, (last - first) * max(scores) + 1, (last - first) * low)
        else:
            digit = _beside(groups, each, stride, beside)
        for place, score in enumerate(scores):
            kept[place] += stride * score
        digits.append(digit)
        stride *= digit.width
    return Counted(members, size, first, last, faces, kept, beside, digits)


def _seen(groups: Sequence[Group], question: Asked) -> Seen | None:
    """What the question sees; None where it depends on chance which ranks these are, or there are no dice."""
    members = question.pool.members(groups)
    first, last = 0, sum(groups[g].count for g in members)
    for step in question.pool.steps:
        if not isinstance(step, Selection):
            return None
        begin, end = step.ranks(last - first)
        first, last = first + begin, first + end
    if isinstance(question, Highest | Lowest):
        if first == last:
            return None
        first, last = (first, first + 1) if isinstance(question, Highest) else (last - 1, last)
    return (members, first, last) if members else None


def _beside(groups: Sequence[Group], question: Count, stride: int, beside: dict[tuple[int, Face], int]) -> Digit:
    """The place of a sum over the whole throw; what each die adds to it is put to what it adds `beside`."""
    members = question.pool.members(groups)
    scores = {(g, face): question.score.get((groups[g].tag, face), 0) for g in members for face, _ in groups[g].faces}
    low, high = min(scores.values(), default=0), max(scores.values(), default=0)
    for key, score in scores.items():
        if score != low:
            beside[key] = beside.get(key, 0) + stride * (score - low)
    number = sum(groups[g].count for g in members)
    return Digit(stride, number * (high - low) + 1, number * low)
