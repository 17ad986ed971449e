"""The highest and lowest of dice that explode adding, of several sorts: against chances added up die by die."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import accumulate

import pytest

import rulesrun

FAR = 400
"""The sums below are followed so far."""
CLOSE = Fraction(1, 10**30)

RULE = """system "Outermost"

rule main
    roll a = {}
    roll b = 2d4
    x = {}
"""


def exploding(sides: int, face: int) -> Mapping[int, Fraction]:
    """A die that adds what it throws next while it shows the face."""
    chances: dict[int, Fraction] = {}
    for times in range(FAR // face):
        for other in range(1, sides + 1):
            if other != face:
                value = times * face + other
                chances[value] = chances.get(value, Fraction(0)) + Fraction(1, sides) ** (times + 1)
    return chances


def below(*dice: Mapping[int, Fraction]) -> list[Fraction]:
    """The chance that all of the dice are at most so high."""
    found = [Fraction(1)] * FAR
    for die in dice:
        rising = accumulate(die.get(value, Fraction(0)) for value in range(FAR))
        found = [so_far * chance for so_far, chance in zip(found, rising, strict=True)]
    return found


def above(*dice: Mapping[int, Fraction]) -> list[Fraction]:
    """The chance that one of the dice is at most so high."""
    found = [Fraction(1)] * FAR
    for die in dice:
        rising = accumulate(die.get(value, Fraction(0)) for value in range(FAR))
        found = [so_far * (1 - chance) for so_far, chance in zip(found, rising, strict=True)]
    return [1 - chance for chance in found]


D6, D8, D8_ON_6 = exploding(6, 6), exploding(8, 8), exploding(8, 6)
D4 = {value: Fraction(1, 4) for value in range(1, 5)}
CASES = {
    ("d6 + d8, explode on sides adding", "highest of a"): below(D6, D8),
    ("d6 + d8, explode on sides adding", "lowest of a"): above(D6, D8),
    ("d6 + d8, explode on 6 adding", "highest of a"): below(D6, D8_ON_6),
    ("2d6 + d8, explode on sides adding", "highest of a"): below(D6, D6, D8),
    ("2d6 + d8, explode on sides adding", "highest of (a + b)"): below(D6, D6, D8, D4, D4),
    ("d6 + d8, explode on sides adding", "lowest of (a + [7])"): above(D6, D8, {7: Fraction(1)}),
}


@pytest.mark.parametrize(("asked", "at_most"), CASES.items())
def test_the_law_and_the_mean_of_the_outermost(asked: tuple[str, str], at_most: list[Fraction]) -> None:
    law = rulesrun.parse(RULE.format(*asked))["main"].odds().of("x")
    assert [law[value] for value in range(1, 40)] == [at_most[v] - at_most[v - 1] for v in range(1, 40)]
    assert abs(law.mean - sum(1 - chance for chance in at_most)) < CLOSE


def test_what_is_asked_beside_it_adds_to_the_mean() -> None:
    law = rulesrun.parse(RULE.format("d6 + d8, explode on sides adding", "2 * highest of a - sum of b"))["main"].odds()
    assert abs(law.of("x").mean - (2 * sum(1 - chance for chance in below(D6, D8)) - 5)) < CLOSE


@pytest.mark.parametrize(
    ("value", "mean"),
    [("die", 6), ("die * 2", 12), ("die / 3", 2), ("die + die", 12), ("3 * die if die > 0 otherwise 0", 18)],
)
def test_a_multiple_for_each_die_that_explodes_adding(value: str, mean: int) -> None:
    rule = rulesrun.parse(RULE.format("2d3, explode on 3 adding", f"for each die in a: {value}"))["main"]
    assert rule.odds().of("x").mean == mean


def test_a_mean_is_not_that_of_the_part_that_was_followed() -> None:
    """Kept dice that are known only up to a cap, asked twice: their chances are exact, a mean is not known."""
    kept = "2d3, explode on 3 adding, keep highest 1"
    law = rulesrun.parse(RULE.format(kept, "sum of a + 1 if sum of a > 3 otherwise 0"))["main"].odds().of("x")
    assert law[0] == Fraction(4, 9) and law[5] == Fraction(13, 81)
    with pytest.raises(rulesrun.RulesError, match="the mean of this endless result is not known exactly"):
        law.mean  # noqa: B018


def test_a_value_that_is_another_multiple_further_on_is_no_multiple() -> None:
    """At 250 it is 3 * 250, beyond it is more."""
    value = "for each die in a: 3 * die if die < 250 otherwise 5 * die - 500"
    rule = rulesrun.parse(RULE.format("2d3, explode on 3 adding", value))["main"]
    faces = [(3 * times + rest, Fraction(1, 3 ** (times + 1))) for times in range(83, 600) for rest in (1, 2)]
    more = sum(chance * (2 * face - 500) for face, chance in faces if face >= 250)
    assert more > Fraction(1, 3**90)
    assert abs(rule.odds().of("x").mean - 2 * (9 + more)) < Fraction(1, 3**500)
