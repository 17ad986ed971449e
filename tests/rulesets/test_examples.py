"""Every worked example in every bundled ruleset holds, and each ruleset is fit to be shown."""

from __future__ import annotations

import pytest

from rulesrun import load
from rulesrun.library import bundled, bundled_text

SYSTEMS = ("hive.rules", "polity.rules", "gifts.rules", "twist.rules")
GALLERY = tuple(name for name in bundled() if name not in SYSTEMS)


@pytest.mark.parametrize("name", bundled())
def test_examples_hold(name: str) -> None:
    results = load(name).test()
    assert results
    wrong = [
        (each.example.text, each.error, [check.found for check in each.checks if not check.holds]) for each in results
    ]
    assert [each for each, result in zip(wrong, results, strict=True) if not result.holds] == []


@pytest.mark.parametrize("name", bundled())
def test_texts_are_there_for_those_who_do_not_read_the_file(name: str) -> None:
    ruleset = load(name)
    assert ruleset.name and ruleset.about
    assert len(ruleset.about) <= 50
    assert all(rule.text for rule in ruleset)
    assert all(setting.text for setting in ruleset.plan.settings.values())


@pytest.mark.parametrize("name", GALLERY)
def test_the_gallery_is_short(name: str) -> None:
    assert len(bundled_text(name).splitlines()) < 40
    assert load(name).warnings == ()


@pytest.mark.parametrize("name", SYSTEMS)
def test_warnings_are_only_of_tables_that_the_book_wrote_so(name: str) -> None:
    codes = {warning.code for warning in load(name).warnings}
    assert codes <= ({"overlap", "gap"} if name == "polity.rules" else set())


def test_bands_that_overlap_in_the_book_are_warned_of() -> None:
    assert len(load("polity.rules").warnings) == 7
