"""A file that one call at a time may write: the second is told so instead of mixing its rows with those of the first.

In: a small file beside the one that is written. Out: a `Lock`, which the operating system lets go when its process
ends, however it ends.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO


class Busy(Exception):
    """Another process writes it."""


class Lock:
    """Held from when it is made. `text` is what the file says; it is empty where the file was not there before."""

    def __init__(self, path: Path) -> None:
        """Raises `Busy` while another holds it, and OSError where the file cannot be made."""
        self._path = path
        self._stream = _held(path)
        while not _still_there(self._stream, path):
            self._stream.close()
            self._stream = _held(path)

    @property
    def text(self) -> str:
        """What stands in the file."""
        self._stream.seek(0)
        return self._stream.read().decode("utf-8", "replace")

    def write(self, text: str) -> None:
        """Makes the file say this."""
        self._stream.seek(0)
        self._stream.truncate()
        self._stream.write(text.encode())
        self._stream.flush()

    def release(self, remove: bool = False) -> None:
        """Lets go of it; `remove` takes the file away first."""
        if remove and os.name != "nt":
            self._path.unlink(missing_ok=True)
        self._stream.close()
        if remove and os.name == "nt":
            with suppress(OSError):
                self._path.unlink(missing_ok=True)


def _held(path: Path) -> BinaryIO:
    stream = os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o666), "r+b")
    try:
        _take(stream.fileno())
    except OSError:
        stream.close()
        raise Busy from None
    return stream


def _still_there(stream: BinaryIO, path: Path) -> bool:
    """Whether the file that is held is the one at its place: another may have removed it just before."""
    try:
        return os.path.samestat(os.fstat(stream.fileno()), path.stat())
    except FileNotFoundError:
        return False


if sys.platform == "win32":
    import msvcrt

    def _take(number: int) -> None:
        """Byte 2^30, which nobody writes: a locked byte cannot be read by others."""
        os.lseek(number, 1 << 30, os.SEEK_SET)
        msvcrt.locking(number, msvcrt.LK_NBLCK, 1)
        os.lseek(number, 0, os.SEEK_SET)
else:
    import fcntl

    def _take(number: int) -> None:
        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
