"""Whatever the words of a call: an exit status, and never a fault of the program."""

from __future__ import annotations

import io
import shutil
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rulesrun.cli.main import main
from rulesrun.cli.terminal import Terminal
from rulesrun.render.layout import PLAIN

FILES = [
    "crew.rules",
    "zoe.yaml",
    "wrong.yaml",
    "armistad.yaml",
    "duel.rules",
    "broken.rules",
    "hive",
    "gone.rules",
    "-",
    ".",
    "",
]
NAMES = ["might", "effort", "attacker.might", "foes", "sure", "die", "pool", "push", "bonus", "hits", "", "x", "."]
VALUES = [
    "1",
    "-1",
    "0..3",
    "1,2",
    "easy",
    "yes",
    "none",
    "9" * 5000,
    "1/0",
    "",
    "1..",
    "'",
    '"',
    "(",
    "[1, 2]",
    "6..5",
    "½",
]
WORDS = st.one_of(
    st.sampled_from(
        [
            "strike",
            "check",
            "together",
            "duel",
            "cost",
            "odds",
            "compare",
            "tune",
            "test",
            "check",
            "fmt",
            "show",
            "list",
            "sheet",
            "roll",
            "--",
            "-",
            "=",
        ]
    ),
    st.sampled_from(FILES),
    st.builds("{}={}".format, st.sampled_from(NAMES), st.one_of(st.sampled_from(VALUES), st.text(max_size=6))),
    st.sampled_from(
        [
            "--json",
            "--csv",
            "--seed",
            "--times",
            "--dice",
            "--choose",
            "--aim",
            "--set",
            "--of",
            "--given",
            "--vary",
            "--as",
            "--do",
            "--reveal",
        ]
    ),
    st.sampled_from(
        [
            "1",
            "3",
            "--seed=1",
            "--times=2",
            "--budget=9",
            "--help",
            "-h",
            "--versio",
            "never",
            "--as=zoe.yaml",
            "--as=attacker=bob.yaml",
            "--do=hurt 2",
            "--do=hope 9",
            "--do=raise climbing",
            "skill=climbing",
            "total",
            "best",
            "chance of hit = 1",
        ]
    ),
    st.text(max_size=8),
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return Path(shutil.copytree(Path(__file__).parent / "files", tmp_path_factory.mktemp("any") / "files"))


BEGUN = [
    [],
    [],
    ["sheet", "crew.rules", "zoe.yaml"],
    ["sheet", "crew.rules", "wrong.yaml"],
    ["crew.rules", "check", "--as=zoe.yaml"],
    ["odds", "crew.rules", "check", "--as=bob.yaml"],
]


@given(st.builds(lambda begun, words: [*begun, *words], st.sampled_from(BEGUN), st.lists(WORDS, max_size=6)))
@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_every_call_ends_well(folder: Path, monkeypatch: pytest.MonkeyPatch, words: list[str]) -> None:
    monkeypatch.chdir(folder)
    out, err = io.StringIO(), io.StringIO()
    status = main(words, Terminal(io.StringIO("rule r\n    x = 1\n"), out, err, PLAIN, PLAIN))
    assert status in (0, 1, 2)
    assert "fault in rulesrun" not in err.getvalue()
    assert (status == 2) <= ("error: " in err.getvalue())
