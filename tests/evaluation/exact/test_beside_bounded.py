"""A sum without end beside what the first throw alone decides, and what has no exact chance, said so."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product

import pytest

import rulesrun

from .nearly import lies_where_enumeration_leaves_room

SAVING = """rule r
    roll dice = 2d3, again on all equal
    luck = sum of natural dice
    total = sum of dice
    outcome
        - fumble  if luck = 3
        + made    if total >= 7
        - failure otherwise
"""


def saving() -> dict[tuple[int, int], Fraction]:
    """The sums of the first throw and of all, until less than 3^-12 is left."""
    found: dict[tuple[int, int], Fraction] = {}
    open_ = {(0, 0): Fraction(1)}
    for throw in range(12):
        following: dict[tuple[int, int], Fraction] = {}
        for (first, total), chance in open_.items():
            for one, other in product(range(1, 4), repeat=2):
                into = following if one == other else found
                key = (first if throw else one + other, total + one + other)
                into[key] = into.get(key, Fraction(0)) + chance / 9
        open_ = following
    return found


VALUES: dict[str, Callable[[int, int], int]] = {
    "total": lambda first, total: total,
    "total + 2 * luck": lambda first, total: total + 2 * first,
    "total if luck > 3 otherwise luck": lambda first, total: total if first > 3 else first,
    "luck if total >= 7 otherwise 0": lambda first, total: first if total >= 7 else 0,
    "max(0, round_down((total - 5) / 2)) if luck != 3 otherwise -1": lambda first, total: (
        max(0, (total - 5) // 2) if first != 3 else -1
    ),
}


@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize("given", [None, "luck in even"])
def test_all_throws_beside_the_first(value: str, given: str | None) -> None:
    wanted: dict[object, Fraction] = {}
    for (first, total), chance in saving().items():
        if given is None or first % 2 == 0:
            at = VALUES[value](first, total)
            wanted[at] = wanted.get(at, Fraction(0)) + chance
    whole = Fraction(1) if given is None else rulesrun.parse(SAVING)["r"].odds().chance(given)
    found = rulesrun.parse(SAVING)["r"].odds(given=given).of(value)
    room = (whole - sum(wanted.values())) / whole
    assert 0 <= room < Fraction(1, 10**5)
    lies_where_enumeration_leaves_room(found, {at: chance / whole for at, chance in wanted.items()}, room)


def test_outcomes_by_the_first_throw_and_by_all() -> None:
    odds = rulesrun.parse(SAVING)["r"].odds()
    assert odds["fumble"] == Fraction(2, 9)
    lower = sum((chance for (first, total), chance in saving().items() if first != 3 and total < 7), Fraction(0))
    assert odds["failure"] == lower


@pytest.mark.parametrize("value", ["face of largest set in p", "count 3 in p > count 2 in p"])
def test_which_of_two_exploding_faces_shows_most_is_no_fraction(value: str) -> None:
    rule = rulesrun.parse(f"rule r\n    roll p = 3d3, explode on 2..3\n    x = {value}\n")["r"]
    with pytest.raises(rulesrun.RulesError, match="no exact chance here that is a fraction") as refused:
        rule.odds().of("x")
    assert "--sample" in str(refused.value.diagnostics[0].hint)
