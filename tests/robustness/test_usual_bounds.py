"""Every bound at its usual size: a small file or call that exceeds it ends in an error that says which bound it was.

How long each takes is measured in `tests/benchmarks/bench_bounds.py`; here a test only may not hang.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.robustness.beyond_bounds import BEYOND, LONG, STATES, Beyond

from rulesrun import RulesError
from rulesrun.limits import NAMES, USUAL


@pytest.mark.parametrize("case", BEYOND, ids=lambda case: f"{case.limit}-{case.what}")
def test_what_exceeds_a_bound_is_told(case: Beyond, tmp_path: Path) -> None:
    with pytest.raises(RulesError) as caught:
        case.call(tmp_path)
    error = caught.value
    assert case.said in error.message
    number = getattr(USUAL, case.limit)
    shown = {f"{number:,}", f"{number}", case.says or f"{number:,}"}
    told = " ".join([error.message, *error.diagnostics[0].notes, error.hint or ""])
    assert any(each in told for each in shown), told
    assert (error.line is None) == (not case.placed)
    assert f"`--limit {case.limit}=N`" in (error.hint or "")


def test_every_bound_is_among_them() -> None:
    assert {case.limit for case in BEYOND} | {"states"} == set(NAMES)


@pytest.mark.parametrize("case", [*STATES, *LONG], ids=lambda case: case.what)
def test_odds_that_are_too_large_are_given_up(case: Beyond, tmp_path: Path) -> None:
    with pytest.raises(RulesError) as caught:
        case.call(tmp_path)
    error = caught.value
    assert "r is too large for exact odds: " in error.message
    assert re.search(r"\d", error.message)
    assert error.line in (1, 2)
    assert "`--budget " in (error.hint or "") and "--sample" in (error.hint or "")
