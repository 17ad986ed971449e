"""House rules: each variant changes what it says and nothing else, and is compared with its base."""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction
from typing import Any

import pytest

from rulesrun import load
from rulesrun.library import bundled, bundled_text

VARIANTS = {
    "hive_heroic.rules": ("hive.rules", {"success_on": "5..10"}),
    "twist_plain.rules": ("twist.rules", {"crits_always": "no"}),
    "gifts_mild.rules": ("gifts.rules", {"fumble_cost": "0"}),
}


def test_these_are_all_bundled_variants() -> None:
    assert {name: tuple(load(name).bases) for name in bundled() if load(name).bases} == {
        name: (base,) for name, (base, _) in VARIANTS.items()
    }


@pytest.mark.parametrize("name", VARIANTS)
def test_a_variant_is_five_lines_and_its_examples(name: str) -> None:
    said = [line for line in bundled_text(name).partition("example")[0].splitlines() if line]
    assert len(said) <= 5
    assert all(result.holds for result in load(name).test())
    assert [each.text for each in load(name).examples] != [each.text for each in load(VARIANTS[name][0]).examples]


@pytest.mark.parametrize("name", VARIANTS)
def test_a_variant_differs_by_its_settings_alone(name: str) -> None:
    base, settings = VARIANTS[name]
    variant, original = load(name), load(base)
    assert dict(variant.settings) == {**original.settings, **settings}
    assert list(variant.rules) == list(original.rules)
    changed: Any = original.with_settings(**settings)
    first = next(iter(original)).name
    assert variant[first].odds().outcomes == changed[first].odds().outcomes


@pytest.mark.parametrize(
    ("name", "rule", "inputs", "outcome", "before", "after"),
    [
        ("hive_heroic", "skill_check", {}, "failure", Fraction(1, 32), Fraction(32, 3125)),
        ("twist_plain", "attribute_roll", {"attribute": 9}, "critical_failure", Fraction(1, 12), Fraction(0)),
        ("gifts_mild", "attempt", {"skill": 3}, "fumbled", Fraction(1, 36), Fraction(0)),
    ],
)
def test_what_a_house_rule_changes(
    name: str, rule: str, inputs: dict[str, int], outcome: str, before: Fraction, after: Fraction
) -> None:
    base = name.partition("_")[0]
    assert load(base)[rule].odds(inputs=inputs)[outcome] == before
    assert load(name)[rule].odds(inputs=inputs)[outcome] == after
    words = [rule, *(f"{key}={value}" for key, value in inputs.items())]
    command = [sys.executable, "-m", "rulesrun", "compare", base, name, *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert name in done.stdout and outcome in done.stdout
