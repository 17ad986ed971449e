"""Lists that are known, where what is known is worked out as in a roll."""

from __future__ import annotations

from fractions import Fraction
from unittest.mock import patch

import rulesrun
from rulesrun.evaluation.exact.expressions import outright


def test_an_item_of_a_known_list_is_looked_up() -> None:
    text = """
rule r
    given need: list of 0..9
    roll hand = 2d2
    hold = hand with each die as die
    x = (for each die in hold: die * count die in hold) + (need at 1)
"""
    with patch.object(outright, "OFTEN", 0), patch.object(outright, "ENOUGH", 0):
        found = rulesrun.parse(text)["r"].odds(need=[3]).of("x")
    assert dict(found.items()) == {6: Fraction(1, 2), 7: Fraction(1, 4), 11: Fraction(1, 4)}
