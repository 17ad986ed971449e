"""`rulesrun fmt` and `fmt --check`, with the real command."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from rulesrun.library import bundled

ODD = b'rule r  "a rule"   # a remark\n  given n:1..3=2\n\n\n  roll d=n d6\n  x=sum of d\n'
LAID_OUT = b'rule r "a rule"  # a remark\n    given n: 1..3 = 2\n\n    roll d = n d6\n    x = sum of d\n'


def fmt(folder: Path, *words: str, given: bytes = b"") -> tuple[int, bytes, bytes]:
    done = subprocess.run(
        [sys.executable, "-m", "rulesrun", "fmt", *words], cwd=folder, input=given, capture_output=True, check=False
    )
    return done.returncode, done.stdout, done.stderr


def test_a_file_is_laid_out_once_and_then_stays(tmp_path: Path) -> None:
    (tmp_path / "a.rules").write_bytes(ODD)
    assert fmt(tmp_path, "a.rules") == (0, b"a.rules: laid out\n", b"")
    assert (tmp_path / "a.rules").read_bytes() == LAID_OUT
    assert fmt(tmp_path, "a.rules") == (0, b"", b"")


def test_check_names_the_files_that_would_change_and_changes_none(tmp_path: Path) -> None:
    for name, content in (("a.rules", ODD), ("b.rules", LAID_OUT), ("c.rules", ODD + b"\n")):
        (tmp_path / name).write_bytes(content)
    status, said, complained = fmt(tmp_path, "--check", "a.rules", "b.rules", "c.rules")
    assert (status, complained) == (1, b"")
    assert said == b"a.rules: the layout would change\nc.rules: the layout would change\n"
    assert (tmp_path / "a.rules").read_bytes() == ODD
    assert fmt(tmp_path, "--check", "b.rules") == (0, b"", b"")


def test_standard_input_goes_to_standard_output(tmp_path: Path) -> None:
    assert fmt(tmp_path, "-", given=ODD) == (0, LAID_OUT, b"")
    assert fmt(tmp_path, "--check", "-", given=ODD) == (1, b"<stdin>: the layout would change\n", b"")
    assert fmt(tmp_path, "--check", "-", given=LAID_OUT)[0] == 0
    assert list(tmp_path.iterdir()) == []


def test_line_endings_stay(tmp_path: Path) -> None:
    (tmp_path / "a.rules").write_bytes(ODD.replace(b"\n", b"\r\n"))
    assert fmt(tmp_path, "a.rules")[0] == 0
    assert (tmp_path / "a.rules").read_bytes() == LAID_OUT.replace(b"\n", b"\r\n")
    assert fmt(tmp_path, "--check", "a.rules")[0] == 0


def test_a_broken_file_stays_as_it_is_and_the_others_are_laid_out(tmp_path: Path) -> None:
    (tmp_path / "broken.rules").write_bytes(b"rule r\n  x = count in pool\n")
    (tmp_path / "a.rules").write_bytes(ODD)
    status, said, complained = fmt(tmp_path, "broken.rules", "a.rules", "gone.rules")
    assert (status, said) == (2, b"a.rules: laid out\n")
    assert b"broken.rules:2:13: error: the faces are missing" in complained
    assert b"there is no file gone.rules" in complained
    assert (tmp_path / "broken.rules").read_bytes() == b"rule r\n  x = count in pool\n"


def test_what_is_no_text_is_refused_and_stays(tmp_path: Path) -> None:
    (tmp_path / "a.rules").write_bytes(b"\xff\xfe\x00")
    status, said, complained = fmt(tmp_path, "a.rules", ".")
    assert (status, said) == (2, b"")
    assert b"not a text file in UTF-8" in complained and b"is a folder" in complained
    assert (tmp_path / "a.rules").read_bytes() == b"\xff\xfe\x00"


def test_bundled_rulesets_are_in_canonical_layout(tmp_path: Path) -> None:
    assert fmt(tmp_path, "--check", *bundled()) == (0, b"", b"")
