"""What is doubtful or cannot work though every name and kind is right: independent checks in an ordered list."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from rulesrun.diagnostics import Diagnostic

from .best import best_without_aim
from .checked import Checked
from .endless import never_ending
from .lacking import faces_lacking
from .reach import unreachable
from .rows import gaps_and_overlaps
from .unused import unused_names, unused_settings

CHECKS: tuple[Callable[[Checked], Iterable[Diagnostic]], ...] = (
    gaps_and_overlaps,
    never_ending,
    faces_lacking,
    unreachable,
    best_without_aim,
    unused_names,
    unused_settings,
)
"""Every check; none depends on another."""

__all__ = ["CHECKS", "Checked"]
