"""Random rules about throws and questions that other families meet too seldom: one throw, and what suits it."""

from __future__ import annotations

from .endless import DRIFT
from .picks import Picks

THROWS = (
    "2d3, explode on 2..3", "2d3, again on all 3, explode on 3", "d3, again on any 2, explode on 3",
    "2d3, reroll 1 in at most 1 dice once, explode on 3", "drift, explode on 1 or -1",
    "2d3, reroll 1 in at most 1 dice once, explode on 3, keep highest 2", "3d3", "d2 + d3 + d3", "2d2!", "2d3!",
    "2d2, reroll 1 in at most 1 dice once, again on all 2", "3d3, keep highest 2", "2d2 + d3, keep lowest 2",
    "2d3, explode on 3 adding", "2d2, again on all 2", "2d3, again on any 3", "3d2, keep lowest 2", "4d2",
)  # fmt: skip
NUMBERS = (
    "sum of p", "size of p", "largest set in p", "middle of (p showing 2..)", "distinct in (p showing ..2)",
    "middle of (p showing ..2)", "2 ^ (size of p)", "count 1 in p - 2 * count 2 in p", "sum of p + q",
    "largest set in p + size of p",
    "4 ^ (size of p)", "sum of q + size of p", "face of largest set in p", "sum of (p showing 2..)",
)  # fmt: skip
CONDITIONS = (
    "any 2 in p and largest set in p >= 2", "face of largest set in p > 1 and sum of p >= 4", "sum of p >= 4",
    "middle of (p showing 2..) = 2", "sum of p in 3..6 and count 1 in p >= count 2 in p", "largest set in p >= 2",
    "2 * sum of p - 3 * count 3 in p >= 2 and sum of p < 7", "size of q >= size of p", "sum of q > 3",
    "any 1 in p or largest set in p > 2",
)  # fmt: skip
SECOND = (
    "dice of p, with advantage 1", "2d2, again on sum <= sum of p once", "2d2, again on sum = size of p once", "1d2",
    "d2, explode on >= size of p once",
)  # fmt: skip


def seldom(picks: Picks) -> str:
    """The text of one rule, called `main`."""
    throw = picks.of(THROWS)
    second = picks.of(SECOND if throw in ("2d2!", "3d3", "d2 + d3 + d3") else SECOND[1:])
    lines = [f"    first = {picks.of(NUMBERS)}"]
    if picks.chance(50):
        lines.append(f"    flag met if {picks.of(CONDITIONS)}")
    lines += ["    outcome", f"        + triumph if {picks.of(CONDITIONS)}", "        - failure otherwise"]
    asked = any("q" in line for line in lines)
    head = ["rule main", f"    roll p = {throw}", *([f"    roll q = {second}"] if asked else [])]
    return "\n".join((*([DRIFT] if "drift" in throw else []), *head, *lines)) + "\n"
