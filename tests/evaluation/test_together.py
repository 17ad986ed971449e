"""Cells of a table that differ in one number are a group."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from rulesrun.diagnostics import RulesError
from rulesrun.evaluation.together import Together

Cells = list[dict[str, Any]]


def groups(cells: Cells, *names: str) -> list[tuple[list[tuple[Any, ...]], str | None]]:
    return [([tuple(cell.values()) for cell in group], name) for group, name in Together(iter(cells), frozenset(names))]


def cell(a: Any, b: Any, c: Any = 0) -> dict[str, Any]:
    return {"a": a, "b": b, "c": c}


def test_cells_that_differ_in_one_number() -> None:
    cells = [cell(1, 1), cell(2, 1), cell(3, 1), cell(3, 2), cell(3, 3), cell(4, 4)]
    assert groups(cells, "a", "b") == [
        ([(1, 1, 0), (2, 1, 0), (3, 1, 0)], "a"),
        ([(3, 2, 0), (3, 3, 0)], "b"),
        ([(4, 4, 0)], None),
    ]
    assert groups(cells, "b") == [
        ([(1, 1, 0)], None),
        ([(2, 1, 0)], None),
        ([(3, 1, 0), (3, 2, 0), (3, 3, 0)], "b"),
        ([(4, 4, 0)], None),
    ]
    assert groups(cells) == [([tuple(each.values())], None) for each in cells]
    assert groups([], "a") == []


def test_only_whole_numbers_are_answered_together() -> None:
    for one, other in ((True, False), (1, True), ("x", "y"), (1, "x")):
        assert groups([cell(one, 1), cell(other, 1)], "a", "b") == [([(one, 1, 0)], None), ([(other, 1, 0)], None)]
    assert groups([cell(1, True), cell(2, True)], "a") == [([(1, True, 0), (2, True, 0)], "a")]


def test_from_an_end_on_each_is_by_itself() -> None:
    together = Together(iter([cell(a, 1) for a in range(5)]), frozenset("a"))
    found = []
    for group, _ in together:
        found.append(len(group))
        together.end()
    assert found == [5]
    together = Together(iter([cell(0, 0), cell(1, 1), cell(2, 1), cell(3, 1)]), frozenset("a"))
    found = []
    for group, _ in together:
        found.append(len(group))
        together.end()
    assert found == [1, 1, 1, 1]


def test_an_error_comes_after_the_cells_before_it() -> None:
    def cells() -> Iterator[dict[str, Any]]:
        yield cell(1, 1)
        yield cell(2, 1)
        raise RulesError.of("no such cell", code="bad-input")

    found: list[Any] = []
    with pytest.raises(RulesError, match="no such cell"):
        found.extend(group for group, _ in Together(cells(), frozenset("a")))
    assert [len(group) for group in found] == [2]
