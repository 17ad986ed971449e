"""Random rules that ask several things of the same few dice together, as sheets of many dice do."""

from __future__ import annotations

from .picks import Picks

DICE = (
    "3d3", "2d4", "4d2", "2d3 + d2", "3d{0, 1, 1}", "2d2 + 2d3", "3 wheel", "2dF + d3", "3 marked", "2d6",
    "d2 + d3 + d4", "3d3, keep highest 2", "3d2, drop lowest 1", "2d3, reroll 1 once", "2d3, explode on 3 once",
    "3d3, keep middle 1", "2d3, with advantage 1", "d([2, 3])", "2d2, explode on 2 rolling 2d2 once",
    "3d2, with advantage -1 at most 1", "2 stat, reroll 2 once", "d4 + 2d2, explode on sides rolling d2 once",
    "2d3, reroll 1 in at most 1 dice once", "2d3, explode on 3 adding once, keep highest 1",
    "2d2, explode on 2 once, explode on 1 once", "2d3, reroll 1", "d2 + d3, again on sum = 5 once", "2 lucky",
    "3d2, against 2", "2d2, again on all 2 once", "0d3", "1d4", "3d3, keep highest 2", "2d2 + d3, keep lowest 2",
)  # fmt: skip
SECOND = (
    "dice of p", "dice of (p showing 2..)", "dice of p, with advantage 1", "dice of p, reroll 1 in at most 1 dice once",
    "2d2, again on sum > sum of p once", "2d2, again on sum = highest of p once", "2d2, reroll <= lowest of p once",
    "d3, explode on >= highest of p once", "2d3, explode on sides once, reroll 1 in at most 1 dice once",
)  # fmt: skip
NUMBERS = (
    "sum of {a}", "count 2.. in {a}", "highest of {a}", "lowest of {a}", "middle of {a}", "pairs of 2 in {a}",
    "distinct in {a}", "largest set in {a}", "face of largest set in {a}", "longest run in {a}", "sets of 2 in {a}",
    "sets of 1 in {a}", "die 2 of {a}", "sum of highest 2 of {a}", "sum of lowest 1 of {a}",
    "size of ({a} showing 2..)", "sum of ({a} cancelled by {b})", "wins of {a} over {b}", "groups of 3.. in {a}",
    "sum of {a} - 2 * count 1 in {a}", "count odd in {a} - count even in {b}", "sum of {a} * 3 + sum of {b}",
    "highest of ({a} + {b})", "middle of ({a} + {b})", "largest set in ({a} + {b})",
    "sum of highest 2 of ({a} + {b})", "sum of ({a} where die > 1)", "size of {a}", "remainder(sum of {a}, 3)",
    "remainder(count 2 in {a}, 2)", "sum of {a} / 2", "sum of natural {a}", "for each die in {a}: max(0, 3 - die)",
    "highest of [sum of {a}, size of {b}]", "sum of (die 1 of {a} + die 1 of {b})", "size of ({a} where die in odd)",
    "sum of ({a} where count die in {a} >= 2)", "highest of ({a} where count die in {a} = 1)",
    "for each die in {a}: die * count die in {a}", "size of (({a} + {b}) where count die in ({a} + {b}) in 1..2)",
    "for each die in {a}: die * 2", "sum of ({a} without highest 1 of {a})", "count 1 or 3 in {a}",
    "sum of ({a} with each die as die + 1)", "100 * count 2 in {a} + sum of {b}", "max(sum of {a}, sum of {b})",
    "max(highest of {a}, highest of {b})", "min(sum of {a}, 4)", "size of highest 1 of {a}",
    "sum of (highest 1 of {a} + lowest 1 of {b})", "middle of ({a} showing 2..)",
    "sum of ((highest 2 of {a}) showing 2..)", "middle of ({a} cancelled by {b})",
    "distinct in ((lowest 2 of {a}) showing ..2)",
)  # fmt: skip
CONDITIONS = (
    "any 2 in {a}", "all 2.. in {a}", "none 1 in {a}", "all equal in {a}", "{a} outranks {b}", "sum of {a} >= 4",
    "sum of {a} in odd", "count 2.. in {a} > count 1 in {a}", "sum of {a} > sum of {b}",
    "any 1 in {a} and any 2 in {a}", "highest of {a} > highest of {b}", "largest set in {a} >= 2",
    "distinct in {a} = 2", "longest run in {a} >= 2", "all equal in {b} and sum of {a} > 3",
    "highest 1 of {a} outranks highest 1 of {b}", "highest of {a} = lowest of {a}", "middle of {a} >= 2",
    "die 2 of {a} = 2", "sum of {a} in 3..5", "count 1 in {a} = count 2 in {b}", "any odd in {a}",
    "size of ({a} cancelled by {b}) > 0", "highest of {a} in odd", "face of largest set in {a} = 2",
    "any 3 in {b} or any 1 in {a}",
)  # fmt: skip
WHEEL = "die wheel = 1 x2, 3, 5"
STAT, LUCKY = "die stat = sum of 2d2", "die lucky = highest of 2d3"
MARKED = "die marked = 1, 2 & star, 2, 3 & star & moon"
NAMED = (("wheel", WHEEL), ("marked", MARKED), ("stat", STAT), ("lucky", LUCKY))


def pools(picks: Picks) -> str:
    """The text of one rule, called `main`."""
    first = picks.of(DICE)
    second = picks.of(SECOND) if picks.chance(40) else picks.of(("d2", "2d2", "d3", "2d3", "d4", first))
    one, other = ("p", "q") if picks.chance(70) else ("q", "p")
    ways = {"a": one, "b": other}
    lines = ["rule main", f"    roll p = {first}"]
    lines.append(f"    roll q = {second}{picks.of(('', '', ' if any 2.. in p'))}")
    for place in range(picks.number(1, 3)):
        shape = picks.number(0, 2)
        if shape == 0:
            lines.append(f"    flag flag{place} if {picks.of(CONDITIONS).format(**ways)}")
        elif shape == 1:
            lines.append(f"    value{place} = {picks.of(NUMBERS).format(**ways)}")
        else:
            condition = picks.of(CONDITIONS).format(**ways)
            numbers = [picks.of(NUMBERS).format(**ways) for _ in range(2)]
            lines.append(f"    value{place} = ({numbers[0]}) if {condition} otherwise ({numbers[1]})")
    lines += ["    outcome", f"        + triumph if {picks.of(CONDITIONS).format(**ways)}"]
    if picks.chance(50):
        lines.append(f"        ~ draw_even if {picks.of(CONDITIONS).format(**ways)}")
    lines.append("        - failure otherwise")
    items = [each for name, each in NAMED if name in f"{first} {second}"]
    return "\n".join((*items, *lines)) + "\n"
