"""How long exact odds take, alone and beside peers.

`.venv/bin/pytest tests/benchmarks/bench_*.py` runs them all; with `pip install icepool dyce` the same questions are put
to those, too, and stand in the same group: the number in brackets is how many times as long it took as the fastest.
Every round asks another question, so that no answer can be one that was kept.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from itertools import cycle
from typing import Any

import pytest

import rulesrun

HIVE = rulesrun.load("hive.rules")
CHECK = HIVE["skill_check"]
TWIST = rulesrun.load("twist.rules")
SHAPES = rulesrun.parse(
    """
system "Shapes"

rule best
    given dice: 1.. = 1
    roll pool = dice d10, keep highest 3
    total = sum of pool

rule set
    given dice: 1.. = 1
    roll pool = dice d10
    width = largest set in pool

rule run
    given dice: 1.. = 1
    roll pool = dice d10
    length = longest run in pool
""",
    "shapes.rules",
)

ICEPOOL = ["icepool"] if find_spec("icepool") else []
DYCE = ["dyce"] if find_spec("dyce") else []


def again(benchmark: Any, ask: Callable[[int], object], numbers: range, rounds: int = 7) -> None:
    """Times a question with a number that is another one each round."""
    each = cycle(numbers)
    benchmark.pedantic(ask, setup=lambda: ((next(each),), {}), rounds=rounds, warmup_rounds=1)


@pytest.mark.parametrize("dice", [10, 50, 200, 1000, 5000])
@pytest.mark.benchmark(group="hive's check")
def test_hive(benchmark: Any, dice: int) -> None:
    third = dice // 3
    near = range(dice // 2 - 3, dice // 2 + 4)
    again(benchmark, lambda needed: CHECK.odds(attribute=dice, skill=0, drone_damage=third, needed=needed), near)


@pytest.mark.benchmark(group="hive's check")
def test_hive_with_other_faces(benchmark: Any) -> None:
    other = HIVE.with_settings(success_on="7..10", critical_on="9..10")["skill_check"]
    again(benchmark, lambda needed: other.odds(attribute=200, skill=0, drone_damage=66, needed=needed), range(97, 104))


@pytest.mark.benchmark(group="choices and repetitions")
def test_a_push_where_it_is_best(benchmark: Any) -> None:
    roll = TWIST["attribute_roll"]
    again(benchmark, lambda luck: roll.odds(attribute=2, luck=luck, choose={"push": "best"}), range(1, 8))


@pytest.mark.benchmark(group="choices and repetitions")
def test_a_group_check_of_fifty(benchmark: Any) -> None:
    rule = TWIST["group_check"]
    again(benchmark, lambda goal: rule.odds(party=[2], goal=goal, limit=50, difficulty=10), range(45, 52))


@pytest.mark.benchmark(group="choices and repetitions")
def test_ten_exploding_dice(benchmark: Any) -> None:
    rule = TWIST["damage"]
    again(benchmark, lambda least: rule.odds(amount=10).chance(f"damage >= {least}"), range(47, 54))


@pytest.mark.parametrize("who", ["rulesrun", *ICEPOOL])
@pytest.mark.benchmark(group="the highest three of about 20d10")
def test_the_highest_three(benchmark: Any, who: str) -> None:
    def peer(dice: int) -> object:
        import icepool

        return dict(icepool.d10.pool(dice).highest(3).sum().items())

    again(benchmark, _best if who == "rulesrun" else peer, range(17, 24))


def _best(dice: int) -> object:
    return dict(SHAPES["best"].odds(dice=dice).of("total").items())


@pytest.mark.parametrize("who", ["rulesrun", *ICEPOOL])
@pytest.mark.benchmark(group="the largest set of about 20d10")
def test_the_largest_set(benchmark: Any, who: str) -> None:
    def peer(dice: int) -> object:
        import icepool

        return dict(icepool.d10.pool(dice).largest_count().items())

    def ours(dice: int) -> object:
        return dict(SHAPES["set"].odds(dice=dice).of("width").items())

    again(benchmark, ours if who == "rulesrun" else peer, range(17, 24))


@pytest.mark.parametrize("who", ["rulesrun", *ICEPOOL])
@pytest.mark.benchmark(group="the longest run of about 20d10")
def test_the_longest_run(benchmark: Any, who: str) -> None:
    def peer(dice: int) -> object:
        import icepool

        return dict(icepool.d10.pool(dice).largest_straight().items())

    def ours(dice: int) -> object:
        return dict(SHAPES["run"].odds(dice=dice).of("length").items())

    again(benchmark, ours if who == "rulesrun" else peer, range(17, 24))


@pytest.mark.parametrize("who", ["rulesrun", *ICEPOOL, *DYCE])
@pytest.mark.benchmark(group="the sum of about 100d6")
def test_the_sum(benchmark: Any, who: str) -> None:
    sums = rulesrun.parse("rule sum\n    given dice: 1.. = 1\n    roll pool = dice d6\n    total = sum of pool\n")

    def ours(dice: int) -> object:
        return dict(sums["sum"].odds(dice=dice).of("total").items())

    def icepool(dice: int) -> object:
        import icepool

        return dict((dice @ icepool.d6).items())

    def dyce(dice: int) -> object:
        from dyce import H

        return dict((dice @ H(6)).items())

    again(benchmark, {"rulesrun": ours, "icepool": icepool, "dyce": dyce}[who], range(97, 104))
