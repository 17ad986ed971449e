"""Cards that were drawn from a bag and not looked at.

Like a throw, a draw answers in the algebra of its questions: the draws of n things are the coefficient of t^n in the
product of (1 + t x^score) over all things, without those that are struck out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import comb

from flint import fmpz_poly

from rulesrun.dice import Law
from rulesrun.dice.series import TooLarge
from rulesrun.evaluation.exact.sources import Hom, Look, Weighted

MOST_TERMS = 100_000_000
"""Products of so many terms at most are made for the numbers on what is drawn: a few seconds."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """So many things of a bag, none of them put back; `faces` are those of slot 0, with how many of each there are.

    `alike`: symbols that a rule only compares with one another, so that a draw stands for all that differ in which is
    which.
    """

    name: str
    looks: tuple[Look, ...]
    faces: Weighted
    number: int
    alike: frozenset[str] = frozenset()

    @property
    def size(self) -> int:
        """How many things there are."""
        return sum(count for _, _, count in self.faces)

    @property
    def ways(self) -> int:
        """How many multisets can be drawn."""
        return number_of_draws([count for _, _, count in self.faces], self.number)

    def only(self, faces: Iterable[int]) -> Drawn:
        """As many things out of those with these faces."""
        kept = frozenset(faces)
        left = tuple(each for each in self.faces if each[1] in kept)
        return Drawn(self.name, self.looks, left, self.number, self.alike)

    def element(self, hom: Hom) -> Law:
        """The law of the sum of scores, with the weight of draws that show a struck face left out."""
        numbers: dict[tuple[int, int], int] = {}
        for slot, face, count in self.faces:
            if not hom.struck[slot] >> face & 1:
                scores = hom.scores[slot]
                key = 0 if scores is None else scores[face], -1 if hom.flipped[slot] >> face & 1 else 1
                numbers[key] = numbers.get(key, 0) + count
        low, high = (end((score for score, _ in numbers), default=0) for end in (min, max))
        most = min(self.number, max(numbers.values(), default=0))
        if len(numbers) * most * self.number**2 * (high - low) > MOST_TERMS:
            raise TooLarge(f"{high - low + 1:,} combined results of each of {self.number:,} draws")
        by_size = [fmpz_poly([1])] + [fmpz_poly()] * self.number
        for (score, sign), count in numbers.items():
            by_size = [
                sum(
                    (
                        (by_size[size - more] * (sign**more * comb(count, more))).left_shift((score - low) * more)
                        for more in range(min(size, count) + 1)
                    ),
                    fmpz_poly(),
                )
                for size in range(self.number + 1)
            ]
        return Law.from_poly(by_size[self.number], comb(self.size, self.number), low * self.number)

    def count(self, slot: int) -> int | None:
        """How many dice of the slot lie there."""
        return self.number

    def bounds(self, slot: int, scores: tuple[int, ...]) -> tuple[int | None, int | None]:
        """The lowest and highest sum of scores."""
        drawn = sorted(score for _, face, count in self.faces for score in [scores[face]] * min(count, self.number))
        return sum(drawn[: self.number]), sum(drawn[len(drawn) - self.number :])

    def draws(self) -> Iterator[tuple[tuple[tuple[int, int], ...], Fraction]]:
        """All that can be drawn, as dice (slot, face) in ascending order, with their chances."""
        bottom = comb(self.size, self.number)
        faces = sorted(self.faces)
        for drawn, weight in multisets([count for _, _, count in faces], self.number):
            dice = tuple([faces[place][:2] for place, many in drawn for _ in range(many)])
            yield dice, Fraction(weight, bottom)


def number_of_draws(counts: list[int], number: int) -> int:
    """How many multisets of so many things there are, where there are so many of each."""
    ways = [1] + [0] * number
    for count in counts:
        total, before = 0, ways
        ways = []
        for size, each in enumerate(before):
            total += each - (before[size - count - 1] if size > count else 0)
            ways.append(total)
    return ways[number]


def multisets(counts: list[int], number: int) -> Iterator[tuple[tuple[tuple[int, int], ...], int]]:
    """What can be drawn: the kinds of things, by number, with how many of each; and in how many ways."""
    behind = [0] * (len(counts) + 1)
    for place in reversed(range(len(counts))):
        behind[place] = behind[place + 1] + counts[place]

    def from_place(
        place: int, left: int, drawn: tuple[tuple[int, int], ...], ways: int
    ) -> Iterator[tuple[tuple[tuple[int, int], ...], int]]:
        if not left:
            yield drawn, ways
            return
        for at in range(place, len(counts)):
            if behind[at] < left:
                return
            for many in range(1, min(counts[at], left) + 1):
                yield from from_place(at + 1, left - many, (*drawn, (at, many)), ways * comb(counts[at], many))

    return from_place(0, number, (), 1)
