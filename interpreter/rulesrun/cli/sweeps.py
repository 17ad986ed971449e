"""Sweeps from the command line: their rows as they come, however many, and what is said when they end early.

In: a job and a place for its rows. Out: how far it came. Rows that are done are never lost: not by Ctrl-C, not by a row
that has no odds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from typing import Any

from rulesrun.cli.arguments import Call
from rulesrun.cli.interrupts import Interrupts
from rulesrun.cli.progress import Progress
from rulesrun.cli.terminal import Terminal
from rulesrun.diagnostics import RulesError
from rulesrun.engine import Rule
from rulesrun.record import record
from rulesrun.render.rolls import call_text
from rulesrun.sweep.job import Job
from rulesrun.sweep.ordered import Chunks, ordered_chunks

DONE, WRONG, INTERRUPTED = 0, 2, 130


@record
class Ended:
    """How a sweep ended: `rows` of `total` are done, those of earlier calls among them."""

    rows: int
    total: int
    error: RulesError | None = None
    stopped: bool = False

    @property
    def whole(self) -> bool:
        """Whether all rows are there."""
        return self.rows == self.total

    @property
    def status(self) -> int:
        """The exit status."""
        return WRONG if self.error else INTERRUPTED if self.stopped else DONE


def run_sweep(
    job: Job,
    call: Call,
    terminal: Terminal,
    write: Callable[[Sequence[Any]], None],
    *,
    first: int = 0,
    workers: int | None = None,
    bar: bool = True,
    progress: Progress | None = None,
) -> Ended:
    """Computes the rows from the place `first` on and hands them to `write`, some at a time, in order.

    `workers` as for `ordered_chunks`; the call may name a cluster instead. `progress` is a bar that the work itself
    moves on; without it one shows how many rows are done, unless they stream to the terminal where it would be (`bar`).
    """
    total = job.grid.size
    own = terminal.progress(total, streams=not bar) if progress is None else progress
    done, stopped = first, False
    error: RulesError | None = None
    with Interrupts() as interrupts:
        try:
            with closing(_chunks(job, call, first, workers)) as chunks:
                for chunk in chunks:
                    with interrupts.put_off():
                        write(chunk.rows)
                        done += len(chunk.rows)
                        if progress is None:
                            own(done)
                        error = chunk.error
        except KeyboardInterrupt:
            stopped = done < total
    own.clear()
    return Ended(done, total, error, stopped)


def _chunks(job: Job, call: Call, first: int, workers: int | None) -> Chunks:
    address = call.texts.get("dask")
    if address is None:
        return ordered_chunks(job, first, workers)
    if "workers" in call.numbers:
        raise RulesError.of("--workers or --dask, not both", hint="the cluster has workers of its own")
    from rulesrun.sweep.cluster import cluster_chunks

    return cluster_chunks(job, first, address)


def show_table(
    job: Job,
    call: Call,
    terminal: Terminal,
    rule: Rule,
    body: Callable[[list[Any]], str],
    *,
    workers: int | None = None,
    progress: Progress | None = None,
) -> int:
    """A sweep as a table for people, once its rows are done: `body` makes its text. Returns the exit status."""
    grid, most = job.grid, rule.ruleset.plan.limits.rows
    if grid.size > most:
        raise RulesError.of(
            f"{grid.size:,} rows are too many for a table; the limit is {most:,}",
            code="limit",
            hint="--out FILE.csv, --csv and --json have none",
        )
    job.check()
    rows: list[Any] = []
    ended = run_sweep(job, call, terminal, rows.extend, workers=workers, progress=progress)
    if rows:
        fixed = job.asks.inputs(next(grid.cells(0, 1)))
        shown = {name: value for name, value in fixed.items() if name not in grid.swept}
        terminal.say(f"{call_text(rule.ruleset.plan, rule.plan, shown, terminal.paint)}\n\n{body(rows)}")
    return say_ended(ended, terminal)


def say_ended(ended: Ended, terminal: Terminal, then: str = "") -> int:
    """Says why a sweep ended before its last row, and gives the exit status."""
    if ended.error:
        terminal.complain(ended.error.diagnostics)
    if ended.error or ended.stopped:
        why = "it ends here" if ended.error else "stopped"
        terminal.note(f"{why}: {ended.rows:,} of {ended.total:,} rows are done{then}")
    return ended.status
