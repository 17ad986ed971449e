"""Numbers of a list among dice that are thrown again: they show what they showed."""

from __future__ import annotations

from fractions import Fraction

import rulesrun


def test_a_number_of_a_list_stays_when_it_is_thrown_again() -> None:
    text = (
        "rule test\n    roll pool = 2d2\n    both = pool + [7, 7, 9]\n    roll again = dice of both\n"
        "    roll once_more = dice of again\n    total = sum of once_more\n"
    )
    assert dict(rulesrun.parse(text)["test"].odds().of("total").items()) == {
        25: Fraction(1, 4),
        26: Fraction(1, 2),
        27: Fraction(1, 4),
    }
