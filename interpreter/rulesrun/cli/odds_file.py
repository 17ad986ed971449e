"""`rulesrun odds ... --out FILE`: a sweep into a file, or on with one that was stopped."""

from __future__ import annotations

from functools import partial
from hashlib import sha256
from importlib.metadata import version

from rulesrun.cli.arguments import Call
from rulesrun.cli.outfile import RowFile, kind_of
from rulesrun.cli.parquet import needs_pyarrow, write_parquet
from rulesrun.cli.sweeps import run_sweep, say_ended
from rulesrun.cli.terminal import Terminal
from rulesrun.diagnostics import RulesError
from rulesrun.engine import Rule
from rulesrun.render.rows import Columns
from rulesrun.sweep import Grid
from rulesrun.sweep.job import Job

HOW = ("out", "dask")
"""Options that say how rows are made and where they go, not what stands in them."""


def to_file(call: Call, rule: Rule, job: Job, columns: Columns, terminal: Terminal) -> int:
    """Writes the rows of a job, whose rows are lines of the kind that the file's name says."""
    if taken := call.switches & {"csv", "json"}:
        raise RulesError.of(f"--out or --{min(taken)}, not both", hint="the name of the file says what it holds")
    name = call.texts["out"]
    kind = kind_of(name)
    if kind == "parquet":
        needs_pyarrow()
    job.check()
    head = "" if kind == "jsonl" else columns.csv_head()
    with RowFile(name, head, fingerprint(call, rule, job.grid, kind), job.grid.size) as file:
        if file.kept:
            terminal.note(f"{name}: {file.kept:,} of {job.grid.size:,} rows are there; going on")
        ended = run_sweep(job, call, terminal, file.add, first=file.kept)
        if ended.whole:
            inputs = [job.grid.values[each] for each in columns.swept]
            file.finish(partial(write_parquet, columns=columns, inputs=inputs))
            terminal.say(f"{name}: {ended.total:,} rows")
    return say_ended(ended, terminal, "; the same command goes on from there")


def fingerprint(call: Call, rule: Rule, grid: Grid, kind: str) -> str:
    """The same for every call that makes the same rows, and another for others."""
    ruleset = rule.ruleset
    what = [
        version("rulesrun"),
        [ruleset.text, *(each.text for each in ruleset.bases.values())],
        sorted(ruleset.settings.items()),
        (rule.name, kind),
        sorted(call.pairs.get("choose", ())),
        sorted((name, text) for name, text in call.texts.items() if name not in HOW),
        call.lists.get("of", ()),
        (grid.values, grid.swept),
    ]
    return sha256(repr(what).encode("utf-8", "surrogatepass")).hexdigest()
