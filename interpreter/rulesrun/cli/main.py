"""From the words of a call to an exit status: 0 done, 1 something did not hold, 2 the call or the file is wrong."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module

from rulesrun.cli.arguments import parse_call, parser_of
from rulesrun.cli.commands import COMMANDS, MODULES, ROLL, overview
from rulesrun.cli.terminal import Terminal
from rulesrun.cli.values import raised
from rulesrun.diagnostics import Diagnostic, RulesError, Severity
from rulesrun.library import bundled, is_ruleset
from rulesrun.limits import within
from rulesrun.suggestions import nearest

DONE, FAILED, WRONG, INTERRUPTED = 0, 1, 2, 130


def main(argv: Sequence[str], terminal: Terminal | None = None) -> int:
    """Run one call and give its exit status. No exception leaves here, so that no traceback reaches a user."""
    terminal = terminal or Terminal.of_process()
    sys.set_int_max_str_digits(0)  # numbers that are read are bounded by a limit of their own
    try:
        status = run(argv, terminal)
        terminal.flush()
        return status
    except RulesError as error:
        problems = error.diagnostics
    except KeyboardInterrupt:
        terminal.note("")
        return INTERRUPTED
    except BrokenPipeError:
        terminal.silence()
        return DONE
    except OSError as error:
        problems = (_problem(f"the result cannot be written: {error.strerror}"),)
    except (MemoryError, RecursionError):
        problems = (_problem("this takes more memory than there is"),)
    except Exception as error:
        if sys.flags.dev_mode:
            raise
        fault = f"{type(error).__name__}: {error}"
        problems = (
            _problem(f"a fault in rulesrun itself ({fault})", hint="please report it with the file and the call"),
        )
    terminal.complain(problems)
    return WRONG


def run(argv: Sequence[str], terminal: Terminal) -> int:
    """Run one call and give its exit status; raises `RulesError` where something is wrong."""
    if not argv or argv[0] in ("--help", "-h", "help"):
        terminal.say(overview())
        return DONE
    if argv[0] == "--version":
        from importlib.metadata import version

        terminal.say(f"rulesrun {version('rulesrun')}")
        return DONE
    command = COMMANDS.get(argv[0])
    words = argv[1:] if command else argv
    command = command or ROLL
    prog = f"rulesrun {command.name}" if command is not ROLL else "rulesrun"
    if any(word in ("--help", "-h") for word in words):
        terminal.say(parser_of(command, prog).format_help().rstrip())
        return DONE
    call = parse_call(command, prog, words, is_ruleset)
    if command is ROLL and not is_ruleset(call.files[0]):
        raise _no_such_file(call.files[0])
    with within(raised(call.pairs.get("limit", ()))):
        status: int = import_module(MODULES[command.name]).run(call, terminal)
    return status


def _no_such_file(word: str) -> RulesError:
    near = nearest(word, [*COMMANDS, *bundled(), *(each.removesuffix(".rules") for each in bundled())])
    hint = (
        f"did you mean {near}?"
        if near
        else "`rulesrun list` shows the bundled rulesets, `rulesrun --help` the commands"
    )
    return RulesError.of(f"there is no ruleset or command called {word}", hint=hint)


def _problem(message: str, hint: str | None = None) -> Diagnostic:
    return Diagnostic("call", Severity.ERROR, message, hint=hint)
