"""Tries `rulesets/COVERAGE.md`, row by row: what a row names is taken out, and what it says then fails, fails.

In: the table, and `data/numbers.json`, the numbers of the four texts in their order. Out: `Row`s, rulesets with
something taken out, and the numbers that no example states. `python tests/rulesets/coverage.py` lists what does not
hold.

The cell "taken out" says what is done to the item named in the cell before it (`rule check`, `table results`, `sheet`):
`A` takes out its lines that hold A, `A` → `B` puts B in the place of A, an empty cell takes out the whole item. More
than one space counts as one. The last cell names examples in quotes and claims (`claims.py`) in code; "the file" says
that other lines need this one, so that the file no longer checks.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from inspect import getsource
from pathlib import Path

from rulesrun import RulesError, Ruleset, parse

HERE = Path(__file__).parent
if __name__ == "__main__":
    sys.path[:0] = [str(HERE.parents[1])]

from tests.rulesets.claims import CLAIMS  # noqa: E402

RULESETS = HERE.parents[1] / "rulesets"
SYSTEMS = ("hive", "polity", "gifts", "twist")
FREE = ("advice", "setting", "heading")
"""What may go without: advice to the game master, the setting, and what only announces the next sentence."""
SAME = {"0": "no|nothing", "1": "one|once", "2": "two|twice|both", "3": "three|thrice", "5": "five", "10": "ten"}
"""Words that are a number, too."""


@dataclass(frozen=True, slots=True)
class Row:
    """A sentence of a text: what carries it, what is taken out, what then fails. `free` says why nothing does;
    `needed`: the file itself no longer checks."""

    system: str
    line: int
    says: str
    item: str
    removed: str
    examples: tuple[str, ...]
    claims: tuple[str, ...]
    free: str
    needed: bool

    def __str__(self) -> str:
        return f"COVERAGE.md:{self.line} {self.system}: {self.says}"


def rows() -> Iterator[Row]:
    """The rows of the table, in order."""
    system = ""
    for number, line in enumerate((RULESETS / "COVERAGE.md").read_text(encoding="utf-8").splitlines(), start=1):
        if line.startswith("## "):
            system = line.removeprefix("## ").removesuffix(".rules")
        if system not in SYSTEMS or not line.startswith("| ") or line.startswith(("| The text", "|---")):
            continue
        says, item, removed, fails = (cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1])
        code = re.findall(r"`([^`]+)`", item)
        yield Row(
            system,
            number,
            says,
            code[0] if code else "",
            removed,
            tuple(re.findall(r'"([^"]+)"', fails)),
            tuple(re.findall(r"`([^`]+)`", fails)),
            item if item in FREE else "",
            fails == "the file",
        )


def blocks(text: str) -> list[str]:
    """The items of a ruleset's text: each begins in the first column and holds the lines indented below it."""
    return re.split(r"(?m)^(?=[a-z])", text)


def without(row: Row) -> str:
    """The text of the row's ruleset with what it names taken out; all examples but the row's own are left out, too."""
    text = (RULESETS / f"{row.system}.rules").read_text(encoding="utf-8")
    found = blocks(text)
    items = [each for each in found if re.match(rf"{re.escape(row.item)}\b", each)]
    if len(items) != 1:
        raise LookupError(f"{len(items)} items begin with `{row.item}`")
    needed = kept(found, row.examples)
    if row.examples and not row.claims:
        needed = reached(needed, items[0])
    changed = "".join(taken_out(each, row.removed) if each is items[0] else each for each in needed)
    if row.examples and sum(each.startswith("example") for each in blocks(changed)) != len(row.examples):
        raise LookupError(f"not each of {row.examples} begins the text of one example")
    return changed


def kept(found: list[str], examples: tuple[str, ...]) -> list[str]:
    """All items but the examples, and those examples that begin so."""
    names = [re.match(r'example "([^"]*)"', each) for each in found]
    return [
        each
        for each, name in zip(found, names, strict=True)
        if name is None or any(name[1].startswith(example) for example in examples)
    ]


def reached(found: list[str], start: str) -> list[str]:
    """The items that an item and the examples speak of, directly or by others: the rest need not be compiled."""
    names = {each: re.match(r"(?:setting|levels|table|rule|die|bag) (\w+)", each) for each in found}
    known = {each for each, name in names.items() if each == start or (name is None and not each.startswith("sheet"))}
    while more := {
        each
        for each, name in names.items()
        if each not in known and name and any(re.search(rf"\b{name[1]}\b", other) for other in known)
    }:
        known |= more
    return [each for each in found if each in known]


def taken_out(item: str, removed: str) -> str:
    """An item of a ruleset without what the cell names; every part of the cell has to be found exactly once."""
    if not removed:
        return ""
    changes = re.findall(r"`([^`]+)`(?: → (?:`([^`]+)`|(nothing)))?", removed)
    for old, new, nothing in changes:
        pattern = r"(?<!\w)" * old[0].isalnum() + r"\s+".join(map(re.escape, old.split()))
        if not new and not nothing:
            pattern = rf"(?m)^.*{pattern}.*\n"
        places = list(re.finditer(pattern, item))
        if len(places) != 1:
            raise LookupError(f"`{old}` stands {len(places)} times in `{item.splitlines()[0]}`")
        found = places[0]
        item = item[: found.start()] + new + item[found.end() :]
    return item


def still_holding(row: Row) -> list[str]:
    """What ought to fail with the row's line taken out, and does not."""
    text = without(row)
    if row.needed:
        return ["the file still checks"] if checks(text) else []
    try:
        ruleset = parse(text, name=f"{row.system}.rules")
    except RulesError as error:
        return [] if checks("".join(kept(blocks(text), ()))) else [f"the file no longer checks: {error.message}"]
    holding = [result.example.text for result in ruleset.test() if result.holds]
    return holding + [name for name in row.claims if holds(name, ruleset)]


def checks(text: str) -> bool:
    """Whether a ruleset has no error; if it has none without its examples, an error was theirs."""
    try:
        parse(text)
    except RulesError:
        return False
    return True


def holds(claim: str, ruleset: Ruleset) -> bool:
    """Whether a claim is true of a ruleset."""
    try:
        CLAIMS[claim](ruleset)
    except (AssertionError, RulesError):
        return False
    return True


def numbers(text: str) -> list[str]:
    """The whole numbers in a text, in order."""
    return re.findall(r"\d+", text)


def stated(system: str) -> list[str]:
    """The numbers of a system's text, in order, without those of lists."""
    found: list[str] = json.loads((HERE / "data" / "numbers.json").read_text(encoding="utf-8"))[system].split()
    return found


def unstated(row: Row) -> list[str]:
    """The numbers of a row that neither its examples nor its claims name, in digits or in words."""
    found = blocks((RULESETS / f"{row.system}.rules").read_text(encoding="utf-8"))
    texts = [each for each in kept(found, row.examples) if each.startswith("example")]
    said = " ".join([*texts, *(getsource(CLAIMS[name]) for name in row.claims)])
    return [
        number
        for number in numbers(row.says)
        if number not in numbers(said) and not re.search(rf"\b({SAME.get(number, number)})\b", said)
    ]


def main() -> int:
    """Lists every row that does not hold and every number without an example; the number of them is the exit status."""
    wrong = 0
    for row in rows():
        try:
            faults = [] if row.free else [f"still holds: {each}" for each in still_holding(row)]
            faults += [] if row.free else [f"no example of {number}" for number in unstated(row)]
        except (LookupError, KeyError) as error:
            faults = [f"{error}"]
        for fault in faults:
            sys.stdout.write(f"{row}\n    {fault}\n")
        wrong += len(faults)
    for system in SYSTEMS:
        told = [number for row in rows() if row.system == system for number in numbers(row.says)]
        if told != stated(system):
            wrong += 1
            pairs = zip(told, stated(system), strict=False)
            at = next((place for place, (mine, text) in enumerate(pairs) if mine != text), len(told))
            sys.stdout.write(
                f"{system}: number {at} of the text, {stated(system)[at : at + 4]}, is {told[at : at + 4]}\n"
            )
    return min(wrong, 100)


if __name__ == "__main__":
    sys.exit(main())
