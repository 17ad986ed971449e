"""The sheet on the card says everything that the sheet in the ruleset says, within the width of the card."""

from __future__ import annotations

import os
from pathlib import Path

import rulesrun
from rulesrun.render.card import ruleset_card
from rulesrun.render.layout import WIDTH
from rulesrun.render.sheet_card import sheet_card

HERE = Path(__file__).parent
SHEET = HERE.parent / "semantics" / "constructs" / "sheet.rules"
GOLDEN = HERE / "data" / "sheet_card.txt"


def test_the_card_is_exactly_the_one_written_down() -> None:
    plan = rulesrun.load(SHEET).plan
    assert plan.sheet is not None
    card = sheet_card(plan, plan.sheet) + "\n"
    if os.environ.get("RULESRUN_REWRITE"):
        GOLDEN.write_text(card, encoding="utf-8")
    assert card == GOLDEN.read_text(encoding="utf-8")
    assert card.rstrip() in ruleset_card(plan)
    assert all(len(line) <= WIDTH for line in card.splitlines())


def test_every_name_of_the_sheet_stands_on_it() -> None:
    plan = rulesrun.load(SHEET).plan
    assert plan.sheet is not None
    card = sheet_card(plan, plan.sheet)
    for part in plan.sheet.parts:
        assert part.name.rpartition(".")[2] in card
        assert part.text in " ".join(card.split())


def test_a_ruleset_without_a_sheet_has_none_on_its_card() -> None:
    plan = rulesrun.parse("rule a\n    roll d = d6\n    total = d\n").plan
    assert plan.sheet is None
    assert "sheet" not in ruleset_card(plan)
