"""`rulesrun odds ... --sample N`: estimates with intervals instead of exact odds, of one case or of a sweep.

A sweep's rows stream, resume and are shared out as exact ones are. Where there are fewer cells than processes could
share, one process works on one cell after the other with a thread a core.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial

from rulesrun.cli.arguments import Call
from rulesrun.cli.characters import open_inputs
from rulesrun.cli.outfile import begun_seed
from rulesrun.cli.progress import Progress
from rulesrun.cli.streams import Sweep, stream, streams
from rulesrun.cli.sweeps import show_table
from rulesrun.cli.terminal import Terminal
from rulesrun.engine import Rule
from rulesrun.evaluation.roll import RuleRoller
from rulesrun.evaluation.sample.result import Sample
from rulesrun.evaluation.sample.sampling import checked_seed
from rulesrun.record import changed, record
from rulesrun.render.rolls import call_text
from rulesrun.render.sample import sample_sweep_text, sample_text
from rulesrun.render.sample_rows import SampleRow, sample_columns, sample_json_line
from rulesrun.semantics.plan import Constant
from rulesrun.sweep import Grid, grid_of
from rulesrun.sweep.estimates import Estimates
from rulesrun.sweep.workers import cores

DONE, INTERRUPTED = 0, 130

CELLS_A_WORKER = 3
"""With fewer cells for each process, threads share out the trials of one cell after the other."""


def run_sample(call: Call, rule: Rule, terminal: Terminal) -> int:
    """Make the trials and show what came up; after an interruption, what had come up by then."""
    grid = grid_of(rule.plan, open_inputs(call, rule))
    asks = _asked(call, rule, grid)
    single = not grid.swept and "out" not in call.texts
    status = _case(call, rule, asks, grid, terminal) if single else _sweep(call, rule, asks, grid, terminal)
    if "seed" not in call.numbers and streams(call):
        terminal.note(f"seed {asks.seed}")
    return status


def _asked(call: Call, rule: Rule, grid: Grid) -> Estimates:
    """What the options of the call ask. A file that goes on keeps the seed with which it was begun."""
    asked = tuple(call.lists.get("of", ()))
    seed = call.numbers.get("seed")
    if seed is None and "out" in call.texts:
        seed = begun_seed(call.texts["out"])
    return rule.estimates(
        call.numbers["sample"],
        dict(call.pairs.get("choose", ())),
        call.texts.get("aim"),
        call.texts.get("given"),
        checked_seed(seed),
        asked or _shown_values(call, rule, grid),
        None,
    )


def _shown_values(call: Call, rule: Rule, grid: Grid) -> tuple[str, ...]:
    """The values that are shown unless some are asked for: in a table only those of a rule without outcomes."""
    file = call.texts.get("out", "")
    table = (grid.swept or file or "csv" in call.switches) and not file.lower().endswith(".jsonl")
    return () if table and "json" not in call.switches and (rule.outcomes or rule.flags) else rule.numbers


def _case(call: Call, rule: Rule, asks: Estimates, grid: Grid, terminal: Terminal) -> int:
    """One case: an interruption keeps the trials that are made."""
    asked = call.lists.get("of")
    cell = next(grid.cells(0, 1))
    show = terminal.progress(asks.trials)
    asks = changed(asks, threads=call.numbers.get("workers"))
    found = asks.sample(cell, RuleRoller(rule.ruleset.plan, rule.plan), show, keep_interrupted=True)
    show.clear()
    if "csv" in call.switches:
        columns = sample_columns(asks.rule, (), asked or ())
        terminal.write(columns.csv_head() + columns.csv_line(found))
    elif "json" in call.switches:
        terminal.write(sample_json_line(found, asked))
    else:
        head = call_text(rule.ruleset.plan, rule.plan, found.inputs, terminal.paint)
        terminal.say(f"{head}\n\n{sample_text(rule.plan, found, asked or found.numbers, terminal.paint)}")
    if not found.complete:
        terminal.note(f"stopped after {found.trials:,} of {asks.trials:,} trials")
    return DONE if found.complete else INTERRUPTED


def _sweep(call: Call, rule: Rule, asks: Estimates, grid: Grid, terminal: Terminal) -> int:
    columns = sample_columns(asks.rule, grid.swept, call.lists.get("of", ()))
    workers, progress = call.numbers.get("workers"), None
    shared: Estimates | _Watched = changed(asks, threads=1)
    if "dask" not in call.texts and grid.size < CELLS_A_WORKER * (workers or cores()):
        progress = terminal.progress(asks.trials * grid.size)
        shared, workers = _Watched(changed(asks, threads=workers), progress), 1
    sweep = Sweep(
        (rule,), shared, grid, columns, partial(sample_json_line, values=call.lists.get("of")), workers,
        asks.together, asks.seed, asks.trials, progress,
    )  # fmt: skip
    if streams(call):
        return stream(call, sweep, terminal)

    def body(rows: list[SampleRow]) -> str:
        return sample_sweep_text(rule.plan, columns, rows, asks.trials, asks.seed)

    job = sweep.job(columns.record)
    return show_table(job, call, terminal, rule, body, workers=workers, progress=progress)


@record
class _Watched:
    """Estimates made here, one cell after the other, whose trials move a bar on."""

    asks: Estimates
    progress: Progress

    def rows(self, cells: Iterable[Mapping[str, object]]) -> Iterator[Sample]:
        """The estimates for each cell."""
        roller = RuleRoller(self.asks.rule.ruleset, self.asks.rule.rule)
        for cell in cells:
            yield self.asks.sample(cell, roller, partial(self._show, self.progress.done))

    def _show(self, before: int, done: int) -> None:
        self.progress(before + done)

    def inputs(self, cell: Mapping[str, object]) -> dict[str, Constant]:
        """A value for every input; raises `RulesError` if those of the cell do not fit."""
        return self.asks.inputs(cell)
