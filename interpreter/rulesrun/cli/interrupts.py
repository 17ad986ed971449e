"""Ctrl-C between whole rows: a row that is being written is written to its end."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType, TracebackType
from typing import Any


class Interrupts:
    """While it is entered, Ctrl-C raises KeyboardInterrupt, but not within `put_off`, only after it."""

    def __init__(self) -> None:
        self._putting_off = self._came = False
        self._before: Any = None

    def __enter__(self) -> Interrupts:
        before = signal.getsignal(signal.SIGINT)
        if threading.current_thread() is threading.main_thread() and before is not signal.SIG_IGN:
            self._before = before
            signal.signal(signal.SIGINT, self._arrived)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: object, traceback: TracebackType | None) -> None:
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)

    def _arrived(self, number: int, frame: FrameType | None) -> None:
        if self._putting_off and not self._came:
            self._came = True
        else:
            raise KeyboardInterrupt

    @contextmanager
    def put_off(self) -> Iterator[None]:
        """A first Ctrl-C waits until the block has ended; a second one does not."""
        self._putting_off = True
        try:
            yield
        finally:
            self._putting_off = False
        if self._came:
            raise KeyboardInterrupt
