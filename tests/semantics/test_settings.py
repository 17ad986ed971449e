"""Settings with other values, files based on others, and what is said of both."""

from __future__ import annotations

from fractions import Fraction

import pytest
from tests.semantics.compiling import codes, ruleset

from rulesrun.diagnostics import RulesError, Source
from rulesrun.semantics import plan
from rulesrun.semantics.items import Given
from rulesrun.syntax.parser import parse_setting

TEXT = """
system "Base"
    about "a base"
    version "1"
levels difficulties
    easy 8
setting success_on = 6..10 "faces that count"
setting bonus: 0..3 = 1
setting cap: one of team, each = team
setting rate = 1/2
setting whole = 2
setting open_ended = yes
setting difficulty: difficulties = easy
setting limit_of: 0.. or none = none
rule check
    given skill: 0.. = 1
    roll pool = skill d10
    hits = count success_on in pool + bonus + rate + whole + (1 if open_ended otherwise 0) + difficulty
    team = 1 if cap is each otherwise 2
    capped = hits if limit_of = none otherwise min(hits, limit_of)
example "with a skill"
    dice pool = 5, 6
    roll check(skill = 2)
    expect team = 2
"""


def written(text: str) -> Given:
    return parse_setting(Source.of_text("set", text))


@pytest.mark.parametrize(
    ("name", "given", "value"),
    [
        ("bonus", 3, 3),
        ("bonus", written("1 + 1"), 2),
        ("cap", "each", "each"),
        ("cap", written("each"), "each"),
        ("rate", Fraction(1, 3), Fraction(1, 3)),
        ("rate", 2, 2),
        ("open_ended", False, False),
        ("open_ended", written("no"), False),
        ("difficulty", "easy", 8),
        ("difficulty", written("easy"), 8),
        ("difficulty", 9, 9),
        ("limit_of", 3, 3),
        ("limit_of", None, None),
        ("limit_of", written("none"), None),
    ],
)
def test_a_setting_takes_another_value(name: str, given: Given, value: plan.Constant) -> None:
    assert ruleset(TEXT, settings={name: given}).settings[name].value == value


@pytest.mark.parametrize("given", [written("7..10"), written("7 or 8"), written("not 1"), 7, (7, 8)])
def test_faces_take_other_faces(given: Given) -> None:
    found = ruleset(TEXT, settings={"success_on": given}).settings["success_on"].value
    assert isinstance(found, plan.FaceSet)


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("bonus", 4),
        ("bonus", True),
        ("bonus", "yes"),
        ("bonus", Fraction(1, 2)),
        ("bonus", None),
        ("bonus", written("4")),
        ("bonus", written("1..2")),
        ("cap", "squad"),
        ("cap", written("squad")),
        ("whole", Fraction(1, 2)),
        ("open_ended", 1),
        ("success_on", True),
        ("success_on", None),
        ("success_on", written("yes")),
        ("difficulty", "hard"),
        ("limit_of", -1),
    ],
)
def test_a_value_outside_the_domain_is_refused(name: str, given: Given) -> None:
    with pytest.raises(RulesError):
        ruleset(TEXT, settings={name: given})


def test_a_wrong_name_is_answered_with_the_nearest() -> None:
    with pytest.raises(RulesError) as caught:
        ruleset(TEXT, settings={"sucess_on": 3})
    assert caught.value.message == "there is no setting called `sucess_on`"
    assert caught.value.hint == "did you mean `success_on`?"


def test_what_is_written_is_kept_as_text() -> None:
    assert ruleset(TEXT).settings["success_on"].written == "6..10"
    assert ruleset(TEXT, settings={"success_on": written("7 .. 10")}).settings["success_on"].written == "7 .. 10"
    assert ruleset(TEXT, settings={"limit_of": None, "open_ended": False}).settings["open_ended"].written == "no"


def test_no_other_value_of_a_setting_makes_a_sound_ruleset_faulty() -> None:
    text = (
        "setting parts: 0.. = 1\nsetting kind: one of calm, wild = calm\nsetting hits: faces = 6\n"
        "rule test\n    roll a = parts d6 if parts > 0\n    roll b = (parts - 1) d(parts) if parts > 1\n"
        "    roll c = 2d6, explode on hits at most 3 times\n"
        "    x = sum of a / parts if parts > 0 otherwise 0\n    y = kind is wild or kind is calm\n"
        "    z = count hits in c + sum of b\n    outcome\n        + hit if x > 3\n        + more if x > parts\n"
        "        ~ even if y\n        - miss otherwise\n    w = z\n"
    )
    for parts in range(5):
        for kind in ("calm", "wild"):
            for hits in (written("6"), written("1..6"), written("7"), written("not 3")):
                assert "error" not in [
                    each.severity.value
                    for each in ruleset(text, settings={"parts": parts, "kind": kind, "hits": hits}).warnings
                ]


def test_a_variant_replaces_and_adds() -> None:
    variant = (
        'system "Variant"\n    version "2"\nsetting bonus = 3\nsetting extra = 4\n'
        "rule check\n    roll pool = 3d10\n    hits = count success_on in pool + extra + bonus\n"
        "    other = (1 if cap is each otherwise 2) + whole + rate\n"
        'example "with a skill"\n    dice pool = 6\n    roll check\n    expect other > 2\n'
    )
    found = ruleset(variant, TEXT)
    assert (found.name, found.about, found.version) == ("Variant", "a base", "2")
    assert found.settings["bonus"].domain == ruleset(TEXT).settings["bonus"].domain
    assert found.settings["success_on"].text == "faces that count"
    assert list(found.settings)[-1] == "extra"
    assert found.rules["check"].inputs == ()
    assert [example.dice for example in found.examples] == [{"pool": (6,)}]


def test_a_variant_is_held_to_the_domains_of_its_base() -> None:
    assert codes("setting bonus = 4\n", TEXT) == ["setting-outside"]
    assert codes("setting cap = squad\n", TEXT) == ["unknown-label"]


def test_a_rule_of_the_base_uses_what_the_variant_replaces() -> None:
    base = "rule one\n    roll a = d6\n    x = a + 1\nrule two\n    roll o = one\n    y = o.x\n"
    assert codes("rule one\n    roll a = d6\n    z = a + 1\n", base) == ["unknown-part"]


def test_all_problems_of_all_files_are_told_in_order() -> None:
    base = "rule one\n    roll a = d6\n    x = a + wrong\n"
    with pytest.raises(RulesError) as caught:
        ruleset("rule two\n    x = 1 + other\n    y = third\n", base)
    places = [
        (each.primary.span.source.name, each.primary.span.line) for each in caught.value.diagnostics if each.primary
    ]
    assert places == [("file_1.rules", 3), ("file_2.rules", 2), ("file_2.rules", 3)]
