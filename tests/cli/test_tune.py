"""`rulesrun tune`: every combination, the nearest first, with exact chances."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import rulesrun

RULES = """
system "Test"
setting line = 5
setting hits = 5..6
setting sure = no

rule check
    given dice:   1.. = 2
    given bonus:  0.. = 0
    given extras: list of 0.. = [0]
    roll pool = dice d6
    total = (count hits in pool) + bonus + sum of extras
    outcome
        + hit  if total >= 1 or sure
        - miss otherwise

rule sum
    roll pool = 2d6
    best = sum of pool
    outcome
        + hit  if best >= line
        - miss otherwise
"""


def tune(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    (folder / "a.rules").write_text(RULES)
    command = [sys.executable, "-m", "rulesrun", "tune", "a.rules", *words]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def rows(folder: Path, *words: str) -> list[dict[str, Any]]:
    done = tune(folder, *words, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    found: list[dict[str, Any]] = json.loads(done.stdout)["rows"]
    return found


def test_the_nearest_setting_comes_first(tmp_path: Path) -> None:
    found = rows(tmp_path, "sum", "chance of hit = 60%", "--vary", "line=2..12")
    assert len(found) == 11
    assert found[0]["settings"] == {"line": "7"}
    assert found[0]["found"][0]["exact"] == "7/12"
    assert found[0]["off"]["exact"] == "1/60"
    offs = [Fraction(each["off"]["exact"]) for each in found]
    assert offs == sorted(offs)


def test_every_combination_has_the_odds_of_the_ruleset_with_it(tmp_path: Path) -> None:
    found = rows(tmp_path, "check", "chance of hit = 1/2", "--vary", "hits=6,5..6,not 1", "--vary", "dice=1..3")
    assert len(found) == 9
    for each in found:
        rule = rulesrun.parse(RULES).with_settings(**each["settings"])["check"]
        assert each["found"][0]["exact"] == str(rule.odds(inputs=each["inputs"])["hit"])
    assert (found[0]["settings"], found[0]["inputs"]) == ({"hits": "5..6"}, {"dice": 2})


def test_goals_hold_at_several_inputs_and_the_worst_counts(tmp_path: Path) -> None:
    goals = ("chance of hit = 1/2", "mean of total <= 1")
    found = rows(tmp_path, "check", *goals, "--vary", "hits=6,4..6", "dice=1,3")
    assert [each["settings"]["hits"] for each in found] == ["6", "4..6"]
    assert [(each["goal"], each["inputs"], each["exact"]) for each in found[0]["found"]] == [
        (goals[0], {"dice": 1}, "1/6"),
        (goals[1], {"dice": 1}, "1/6"),
        (goals[0], {"dice": 3}, "91/216"),
        (goals[1], {"dice": 3}, "1/2"),
    ]
    assert found[0]["off"]["exact"] == "1/3"
    assert found[1]["off"]["exact"] == "1/2"


def test_yes_or_no_and_lists_are_varied_too(tmp_path: Path) -> None:
    words = ("check", "chance of hit = 1", "--vary", "sure=no,yes", "--vary", "extras=0,0", "--vary", "extras=2")
    found = rows(tmp_path, *words)
    assert [(each["settings"], each["inputs"]) for each in found[:1]] == [({"sure": "no"}, {"extras": [2]})]
    assert [each["off"]["exact"] for each in found] == ["0", "0", "0", "4/9"]
    assert rows(tmp_path, "check", "chance of hit = 1", "--vary", "extras=0,2")[0]["inputs"] == {"extras": [0, 2]}


def test_csv_has_a_line_for_each_combination(tmp_path: Path) -> None:
    done = tune(tmp_path, "sum", "chance of hit = 60%", "mean of best = 7", "--vary", "line=2..12", "--csv")
    lines = list(csv.reader(io.StringIO(done.stdout)))
    found = ["off", "chance of hit", "mean of best"]
    assert lines[0] == ["line", *found, *(f"{each} exact" for each in found)]
    assert lines[1][0] == "7" and lines[1][-2:] == ["7/12", "7"]
    assert len(lines) == 12


def test_the_table_fits_and_says_how_much_it_leaves_out(tmp_path: Path) -> None:
    done = tune(tmp_path, "check", "chance of hit = 60%", "--vary", "dice=1..30", "bonus=0")
    lines = done.stdout.splitlines()
    assert "  wanted: chance of hit = 60%" in lines
    assert lines[-1] == "10 more with --json or --csv"
    assert lines[-22].split() == ["2", "55.56%", "4.44%"]
    assert max(map(len, lines)) <= 80
    many = tune(tmp_path, "check", "chance of hit = 60%", "--vary", "hits=6,5..6", "dice=1..9")
    assert "16.67% to 80.62%" in many.stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["check", "--vary", "dice=1,2"], "what should the odds be?"),
        (["check", "chance of hit = 1"], "what may change?"),
        (["check", "chance of hit = 1", "--vary", "dise=1,2"], "no setting or input called dise"),
        (["check", "chance of hit = 1", "--vary", "dice=1,2", "dice=3"], "dice is varied and given"),
        (["check", "chance of hit = 1", "--vary", "hits=6", "--vary", "hits=5"], "hits is varied twice"),
        (["check", "chance of hit = 1", "--vary", "dice=0,1"], "dice"),
        (["check", "chance", "of", "hit", "--vary", "dice=1,2"], "a goal stands in quotes"),
        (["check", "chance of hit", "--vary", "dice=1,2"], "goal:1:14: error: the line ends too early"),
    ],
)
def test_calls_that_make_no_sense(tmp_path: Path, words: list[str], said: str) -> None:
    done = tune(tmp_path, *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr
    assert "fault in rulesrun" not in done.stderr


def words_of(call: str) -> list[str]:
    return ["check", "chance of hit = 40%", "mean of total >= 1", *call.split()]


def test_any_number_of_workers_gives_the_same_result(tmp_path: Path) -> None:
    words = words_of("--vary hits=6,5..6,4..6 --vary dice=1..20 bonus=0,1 --vary extras=0 --vary extras=1,1")
    one, two = (tune(tmp_path, *words, "--csv", "--workers", number) for number in "12")
    assert (one.returncode, one.stderr, two.returncode, two.stderr) == (0, "", 0, "")
    assert one.stdout == two.stdout
    lines = list(csv.DictReader(io.StringIO(one.stdout)))
    assert len(lines) == 3 * 20 * 2
    for line in lines[::31]:
        rule = rulesrun.parse(RULES).with_settings(hits=line["hits"])["check"]
        extras = [int(each) for each in line["extras"].strip("[]").split(",")]
        for bonus in (0, 1):
            odds = rule.odds(dice=int(line["dice"]), extras=extras, bonus=bonus)
            assert line[f"chance of hit at bonus={bonus} exact"] == str(odds["hit"])
            assert line[f"mean of total at bonus={bonus} exact"] == str(odds.of("total").mean)


def test_ctrl_c_shows_the_best_of_what_was_tried(tmp_path: Path) -> None:
    (tmp_path / "a.rules").write_text(RULES)
    words = words_of("--vary dice=1..200 --vary hits=6,5..6,4..6,3..6,2..6 bonus=0..9 --json")
    code = (
        "import sys; from rulesrun.cli import main, sweeps; rows = 0\n"
        "def stop(chunks):\n"
        "    for chunk in chunks:\n"
        "        yield chunk\n"
        "        global rows; rows += len(chunk.rows)\n"
        "        if rows >= 250: raise KeyboardInterrupt\n"
        "chunks = sweeps._chunks; sweeps._chunks = lambda *given: stop(chunks(*given))\n"
        "sys.exit(main(sys.argv[1:]))"
    )
    command = [sys.executable, "-c", code, "tune", "a.rules", *words, "--workers", "1"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 130
    assert done.stderr.startswith("stopped: ") and done.stderr.endswith(" of 10,000 rows are done\n")
    found = json.loads(done.stdout)["rows"]
    assert len(found) == int(done.stderr.split()[1].replace(",", "")) // 10
    assert all(len(each["found"]) == 20 for each in found)
    offs = [Fraction(each["off"]["exact"]) for each in found]
    assert offs == sorted(offs)


def test_a_combination_without_odds_says_which_and_keeps_the_others(tmp_path: Path) -> None:
    words = ["check", "chance of hit = 40%", "--given", "total <= 3", "--vary", "hits=6,5..6", "--vary", "bonus=2..4"]
    done = tune(tmp_path, *words, "--csv")
    assert done.returncode == 2
    assert "this is the row hits=6, bonus=4" in done.stderr
    assert len(done.stdout.splitlines()) == 3


def test_a_setting_and_an_input_of_one_name(tmp_path: Path) -> None:
    (tmp_path / "b.rules").write_text("setting n = 1\nrule r\n    given m: 1.. = n\n    x = m + n\n")
    command = [sys.executable, "-m", "rulesrun", "tune", "b.rules", "r", "mean of x = 7", "--vary", "n=1..4", "m=3"]
    done = subprocess.run([*command, "--csv"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stdout.splitlines()[1].startswith("4,0.0,7.0")


TRIED = ["check", "chance of hit = 40%", "--vary", "hits=6,5..6,4..6", "--vary", "dice=1..9", "bonus=0,1"]


def test_what_was_tried_goes_to_a_file(tmp_path: Path) -> None:
    for name in ("a.csv", "a.jsonl", "a.parquet"):
        done = tune(tmp_path, *TRIED, "--out", name)
        assert (done.returncode, done.stdout, done.stderr) == (0, f"{name}: 27 rows\n", "")
    lines = list(csv.DictReader((tmp_path / "a.csv").open(newline="")))
    assert [(line["hits"], line["dice"]) for line in lines] == [
        (hits, str(dice)) for hits in ("6", "5..6", "4..6") for dice in range(1, 10)
    ]
    best_first = list(csv.DictReader(io.StringIO(tune(tmp_path, *TRIED, "--csv").stdout)))
    assert sorted(map(str, best_first)) == sorted(map(str, lines))
    assert [line["off exact"] for line in best_first] == sorted((line["off exact"] for line in lines), key=Fraction)
    cases = [json.loads(line) for line in (tmp_path / "a.jsonl").read_text().splitlines()]
    assert [case["off"]["exact"] for case in cases] == [line["off exact"] for line in lines]
    assert (cases[0]["settings"], cases[0]["inputs"]) == (
        {"line": "5", "hits": "6", "sure": "no"},
        {"extras": [0], "dice": 1},
    )
    assert [found["inputs"] for found in cases[0]["found"]] == [{"bonus": 0}, {"bonus": 1}]
    from pyarrow import parquet

    table = parquet.read_table(tmp_path / "a.parquet")
    assert [str(table.schema.field(name).type) for name in ("hits", "dice", "off")] == ["string", "int64", "double"]
    assert [{name: str(value) for name, value in row.items()} for row in table.to_pylist()] == lines


def test_settings_that_are_numbers_are_numbers_in_a_table(tmp_path: Path) -> None:
    assert tune(tmp_path, "sum", "mean of best = 7", "--vary", "line=2..4", "--out", "a.parquet").returncode == 0
    from pyarrow import parquet

    assert parquet.read_table(tmp_path / "a.parquet").column("line").to_pylist() == [2, 3, 4]


def test_a_tuning_goes_on_and_another_is_refused(tmp_path: Path) -> None:
    words = ["check", "chance of hit = 40%", "--given", "total <= 3", "--vary", "hits=6,5..6", "--vary", "bonus=2..4"]
    done = tune(tmp_path, *words, "--out", "a.csv")
    assert done.returncode == 2 and "this is the row hits=6, bonus=4" in done.stderr
    kept = (tmp_path / "a.csv").read_bytes()
    assert kept.count(b"\n") == 3
    again = tune(tmp_path, *words, "--out", "a.csv")
    assert "a.csv: 2 of 6 rows are there; going on" in again.stderr
    for other in (["chance of hit = 41%", *words[2:]], [*words[1:], "dice=1,2"], [*words[1:-1], "bonus=2,3,5"]):
        refused = tune(tmp_path, "check", *other, "--out", "a.csv")
        assert (refused.returncode, refused.stderr.splitlines()[0]) == (2, "error: a.csv was begun by another sweep")
    assert (tmp_path / "a.csv").read_bytes() == kept


def test_any_number_of_workers_writes_the_same_file(tmp_path: Path) -> None:
    words = words_of("--vary hits=6,5..6,4..6 --vary dice=1..30 bonus=0,1,2")
    for count in "12":
        assert tune(tmp_path, *words, "--workers", count, "--out", f"{count}.csv").returncode == 0
    assert (tmp_path / "1.csv").read_bytes() == (tmp_path / "2.csv").read_bytes()


def test_more_combinations_than_are_kept_still_go_to_a_file(tmp_path: Path) -> None:
    words = ["check", "chance of hit = 40%", "--vary", "dice=1..40", "--limit", "rows=30"]
    refused = tune(tmp_path, *words)
    assert refused.returncode == 2 and "40 combinations; the limit is 30" in refused.stderr
    assert tune(tmp_path, *words, "--out", "a.csv").stdout == "a.csv: 40 rows\n"


def test_a_goal_that_is_missed_by_far_is_told_in_few_digits(tmp_path: Path) -> None:
    done = tune(tmp_path, "check", "mean of total = 1", "--vary", f"bonus=1,200,123456,{10**40}", "dice=1")
    assert [line.split()[-1] for line in done.stdout.splitlines()[-4:]] == [
        "33.33%",
        "19,933%",
        "~1.23e+07%",
        "~1.00e+42%",
    ]
    assert max(map(len, done.stdout.splitlines())) <= 80
