"""Exact odds for programs. Every `exact` is a fraction in lowest terms as text, beside it the nearest float."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from json import dumps
from math import isfinite
from typing import Any

from rulesrun.evaluation.distribution import Distribution
from rulesrun.evaluation.odds import Odds
from rulesrun.evaluation.roll import json_value
from rulesrun.evaluation.values import exact_text, nearest_float
from rulesrun.render.odds import mean_of
from rulesrun.render.values import value_key


def odds_json(odds: Odds, values: Iterable[str]) -> dict[str, Any]:
    """One case; `values` names the values to give."""
    return {
        "system": odds.system,
        "rule": odds.rule,
        "inputs": {name: json_value(value) for name, value in odds.inputs.items()},
        "settings": dict(odds.settings),
        "outcomes": {
            name: {**chance_json(chance), "good": odds.good_of(name)} for name, chance in odds.outcomes.items()
        },
        "flags": {name: chance_json(chance) for name, chance in odds.flags.items()},
        "values": {name: distribution_json(odds.of(name)) for name in values},
        "policies": {name: _policy(choice) for name, choice in odds.policies.items()},
        "method": odds.method,
    }


def odds_json_line(odds: Odds, values: Iterable[str]) -> str:
    """One case as a line of JSON."""
    return dumps(odds_json(odds, values), ensure_ascii=False) + "\n"


def chance_json(chance: Fraction) -> dict[str, Any]:
    """A chance, exactly and as a number."""
    return {"exact": exact_text(chance), "chance": float(chance)}


def distribution_json(spread: Distribution) -> dict[str, Any]:
    """The mean and standard deviation of a number; the chance of each value; the tail of an endless one."""
    items = list(spread.items())
    found: dict[str, Any] = {}
    if items and all(isinstance(value, int | Fraction) and not isinstance(value, bool) for value, _ in items):
        mean = mean_of(spread)
        found = (
            {}
            if mean is None
            else {
                "mean": {"exact": exact_text(mean), "value": nearest_float(mean)},
                "sd": spread.sd if isfinite(spread.sd) else None,
            }
        )
    found["exact"] = {value_key(value): exact_text(chance) for value, chance in items}
    if spread.tail:
        found["tail"] = {"above": json_value(spread.tail_above), "exact": exact_text(spread.tail)}
    return found


def _policy(choice: dict[str, Any]) -> dict[str, Any]:
    found = dict(choice)
    if "gain" in found:
        found["gain"] = {word: chance_json(chance) for word, chance in found["gain"].items()}
    if "when" in found:
        found["when"] = [{name: json_value(value) for name, value in each.items()} for each in found["when"]]
    return found
