"""A Dask cluster of two workers gives the rows of one machine, in the same order."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from distributed import LocalCluster

import rulesrun
from rulesrun.render.rows import columns_of
from rulesrun.sweep import grid_of
from rulesrun.sweep.cluster import chunk_of, cluster_chunks
from rulesrun.sweep.job import Job
from rulesrun.sweep.ordered import ordered_chunks

SWEEP = ["attribute=1..6", "skill=0..3", "drone_damage=0,2", "needed=1..5"]


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    options = {"n_workers": 2, "threads_per_worker": 1, "processes": True, "dashboard_address": None}
    with LocalCluster(**options, silence_logs=50) as cluster:  # type: ignore[no-untyped-call]
        yield cluster.scheduler_address


def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "rulesrun", "odds", "hive.rules", *words]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_the_same_rows_as_on_one_machine(address: str, tmp_path: Path) -> None:
    here, there = run(tmp_path, *SWEEP, "--csv", "--workers", "1"), run(tmp_path, *SWEEP, "--csv", "--dask", address)
    assert (there.returncode, there.stderr) == (0, "")
    assert there.stdout == here.stdout
    assert there.stdout.count("\n") == 241
    lines = run(tmp_path, *SWEEP, "--json", "--workers", "1"), run(tmp_path, *SWEEP, "--json", "--dask", address)
    assert lines[0].stdout == lines[1].stdout


def test_both_workers_work_and_a_sweep_begins_anywhere(address: str) -> None:
    check = rulesrun.load("hive.rules")["skill_check"]
    asks = check.asks()
    grid = grid_of(check.plan, {"attribute": range(1, 10), "needed": range(1, 40)})
    job = Job(asks, grid, columns_of(asks.rule, grid.swept).csv_line)
    with closing(cluster_chunks(job, 100, address)) as chunks:
        rows = [row for chunk in chunks for row in chunk.rows]
    assert rows == [row for chunk in ordered_chunks(job, 100) for row in chunk.rows]
    assert len(rows) == 9 * 39 - 100


def test_a_row_without_odds_ends_it(address: str, tmp_path: Path) -> None:
    done = run(tmp_path, "attribute=0..9", "skill=0", "--given", "size <= 6", "--csv", "--dask", address)
    assert done.returncode == 2
    assert [line.split(",")[0] for line in done.stdout.splitlines()[1:]] == ["0", "1", "2", "3", "4", "5", "6"]
    assert "this is the row attribute=7" in done.stderr
    assert "7 of 10 rows are done" in done.stderr


def test_nobody_at_the_address_is_said(tmp_path: Path) -> None:
    done = run(tmp_path, *SWEEP, "--csv", "--dask", "tcp://127.0.0.1:1")
    assert (done.returncode, done.stdout.count("\n")) == (2, 1)
    assert done.stderr.startswith("error: no Dask scheduler answers at tcp://127.0.0.1:1")
    assert run(tmp_path, *SWEEP, "--csv", "--dask", "x", "--workers", "2").stderr.startswith(
        "error: --workers or --dask"
    )


def test_a_worker_with_another_version_is_refused() -> None:
    chunk = chunk_of(b"", "0.0.0", 0, 1)
    assert not chunk.rows
    assert chunk.error is not None and "and this is 0.0.0" in chunk.error.message
