"""Many rolls that are stopped by Ctrl-C: those that are done are counted, listed and not lost."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from rulesrun.cli.main import INTERRUPTED, main
from rulesrun.cli.terminal import Terminal
from rulesrun.engine import Rule
from rulesrun.evaluation.roll import Roll
from rulesrun.render.layout import PLAIN


@pytest.fixture
def call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    file = tmp_path / "a.rules"
    file.write_text("rule r\n    roll p = d6\n    outcome\n        + high if p >= 4\n        - low otherwise\n")

    def stopped_after(rolls: int, *words: str) -> tuple[int, str, str]:
        plain, made = Rule.roll, 0

        def roll(self: Rule, **arguments: Any) -> Roll:
            nonlocal made
            made += 1
            if made > rolls:
                raise KeyboardInterrupt
            return plain(self, **arguments)

        monkeypatch.setattr(Rule, "roll", roll)
        out, err = io.StringIO(), io.StringIO()
        status = main([str(file), *words], Terminal(io.StringIO(), out, err, PLAIN, PLAIN))
        monkeypatch.setattr(Rule, "roll", plain)
        return status, out.getvalue(), err.getvalue()

    return stopped_after


def test_what_is_done_is_counted(call: Any) -> None:
    status, out, err = call(150, "--times", "100000", "--seed", "3")
    assert status == INTERRUPTED
    assert "150 rolls" in out
    assert "stopped after 150 of 100,000 rolls of seed 3" in err
    whole = call(10**6, "--times", "150", "--seed", "3")
    assert whole == (0, out, "")


def test_a_few_are_listed(call: Any) -> None:
    status, out, _ = call(2, "--times", "5", "--seed", "3", "--json")
    assert status == INTERRUPTED
    assert len(json.loads(out)["rolls"]) == 2


def test_nothing_is_said_of_no_rolls(call: Any) -> None:
    status, out, _ = call(0, "--times", "500")
    assert (status, out) == (INTERRUPTED, "")
