"""Random rules about dice that go on without end: two such throws, and what is asked of them together."""

from __future__ import annotations

import re

from .hands import BONUSES
from .picks import Picks

OFTEN = ("d2!", "d3!", "2d3!", "d3, explode on 2", "2d2, explode on 1", "d4!", "d2 + d3, explode on 2")
SELDOM = (
    "d3, explode on 2..3", "d4, explode on 4 rolling d2", "d3, explode on 3 adding", "2d2, again on all 2",
    "2d2, again on all equal", "2d3, again on any 3", "2d3, again on all 1", "d3, again on any 2",
    "2d2, explode on 2, keep highest 1", "3d2", "2d3, explode on 2..3", "2d3, again on all 3, explode on 3",
    "d3, again on any 2, explode on 3", "2d3, reroll 1 in at most 1 dice once, explode on 3",
    "drift, explode on 1 or -1", "2d3, reroll 1 in at most 1 dice once, explode on 3, keep highest 2",
    "2d3, explode on 3 adding", "2d2, reroll 1 in at most 1 dice once, again on all 2", "d3, explode on 3 adding",
    "3d2, explode on 2 adding", "2d3, explode on 3 adding, keep highest 1", "3d2, explode on 2 adding, keep middle 1",
    "2d4, explode on 4 adding, keep lowest 1", "d2 + d3, explode on sides adding",
)  # fmt: skip
ADDING = (
    "2d3, explode on 3 adding", "d2 + d3, explode on sides adding", "3d2, explode on 2 adding",
    "2d3, explode on 1 adding", "d3, explode on 3 adding", "2d4, explode on 4 adding",
)  # fmt: skip
NUMBERS = (
    "wins of {a} over {b}", "sum of {a}", "size of {a}", "highest of {a}", "lowest of {a}", "middle of {a}",
    "largest set in {a}", "face of largest set in {a}", "distinct in {a}", "sets of 2 in {a}", "sets of 1..2 in {a}",
    "longest run in {a}", "pairs of 2 in {a}", "count 2 in {a}", "sum of highest 2 of {a}", "sum of lowest 1 of {a}",
    "sum of {a} * 2 - sum of {b}", "size of ({a} cancelled by {b})", "(size of {a}) ^ 2", "sum of {a} * size of {b}",
    "round_down(sum of {a} / 2)", "max(sum of {a}, sum of {b})", "2 - (size of {a}) ^ 2", "abs(2 - sum of {a})",
    "remainder(sum of {a}, 3)", "2 / (1 + size of {a})", "min(sum of {a}, size of {b} + 1)", "die 2 of {a}",
    "for each die in {a}: die + 1", "clamp(sum of {a} - size of {b}, 0, 4)", "sum of {a} if any 1 in {b} otherwise 0",
    "largest set in ({a} + {b})", "face of largest set in ({a} + {b})", "sum of {a} + largest set in {a}",
    "sum of {a} if largest set in {a} >= 2 otherwise 0", "largest set in {a} * 10 + face of largest set in {a}",
    "size of {a} + 10 * sets of 2 in {a}", "max(sum of {a}, sum of {b}, size of {b})", "max(sum of {a}, sum of {b}, 3)",
    "max(sum of {a}, sum of {b}, sum of r)", "min(sum of {a}, sum of {b}, sum of r)", "2 ^ (size of {a})",
    "(size of {a}) ^ 2 / (1 + size of {b}) ^ 2", "bonuses at (size of {a} * size of {b})",
    "bonuses at (2 - sum of {a})", "round_up(sum of {a} / 3)",
    "sum of {a} if any 2 in {a} otherwise largest set in {a}", "highest of {a} - lowest of {a}",
    "round_down((max(sum of {a}, sum of {b}) - 4) / 3)", "max(0, round_up((sum of {a} - sum of {b}) / 4))",
    "max(sum of {a}, 3) - min(sum of {b}, sum of r)", "max(sum of {a}, sum of r) - sum of {b}",
    "sum of {a} - sum of natural {a}", "max(sum of {a}, sum of {b}, sum of r) - sum of {a}",
    "sum of {a} + sum of {b} if sum of {a} > sum of {b} otherwise -1",
    "sum of ({a} where die >= 3)", "distinct in ({a} where die > 1)", "largest set in ({a} showing not 2)",
    "sum of ({a} with each die as min(die, 3))", "distinct in ({a} with each die as die + 1)",
    "highest of ({a} with each die as 2 * die - 1)", "for each die in {a}: 2 * die if die > 3 otherwise -1",
    "for each die in {a}: 2 - die if die > 1 otherwise 0", "for each die in highest 1 of {a}: sides + die",
    "sum of ({a} without highest 1 of {a})", "size of ({a} without lowest 1 of {a})", "sum of ({a} cancelled by {b})",
    "distinct in ({a} + {b})", "sets of 2 in ({a} + {b})", "for each die in highest 1 of ({a} + {b}): sides",
    "for each die in lowest 2 of ({a} + {b}): 1 if sides = 3 otherwise 0", "wins of highest 1 of {a} over {b}",
    "sum of {a} + 10 * distinct in {a}", "highest of {a} + distinct in {a}", "count odd in {a}",
    "for each die in {a}: remainder(die, 3)", "for each die in {a}: round_down(die / 2)",
    "size of ({a} where count die in {a} >= 2)", "for each die in {a}: count die in {a}",
    "distinct in ({a} with each die as round_down(die / 2))", "abs(sum of {a} - sum of highest 1 of {b})",
    "sum of ({a} where die in odd)", "distinct in ({a} showing even)", "pairs of odd in {a}",
)  # fmt: skip
CONDITIONS = (
    "{a} outranks {b}", "{b} outranks {a}", "any 1 in {a}", "all equal in {a}", "sum of {a} > sum of {b}",
    "sum of {a} in odd", "size of {a} ^ 2 in odd", "sum of {a} * size of {a} in even", "wins of {a} over {b} > 0",
    "size of {a} = size of {b}", "sum of {a} >= 6 and largest set in {a} >= 2", "face of largest set in {a} = 2",
    "sum of {a} = 5 and sets of 2 in {a} = 1", "sum of {a} >= 4 and face of largest set in {a} < 3",
    "highest 1 of {a} outranks highest 1 of {b}", "face of largest set in {a} > 1 and sum of {a} >= 4",
    "any 2 in {a} and largest set in {a} >= 2", "max(sum of {a}, sum of {b}, 2) >= 4", "highest of {a} > 260",
    "max(sum of {a}, 3) > max(sum of {b}, sum of r)",
    "sum of {a} >= sum of highest 1 of {b} + 1", "highest of {a} >= highest of {b}",
    "abs(sum of {a} - sum of {b}) <= 1", "sum of highest 1 of {a} + sum of {b} >= 5",
    "(bonuses at (sum of {a} * sum of {b})) >= 1", "sum of {a} >= 4 and (bonuses at (sum of {a})) in odd",
)  # fmt: skip

DRIFT = "die drift = -1 x2, 0, 1 x2"
"""Up and down as often: endless sums that are still rational numbers."""


def endless(picks: Picks) -> str:
    """The text of one rule, called `main`."""
    pools = {"a": "p", "b": "q"} if picks.chance(50) else {"a": "q", "b": "p"}
    lines = ["rule main", f"    roll p = {_throw(picks)}", f"    roll q = {_throw(picks)}"]
    if picks.chance(15):
        pools["a"] = f"({pools['a']} + r)"
    lines.append(f"    first = {_asked(picks, NUMBERS, pools)}")
    shape = picks.number(0, 3)
    if shape == 0:
        lines.append(f"    flag odd_one if {_asked(picks, CONDITIONS, pools)}")
    elif shape == 1:
        condition = _asked(picks, CONDITIONS, pools)
        lines.append(f"    second = {_asked(picks, NUMBERS, pools)} if {condition} otherwise -1")
    lines += ["    outcome", f"        + success if {_asked(picks, CONDITIONS, pools)}", "        - failure otherwise"]
    text = "\n".join(lines)
    if re.search(r"\br\b", text):
        lines.insert(1, f"    roll r = {picks.of(('d2', 'd2', 'd3!'))}")
    items = [item for name, item in (("bonuses", BONUSES), ("drift", DRIFT)) if name in text]
    return "\n".join((*items, *lines)) + "\n"


def _throw(picks: Picks) -> str:
    if picks.chance(15):
        return picks.of(ADDING)
    return picks.of(SELDOM if picks.chance(20) else OFTEN)


def _asked(picks: Picks, texts: tuple[str, ...], pools: dict[str, str]) -> str:
    return picks.of(texts).format(**pools)
