"""A modifier with its numbers known."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from rulesrun.evaluation.exact.sources import Look
from rulesrun.evaluation.exact.symbols import Number
from rulesrun.evaluation.pools import Die, Pool
from rulesrun.semantics import plan


class NotAlgebra(Exception):
    """The dice do not stay independent under this modifier: list the throws."""


@dataclass(slots=True)
class Stage:
    """Which of the fields count depends on the modifier."""

    modifier: plan.Modifier
    number: int = 0
    limit: int | None = None
    dice: int | None = None
    target: Number | None = None
    look: Look | None = None
    many: int = 1
    """How many dice an explosion adds."""
    fits: Callable[[Die], bool] | None = None
    """Whether a die shows one of the faces; None for the top face of whatever die it is."""
    holds: Callable[[Pool], bool] | None = None
    """Whether the condition of an `again` holds for a known group."""
    asked: Callable[[Any], Any] | None = None
    """The same condition, asked of a `Seen` whose group may be unknown."""
