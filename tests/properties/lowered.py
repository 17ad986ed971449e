"""Small thresholds: random rules go down the paths that are made for many dice.

The package lists what can fall in few ways and takes other methods for the rest. Random rules are small, so that the
enumerator can follow them. `lowered` makes the package think otherwise for a while: what is few, long or wide is drawn
at random for each threshold, from what turns a method off up to what is normal, so that methods are mixed. Each of
these numbers only says which of several methods is taken: the answer must be the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from importlib import import_module
from random import Random
from typing import Any
from unittest.mock import patch

THRESHOLDS: dict[str, dict[str, tuple[Any, ...]]] = {
    "dice.kept": {"FEW": (0, 2, 100), "WIDEST": (0, 200)},
    "dice.multiplicity": {"WIDEST": (0, 30)},
    "dice.presence": {"WIDEST": (0, 30)},
    "dice.series": {"LONG": (0, 3), "WORTH_COUNTING": (0,)},
    "evaluation.exact.bags": {"FEW_DRAWS": (0, 2), "FEW_KINDS": (0, 2), "FEW_NUMBERS": (0, 2), "MANY_DRAWS": (0, 5)},
    "evaluation.exact.blended": {"MOST_WAYS": (0, 3, 1000), "WORTH": (0, 1)},
    "evaluation.exact.celled": {"MOST_CELLS": (0, 50)},
    "evaluation.exact.chain": {"MOST_AT_ONCE": (0, 1, 3)},
    "evaluation.exact.chances": {"MOST_MADE": (1, 3)},
    "evaluation.exact.columns": {"COUNTED": (0, 5), "EXACT_FLOAT": (0,), "WIDEST": (30, 1000)},
    "evaluation.exact.expressions.for_each": {"FEW_WAYS": (0, 5)},
    "evaluation.exact.expressions.looking": {"FEW": (0, 5)},
    "evaluation.exact.expressions.outright": {"OFTEN": (0, 1), "ENOUGH": (0, 1)},
    "evaluation.exact.expressions.values": {"_REMEMBERED": (1, 2)},
    "evaluation.exact.forms": {"FAR_APART": (0, 1)},
    "evaluation.exact.joint_tables": {
        "FEW_WAYS": (0, 10), "HANDFUL": (0, 100, 10000), "MANY_WAYS": (1, 10), "MANY_ROWS": (0, 3),
        "MOST_ASKED": (0, 2), "MOST_WAYS": (0, 20), "QUICK": (0, 50), "STEPS": (0, 1000),
    },
    "evaluation.exact.listed_draw": {"MANY_POOLS": (0, 3)},
    "evaluation.exact.loop": {"MANY": (1, 4, 20)},
    "evaluation.exact.loop_unopened": {"FEW_WAYS": (0, 3), "MOST_TURNS": (1, 2), "MOST_STATES": (2, 10)},
    "evaluation.exact.peel": {"MOST": (0, 1)},
    "evaluation.exact.collecting": {"FAR_APART": (0, 1)},
    "evaluation.exact.riding": {"FEW": (0, 2)},
    "evaluation.exact.states": {"BEGUN": (20, 100), "FEW_WAYS": (0, 3)},
    "evaluation.exact.tabled": {"FEW": (0, 5), "FEW_SIMPLE": (0, 5), "FEW_DRAWN": (0, 5)},
}  # fmt: skip
"""By module: each threshold and what it is lowered to."""

LAST = "walk"
"""The method of `rulesrun.dice` that suits every question; any of the others may be left out."""


def changes(seed: object) -> dict[tuple[str, str], Any]:
    """The thresholds that are changed, by module and name, and to what; the same for the same seed, whatever other
    thresholds there are.
    """
    share = Random(f"lowered {seed}").choice((0.25, 0.5, 0.75, 1.0))
    found: dict[tuple[str, str], Any] = {}
    for module, thresholds in THRESHOLDS.items():
        for name, values in thresholds.items():
            random = Random(f"lowered {seed} {module}.{name}")
            if random.random() < share:
                found[module, name] = random.choice(values)
    methods = import_module("rulesrun.dice.joint").METHODS
    found["dice.joint", "METHODS"] = {
        name: method
        for name, method in methods.items()
        if name == LAST or Random(f"lowered {seed} {name}").random() >= share / 2
    }
    return found


@contextmanager
def lowered(seed: object) -> Iterator[None]:
    """While it lasts, thresholds are as `changes` says."""
    with ExitStack() as stack:
        for (module, name), value in changes(seed).items():
            stack.enter_context(patch.object(import_module(f"rulesrun.{module}"), name, value))
        yield


def said(seed: object) -> str:
    """The changes as text."""
    return ", ".join(
        f"{module}.{name} = {sorted(value) if isinstance(value, dict) else value}"
        for (module, name), value in changes(seed).items()
    )
