"""Dice that are looked at only after something was left open about them: the reference says the same."""

from __future__ import annotations

from fractions import Fraction

import pytest
from tests.reference import enumerate_rule

import rulesrun
from rulesrun.diagnostics import Source
from rulesrun.syntax.parser import parse

FIRST_OPEN = {
    "pairs of two throws, one of which is looked at": """
pool = p + q
x = pairs of 3 in pool + 10 * groups of 4 in q
""",
    "pairs, where a known die is odd": """
pool = p + q
n = pairs of 3 in pool
x = n if groups of 3 in q >= 1 otherwise 9
""",
    "even or odd": """
even_one = sum of p + sum of q in even
x = 1 if even_one and groups of 4 in q >= 1 otherwise 0
""",
    "faces that show": """
some = any 3 in (p + q)
all_low = all ..2 in (p + q)
x = groups of 3 in q + (10 if some otherwise 0) + (100 if all_low otherwise 0)
""",
    "rounded and extreme": """
half = round_down((sum of p + sum of q) / 2)
more = max(sum of p, 2 * sum of q - 1)
x = (half if half >= 4 otherwise 0) + 10 * groups of 4 in q + 100 * more
""",
    "what is left of a pool": """
pool = p + q
x = sum of highest 2 of pool + 10 * groups of 4 in q
""",
}


@pytest.mark.parametrize("case", FIRST_OPEN)
def test_what_was_open_before(case: str) -> None:
    lines = "roll p = 2d3\nroll q = 2d3\n" + FIRST_OPEN[case].strip()
    text = "rule r\n" + "".join(f"    {line}\n" for line in lines.splitlines())
    wanted = enumerate_rule(parse(Source.of_text("text", text)), "r").of("x")
    found = rulesrun.parse(text)["r"].odds().of("x")
    assert dict(found.items()) == {value: chance for value, chance in wanted.items() if chance}
    assert sum(wanted.values()) == Fraction(1)
