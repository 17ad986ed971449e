"""Sweeps from the command line: files that can be continued, interruptions, bars, errors on the way."""

from __future__ import annotations

import csv
import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import rulesrun
from rulesrun.cli.outfile import RowFile

from .memory import peak_of

SWEEP = ["hive.rules", "attribute=20..29", "skill=0..5", "needed=1..10", "--of", "successes"]
ROWS = 10 * 6 * 10
FOUND = ["critical_drone_success", "success", "critical_drone_failure", "failure", "mean successes"]
HEAD = ",".join(["attribute", "skill", "needed", *FOUND, *(f"{each} exact" for each in FOUND)]) + "\n"
FAILING = ["hive.rules", "attribute=0..9", "skill=0", "--given", "size <= 6"]


def odds(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "rulesrun", "odds", *words]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def interrupted(folder: Path, begun: Path, *words: str) -> tuple[int, str, str]:
    """A call that gets Ctrl-C as soon as there is something in a file."""
    command = [sys.executable, "-m", "rulesrun", "odds", *words]
    with (folder / "printed").open("w") as printed:
        out = printed if begun.name == "printed" else subprocess.PIPE
        process = subprocess.Popen(command, cwd=folder, stdout=out, stderr=subprocess.PIPE, text=True)
        while process.poll() is None and not (begun.exists() and begun.read_bytes().count(b",") > 2000):
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        said, err = process.communicate(timeout=60)
    return process.returncode, said or "", err


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files of a sweep that nothing stopped, made by one process."""
    folder = tmp_path_factory.mktemp("whole")
    for name in ("a.csv", "a.jsonl", "a.parquet"):
        done = odds(folder, *SWEEP, "--out", name, "--workers", "1")
        assert (done.returncode, done.stdout, done.stderr) == (0, f"{name}: {ROWS:,} rows\n", "")
    assert sorted(each.name for each in folder.iterdir()) == ["a.csv", "a.jsonl", "a.parquet"]
    return folder


def test_rows_are_those_of_single_cases(whole: Path) -> None:
    check = rulesrun.load("hive.rules")["skill_check"]
    with (whole / "a.csv").open(newline="") as stream:
        lines = list(csv.DictReader(stream))
    assert len(lines) == ROWS
    for line in lines[::97]:
        inputs = {name: int(line[name]) for name in ("attribute", "skill", "needed")}
        found = check.odds(inputs=inputs)
        assert {name: line[f"{name} exact"] for name in found.outcomes} == {
            name: str(chance) for name, chance in found.outcomes.items()
        }
        assert float(line["success"]) == float(found["success"])
    cases = [json.loads(line) for line in (whole / "a.jsonl").read_text().splitlines()]
    assert [case["outcomes"]["success"]["exact"] for case in cases] == [line["success exact"] for line in lines]


def test_parquet_says_the_same(whole: Path) -> None:
    from pyarrow import parquet

    table = parquet.read_table(whole / "a.parquet").to_pylist()
    with (whole / "a.csv").open(newline="") as stream:
        for line, row in zip(csv.DictReader(stream), table, strict=True):
            assert {name: str(value) for name, value in row.items()} == line
    assert (type(table[0]["needed"]), type(table[0]["success"])) == (int, float)


@pytest.mark.parametrize("name", ["a.csv", "a.jsonl", "a.parquet"])
def test_a_stopped_sweep_goes_on_to_the_same_bytes(whole: Path, tmp_path: Path, name: str) -> None:
    rows = tmp_path / (f"{name}.rows" if name.endswith("parquet") else name)
    status, said, err = interrupted(tmp_path, rows, *SWEEP, "--out", name, "--workers", "2")
    assert (status, said) == (130, "")
    assert err.startswith("stopped: ") and err.endswith(
        f" of {ROWS:,} rows are done; the same command goes on from there\n"
    )
    kept = int(err.split()[1].replace(",", ""))
    assert 0 < kept < ROWS
    assert rows.read_bytes().endswith(b"\n")
    with rows.open("ab") as stream:
        stream.write(b'{"system": "3,1,')
    done = odds(tmp_path, *SWEEP, "--out", name)
    assert (done.returncode, done.stdout) == (0, f"{name}: {ROWS:,} rows\n")
    assert done.stderr == f"{name}: {kept:,} of {ROWS:,} rows are there; going on\n"
    assert (tmp_path / name).read_bytes() == (whole / name).read_bytes()
    assert [each.name for each in tmp_path.iterdir() if each.name.startswith(name)] == [name]


def test_two_calls_do_not_write_one_file_at_once(tmp_path: Path) -> None:
    words = [*SWEEP[:1], "attribute=20..79", *SWEEP[2:], "--out", "a.csv", "--workers", "1"]
    first = subprocess.Popen(
        [sys.executable, "-m", "rulesrun", "odds", *words], cwd=tmp_path, stdout=subprocess.DEVNULL
    )
    try:
        while not (tmp_path / "a.csv").exists():
            assert first.poll() is None
            time.sleep(0.02)
        second = odds(tmp_path, *words)
        assert first.poll() is None
        assert (second.returncode, second.stdout) == (2, "")
        assert second.stderr.startswith("error: a.csv is being written by another call\n  hint: wait")
    finally:
        first.kill()
        first.wait()
    done = odds(tmp_path, *words)
    assert (done.returncode, done.stdout) == (0, "a.csv: 3,600 rows\n")
    assert done.stderr == "" or "going on" in done.stderr
    lines = (tmp_path / "a.csv").read_text().splitlines()
    cells = [tuple(map(int, line.split(",")[:3])) for line in lines[1:]]
    assert cells == [(a, s, n) for a in range(20, 80) for s in range(6) for n in range(1, 11)]
    assert [each.name for each in tmp_path.iterdir()] == ["a.csv"]


def test_a_file_is_let_go_when_its_writer_is_done_or_fails(tmp_path: Path) -> None:
    name = str(tmp_path / "x.csv")
    with (
        RowFile(name, HEAD, "key", 2),
        pytest.raises(rulesrun.RulesError, match="another call"),
        RowFile(name, HEAD, "key", 2),
    ):
        pass
    with pytest.raises(rulesrun.RulesError, match="begun by another sweep"), RowFile(name, HEAD, "other", 2):
        pass
    with RowFile(name, HEAD, "key", 2) as file:
        file.finish(lambda rows, goal: None)
    assert [each.name for each in tmp_path.iterdir()] == ["x.csv"]
    with pytest.raises(rulesrun.RulesError, match="is there already"), RowFile(name, HEAD, "key", 2):
        pass
    assert [each.name for each in tmp_path.iterdir()] == ["x.csv"]


@pytest.mark.parametrize("length", [0, 7, 60, 200, 5000])
def test_files_cut_off_anywhere_go_on(whole: Path, tmp_path: Path, length: int) -> None:
    data = (whole / "a.csv").read_bytes()
    with RowFile(str(tmp_path / "x.csv"), HEAD, "key", ROWS) as file:
        file.add(data.decode()[len(HEAD) :])
    (tmp_path / "x.csv").write_bytes(data[:length])
    with RowFile(str(tmp_path / "x.csv"), HEAD, "key", ROWS) as file:
        assert file.kept == max(data[:length].count(b"\n") - 1, 0)
        file.add(data.decode().splitlines(keepends=True)[file.kept + 1 :])
        file.finish(lambda rows, goal: None)
    assert (tmp_path / "x.csv").read_bytes() == data
    assert [each.name for each in tmp_path.iterdir()] == ["x.csv"]


def test_another_sweep_is_refused_and_no_file_overwritten(tmp_path: Path) -> None:
    (tmp_path / "mine.rules").write_text((Path(rulesrun.__file__).parents[2] / "rulesets/hive.rules").read_text())
    words = ["mine.rules", *SWEEP[1:], "--out", "a.csv"]
    assert interrupted(tmp_path, tmp_path / "a.csv", *words)[0] == 130
    before = (tmp_path / "a.csv").read_bytes()
    for others in ([*words, "leaning=1"], [*words, "--set", "success_on=7..10"], [*words, "--of", "size"]):
        done = odds(tmp_path, *others)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith("error: a.csv was begun by another sweep")
        assert "remove it and a.csv.unfinished" in done.stderr
    with (tmp_path / "mine.rules").open("a") as stream:
        stream.write("\n# changed\n")
    assert odds(tmp_path, *words).returncode == 2
    assert (tmp_path / "a.csv").read_bytes() == before
    (tmp_path / "b.csv").write_text("mine\n")
    done = odds(tmp_path, "hive.rules", "needed=1,2", "--out", "b.csv")
    assert (done.returncode, done.stderr.splitlines()[0]) == (2, "error: b.csv is there already")
    assert (tmp_path / "b.csv").read_text() == "mine\n"


def test_names_that_say_nothing_and_folders_that_are_not_there(tmp_path: Path) -> None:
    for words, said in (
        (["--out", "a.txt"], "error: --out a.txt: the name has to say what the file holds"),
        (["--out", "no/a.csv"], "error: no/a.csv cannot be written: No such file or directory"),
        (["--out", "a.csv", "--json"], "error: --out or --json, not both"),
    ):
        done = odds(tmp_path, "hive.rules", "needed=1,2", *words)
        assert (done.returncode, done.stdout, done.stderr.splitlines()[0]) == (2, "", said)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("form", ["--csv", "--json"])
def test_ctrl_c_leaves_whole_rows_on_standard_output(tmp_path: Path, form: str) -> None:
    words = ["hive.rules", "attribute=20..119", "skill=0..9", "needed=1..10", form]
    status, _, err = interrupted(tmp_path, tmp_path / "printed", *words)
    printed = (tmp_path / "printed").read_text()
    assert printed.endswith("\n")
    if form == "--csv":
        rows = printed.count("\n") - 1
        assert all(line.count(",") == 10 for line in printed.splitlines())
    else:
        rows = len(json.loads(printed)["rows"])
    assert status == 130
    assert err == f"stopped: {rows:,} of 10,000 rows are done\n"


def test_a_row_without_odds_keeps_those_before_it(tmp_path: Path) -> None:
    for words in ([], ["--csv"], ["--json"]):
        done = odds(tmp_path, *FAILING, *words)
        assert done.returncode == 2
        assert "error: what is given cannot happen" in done.stderr
        assert "this is the row attribute=7" in done.stderr
        assert done.stderr.endswith("it ends here: 7 of 10 rows are done\n")
    assert len(json.loads(done.stdout)["rows"]) == 7
    assert odds(tmp_path, *FAILING, "--out", "a.csv").returncode == 2
    assert (tmp_path / "a.csv").read_text().count("\n") == 8
    assert (tmp_path / "a.csv.unfinished").exists()


def test_a_wrong_value_is_told_before_anything_is_written(tmp_path: Path) -> None:
    done = odds(tmp_path, "hive.rules", "needed=1..50", "specialized=no,maybe", "--out", "a.csv")
    assert done.returncode == 2
    assert "specialized" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_table_of_too_many_rows_says_where_they_can_go(tmp_path: Path) -> None:
    done = odds(tmp_path, "hive.rules", "needed=1..2000000")
    assert (done.returncode, done.stdout) == (2, "")
    assert "2,000,000 rows are too many for a table" in done.stderr
    assert "--out FILE.csv" in done.stderr


def test_numbers_that_no_float_reaches_stand_there_exactly(tmp_path: Path) -> None:
    (tmp_path / "big.rules").write_text("rule r\n    given n: 0..\n    x = 10 ^ n\n")
    done = odds(tmp_path, "big.rules", "n=2,400", "--csv")
    assert done.stdout == f"n,mean x,mean x exact\n2,100.0,100\n400,,1{'0' * 400}\n"
    for words in (["odds"], ["compare", "big.rules"]):
        command = [sys.executable, "-m", "rulesrun", words[0], "big.rules", *words[1:], "n=400,401", "--csv"]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
        assert "None" not in done.stdout and f"1{'0' * 401}" in done.stdout
    command = [sys.executable, "-m", "rulesrun", "tune", "big.rules", "mean of x = 5", "--vary", "n=1,400", "--csv"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[2] == f"400,,,{(10**400 - 5) // 5},1{'0' * 400}"
    table = rulesrun.load(tmp_path / "big.rules")["r"].odds_table(n=[2, 400]).to_dataframe()
    assert table["mean x"][0] == 100 and table["mean x"].isna()[1]


def test_numbers_that_no_float_reaches_are_not_estimated(tmp_path: Path) -> None:
    (tmp_path / "big.rules").write_text("rule r\n    given n: 0..\n    x = 10 ^ n\n")
    assert odds(tmp_path, "big.rules", "n=200", "--sample", "10").returncode == 0
    done = odds(tmp_path, "big.rules", "n=400", "--sample", "10")
    assert (done.returncode, done.stdout) == (2, "")
    assert "numbers of this size cannot be estimated" in done.stderr


def test_a_reader_that_has_seen_enough_ends_it(tmp_path: Path) -> None:
    command = f"{sys.executable} -m rulesrun odds hive.rules needed=1..100000000 --csv | head -3"
    done = subprocess.run(
        ["bash", "-c", command], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False
    )
    assert [line.split(",")[0] for line in done.stdout.splitlines()] == ["needed", "1", "2"]
    assert done.stderr == ""


def test_one_case_as_csv(tmp_path: Path) -> None:
    found = odds(tmp_path, "twist.rules", "damage", "amount=2", "--of", "damage", "--csv").stdout.splitlines()
    assert found[0] == "name,value,chance,exact"
    spread = rulesrun.load("twist.rules")["damage"].odds(amount=2).of("damage")
    assert found[1].split(",")[3] == str(spread[2])
    assert found[-1].split(",")[1] == "more" and found[-1].split(",")[3] == str(spread.tail)


@pytest.mark.slow
def test_memory_does_not_grow_with_the_rows(tmp_path: Path) -> None:
    peaks = [
        peak_of(tmp_path, "hive.rules", "attribute=1..5", f"needed=1..{rows}", "--out", f"{rows}.csv")
        for rows in (400, 4_000)
    ]
    assert peaks[1] - peaks[0] < 8_000
