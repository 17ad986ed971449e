"""`for each NAME in …` where all is known: the function that is written for it says what the enumerator says."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from unittest.mock import patch

import pytest
from tests.reference import enumerate_rule

import rulesrun
from rulesrun.diagnostics import Source
from rulesrun.evaluation.exact.expressions import outright
from rulesrun.syntax.parser import parse

HEAD = """
die omen = 1, 2 & star, 3 & moon
rule squares
    given low: ..
    got = for each step in low..3: step * step
rule main
"""
SUMS = {
    "faces held against two pools": "roll q = 2d3\nx = for each face in 1..3: min(count face in p, count face in q)",
    "an inner range that ends at the item": "x = for each a in p: a * (for each b in 1..a: b * 2)",
    "an inner item of the same name": "x = for each a in p: (for each a in a..3: a) - a",
    "dice that show the item": "x = for each a in 1..3: a * (for each b in (p showing a): b)",
    "a name above is hidden": "y = sum of p\nx = (for each y in 1..3: y * count y in p) + 10 * y",
    "sides and targets": "roll q = 1d2 + 1d3, against 2\nx = for each a in q + p: sides * a + (1 if a > 1 otherwise 0)",
    "a formula that sums": "x = for each a in p: squares(low = a).got - a",
    "symbols beside numbers": "roll q = 2 omen\nx = for each a in q: 7 if a is star otherwise a * count a in p",
    "in a condition on each die": "x = sum of (p where (for each b in die..3: b * count b in p) >= 4)",
    "in a changed face": "x = sum of (p with each die as (for each b in 1..die: b + count b in p))",
    "against another die": "roll q = 2d3\nx = size of (p cancelled by q when (for each b in 1..other: b) >= die + 2)",
    "of tracked dice": (
        "track n = no dice\nrepeat 3 times\n    roll r = 1d3\n    n becomes highest 2 of (n + r)\n"
        "x = for each a in n: a ^ 2 + (for each b in a..3: b) * count a in n"
    ),
}


@pytest.mark.parametrize("what", SUMS)
@pytest.mark.parametrize("often", [0, 2, outright.OFTEN])
def test_a_sum_is_the_enumerators(what: str, often: int) -> None:
    lines = "".join(f"    {line}\n" for line in f"roll p = 2d3\n{SUMS[what]}".split("\n"))
    source = Source.of_text("items.rules", f"{HEAD}{lines}")
    with patch.object(outright, "OFTEN", often), patch.object(outright, "ENOUGH", 0):
        odds = rulesrun.parse(source.text)["main"].odds().of("x")
    assert {value: chance for value, chance in odds.items() if chance} == enumerate_rule(parse(source), "main").of("x")


def test_such_a_function_is_written() -> None:
    """That the sums above reach it."""
    written: list[Any] = []
    function = outright._Known.function

    def watched(self: outright._Known) -> Callable[..., Any]:
        written.append(self.at)
        return function(self)

    for lines in SUMS.values():
        text = HEAD + "".join(f"    {line}\n" for line in f"roll p = 2d3\n{lines}".split("\n"))
        with patch.object(outright, "OFTEN", 0), patch.object(outright._Known, "function", watched):
            list(rulesrun.parse(text)["main"].odds().of("x").items())
    assert len(written) >= len(SUMS) // 2
