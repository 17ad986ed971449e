"""The rows of a sweep in a file that can be continued: `--out FILE.csv`, `.jsonl` or `.parquet`.

In: lines, in order. Out: the file, the same to the byte whether the sweep was stopped on the way or not. Until all rows
are there a small file beside it, `FILE.unfinished`, says which sweep it is; a call that makes the same sweep goes on
where the last one stopped, any other is refused, and so is a second one while the first still writes. A file that is
there is never overwritten.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO

from rulesrun.cli.lock import Busy, Lock
from rulesrun.diagnostics import RulesError

KINDS = ("csv", "jsonl", "parquet")
_BLOCK = 1 << 20


def kind_of(name: str) -> str:
    """What a file's name says it holds."""
    kind = Path(name).suffix.removeprefix(".").lower()
    if kind not in KINDS:
        raise RulesError.of(
            f"--out {name}: the name has to say what the file holds", hint="end it in .csv, .jsonl or .parquet"
        )
    return kind


class RowFile:
    """A file of rows. `kept` are the rows in it from earlier calls; `add` more, then leave the `with` block."""

    def __init__(self, name: str, head: str, key: str, rows: int, seed: int | None = None) -> None:
        self.path = Path(name)
        self._parquet = kind_of(name) == "parquet"
        self._rows_path = self._beside(".rows") if self._parquet else self.path
        self._sign = _sign_of(self.path)
        self._head = head.encode()
        self._key, self._says = key, {"sweep": key, "rows": rows} | ({} if seed is None else {"seed": seed})
        self.kept = 0
        self._stream: BinaryIO
        self._lock: Lock

    def __enter__(self) -> RowFile:
        try:
            self._lock = Lock(self._sign)
        except Busy:
            raise RulesError.of(
                f"{self.path} is being written by another call",
                code="busy",
                hint="wait until that has ended, or name another file",
            ) from None
        except OSError as error:
            raise self._unwritable(error) from None
        begun = self._lock.text
        try:
            self._stream = self._continued(begun) if begun else self._new()
        except OSError as error:
            self._lock.release(remove=not begun)
            raise self._unwritable(error) from None
        except RulesError:
            self._lock.release(remove=not begun)
            raise
        return self

    def add(self, lines: Iterable[str]) -> None:
        """More rows; they are with the operating system when this returns."""
        self._stream.write("".join(lines).encode())
        self._stream.flush()

    def __exit__(self, kind: type[BaseException] | None, error: object, traceback: TracebackType | None) -> None:
        self._stream.close()
        self._lock.release()

    def finish(self, parquet: Callable[[Path, Path], None]) -> None:
        """All rows are there. `parquet` writes the second file from the rows in the first, where one is wanted."""
        self._stream.flush()
        os.fsync(self._stream.fileno())
        if self._parquet:
            scratch = self._beside(".new")
            parquet(self._rows_path, scratch)
            scratch.replace(self.path)
            self._rows_path.unlink()
        self._lock.release(remove=True)

    def _beside(self, end: str) -> Path:
        return self.path.with_name(self.path.name + end)

    def _unwritable(self, error: OSError) -> RulesError:
        return RulesError.of(f"{self.path} cannot be written: {error.strerror}", code="unwritable")

    def _new(self) -> BinaryIO:
        if self.path.exists():
            raise RulesError.of(f"{self.path} is there already", code="exists", hint="remove it, or name another")
        self._lock.write(json.dumps(self._says) + "\n")
        stream = self._rows_path.open("wb")
        stream.write(self._head)
        return stream

    def _continued(self, begun_as: str) -> BinaryIO:
        key = _said(begun_as).get("sweep")
        stream = self._rows_path.open("r+b" if self._rows_path.exists() else "w+b")
        lines, end = _whole_lines(stream)
        stream.seek(0)
        begun = stream.read(min(end, len(self._head)))
        if key != self._key or not self._head.startswith(begun) or (len(begun) < len(self._head) and lines):
            stream.close()
            raise RulesError.of(
                f"{self.path} was begun by another sweep",
                code="other-sweep",
                notes=("the ruleset, the settings, the inputs or the version of rulesrun differ",),
                hint=f"remove it and {self._sign.name}, or name another file",
            )
        if end < len(self._head):
            end = stream.seek(0)
            stream.write(self._head)
            end = len(self._head)
        self.kept = max(lines - self._head.count(b"\n"), 0)
        stream.truncate(end)
        stream.seek(end)
        return stream


def begun_seed(name: str) -> int | None:
    """The seed of the sweep that was begun with this file, if there is one that is not done."""
    try:
        seed = _said(_sign_of(Path(name)).read_text(encoding="utf-8")).get("seed")
    except (OSError, ValueError):
        return None
    return seed if isinstance(seed, int) else None


def _sign_of(path: Path) -> Path:
    return path.with_name(path.name + ".unfinished")


def _said(text: str) -> dict[str, Any]:
    """What the small file says; nothing where that cannot be read."""
    try:
        said = json.loads(text)
    except ValueError:
        return {}
    return said if isinstance(said, dict) else {}


def _whole_lines(stream: BinaryIO) -> tuple[int, int]:
    """How many whole lines there are, and where the last of them ends."""
    stream.seek(0)
    lines = place = end = 0
    while block := stream.read(_BLOCK):
        lines += block.count(b"\n")
        last = block.rfind(b"\n")
        if last >= 0:
            end = place + last + 1
        place += len(block)
    return lines, end
