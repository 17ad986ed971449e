"""What is wrong with a character file, word for word: each `faults/*.yaml`, and beside it what is said of it.

`private.yaml` is told as somebody hears it who may not know what is private. Run as a script, this file writes down
what is said now.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import rulesrun
from rulesrun import RulesError
from rulesrun.render.problems import problems_text

HERE = Path(__file__).parent
FILES = sorted((HERE / "faults").glob("*.yaml"))
CREW = rulesrun.load(HERE / "crew.rules")


def said(file: Path) -> str:
    """All that is said of a file."""
    try:
        character = CREW.character_from(file.read_text(encoding="utf-8"), file.name)
    except RulesError as error:
        return problems_text(error.diagnostics) + "\n"
    return problems_text(character.discreet_faults if file.stem == "private" else character.faults) + "\n"


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_each_fault_is_told_like_this(file: Path) -> None:
    assert said(file) == file.with_suffix(".txt").read_text(encoding="utf-8")
    assert all(len(line) <= 80 for line in said(file).splitlines() if ": error: " not in line)


def test_what_is_not_broken_is_still_judged() -> None:
    character = CREW.character_from((HERE / "faults" / "several.yaml").read_text(encoding="utf-8"))
    assert [each.text for each in character.broken] == ["a skill above its reach"]
    assert character.traits["damage"] == 0
    assert character.lists["skills"] == {"climbing": 0, "Heavy Weapons": 9, "lore": 0, "riding": 0}


if __name__ == "__main__":
    for each in FILES:
        each.with_suffix(".txt").write_text(said(each), encoding="utf-8")
