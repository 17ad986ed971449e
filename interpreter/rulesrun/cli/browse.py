"""`rulesrun show`, `rulesrun list` and `rulesrun copy`: looking at rulesets, and taking one along."""

from __future__ import annotations

from pathlib import Path

from rulesrun.cli.arguments import Call
from rulesrun.cli.rulesets import open_ruleset
from rulesrun.cli.terminal import Terminal
from rulesrun.diagnostics import RulesError, Source
from rulesrun.engine import load
from rulesrun.library import CHARACTER, RULES, SYSTEMS, bundled, bundled_text, find_bundled
from rulesrun.render.card import rule_card, ruleset_card, table_card, title, two_way_card
from rulesrun.render.layout import grid
from rulesrun.render.sheet_card import sheet_card
from rulesrun.sheets.reading import system_of
from rulesrun.suggestions import nearest

SUFFIXES = (RULES, CHARACTER)


def run(call: Call, terminal: Terminal) -> int:
    """Do what the command says."""
    {"show": show, "list": shelf, "copy": copy}[call.command.name](call, terminal)
    return 0


def show(call: Call, terminal: Terminal) -> None:
    """A ruleset, or one of its rules or tables, as a card."""
    ruleset = open_ruleset(call.files[0], call, terminal)
    if call.rule is None:
        terminal.say(ruleset_card(ruleset.plan, terminal.paint))
    elif call.rule == "sheet" and ruleset.plan.sheet is not None and call.rule not in ruleset:
        terminal.say(sheet_card(ruleset.plan, ruleset.plan.sheet, terminal.paint))
    elif call.rule in ruleset.plan.two_way and call.rule not in ruleset:
        terminal.say(two_way_card(ruleset.plan, ruleset.plan.two_way[call.rule], terminal.paint))
    elif call.rule in ruleset.tables and call.rule not in ruleset:
        terminal.say(table_card(ruleset.plan.tables[call.rule], terminal.paint))
    else:
        card = rule_card(ruleset.plan, ruleset[call.rule].plan, terminal.paint)
        terminal.say(f"{title(ruleset.plan, terminal.paint)}\n\n{card}")


def shelf(call: Call, terminal: Terminal) -> None:
    """What the bundled rulesets say about themselves: games first, then variants, then mechanics; then characters."""
    rulesets = {name: load(name) for name in bundled()}
    order = sorted(rulesets, key=lambda name: (name not in SYSTEMS, not rulesets[name].bases))
    rows = [(terminal.paint.name(name), rulesets[name].about or rulesets[name].name) for name in order]
    characters = [(name, _system(name)) for name in bundled(CHARACTER)]
    if characters:
        rows.append(("", ""))
    rows += [(terminal.paint.name(name), f"a character of {system}") for name, system in characters]
    terminal.say("\n".join(grid(rows, indent=0)))


def copy(call: Call, terminal: Terminal) -> None:
    """A bundled file, written where the user may edit it; an existing file is never overwritten."""
    name = next((found for suffix in SUFFIXES if (found := find_bundled(call.files[0], suffix))), None)
    if name is None:
        names = [each for suffix in SUFFIXES for each in bundled(suffix)]
        near = nearest(call.files[0], [*names, *(each.partition(".")[0] for each in names)])
        hint = f"did you mean {near}?" if near else "`rulesrun list` shows them"
        raise RulesError.of(f"there is no bundled file {call.files[0]}", code="no-file", hint=hint)
    goal = Path(call.rule or name)
    if goal.is_dir():
        goal = goal / name
    try:
        with goal.open("x", encoding="utf-8", newline="\n") as stream:
            stream.write(bundled_text(name))
    except FileExistsError:
        raise RulesError.of(
            f"{goal} is there already", code="exists", hint=f"rulesrun copy {name} OTHER_NAME"
        ) from None
    except OSError as error:
        raise RulesError.of(f"{goal} cannot be written: {error.strerror}", code="unwritable") from None
    roll = f"rulesrun {goal}" if name.endswith(RULES) else f"rulesrun sheet {_system(name)} {goal}"
    terminal.say(f"{goal} is yours to edit; then: {roll}")


def _system(name: str) -> str:
    """The bundled ruleset that a bundled character is for."""
    system = system_of(Source.of_text(name, bundled_text(name))) or ""
    return find_bundled(system) or system
