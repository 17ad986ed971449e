"""Numbers that end on one side: conditions on them, and distributions of which a part is known only up to a bound."""

from __future__ import annotations

from fractions import Fraction

import pytest

import rulesrun
from rulesrun import RulesError

D4 = 4


def bursting(number: int) -> Fraction:
    """The chance that a d4 that explodes on 4 adds up to the number."""
    turns, last = divmod(number, D4)
    return Fraction(1, D4 ** (turns + 1)) if number > 0 and last else Fraction(0)


def up_to(number: int) -> Fraction:
    return sum(map(bursting, range(number + 1)), Fraction(0))


def test_conditions_on_what_has_no_lowest_number() -> None:
    odds = rulesrun.parse("""
rule r
    roll a = d6
    roll e = d4, explode on 4
    flag near  if a - sum of e in 1..2
    flag below if a - sum of e in ..3
    flag up    if sum of e - a in -2..-1
    flag far   if 2 * a - sum of e in (3 or 5 or ..0)
""")["r"].odds()

    def chance(a: int, low: int) -> Fraction:
        """That the die shows `a` and the sum is no less than that."""
        return Fraction(1, 6) * (1 - up_to(low - 1))

    faces = range(1, 7)
    near = sum((Fraction(1, 6) * (bursting(a - 1) + bursting(a - 2)) for a in faces), Fraction(0))
    assert odds["near"] == odds["up"] == near
    assert odds["below"] == sum(chance(a, a - 3) for a in faces)
    far = sum(chance(a, 2 * a) + Fraction(1, 6) * (bursting(2 * a - 3) + bursting(2 * a - 5)) for a in faces)
    assert odds["far"] == far


def test_what_is_known_up_to_a_bound_beside_what_is_known_throughout() -> None:
    found = (
        rulesrun.parse("""
rule r
    roll c = d2
    roll e = d4, explode on 4
    roll f = d4 + d3, explode on sides adding
    x = sum of e if c = 1 otherwise highest of f
""")["r"]
        .odds()
        .of("x")
    )

    def of_both(number: int) -> Fraction:
        """That neither the d4 nor the d3 shows more."""
        level, rest = divmod(number, 3)
        return up_to(number) * (1 - Fraction(1, 3**level) * (1 - Fraction(rest, 3)))

    def wanted(number: int) -> Fraction:
        return (bursting(number) + of_both(number) - of_both(number - 1)) / 2

    known = dict(found.items())
    assert 50 < max(known) < 1000
    assert all(
        known.get(number, 0) == wanted(number) for number in (*range(1, 10), *range(max(known) - 6, max(known) + 1))
    )
    assert found.tail == 1 - (up_to(max(known)) + of_both(max(known))) / 2
    assert found[max(known) + 2] == wanted(max(known) + 2)


def together(number: int) -> Fraction:
    """The chance that two d4 that explode on 4 add up to the number."""
    return sum((bursting(one) * bursting(number - one) for one in range(number)), Fraction(0))


def test_the_greater_of_a_sum_and_its_half_and_more() -> None:
    found = rulesrun.parse("""
rule r
    roll e = 2d4, explode on 4
    x = max(sum of e, round_down(sum of e / 2) + 4)
""")["r"]
    law = found.odds().of("x")
    # From 8 on the sum itself is no less; 2 and 3 give 5, 4 and 5 give 6, 6 and 7 give 7.
    assert [law[number] for number in range(5, 8)] == [together(n) + together(n + 1) for n in (2, 4, 6)]
    assert all(law[number] == together(number) for number in range(8, 40))


def test_the_sum_and_the_highest_of_dice_that_add_up() -> None:
    rule = rulesrun.parse("""
rule r
    roll f = 2d4, explode on 4 adding
    x = sum of f
    y = x if highest of f >= 5 otherwise 0
    flag far if x >= 8
""")["r"]
    odds = rule.odds()
    x, y = odds.of("x"), odds.of("y")
    assert all(x[number] == together(number) for number in range(40))
    low = sum((bursting(a) * bursting(b) for a in range(1, 4) for b in range(1, 4)), Fraction(0))
    assert y[0] == low
    for number in range(1, 30):
        below = sum((bursting(a) * bursting(number - a) for a in range(1, 4) if number - a in range(1, 4)), Fraction(0))
        assert y[number] == together(number) - below
    assert odds["far"] == 1 - sum(map(together, range(8)), Fraction(0))


@pytest.mark.parametrize("again", ["sum >= n", "any n..6", "none n + 6"])
def test_throws_that_always_bring_another_have_no_odds(again: str) -> None:
    text = f"rule r\n    given n: 0.. = 1\n    roll p = 2d6, again on {again}\n    x = sum of p + n\n"
    with pytest.raises(RulesError, match="never ends"):
        rulesrun.parse(text)["r"].odds().of("x")
