"""Published mechanics said in the language: each file gives every answer of its case, exactly, as an expectation.

`data/mechanics.json` holds published mechanics with answers worked out elsewhere; `data/more.json` holds further ones
whose answers `answers` works out in plain Python. An example's text names the answers that its expectations give, in
order.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.language.answers import answers

import rulesrun
from rulesrun.diagnostics import Source
from rulesrun.syntax.nodes import Example, Expect
from rulesrun.syntax.parser import parse

HERE = Path(__file__).parent
MECHANICS = {case["id"]: case["answers"] for case in json.loads((HERE / "data/mechanics.json").read_text("utf-8"))}
MORE = {case["id"]: case["answers"] for case in json.loads((HERE / "data/more.json").read_text("utf-8"))}
CASES = {HERE / "mechanics" / f"{name}.rules": wanted for name, wanted in MECHANICS.items()} | {
    HERE / "more" / f"{name}.rules": wanted for name, wanted in MORE.items()
}


def expected(path: Path) -> list[tuple[str, str]]:
    """Each answer that the file's examples name, with the number written in the expectation that gives it."""
    result: list[tuple[str, str]] = []
    for item in parse(Source.of_bytes(path.name, path.read_bytes())).items:
        if isinstance(item, Example):
            spans = [line.wanted.span for line in item.lines if isinstance(line, Expect) and line.wanted is not None]
            numbers = [span.source.text[span.start : span.end] for span in spans]
            result += zip(item.text.split(), numbers, strict=True)
    return result


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_every_answer_is_expected_once_and_exactly(path: Path) -> None:
    assert sorted(expected(path)) == sorted(CASES[path].items())


TRIED = [pytest.param(path, marks=pytest.mark.slow) if path.parent.name == "more" else path for path in CASES]


@pytest.mark.parametrize("path", TRIED, ids=lambda path: path.stem)
def test_a_file_is_clean_and_every_expectation_holds(path: Path) -> None:
    ruleset = rulesrun.load(path)
    assert not ruleset.warnings
    results = ruleset.test()
    for result in results:
        assert result.error is None, f"{result.example.text}: {result.error}"
    assert not [(check.text, check.found) for result in results for check in result.checks if not check.holds]


def test_every_file_is_a_case() -> None:
    assert {path for folder in ("mechanics", "more") for path in (HERE / folder).iterdir()} == set(CASES)


def test_the_further_answers_are_those_worked_out() -> None:
    assert {case["id"]: case["answers"] for case in answers()} == MORE
