"""What is fuzzed, as functions of bytes: whatever they are, the answer is a result or a `RulesError`, within bounds.

Each target raises only what would be a fault of rulesrun. `fuzz.py` feeds them what atheris makes up, `test_corpus.py`
what once went wrong.
"""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from rulesrun.cli.main import main
from rulesrun.cli.terminal import Terminal
from rulesrun.diagnostics import RulesError, Source
from rulesrun.engine import Ruleset, parse
from rulesrun.render.card import ruleset_card
from rulesrun.render.layout import PLAIN
from rulesrun.render.problems import problems_text
from rulesrun.sheets.document import read_document
from rulesrun.syntax.layout_text import format_text

BUDGET = 2_000
"""States that the odds of one rule may visit here: what is fuzzed is whether they end well, not what they can do."""

RULESET = """\
system "Fuzz"
setting hit = 5..6
levels difficulty
    easy 4
    hard 8
table grade
    ..5 poor "text"
    6.. rich "text"
rule check "a check"
    given size: 0..9 = 3
    given level: difficulty = easy
    given odd: yes or no = no
    given many: list of 0..5 = [1, 2]
    given kind: one of wood, iron or none = none
    roll pool = size d6
    choice push if none 6 in pool by default never
    roll more = size d6 if push
    hits = count hit in pool + count hit in more
    flag cursed if any 1 in more
    outcome
        + good if hits >= 2
        - bad otherwise
rule twice
    roll first = check
    roll second = check
    total = first.hits + second.hits
"""


def ruleset(data: bytes) -> None:
    """The bytes are a file: read, checked, laid out, shown, rolled twice, and its odds found."""
    try:
        source = Source.of_bytes("fuzz.rules", data)
        found = parse(source.text, "fuzz.rules", limits={"states": BUDGET})
    except RulesError as error:
        assert problems_text(error.diagnostics)
        return
    laid_out = format_text(source)
    assert format_text(Source.of_text("again.rules", laid_out)) == laid_out
    problems_text(found.warnings)
    ruleset_card(found.plan, PLAIN)
    _play(found)


def _play(found: Ruleset) -> None:
    for rule in list(found)[:3]:
        for seed in (1, 2):
            try:
                rule.roll(seed=seed).to_json()
            except RulesError as error:
                problems_text(error.diagnostics)
        try:
            odds = rule.odds()
            for name in odds.numbers[:2]:
                odds.of(name).items()
        except RulesError as error:
            problems_text(error.diagnostics)


def call(data: bytes) -> None:
    """The bytes are the words of a call, one a line, in a folder with a ruleset that is called `fuzz.rules`."""
    words = (
        data.replace(b"\0", b"").decode("utf-8", "surrogateescape").replace("/", "_").replace("..\\", "").split("\n")
    )
    if any(len(word) > 6 and word.startswith("--times") for word in words):
        words = [word for word in words if not word.startswith("--times")]
    out, err = io.StringIO(), io.StringIO()
    with _in_a_folder() as folder:
        (folder / "fuzz.rules").write_text(RULESET, encoding="utf-8")
        status = main(words, Terminal(io.StringIO(RULESET), out, err, PLAIN, PLAIN))
    assert status in (0, 1, 2), status
    assert "fault in rulesrun" not in err.getvalue(), err.getvalue()
    assert "more memory than there is" not in err.getvalue(), err.getvalue()


def character(data: bytes) -> None:
    """The bytes are a character: read as YAML with places, and as characters of bundled systems that have sheets."""
    try:
        source = Source.of_bytes("fuzz.yaml", data)
        read_document(source)
    except RulesError as error:
        assert problems_text(error.diagnostics)
        return
    for system in ("hive.rules", "polity.rules"):
        out, err = io.StringIO(), io.StringIO()
        with _in_a_folder() as folder:
            (folder / "fuzz.yaml").write_bytes(data)
            status = main(["sheet", system, "fuzz.yaml"], Terminal(io.StringIO(), out, err, PLAIN, PLAIN))
        assert status in (0, 1, 2), status
        assert "fault in rulesrun" not in err.getvalue(), err.getvalue()


@contextmanager
def _in_a_folder() -> Iterator[Path]:
    before = Path.cwd()
    with TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            yield Path(folder)
        finally:
            os.chdir(before)


TARGETS: dict[str, Callable[[bytes], None]] = {"ruleset": ruleset, "call": call, "character": character}
