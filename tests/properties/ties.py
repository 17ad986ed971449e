"""Random rules that ask which of several dice with equal faces was kept, cancelled or rerolled."""

from __future__ import annotations

from .picks import Picks
from .rules import Sample

KINDS = ("d2", "d2", "d3", "d4", "d{1, 1, 2, 2, 3}")
TARGETS = ("", ", against 1", ", against 2", ", against 2", ", against 3")
POOLS = ("a + b", "b + a", "a + b + c", "c + b + a", "b + c", "a + b + [2]", "[1, 2] + b + a", "a + c + (b showing 2)")
SELECTIONS = (
    "highest {n} of ({p})", "lowest {n} of ({p})", "highest 1 of (highest 2 of ({p}))", "({p}) cancelled by c",
    "lowest 1 of (highest 2 of ({p}))", "({p}) without (highest {n} of ({p}))",
    "highest 1 of ({p}) + lowest 1 of ({p})",
    "highest {n} of (({p}) with each die as min(die, 2))", "(highest {n} of ({p})) showing 1",
)  # fmt: skip
SCORES = (
    "target",
    "sides",
    "10 * die + target",
    "die * sides",
    "1 if die >= target otherwise 0",
    "sides + 10 * target",
    "1 if sides = 3 otherwise 0",
)
REROLLS = (", reroll 1", ", reroll 2", ", reroll 2 at most 1 times")
"""Dice that have fewer faces than their kind."""
MODIFIERS = ("", "", "", ", keep highest 2", ", keep lowest 1", ", keep middle 2", ", drop highest 1")


def tied(picks: Picks, may_know: bool = True) -> Sample:
    """A rule, called `main`, about dice in three throws; the first faces of some are known, if they may be."""
    against = picks.chance(70)
    lines, known = [], {}
    for name in "abc":
        many, kind = picks.number(0 if name == "c" else 1, 2), picks.of(KINDS)
        target = picks.of(TARGETS[1:]) if against else ""
        reroll = picks.of(REROLLS) if name == "c" and picks.chance(40) else ""
        lines.append(f"    roll {name} = {many}{kind}{reroll}{target}")
        if may_know and picks.chance(15):
            known[name] = [picks.number(1, 2)][:many]
    if picks.chance(30):
        target = picks.of(TARGETS[1:]) if against else ""
        lines[0] = f"    roll a = {picks.of(KINDS)} + 2{picks.of(KINDS)}{picks.of(MODIFIERS)}{target}"
        known.pop("a", None)
    for place in range(picks.number(1, 2)):
        pool = picks.of(POOLS if not against else [pool for pool in POOLS if "[" not in pool])
        chosen = picks.of(SELECTIONS).format(p=pool, n=picks.number(1, 3))
        score = picks.of(SCORES if against else [score for score in SCORES if "target" not in score])
        if "[" in pool:
            score = "die * die + 1"
        lines.append(f"    value{place} = for each die in ({chosen}): {score}")
    return Sample(
        "\n".join(("rule main", *lines)) + "\n", "main", {}, dice={name: known[name] for name in known if known[name]}
    )
