"""Run tabletop rules written as readable files: roll them, explain them, test them.

    import rulesrun

    hive = rulesrun.load("hive.rules")        # text -> tree -> checked plan: a Ruleset
    roll = hive["skill_check"].roll(seed=7)   # one roll, with everything that happened in its trace
    roll.outcome, roll.values, roll.dice

A ruleset that cannot be read, an input that does not fit and a call that makes no sense raise `RulesError`.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from rulesrun.diagnostics import Diagnostic, RulesError
from rulesrun.engine import Rule, Ruleset, Table, load, parse, throw
from rulesrun.evaluation.roll import Roll
from rulesrun.limits import Limits

if TYPE_CHECKING:
    from rulesrun.evaluation.distribution import Distribution
    from rulesrun.evaluation.odds import Odds
    from rulesrun.sheets.character import Character
    from rulesrun.sweep import OddsTable

__all__ = [
    "Character",
    "Diagnostic",
    "Distribution",
    "Limits",
    "Odds",
    "OddsTable",
    "Roll",
    "Rule",
    "RulesError",
    "Ruleset",
    "Table",
    "load",
    "parse",
    "throw",
]

_WITH_ODDS = {
    "Character": "rulesrun.sheets.character",
    "Distribution": "rulesrun.evaluation.distribution",
    "Odds": "rulesrun.evaluation.odds",
    "OddsTable": "rulesrun.sweep",
}
"""What is imported only when it is asked for, since a roll needs none of it."""


def __getattr__(name: str) -> object:
    if name not in _WITH_ODDS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_WITH_ODDS[name]), name)
