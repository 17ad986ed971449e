"""Dice that explode adding to themselves: the law of the total, and dice that show it up to a cap."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from math import lcm

from rulesrun.dice import Law
from rulesrun.dice.adding import Adding, Onward
from rulesrun.dice.termwise import one_in
from rulesrun.evaluation.exact.sources import Look, OneDie


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
        return Onward(max(stop, on + end - self._step) + 1, self._step, self.again.mass)

    def die(self, slot: int, look: Look) -> OneDie:
        """The die that shows the faces of a look, the last of which stand for all above."""
        return die_up_to(slot, look, OneDie(1, (), adding=self.adding, summed=self.law, onward=self.onward))


def _ends(law: Law) -> tuple[int | None, int | None]:
    """The lowest and the highest number of a finite law, if it has any."""
    return (None, None) if law.is_zero else law.bounds


def faces_up_to(cap: int, period: int, laws: Iterable[Law]) -> tuple[int, ...]:
    """The numbers below a cap that some law has, those a period below it, and a period of numbers from it on."""
    shown = sorted({number for law in laws for number in law.restrict(None, cap - period - 1).values()})
    low = shown[0] if period > 1 and shown else cap - period
    return (*(number for number in shown if number < low), *range(low, cap + period))


def die_up_to(slot: int, look: Look, die: OneDie) -> OneDie:
    """An endless die as one that shows the faces of a look, the last of which stand for all above."""
    assert die.summed is not None and look.cap is not None
    chances = dict(die.summed.restrict(None, look.cap - 1).items())
    beyond = die.summed.restrict(look.cap, None)
    for face in range(look.cap, look.cap + look.period):
        chances[face] = one_in(beyond, look.period, face % look.period).mass
    bottom = lcm(*(chance.denominator for chance in chances.values()))
    shown = ((place, chances.get(face, 0)) for place, face in enumerate(look.faces))  # type: ignore[call-overload]
    stop = tuple((slot, place, int(chance * bottom)) for place, chance in shown if chance)
    return OneDie(bottom, stop, adding=die.adding, summed=die.summed, onward=die.onward)
