"""`rulesrun compare FILE [FILE] [RULE] [NAME=VALUE ...]`: what a changed rule changes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from rulesrun.cli.arguments import Call
from rulesrun.cli.characters import open_inputs
from rulesrun.cli.odds import asks_of, values_of
from rulesrun.cli.rulesets import open_ruleset, rule_of
from rulesrun.cli.streams import Sweep, stream, streams
from rulesrun.cli.sweeps import show_table
from rulesrun.cli.terminal import Terminal
from rulesrun.diagnostics import RulesError
from rulesrun.engine import Rule, Ruleset
from rulesrun.record import changed
from rulesrun.render.comparison import comparison_text, sweep_text
from rulesrun.render.pairs import Pair, PairColumns, pair_columns, pair_json_line, pair_values_csv
from rulesrun.render.rolls import call_text
from rulesrun.sweep import grid_of
from rulesrun.sweep.job import Exact, Job
from rulesrun.sweep.pairs import both


def run(call: Call, terminal: Terminal) -> int:
    """Compute both odds and show them side by side."""
    before, after, names = sides(call, terminal)
    rule, other = rule_of(before, call.rule), rule_of(after, call.rule)
    grid = grid_of(rule.plan, open_inputs(call, rule))
    asks = both(asks_of(call, rule), grid, asks_of(call, other), grid_of(other.plan, open_inputs(call, other)))
    asked = values_of(call)
    if len(call.files) == 2:
        for side, name in zip((asks.one, asks.other), names, strict=True):
            _known(side, asked, name)
    columns = pair_columns(asks.one.rule, asks.other.rule, grid.swept, asked)
    if streams(call) and (grid.swept or "out" in call.texts):
        line = partial(pair_json_line, values=asked)
        sweep = Sweep((rule, other), asks, grid, columns, line, call.numbers.get("workers"))
        return stream(call, sweep, terminal)
    if not grid.swept:
        _case(call, (rule, other), next(asks.rows(grid.cells(0, 1))), columns, names, terminal)
        return 0
    job = Job(asks, grid, columns.table_row)
    body = partial(sweep_text, columns, names)
    return show_table(job, call, terminal, rule, body, workers=call.numbers.get("workers"))


def _known(side: Exact, asked: Sequence[str], name: str) -> None:
    """Raises `RulesError` for a value that makes no sense on a side, and says on which."""
    for value in asked:
        try:
            side.rule.value(value)
        except RulesError as error:
            first, *others = error.diagnostics
            note = f"asked of {name}; a value is compared where both sides have it"
            raise RulesError([changed(first, notes=(*first.notes, note)), *others]) from None


def _case(
    call: Call, rules: tuple[Rule, Rule], pair: Pair, columns: PairColumns, names: tuple[str, str], terminal: Terminal
) -> None:
    """One case: the largest change first."""
    asked = values_of(call)
    if "json" in call.switches:
        terminal.write(pair_json_line(pair, asked))
    elif "csv" in call.switches:
        terminal.write(pair_values_csv(pair, asked) if asked else columns.csv_head() + columns.csv_line(pair))
    else:
        heads = [
            call_text(rule.ruleset.plan, rule.plan, odds.inputs, terminal.paint)
            for rule, odds in zip(rules, pair, strict=True)
        ]
        head = heads[0] if rules[0].name == rules[1].name and pair[0].inputs == pair[1].inputs else "\n".join(heads)
        plans = rules[0].plan, rules[1].plan
        terminal.say(f"{head}\n\n{comparison_text(plans, pair, columns, names, asked, terminal.paint)}")


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
