"""Each sentence of the books that states a rule is carried by a line: without it, what the table names fails."""

from __future__ import annotations

import pytest
from tests.rulesets.claims import CLAIMS
from tests.rulesets.coverage import FREE, SYSTEMS, Row, numbers, rows, stated, still_holding, unstated

from rulesrun import load

ROWS = list(rows())
RULES = [row for row in ROWS if not row.free]


@pytest.mark.parametrize("row", RULES, ids=str)
def test_what_a_row_names_fails_without_its_line(row: Row) -> None:
    assert row.examples or row.claims or row.needed
    assert still_holding(row) == []


@pytest.mark.parametrize("row", RULES, ids=str)
def test_each_number_has_an_example(row: Row) -> None:
    assert row.needed or unstated(row) == []


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_table_has_the_numbers_of_the_text_in_its_order(system: str) -> None:
    assert [number for row in ROWS if row.system == system for number in numbers(row.says)] == stated(system)


def test_only_advice_and_setting_go_without() -> None:
    assert {row.free for row in ROWS} == {"", *FREE}
    assert all(not row.examples and not row.claims for row in ROWS if row.free)


@pytest.mark.parametrize("claim", CLAIMS)
def test_each_claim_is_true_and_used(claim: str) -> None:
    (system,) = {row.system for row in RULES if claim in row.claims}
    CLAIMS[claim](load(system))
