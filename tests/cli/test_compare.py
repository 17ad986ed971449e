"""`rulesrun compare`: the largest change stands first."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import rulesrun

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


SWEEP = ["skill=0..59"]


def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    (folder / "a.rules").write_text(RULES)
    command = [sys.executable, "-m", "rulesrun", "compare", "a.rules", "--set", "bonus=2", *words]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120, check=False)


def test_a_sweep_goes_to_a_file_and_to_standard_output(tmp_path: Path) -> None:
    for name in ("a.csv", "a.jsonl", "a.parquet"):
        done = run(tmp_path, *SWEEP, "--out", name)
        assert (done.returncode, done.stdout, done.stderr) == (0, f"{name}: 60 rows\n", "")
    assert run(tmp_path, *SWEEP, "--csv", "--workers", "2").stdout == (tmp_path / "a.csv").read_text()
    found = json.loads(run(tmp_path, *SWEEP, "--json").stdout)["rows"]
    assert found == [json.loads(line) for line in (tmp_path / "a.jsonl").read_text().splitlines()]
    with (tmp_path / "a.csv").open(newline="") as stream:
        lines = list(csv.DictReader(stream))
    assert [line["skill"] for line in lines] == [str(skill) for skill in range(60)]
    for line, case in zip(lines, found, strict=True):
        before, after = (
            rulesrun.parse(RULES).with_settings(bonus=bonus)["check"].odds(skill=int(line["skill"])) for bonus in (0, 2)
        )
        for name in ("great", "good", "even", "bad"):
            expected = [before[name], after[name], after[name] - before[name]]
            assert [line[f"{name} {side} exact"] for side in ("before", "after", "change")] == list(map(str, expected))
            assert float(line[f"{name} change"]) == float(expected[2])
            assert case["change"][name]["exact"] == str(expected[2])
    from pyarrow import parquet

    rows = parquet.read_table(tmp_path / "a.parquet").to_pylist()
    assert [{name: str(value) for name, value in row.items()} for row in rows] == lines


def test_a_comparison_goes_on_and_another_is_refused(tmp_path: Path) -> None:
    assert run(tmp_path, *SWEEP, "--out", "whole.csv").returncode == 0
    whole = (tmp_path / "whole.csv").read_bytes()
    (tmp_path / "b.rules").write_text(RULES.replace("total >= 7", "total >= 7 + 1 / (skill - 30)"))
    command = [sys.executable, "-m", "rulesrun", "compare", "a.rules", "b.rules", *SWEEP, "--out", "b.csv"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 2
    assert "divided by zero" in done.stderr or "division by zero" in done.stderr
    kept = (tmp_path / "b.csv").read_bytes()
    assert kept.count(b"\n") == 31
    other = run(tmp_path, *SWEEP, "--out", "b.csv")
    assert (other.returncode, other.stderr.splitlines()[0]) == (2, "error: b.csv was begun by another sweep")
    assert (tmp_path / "b.csv").read_bytes() == kept
    again = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False)
    assert "b.csv: 30 of 60 rows are there; going on" in again.stderr
    assert (tmp_path / "whole.csv").read_bytes() == whole


def test_rules_without_outcomes_compare_their_means(tmp_path: Path) -> None:
    (tmp_path / "c.rules").write_text(
        "setting more = 0\nrule r\n    given n: 1.. = 1\n    roll p = n d6\n    x = sum of p + more\n"
    )
    command = [sys.executable, "-m", "rulesrun", "compare", "c.rules", "--set", "more=1", "n=1,2", "--csv"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False)
    assert done.stdout.splitlines() == [
        "n,mean x before,mean x after,mean x change,mean x before exact,mean x after exact,mean x change exact",
        "1,3.5,4.5,1.0,7/2,9/2,1",
        "2,7.0,8.0,1.0,7,8,1",
    ]
    single = subprocess.run(
        [*command[:-2], "--csv"], cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False
    )
    assert single.stdout.splitlines()[1] == "3.5,4.5,1.0,7/2,9/2,1"


VALUES = ["--of", "total", "--of", "total >= 6"]


def test_values_that_are_asked_are_compared(tmp_path: Path) -> None:
    found = json.loads(run(tmp_path, *VALUES, "--json").stdout)
    before, after = (rulesrun.parse(RULES).with_settings(bonus=bonus)["check"].odds() for bonus in (0, 2))
    for name in ("total", "total >= 6"):
        for side, odds in (("before", before), ("after", after)):
            assert list(found[side]["values"]) == ["total", "total >= 6"]
            assert found[side]["values"][name]["exact"] == {
                str(value).lower(): str(chance) for value, chance in odds.of(name).items()
            }
    assert found["change_of"]["total"]["mean"] == {"exact": "2", "value": 2.0}
    assert found["change_of"]["total"]["exact"] == {
        str(value): str(after.of("total")[value] - before.of("total")[value]) for value in range(1, 9)
    }
    assert found["change_of"]["total >= 6"]["exact"] == {"false": "-1/3", "true": "1/3"}
    lines = list(csv.DictReader(run(tmp_path, *VALUES, "--csv").stdout.splitlines()))
    assert [line["value"] for line in lines] == [*map(str, range(1, 9)), "no", "yes"]
    assert [line["change exact"] for line in lines[:3]] == ["-1/6", "-1/6", "0"]
    assert lines[-1] == {
        "name": "total >= 6", "value": "yes", "before": repr(1 / 6), "after": "0.5", "change": repr(1 / 3),
        "before exact": "1/6", "after exact": "1/2", "change exact": "1/3",
    }  # fmt: skip


def test_values_of_a_sweep_have_their_columns_and_tables(tmp_path: Path) -> None:
    for name in ("a.csv", "a.jsonl", "a.parquet"):
        done = run(tmp_path, "skill=0..2", *VALUES, "--out", name)
        assert (done.returncode, done.stdout, done.stderr) == (0, f"{name}: 3 rows\n", "")
    lines = list(csv.DictReader((tmp_path / "a.csv").open(newline="")))
    assert [line["mean total change exact"] for line in lines] == ["2", "2", "2"]
    assert [line["chance of total >= 6 before exact"] for line in lines] == ["1/6", "1/3", "1/2"]
    assert [line["chance of total >= 6 after exact"] for line in lines] == ["1/2", "2/3", "5/6"]
    rows = [json.loads(line) for line in (tmp_path / "a.jsonl").read_text().splitlines()]
    assert [row["change_of"]["total >= 6"]["exact"]["true"] for row in rows] == ["1/3"] * 3
    text = run(tmp_path, "skill=0..2", *VALUES).stdout.split("\n\n")
    assert [block.splitlines()[0] for block in text[1:]] == ["mean total", "chance of total >= 6"]
    assert [line.split() for line in text[2].splitlines()[2:]] == [
        ["0", "16.67%", "50.00%", "+33.33%"],
        ["1", "33.33%", "66.67%", "+33.33%"],
        ["2", "50.00%", "83.33%", "+33.33%"],
    ]


def test_what_is_known_holds_on_both_sides(tmp_path: Path) -> None:
    found = json.loads(run(tmp_path, "--given", "die >= 4", "--json").stdout)
    assert [found[side]["outcomes"]["great"]["exact"] for side in ("before", "after")] == ["0", "2/3"]
    assert found["change"]["good"]["exact"] == "-1/3"


def test_a_value_that_one_side_lacks_is_refused_with_its_name(tmp_path: Path) -> None:
    (tmp_path / "b.rules").write_text(RULES.replace("total", "sum_up"))
    for name, side in (("total", "b.rules"), ("sum_up", "a.rules")):
        (tmp_path / "a.rules").write_text(RULES)
        command = [sys.executable, "-m", "rulesrun", "compare", "a.rules", "b.rules", "--of", name]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False)
        assert (done.returncode, done.stdout) == (2, "")
        assert f"there is nothing called `{name}` here" in done.stderr and f"asked of {side};" in done.stderr


def test_an_endless_value_is_compared_to_the_last_listed_and_its_rest(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "rulesrun", "compare", "2d6", "2d6, explode on 6", "--of", "total", "--csv"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False)
    lines = list(csv.DictReader(done.stdout.splitlines()))
    assert lines[-1]["value"] == "more" and lines[-1]["before exact"] == "0"
    for side in ("before", "after", "change"):
        assert sum(Fraction(line[f"{side} exact"]) for line in lines) == (0 if side == "change" else 1)
