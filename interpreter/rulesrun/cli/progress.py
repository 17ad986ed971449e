"""A bar that shows how far work has come: on a terminal only, gone when the work is done."""

from __future__ import annotations

from time import monotonic
from typing import TextIO

CELLS = 30
PAUSE = 0.5
"""Seconds after which the bar is drawn anew though no further hundredth is done."""


class Progress:
    """Call it with how much of the total is done; `done` is what it was told last. Where the stream is no terminal
    nothing is shown.
    """

    def __init__(self, stream: TextIO, total: int, shown: bool = True) -> None:
        self._stream, self._total = stream, max(total, 1)
        self.done = 0
        self._shown = shown and stream.isatty()
        self._began = self._drawn = monotonic()
        self._before: int | None = None
        self._hundredths = -1

    def __call__(self, done: int) -> None:
        """Shows how much is done."""
        self.done = done
        if not self._shown:
            return
        if self._before is None:
            self._before = max(done - 1, 0)
        now, hundredths = monotonic(), done * 100 // self._total
        if hundredths == self._hundredths and now - self._drawn < PAUSE:
            return
        self._hundredths, self._drawn = hundredths, now
        if done >= self._total:
            self.clear()
            return
        filled = "█" * (done * CELLS // self._total)
        text = f"{filled:░<{CELLS}} {done:,} of {self._total:,}{self._left(done, now)}"
        print(f"\r{text}\x1b[K", end="", file=self._stream, flush=True)

    def clear(self) -> None:
        """Takes the bar away."""
        if self._shown and self._hundredths >= 0:
            print("\r\x1b[K", end="", file=self._stream, flush=True)
            self._hundredths = -1

    def _left(self, done: int, now: float) -> str:
        """How long it will still take, as soon as that can be said."""
        assert self._before is not None
        spent, new = now - self._began, done - self._before
        if spent < 2 or not new:
            return ""
        return f", {duration(spent / new * (self._total - done))} left"


def duration(seconds: float) -> str:
    """A time for people: `40 s`, `12 min`, `3 h 20 min`."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60:,} h {minutes % 60} min"
