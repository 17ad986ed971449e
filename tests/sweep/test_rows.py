"""Rows of sweeps: the same, in the same order, however the work is cut up and whoever does it."""

from __future__ import annotations

import os
import pickle
import signal
import time
from collections.abc import Iterator
from itertools import islice

import pytest

import rulesrun
from rulesrun.evaluation.odds import Odds
from rulesrun.sweep import Grid, grid_of
from rulesrun.sweep.job import MOST_TOGETHER, Job
from rulesrun.sweep.workers import Worker, crew

RULES = """
system "Sweeps"

setting hits = 5..6

rule check
    given dice: 1.. = 3
    given needed: 0.. = 1
    given sure: yes or no = no
    given foes: list of 1.. = [1]
    roll pool = dice d6
    roll luck = d6
    total = count hits in pool
    choice again by default never "once more"
    flag wild if luck = 6
    outcome
        + hit  if total >= needed or sure or (again and luck >= 3)
        - miss otherwise
"""

CHECK = rulesrun.parse(RULES, "sweeps.rules")["check"]


def told(rows: Iterator[Odds] | list[Odds]) -> list[object]:
    return [(row.inputs, row.outcomes, row.flags) for row in rows]


def grid(**given: object) -> Grid:
    return grid_of(CHECK.plan, given)


def test_the_last_input_varies_fastest_and_cells_begin_anywhere() -> None:
    cells = list(grid(dice=range(1, 4), needed=[2, 1], sure=True).cells(0, 6))
    assert [(cell["dice"], cell["needed"]) for cell in cells] == [(1, 2), (1, 1), (2, 2), (2, 1), (3, 2), (3, 1)]
    assert all(cell["sure"] is True for cell in cells)
    assert list(grid(dice=range(1, 4), needed=[2, 1], sure=True).cells(4, 99)) == cells[4:]


def test_a_grid_of_more_cells_than_there_is_memory_for() -> None:
    huge = grid(dice=range(1, 10**12), needed=range(10**15))
    assert huge.size == (10**12 - 1) * 10**15
    assert next(huge.cells(10**15 + 3, huge.size)) == {"dice": 2, "needed": 3}
    assert len(list(huge.edges())) == 3


@pytest.mark.parametrize("size", [1, 7, 300, 5000, 10**6])
def test_chunks_join_and_do_not_depend_on_where_one_begins(size: int) -> None:
    job = Job(CHECK.asks(), grid(needed=range(size)), str)
    chunks = list(job.chunks())
    assert [end for _, end in chunks][:-1] == [place for place, _ in chunks][1:]
    assert (chunks[0][0], chunks[-1][1]) == (0, size)
    assert max(end - place for place, end in chunks) <= MOST_TOGETHER
    for first in {0, size // 3, size - 1}:
        assert list(job.chunks(first)) == [each for each in chunks if each[1] > first]


def test_two_processes_give_the_rows_of_one() -> None:
    asked = {"dice": range(1, 9), "needed": range(5), "sure": [False, True], "foes": [[1], [2, 3]]}
    one = CHECK.odds_table(inputs=asked)
    two = CHECK.odds_table(inputs=asked, workers=2)
    assert len(one) == 160
    assert told(list(two)) == told(list(one))
    assert told(CHECK.odds_rows(inputs=asked, workers=2, first=133)) == told(list(one))[133:]
    for row in (one.rows[17], two.rows[17]):
        single = CHECK.odds(inputs=row.inputs)
        assert (row.outcomes, row.flags) == (single.outcomes, single.flags)
        assert row.of("total").mean == single.of("total").mean
        assert row.chance("total >= 1 and wild") == single.chance("total >= 1 and wild")


def test_policies_and_conditions_travel_with_the_work() -> None:
    asked = {"needed": range(4), "dice": [2, 3]}
    how = {"choose": {"again": "best"}, "given": "luck >= 2", "aim": "outcome is hit"}
    one, two = (CHECK.odds_table(inputs=asked, workers=workers, **how) for workers in (1, 2))  # type: ignore[arg-type]
    assert told(list(one)) == told(list(two))
    for row in two:
        assert row["hit"] == CHECK.odds(inputs=row.inputs, **how)["hit"]  # type: ignore[arg-type]
        assert row.policies["again"]["gain"] == CHECK.odds(inputs=row.inputs, **how).policies["again"]["gain"]  # type: ignore[arg-type]


def test_rows_are_made_as_they_are_taken() -> None:
    started = time.monotonic()
    rows = CHECK.odds_rows(dice=[2], needed=range(10**9))
    assert [row.inputs["needed"] for row in islice(rows, 3)] == [0, 1, 2]
    assert time.monotonic() - started < 20


def test_a_wrong_value_is_told_before_the_work_begins() -> None:
    with pytest.raises(rulesrun.RulesError) as caught:
        CHECK.odds_rows(dice=[1, 2, 0], needed=range(10**9))
    assert "dice" in caught.value.message
    assert caught.value.diagnostics[0].notes[-1] == "this is the row dice=0, needed=0"


@pytest.mark.parametrize("workers", [1, 2])
def test_an_error_comes_after_the_rows_before_it(workers: int) -> None:
    rows = CHECK.odds_rows(dice=[5, 4, 3, 2, 6], given="total >= 3", workers=workers)
    assert [next(rows).inputs["dice"] for _ in range(3)] == [5, 4, 3]
    with pytest.raises(rulesrun.RulesError) as caught:
        next(rows)
    assert caught.value.diagnostics[0].notes[-1] == "this is the row dice=2"


def test_a_table_has_its_limit_and_says_what_has_none() -> None:
    with pytest.raises(rulesrun.RulesError, match="100,001 combinations") as caught:
        CHECK.odds_table(needed=range(100_001))
    assert "odds_rows" in (caught.value.hint or "")


def test_processes_end_with_the_rows() -> None:
    rows = CHECK.odds_rows(dice=range(1, 6), needed=range(2000), workers=2)
    before = children()
    next(rows)
    begun = children() - before
    assert len(begun) == 2
    rows.close()  # type: ignore[attr-defined]
    assert not begun & children()


def children() -> set[int]:
    """The processes that this one has begun and not yet waited for."""
    with open(f"/proc/{os.getpid()}/task/{os.getpid()}/children") as found:
        return {int(each) for each in found.read().split()}


def test_a_process_that_is_killed_is_an_error_and_no_hang() -> None:
    job = Job(CHECK.asks(), grid(needed=range(2000)), str)
    before = children()
    with crew(job, 1) as submit:
        assert len(submit(0, 2).result().rows) == 2
        for each in children() - before:
            os.kill(each, signal.SIGKILL)
        with pytest.raises(rulesrun.RulesError, match="has ended before it was done"):
            submit(2, 4).result()


def test_what_goes_wrong_in_a_process_comes_back() -> None:
    worker = Worker(pickle.dumps(Job(CHECK.asks(), grid(needed=range(3)), int)))
    with pytest.raises(TypeError):
        worker.chunk(0, 2)
    worker.kill()
    worker.close()
