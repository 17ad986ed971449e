"""`rulesrun odds FILE [RULE] [NAME=VALUE ...]`: exact odds of one case, or a sweep over several."""

from __future__ import annotations

from typing import Any

from rulesrun.cli.arguments import Call
from rulesrun.cli.rulesets import open_ruleset, rule_of, sweeps_of
from rulesrun.cli.terminal import Terminal
from rulesrun.engine import Rule
from rulesrun.render.odds import odds_text, sweep_text
from rulesrun.render.odds_json import odds_json
from rulesrun.render.rolls import call_text
from rulesrun.sweep import OddsTable


def run(call: Call, terminal: Terminal) -> int:
    """Compute and show the odds that the call asks for."""
    ruleset = open_ruleset(call.files[0], call, terminal)
    rule = rule_of(ruleset, call.rule)
    table = odds_of(call, rule)
    asked = values_of(call)
    if "csv" in call.switches:
        terminal.say(table.to_csv().rstrip("\n"))
    elif "json" in call.switches:
        cases = [odds_json(row, asked or row.numbers) for row in table]
        terminal.say_json({"rows": cases} if table.swept else cases[0])
    else:
        first = table.rows[0]
        fixed = {name: value for name, value in first.inputs.items() if name not in table.swept}
        head = call_text(ruleset.plan, rule.plan, fixed, terminal.paint)
        if table.swept:
            body = sweep_text(rule.plan, table.rows, table.swept, asked)
        else:
            body = odds_text(rule.plan, first, asked or first.numbers, terminal.paint)
        terminal.say(f"{head}\n\n{body}")
    return 0


def odds_of(call: Call, rule: Rule) -> OddsTable:
    """The odds for every combination of the inputs of the call."""
    options: dict[str, Any] = {name: call.texts[name] for name in ("aim", "given") if name in call.texts}
    return rule.odds_table(
        inputs=sweeps_of(rule, call.inputs),
        choose=dict(call.pairs.get("choose", ())),
        budget=call.numbers.get("budget"),
        **options,
    )


def values_of(call: Call) -> list[str]:
    """The values of `--of`."""
    return list(call.lists.get("of", ()))
