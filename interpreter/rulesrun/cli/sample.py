"""`rulesrun odds ... --sample N`: estimates with intervals instead of exact odds, of one case or of a sweep."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulesrun.cli.arguments import Call
from rulesrun.cli.characters import open_inputs
from rulesrun.cli.terminal import Terminal
from rulesrun.diagnostics import RulesError
from rulesrun.engine import Rule
from rulesrun.evaluation.sample.result import Sample
from rulesrun.evaluation.sample.sampling import checked_seed
from rulesrun.render.rolls import call_text
from rulesrun.render.rows import csv_text
from rulesrun.render.sample import sample_rows, sample_sweep_text, sample_text
from rulesrun.sweep import Grid, grid_of

DONE, INTERRUPTED = 0, 130


def run_sample(call: Call, rule: Rule, terminal: Terminal) -> int:
    """Make the trials and show what came up; after an interruption, what had come up by then."""
    for name in ("out", "dask"):
        if name in call.texts:
            raise RulesError.of(f"--{name} or --sample, not both", hint="estimates stream with --csv or --json")
    trials, asked = call.numbers["sample"], list(call.lists.get("of", ()))
    grid = grid_of(rule.plan, open_inputs(call, rule))
    most = rule.ruleset.plan.limits.rows
    if grid.size > most:
        raise RulesError.of(f"{grid.size:,} combinations of inputs; the limit is {most:,}", code="limit")
    seed = checked_seed(call.numbers.get("seed"))
    options: dict[str, Any] = {name: call.texts[name] for name in ("aim", "given") if name in call.texts}
    options |= {
        "choose": dict(call.pairs.get("choose", ())),
        "seed": seed,
        "workers": call.numbers.get("workers"),
        "of": asked or shown_values(call, rule, grid),
    }
    show = terminal.progress(trials * grid.size)
    rows: list[Sample] = []
    interrupted = False
    for cell in grid.cells(0, grid.size):
        try:
            progress = _from(show, trials * len(rows))
            row = rule.sample(trials, inputs=cell, progress=progress, keep_interrupted=not rows, **options)
        except KeyboardInterrupt:
            if not rows:
                raise
            interrupted = True
            break
        rows.append(row)
        if not row.complete:
            interrupted = True
            break
    if interrupted:
        show(trials * grid.size)
    _say(call, rule, terminal, rows, grid.swept, asked)
    if "seed" not in call.numbers and not call.switches.isdisjoint(("csv", "json")):
        terminal.note(f"seed {seed}")
    if interrupted:
        done = f"{rows[0].trials:,} of {trials:,} trials" if len(rows) == 1 else f"{len(rows):,} of {grid.size:,} rows"
        terminal.note(f"stopped after {done}")
    return INTERRUPTED if interrupted else DONE


def shown_values(call: Call, rule: Rule, grid: Grid) -> tuple[str, ...]:
    """The values that are shown unless some are asked for: in a table only those of a rule without outcomes."""
    table = grid.swept or "csv" in call.switches
    return () if table and "json" not in call.switches and (rule.outcomes or rule.flags) else rule.numbers


def _from(show: Callable[[int], None], before: int) -> Callable[[int], None]:
    return lambda done: show(before + done)


def _say(
    call: Call, rule: Rule, terminal: Terminal, rows: list[Sample], swept: tuple[str, ...], asked: list[str]
) -> None:
    if "csv" in call.switches:
        terminal.say(csv_text(sample_rows(rule.plan, rows, swept, asked)).rstrip("\n"))
    elif "json" in call.switches:
        cases = [row.to_json(asked or None) for row in rows]
        terminal.say_json({"rows": cases} if swept else cases[0])
    else:
        first = rows[0]
        fixed = {name: value for name, value in first.inputs.items() if name not in swept}
        head = call_text(rule.ruleset.plan, rule.plan, fixed, terminal.paint)
        if swept:
            body = sample_sweep_text(rule.plan, rows, swept, asked)
        else:
            body = sample_text(rule.plan, first, asked or first.numbers, terminal.paint)
        terminal.say(f"{head}\n\n{body}")
