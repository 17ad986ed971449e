"""`rulesrun FILE [RULE] [NAME=VALUE ...]`: rolls, explains, counts."""

from __future__ import annotations

from contextlib import suppress
from random import Random, SystemRandom
from shlex import quote
from typing import Any

from rulesrun.cli.arguments import Call
from rulesrun.cli.ask import asker
from rulesrun.cli.characters import given_inputs
from rulesrun.cli.interrupts import Interrupts
from rulesrun.cli.rulesets import dice_of, open_ruleset, rule_of
from rulesrun.cli.terminal import Terminal
from rulesrun.diagnostics import RulesError
from rulesrun.engine import Rule, Ruleset
from rulesrun.evaluation.roll import Roll
from rulesrun.evaluation.values import value_text
from rulesrun.library import is_throw
from rulesrun.render.card import title
from rulesrun.render.layout import grid, wrap
from rulesrun.render.rolls import call_text, result_lines, roll_text, short_lines
from rulesrun.render.summary import Tally

FEW = 20
"""So many rolls are listed one by one; more are summed up."""


def run(call: Call, terminal: Terminal) -> int:
    """Roll as the call says."""
    ruleset = open_ruleset(call.files[0], call, terminal)
    rule = rule_of(ruleset, call.rule)
    seed = call.numbers.get("seed")
    if seed is None:
        seed = SystemRandom().getrandbits(32)
    given = given_inputs(call, rule)
    if given.hidden:
        hidden(call, rule, seed, given.inputs, terminal)
        return 0
    arguments = {"inputs": given.inputs, **arguments_of(call, rule, terminal)}
    roll = (many if "times" in call.numbers else single)(call, rule, seed, arguments, terminal)
    if "seed" not in call.numbers and "json" not in call.switches:
        terminal.say("\n" + terminal.paint.faint(f"--seed {seed} rolls these dice again"))
    if greets(call):
        terminal.say("\n" + hint(call.files[0], rule, roll))
    return 0


def greets(call: Call) -> bool:
    """Whether the call names nothing but a file, and perhaps a seed."""
    plain = not call.pairs and not call.switches and not call.lists and "times" not in call.numbers
    return call.rule is None and not call.inputs and plain


def hidden(call: Call, rule: Rule, seed: int, inputs: dict[str, object], terminal: Terminal) -> None:
    """One roll of which only the outcome is told: what it was made with is for one player alone to know."""
    asked = "ask" in dict(call.pairs.get("choose", ())).values()
    if asked or "times" in call.numbers or "dice" in call.pairs:
        raise RulesError.of(
            "many rolls, known dice and asking betray what only the player may know",
            code="private",
            hint="--reveal shows it all the same; or type the inputs that are private",
        )
    arguments = arguments_of(call, rule, terminal)
    try:
        roll = rule.roll(seed=seed, inputs=inputs, **arguments)
    except RulesError:
        message = "what only the player may know does not go with this roll"
        raise RulesError.of(message, code="private", hint="--reveal shows why") from None
    if "json" in call.switches:
        told = ("system", "rule", "flags", "outcome", "good", "text")
        terminal.say_json({name: value for name, value in roll.to_json().items() if name in told})
        return
    result = result_lines(rule.plan, roll, terminal.paint) if rule.outcomes else []
    note = wrap("the rest would betray what only the player may know; --reveal shows it")
    parts = [[call_text(rule.ruleset.plan, rule.plan, {}, terminal.paint)], result, map(terminal.paint.faint, note)]
    terminal.say("\n\n".join(text for part in parts if (text := "\n".join(part))))


def single(call: Call, rule: Rule, seed: int, arguments: dict[str, Any], terminal: Terminal) -> Roll:
    """One roll, explained."""
    roll = rule.roll(seed=seed, **arguments)
    if "json" in call.switches:
        terminal.say_json(roll.to_json())
        return roll
    if greets(call) and not is_throw(call.files[0]):
        terminal.say(greeting(rule.ruleset, terminal) + "\n")
    terminal.say(roll_text(rule.ruleset.plan, rule.plan, roll, terminal.paint))
    return roll


def arguments_of(call: Call, rule: Rule, terminal: Terminal) -> dict[str, Any]:
    """The dice and choices of the call, as `Rule.roll` takes them."""
    return {
        "dice": dice_of(call.pairs.get("dice", ())),
        "choose": rule.policies(dict(call.pairs.get("choose", ()))),
        "aim": call.texts.get("aim"),
        "decide": asker(terminal),
    }


def many(call: Call, rule: Rule, seed: int, arguments: dict[str, Any], terminal: Terminal) -> Roll:
    """Many rolls from one generator: listed if they are few, else counted; the last of them. After Ctrl-C those that
    are done are shown all the same.
    """
    times, rng = call.numbers["times"], Random(seed)
    progress, tally, listed = terminal.progress(times), Tally(rule.plan), []
    rolls = 0
    with Interrupts() as interrupts, suppress(KeyboardInterrupt):
        while rolls < times:
            made = rule.roll(rng=rng, **arguments)
            with interrupts.put_off():
                roll, rolls = made, rolls + 1
                if times <= FEW:
                    listed.append(roll)
                else:
                    tally.add(roll)
            progress(rolls)
    if not rolls:
        raise KeyboardInterrupt
    if rolls < times:
        terminal.note(f"stopped after {rolls:,} of {times:,} rolls of seed {seed}")
    if "json" in call.switches:
        head = {name: value for name, value in roll.to_json().items() if name in ("system", "rule", "inputs")}
        counts = {"rolls": [each.to_json() for each in listed]} if listed else tally.to_json()
        terminal.say_json({**head, "seed": seed, **counts})
        return _all_of(rolls, times, roll)
    body = "\n".join(short_lines(rule.plan, listed)) if listed else tally.text(terminal.paint)
    terminal.say(call_text(rule.ruleset.plan, rule.plan, roll.inputs, terminal.paint) + "\n\n" + body)
    return _all_of(rolls, times, roll)


def _all_of(rolls: int, times: int, last: Roll) -> Roll:
    """The last roll; where they were not all made, the interruption that ended them."""
    if rolls < times:
        raise KeyboardInterrupt
    return last


def greeting(ruleset: Ruleset, terminal: Terminal) -> str:
    """The system and its rules."""
    rows = [(terminal.paint.name(each.name), each.text) for each in ruleset]
    return "\n".join([title(ruleset.plan, terminal.paint), *grid(rows)])


def hint(file: str, rule: Rule, roll: Roll) -> str:
    """How to change what was rolled, and where to read on."""
    inputs = [
        f"{name}={value_text(value).replace(', ', ',')}" for name, value in list(roll.inputs.items())[:2] if value != ()
    ]
    setting = next((f"{name}={value}" for name, value in rule.ruleset.settings.items() if " " not in value), None)
    file = quote(file)
    rows = [("change inputs", f"rulesrun {file} {rule.name} {' '.join(inputs)}")] if inputs else []
    rows += [("change a setting", f"rulesrun {file} --set {setting}")] if setting else []
    rows += [("exact odds", f"rulesrun odds {file}"), ("all the rules", f"rulesrun show {file}")]
    return "\n".join(grid(rows, indent=0))
