"""How long it takes until something that exceeds a bound is told so: a second is wanted for each."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.robustness.beyond_bounds import BEYOND, LONG, STATES, Beyond

from rulesrun import RulesError


@pytest.mark.parametrize("case", [*BEYOND, *STATES, *LONG], ids=lambda case: f"{case.limit}-{case.what}")
@pytest.mark.benchmark(group="bounds")
def test_exceeded(benchmark: Any, case: Beyond, tmp_path: Path) -> None:
    def exceed() -> None:
        with pytest.raises(RulesError):
            case.call(tmp_path)

    benchmark.pedantic(exceed, rounds=1)
