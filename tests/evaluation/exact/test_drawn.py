"""Cards that nobody has looked at: the same answers as from all hands, one by one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rulesrun
from rulesrun.evaluation.exact import bags

Card = tuple[int, str]
DECK: list[Card] = [
    *((number, "spade") for number in range(1, 5)),
    *((number, "heart") for number in range(1, 5)),
    *((number, "club") for number in (3, 4, 5)),
    (3, "club"),
]
TEXT = """system "S"
bag deck = 1..4 & spade, 1..4 & heart, 3 & club x2, 4..5 & club
rule r
    given n: 1..
    draw hand = n from deck
    x = {expression}
"""


def numbers(hand: tuple[Card, ...]) -> list[int]:
    return sorted(number for number, _ in hand)


def suits(hand: tuple[Card, ...]) -> set[str]:
    return {suit for _, suit in hand}


def alike(shown: Sequence[object]) -> bool:
    return len(shown) > 1 and len(set(shown)) == 1


def flush(hand: tuple[Card, ...]) -> bool:
    return alike([suit for _, suit in hand])


def longest_run(hand: tuple[Card, ...]) -> int:
    shown = set(numbers(hand))
    return max(next(size for size in range(1, 9) if low + size not in shown) for low in shown if low - 1 not in shown)


ASKED: dict[str, Callable[[tuple[Card, ...]], Any]] = {
    "sum of hand": lambda hand: sum(numbers(hand)),
    "highest of hand - lowest of hand": lambda hand: numbers(hand)[-1] - numbers(hand)[0],
    "largest set in hand": lambda hand: max(Counter(numbers(hand)).values()),
    "sets of 2 in hand": lambda hand: sum(size == 2 for size in Counter(numbers(hand)).values()),
    "count 3 in hand + 10 * (1 if any 1 in hand otherwise 0)": lambda hand: (
        numbers(hand).count(3) + 10 * (1 in numbers(hand))
    ),
    "1 if all equal in symbols of hand otherwise 0": lambda hand: int(flush(hand)),
    "longest run in hand if all equal in symbols of hand otherwise 0": lambda hand: (
        longest_run(hand) if flush(hand) else 0
    ),
    "sum of hand if not (all equal in symbols of hand) and any 1 in hand otherwise -1": lambda hand: (
        sum(numbers(hand)) if not flush(hand) and 1 in numbers(hand) else -1
    ),
    "1 if all equal in hand otherwise 2 if all equal in symbols of hand otherwise 3": lambda hand: (
        1 if alike(numbers(hand)) else 2 if flush(hand) else 3
    ),
    "distinct in symbols of hand": lambda hand: len(suits(hand)),
    "sum of highest 2 of hand if sum of hand in odd otherwise 0": lambda hand: (
        sum(numbers(hand)[-2:]) if sum(numbers(hand)) % 2 else 0
    ),
    "count heart in hand": lambda hand: sum(suit == "heart" for _, suit in hand),
    "for each die in hand: die * die": lambda hand: sum(number * number for number in numbers(hand)),
    "for each die in hand: count die in hand": lambda hand: sum(
        numbers(hand).count(number) for number in numbers(hand)
    ),
    "remainder(sum of hand, 3)": lambda hand: sum(numbers(hand)) % 3,
}


def law(expression: str, n: int) -> dict[Any, Fraction]:
    return dict(rulesrun.parse(TEXT.format(expression=expression))["r"].odds(n=n).of("x").items())


@pytest.fixture(autouse=True)
def never_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bags, "FEW_DRAWS", 0)
    monkeypatch.setattr(bags, "FEW_KINDS", 0)


@pytest.mark.parametrize("expression", ASKED)
@pytest.mark.parametrize("n", [1, 2, 4])
def test_a_hand_answers_as_all_hands_do(expression: str, n: int) -> None:
    hands = Counter(ASKED[expression](hand) for hand in combinations(DECK, n))
    total = sum(hands.values())
    assert law(expression, n) == {value: Fraction(ways, total) for value, ways in hands.items()}


@settings(max_examples=40, deadline=None)
@given(
    st.lists(
        st.sampled_from(["any 1 in h", "all equal in symbols of h", "sum of h > 8", "largest set in h > 1"]), max_size=3
    ),
    st.sampled_from(["sum of h", "longest run in h", "count 3.. in h", "lowest of h"]),
    st.integers(1, 5),
)
def test_conditions_and_a_number_together(conditions: list[str], asked: str, n: int) -> None:
    whole = " ".join(f"{place} if {each} otherwise" for place, each in enumerate(conditions, 100))
    bag = "bag b = 1..4 & up, 2..5 & down, 3 & up, 3 & down"
    text = f'system "S"\n{bag}\nrule r\n    draw h = {n} from b\n    x = {whole} {asked}\n'
    unseen = dict(rulesrun.parse(text)["r"].odds().of("x").items())
    bags.FEW_DRAWS = bags.FEW_KINDS = 1 << 60
    try:
        assert unseen == dict(rulesrun.parse(text)["r"].odds().of("x").items())
    finally:
        bags.FEW_DRAWS = bags.FEW_KINDS = 0


def test_a_hand_beside_cards_that_lie_there() -> None:
    text = """system "S"
bag deck = 1..4 & spade, 1..4 & heart, 3 & club x2, 4..5 & club
rule r
    draw hand = 2 from deck
    draw table = 2 from deck
    x = (100 if all equal in symbols of (hand + table) otherwise 0) + largest set in (hand + table)
"""
    hands = Counter(
        100 * (len(suits(hand)) == 1) + max(Counter(numbers(hand)).values()) for hand in combinations(DECK, 4)
    )
    total = sum(hands.values())
    found = dict(rulesrun.parse(text)["r"].odds().of("x").items())
    assert found == {value: Fraction(ways, total) for value, ways in hands.items()}


@pytest.mark.parametrize("end", ["highest", "lowest"])
def test_which_of_two_equal_cards_is_taken_is_read_of_their_suits(end: str) -> None:
    """Hearts stand between clubs and spades: of two equal cards they are taken as often as left."""
    text = (
        "bag deck = 2..4 & spade, 2..4 & heart, 2..4 & club\n"
        f"rule r\n    draw hand = 2 from deck\n    x = count heart in ({end} 1 of hand)\n"
    )
    assert dict(rulesrun.parse(text)["r"].odds().of("x").items()) == {0: Fraction(2, 3), 1: Fraction(1, 3)}
