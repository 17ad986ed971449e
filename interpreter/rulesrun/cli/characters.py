"""The characters of a call: `--as CHARACTER`, `--as attacker=CHARACTER`, and the inputs that they fill.

In: the words of a call and a rule. Out: values for the rule's inputs, and whether they have to be kept from others:
something private was filled in, and `--reveal` was not given.
"""

from __future__ import annotations

import re
from os.path import exists
from typing import TYPE_CHECKING

from rulesrun.cli.arguments import Call, Pairs
from rulesrun.cli.rulesets import inputs_of, sweeps_of
from rulesrun.diagnostics import RulesError
from rulesrun.engine import Rule, Ruleset
from rulesrun.record import record
from rulesrun.semantics.plan import Domain

if TYPE_CHECKING:
    from rulesrun.sheets.character import Character

_SIDE = re.compile(r"([A-Za-z]\w*(?:\.\w+)*)=(.+)", re.DOTALL)


@record
class Given:
    """The inputs of a call. `hidden`: what they are, and what follows from them, is for one player alone to know."""

    inputs: dict[str, object]
    hidden: bool


def given_inputs(call: Call, rule: Rule, words: Pairs | None = None, sweeps: bool = False) -> Given:
    """What is typed and what characters bring; typed values may be names of something of the character."""
    words = call.inputs if words is None else words
    read = sweeps_of if sweeps else inputs_of
    if not call.lists.get("as"):
        return Given(dict(read(rule, words)), False)
    characters = characters_of(call, rule.ruleset)
    filled = rule.filled(characters, read(rule, words, _asked_of_members(rule)), sweeps=sweeps)
    return Given(dict(filled.inputs), filled.private and "reveal" not in call.switches)


def open_inputs(call: Call, rule: Rule, words: Pairs | None = None) -> dict[str, object]:
    """The inputs for exact odds, which would betray what is private: several values sweep."""
    given = given_inputs(call, rule, words, sweeps=True)
    if given.hidden:
        raise RulesError.of(
            f"the odds of {rule.name} would betray what only the player may know",
            code="private",
            hint="--reveal shows them all the same; or type the inputs that are private",
        )
    return given.inputs


def characters_of(call: Call, ruleset: Ruleset) -> Character | dict[str, Character] | list[Character]:
    """The characters of `--as`: one, one for each side, or several that act together."""
    sides: dict[str, Character] = {}
    plain: list[Character] = []
    for word in call.lists["as"]:
        match = None if exists(word) else _SIDE.fullmatch(word)
        character = open_character(call, ruleset, match[2] if match else word)
        if match is None:
            plain.append(character)
        elif match[1] in sides:
            raise RulesError.of(f"{match[1]} is given twice", code="given-twice", hint="one character a side")
        else:
            sides[match[1]] = character
    if sides and len(plain) > 1:
        raise RulesError.of("several characters without a side, and some with", hint="--as SIDE=CHARACTER for each")
    if sides:
        return sides | ({"": plain[0]} if plain else {})
    return plain[0] if len(plain) == 1 else plain


def _asked_of_members(rule: Rule) -> dict[str, Domain]:
    """The inputs that the sheet asks of each member of a team."""
    from rulesrun.semantics.plan_sheet import Team

    team = rule.ruleset.sheet.part(rule.name, Team) if rule.ruleset.sheet else None
    return {each.name: each.domain for each in team.inputs} if team else {}


def open_character(call: Call, ruleset: Ruleset, file: str) -> Character:
    """The character in a file, without faults; what is wrong with it is told as discreetly as the call wants it."""
    character = judged_character(call, ruleset, file)
    if character.faults:
        raise RulesError(character.faults if "reveal" in call.switches else character.discreet_faults)
    return character


def judged_character(call: Call, ruleset: Ruleset, file: str) -> Character:
    """The character in a file, with its faults."""
    if "reveal" in call.switches or ruleset.sheet is None:
        return ruleset.character(file)
    from rulesrun.sheets.secrecy import discreet

    try:
        return ruleset.character(file)
    except RulesError as error:
        raise RulesError(discreet(error.diagnostics, ruleset.sheet, {}, file)) from None
