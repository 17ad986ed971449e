"""`rulesrun compare FILE [FILE] [RULE] [NAME=VALUE ...]`: what a changed rule changes."""

from __future__ import annotations

from rulesrun.cli.arguments import Call
from rulesrun.cli.characters import open_inputs
from rulesrun.cli.odds import asks_of
from rulesrun.cli.rulesets import open_ruleset, rule_of
from rulesrun.cli.streams import Sweep, stream, streams
from rulesrun.cli.sweeps import show_table
from rulesrun.cli.terminal import Terminal
from rulesrun.diagnostics import RulesError
from rulesrun.engine import Rule, Ruleset
from rulesrun.evaluation.odds import Odds
from rulesrun.evaluation.values import value_text
from rulesrun.record import changed
from rulesrun.render.odds import comparison_text, means_apart, points, table_lines
from rulesrun.render.pairs import Pair, pair_columns, pair_json_line
from rulesrun.render.rolls import call_text
from rulesrun.render.values import percent
from rulesrun.sweep import grid_of
from rulesrun.sweep.job import Job
from rulesrun.sweep.pairs import Both, both, packed_pair
from rulesrun.sweep.table import Packed


def run(call: Call, terminal: Terminal) -> int:
    """Compute both odds and show them side by side."""
    before, after, names = sides(call, terminal)
    rule, other = rule_of(before, call.rule), rule_of(after, call.rule)
    grid = grid_of(rule.plan, open_inputs(call, rule))
    asks = both(asks_of(call, rule), grid, asks_of(call, other), grid_of(other.plan, open_inputs(call, other)))
    if streams(call) and (grid.swept or "out" in call.texts):
        columns = pair_columns(asks.one.rule, asks.other.rule, grid.swept)
        sweep = Sweep((rule, other), asks, grid, columns, pair_json_line, call.numbers.get("workers"))
        return stream(call, sweep, terminal)
    if not grid.swept:
        _case(call, rule, next(asks.rows(grid.cells(0, 1))), asks, names, terminal)
        return 0

    def body(rows: list[tuple[Packed, Packed]]) -> str:
        return "\n".join(sweep_lines(rule, [asks.unpacked(row) for row in rows], grid.swept, names))

    job = Job(asks, grid, packed_pair)
    return show_table(job, call, terminal, rule, body, workers=call.numbers.get("workers"))


def _case(call: Call, rule: Rule, pair: Pair, asks: Both, names: tuple[str, str], terminal: Terminal) -> None:
    """One case: the largest change first."""
    if "json" in call.switches:
        terminal.write(pair_json_line(pair))
    elif "csv" in call.switches:
        columns = pair_columns(asks.one.rule, asks.other.rule, ())
        terminal.write(columns.csv_head() + columns.csv_line(pair))
    else:
        head = call_text(rule.ruleset.plan, rule.plan, pair[0].inputs, terminal.paint)
        terminal.say(f"{head}\n\n{comparison_text(rule.plan, *pair, names, terminal.paint)}")


def sides(call: Call, terminal: Terminal) -> tuple[Ruleset, Ruleset, tuple[str, str]]:
    """The two rulesets and what to call them: two files, or one as written and with the settings of the call."""
    if len(call.files) == 2:
        first, second = (open_ruleset(file, call, terminal) for file in call.files)
        return first, second, (call.files[0], call.files[1])
    settings = call.pairs.get("set", ())
    if not settings:
        raise RulesError.of("compare with what?", hint="name a second file, or change a setting: --set NAME=VALUE")
    as_written = open_ruleset(
        call.files[0], changed(call, pairs={name: each for name, each in call.pairs.items() if name != "set"}), terminal
    )
    with_set = as_written.with_settings(**dict(settings))
    return as_written, with_set, ("as written", ", ".join(f"{name}={value}" for name, value in settings))


def sweep_lines(
    rule: Rule, pairs: list[tuple[Odds, Odds]], swept: tuple[str, ...], names: tuple[str, str]
) -> list[str]:
    """A line for each combination: the chance of a good outcome on both sides, the largest change first; else means."""
    body = []
    if rule.outcomes:
        pairs = sorted(pairs, key=lambda pair: -abs(pair[1].good - pair[0].good))
    measures = ["good"] if rule.outcomes else [f"mean {name}" for name in pairs[0][0].numbers]
    for one, two in pairs:
        line = [value_text(one.inputs[name]) for name in swept]
        if rule.outcomes:
            line += [percent(one.good), percent(two.good), points(two.good - one.good)]
        for name in [] if rule.outcomes else one.numbers:
            line += means_apart(one.of(name), two.of(name))
        body.append(line)
    heads = [f"{measure}: {side}" for measure in measures for side in (*names, "change")]
    return table_lines([*swept, *heads], body, len(swept))
