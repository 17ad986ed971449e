"""What is private spreads, a variant's sheet replaces its base's, and a roll never looks at a sheet that is kept."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import rulesrun
from rulesrun.semantics.plan_sheet import Action, Advance, Budget, Limit, Sheet, Status, Team, Trait, Value

RULES = """
rule together
    given sizes: list of 0..
    roll pool = (sum of sizes) d6
    good = count 6 in pool

sheet
    private trait will: 0.. = 5
    trait xp: 0.. = 0
    trait harm: 0.. = 0
    list secrets: 0..
    value rank = xp + 1
    value heart = 2 * will
    value both = heart + rank
    status fine if harm = 0
    status lost if both = 0
    budget plain = 10
        xp = xp
    budget hidden = 10
        will = will
        xp = xp
    limit "seen": xp >= harm
    limit "unseen": hidden.left >= 0
    advance harm costs 1 from xp
    advance will costs 1 from xp
    advance xp if not lost costs 1 from xp
    action hurt(n: 0..): harm += n
    action mend(n: 0..): harm -= n unless lost
    action weaken: will -= 1
    action hidden_name(will: 0..): harm becomes will
    team together
        sizes = rank if lost otherwise 0
"""


def sheet_of(text: str) -> Sheet:
    sheet = rulesrun.parse(text).plan.sheet
    assert sheet is not None
    return sheet


def test_whatever_reads_something_private_is_private() -> None:
    sheet = sheet_of(RULES)
    kinds = (Trait, Value, Status, Budget, Limit, Advance, Action, Team)
    private = {part.name or part.text for part in sheet.parts if isinstance(part, kinds) and part.private}
    assert private == {
        "will", "heart", "both", "lost", "hidden", "unseen", "xp", "mend", "weaken", "together",
    }  # fmt: skip
    assert {part.name for part in sheet.of(Advance) if part.private} == {"will", "xp"}
    assert not next(part for part in sheet.of(Trait) if part.name == "xp").private
    assert [line.private for line in sheet.of(Budget)[1].lines] == [True, False]


def test_the_sheet_of_a_variant_replaces_that_of_its_base(tmp_path: Path) -> None:
    (tmp_path / "base.rules").write_text(RULES, encoding="utf-8")
    (tmp_path / "same.rules").write_text('based on "base.rules"\n', encoding="utf-8")
    (tmp_path / "other.rules").write_text('based on "base.rules"\nsheet "other"\n    trait luck: 0.. = 1\n', "utf-8")
    same, other = (rulesrun.load(tmp_path / f"{name}.rules").plan.sheet for name in ("same", "other"))
    assert same is not None and same.part("will", Trait) is not None
    assert other is not None and [part.name for part in other.parts] == ["luck"]


def test_a_roll_does_not_read_the_sheet_of_a_kept_plan(tmp_path: Path) -> None:
    (tmp_path / "game.rules").write_text(RULES, encoding="utf-8")
    code = (
        "import sys, rulesrun\nrules = rulesrun.load('game.rules')\nrules['together'].roll(sizes=[2], seed=1)\n"
        "print('rulesrun.semantics.plan_sheet' in sys.modules, len(rules.plan.sheet.parts))\n"
    )
    env = {**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache")}
    said = [
        subprocess.run([sys.executable, "-c", code], cwd=tmp_path, env=env, capture_output=True, text=True, check=True)
        for _ in range(2)
    ]
    assert said[1].stdout.split()[0] == "False"
    assert said[0].stdout.split()[1] == said[1].stdout.split()[1]
