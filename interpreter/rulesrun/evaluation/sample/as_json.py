"""A sample for programs: the shape of exact odds, with `chance` and `interval` where those have `exact`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rulesrun.evaluation.roll import json_value

if TYPE_CHECKING:
    from rulesrun.evaluation.sample.result import Sample, Sampled


def sample_json(sample: Sample, values: Sequence[str], confidence: float) -> dict[str, Any]:
    """One case; `values` names the values to give."""

    def estimate(name: str) -> dict[str, Any]:
        return {"chance": sample[name], "interval": list(sample.interval(name, confidence))}

    return {
        "system": sample.system,
        "rule": sample.rule,
        "inputs": {name: json_value(value) for name, value in sample.inputs.items()},
        "settings": sample.settings,
        "seed": sample.seed,
        "trials": sample.trials,
        "given": sample.known,
        "confidence": confidence,
        "outcomes": {name: {**estimate(name), "good": sample.good_of(name)} for name in sample.outcomes},
        "flags": {name: estimate(name) for name in sample.flags},
        "values": {
            name: spread_json(spread, confidence) for name, spread in zip(values, sample.spreads(values), strict=True)
        },
        "policies": {name: {"policy": policy} for name, policy in sample.policies.items()},
        "method": sample.method,
    }


def spread_json(spread: Sampled, confidence: float) -> dict[str, Any]:
    """The mean and standard deviation of a number; how often each value came up."""
    found: dict[str, Any] = {}
    if spread.is_number:
        mean = {"value": spread.mean, "interval": list(spread.mean_interval(confidence))}
        found = {"mean": mean, "sd": spread.sd}
    found["estimates"] = {
        _key(value): {"chance": share, "interval": list(spread.interval(value, confidence))}
        for value, share in spread.items()
    }
    return found


def _key(value: object) -> str:
    if value is None:
        return "null"
    return str(value).lower() if isinstance(value, bool) else str(value)
