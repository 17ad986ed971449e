"""The cache of the parser's tables: whatever is wrong with it, a ruleset parses."""

import hashlib
import marshal
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from rulesrun.diagnostics import Source
from rulesrun.syntax import tables
from rulesrun.syntax.parser import parse

RULES = "rule a\n    roll b = 2d10, keep highest 1\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty cache folder, and a process that has read no tables yet."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    tables.parser.cache_clear()
    yield tmp_path / "rulesrun"
    tables.parser.cache_clear()


def parses() -> bool:
    tables.parser.cache_clear()
    return len(parse(Source.of_text("a.rules", RULES)).items) == 1


def kept(folder: Path) -> list[Path]:
    return list(folder.glob("grammar-*")) if folder.is_dir() else []


def checked(content: bytes) -> bytes:
    return hashlib.sha256(content).digest() + content


def test_tables_are_kept_and_read_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert parses()
    (path,) = kept(folder)

    def refuse(*args: object, **named: object) -> None:
        raise AssertionError("the grammar was read again")

    monkeypatch.setattr("rulesrun.syntax.tables.Lark.__init__", refuse)
    assert parses()
    assert kept(folder) == [path]


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"nonsense",
        b"\0" * 1000,
        checked(b""),
        checked(b"nonsense"),
        checked(marshal.dumps({})),
        checked(marshal.dumps({"data": {}, "memo": {}})),
        checked(marshal.dumps([1, 2, 3])),
    ],
    ids=range(8),
)
def test_a_broken_or_foreign_cache_is_built_anew(folder: Path, content: bytes) -> None:
    assert parses()
    (path,) = kept(folder)
    path.write_bytes(content)
    assert parses()
    assert tables._read(path) is not None


@pytest.mark.parametrize("length", [1, 31, 32, 33, 1000, -1])
def test_a_truncated_cache_is_built_anew(folder: Path, length: int) -> None:
    assert parses()
    (path,) = kept(folder)
    right = path.read_bytes()
    path.write_bytes(right[:length])
    assert parses()
    assert tables._read(path) is not None


def test_a_cache_with_one_bit_changed_is_built_anew(folder: Path) -> None:
    assert parses()
    (path,) = kept(folder)
    right = path.read_bytes()
    path.write_bytes(right[:5000] + bytes([right[5000] ^ 1]) + right[5001:])
    assert parses()
    assert tables._read(path) is not None


def test_a_cache_of_another_user_is_not_read(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert parses()
    (path,) = kept(folder)
    monkeypatch.setattr(os, "getuid", lambda: path.stat().st_uid + 1, raising=False)
    assert tables._read(path) is None
    assert parses()


def test_a_folder_in_place_of_the_cache(folder: Path) -> None:
    assert parses()
    (path,) = kept(folder)
    path.unlink()
    path.mkdir()
    assert parses()


def test_no_folder_can_be_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(blocked))
    assert parses()


def test_nothing_can_be_written(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: object) -> None:
        raise PermissionError

    monkeypatch.setattr(Path, "write_bytes", refuse)
    assert parses()
    assert kept(folder) == []


def test_a_user_without_a_home(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.delenv("LOCALAPPDATA", raising=False)

    def homeless() -> Path:
        raise RuntimeError("no home")

    monkeypatch.setattr(Path, "home", homeless)
    assert parses()


def test_another_grammar_has_another_file(folder: Path) -> None:
    assert tables._path("a") != tables._path("b")


def test_processes_may_race(folder: Path) -> None:
    code = (
        "from rulesrun.diagnostics import Source\n"
        "from rulesrun.syntax.parser import parse\n"
        f"assert len(parse(Source.of_text('a', {RULES!r})).items) == 1\n"
    )
    running = [subprocess.Popen([sys.executable, "-c", code]) for _ in range(3)]
    assert [each.wait(timeout=60) for each in running] == [0, 0, 0]
    assert len(kept(folder)) == 1
    assert len(list(folder.iterdir())) == 1


def test_threads_may_race(folder: Path) -> None:
    done: list[bool] = []
    threads = [threading.Thread(target=lambda: done.append(parses())) for _ in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert done == [True] * 4
