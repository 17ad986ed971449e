"""Where faces come from: unbiased, the same for the same seed, and known ones through the same door."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random

import pytest

import rulesrun
from rulesrun.diagnostics import RulesError
from rulesrun.evaluation.draws import Draws, Given, Numbered, below, numbered_faces
from rulesrun.evaluation.roll import Roll, RuleRoller
from rulesrun.semantics.plan import Faces

CHI_SQUARE_999 = {1: 10.9, 3: 16.3, 5: 20.6, 11: 31.3, 19: 43.9, 99: 148.3}
"""Bounds that a fair die passes 999 times in 1000, by degrees of freedom."""


def chi_square(seen: Counter[object], weights: dict[object, int]) -> float:
    number, whole = seen.total(), sum(weights.values())
    assert set(seen) <= set(weights)
    return sum((seen[face] - number * w / whole) ** 2 / (number * w / whole) for face, w in weights.items())


@pytest.mark.parametrize("sides", [2, 4, 6, 12, 20, 100])
def test_every_face_is_as_likely(sides: int) -> None:
    seen: Counter[object] = Counter(numbered_faces(60_000, sides, Random(11).getrandbits))
    assert chi_square(seen, dict.fromkeys(range(1, sides + 1), 1)) < CHI_SQUARE_999[sides - 1]


def test_weights_are_exact() -> None:
    die = Given.of(Faces("loaded", ((1, 3), (2, 1), (5, 7), ((), 1))))
    bits = Random(3).getrandbits
    seen: Counter[object] = Counter(die.draw(bits) for _ in range(60_000))
    assert chi_square(seen, {1: 3, 2: 1, 5: 7, (): 1}) < CHI_SQUARE_999[3]


def test_sides_beyond_what_a_generator_gives_at_once() -> None:
    bits = Random(5).getrandbits
    sides = 3_000_000_000
    faces = [below(sides, bits) for _ in range(20_000)]
    thirds = Counter(face * 3 // sides for face in faces)
    assert set(thirds) == {0, 1, 2}
    assert all(6_300 < number < 7_050 for number in thirds.values())
    assert below(10**40, bits) < 10**40


def test_a_die_of_one_side_draws_nothing() -> None:
    def no_bits(width: int) -> int:
        raise AssertionError

    assert below(1, no_bits) == 0
    assert numbered_faces(3, 1, no_bits) == [1, 1, 1]


def test_one_by_one_or_all_at_once_is_the_same() -> None:
    one, all_at_once = Random(8), Random(8)
    die = Numbered("d10", 10)
    assert [die.draw(one.getrandbits) for _ in range(50)] == numbered_faces(50, 10, all_at_once.getrandbits)


GOLDEN = """
die fate = plus x2, blank, minus
rule test
    roll plain = 5d10
    roll big = d3000000000
    roll symbols = 6 fate
    roll burst = 4d6, explode on >= 5
    roll best = d20, with advantage 1
"""


def test_the_same_seed_gives_the_same_dice_for_ever(roller: Callable[[str], RuleRoller]) -> None:
    roll = roller(GOLDEN).roll({}, seed=7)
    assert roll.dice == {
        "plain": (6, 3, 7, 1, 2),
        "big": (2301595692,),
        "symbols": (("plus",), ("plus",), (), ("plus",), ("minus",), ()),
        "burst": (2, 1, 1, 4),
        "best": (14, 3),
    }


def test_a_seed_or_a_generator(roller: Callable[[str], RuleRoller]) -> None:
    test = roller(GOLDEN)
    rng = Random(7)
    first, second = test.roll({}, rng=rng), test.roll({}, rng=rng)
    assert first.dice == test.roll({}, seed=7).dice != second.dice
    assert first.seed is None
    fresh = test.roll({})
    assert fresh.seed is not None
    assert test.roll({}, seed=fresh.seed).dice == fresh.dice
    with pytest.raises(RulesError, match="not both"):
        test.roll({}, seed=1, rng=rng)
    with pytest.raises(RulesError, match="whole number"):
        test.roll({}, seed="seven")  # type: ignore[arg-type]


def test_known_faces_are_taken_in_the_order_drawn_explosions_and_rerolls_included(roll: Callable[..., Roll]) -> None:
    text = """
rule test
    roll pool = 3d6, explode on 6, reroll 1 once
    total = sum of pool
"""
    result = roll(text, dice={"pool": [6, 1, 6, 6, 2, 3, 4]})
    assert result.dice == {"pool": (6, 1, 6, 6, 2, 3, 4)}
    assert result.values == {"total": 6 + 4 + 6 + 6 + 2 + 3}


def test_dice_that_are_not_known_are_rolled(roll: Callable[..., Roll]) -> None:
    text = """
rule test
    roll a = 4d6
    roll b = 2d6
    total = sum of a + sum of b
"""
    result = roll(text, dice={"a": [6, 6]}, seed=3)
    assert result.dice["a"][:2] == (6, 6)
    assert len(result.dice["a"]) == 4
    assert len(result.dice["b"]) == 2


@pytest.mark.parametrize(
    ("dice", "message", "hint"),
    [
        ({"pool": [7]}, "d6 in pool cannot show 7", "its faces are 1 to 6"),
        ({"pool": [0]}, "d6 in pool cannot show 0", "its faces are 1 to 6"),
        ({"pool": [1, 2, 3]}, "3 faces are given for pool, and only 2 drawn", "in the order drawn"),
        ({"marks": ["hit"]}, "mark in marks cannot show hit", "its faces are plus, plus & plus, blank"),
        ({"never": [1]}, "1 faces are given for never, and none drawn", "in the order drawn"),
        ({"pol": [1]}, "test has no roll called pol", "did you mean pool?"),
        ({"xyz": [1]}, "test has no roll called xyz", "the rolls of test are pool, marks and never"),
        ({"pool": [1.5]}, "1.5 in pool is no face", None),
    ],
)
def test_wrong_faces_name_the_right_ones(
    refused: Callable[..., RulesError], dice: dict[str, list[object]], message: str, hint: str | None
) -> None:
    text = """
die mark = plus, plus & plus, blank
rule test
    roll pool = 2d6
    roll marks = 1 mark
    roll never = d6 if sum of pool > 12
    total = sum of pool + never + count plus in marks
"""
    error = refused(text, dice=dice)
    assert message in error.message
    if hint:
        assert error.hint and hint in error.hint


def test_symbols_and_blanks_can_be_given(roll: Callable[..., Roll]) -> None:
    text = """
die mark = plus, plus & minus, blank
rule test
    roll marks = 3 mark
    pluses = count plus in marks
    minuses = count minus in marks
"""
    result = roll(text, dice={"marks": ["minus & plus", "blank", "plus"]})
    assert result.values == {"pluses": 2, "minuses": 1}
    assert result.to_json()["dice"] == {"marks": ["minus & plus", "blank", "plus"]}
    assert roll(text, dice={"marks": result.to_json()["dice"]["marks"]}).dice == result.dice  # type: ignore[index,call-overload]


def test_no_more_dice_than_the_bound() -> None:
    draws = Draws(Random(1).getrandbits)
    draws.count_dice(300_000, None)
    with pytest.raises(RulesError, match="more than 300,000 dice"):
        draws.count_dice(1, None)


@pytest.mark.parametrize("dice", [{"pool": "12"}, {"pool": 3}, {"pool": {1: 2}}])
def test_faces_are_a_list(roller: Callable[[str], RuleRoller], dice: dict[str, object]) -> None:
    with pytest.raises(RulesError, match="the faces of pool are a list"):
        roller("rule test\n    roll pool = 2d6\n    total = sum of pool\n").roll({}, dice=dice)  # type: ignore[arg-type]


def test_a_generator_has_getrandbits(roller: Callable[[str], RuleRoller]) -> None:
    with pytest.raises(RulesError, match=r"`rng` is a random\.Random"):
        roller("rule test\n    roll pool = 2d6\n    total = sum of pool\n").roll({}, rng=7)  # type: ignore[arg-type]


@pytest.mark.parametrize("turns", [0, 2])
def test_what_only_a_turn_drew_is_forgotten_where_the_best_is_chosen_afterwards(turns: int) -> None:
    text = (
        "bag deck = 2..5 x2\nrule r\n    given turns: 0..\n    repeat turns times\n        draw card = 1 from deck\n"
        "    choice stop by default best for x\n    draw last = 1 from deck\n"
        "    x = sum of last if stop otherwise 1\n"
    )
    assert rulesrun.parse(text)["r"].roll(inputs={"turns": turns}, seed=1).values["stop"] is True
