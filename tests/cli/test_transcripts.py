"""The real command in real folders, with its exact output.

A transcript holds calls and what they print: `$ ` before a call, then standard output, then standard error with `! `
before each line, then `? N` where the exit status is not 0. Run as a script, this file writes down what is printed now.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

HERE = Path(__file__).parent
EXEMPT = re.compile(r"^\{|exact|: (error|warning): |,\d/\d")
"""Lines that are not for reading: JSON, CSV; and a problem's first line, which tools read."""

ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
ENVIRONMENT |= {"COLUMNS": "200", "PYTHONIOENCODING": "latin-1"}

TRANSCRIPTS = sorted((HERE / "transcripts").glob("*.txt"))


def calls(transcript: Path) -> Iterator[tuple[str, str]]:
    """Each call of a transcript, and all that it prints."""
    for part in transcript.read_text(encoding="utf-8").split("$ rulesrun")[1:]:
        call, _, printed = part.partition("\n")
        yield call.strip(), printed.rstrip("\n")


def answer(call: str, folder: Path) -> str:
    """What a call prints, as a transcript has it; `< FILE` is standard input."""
    words, _, given = call.partition(" < ")
    done = subprocess.run(
        [sys.executable, "-m", "rulesrun", *shlex.split(words)],
        cwd=folder,
        input=(folder / given).read_bytes() if given else b"",
        capture_output=True,
        env={**ENVIRONMENT, "PYTHONPYCACHEPREFIX": str(folder.parent / "compiled")},
        check=False,
    )
    lines = done.stdout.decode().splitlines()
    lines += [f"! {line}".rstrip() for line in done.stderr.decode().splitlines()]
    lines += [f"? {done.returncode}"] if done.returncode else []
    return "\n".join(lines)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return Path(shutil.copytree(HERE / "files", tmp_path_factory.mktemp("cli") / "files"))


@pytest.mark.parametrize(
    ("call", "printed"),
    [pytest.param(*each, id=f"{path.stem}: {each[0]}") for path in TRANSCRIPTS for each in calls(path)],
)
def test_a_call_prints_exactly_this(folder: Path, call: str, printed: str) -> None:
    assert answer(call, folder) == printed
    assert all(len(line.removeprefix("! ")) <= 80 for line in printed.splitlines() if not EXEMPT.search(line))


def write_down(folder: Path) -> None:
    """Every transcript again, with what its calls print now."""
    for path in TRANSCRIPTS:
        parts = [f"$ rulesrun {call}\n{answer(call, folder)}".rstrip("\n") + "\n" for call, _ in calls(path)]
        path.write_text("\n".join(parts), encoding="utf-8")


if __name__ == "__main__":
    with TemporaryDirectory() as place:
        write_down(Path(shutil.copytree(HERE / "files", Path(place) / "files")))
