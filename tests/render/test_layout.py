"""Text in terminal cells."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulesrun.render.layout import WIDTH, Paint, bar, grid, width, wrap

WORDS = st.text("ab字é ", max_size=60)


@pytest.mark.parametrize(
    ("text", "cells"),
    [("", 0), ("abc", 3), ("漢字", 4), ("e\u0301", 1), ("\x1b[1;31mab\x1b[0m", 2), ("█", 1), ("a\u200bb", 2)],
)
def test_width(text: str, cells: int) -> None:
    assert width(text) == cells


@given(WORDS, st.integers(8, 40))
def test_wrapping_keeps_the_words_and_the_width(text: str, cells: int) -> None:
    lines = wrap(text, cells, first="- ")
    assert " ".join(" ".join(lines).removeprefix("-").split()) == " ".join(text.split())
    assert all(width(line) <= cells or len(line.split()) <= 2 for line in lines)


@given(st.lists(st.tuples(WORDS, WORDS, WORDS), min_size=1, max_size=5))
def test_a_grid_fits_where_its_words_do(rows: list[tuple[str, str, str]]) -> None:
    lines = grid(rows, cells=WIDTH)
    longest = max((width(word) for row in rows for cell in row for word in cell.split()), default=0)
    first = max(width(row[0]) for row in rows)
    if first + 2 * longest + 6 <= WIDTH:
        assert all(width(line) <= WIDTH for line in lines)
    assert sorted("".join(lines).replace(" ", "")) == sorted("".join(map("".join, rows)).replace(" ", ""))


def test_a_grid_aligns_and_leaves_out_empty_columns() -> None:
    assert grid([("a", "", "1", "x"), ("bcd", "", "22", "y")], indent=1, right=(2,)) == [" a     1  x", " bcd  22  y"]
    assert grid([("1",), ("22",)], indent=0, right=(0,)) == [" 1", "22"]
    assert grid([]) == []


def test_wide_columns_are_wrapped() -> None:
    assert grid([("name", "some words that go on", "and more words behind them")], cells=30) == [
        "  name  some words  and more",
        "        that go on  words",
        "                    behind",
        "                    them",
    ]


@pytest.mark.parametrize(
    ("share", "drawn"),
    [
        (Fraction(0), ""),
        (Fraction(1), "████"),
        (Fraction(1, 2), "██"),
        (Fraction(1, 32), "▏"),
        (Fraction(31, 32), "███▉"),
        (Fraction(1, 10**9), "▏"),
    ],
)
def test_bars_are_as_long_as_their_share(share: Fraction, drawn: str) -> None:
    assert bar(share, 4) == drawn


def test_paint_only_when_on() -> None:
    assert Paint().good("a") == "a"
    assert Paint(on=True).good("a") == "\x1b[1;32ma\x1b[0m"
    assert Paint(on=True).good("") == ""
