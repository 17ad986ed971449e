"""Diagnostics as text, held against golden texts."""

from rulesrun.diagnostics import Diagnostic, Label, Severity, Source, Span
from rulesrun.render.layout import Paint, width
from rulesrun.render.problems import problem_text, problems_text

TEXT = """setting success_on = 6..10 "faces"

\tx = count sucess_on in pool # 漢字 "字" + bad
漢字漢字 = oops
"""
SOURCE = Source.of_text("hive.rules", TEXT)


def at(text: str, source: Source = SOURCE) -> Span:
    start = source.text.index(text)
    return source.span(start, start + len(text))


def error(message: str, span: Span, text: str = "") -> Diagnostic:
    return Diagnostic("code", Severity.ERROR, message, Label(span, text))


def test_everything_a_diagnostic_may_carry() -> None:
    other = Source.of_text("base.rules", "a = 1\n")
    problem = Diagnostic(
        "unknown-name",
        Severity.ERROR,
        "unknown name `sucess_on`",
        Label(at("sucess_on"), "not defined anywhere"),
        (
            Label(at("pool"), "on the same line"),
            Label(at("success_on"), "this is near"),
            Label(other.span(0, 1), "here"),
        ),
        ("names are defined once, from top to bottom, and a rule sees the settings of its file too",),
        "did you mean `success_on`?",
    )
    assert (
        problem_text(problem)
        == """\
hive.rules:3:12: error: unknown name `sucess_on`
  3 |     x = count sucess_on in pool # 漢字 "字" + bad
    |               ^^^^^^^^^ not defined anywhere
    |                            ---- on the same line
  1 | setting success_on = 6..10 "faces"
    |         ---------- this is near
  --> base.rules:1:1
  1 | a = 1
    | - here
    note: names are defined once, from top to bottom, and a rule sees the
          settings of its file too
    hint: did you mean `success_on`?"""
    )


def test_wide_characters_keep_the_carets_aligned() -> None:
    assert problem_text(error("bad", at("oops"))).splitlines()[1:] == [
        "  4 | 漢字漢字 = oops",
        "    |            ^^^^",
    ]


def test_a_long_line_is_cut_around_the_carets() -> None:
    source = Source.of_text("long.rules", "x = " + "1 + " * 60 + "BAD" + " + 2" * 60)
    lines = problem_text(error("bad", at("BAD", source), "this")).splitlines()
    assert lines[1:] == [
        "  1 | …+ 1 + 1 + 1 + 1 + 1 + BAD + 2 + 2 + 2 + 2 + 2 + 2 + 2 + 2 + 2 + 2 + 2 + …",
        "    |                        ^^^ this",
    ]
    assert max(map(width, lines)) <= 80


def test_a_megabyte_on_one_line() -> None:
    source = Source.of_text("long.rules", "y" * 1_000_000)
    lines = problem_text(error("bad", source.span(0, 1_000_000))).splitlines()
    assert max(map(width, lines)) <= 80
    assert lines[1].startswith("  1 | yyy")
    assert lines[1].endswith("y…")


def test_a_long_label_goes_below_its_carets() -> None:
    lines = problem_text(error("bad", at("oops"), "a label " * 12)).splitlines()
    assert lines[2] == "    |            ^^^^"
    assert lines[3].startswith("    | a label a label")
    assert max(map(width, lines)) <= 80


def test_a_span_over_several_lines_is_marked_on_its_first() -> None:
    lines = problem_text(error("bad", SOURCE.span(8, len(TEXT)))).splitlines()
    assert lines[1:] == ['  1 | setting success_on = 6..10 "faces"', "    |         " + "^" * 26]


def test_an_empty_span_at_the_end_gets_one_caret() -> None:
    end = len(TEXT)
    assert problem_text(error("more expected", SOURCE.span(end, end))).splitlines() == [
        "hive.rules:5:1: error: more expected",
        "  5 |",
        "    | ^",
    ]


def test_without_a_place() -> None:
    call = Diagnostic("call", Severity.ERROR, "no such input", hint="try attribute")
    assert problem_text(call) == "error: no such input\n  hint: try attribute"
    named = Diagnostic("empty", Severity.WARNING, "nothing in it", file="x.rules")
    assert problems_text([call, named]).endswith("\n\nx.rules: warning: nothing in it")


def test_colour_changes_nothing_but_colour() -> None:
    problem = error("bad", at("oops"), "this")
    painted = problem_text(problem, Paint(on=True))
    assert "\x1b[1;31merror:\x1b[0m" in painted
    for code in ("0", "1", "2", "36", "1;31"):
        painted = painted.replace(f"\x1b[{code}m", "")
    assert painted == problem_text(problem)
