"""The canonical layout: nothing but blanks changes, and laying out again changes nothing."""

import random
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulesrun.diagnostics import RulesError, Source
from rulesrun.record import field_names
from rulesrun.syntax import nodes as n
from rulesrun.syntax.layout_text import format_text
from rulesrun.syntax.parser import parse

DATA = Path(__file__).parent / "data"
PROJECT = Path(__file__).parents[2]
FILES = [*sorted((PROJECT / "rulesets").glob("*.rules")), DATA / "all_constructs.rules", DATA / "untidy.rules"]
FILES += [PROJECT / "tests" / "semantics" / "constructs" / "sheet.rules"]
TEXTS = [file.read_text(encoding="utf-8") for file in FILES]
PIECES = re.compile(r'"[^"\n]*"|#[^\n]*|\n[ \t]*|[ \t]+|[^\s"#]+')


def laid_out(text: str) -> str:
    return format_text(Source.of_text("a.rules", text))


def bare(part: Any) -> Any:
    if isinstance(part, tuple):
        return tuple(bare(each) for each in part)
    if isinstance(part, n.Part):
        return (type(part).__name__, *(bare(getattr(part, name)) for name in field_names(part) if name != "span"))
    return part


def tree(text: str) -> Any:
    return bare(parse(Source.of_text("a.rules", text)))


def comments(text: str) -> list[str]:
    return [piece.rstrip() for piece in PIECES.findall(text) if piece.startswith("#")]


def check(text: str) -> str:
    """Lays the text out and holds every promise against it."""
    done = laid_out(text)
    assert tree(done) == tree(text)
    assert comments(done) == comments(text)
    assert laid_out(done) == done
    assert not re.search(r"[ \t]$|\n\n\n|\t|\A\n|\n\n\Z", done, re.MULTILINE)
    assert done == "" or done.endswith("\n")
    return done


def test_an_untidy_file() -> None:
    assert check((DATA / "untidy.rules").read_text(encoding="utf-8")) == (DATA / "tidy.rules").read_text(
        encoding="utf-8"
    )


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_rulesets(file: Path) -> None:
    check(file.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    "text", ["", "\n\n", "  ", "# only\n\n\n  # comments\n\n", "setting a = 1", "\r\n# x\r\nsetting a = 1\r"]
)
def test_hardly_anything(text: str) -> None:
    check(text)


def test_what_does_not_parse_is_refused() -> None:
    with pytest.raises(RulesError):
        laid_out("rule a\n    x == 3\n")


@pytest.mark.parametrize(
    ("written", "wanted"),
    [
        ("x=a-b", "x = a - b"),
        ("x=-b- -c", "x = -b - -c"),
        ("x=a*-b^2", "x = a * -b ^ 2"),
        ("x=[-1,+2,(-3)]", "x = [-1, +2, (-3)]"),
        ("x=a . b . c", "x = a.b.c"),
        ("x=(t at 3).label is easy", "x = (t at 3).label is easy"),
        ("x=1/3", "x = 1/3"),
        ("x=2*1/3", "x = 2 * 1 / 3"),
        ("x=1/3^2", "x = 1 / 3 ^ 2"),
        ("x=a/3", "x = a / 3"),
        ("x=35%*a", "x = 35% * a"),
        ("x=min (a,b)", "x = min(a, b)"),
        ("x=highest(2)of p", "x = highest (2) of p"),
        ("x=count>=3 or 1 ..2 or not_one in p", "x = count >= 3 or 1..2 or not_one in p"),
        ("x=count ..-1 in p", "x = count ..-1 in p"),
        ("x=a in -3..-1", "x = a in -3..-1"),
        ("x=a   in(1 or 2)", "x = a in (1 or 2)"),
        ("x=for   each die in 1..5:die", "x = for each die in 1..5: die"),
        ("given a:..=-2", "given a: .. = -2"),
        ("given a:..5 or none", "given a: ..5 or none"),
        ("given a:0..size of p", "given a: 0..size of p"),
        ("given a:one   of b,c", "given a: one of b, c"),
        ("roll x=2d10+size d10+2d( sides )+d{ 1,2 x 3 }+d %", None),
        (
            "roll x=2d10+2 d10+2d( sides )+d( 3 )+d{ 1,2 x 3 }+d%",
            "roll x = 2d10 + 2 d10 + 2d(sides) + d(3) + d{1, 2 x3} + d%",
        ),
        ("roll x=4d6 kh3 !,reroll<3", "roll x = 4d6kh3!, reroll < 3"),
        ("roll x=other( a=3,b . c=none )", "roll x = other(a = 3, b.c = none)"),
        ("roll x=(a+b)d( c )", "roll x = (a + b) d(c)"),
        ("roll x=dice   of(p showing not 6)", "roll x = dice of (p showing not 6)"),
        ('limit"t":a>3', 'limit "t": a > 3'),
        ("choice x:0.. by   default best", "choice x: 0.. by default best"),
        ("x   +=  1 if  b", "x += 1 if b"),
        ("x becomes x-1", "x becomes x - 1"),
        ("repeat until a,at   most 3 times\n        x=1", "repeat until a, at most 3 times\n        x = 1"),
    ],
)
def test_blanks_in_a_line(written: str, wanted: str | None) -> None:
    text = f"rule a\n    {written}\n"
    if wanted is None:
        with pytest.raises(RulesError):
            laid_out(text)
    else:
        assert check(text) == f"rule a\n    {wanted}\n"


def test_items_are_one_empty_line_apart() -> None:
    text = "setting a = 1\nsetting b = 2\n\n\nsetting c = 3\ndie e = 1, 2\nrule a\n  x = 1\nrule b\n  x = 1\n"
    text += "# of c\nrule c\n  x = 1\n"
    assert check(text) == (
        "setting a = 1\nsetting b = 2\n\nsetting c = 3\n\ndie e = 1, 2\n\nrule a\n    x = 1\n\nrule b\n    x = 1\n\n"
        "# of c\nrule c\n    x = 1\n"
    )


def test_lines_that_belong_together_have_columns() -> None:
    text = """rule a
    given one: 0..
    given three: yes or no = no "x"
    given fourteen: 0.. = 3 "y"
    a = 1
    bcd = 2
    roll e = 2d6
    roll fgh = 3d6, keep highest 2 if a
    outcome
        + great if a "text"
        - bad otherwise "text"
"""
    assert (
        check(text)
        == """rule a
    given one:      0..
    given three:    yes or no = no  "x"
    given fourteen: 0.. = 3         "y"
    a   = 1
    bcd = 2
    roll e   = 2d6
    roll fgh = 3d6, keep highest 2  if a
    outcome
        + great  if a       "text"
        - bad    otherwise  "text"
"""
    )


# ---------------------------------------------------------------- at random


def disturbed(text: str, chance: random.Random) -> str:
    """The same ruleset with other blanks, other indentation, more comments, and breaks inside brackets."""
    unit = chance.choice(["  ", "   ", "\t", "      "])
    out: list[str] = []
    brackets = 0
    remarks = 0
    for piece in PIECES.findall(text.strip() + "\n"):
        if piece.startswith(("#", '"')):
            out.append(piece)
            continue
        if piece.startswith("\n"):
            if brackets:
                out.append(piece)
                continue
            if chance.random() < 0.15:
                remarks += 1
                out.append(chance.choice(["", " ", "   "]) + f"# remark {remarks} (")
            if chance.random() < 0.2:
                out.append("\n" * chance.randint(1, 3))
            if chance.random() < 0.1:
                remarks += 1
                out.append("\n" + " " * chance.randint(0, 12) + f'# own "row {remarks}')
            out.append("\n" + unit * ((len(piece.expandtabs(4)) - 1) // 4))
            continue
        if piece.isspace():
            may_break = brackets and re.search(r"([,+*/=-]|\A(and|or|if|otherwise))\Z", out[-1])
            if may_break and chance.random() < 0.2:
                out.append("\n" + " " * chance.randint(0, 9))
            elif may_break and chance.random() < 0.1:
                remarks += 1
                out.append(f" # inside {remarks}\n\n  # again\n ")
            else:
                out.append(chance.choice([" ", "  ", "\t", " \t "]))
            continue
        brackets += sum(map(piece.count, "([{")) - sum(map(piece.count, ")]}"))
        out.append(piece)
    return "".join(out)


@given(st.sampled_from([laid_out(text) for text in TEXTS]), st.integers(0, 2**32))
@settings(max_examples=60, deadline=None)
def test_any_layout_becomes_the_same_text(text: str, seed: int) -> None:
    other = disturbed(text, random.Random(seed))
    assert tree(other) == tree(text)
    check(other)
