"""Sampled sweeps: a row is what its cell alone would give, whoever made the file and however often it was stopped."""

from __future__ import annotations

import csv
import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from distributed import LocalCluster

import rulesrun

from .memory import peak_of

SWEEP = ["hive.rules", "attribute=1..12", "needed=1..5", "--sample", "3000", "--of", "successes"]
ROWS = 12 * 5


def odds(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "rulesrun", "odds", *words]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300, check=False)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files of a sweep that nothing stopped, made by one process."""
    folder = tmp_path_factory.mktemp("whole")
    for name in ("a.csv", "a.jsonl", "a.parquet"):
        done = odds(folder, *SWEEP, "--seed", "7", "--out", name, "--workers", "1")
        assert (done.returncode, done.stdout, done.stderr) == (0, f"{name}: {ROWS} rows\n", "")
    assert sorted(each.name for each in folder.iterdir()) == ["a.csv", "a.jsonl", "a.parquet"]
    return folder


def test_rows_are_those_of_single_calls(whole: Path) -> None:
    check = rulesrun.load("hive.rules")["skill_check"]
    with (whole / "a.csv").open(newline="") as stream:
        lines = list(csv.DictReader(stream))
    cases = [json.loads(line) for line in (whole / "a.jsonl").read_text().splitlines()]
    assert len(lines) == len(cases) == ROWS
    for line, case in list(zip(lines, cases, strict=True))[::13]:
        inputs = {name: int(line[name]) for name in ("attribute", "needed")}
        found = check.sample(3000, seed=7, inputs=inputs)
        assert case == found.to_json(["successes"])
        assert (float(line["success"]), float(line["success low"])) == (found["success"], found.interval("success")[0])
        assert float(line["mean successes high"]) == found.of("successes").mean_interval()[1]
        assert (line["trials"], line["seed"]) == ("3000", "7")


def test_parquet_says_the_same(whole: Path) -> None:
    from pyarrow import parquet

    table = parquet.read_table(whole / "a.parquet").to_pylist()
    with (whole / "a.csv").open(newline="") as stream:
        for line, row in zip(csv.DictReader(stream), table, strict=True):
            assert {name: str(value) for name, value in row.items()} == line
    assert [type(table[0][name]) for name in ("needed", "success low", "trials", "seed")] == [int, float, int, str]


@pytest.mark.parametrize("workers", ["2", "3"])
@pytest.mark.parametrize(("form", "name"), [("--csv", "a.csv"), ("--json", "a.jsonl")])
def test_any_number_of_workers_gives_the_same_rows(
    whole: Path, tmp_path: Path, workers: str, form: str, name: str
) -> None:
    done = odds(tmp_path, *SWEEP, "--seed", "7", form, "--workers", workers)
    assert (done.returncode, done.stderr) == (0, "")
    kept = (whole / name).read_text()
    if form == "--csv":
        assert done.stdout == kept
    else:
        assert json.loads(done.stdout)["rows"] == [json.loads(line) for line in kept.splitlines()]


def test_few_cells_of_many_trials_do_not_depend_on_workers_either(tmp_path: Path) -> None:
    words = ["hive.rules", "attribute=1,2", "--sample", "60000", "--seed", "3", "--csv"]
    one, two = (odds(tmp_path, *words, "--workers", number).stdout for number in "12")
    assert one == two
    assert one.count("\n") == 3


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    options = {"n_workers": 2, "threads_per_worker": 1, "processes": True, "dashboard_address": None}
    with LocalCluster(**options, silence_logs=50) as cluster:  # type: ignore[no-untyped-call]
        yield cluster.scheduler_address


@pytest.mark.parametrize("name", ["a.csv", "a.jsonl", "a.parquet"])
def test_a_cluster_gives_the_same_file(whole: Path, tmp_path: Path, address: str, name: str) -> None:
    done = odds(tmp_path, *SWEEP, "--seed", "7", "--out", name, "--dask", address)
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / name).read_bytes() == (whole / name).read_bytes()


def stopped(folder: Path, rows: Path, *words: str) -> tuple[int, int]:
    """A call that gets Ctrl-C when some rows are in a file: its exit status, and how many rows there are."""
    command = [sys.executable, "-m", "rulesrun", "odds", *words]
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while process.poll() is None and not (rows.exists() and rows.read_bytes().count(b"\n") > 2):
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    said, err = process.communicate(timeout=60)
    assert said == "" and err.startswith("stopped: ")
    return process.returncode, int(err.split()[1].replace(",", ""))


@pytest.mark.parametrize("name", ["b.csv", "b.jsonl", "b.parquet"])
def test_a_stopped_sweep_goes_on_from_its_own_seed(tmp_path: Path, name: str) -> None:
    words = ["hive.rules", "attribute=1..10", "needed=1..40", "--sample", "20000", "--out", name]
    rows = tmp_path / (f"{name}.rows" if name.endswith("parquet") else name)
    status, kept = stopped(tmp_path, rows, *words, "--workers", "2")
    assert status == 130
    assert 0 < kept < 400
    done = odds(tmp_path, *words)
    assert (done.returncode, done.stdout) == (0, f"{name}: 400 rows\n")
    first, last = done.stderr.splitlines()
    assert first == f"{name}: {kept} of 400 rows are there; going on"
    assert [each.name for each in tmp_path.iterdir()] == [name]
    (tmp_path / name).rename(tmp_path / f"resumed.{name}")
    again = odds(tmp_path, *words, "--seed", last.removeprefix("seed "))
    assert again.returncode == 0
    assert (tmp_path / name).read_bytes() == (tmp_path / f"resumed.{name}").read_bytes()


def test_another_seed_or_number_of_trials_is_another_sweep(tmp_path: Path) -> None:
    words = ["hive.rules", "attribute=1..10", "needed=1..40", "--out", "a.csv", "--seed", "5"]
    assert stopped(tmp_path, tmp_path / "a.csv", *words, "--sample", "20000")[0] == 130
    for others in (["--sample", "20001"], ["--sample", "20000", "--seed", "6"], []):
        done = odds(
            tmp_path, *(each for each in words if each not in ("--seed", "5") or "--seed" not in others), *others
        )
        assert done.returncode == 2
        assert done.stderr.startswith("error: a.csv was begun by another sweep")


def test_yes_and_no_are_chances_in_csv(tmp_path: Path) -> None:
    (tmp_path / "a.rules").write_text("rule r\n    given n: 1.. = 1\n    roll d = n d6\n    six = any 6 in d\n")
    done = odds(tmp_path, "a.rules", "n=1,2", "--sample", "4000", "--seed", "1", "--of", "six", "--csv")
    head, one, two = csv.reader(done.stdout.splitlines())
    assert head == ["n", "chance of six", "chance of six low", "chance of six high", "trials", "seed"]
    assert float(one[2]) < 1 / 6 < float(one[3])
    assert float(two[2]) < 11 / 36 < float(two[3])


def test_a_row_with_an_error_keeps_those_before_it(tmp_path: Path) -> None:
    words = ["hive.rules", "attribute=0..9", "skill=0", "--given", "size <= 6", "--sample", "500", "--seed", "1"]
    done = odds(tmp_path, *words, "--out", "a.csv")
    assert done.returncode == 2
    assert "what is given did not come up in 500 trials" in done.stderr
    assert "this is the row attribute=7" in done.stderr
    assert (tmp_path / "a.csv").read_text().count("\n") == 8
    shown = odds(tmp_path, *words)
    assert "7 of 10 rows are done" in shown.stderr
    assert shown.stdout.count("±") > 7


def test_a_table_for_people_has_its_limit_and_a_file_has_none(tmp_path: Path) -> None:
    done = odds(tmp_path, "hive.rules", "needed=1..2000000", "--sample", "10")
    assert (done.returncode, done.stdout) == (2, "")
    assert "2,000,000 rows are too many for a table" in done.stderr
    assert "--out FILE.csv" in done.stderr


@pytest.mark.slow
def test_memory_does_not_grow_with_the_rows(tmp_path: Path) -> None:
    peaks = [
        peak_of(tmp_path, "hive.rules", f"needed=1..{rows}", "--sample", "50", "--out", f"{rows}.csv")
        for rows in (300, 3_000)
    ]
    assert peaks[1] - peaks[0] < 8_000
