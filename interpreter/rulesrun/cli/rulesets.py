"""From the words of a call to a ruleset, a rule and inputs.

In: the file, rule, settings and inputs of a call, as typed. Out: a loaded `Ruleset`, a `Rule`, values for its inputs.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from rulesrun.cli.arguments import Call, Pairs
from rulesrun.cli.terminal import Terminal
from rulesrun.cli.values import Value, faces_of, list_of, one_value, sweep_of
from rulesrun.diagnostics import RulesError, Source
from rulesrun.engine import Rule, Ruleset, load, parse, throw
from rulesrun.evaluation.inputs import full_name
from rulesrun.library import is_throw
from rulesrun.semantics.plan import Domain, ListDomain


def open_ruleset(file: str, call: Call, terminal: Terminal) -> Ruleset:
    """The ruleset of a file (`-` is standard input) or of dice without one, with the settings of the call in force."""
    if file == "-":
        ruleset = parse(Source.of_bytes("<stdin>", terminal.read_input()).text, "<stdin>")
    elif is_throw(file):
        ruleset = throw(file).ruleset
    else:
        ruleset = load(file)
    settings = dict(call.pairs.get("set", ()))
    return ruleset.with_settings(**settings) if settings else ruleset


def rule_of(ruleset: Ruleset, name: str | None) -> Rule:
    """The rule of that name, or the first one."""
    if name is not None:
        if name not in ruleset.rules and (found := _COLON.fullmatch(name)):
            raise RulesError.of(f"{name} is no rule", hint=f"an input is written {found[1]}={found[2]}")
        return ruleset[name]
    if not len(ruleset):
        raise RulesError.of(
            "there is no rule in this file", code="no-rule", hint="a rule begins with `rule NAME`", file=ruleset.file
        )
    return next(iter(ruleset))


_COLON = re.compile(r"([^\W\d][\w.]*):(.+)")
"""An input as other programs write it."""

Domains = Mapping[str, Domain]


def inputs_of(rule: Rule, words: Pairs, others: Domains = MappingProxyType({})) -> dict[str, Value]:
    """Inputs for one roll, as they were typed; `others` are inputs that the rule itself does not have."""
    inputs: dict[str, Value] = {}
    for name, text in words:
        if name in inputs:
            raise RulesError.of(f"{name} is given twice", code="given-twice")
        inputs[name] = one_value(name, text, takes_list(rule, name, others))
    return inputs


def sweeps_of(rule: Rule, words: Pairs, others: Domains = MappingProxyType({})) -> dict[str, Value | Sequence[Value]]:
    """Inputs as they were typed, several values as a list; a list input is swept by giving it again."""
    inputs: dict[str, Value | Sequence[Value]] = {}
    lists: dict[str, list[Value]] = {}
    for name, text in words:
        if takes_list(rule, name, others):
            lists.setdefault(name, []).append(list_of(text))
        elif name in inputs:
            raise RulesError.of(f"{name} is given twice", code="given-twice", hint=f"several values: {name}=1,2,3")
        else:
            values = sweep_of(name, text)
            inputs[name] = values[0] if len(values) == 1 else values
    return inputs | {name: values[0] if len(values) == 1 else list(values) for name, values in lists.items()}


def takes_list(rule: Rule, name: str, others: Domains = MappingProxyType({})) -> bool:
    """Whether an input takes a list; raises `RulesError` if the rule has no such input."""
    domains = {**others, **{each.name: each.domain for each in rule.inputs}}
    return isinstance(domains[full_name(rule.plan, name, domains, "input")], ListDomain)


def dice_of(words: Pairs) -> dict[str, list[int | str]]:
    """The faces that were rolled at the table, by the name of their roll."""
    dice: dict[str, list[int | str]] = {}
    for name, text in words:
        dice.setdefault(name, []).extend(faces_of(text.split(",")) if text else [])
    return dice
