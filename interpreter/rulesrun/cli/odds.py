"""`rulesrun odds FILE [RULE] [NAME=VALUE ...]`: exact odds of one case, or a sweep over several."""

from __future__ import annotations

from functools import partial
from typing import Any

from rulesrun.cli.arguments import Call
from rulesrun.cli.characters import open_inputs
from rulesrun.cli.rulesets import open_ruleset, rule_of
from rulesrun.cli.streams import Sweep, stream, streams
from rulesrun.cli.sweeps import show_table
from rulesrun.cli.terminal import Terminal
from rulesrun.engine import Rule
from rulesrun.render.odds import odds_text
from rulesrun.render.odds_json import odds_json_line
from rulesrun.render.rolls import call_text
from rulesrun.render.rows import columns_of, values_csv
from rulesrun.render.sweeps import sweep_text
from rulesrun.sweep import Grid, grid_of
from rulesrun.sweep.job import Exact, Job


def run(call: Call, terminal: Terminal) -> int:
    """Compute and show the odds that the call asks for."""
    rule = rule_of(open_ruleset(call.files[0], call, terminal), call.rule)
    if "sample" in call.numbers:
        from rulesrun.cli.sample import run_sample

        return run_sample(call, rule, terminal)
    grid, asks = grid_of(rule.plan, open_inputs(call, rule)), asks_of(call, rule)
    columns = columns_of(asks.rule, grid.swept, values_of(call))
    if "out" not in call.texts and not grid.swept:
        show_case(call, rule, asks, grid, terminal)
        return 0
    if streams(call):
        sweep = Sweep((rule,), asks, grid, columns, json_line(call, asks), call.numbers.get("workers"))
        return stream(call, sweep, terminal)
    job = Job(asks, grid, columns.record)
    body = partial(sweep_text, rule.plan, columns)
    return show_table(job, call, terminal, rule, body, workers=call.numbers.get("workers"))


def show_case(call: Call, rule: Rule, asks: Exact, grid: Grid, terminal: Terminal) -> None:
    """The odds of one case."""
    odds = asks.odds(next(grid.cells(0, 1)))
    asked = values_of(call)
    if "json" in call.switches:
        terminal.write(json_line(call, asks)(odds))
    elif "csv" in call.switches:
        columns = columns_of(asks.rule, ())
        terminal.write(values_csv(odds, asked) if asked else columns.csv_head() + columns.csv_line(odds))
    else:
        head = call_text(rule.ruleset.plan, rule.plan, odds.inputs, terminal.paint)
        terminal.say(f"{head}\n\n{odds_text(rule.plan, odds, asked or odds.numbers, terminal.paint)}")


def asks_of(call: Call, rule: Rule) -> Exact:
    """What the options of the call ask of the odds."""
    return rule.asks(
        dict(call.pairs.get("choose", ())), call.texts.get("aim"), call.texts.get("given"), call.numbers.get("budget")
    )


def json_line(call: Call, asks: Exact) -> Any:
    """What makes a line of JSON of odds."""
    return partial(odds_json_line, values=tuple(values_of(call)) or asks.rule.numbers)


def values_of(call: Call) -> list[str]:
    """The values of `--of`."""
    return list(call.lists.get("of", ()))
