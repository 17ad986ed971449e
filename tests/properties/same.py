"""The same dice said in two ways, and the same questions to both: rules too large for the enumerator."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, TypeAlias

import rulesrun

from .compare import Verdict
from .picks import Picks
from .pools import CONDITIONS, NUMBERS

Definition: TypeAlias = tuple[str, str]
"""The items before the rule and the lines in it that make the pool `p`."""

BUDGET = 20_000
"""So much work is done for one question before the pair is left out."""

SIZES = ((3, 12), (4, 10), (6, 6), (6, 8), (8, 6), (10, 5))
"""Sides, and how many such dice there are at most."""

TAKEN = "roll x = {n}d{s}\nroll y = dice of (x showing {faces})\np = "
WAYS: dict[str, tuple[str, str]] = {
    "thrown in two parts": ("roll p = {n}d{s}", "roll x = {k}d{s}\nroll y = {rest}d{s}\np = x + y"),
    "thrown one by one": ("roll p = {n}d{s}", "track p = no dice\nrepeat {n} times\n    roll x = 1d{s}\n    p += x"),
    "with faces written out": ("roll p = {n}d{s}", "roll p = {n}d{{{all}}}"),
    "thrown again": ("roll p = {n}d{s}", "roll x = {n}d{s}\nroll p = dice of x"),
    "thrown by another rule": ("roll p = {n}d{s}", "roll inner = thrown(size = {n}, top = {s})\np = inner.hand"),
    "the highest": ("roll p = {n}d{s}, keep highest {k}", "roll x = {n}d{s}\np = highest {k} of x"),
    "without the lowest": ("roll p = {n}d{s}, drop lowest {k}", "roll x = {n}d{s}\np = x without (lowest {k} of x)"),
    "the middle": ("roll p = {n}d{s}, keep middle {n} - 2", "roll p = {n}d{s}, drop highest 1, drop lowest 1"),
    "rerolled": ("roll p = {n}d{s}, reroll {faces} once", TAKEN + "(x without (x showing {faces})) + y"),
    "rerolled until it is another": ("roll p = {n}d{s}, reroll {faces}", "roll p = {n}d{{{others}}}"),
    "exploding": ("roll p = {n}d{s}, explode on {faces} once", TAKEN + "x + y"),
    "again": ("roll p = {k}d{s}, again on any 1 once", "roll x = {k}d{s}\nroll y = {k}d{s} if any 1 in x\np = x + y"),
    "beside others": ("roll p = {n}d{s}", "roll p = {n}d{s}\nroll more = 3d6, explode on 6\nr = sum of more"),
}  # fmt: skip
THROWN = "rule thrown\n    given size: 0..\n    given top: 1..\n    roll hand = size d(top)\n"
PLAIN = tuple(each for each in NUMBERS if "natural" not in each and "groups" not in each)


def pair(picks: Picks) -> tuple[str, str, str]:
    """In which way two texts differ, and the texts: rules called `main` that mean the same."""
    way = picks.of(tuple(WAYS))
    sides, most = picks.of(SIZES)
    many = picks.number(3, most)
    some = picks.number(1, many - 1)
    low = picks.number(1, sides - 1)
    words = {
        "n": many, "s": sides, "k": some, "rest": many - some, "faces": f"..{low}",
        "all": ", ".join(map(str, range(1, sides + 1))), "others": ", ".join(map(str, range(low + 1, sides + 1))),
    }  # fmt: skip
    asked = questions(picks, sides)
    first, second = (f"{THROWN}rule main\n{indented(each.format(**words))}{asked}" for each in WAYS[way])
    return way, first, second


def questions(picks: Picks, sides: int) -> str:
    """A second pool, some values and an outcome: the lines behind those that make `p`."""
    names = {"a": "p", "b": "q"} if picks.chance(80) else {"a": "q", "b": "p"}

    def number() -> str:
        return picks.of(PLAIN).format(**names)

    def condition() -> str:
        bound = picks.number(1, 3 * sides)
        return picks.of((picks.of(CONDITIONS).format(**names), f"({number()}) >= {bound}"))

    lines = [f"roll q = {picks.number(1, 3)}d{picks.of((4, 6, 10))}", f"value1 = {number()}"]
    if picks.chance(30):
        lines.append(f"value2 = ({number()}) {picks.of(('+', '-'))} ({number()})")
    if picks.chance(30):
        lines.append(f"flag flag1 if {condition()}")
    lines += ["outcome", f"    + triumph if {condition()}", "    - failure otherwise"]
    return indented("\n".join(lines))


def indented(lines: str) -> str:
    return "".join(f"    {line}\n" for line in lines.splitlines())


def compare_pair(first: str, second: str) -> Verdict:
    """Whether both have the same odds to the last digit; left out where either takes too much work."""
    found: list[dict[Any, Fraction]] = []
    for text in (first, second):
        try:
            rule = rulesrun.parse(text, name="pair.rules")["main"]
        except rulesrun.RulesError as error:
            return Verdict(skipped=f"refused: {error.message}")
        try:
            found.append(everything(rule))
        except rulesrun.RulesError as error:
            if error.diagnostics[0].code == "budget":
                return Verdict(skipped="no exact odds: budget")
            return Verdict(wrong=f"an error: {error}")
    one, other = found
    for key in {*one, *other}:
        if one.get(key) != other.get(key):
            return Verdict(wrong=f"{key}: {one.get(key, 0)} and {other.get(key, 0)}")
    return Verdict(agrees=True)


def everything(rule: rulesrun.Rule) -> dict[Any, Fraction]:
    """Every chance of the outcome with the flags, and of each value."""
    odds = rule.odds(budget=BUDGET)
    known = {("joint", key): chance for key, chance in odds.joint.items() if chance}
    for value in rule.values:
        if value.name.startswith("value"):
            known |= {(value.name, each): chance for each, chance in odds.of(value.name).items() if chance}
    return known
