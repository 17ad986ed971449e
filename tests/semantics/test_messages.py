"""Every message of the checker as a person reads it: `tests/errors/STAGE/NAME.rules` says it with exactly `NAME.txt`.

After a change of wording that is meant, `RULESRUN_REWRITE=1 pytest tests/semantics/test_messages.py` writes the texts
anew; read the difference before you commit it.
"""

from __future__ import annotations

import ast
import os
from pathlib import Path

import pytest

import rulesrun
from rulesrun.diagnostics import Diagnostic, RulesError
from rulesrun.render.problems import problems_text

ERRORS = Path(__file__).parents[1] / "errors"
CATALOGUE = Path(rulesrun.__file__).parent / "semantics" / "messages"
STAGES = ("names", "kinds", "dice", "calls", "items", "lines", "examples", "variants", "sheet")
CASES = sorted(path for stage in STAGES for path in (ERRORS / stage).glob("*.rules"))
SOUND = {"variants/base_of_others"}
"""Files that are here because others are based on them."""

ELSEWHERE = {
    "no-single-value",
    "open-range",
    "text-as-pool",
    "none-as-number",
    "not-a-goal",
    "too-many-bases",
    "too-long",
}
"""Messages that no file can call forth: those of a caller's conditions and goals, tested with these, and of bounds."""


def problems_of(path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Diagnostic, ...]:
    """All that is said of a file, as if it lay in the current folder."""
    monkeypatch.chdir(path.parent)
    try:
        return rulesrun.load(path.name).warnings
    except RulesError as error:
        return error.diagnostics


def name_of(path: Path) -> str:
    return path.relative_to(ERRORS).with_suffix("").as_posix()


@pytest.mark.parametrize("path", CASES, ids=name_of)
def test_the_message_is_exactly_the_one_written_down(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said = problems_text(problems_of(path, monkeypatch)) + "\n"
    golden = path.with_suffix(".txt")
    if os.environ.get("RULESRUN_REWRITE"):
        golden.write_text(said, encoding="utf-8")
    assert said == golden.read_text(encoding="utf-8")
    assert (said == "\n") == (name_of(path) in SOUND)


def test_every_text_has_its_file() -> None:
    texts = {path for stage in STAGES for path in (ERRORS / stage).glob("*.txt")}
    assert texts == {path.with_suffix(".txt") for path in CASES}


def test_every_message_of_the_catalogue_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = {each.code for path in CASES for each in problems_of(path, monkeypatch)}
    assert codes_of_the_catalogue() - shown - ELSEWHERE == set()


@pytest.mark.parametrize("path", CASES, ids=name_of)
def test_every_message_points_at_a_place(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for each in problems_of(path, monkeypatch):
        assert each.primary is not None
        assert each.primary.span.text.strip()
        assert each.primary.span.source.name.endswith(".rules")


def codes_of_the_catalogue() -> set[str]:
    """The codes written in the catalogue: the first argument of every `error` and `warning`."""
    found: set[str] = set()
    for path in CATALOGUE.glob("*.py"):
        for part in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(part, ast.Call) and isinstance(part.func, ast.Name) and part.func.id in ("error", "warning"):
                code = part.args[0]
                if isinstance(code, ast.Constant):
                    found.add(str(code.value))
    return found
