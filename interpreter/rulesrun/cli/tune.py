"""`rulesrun tune FILE [RULE] GOAL... --vary NAME=VALUES [NAME=VALUE ...]`: what comes nearest to the odds wanted."""

from __future__ import annotations

import re
from functools import partial

from rulesrun.cli.arguments import Call, Pairs
from rulesrun.cli.characters import open_inputs
from rulesrun.cli.rulesets import open_ruleset, rule_of, sweeps_of
from rulesrun.cli.streams import Sweep, stream
from rulesrun.cli.sweeps import run_sweep, say_ended
from rulesrun.cli.terminal import Terminal
from rulesrun.cli.tuned import column, tried_json_line, tune_columns, tuned_csv, tuned_json
from rulesrun.cli.values import sweep_of
from rulesrun.diagnostics import RulesError
from rulesrun.engine import Rule
from rulesrun.evaluation.inputs import full_name
from rulesrun.evaluation.values import value_text
from rulesrun.render.layout import Paint, wrap
from rulesrun.render.odds import table_lines
from rulesrun.render.rolls import call_text
from rulesrun.render.values import decimal, percent, share
from rulesrun.semantics.plan import FacesDomain, ListDomain
from rulesrun.suggestions import nearest
from rulesrun.tuning import Candidate, Found, Tried, Tuned, Tuning, tuning

MOST_SHOWN = 20
"""So many combinations are listed; the others are left to `--json` and `--csv`."""

MOST_COLUMNS = 6
"""Of more goals and inputs only the worst is shown."""

_COMMA = re.compile(r",(?![^(\[]*[)\]])")
"""A comma between values, not one in brackets."""


def run(call: Call, terminal: Terminal) -> int:
    """Try every combination, and show the best first."""
    if not call.goals:
        raise RulesError.of("what should the odds be?", hint="a goal stands in quotes: 'chance of success = 65%'")
    rule = rule_of(open_ruleset(call.files[0], call, terminal), call.rule)
    settings, varied = _varied(rule, call.pairs.get("vary", ()))
    tried, fixed = _tried_and_fixed(call, rule, varied)
    asked = tuning(
        rule,
        call.goals,
        settings=settings,
        vary=tried,
        inputs=fixed,
        choose=dict(call.pairs.get("choose", ())),
        aim=call.texts.get("aim"),
        given=call.texts.get("given"),
        budget=call.numbers.get("budget"),
    )
    if "out" in call.texts:
        return stream(call, _sweep(call, asked), terminal)
    job = asked.job
    job.check()
    rows: list[Tried] = []
    ended = run_sweep(job, call, terminal, rows.extend, workers=call.numbers.get("workers"))
    tuned = asked.tuned(rows)
    if tuned.rows:
        _say(call, asked, tuned, terminal)
    return say_ended(ended, terminal)


def _sweep(call: Call, asked: Tuning) -> Sweep:
    """The combinations as rows of a file, in the order in which they are tried."""
    combined = asked.combined
    line = partial(tried_json_line, asked.rule.ruleset.name, asked.rule.name, asked.fixed, asked.rule.ruleset.settings)
    wanted = call.goals, {name: asked.grid.values[name] for name in asked.at}
    return Sweep(
        (asked.rule,), combined, asked.combinations, tune_columns(asked), line, call.numbers.get("workers"),
        combined.together, also=wanted,
    )  # fmt: skip


def _say(call: Call, asked: Tuning, tuned: Tuned, terminal: Terminal) -> None:
    if "json" in call.switches:
        terminal.say_json(tuned_json(tuned))
    elif "csv" in call.switches:
        terminal.say(tuned_csv(asked, tuned).rstrip("\n"))
    else:
        terminal.say(tuned_text(tuned, terminal.paint))


def _varied(rule: Rule, words: Pairs) -> tuple[dict[str, list[str]], Pairs]:
    """The settings that are varied with their values, and the inputs that are."""
    if not words:
        raise RulesError.of(
            "what may change?", hint="--vary NAME=VALUES names a setting or an input, such as needed=1..5"
        )
    settings: dict[str, list[str]] = {}
    inputs = []
    for name, text in words:
        if name not in rule.ruleset.settings:
            _must_be_input(rule, name)
            inputs.append((name, text))
        elif name in settings:
            raise RulesError.of(f"{name} is varied twice", code="given-twice", hint=f"--vary {name}={text},…")
        else:
            settings[name] = setting_values(rule, name, text)
    return settings, tuple(inputs)


def _tried_and_fixed(call: Call, rule: Rule, varied: Pairs) -> tuple[dict[str, object], dict[str, object]]:
    """The inputs that are varied, and those that are given or filled from characters."""
    if not call.lists.get("as"):
        return dict(sweeps_of(rule, varied)), dict(sweeps_of(rule, call.inputs))
    inputs = open_inputs(call, rule, (*call.inputs, *varied))
    names = [each.name for each in rule.inputs]
    tried = {full_name(rule.plan, name, names, "input") for name, _ in varied}
    return (
        {name: value for name, value in inputs.items() if name in tried},
        {name: value for name, value in inputs.items() if name not in tried},
    )


def _must_be_input(rule: Rule, name: str) -> None:
    names = [each.name for each in rule.inputs]
    try:
        full_name(rule.plan, name, names, "input")
    except RulesError as error:
        if error.diagnostics[0].code == "ambiguous-name":
            raise
        near = nearest(name, [*names, *rule.plan.short, *rule.ruleset.settings])
        hint = f"did you mean {near}?" if near else None
        message = f"{rule.name} has no setting or input called {name}"
        raise RulesError.of(message, code="unknown-input", hint=hint) from None


def setting_values(rule: Rule, name: str, text: str) -> list[str]:
    """The values of a setting, as the language writes them: faces and lists whole, numbers also as a range."""
    domain = rule.ruleset.plan.settings[name].domain
    if isinstance(domain, FacesDomain | ListDomain):
        return [each.strip() for each in _COMMA.split(text)]
    return [value_text(each) for each in sweep_of(name, text)]


# ---------------------------------------------------------------- text


def tuned_text(tuned: Tuned, paint: Paint) -> str:
    """What is wanted, then the best combinations, a line each: what each goal comes to, how far the worst is off."""
    head = call_text(tuned.rule.ruleset.plan, tuned.rule.plan, tuned.fixed, paint)
    wanted = wrap(", ".join(each.text.replace(" ", "\0") for each in tuned.goals), first="  wanted: ")
    shown = tuned.rows[:MOST_SHOWN]
    first = tuned.rows[0]
    names = [*first.settings, *first.inputs]
    heads = [*names, *_heads(tuned), "off"]
    lines = table_lines(
        heads, [[*_varied_cells(row), *_cells(tuned, row), share(row.off)] for row in shown], len(names)
    )
    if len(shown) < len(tuned.rows):
        lines += ["", paint.faint(f"{len(tuned.rows) - len(shown):,} more with --json or --csv")]
    return "\n".join([head, *wanted, "", *lines]).replace("\0", " ")


def _heads(tuned: Tuned) -> list[str]:
    found = tuned.rows[0].found
    if len(found) <= MOST_COLUMNS:
        return [column(each.goal, each.inputs) for each in found]
    return [column(each, {}) for each in tuned.goals]


def _varied_cells(row: Candidate) -> list[str]:
    return [*row.settings.values(), *map(value_text, row.inputs.values())]


def _cells(tuned: Tuned, row: Candidate) -> list[str]:
    if len(row.found) <= MOST_COLUMNS:
        return [_number(each) for each in row.found]
    cells = []
    for place in range(len(tuned.goals)):
        found = sorted(row.found[place :: len(tuned.goals)], key=lambda each: each.value)
        low, high = _number(found[0]), _number(found[-1])
        cells.append(low if low == high else f"{low} to {high}")
    return cells


def _number(found: Found) -> str:
    return percent(found.value) if found.goal.measure == "chance" else decimal(found.value)
