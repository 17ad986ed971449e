"""Every message about syntax, held against its golden text: NAME.rules is refused with exactly NAME.txt.

After a wanted change of a message, `RULESRUN_REGENERATE=1 pytest tests/errors/syntax` writes the texts anew; read the
difference before it is committed.
"""

import os
import re
from pathlib import Path

import pytest

from rulesrun.diagnostics import RulesError, Source
from rulesrun.render.layout import width
from rulesrun.render.problems import problems_text
from rulesrun.syntax.dice_slips import DICE_SLIPS
from rulesrun.syntax.line_slips import LINE_SLIPS
from rulesrun.syntax.parser import parse, parse_goal, parse_throw, parse_value
from rulesrun.syntax.sheet_slips import SHEET_SLIPS
from rulesrun.syntax.slip_patterns import Pattern
from rulesrun.syntax.tables import parser

FILES = sorted(Path(__file__).parent.glob("*.rules"))
QUOTED = re.compile(r"`[^`]*`")
ALLOWED = {"NAME", "NUMBER", "TEXT", "DICE", "BAG", "POLICY", "FACE", "TRAIT", "RULE"}
"""Words in capitals that stand for what the reader has to fill in, though tokens are called so too: only in what is
quoted."""


def message(file: Path) -> str:
    with pytest.raises(RulesError) as raised:
        parse(Source.of_bytes(file.name, file.read_bytes()))
    return problems_text(raised.value.diagnostics) + "\n"


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_message(file: Path) -> None:
    golden = file.with_suffix(".txt")
    text = message(file)
    if os.environ.get("RULESRUN_REGENERATE"):
        golden.write_text(text, encoding="utf-8")
    assert text == golden.read_text(encoding="utf-8")


def test_no_golden_text_is_left_over() -> None:
    texts = {file.stem for file in Path(__file__).parent.glob("*.txt")}
    assert texts == {file.stem for file in FILES}


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_no_message_names_a_token_or_breaks_out_of_the_page(file: Path) -> None:
    with pytest.raises(RulesError) as raised:
        parse(Source.of_bytes(file.name, file.read_bytes()))
    names = {each.name.lstrip("_") for each in parser().terminals}
    written = file.read_text(encoding="utf-8")
    for problem in raised.value.diagnostics:
        told = f"{problem.message} {problem.hint} {problem.primary.text if problem.primary else ''}"
        quoted = " ".join(QUOTED.findall(told))
        own = set(re.findall(r"\w+", written))
        assert not set(re.findall(r"[A-Z_]{2,}", QUOTED.sub("", told))) & names - own
        assert not set(re.findall(r"[A-Z_]{2,}", quoted)) & names - own - ALLOWED
        assert problem.primary is not None
        assert problem.hint or problem.primary.text or problem.code == "division-by-zero", problem
    below = [line for line in message(file).split("\n") if not line.startswith(file.name)]
    assert max(map(width, below)) <= 80


def test_every_known_slip_has_a_golden_text(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: set[Pattern] = set()
    find = Pattern.find

    def record(pattern: Pattern, line: str, at: int, start: str, accepts: frozenset[str]) -> object:
        found = find(pattern, line, at, start, accepts)
        if found:
            seen.add(pattern)
        return found

    monkeypatch.setattr(Pattern, "find", record)
    for file in FILES:
        message(file)
    for text in ("2d6 >= 7", "sum of 2d6"):  # what the command prints then stands among the transcripts
        with pytest.raises(RulesError, match="only the dice stand here"):
            parse_throw(Source.of_text(text, text))
    with pytest.raises(RulesError, match="a goal is a chance or a mean"):
        parse_goal(Source.of_text("goal", "65% success"))
    for text in ("chance of success", "chance(success)"):
        with pytest.raises(RulesError, match="is told anyway"):
            parse_value(Source.of_text("value", text))
    assert [pattern.regex for pattern in (*SHEET_SLIPS, *DICE_SLIPS, *LINE_SLIPS) if pattern not in seen] == []
