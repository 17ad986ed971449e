"""`rulesrun test` and `rulesrun check`: whether the examples hold, and what is wrong or doubtful in a file."""

from __future__ import annotations

from rulesrun.cli.arguments import Call
from rulesrun.cli.rulesets import open_ruleset
from rulesrun.cli.terminal import Terminal
from rulesrun.diagnostics import RulesError
from rulesrun.render.examples import failures, result_line
from rulesrun.render.problems import counted


def run(call: Call, terminal: Terminal) -> int:
    """Do what the command says, for each file."""
    examine = {"test": test, "check": check}[call.command.name]
    return max([examine(file, call, terminal) for file in call.files])


def test(file: str, call: Call, terminal: Terminal) -> int:
    """Run the examples of a file: 0 if all hold, else 1."""
    results = open_ruleset(file, call, terminal).test()
    wrong = [problem for result in results for problem in failures(result)]
    if wrong:
        terminal.complain(wrong)
    terminal.say(result_line(file, results, terminal.paint))
    return 1 if wrong else 0


def check(file: str, call: Call, terminal: Terminal) -> int:
    """Report the problems of a file: 0 if there are no errors, else 1; 2 if there is no such file."""
    try:
        problems = open_ruleset(file, call, terminal).warnings
    except RulesError as error:
        problems = error.diagnostics
        if error.file is None:
            raise
    if problems:
        terminal.complain(problems)
    terminal.say(f"{file}: {counted(problems)}")
    return 1 if any(each.is_error for each in problems) else 0
