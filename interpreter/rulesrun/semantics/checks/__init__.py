"""What is doubtful or cannot work though every name and kind is right: independent checks in an ordered list."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from rulesrun.diagnostics import Diagnostic

from .checked import Checked

CHECKS: tuple[Callable[[Checked], Iterable[Diagnostic]], ...] = ()

__all__ = ["CHECKS", "Checked"]
