"""Dice that explode adding to themselves: the law of the total, and dice that show it up to a cap."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import lcm

from rulesrun.dice import Law
from rulesrun.dice.adding import Adding, Onward
from rulesrun.evaluation.exact.sources import OneDie


@dataclass(frozen=True)
class Endless:
    """A die that shows `stop`, or `on` and is thrown again: then it shows `end`, or `again` and goes on."""

    stop: Law
    on: Law
    end: Law
    again: Law

    @cached_property
    def law(self) -> Law:
        """The law of the total of all throws."""
        return self.stop + self.on * Law.geometric_sum(self.end, self.again)

    @property
    def _step(self) -> int | None:
        """What each further throw adds, where that is always the same."""
        low, high = _ends(self.again)
        return low if low == high else None

    @property
    def adding(self) -> Adding | None:
        """What the die is where all its throws are alike and only one face above all others explodes."""
        step, (_, highest) = self._step, _ends(self.end)
        if step is None or highest is None or highest >= step or (self.stop, self.on) != (self.end, self.again):
            return None
        return Adding(step, self.again.mass, tuple(self.end.items()))

    @property
    def onward(self) -> Onward | None:
        """How the law goes on, where each further throw adds the same."""
        if not self._step:
            return None
        stop, on, end = (_ends(law)[1] or 0 for law in (self.stop, self.on, self.end))
        return Onward(max(stop, on + end) + 1, self._step, self.again.mass)

    def die(self, slot: int, faces: Sequence[int]) -> OneDie:
        """The die that shows these faces, the last of which stands for all from there on."""
        return die_up_to(slot, faces, OneDie(1, (), adding=self.adding, summed=self.law, onward=self.onward))


def _ends(law: Law) -> tuple[int | None, int | None]:
    """The lowest and the highest number of a finite law, if it has any."""
    return (None, None) if law.is_zero else law.bounds


def faces_up_to(cap: int, laws: Iterable[Law]) -> tuple[int, ...]:
    """The numbers below a cap that some law has, and the cap."""
    return (*sorted({number for law in laws for number in law.restrict(None, cap - 1).values()}), cap)


def die_up_to(slot: int, faces: Sequence[int], die: OneDie) -> OneDie:
    """An endless die as one that shows these faces, the last of which stands for all from there on."""
    assert die.summed is not None
    *numbers, cap = faces
    chances = dict(die.summed.restrict(None, cap - 1).items())
    chances[cap] = die.summed.mass_between(cap, None)
    bottom = lcm(*(chance.denominator for chance in chances.values()))
    stop = tuple(
        (slot, place, int(chances[face] * bottom)) for place, face in enumerate((*numbers, cap)) if face in chances
    )
    return OneDie(bottom, stop, adding=die.adding, summed=die.summed, onward=die.onward)
