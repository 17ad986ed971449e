"""Imports go one way, and only the command line prints, opens files by hand or touches the process's streams."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[1]
PACKAGE = PROJECT / "interpreter" / "rulesrun"
MODULES = sorted(
    each.relative_to(PACKAGE).as_posix()
    for each in PACKAGE.rglob("*.py")
    if each.relative_to(PACKAGE).parts[0] not in ("cli", "__main__.py")
)


def test_the_contracts_in_pyproject_hold() -> None:
    command = [
        sys.executable,
        "-c",
        "from importlinter.cli import lint_imports_command; lint_imports_command()",
        "--no-cache",
    ]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("module", MODULES)
def test_no_print_open_or_streams_outside_the_command_line(module: str) -> None:
    tree = ast.parse((PACKAGE / module).read_text(encoding="utf-8"))
    called = {part.func.id for part in ast.walk(tree) if isinstance(part, ast.Call) and isinstance(part.func, ast.Name)}
    assert not called & {"print", "open", "input", "eval"}
    assert "exec" not in called or module == "record.py", "only the classes of the package itself are made from text"
    of_sys = {
        part.attr
        for part in ast.walk(tree)
        if isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name) and part.value.id == "sys"
    }
    assert not of_sys & {"stdin", "stdout", "stderr", "argv", "exit"}


@pytest.mark.parametrize("module", MODULES)
def test_no_generator_is_global(module: str) -> None:
    tree = ast.parse((PACKAGE / module).read_text(encoding="utf-8"))
    whole = {name.name for part in ast.walk(tree) if isinstance(part, ast.Import) for name in part.names}
    parts = [part for part in ast.walk(tree) if isinstance(part, ast.ImportFrom) and part.module == "random"]
    assert "random" not in whole
    assert {name.name for part in parts for name in part.names} <= {"Random", "SystemRandom"}
