"""Rows of a sweep that go where they are wanted as they are made: `--out FILE`, `--csv`, `--json`.

In: a `Sweep`. Out: rows on standard output, or in a file that the same call goes on with where it was stopped. The rows
are the same, in the same order, whoever makes them and however often they were stopped.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from hashlib import sha256
from importlib.metadata import version
from typing import Any, Protocol

from rulesrun.cli.arguments import Call
from rulesrun.cli.outfile import RowFile, kind_of
from rulesrun.cli.parquet import needs_pyarrow, write_parquet
from rulesrun.cli.progress import Progress
from rulesrun.cli.sweeps import Ended, run_sweep, say_ended
from rulesrun.cli.terminal import Terminal
from rulesrun.diagnostics import RulesError
from rulesrun.engine import Rule
from rulesrun.record import record
from rulesrun.sweep import Grid
from rulesrun.sweep.job import MOST_TOGETHER, Asks, Job

HOW = ("out", "dask")
"""Options that say how rows are made and where they go, not what stands in them."""

EITHER = ("csv", "json")
"""Options for programs that read standard output."""


class Columns(Protocol):
    """What stands in the rows: first the inputs that vary, then columns of these `kinds`."""

    @property
    def swept(self) -> tuple[str, ...]: ...
    @property
    def headings(self) -> tuple[str, ...]: ...
    @property
    def kinds(self) -> tuple[str, ...]: ...
    def csv_head(self) -> str: ...
    def csv_line(self, answer: Any, /) -> str: ...


@record
class Sweep:
    """What is asked of which cells, and how its rows read. `rules` are those that are asked; `seed` and `trials` those
    of estimates; `workers` as for `run_sweep`; `progress` a bar that the work itself moves on; `also` what else the
    rows depend on.
    """

    rules: tuple[Rule, ...]
    asks: Asks
    grid: Grid
    columns: Columns
    json_line: Callable[[Any], str]
    workers: int | None
    together: int = MOST_TOGETHER
    seed: int | None = None
    trials: int | None = None
    progress: Progress | None = None
    also: object = ()

    def job(self, form: Callable[[Any], Any]) -> Job:
        """The work, its rows of this form."""
        return Job(self.asks, self.grid, form, self.together)


def streams(call: Call) -> bool:
    """Whether the call wants rows for programs, as they come."""
    return "out" in call.texts or not call.switches.isdisjoint(EITHER)


def stream(call: Call, sweep: Sweep, terminal: Terminal) -> int:
    """Makes the rows and puts them where the call wants them. Returns the exit status."""
    if "out" in call.texts:
        return _to_file(call, sweep, terminal)
    if "csv" in call.switches:
        job = sweep.job(sweep.columns.csv_line)
        job.check()
        terminal.write(sweep.columns.csv_head())
        return say_ended(_run(call, sweep, job, terminal, lambda rows: terminal.write("".join(rows))), terminal)
    return say_ended(_to_json(call, sweep, terminal), terminal)


def _run(call: Call, sweep: Sweep, job: Job, terminal: Terminal, write: Callable[[Sequence[Any]], None]) -> Ended:
    return run_sweep(job, call, terminal, write, workers=sweep.workers, bar=False, progress=sweep.progress)


def _to_json(call: Call, sweep: Sweep, terminal: Terminal) -> Ended:
    """One JSON object, whole even where the sweep ends early."""
    job = sweep.job(sweep.json_line)
    job.check()
    terminal.write('{"rows": [')
    between = [""]

    def write(lines: Sequence[str]) -> None:
        for line in lines:
            terminal.write(between[0] + line.rstrip("\n"))
            between[0] = ", "

    ended = _run(call, sweep, job, terminal, write)
    terminal.write("]}\n")
    return ended


def _to_file(call: Call, sweep: Sweep, terminal: Terminal) -> int:
    """The rows as lines of the kind that the file's name says."""
    if taken := call.switches & set(EITHER):
        raise RulesError.of(f"--out or --{min(taken)}, not both", hint="the name of the file says what it holds")
    name, columns, grid = call.texts["out"], sweep.columns, sweep.grid
    kind = kind_of(name)
    if kind == "parquet":
        needs_pyarrow()
    job = sweep.job(sweep.json_line if kind == "jsonl" else columns.csv_line)
    job.check()
    head = "" if kind == "jsonl" else columns.csv_head()
    with RowFile(name, head, _fingerprint(call, sweep, kind), grid.size, sweep.seed) as file:
        if file.kept:
            terminal.note(f"{name}: {file.kept:,} of {grid.size:,} rows are there; going on")
        ended = run_sweep(
            job, call, terminal, file.add, first=file.kept, workers=sweep.workers, progress=sweep.progress
        )
        if ended.whole:
            inputs = [grid.values[each] for each in columns.swept]
            file.finish(partial(write_parquet, headings=columns.headings, inputs=inputs, kinds=columns.kinds))
            terminal.say(f"{name}: {ended.total:,} row{'s' if ended.total != 1 else ''}")
    return say_ended(ended, terminal, "; the same command goes on from there")


def _fingerprint(call: Call, sweep: Sweep, kind: str) -> str:
    """The same for every call that makes the same rows, and another for others."""
    rulesets = [each.ruleset for each in sweep.rules]
    what = [
        version("rulesrun"),
        [(each.text, *(base.text for base in each.bases.values())) for each in rulesets],
        [sorted(each.settings.items()) for each in rulesets],
        (call.command.name, [each.name for each in sweep.rules], kind, sweep.seed, sweep.trials),
        sorted(call.pairs.get("choose", ())),
        sorted((name, text) for name, text in call.texts.items() if name not in HOW),
        call.lists.get("of", ()),
        (sweep.grid.values, sweep.grid.swept, sweep.also),
    ]
    return sha256(repr(what).encode("utf-8", "surrogatepass")).hexdigest()
