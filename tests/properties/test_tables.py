"""The cells of a table share work with the cell before; each is what it is alone, on random rules."""

from __future__ import annotations

import pytest

import rulesrun

from .compare import compiled
from .picks import Picks
from .rules import sample

MANY = 20
BUDGET = 10_000


def variants(value: object) -> list[object]:
    """Several values to sweep over, some of them perhaps outside the domain."""
    if isinstance(value, bool):
        return [value, not value]
    return [value, value + 1] if isinstance(value, int) else [value]


@pytest.mark.parametrize("part", range(4))
def test_cells_are_what_they_are_alone(part: int) -> None:
    compared = 0
    for place in range(MANY):
        made = sample(Picks.seeded(f"tables {part}/{place}"))
        try:
            rule = compiled(made)
        except rulesrun.RulesError:
            continue
        given: dict[str, object] = {}
        for name, value in made.inputs.items():
            fits: list[object] = []
            for each in variants(value):
                try:
                    rule.odds(inputs={**made.inputs, name: each}, choose=made.choose, aim=made.aim, budget=BUDGET)
                except rulesrun.RulesError:
                    continue
                fits.append(each)
            given[name] = fits if len(fits) > 1 else value
        if not any(isinstance(each, list) and len(each) == 2 for each in given.values()):
            continue
        try:
            table = rule.odds_table(inputs=given, choose=made.choose, aim=made.aim, budget=BUDGET)
        except rulesrun.RulesError:
            continue
        for row in table:
            alone = rule.odds(inputs=row.inputs, choose=made.choose, aim=made.aim, budget=BUDGET)
            assert (row.outcomes, row.flags) == (alone.outcomes, alone.flags), f"{made}\n{row.inputs}"
            compared += 1
    assert compared >= MANY / 4
