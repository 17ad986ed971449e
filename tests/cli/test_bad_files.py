"""Files that are no rulesets, or hardly: the right result or a clear error, never a traceback, never a hang."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

DIE = "rule r\n    roll d = d6\n    x = d\n"


def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "rulesrun", *words], cwd=folder, capture_output=True, text=True, timeout=60, check=False
    )


@pytest.mark.parametrize(
    "content",
    [
        DIE.encode(),
        DIE.rstrip("\n").encode(),
        DIE.replace("\n", "\r\n").encode(),
        DIE.replace("\n", "\r").encode(),
        DIE.replace("\n", "\r\n", 1).encode(),
        b"\xef\xbb\xbf" + DIE.encode(),
        ("#" + "x" * 1_000_000 + "\n" + DIE).encode(),
        DIE.replace("    ", "\t").encode(),
    ],
)
def test_a_die_is_a_die_however_the_file_was_saved(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "a.rules").write_bytes(content)
    done = run(tmp_path, "a.rules", "--dice", "d=4")
    assert (done.returncode, done.stderr) == (0, "")
    assert "x = 4" in done.stdout


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "a.rules: error: there is no rule in this file"),
        (b"\n\n# nothing\n", "a.rules: error: there is no rule in this file"),
        (b'system "X"\nsetting a = 1\n', "a.rules: error: there is no rule in this file"),
        (bytes(range(128)), "a.rules:1:1: error: a control character (U+0000)"),
        (bytes(range(256)), "a.rules:3:115: error: a.rules is not a text file in UTF-8"),
        (b"\xff\xfe" + "rule r".encode("utf-16-le"), "a.rules:1:1: error: a.rules is not a text file in UTF-8"),
        (b"\xef\xbb\xbfrule r\r\n  caf\xe9", "a.rules:2:6: error: a.rules is not a text file in UTF-8 (byte 0xe9 at"),
        (b"\x89PNG\r\n\x1a\n", "a.rules:1:1: error: a.rules is not a text file in UTF-8"),
        (b"rule r\n    x = \x1b[31m1\n", "a.rules:2:9: error: a control character (U+001B)"),
        (b"rule r\n    x = " + b"(" * 10_000 + b"1" + b")" * 10_000, "a.rules:2:"),
        (b"rule r\n    x = " + b" + ".join([b"1"] * 250_000), "a.rules:2:"),
        (b"x" * 3_000_000, "a.rules:1:1100001: error: a.rules is too long"),
    ],
)
def test_what_is_no_ruleset_is_said_in_a_line(tmp_path: Path, content: bytes, message: str) -> None:
    (tmp_path / "a.rules").write_bytes(content)
    for command in ([], ["check"], ["test"], ["odds"]):
        done = run(tmp_path, *command, "a.rules")
        if done.returncode == 0:
            assert command in (["check"], ["test"])
            assert b"rule r" not in content
            continue
        assert done.stderr.startswith(message)
        assert "Traceback" not in done.stderr
        assert "fault in rulesrun" not in done.stderr
        assert max(map(len, done.stderr.splitlines())) < 200
        assert done.returncode == (1 if command == ["check"] else 2)


def test_what_is_no_file(tmp_path: Path) -> None:
    (tmp_path / "folder.rules").mkdir()
    (tmp_path / "secret.rules").write_text(DIE)
    (tmp_path / "secret.rules").chmod(0)
    assert run(tmp_path, "folder.rules").stderr.startswith("error: folder.rules is a folder, not a ruleset")
    if os.getuid():
        assert run(tmp_path, "secret.rules").stderr.startswith("error: secret.rules cannot be read: Permission denied")
    for name in ("x" * 5000, "a\nb.rules", "../nothing.rules", "/dev/zero"):
        done = run(tmp_path, name)
        assert done.returncode == 2
        assert "error: " in done.stderr
        assert "Traceback" not in done.stderr


def test_a_copy_is_the_bundled_file_and_never_overwrites(tmp_path: Path) -> None:
    assert run(tmp_path, "copy", "hive.rules", "mine.rules").returncode == 0
    mine = tmp_path / "mine.rules"
    changed = mine.read_text().replace("success_on = 6..10", "success_on = 7..10")
    assert changed != mine.read_text()
    mine.write_text(changed)
    faces = "--dice=human=6,6,6,6,7"
    assert "successes  1 (7)" in run(tmp_path, "mine.rules", faces, "--seed", "1").stdout
    assert "successes  5 (6 6 6 6 7)" in run(tmp_path, "hive.rules", faces, "--seed", "1").stdout
    assert run(tmp_path, "copy", "hive", "mine.rules").returncode == 2
    assert mine.read_text() == changed
