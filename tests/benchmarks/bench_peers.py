"""Small questions of the kind that other dice programs are asked, beside icepool where it is installed.

As in `bench_odds`, every round asks about dice with another number of sides, so that no answer can be a kept one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import rulesrun

from .bench_odds import ICEPOOL, again

ASKED = {
    "keep the highest three": ("roll pool = 4d(n), keep highest 3", "sum of pool"),
    "the best of two": ("roll pool = 2d(n), keep highest 1", "sum of pool"),
    "the second": ("roll pool = 5d(n)", "die 2 of pool"),
    "keep of mixed dice": ("roll pool = 2d4 + 2d6 + 2d8 + 2d10 + 2d(n), keep highest 3", "sum of pool"),
    "keep low of mixed dice": ("roll pool = d4 + d6 + d8 + d10 + d(n), keep lowest 2", "sum of pool"),
    "the middle of mixed dice": ("roll pool = d4 + d6 + d8 + d10 + d(n), keep middle 3", "sum of pool"),
    "opposed highest": ("roll pool = 3d(n)\n    roll other = 2d8", "highest of pool - highest of other"),
    "sorted comparison": ("roll pool = 3d(n)\n    roll other = 2d(n)", "wins of pool over other"),
    "largest set": ("roll pool = 5d(n)", "largest set in pool"),
    "half on a save": (
        "roll save = 2d20, keep highest 1\n    roll pool = 8d(n)",
        "sum of pool if sum of save < 12 otherwise round_down(sum of pool / 2)",
    ),
    "a hand of cards": ("draw pool = min(5, n) from deck", "largest set in pool + 10 * (sets of 2 in pool)"),
}
RULES = rulesrun.parse(
    'system "Peers"\nbag deck = 2..14 x4\n'
    + "".join(
        f"\nrule asked{place}\n    given n: 1.. = 6\n    {rolls}\n    value = {value}\n"
        for place, (rolls, value) in enumerate(ASKED.values())
    ),
    "peers.rules",
)
SIDES = range(7, 14)


@pytest.mark.parametrize("what", ASKED)
def test_small_questions(benchmark: Any, what: str) -> None:
    benchmark.group = what
    rule = RULES[f"asked{list(ASKED).index(what)}"]
    again(benchmark, lambda n: dict(rule.odds(n=n).of("value").items()), SIDES)


def _icepool() -> dict[str, Callable[[int], Any]]:
    from icepool import Deck, Pool, d, highest, map_function

    @map_function  # type: ignore[untyped-decorator, unused-ignore]
    def halved(save: int, damage: int) -> int:
        return damage if save < 12 else damage // 2

    mixed = [d(4), d(6), d(8), d(10)]
    deck = Deck(dict.fromkeys(range(2, 15), 4))
    return {
        "keep the highest three": lambda n: d(n).pool(4).highest(3).sum(),
        "the best of two": lambda n: d(n).pool(2).highest(1).sum(),
        "the second": lambda n: d(n).pool(5).highest(1, 1).sum(),
        "keep of mixed dice": lambda n: Pool([*mixed, *mixed, d(n), d(n)]).highest(3).sum(),
        "keep low of mixed dice": lambda n: Pool([*mixed, d(n)]).lowest(2).sum(),
        "the middle of mixed dice": lambda n: Pool([*mixed, d(n)]).middle(3).sum(),
        "opposed highest": lambda n: d(n).pool(3).highest(1).sum() - d(8).pool(2).highest(1).sum(),
        "largest set": lambda n: d(n).pool(5).largest_count(),
        "half on a save": lambda n: halved(highest(d(20), d(20)), 8 @ d(n)),
        "a hand of cards": lambda n: deck.deal(min(5, n)).all_counts(),
    }


@pytest.mark.parametrize("what", [what for what in ASKED if what != "sorted comparison"] if ICEPOOL else [])
def test_small_questions_to_icepool(benchmark: Any, what: str) -> None:
    benchmark.group = what
    ask = _icepool()[what]
    again(benchmark, lambda n: dict(ask(n).items()), SIDES)
