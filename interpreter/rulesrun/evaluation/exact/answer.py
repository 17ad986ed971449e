"""What comes of a question to a rule: joint weights, or the law of one number, and what lies beyond a bound."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rulesrun.dice import Law
from rulesrun.evaluation.exact.beyond import Beyond
from rulesrun.evaluation.exact.growth import Growth
from rulesrun.evaluation.exact.state import told_apart
from rulesrun.evaluation.exact.symbols import Number


@dataclass(frozen=True, slots=True)
class Far:
    """What a number beyond a bound is all along an endless row, and the law of the row."""

    growth: Growth
    law: Law

    def moment(self, power: int) -> Fraction:
        """Its share of the mean of the number to a power. Raises `Diverges`."""
        return self.growth.moment(self.law, power)


@dataclass(slots=True)
class Answer:
    """`weights`: the joint values of what was asked. `law`: for a single number that stays unknown, its law on a
    lattice: the value is v / `lattice` with the weight law[v]. `above`: weights of a single number that is only known
    to lie beyond a bound. `lost`: the weight of endless runs that are in none of these.
    """

    weights: dict[tuple[Any, ...], Fraction]
    law: Law | None
    lattice: Number
    lost: Fraction
    above: list[tuple[Beyond, Fraction]]
    notes: Mapping[str, list[tuple[dict[str, Any], Any]]]
    methods: frozenset[str]
    states: int
    far: Sequence[Far] | None = None
    """What is known of each of `above` all along its row; None where something is not."""

    def chance(self, *values: Any) -> Fraction:
        """The chance of these values together."""
        return self.weights.get(tuple(map(told_apart, values)), Fraction(0))
