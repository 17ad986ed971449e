"""The words of a call, told apart."""

import pytest

from rulesrun.cli.arguments import Call, parse_call
from rulesrun.cli.commands import COMMANDS
from rulesrun.diagnostics import RulesError


def call(command: str, *words: str) -> Call:
    known = COMMANDS[command]
    return parse_call(known, f"rulesrun {command}", words, lambda word: word.endswith(".rules"))


def test_files_then_rule_then_inputs_with_options_anywhere() -> None:
    made = call("roll", "a.rules", "--seed", "7", "check", "x=1", "--json", "attacker.y=-2", "--dice=human=10,10")
    assert made.files == ("a.rules",)
    assert made.rule == "check"
    assert made.inputs == (("x", "1"), ("attacker.y", "-2"))
    assert made.numbers == {"seed": 7}
    assert made.switches == {"json"}
    assert made.pairs == {"dice": (("human", "10,10"),)}


def test_a_rule_may_be_left_out() -> None:
    made = call("roll", "a.rules", "x=1")
    assert (made.rule, made.inputs) == (None, (("x", "1"),))


def test_a_value_may_hold_an_equals_sign_and_an_option_may_come_again() -> None:
    words = ("--choose", "push=total = 3", "--choose", "inspire=never", "--aim=-total", "--of", "a", "--of", "b")
    made = call("odds", "a.rules", *words)
    assert made.pairs == {"choose": (("push", "total = 3"), ("inspire", "never"))}
    assert made.texts == {"aim": "-total"}
    assert made.lists == {"of": ("a", "b")}


def test_standard_input_is_a_file() -> None:
    assert call("roll", "-", "check").files == ("-",)


@pytest.mark.parametrize(
    ("written", "number"),
    [
        ("250", 250),
        ("1,000,000", 1_000_000),
        ("1_000_000", 1_000_000),
        ("1e6", 1_000_000),
        ("2.5e5", 250_000),
        ("2.5E+05", 250_000),
        ("12.50e2", 1250),
        ("3.0", 3),
    ],
)
def test_numbers_as_people_write_them(written: str, number: int) -> None:
    assert call("odds", "a.rules", "--sample", written).numbers == {"sample": number}


@pytest.mark.parametrize("written", ["1e", "2.55e1", "1.5", "e6", "1e-3", "1e999", "0x10", "_1", "1 000"])
def test_what_is_no_whole_number(written: str) -> None:
    with pytest.raises(RulesError, match="--sample takes a whole number"):
        call("odds", "a.rules", "--sample", written)


def test_many_files() -> None:
    assert call("test", "a.rules", "b.rules").files == ("a.rules", "b.rules")


@pytest.mark.parametrize(
    ("words", "message", "hint"),
    [
        (["roll"], "which file?", "usage: rulesrun FILE"),
        (["roll", "x=1"], "which file?", "usage: rulesrun FILE"),
        (["roll", "a.rules", "one", "two"], "one rule at a time: one and two", "NAME=VALUE"),
        (["roll", "a.rules", "x=1", "check"], "check stands after the inputs", "rule comes first"),
        (["roll", "a.rules", "=1"], "an input is written NAME=VALUE, not '=1'", None),
        (["roll", "a.rules", "--dice", "10"], "--dice is written NAME=VALUE, not '10'", None),
        (["roll", "a.rules", "--sed", "1"], "there is no option --sed", "did you mean --seed?"),
        (["roll", "a.rules", "--zzzzzz"], "there is no option --zzzzzz", "--help lists the options"),
        (["roll", "a.rules", "--seed", "x"], "--seed takes a whole number, not 'x'", None),
        (["roll", "a.rules", "--times", "0"], "--times takes a number from 1, not 0", None),
        (["roll", "a.rules", "--times"], "--times: expected one argument", "--help lists the options"),
        (["test"], "which file?", "usage: rulesrun test FILE"),
    ],
)
def test_calls_that_make_no_sense(words: list[str], message: str, hint: str | None) -> None:
    with pytest.raises(RulesError) as raised:
        call(*words)
    assert message in raised.value.message
    assert hint is None or hint in (raised.value.hint or "")
