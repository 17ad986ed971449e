"""Whatever stands in a file, the checker answers with problems that have places, or with a plan; it never breaks."""

from __future__ import annotations

import re
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rulesrun.diagnostics import RulesError, Source
from rulesrun.render.problems import problems_text
from rulesrun.semantics.compile import compile_ruleset
from rulesrun.syntax.parser import parse

HERE = Path(__file__).parent
TEXTS = [path.read_text("utf-8") for path in sorted((HERE / "constructs").glob("*.rules"))]
TOKEN = re.compile(r'"[^"\n]*"|\w+|[ \t]+|\n|.')
WORDS = sorted({token for text in TEXTS for token in TOKEN.findall(text) if token.strip()})


@st.composite
def slips(draw: st.DrawFn) -> str:
    """A sound text in which up to three words are others, missing or doubled."""
    tokens = TOKEN.findall(draw(st.sampled_from(TEXTS)))
    for _ in range(draw(st.integers(1, 3))):
        place = draw(st.integers(0, len(tokens) - 1))
        if not tokens[place].strip():
            continue
        slip = draw(st.sampled_from(["other", "own", "gone", "doubled"]))
        if slip == "other":
            tokens[place] = draw(st.sampled_from(WORDS))
        elif slip == "own":
            tokens[place] = draw(st.sampled_from([token for token in tokens if token.strip()]))
        else:
            tokens[place] = "" if slip == "gone" else f"{tokens[place]} {tokens[place]}"
    return "".join(tokens)


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(slips())
def test_a_text_with_slips_is_judged(text: str) -> None:
    source = Source.of_text("slips.rules", text)
    try:
        plan = compile_ruleset([parse(source)])
    except RulesError as error:
        assert any(each.is_error for each in error.diagnostics)
        problems = error.diagnostics
    else:
        problems = plan.warnings
        assert not any(each.is_error for each in problems)
    for each in problems:
        assert each.primary is not None and each.primary.span.source is source
        assert 0 <= each.primary.span.start <= each.primary.span.end <= len(source.text)
    assert problems_text(problems) or not problems


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.lists(
        st.sampled_from([line for text in TEXTS for line in text.split("\n") if line.startswith("    ")]), max_size=12
    )
)
def test_any_lines_together_are_judged(lines: list[str]) -> None:
    text = (
        "rule test\n    given x: 0.. = 1\n" + "\n".join(line for line in lines if not line.startswith("     ")) + "\n"
    )
    try:
        compile_ruleset([parse(Source.of_text("lines.rules", text))])
    except RulesError as error:
        assert problems_text(error.diagnostics)
