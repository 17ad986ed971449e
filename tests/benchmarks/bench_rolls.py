"""How long a roll takes, beside a function that a programmer wrote for that one rule, and how long estimates take."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import rulesrun

CHECK = rulesrun.load("hive.rules")["skill_check"]


def by_hand(generator: Random) -> str:
    """Hive's check with seven human and three drone dice against three, and nothing else."""
    human = [generator.randint(1, 10) for _ in range(7)]
    drone = [generator.randint(1, 10) for _ in range(3)]
    tens = human.count(10) + drone.count(10)
    if sum(face > 5 for face in human + drone) + tens - tens % 2 >= 3:
        return "critical_drone_success" if 10 in drone else "success"
    return "critical_drone_failure" if 1 in drone else "failure"


@pytest.mark.parametrize("who", ["rulesrun", "by hand"])
@pytest.mark.benchmark(group="one roll of hive's check with ten dice")
def test_a_roll(benchmark: Any, who: str) -> None:
    generator = Random(1)
    if who == "by hand":
        benchmark(by_hand, generator)
    else:
        benchmark(lambda: CHECK.roll(attribute=5, skill=5, drone_damage=3, needed=3, rng=generator).outcome)


@pytest.mark.benchmark(group="one roll of hive's check with ten dice")
def test_a_roll_with_its_trace(benchmark: Any) -> None:
    generator = Random(1)
    benchmark(lambda: CHECK.roll(attribute=5, skill=5, drone_damage=3, needed=3, rng=generator).trace)
