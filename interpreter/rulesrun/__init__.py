"""Run tabletop rules written as readable files: roll them, explain them, test them.

    import rulesrun

    hive = rulesrun.load("hive.rules")        # text -> tree -> checked plan: a Ruleset
    roll = hive["skill_check"].roll(seed=7)   # one roll, with everything that happened in its trace
    roll.outcome, roll.values, roll.dice

A ruleset that cannot be read, an input that does not fit and a call that makes no sense raise `RulesError`.
"""

from rulesrun.diagnostics import Diagnostic, RulesError
from rulesrun.engine import Rule, Ruleset, Table, load, parse
from rulesrun.evaluation.roll import Roll

__all__ = ["Diagnostic", "Roll", "Rule", "RulesError", "Ruleset", "Table", "load", "parse"]
