"""Any text at all: the right tree or a clear error with a place, in bounded time and memory."""

import random
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulesrun.diagnostics import RulesError, Source
from rulesrun.syntax import nodes
from rulesrun.syntax.parser import parse, parse_goal, parse_policy, parse_setting, parse_value

PROJECT = Path(__file__).parents[2]
RULESETS = [(Path(__file__).parent / "data" / "all_constructs.rules").read_text(encoding="utf-8")] + [
    file.read_text(encoding="utf-8") for file in sorted((PROJECT / "rulesets").glob("*.rules"))
]
HEAD = "rule a\n  x = "


def codes(text: str | bytes) -> list[str]:
    """The kinds of problems that a text has, each with a place; empty if it parses."""
    try:
        source = Source.of_bytes("a.rules", text) if isinstance(text, bytes) else Source.of_text("a.rules", text)
        assert isinstance(parse(source), nodes.File)
    except RulesError as error:
        assert all(each.primary or each.file for each in error.diagnostics)
        return [each.code for each in error.diagnostics]
    return []


@pytest.mark.parametrize(
    "text", ["", "\n", "\n\n\n", "   ", "\t", "# only\n   # comments", "\ufeff", "\r\n\r\n", " \n\t\n "]
)
def test_what_says_nothing_is_an_empty_file(text: str) -> None:
    assert parse(Source.of_bytes("a.rules", text.encode())).items == ()


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (bytes(range(256)), "not-utf-8"),
        ("rule a".encode("utf-16"), "not-utf-8"),
        ("rule a\0", "control-character"),
        ("(" * 5000, "unexpected"),
        (HEAD + "(" * 5000 + "1" + ")" * 5000, "too-deep"),
        (HEAD + "(" * 10_000, "too-deep"),
        (HEAD + "[" * 10_000 + "]" * 10_000, "too-deep"),
        (HEAD + "not " * 4000 + "a", "too-deep"),
        (HEAD + "-" * 4000 + "a", "too-deep"),
        (HEAD + "2^" * 2000 + "a", "too-deep"),
        (HEAD + "sum of " * 2000 + "a", "too-deep"),
        (HEAD + "1 if a otherwise " * 1000 + "a", "too-deep"),
        (HEAD + "for each die in a: " * 500 + "a", "too-deep"),
        (HEAD + "a at (" * 40 + "1" + ")" * 40 + " + 1" * 100, "too-deep"),
        ("rule a\n  given x: " + "list of " * 2000 + "0..", "too-deep"),
        (HEAD + "1" + "+1" * 500_000, "too-long"),
        (HEAD + "[" + "1," * 500_000, "too-long"),
        (HEAD + "1" * 1_000_000, "too-long"),
        ("rule a\n  roll x = 2d" + "1" * 5000, "too-long"),
        ("rule a\n  roll x = " + "1" * 5000 + "d6", "too-long"),
        ("rule a\n  roll x = 3d6kh" + "1" * 5000, "too-long"),
        ("bag a = " + "1" * 5000 + " b", "too-long"),
        ("die a = 1 x" + "1" * 5000, "too-long"),
        ("rule " + "a" * 1_000_000, "too-long"),
        ('rule a "' + "a" * 1_000_000, "text-not-closed"),
        ("=" * 1_000_000, "foreign-sign"),
        ("d" * 1_000_000, "unexpected"),
        ('"' * 1_000_000, "unexpected"),
        ("rule a\n  roll x = " + "1d" * 500_000, "unexpected"),
        (HEAD + "3" + " " * 1_000_000 + "4", "unexpected"),
        (HEAD + "if " + ", " * 900, "unexpected"),
        ("\U0001f3b2" * 500_000, "character"),
        ("rule a\ud800\n  x = 3", "character"),
        ("".join(" " * depth + "rule a\n" for depth in range(1400)), "item-inside"),
        (
            "rule a\n" + "".join(" " * depth + "repeat 3 times\n" for depth in range(1, 40)) + " " * 41 + "x = 3",
            "too-deep",
        ),
        ("rule a\n" + "  x = (\n" * 10_000, "too-deep"),
        ("rule a\n  x = (" + "\n    a" * 10_000, "bracket-not-closed"),
    ],
    ids=range(37),
)
def test_what_is_too_much_is_refused(text: str | bytes, code: str) -> None:
    assert codes(text)[0] == code


def test_a_megabyte_of_text_on_one_line_is_fine() -> None:
    assert codes('rule a "' + "a" * 1_000_000 + '"\n  x = 3 # ' + "b" * 50_000) == []


def test_problems_are_bounded() -> None:
    assert len(codes("foo\n" * 20_000)) == 100
    assert len(codes("rule a\n" + "  x == 3\n" * 20_000)) == 100


@pytest.mark.slow
def test_a_hundred_thousand_lines() -> None:
    rule = "rule a\n  x=1\n  y=x\n"
    assert codes(rule * 33_333) == []
    assert codes(rule * 33_333 + "rule b\n  x ==3") == ["foreign-sign"]


def test_every_slip_is_reported_and_nothing_else() -> None:
    slips = ["x = 3 3", "roll y = d20 + 5", "z == 3"]
    rules = [f"rule r{number}\n    fine = 3\n    {slip}\n    also = 4\n\n" for number, slip in enumerate(slips)]
    with pytest.raises(RulesError) as raised:
        parse(Source.of_text("a.rules", "".join(rules)))
    places = [(each.primary.span.line, each.primary.span.column) for each in raised.value.diagnostics if each.primary]
    assert places == [(3, 11), (8, 18), (13, 7)]


# ---------------------------------------------------------------- at random

WORDS = re.compile(r"[^\W\d]\w*|\d+|\s+|[^\w\s]")


@given(st.text(max_size=200))
@settings(max_examples=300, deadline=None)
def test_any_text_is_a_tree_or_an_error(text: str) -> None:
    codes(text)


@given(st.lists(st.sampled_from(sorted({word for text in RULESETS for word in WORDS.findall(text)})), max_size=40))
@settings(max_examples=400, deadline=None)
def test_any_words_are_a_tree_or_an_error(words: list[str]) -> None:
    codes("".join(words))
    for read in (parse_policy, parse_value, parse_setting, parse_goal):
        try:
            read(Source.of_text("value", "".join(words)))
        except RulesError as error:
            assert error.diagnostics[0].primary


@given(st.sampled_from(RULESETS), st.randoms(use_true_random=False), st.integers(1, 4))
@settings(max_examples=150, deadline=None)
def test_a_ruleset_with_slips_is_a_tree_or_an_error(text: str, chance: random.Random, slips: int) -> None:
    words = WORDS.findall(text)
    for _ in range(slips):
        at = chance.randrange(len(words))
        match chance.randrange(5):
            case 0:
                del words[at]
            case 1:
                words.insert(at, chance.choice(words))
            case 2:
                words[at] = chance.choice(words)
            case 3:
                words[at : at + 2] = words[at : at + 2][::-1]
            case _:
                words.insert(at, chance.choice("\"'()[]{}=:,;|&!?%^~.-+*/<>\n\t\\ \u2212\u201c\uff11"))
    broken = "".join(words)
    found = codes(broken)
    assert len(found) <= 100


@given(st.sampled_from(RULESETS), st.integers(0, 5000))
@settings(max_examples=100, deadline=None)
def test_a_ruleset_cut_short_has_few_problems(text: str, length: int) -> None:
    assert len(codes(text[:length])) <= 3
