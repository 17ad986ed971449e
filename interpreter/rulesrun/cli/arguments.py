"""The words of a call, by command: files first, then the rule, then inputs, and options anywhere.

In: the words after `rulesrun`. Out: a `Call` whose words have been told apart but not yet understood: what they mean
depends on the ruleset. A call that makes no sense raises `RulesError`.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Literal, NoReturn

from rulesrun.diagnostics import RulesError
from rulesrun.record import field, record
from rulesrun.suggestions import nearest

_VALUE = re.compile(r"[+-]?[0-9][0-9./%,]*|yes|no|none")
"""A word that is no name of a rule."""

Pairs = tuple[tuple[str, str], ...]
"""NAME=VALUE words in the order given; a name may come more than once."""


@record
class Option:
    """An option: its name without dashes, what stands for its value in the help, its help, and what its value is."""

    name: str
    metavar: str
    help: str
    kind: Literal["switch", "number", "text", "texts", "pairs"]


@record
class Command:
    """A command as its help shows it; `files` says how many it takes (`two`: one or two; `both`: no less than two),
    `goals` whether goals stand among the inputs.
    """

    name: str
    usage: str
    summary: str
    about: str
    options: tuple[Option, ...] = ()
    files: str = "one"
    goals: bool = False
    examples: tuple[str, ...] = ()


@record
class Call:
    """The words of one call. Options that were not given are absent."""

    command: Command
    files: tuple[str, ...] = ()
    rule: str | None = None
    inputs: Pairs = ()
    numbers: dict[str, int] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)
    lists: dict[str, tuple[str, ...]] = field(default_factory=dict)
    pairs: dict[str, Pairs] = field(default_factory=dict)
    switches: frozenset[str] = frozenset()
    goals: tuple[str, ...] = ()


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise RulesError.of(message.removeprefix("argument "), hint=f"{self.prog} --help lists the options")


def parser_of(command: Command, prog: str) -> argparse.ArgumentParser:
    """The argparse parser of a command, which also writes its help."""
    examples = "".join(f"  {line}\n" for line in command.examples)
    parser = _Parser(
        prog=prog,
        usage=command.usage,
        description=command.about,
        epilog=f"examples:\n{examples}" if examples else None,
        formatter_class=lambda prog: argparse.RawDescriptionHelpFormatter(prog, max_help_position=26, width=80),
        allow_abbrev=False,
    )
    parser.add_argument("words", nargs="*", help=argparse.SUPPRESS)
    for each in command.options:
        if each.kind == "switch":
            parser.add_argument(f"--{each.name}", action="store_true", help=each.help)
        elif each.kind in ("texts", "pairs"):
            parser.add_argument(f"--{each.name}", action="append", metavar=each.metavar, help=each.help)
        else:
            parser.add_argument(f"--{each.name}", metavar=each.metavar, help=each.help)
    return parser


def parse_call(command: Command, prog: str, argv: Sequence[str], is_file: Callable[[str], bool]) -> Call:
    """The call that the words after the command make; `is_file` says whether a word means a ruleset."""
    given, unknown = parser_of(command, prog).parse_known_intermixed_args(argv)
    if unknown:
        raise _unknown_option(command, prog, unknown[0])
    words: list[str] = given.words
    found = [(each, getattr(given, each.name)) for each in command.options]
    named = [(each, value) for each, value in found if value not in (None, False)]
    files, rest = _split_files(command, words, is_file)
    if given_both := [each for each in ("json", "csv") if getattr(given, each, False)][1:]:
        raise RulesError.of(f"--json or --{given_both[0]}, not both", hint="each is for another program")
    goals = tuple(each for each in rest if command.goals and _is_goal(each))
    rule, inputs = _split_rule(command, [each for each in rest if each not in goals])
    return Call(
        command,
        files,
        rule,
        inputs,
        numbers={each.name: _number(each, value) for each, value in named if each.kind == "number"},
        texts={each.name: value for each, value in named if each.kind == "text"},
        lists={each.name: tuple(value) for each, value in named if each.kind == "texts"},
        pairs={each.name: _pairs(each.name, value) for each, value in named if each.kind == "pairs"},
        switches=frozenset(each.name for each, _ in named if each.kind == "switch"),
        goals=goals,
    )


def _split_files(
    command: Command, words: list[str], is_file: Callable[[str], bool]
) -> tuple[tuple[str, ...], list[str]]:
    most = {"none": 0, "one": 1, "two": 2, "both": 2, "many": len(words)}[command.files]
    least = {"none": 0, "both": 2}.get(command.files, 1)
    count = least
    while count < min(most, len(words)) and (command.files == "many" or is_file(words[count])):
        count += 1
    if len(words) < least or any("=" in each and not is_file(each) for each in words[:least]):
        which = "which character?" if command.files == "both" and words else "which file? Name a ruleset first"
        raise RulesError.of(which, hint=f"usage: {command.usage}")
    return tuple(words[:count]), words[count:]


def _is_goal(word: str) -> bool:
    """Whether a word is a goal (`chance of success = 65%`): it has a blank where an input has its name."""
    return " " in word.partition("=")[0].strip()


def _split_rule(command: Command, words: list[str]) -> tuple[str | None, Pairs]:
    bare = [each for each in words if "=" not in each]
    if len(bare) > 1:
        hint = _how_words_stand(command)
        if apart := next((pair for pair in pairwise(bare) if _VALUE.fullmatch(pair[1])), None):
            hint = f"an input is written {apart[0]}={apart[1]}"
        raise RulesError.of(f"one rule at a time: {bare[0]} and {bare[1]}", hint=hint)
    if bare and words[0] != bare[0]:
        raise RulesError.of(
            f"{bare[0]} stands after the inputs", hint="the rule comes first, then its inputs NAME=VALUE"
        )
    pairs = tuple(_pair(each, "an input") for each in words if "=" in each)
    return (bare[0] if bare else None), pairs


def _how_words_stand(command: Command) -> str:
    if command.goals:
        return "a goal stands in quotes: 'chance of success = 65%'"
    return f"inputs are written NAME=VALUE; usage: {command.usage}"


def _pairs(option: str, words: list[str]) -> Pairs:
    return tuple(_pair(each, f"--{option}") for each in words)


def _pair(word: str, what: str) -> tuple[str, str]:
    name, equals, value = word.partition("=")
    if not equals or not name.strip():
        raise RulesError.of(f"{what} is written NAME=VALUE, not {word!r}")
    return name.strip(), value.strip()


_WHOLE = re.compile(r"([-+]?[0-9][0-9_,]*)(?:\.([0-9]+))?(?:[eE]\+?([0-9]{1,2}))?")


def whole_number(text: str) -> int:
    """A whole number as people write it: `1000000`, `1,000,000`, `1_000_000`, `1e6`, `2.5e5`. Raises ValueError."""
    written = _WHOLE.fullmatch(text.strip())
    if written is None:
        raise ValueError(text)
    whole, behind, power = re.sub("[_,]", "", written[1]), written[2] or "", int(written[3] or 0)
    shift = power - len(behind.rstrip("0"))
    if shift < 0:
        raise ValueError(text)
    return int(whole + behind.rstrip("0") + "0" * shift)


def _number(option: Option, text: str) -> int:
    try:
        number = whole_number(text)
    except ValueError:
        raise RulesError.of(f"--{option.name} takes a whole number, not {text!r}") from None
    if number < 1 and option.name != "seed":
        raise RulesError.of(f"--{option.name} takes a number from 1, not {text}")
    return number


def _unknown_option(command: Command, prog: str, word: str) -> RulesError:
    name = word.split("=")[0]
    near = nearest(name.lstrip("-"), [each.name for each in command.options] + ["help"])
    hint = f"did you mean --{near}?" if near else f"{prog} --help lists the options"
    return RulesError.of(f"there is no option {name}", hint=hint)
