"""Random rules that list single dice, or decide which dice of a hand are thrown again."""

from __future__ import annotations

import re

from .picks import Picks

SINGLES = ("d2", "d3", "coin", "d2", "d{0, 1, 1}", "d2, with advantage 1", "d3, reroll 1 once", "d2 if p > 1", "d2!")
LISTS = (
    "[p, q, r]", "[p, q, 2]", "[p, 1, p]", "[p + 1, 2 * q, r]", "[p * q, r, 1]", "[sum of hand, p, 3]", "[1, 2, 3]",
)  # fmt: skip
NUMBERS = (
    "largest set in {l}", "distinct in {l}", "longest run in {l}", "sum of {l}", "highest of {l}", "middle of {l}",
    "face of largest set in {l}", "sum of (highest 2 of {l})", "size of ({l} showing 2..)", "die 2 of {l}",
    "count 2.. in {l}", "count >= sum of hand in {l}", "count ..(sum of hand) in [1, 2, 3]", "sets of 2 in {l}",
    "sum of ({l} without highest 1 of {l})", "size of ({l} cancelled by hand)", "(2 * q) ^ p", "remainder(p, q + 1)",
    "max(p, q, r)", "round_up(p / 2) * r", "for each die in {l}: die + 1", "for each die in 1..q: p * die",
    "for each die in 1..3: sum of hand * die", "count 1..q in hand", "wins of {l} over hand", "other.total",
    "bonuses at p", "bonuses at (sum of hand)", "sum of [p, q] - lowest of {l}",
)  # fmt: skip
CONDITIONS = (
    "all ..(sum of hand) in {l}", "any >= sum of hand in {l}", "none >= sum of hand in {l}", "all equal in {l}",
    "{l} outranks hand", "p = q", "p > q and sum of hand > r", "p in (1 or 3)", "any p in hand", "sum of hand >= 3",
    "(bonuses at (sum of hand)) in odd", "other is good", "p >= 2 and (bonuses at p) >= 1",
)  # fmt: skip
OTHER = """rule other
    given party: list of ..
    total = sum of party + size of party
    outcome
        + success if highest of party > 2
        - failure otherwise"""
BONUSES = "table bonuses\n    ..1  0\n    2..3 1\n    4..  2"


def listed(picks: Picks) -> str:
    """The text of one rule, called `main`, about three single dice, perhaps in lists."""
    lines = [f"    value{place} = {_asked(picks, NUMBERS)}" for place in range(picks.number(1, 2))]
    if picks.chance(50):
        lines.append(f"    flag met if {_asked(picks, CONDITIONS)}")
    lines += _ended(picks, CONDITIONS)
    rolls = {name: picks.of(SINGLES[:7] if name == "p" else SINGLES) for name in "pqr"}
    rolls["hand"] = picks.of(("2d2", "2d2", "d3 + d2", "2d2, explode on 2 once", "d2!", "2d{0, 1, 1}"))
    rolls["other"] = f"other(party = {picks.of(('hand', '[p, 2]', 'hand', '[1, p]'))})"
    text, head = "\n".join(lines), list[str]()
    for name, throw in reversed(rolls.items()):
        if re.search(rf"\b{name}\b", text):
            head.insert(0, f"    roll {name} = {throw}")
            text += f"\n{throw}"
    items = [item for name, item in (("bonuses", BONUSES), ("other", OTHER)) if name in text]
    return "\n".join((*items, "rule main", *head, *lines)) + "\n"


def _asked(picks: Picks, texts: tuple[str, ...]) -> str:
    return picks.of(texts).format(l=picks.of(LISTS))


HANDS = ("2d2", "2d2", "d2 + d3", "2d{0, 1, 1}", "2d3", "3d2, keep highest 2", "2d2 + d3, keep lowest 1")
TAKEN = ("dice of hand", "at most 1 dice of hand", "1 dice of hand", "at most 2 dice of hand", "2 dice of hand")
POLICIES = ("best for total", "best", "worst for total", "best for largest set in now", "hand showing 1", "worst")
TOTALS = (
    "sum of (hand without thrown) + sum of new", "largest set in now", "sum of hand - sum of thrown + sum of new",
    "highest of now", "count 2.. in now", "size of thrown + sum of now", "distinct in now", "sum of new - size of hand",
)  # fmt: skip
ENDS = ("total >= 3", "total in odd", "any 2 in now", "all equal in now", "total = secret", "sum of now >= 2 * secret")


def thrown_again(picks: Picks) -> str:
    """The text of one rule, called `main`: a decision which dice are thrown again, mostly for the best."""
    lines = [f"    roll hand = {picks.of(HANDS)}"]
    taken = picks.of(TAKEN)
    condition = picks.of(("", "", " if sum of hand < 4")) if taken[0] != "1" and taken[0] != "2" else ""
    lines.append(f"    choice thrown: {taken}{condition} by default {picks.of(POLICIES)}")
    lines.append(f"    roll new = dice of thrown{picks.of(('', '', ', reroll 1 once'))}")
    lines.append("    now = (hand without thrown) + new")
    lines.append(f"    total = {picks.of(TOTALS)}")
    lines += _ended(picks, ENDS)
    if any("secret" in line for line in lines):
        lines.insert(0, "    roll secret = d2")
    return "\n".join(("rule main", *lines)) + "\n"


def _ended(picks: Picks, conditions: tuple[str, ...]) -> list[str]:
    lines = ["    outcome", f"        + triumph if {_asked(picks, conditions)}"]
    if picks.chance(40):
        lines.append(f"        ~ draw_even if {_asked(picks, conditions)}")
    return [*lines, "        - failure otherwise"]
