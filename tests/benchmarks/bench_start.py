"""How long it takes to start, and to load a long file."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

import rulesrun

CALLS = {
    "rulesrun hive.rules": ["-m", "rulesrun", "hive.rules"],
    "rulesrun odds hive.rules": ["-m", "rulesrun", "odds", "hive.rules"],
    "a bare Python": ["-c", "pass"],
}
CALLS |= {"importing icepool": ["-c", "import icepool"]} if find_spec("icepool") else {}


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.benchmark(group="start")
def test_start(benchmark: Any, call: str, tmp_path: Path) -> None:
    command = [sys.executable, *CALLS[call]]
    benchmark.pedantic(
        lambda: subprocess.run(command, cwd=tmp_path, check=True, capture_output=True), rounds=9, warmup_rounds=1
    )


def long_ruleset(rules: int) -> str:
    """A ruleset of so many rules of five lines each."""
    lines = ['system "Long"', ""]
    for number in range(rules):
        lines += [
            f"rule check_{number}",
            f"    given skill: 0.. = {number % 7}",
            "    roll pool = (skill + 2) d10",
            f"    total = sum of pool + {number}",
            "",
        ]
    return "\n".join(lines)


@pytest.mark.benchmark(group="5,000 lines, 1,000 rules")
def test_reading_and_checking(benchmark: Any) -> None:
    texts = [long_ruleset(1000) + f"# {number}\n" for number in range(3)]
    assert len(texts[0].splitlines()) > 4999
    found = benchmark.pedantic(lambda: rulesrun.parse(texts[0]), rounds=3)
    assert len(found) == 1000


@pytest.mark.benchmark(group="5,000 lines, 1,000 rules")
def test_loading_again(benchmark: Any, tmp_path: Path) -> None:
    path = tmp_path / "long.rules"
    path.write_text(long_ruleset(1000))
    rulesrun.load(path)
    assert len(benchmark.pedantic(lambda: rulesrun.load(path), rounds=3)) == 1000
