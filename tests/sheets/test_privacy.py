"""What only the player may know does not show in anything that a command prints, nor in its exit status."""

from __future__ import annotations

import io
from itertools import pairwise
from pathlib import Path

import pytest

from rulesrun.cli.main import main
from rulesrun.cli.terminal import Terminal
from rulesrun.render.layout import PLAIN

HERE = Path(__file__).parent
WILLS = ["0", "1", "6", "9"]


def printed(folder: Path, will: str, *words: str) -> tuple[int, str, str]:
    """The exit status and what is printed by a call that speaks of `zoe.yaml`, with a will that nobody knows."""
    text = (HERE / "zoe.yaml").read_text(encoding="utf-8").replace("will: 6 ", f"will: {will} ")
    (folder / "zoe.yaml").write_text(text, encoding="utf-8")
    out, err = io.StringIO(), io.StringIO()
    status = main(words, Terminal(io.StringIO(), out, err, PLAIN, PLAIN))
    return status, out.getvalue(), err.getvalue()


@pytest.mark.parametrize(
    "words",
    [
        ["sheet", "crew.rules", "zoe.yaml"],
        ["sheet", "crew.rules", "zoe.yaml", "--json"],
        ["sheet", "crew.rules", "zoe.yaml", "--do", "hope 1"],
        ["sheet", "crew.rules", "zoe.yaml", "--do", "hope 9", "--do", "doubt 5", "--do", "hope 1", "--json"],
        ["sheet", "crew.rules", "zoe.yaml", "--do", "hope 4", "--write"],
        ["crew.rules", "check", "--as", "zoe.yaml", "needed=3", "--seed", "1"],
        ["crew.rules", "check", "--as", "zoe.yaml", "attribute=strength", "--seed", "1", "--json"],
        ["crew.rules", "check", "--as", "zoe.yaml", "attribute=will", "--dice", "pool=1,1,1,1,1,1,1,1,1"],
        ["crew.rules", "check", "--as", "zoe.yaml", "--times", "40", "--seed", "1"],
        ["odds", "crew.rules", "check", "--as", "zoe.yaml"],
        ["odds", "crew.rules", "check", "--as", "zoe.yaml", "attribute=will", "--sample", "50"],
        ["compare", "crew.rules", "--set", "start=1", "check", "--as", "zoe.yaml"],
        ["tune", "crew.rules", "check", "chance of success = 1/2", "--as", "zoe.yaml", "--vary", "needed=1..3"],
    ],
    ids=" ".join,
)
def test_nothing_tells_one_will_from_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str]) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "crew.rules").write_text((HERE / "crew.rules").read_text(encoding="utf-8"), encoding="utf-8")
    results = [printed(tmp_path, will, *words) for will in WILLS]
    assert all(one == other for one, other in pairwise(results))
    assert "fault in rulesrun" not in results[0][2]


def test_an_action_is_written_though_nobody_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "crew.rules").write_text((HERE / "crew.rules").read_text(encoding="utf-8"), encoding="utf-8")
    assert printed(tmp_path, "6", "sheet", "crew.rules", "zoe.yaml", "--do", "hope 3", "--write")[0] == 0
    assert "will: 9           # nobody else's business" in (tmp_path / "zoe.yaml").read_text(encoding="utf-8")
    assert printed(tmp_path, "0", "sheet", "crew.rules", "zoe.yaml", "--do", "hope 3", "--write")[0] == 0
    assert "will: 0 " in (tmp_path / "zoe.yaml").read_text(encoding="utf-8")


def test_line_ends_and_the_mode_of_a_file_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "crew.rules").write_text((HERE / "crew.rules").read_text(encoding="utf-8"), encoding="utf-8")
    file = tmp_path / "bob.yaml"
    file.write_bytes(b"\xef\xbb\xbfname: Bob\r\nxp: 1 # few\r\n")
    file.chmod(0o640)
    out = Terminal(io.StringIO(), io.StringIO(), io.StringIO(), PLAIN, PLAIN)
    assert main(["sheet", "crew.rules", "bob.yaml", "--do", "rest", "--write"], out) == 0
    assert file.read_bytes() == b"\xef\xbb\xbfname: Bob\r\nxp: 2 # few\r\ndamage: 0\r\n"
    assert file.stat().st_mode & 0o777 == 0o640
    assert sorted(each.name for each in tmp_path.iterdir()) == ["bob.yaml", "crew.rules"]
