"""`rulesrun compare`: the largest change stands first."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

RULES = """
setting bonus = 0
rule check
    given skill: 0.. = 0
    roll die = d6
    total = die + skill + bonus
    outcome
        + great if total >= 7
        + good  if total >= 5
        ~ even  if total = 4
        - bad   otherwise
"""


def compare(folder: Path, *words: str) -> list[list[str]]:
    (folder / "a.rules").write_text(RULES)
    command = [sys.executable, "-m", "rulesrun", "compare", "a.rules", "--set", "bonus=2", *words]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    return [line.split() for line in done.stdout.split("\n\n", 1)[1].splitlines()]


def test_the_outcome_that_changes_most_comes_first(tmp_path: Path) -> None:
    rows = compare(tmp_path)[1:]
    assert [row[:2] for row in rows[:4]] == [["+", "great"], ["-", "bad"], ["+", "good"], ["~", "even"]]
    assert [row[-1] for row in rows] == ["+33.33%", "-33.33%", "0%", "0%", "+33.33%"]


def test_the_case_that_changes_most_comes_first(tmp_path: Path) -> None:
    rows = compare(tmp_path, "skill=0..4")[1:]
    assert [row[0] for row in rows] == ["0", "1", "2", "3", "4"]
    rows = compare(tmp_path, "skill=4,3,1")[1:]
    assert [(row[0], row[-1]) for row in rows] == [("1", "+33.33%"), ("3", "+16.67%"), ("4", "0%")]


def test_two_processes_compare_as_one_does(tmp_path: Path) -> None:
    one, two = (compare(tmp_path, "skill=0..30", "--workers", count) for count in ("1", "2"))
    assert len(one) == 32
    assert one == two


def test_cases_before_one_without_odds_are_compared(tmp_path: Path) -> None:
    (tmp_path / "a.rules").write_text(RULES)
    (tmp_path / "b.rules").write_text(RULES.replace("skill: 0.. = 0", "skill: 0..3 = 0"))
    command = [sys.executable, "-m", "rulesrun", "compare", "a.rules", "b.rules", "skill=1,2,4"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert "this is the row skill=4" in done.stderr
