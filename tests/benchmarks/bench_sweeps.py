"""How long sweeps take, by one process and by two, and what a row costs that goes into a file."""

from __future__ import annotations

from itertools import cycle
from typing import Any

import pytest

import rulesrun
from rulesrun.render.rows import columns_of
from rulesrun.sweep import grid_of
from rulesrun.sweep.job import Job
from rulesrun.sweep.ordered import ordered_chunks

CHECK = rulesrun.load("hive.rules")["skill_check"]
GRID: dict[str, Any] = {"attribute": range(1, 11), "drone_damage": range(6), "needed": range(1, 6)}


@pytest.mark.benchmark(group="300 rows of hive's check")
def test_a_table(benchmark: Any) -> None:
    skills = cycle(range(4))
    benchmark.pedantic(
        lambda skill: CHECK.odds_table(skill=skill, **GRID), setup=lambda: ((next(skills),), {}), rounds=5
    )


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.benchmark(group="3,000 rows of hive's check as lines of CSV")
def test_lines(benchmark: Any, workers: int) -> None:
    asks = CHECK.asks()
    grid = grid_of(CHECK.plan, {**GRID, "skill": range(10)})
    job = Job(asks, grid, columns_of(asks.rule, grid.swept).csv_line)
    rows = benchmark.pedantic(lambda: sum(len(each.rows) for each in ordered_chunks(job, 0, workers)), rounds=3)
    assert rows == 3000
