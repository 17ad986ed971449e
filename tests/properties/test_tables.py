"""The cells of a table share work with the cell before; each is what it is alone, on random rules."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

import rulesrun
from rulesrun.evaluation.exact.question import ExactQuestion

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


COMPARED = re.compile(
    r"(?<!any)(?<!all)(?<!none)(?<!count)(?<!in)(?<!on)(?<!or)(?<!reroll)(?<!not) (>=|<=|>|<|!=) \d+\b(?!\.)"
)
PLACES = re.compile(r"    (flag|limit|\w+ =|    [-+~]) ")
"""Lines that compare, and throw nothing."""
BARS = range(-1, 9)
SMALL = 2_000


def with_bar(text: str) -> str:
    """The ruleset with numbers that the last rule compares with made one input."""
    head, rule = text[: text.rindex("rule main")], text[text.rindex("rule main") :]
    first, *lines = rule.split("\n")
    lines = [COMPARED.sub(r" \1 bar", line) if PLACES.match(line) else line for line in lines]
    return "\n".join((head + first, "    given bar: -9..99 = 0", *lines))


def _kind_of(error: rulesrun.RulesError) -> str:
    """What is wrong; of what is too large another bound may be met first where cells share their work."""
    found = error.diagnostics[0]
    return found.code if found.code == "budget" else found.message


@pytest.mark.parametrize("part", range(4))
def test_cells_that_differ_in_a_number_to_compare_with_are_what_they_are_alone(
    part: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    abreast: list[object] = []
    answers = ExactQuestion.answers

    def noted(self: ExactQuestion, cells: Any, *others: Any) -> Any:
        found = answers(self, cells, *others)
        abreast.extend(found or ())
        return found

    monkeypatch.setattr(ExactQuestion, "answers", noted)
    for place in range(6 * MANY):
        made = sample(Picks.seeded(f"bars {part}/{place}"))
        text = with_bar(made.text)
        if "example " in text or text.count("bar") < 2:
            continue
        try:
            rule = compiled(replace(made, text=text))
        except rulesrun.RulesError:
            continue
        given = made.asked[0] if made.asked and place % 3 == 0 else None
        asked: dict[str, Any] = {"choose": made.choose, "aim": made.aim, "budget": SMALL, "given": given}
        rows: list[rulesrun.Odds | str] = []
        try:
            rows.extend(rule.odds_rows(inputs={**made.inputs, "bar": BARS}, **asked))
        except rulesrun.RulesError as error:
            rows.append(_kind_of(error))
        for bar, row in zip(BARS, rows, strict=False):
            try:
                alone = rule.odds(inputs={**made.inputs, "bar": bar}, **asked)
            except rulesrun.RulesError as error:
                assert row == _kind_of(error), made
                break
            assert not isinstance(row, str), f"{made}\n{row}"
            assert row.inputs == alone.inputs
            assert (row.outcomes, row.flags, row.joint) == (alone.outcomes, alone.flags, alone.joint), made
        else:
            assert len(rows) == len(BARS)
    assert len(abreast) >= 2 * MANY
