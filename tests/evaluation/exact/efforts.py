"""How much work rules take that were found at random or are asked of endless dice, and files with their examples: kept,
so that none takes more.

`data/efforts.json` has for each how its odds are worked out, and how many situations, items and steps that took.
The numbers say nothing about what is right; they are worked out anew, and kept, with

    python -m tests.evaluation.exact.efforts
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

import rulesrun
from rulesrun.evaluation.exact.effort import Effort

TESTS = Path(__file__).parents[2]
KEPT = Path(__file__).parent / "data" / "efforts.json"
COUNTED = ("states", "opened", "items", "steps")
BUDGET = 10_000


@contextmanager
def watched() -> Iterator[list[Effort]]:
    """All work that is begun within."""
    begun: list[Effort] = []
    first = Effort.__post_init__

    def noted(self: Effort) -> None:
        first(self)
        begun.append(self)

    with patch.object(Effort, "__post_init__", noted):
        yield begun


def effort(case: dict[str, Any]) -> dict[str, Any]:
    """How the odds of a rule and of its values are worked out, and how much that takes."""
    if "file" in case:
        ruleset = rulesrun.load(TESTS / case["file"])
        with watched() as begun:
            ruleset.test()
        return told(begun)
    rule = rulesrun.parse(case["text"])[case["rule"]]
    with watched() as begun:
        odds = rule.odds(inputs=case["inputs"], choose=case["choose"], aim=case["aim"], budget=BUDGET)
        for name in case["values"]:
            odds.of(name)
    return told(begun)


def told(begun: list[Effort]) -> dict[str, Any]:
    methods = sorted({method for each in begun for method in each.methods})
    return {"methods": methods, "effort": [sum(getattr(each, what) for each in begun) for what in COUNTED]}


def cases() -> list[dict[str, Any]]:
    return json.loads(KEPT.read_text("utf-8"))  # type: ignore[no-any-return]


def keep(found: list[dict[str, Any]]) -> None:
    lines = ",\n".join(json.dumps(case, ensure_ascii=False) for case in found)
    KEPT.write_text(f"[\n{lines}\n]\n", "utf-8")


if __name__ == "__main__":
    keep([case | effort(case) for case in cases()])
