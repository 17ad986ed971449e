"""Every block of the language's reference is a ruleset: what is right holds, what is wrong is answered as printed."""

from __future__ import annotations

import itertools
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import rulesrun

REFERENCE = Path(__file__).parents[2] / "grammar" / "REFERENCE.md"
TEXT = REFERENCE.read_text("utf-8")
BLOCK = re.compile(r"^```(?P<kind>[^\n]*)\n(?P<rules>.*?)^```\n(?:> (?P<message>[^\n]*)\n)?", re.DOTALL | re.MULTILINE)
BLOCKS = [(TEXT[: block.start()].count("\n") + 2, block) for block in BLOCK.finditer(TEXT)]


def blocks(kind: str) -> list[pytest.param]:  # type: ignore[valid-type]
    return [pytest.param(block, id=f"line {line}") for line, block in BLOCKS if block["kind"] == kind]


@pytest.mark.parametrize("block", blocks("rules"))
def test_a_block_is_right_and_its_examples_hold(block: re.Match[str]) -> None:
    ruleset = rulesrun.parse(block["rules"], "reference.rules")
    assert not ruleset.warnings
    for result in ruleset.test():
        assert result.error is None, f"{result.example.text}: {result.error}"
        assert not [(check.text, check.found, check.wanted) for check in result.checks if not check.holds]


@pytest.mark.parametrize("block", blocks("rules wrong"))
def test_a_wrong_block_is_answered_with_its_message(block: re.Match[str]) -> None:
    assert refusal(block["rules"]) == block["message"]


def refusal(rules: str) -> str | None:
    """What is said against a ruleset when it is read, when its examples are tried, or when its rules are counted."""
    try:
        ruleset = rulesrun.parse(rules, "reference.rules")
        if ruleset.examples:
            return next((result.error.message for result in ruleset.test() if result.error), None)
        for rule in ruleset:
            rule.odds()
    except rulesrun.RulesError as refused:
        return refused.message
    return None


def test_what_the_commands_print(tmp_path: Path) -> None:
    """A console block speaks of the files `mygame.rules` and `mia.yaml` that the blocks before it are."""
    commands = 0
    for _, block in BLOCKS:
        if block["kind"] == "rules":
            (tmp_path / "mygame.rules").write_text(block["rules"], "utf-8")
        elif block["kind"] == "yaml":
            (tmp_path / "mia.yaml").write_text(block["rules"], "utf-8")
        elif block["kind"] == "console":
            for shown in re.split(r"^\$ rulesrun ", block["rules"], flags=re.MULTILINE)[1:]:
                command, _, printed = shown.partition("\n")
                words = [sys.executable, "-m", "rulesrun", *shlex.split(command)]
                ran = subprocess.run(words, capture_output=True, cwd=tmp_path, check=False)
                assert (ran.stdout + ran.stderr).decode() == printed, command
                commands += 1
    assert commands == 14


def test_a_wrong_character_is_answered_with_its_messages() -> None:
    rules = ""
    found = 0
    for _, block in BLOCKS:
        rules = block["rules"] if block["kind"] == "rules" else rules
        if block["kind"] == "yaml wrong":
            faults = rulesrun.parse(rules, "mygame.rules").character_from(block["rules"], "mia.yaml").faults
            said = itertools.takewhile(
                lambda line: line.startswith("> "), TEXT[block.start("message") - 2 :].split("\n")
            )
            assert [each.message for each in faults] == [line[2:] for line in said]
            found += 1
    assert found == 1


def test_every_block_is_one_of_these() -> None:
    assert {block["kind"] for _, block in BLOCKS} == {"rules", "rules wrong", "console", "yaml", "yaml wrong"}


def test_every_section_in_the_contents_is_there() -> None:
    anchors = {
        re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")
        for title in re.findall(r"^#+ (.*)$", TEXT, re.MULTILINE)
    }
    assert set(re.findall(r"\]\(#([^)]*)\)", TEXT)) <= anchors


WORDS = Path(__file__).parents[2] / "grammar" / "rules.lark"


def test_every_word_of_the_grammar_is_in_the_reference() -> None:
    grammar = WORDS.read_text("utf-8")
    words = set(re.findall(r'"([a-z]{2,})"', grammar)) | {
        word
        for pattern in re.findall(r"^_?[A-Z_]+(?:\.\d)?: /([a-z\[\]\\ t+]+)\\b", grammar, re.MULTILINE)
        for word in re.split(r"\[ \\t\]\+", pattern)
    }
    said = set(re.findall(r"[a-z_]+", TEXT))
    assert words - said == set()
