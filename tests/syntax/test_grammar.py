"""The grammar itself: no conflicts, no tokens without words, no rules without builders."""

import logging
from importlib.resources import files

import pytest
from lark import Lark, UnexpectedInput, logger

from rulesrun.syntax.build import Builder
from rulesrun.syntax.expected import WORDED
from rulesrun.syntax.layout import Layout
from rulesrun.syntax.tables import OPTIONS, parser

GRAMMAR = files("rulesrun.grammar").joinpath("rules.lark").read_text(encoding="utf-8")


def conflicts(grammar: str, caplog: pytest.LogCaptureFixture) -> list[str]:
    """What Lark says of conflicts: a reduce/reduce conflict raises, of the others it only speaks."""
    level = logger.level
    try:
        with caplog.at_level(logging.DEBUG, logger.name):
            logger.addHandler(caplog.handler)
            Lark(grammar, postlex=Layout(), debug=True, **OPTIONS)
    finally:
        logger.removeHandler(caplog.handler)
        logger.setLevel(level)
    return [record.getMessage() for record in caplog.records if "conflict" in record.getMessage().lower()]


def test_the_grammar_is_lalr_without_conflicts(caplog: pytest.LogCaptureFixture) -> None:
    assert conflicts(GRAMMAR, caplog) == []


def test_a_conflict_would_be_seen(caplog: pytest.LogCaptureFixture) -> None:
    ambiguous = GRAMMAR.replace("?sum: product |", "?sum: product | sum STAR sum -> binary |")
    assert ambiguous != GRAMMAR
    assert conflicts(ambiguous, caplog)


def test_every_token_has_plain_words() -> None:
    names = {each.name for each in parser().terminals} - {"COMMENT", "BLANKS"}
    assert names <= WORDED


def test_every_rule_has_a_builder() -> None:
    built = {name for name in dir(Builder) if not name.startswith("_")}
    inlined = {
        "item", "line", "example_line", "row_entry", "setting_value", "sheet_line", "entry_line", "sheet_update",
        "team_line", "entry", "parameter_base",
    }  # fmt: skip
    wanted = {str(rule.alias or rule.origin.name) for rule in parser().rules}
    wanted = {name for name in wanted if not name.startswith("_")}
    transparent = {str(rule.origin.name) for rule in parser().rules if rule.options.expand1 and not rule.alias}
    assert wanted - transparent - inlined - built == set()


@pytest.mark.parametrize(
    "name", ["keep", "die", "size", "target", "limit", "roll", "count_up", "d20_bonus", "mind6", "x3", "ifs"]
)
def test_few_words_are_reserved(name: str) -> None:
    parser().parse(f"rule a\n    {name} = 3\n    total = {name} + 1\n    roll b = {name} d6\n", "start")


@pytest.mark.parametrize(
    "line",
    [
        "roll a = 2d6, keephighest 1",
        "roll a = 2d6, keep highest1",
        "roll a = 2d6, explodeon 6",
        "roll a = 2d6, explode on 6 onceadding",
        "roll a = 2d6, rerolling 1",
        "roll a = 2d6, again onall 6",
        "repeat 3 timesuntil a",
        "draw a = 3 frombag",
        "put a backwards",
        "x = 3 if aotherwise 4",
        "x = a at3",
        "x = 3if a otherwise 4",
    ],
)
def test_words_are_never_glued(line: str) -> None:
    with pytest.raises(UnexpectedInput):
        parser().parse(f"rule a\n    {line}\n", "start")
