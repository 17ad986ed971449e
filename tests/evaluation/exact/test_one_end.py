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
    roll f = 2d4, explode on 4 adding
    x = sum of e if c = 1 otherwise highest of f
""")["r"]
        .odds()
        .of("x")
    )

    def wanted(number: int) -> Fraction:
        return (bursting(number) + up_to(number) ** 2 - up_to(number - 1) ** 2) / 2

    known = dict(found.items())
    assert 200 < max(known) < 1000
    assert all(
        known[number] == wanted(number)
        for number in (*range(1, 10), *range(max(known) - 6, max(known) + 1))
        if number % D4
    )
    assert found.tail == 1 - (up_to(max(known)) + up_to(max(known)) ** 2) / 2
    assert found[max(known) + 2] == wanted(max(known) + 2)


@pytest.mark.parametrize("again", ["sum >= n", "any n..6", "none n + 6"])
def test_throws_that_always_bring_another_have_no_odds(again: str) -> None:
    text = f"rule r\n    given n: 0.. = 1\n    roll p = 2d6, again on {again}\n    x = sum of p + n\n"
    with pytest.raises(RulesError, match="never ends"):
        rulesrun.parse(text)["r"].odds().of("x")
