"""Sources, positions in them, and the one exception."""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulesrun.diagnostics import Diagnostic, Label, RulesError, Severity, Source
from rulesrun.limits import USUAL

LINES = st.text(st.characters(exclude_categories=["Cc", "Cs"]), max_size=8)


@pytest.mark.parametrize("data", [b"a\nb", b"\xef\xbb\xbfa\nb", b"a\r\nb", b"a\rb", "\ufeffa\r\nb".encode()])
def test_bom_and_line_endings_make_no_difference(data: bytes) -> None:
    assert Source.of_bytes("x.rules", data).text == "a\nb"


@given(st.lists(LINES, min_size=1, max_size=6))
def test_positions_count_lines_and_characters(lines: list[str]) -> None:
    source = Source.of_text("x.rules", "\n".join(["first", *lines]))
    assert source.lines == ("first", *lines)
    offset = 0
    for number, line in enumerate(source.lines, 1):
        assert source.line(number) == line
        assert source.position(offset) == (number, 1)
        assert source.position(offset + len(line)) == (number, len(line) + 1)
        offset += len(line) + 1


def test_a_span_knows_where_it_is() -> None:
    source = Source.of_text("x.rules", "ab\n漢字 x\n")
    span = source.span(4, 7)
    assert (span.text, span.line, span.column, span.end_line, span.end_column) == ("字 x", 2, 2, 2, 5)
    assert span.to(source.span(8, 8)).end == 8
    assert span == source.span(4, 7)
    assert len({span, source.span(4, 7)}) == 1
    assert span != Source.of_text("x.rules", source.text).span(4, 7)


def test_an_error_carries_the_first_error_not_the_first_warning() -> None:
    source = Source.of_text("x.rules", "a\nbc\n")
    warning = Diagnostic("unused", Severity.WARNING, "unused", Label(source.span(0, 1)))
    error = Diagnostic("unknown-name", Severity.ERROR, "unknown", Label(source.span(3, 4)), hint="try b")
    raised = RulesError([warning, error])
    assert (raised.file, raised.line, raised.column) == ("x.rules", 2, 2)
    assert (raised.message, raised.hint) == ("unknown", "try b")
    assert str(raised) == "x.rules:2:2: unknown\nhint: try b"
    assert raised.diagnostics == (warning, error)


def test_an_error_without_a_place() -> None:
    raised = RulesError.of("no such input")
    assert (raised.file, raised.line, raised.column, str(raised)) == (None, None, None, "no such input")
    assert pickle.loads(pickle.dumps(raised)).message == "no such input"


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"\xff\xfe\x00", "not-utf-8"),
        (b"PK\x03\x04", "control-character"),
        (b"a\x00b", "control-character"),
        (b"a\x1b[31m", "control-character"),
        ("a\x9b31m".encode(), "control-character"),
        (b"#" * (USUAL.characters + 1), "too-long"),
    ],
)
def test_what_is_no_text_file_is_refused(data: bytes, code: str) -> None:
    with pytest.raises(RulesError) as raised:
        Source.of_bytes("x.rules", data)
    assert raised.value.diagnostics[0].code == code
    assert raised.value.file == "x.rules"
