"""Lists of numbers of which some have no end: asked without being known, and as they come out by hand.

`q` is a coin of 1 and 2 that explodes on 2, each throw added: 1, 3, 5, ... with 1/2, 1/4, 1/8, ...; `p` is a d2.
"""

from __future__ import annotations

from fractions import Fraction

import pytest

import rulesrun

RULE = """system "Lists"

rule other
    given party: list of ..
    total = sum of party + highest of party

rule main
    roll p = d2
    roll q = d2!
    roll r = d2!
    roll hand = 2d2
    x = {}
"""
HALF, QUARTER, EIGHTH = Fraction(1, 2), Fraction(1, 4), Fraction(1, 8)
ASKED: dict[str, dict[object, Fraction]] = {
    "size of [q, 2]": {2: Fraction(1)},
    "sum of [q, 2]": {3: HALF, 5: QUARTER, 7: EIGHTH},
    "highest of [q, 2]": {2: HALF, 3: QUARTER, 5: EIGHTH},
    "lowest of [q, 2]": {1: HALF, 2: HALF},
    "middle of [q, 2, 4]": {2: HALF, 3: QUARTER, 4: QUARTER},
    "middle of [p * q, 2]": {1: QUARTER, 2: 3 * QUARTER},
    "highest of [p * q, 1]": {1: QUARTER, 2: QUARTER, 3: EIGHTH, 5: EIGHTH / 2},
    "count 2.. in [q, 3, 1]": {1: HALF, 2: HALF},
    "count not 3 in [q, 3, 1]": {1: QUARTER, 2: 3 * QUARTER},
    "pairs of ..3 in [q, 3, 5]": {0: QUARTER, 1: 3 * QUARTER},
    "count 1 or 5 in [p + q, 1]": {1: 1 - EIGHTH, 2: EIGHTH},
    "1 if any 3 in [q, 7] otherwise 0": {0: 3 * QUARTER, 1: QUARTER},
    "1 if all 3.. in [q, 7] otherwise 0": {0: HALF, 1: HALF},
    "1 if none odd in [q, r] otherwise 0": {0: Fraction(1)},
    "distinct in [q, 1, 3]": {2: 3 * QUARTER, 3: QUARTER},
    "largest set in [q, 1, 1]": {2: HALF, 3: HALF},
    "face of largest set in [q, 3, 5]": {5: HALF + EIGHTH, 3: QUARTER, 7: EIGHTH / 2},
    "face of largest set in [q, 3, 3]": {3: Fraction(1)},
    "sets of 2 in [q, r, 2]": {0: Fraction(2, 3), 1: Fraction(1, 3)},
    "longest run in [q, 2, 4]": {1: Fraction(1, 4) - EIGHTH, 2: HALF + EIGHTH, 3: QUARTER},
    "1 if all equal in [q, r] otherwise 0": {0: Fraction(2, 3), 1: Fraction(1, 3)},
    "count >= q in [p, 2]": {0: HALF, 1: Fraction(0), 2: HALF},
    "count (q + 0) in [p, 2]": {0: 3 * QUARTER, 1: QUARTER},
    "1 if none >= sum of hand + q in [p, 3, 3] otherwise 0": {0: EIGHTH, 1: 1 - EIGHTH},
    "for each die in [q, p]: 1 if die > 1 otherwise 0": {0: QUARTER, 1: HALF, 2: QUARTER},
    "for each die in [q, 1]: die + 1": {4: HALF, 6: QUARTER, 8: EIGHTH},
    "q / p": {HALF: QUARTER, 1: QUARTER, Fraction(3, 2): EIGHTH, 3: EIGHTH},
    "q * (p - 1)": {0: HALF, 1: QUARTER, 3: EIGHTH},
}


@pytest.mark.parametrize(("asked", "chances"), ASKED.items())
def test_a_list_with_endless_numbers(asked: str, chances: dict[object, Fraction]) -> None:
    law = rulesrun.parse(RULE.format(asked))["main"].odds().of("x")
    assert {value: law[value] for value in chances} == chances


def test_a_list_with_endless_numbers_is_passed_on() -> None:
    text = RULE.format("other.total").replace("    x =", "    roll other = other(party = [q, 2])\n    x =")
    law = rulesrun.parse(text)["main"].odds().of("x")
    assert [law[value] for value in (5, 8, 12)] == [HALF, QUARTER, EIGHTH]


def test_a_number_beyond_what_is_followed_is_not_taken_for_another() -> None:
    """The square of an endless number may be 1,000,002,000,001, however unlikely: an error, not a chance without it."""
    rule = rulesrun.parse(RULE.format("distinct in [q ^ 2, 1000002000001]"))["main"]
    with pytest.raises(rulesrun.RulesError, match="endless in a way that has no exact chance here"):
        rule.odds().of("x")


def test_an_endless_number_is_not_divided_by_nothing() -> None:
    with pytest.raises(rulesrun.RulesError, match="division by zero"):
        rulesrun.parse(RULE.format("q / (p - 1)"))["main"].odds()
