"""Questions that stand alone, as behind `--of`: what is said of those that are written as in an example."""

from __future__ import annotations

import pytest

import rulesrun

RULE = rulesrun.parse("rule r\n    roll pool = 2d6\n    total = sum of pool\n")["r"]


@pytest.mark.parametrize(
    ("asked", "hint"),
    [
        ("chance of (total >= 9)", "write `(total >= 9)`"),
        ("chance(total >= 9)", "write `total >= 9`"),
        ("mean of total", "write `total`"),
        ("mean(total)", "write `total`"),
    ],
)
def test_a_chance_is_asked_for_without_the_word(asked: str, hint: str) -> None:
    with pytest.raises(rulesrun.RulesError, match="is told anyway") as said:
        RULE.odds().of(asked)
    assert said.value.hint == hint
