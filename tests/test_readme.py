"""Every command and code block of the README is run, and prints what stands there.

`console` blocks are run in one folder, in order; `python` blocks print the `text` block behind them; the `sh` commands
set up a copy of the project from nothing. Run as a script, this file writes down what is printed now.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

PROJECT = Path(__file__).parents[1]
README = PROJECT / "README.md"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(text: str, kind: str) -> list[str]:
    """The blocks of a kind."""
    return [body for found, body in BLOCK.findall(text) if found == kind]


def path_with_rulesrun(folder: Path) -> dict[str, str]:
    """An environment in which `rulesrun` is the package under test."""
    folder.mkdir()
    command = folder / "rulesrun"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m rulesrun "$@"\n')
    command.chmod(0o755)
    return {**os.environ, "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"}


def played(block: str, folder: Path, environment: dict[str, str]) -> str:
    """A console block again, with what its commands print now."""
    lines = []
    for line in block.splitlines():
        if line.startswith("$ "):
            command = ["bash", "-c", line[2:]]
            done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
            lines += [line, *(done.stdout + done.stderr).splitlines()]
    return "\n".join(lines) + "\n"


def printed(code: str, folder: Path) -> str:
    """What a Python block prints."""
    done = subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=False)
    return done.stdout + done.stderr


def rewritten(folder: Path) -> str:
    """The README with what its blocks print now."""
    text = README.read_text(encoding="utf-8")
    environment = path_with_rulesrun(folder / "bin")
    (folder / "work").mkdir()
    for block in blocks(text, "console"):
        text = text.replace(f"```console\n{block}```", f"```console\n{played(block, folder / 'work', environment)}```")
    for code, said in zip(blocks(text, "python"), blocks(text, "text"), strict=True):
        text = text.replace(f"```text\n{said}```", f"```text\n{printed(code, folder / 'work')}```")
    return text


def test_the_blocks_print_what_stands_there(tmp_path: Path) -> None:
    assert rewritten(tmp_path) == README.read_text(encoding="utf-8")


@pytest.mark.slow
def test_the_first_command_sets_up_and_rolls(tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(PROJECT, copy, ignore=shutil.ignore_patterns(".*", "*.egg-info", "build", "__pycache__"))
    first, _ = blocks(README.read_text(encoding="utf-8"), "sh")
    done = subprocess.run(["bash", "-c", first], cwd=copy, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("Hive - ")


def test_the_second_command_is_the_one_that_ci_runs() -> None:
    _, second = blocks(README.read_text(encoding="utf-8"), "sh")
    ci = (PROJECT / ".ci" / "run").read_text(encoding="utf-8")
    assert "README.md | grep pytest" in ci
    assert second.count("\n") == 1
    assert second.rstrip().endswith(".venv/bin/pytest -n 2")


if __name__ == "__main__":
    with TemporaryDirectory() as place:
        README.write_text(rewritten(Path(place)), encoding="utf-8")
