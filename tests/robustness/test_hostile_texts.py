"""Texts that mean harm: what a terminal would obey, what a spreadsheet would compute, what reaches for other files."""

from __future__ import annotations

import csv
import io
import os
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rulesrun
from rulesrun import RulesError
from rulesrun.cli.main import main
from rulesrun.cli.terminal import Terminal, visible
from rulesrun.diagnostics import Source
from rulesrun.render.layout import PLAIN, Paint

OBEYED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
RULE = "rule r\n    "


def run(*words: str, stdin: str = "") -> tuple[int, str, str]:
    out, err = io.StringIO(), io.StringIO()
    status = main(words, Terminal(io.StringIO(stdin), out, err, PLAIN, PLAIN))
    return status, out.getvalue(), err.getvalue()


@pytest.mark.parametrize("sign", ["\x1b", "\x07", "\x00", "\x9b", "\x7f", "\u202e", "\u2066", "\x08", "\x0c"])
def test_a_ruleset_holds_nothing_that_a_terminal_obeys(sign: str) -> None:
    for text in (f'{RULE}x = 1 "a{sign}b"\n', f"{RULE}x = 1 # {sign}\n", f"{sign}\n{RULE}x = 1\n"):
        with pytest.raises(RulesError) as caught:
            rulesrun.parse(text, "r.rules")
        assert caught.value.diagnostics[0].code == "control-character"
        assert caught.value.line is not None
        assert OBEYED.search(caught.value.message) is None


@pytest.mark.parametrize("word", ["\x1b]0;title\x07", "\x9b31m", "a\u202eb", "\ud800"])
def test_words_of_a_call_are_shown_not_obeyed(word: str) -> None:
    for words in (
        (word,),
        ("hive", word),
        ("hive", f"{word}=1"),
        ("hive", f"attribute={word}"),
        ("hive", "--set", f"success_on={word}"),
        ("hive", "--dice", f"human={word}"),
        ("hive", f"--{word}"),
        ("odds", "hive", "--of", word),
        ("odds", "hive", "--given", word),
        ("check", word),
        ("copy", word),
        ("hive", "--limit", f"{word}=1"),
        ("tune", "hive", f"chance of {word} = 5%", "--vary", f"{word}=1"),
    ):
        status, out, err = run(*words)
        assert status in (1, 2), words
        assert OBEYED.search(out + err) is None, words
        assert "fault in rulesrun" not in err, words


def test_names_of_files_are_shown_not_obeyed(tmp_path: Path) -> None:
    file = tmp_path / "a\x1b[31m\u202eb.rules"
    file.write_text(f"{RULE}x = y\n")
    for words in (("check", str(file)), (str(file),), ("fmt", "--check", str(file)), ("test", str(file))):
        _, out, err = run(*words)
        assert out + err or "fmt" in words
        assert OBEYED.search(out + err) is None


@given(st.text(st.characters(categories=["Cc", "Cf", "Zl", "Zp", "L"]), max_size=20))
@settings(max_examples=100)
def test_nothing_obeyed_is_left(text: str) -> None:
    shown = visible(text, colours=False)
    assert OBEYED.search(shown) is None
    assert visible(shown, colours=False) == shown


def test_only_our_own_colours_are_left() -> None:
    paint = Paint(True)
    text = paint.good("yes") + "\x1b[8mhidden\x1b[0m\x1b[2J"
    shown = visible(text, colours=True)
    assert shown == paint.good("yes") + "\\u001b[8mhidden\x1b[0m\\u001b[2J"


def test_json_stays_json_and_shows_what_it_hides() -> None:
    out = io.StringIO()
    Terminal(io.StringIO(), out, io.StringIO(), PLAIN, PLAIN).say_json({"a": "\u202e\x9b"})
    assert OBEYED.search(out.getvalue().rstrip("\n")) is None
    assert '"\\u202e\\u009b"' in out.getvalue()


def test_cells_of_a_table_are_names_and_numbers(tmp_path: Path) -> None:
    file = tmp_path / "a.rules"
    file.write_text(
        'rule r "=1+1"\n    given n: -3..3 = 0 "@x"\n    given k: one of wood, iron = wood\n    roll p = d6\n'
        '    x = p + n\n    flag odd if x > 3 "+1"\n\n    outcome\n        + good if x > 3 "=cmd()"\n'
        '        - bad otherwise "-2"\n'
    )
    status, out, _ = run("odds", str(file), "n=-3..3", "k=wood,iron", "--csv")
    assert status == 0
    for row in csv.reader(io.StringIO(out)):
        for cell in row:
            assert re.fullmatch(r"[A-Za-z_][\w .]*|-?[\d./e-]+", cell), cell


# ---------------------------------------------------------------- other files


@pytest.mark.parametrize(
    "name", ["../secret.rules", "/etc/passwd", "sub/../../secret.rules", "link.rules", "linked/secret.rules", "..", "."]
)
def test_no_other_folder_is_read(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "folder"
    (folder / "sub").mkdir(parents=True)
    (tmp_path / "secret.rules").write_text("rule secret_rule\n    x = 1\n")
    (folder / "link.rules").symlink_to(tmp_path / "secret.rules")
    (folder / "linked").symlink_to(tmp_path)
    (folder / "a.rules").write_text(f'based on "{name}"\n')
    with pytest.raises(RulesError) as caught:
        rulesrun.load(folder / "a.rules")
    assert caught.value.line == 1
    assert "secret_rule" not in str(caught.value)


def test_a_text_reads_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "b.rules").write_text(f"{RULE}x = 1\n")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(RulesError, match="no file"):
        rulesrun.parse('based on "b.rules"\n')
    status, _, err = run("check", "-", stdin='based on "b.rules"\n')
    assert status == 1
    assert "no file" in err


def test_a_pipe_or_a_device_is_no_hang(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.rules")
    (tmp_path / "a.rules").write_text('based on "pipe.rules"\n')
    with pytest.raises(RulesError, match="no plain file"):
        rulesrun.load(tmp_path / "a.rules")
    with pytest.raises(RulesError):
        rulesrun.load("/dev/zero")


@given(st.binary(max_size=200))
@settings(max_examples=150, deadline=None)
def test_any_bytes_are_a_ruleset_or_an_error(data: bytes) -> None:
    try:
        found = rulesrun.parse(Source.of_bytes("a.rules", data).text, "a.rules")
    except RulesError as error:
        assert all(each.primary or each.file for each in error.diagnostics)
    else:
        assert list(found) is not None


def test_a_link_that_leads_nowhere_is_not_offered_in_its_own_place(tmp_path: Path) -> None:
    (tmp_path / "gone.rules").symlink_to("nowhere.rules")
    (tmp_path / "round.rules").symlink_to("round.rules")
    (tmp_path / "rounds.rules").write_text(f"{RULE}x = 1\n")
    for name in ("gone.rules", "round.rules"):
        status, _, err = run("check", str(tmp_path / name))
        assert status == 2
        assert "there is no file" in err and f"did you mean {name}?" not in err
