"""Every bound there is, in one place: a file, a character and inputs from a stranger end in a result or in an error.

In: nothing, or bounds that a caller raises for files of their own. Out: `Limits` and those in force (`in_force`).
grammar/REFERENCE.md has them as a table.
"""

from __future__ import annotations

from contextvars import ContextVar, Token
from types import TracebackType

from rulesrun.record import record


@record
class Limits:
    """The bounds, by the names that `--limit NAME=N` and `limits=` take."""

    characters: int = 1_100_000
    """Characters of a file."""
    words: int = 5_000
    """Words and signs on one line."""
    brackets: int = 50
    """Brackets one inside the other."""
    blocks: int = 20
    """Indented blocks one inside the other."""
    nesting: int = 100
    """How deep an expression nests; a sum of 100 terms is as deep as 100 brackets."""
    digits: int = 1_000
    """Digits of a number as it is written, in a file or in an input."""
    bases: int = 20
    """Files that are based on one another."""
    faces: int = 10_000
    """Faces of a die that are written or worked out one by one, and different things in a bag."""
    all_faces: int = 200_000
    """Faces and things of all dice and bags of a file that are written as ranges."""
    rolled: int = 40
    """Rules that roll one another, one inside the other."""
    steps: int = 20_000
    """Lines of a rule together with those of all the rules that it rolls."""
    dice: int = 100_000
    """Dice that one draw throws at once."""
    all_dice: int = 300_000
    """Dice that all draws of a roll throw together, explosions and rerolls included."""
    sides: int = 10**100
    """Sides of a die."""
    turns: int = 100_000
    """Turns of all repetitions of a roll together, and groups of all `again`."""
    number_bits: int = 4_096
    """Length of a number, about 1,200 decimal digits; of a fraction, of either part."""
    items: int = 100_000
    """Items of a list or a range."""
    work: int = 2_000_000
    """Dice and items that repetitions and `for each` inside one another look at in one roll."""
    states: int = 2_000_000
    """States that exact odds visit; `--budget` is this one."""
    listed_sides: int = 10_000
    """Sides of a die whose exact odds are listed face by face."""
    rows: int = 100_000
    """Combinations of inputs in one table that is held in memory, and settings and inputs that are tried for a goal."""
    sheet_characters: int = 200_000
    """Characters of the file of a sheet's character."""
    sheet_levels: int = 8
    """Levels of that file, one inside the other."""
    sheet_parts: int = 10_000
    """Keys and values in that file; aliases are not read at all."""


NAMES = tuple(Limits.__annotations__)
"""The names of all bounds."""

USUAL = Limits()
"""The bounds unless somebody raises them."""

in_force: ContextVar[Limits] = ContextVar("rulesrun.limits", default=USUAL)
"""The bounds in force: those of the ruleset that is at work, else the usual ones."""


class within:  # noqa: N801, reads as a word of its own: `with within(limits):`
    """Puts bounds in force for a `with` block, in this thread only."""

    __slots__ = ("_before", "_limits")

    def __init__(self, limits: Limits) -> None:
        self._limits = limits

    def __enter__(self) -> None:
        self._before: Token[Limits] = in_force.set(self._limits)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        in_force.reset(self._before)
