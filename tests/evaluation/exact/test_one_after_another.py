"""Modifiers one after another, whose throws are listed: the reference says the same."""

from __future__ import annotations

import pytest
from tests.reference import enumerate_rule

import rulesrun
from rulesrun.diagnostics import Source
from rulesrun.syntax.parser import parse

THROWS = [
    "2d3, explode on 3 at most 1 times, keep highest 2",
    "2d3, explode on 3 at most 2 times, keep lowest 2",
    "2d3, explode on 3 adding at most 2 times, keep highest 1",
    "2d3, explode on 3 rolling d4 at most 2 times, keep highest 2",
    "1d4, explode on 4 rolling 2d3 at most 2 times",
    "1d3, explode on 3 rolling 2d3 at most 2 times, keep highest 3",
    "2d3, reroll 1 at most 2 times, explode on 3 at most 1 times",
    "3d3, keep highest 2, explode on 3 at most 2 times",
    "3d3, keep highest 2, reroll 1 at most 1 times, drop lowest 1",
    "2d3, again on sum >= 5 at most 2 times, keep highest 2",
    "2d3, drop lowest 1, again on any 3 at most 2 times",
    "2d3 + 1d4, keep highest 2, explode on 3.. at most 1 times",
    "2d3, with advantage 1",
    "2d3, keep highest 1, with advantage 2",
    "2d3, explode on 3 at most 1 times, with advantage -1",
]
ASKED = {
    "x": "sum of p * 100 + size of p * 10 + highest of p",
    "y": "10 * largest set in p + (1 if all equal in p otherwise 0)",
}


@pytest.mark.parametrize("throw", THROWS)
def test_as_the_reference_throws_them(throw: str) -> None:
    text = f"rule r\n    roll p = {throw}\n" + "".join(f"    {name} = {value}\n" for name, value in ASKED.items())
    reference = enumerate_rule(parse(Source.of_text("text", text)), "r")
    odds = rulesrun.parse(text)["r"].odds()
    for name in ASKED:
        wanted = {value: chance for value, chance in reference.of(name).items() if chance}
        assert dict(odds.of(name).items()) == wanted
        assert sum(wanted.values()) == 1


@pytest.mark.parametrize(
    ("throw", "said"),
    [
        ("1d4, explode on 4 rolling 2d4", "too large"),  # half a die more for each on average: it ends
        ("1d2, explode on 2 rolling 2d2", "too large"),  # just one more: it ends, however late
        ("1d2, explode on 2 rolling 3d2", "need not end"),
        ("2d3, again on any 1..3", "never ends"),
    ],
)
def test_what_adds_several_dice_without_end_is_refused(throw: str, said: str) -> None:
    with pytest.raises(rulesrun.RulesError, match=said):
        rulesrun.parse(f"rule r\n    roll p = {throw}\n    flag x if size of p = 1\n")["r"].odds()


@pytest.mark.parametrize("throw", ["1d4, explode on 4 rolling 2d4", "3d6, explode on 6 rolling 2d6"])
def test_a_larger_budget_is_not_offered_where_it_does_not_help(throw: str) -> None:
    with pytest.raises(rulesrun.RulesError, match="too large") as refused:
        rulesrun.parse(f"rule r\n    roll p = {throw}\n    flag x if size of p = 1\n")["r"].odds()
    assert refused.value.hint is not None and "--budget" not in refused.value.hint
    assert "at most 5 times" in refused.value.hint
