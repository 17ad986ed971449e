"""For every bound at its usual size something that exceeds it; for the tests and the benchmarks."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import rulesrun
from rulesrun.diagnostics import Source
from rulesrun.sheets.document import read_document

Call = Callable[[Path], object]


class Beyond(NamedTuple):
    """`call` exceeds the bound `limit` and is told what is `said`; `placed`: with a line. `says`: how the bound is
    written.
    """

    limit: str
    what: str
    call: Call
    said: str
    placed: bool = True
    says: str = ""


RULE = "rule r\n    "


def read(text: str) -> Call:
    return lambda folder: rulesrun.parse(text, "r.rules")


def roll(text: str, **inputs: Any) -> Call:
    return lambda folder: rulesrun.parse(text, "r.rules")["r"].roll(seed=1, inputs=inputs)


def odds(text: str, **inputs: Any) -> Call:
    def ask(folder: Path) -> object:
        found = rulesrun.parse(text, "r.rules")["r"].odds(inputs=inputs)
        return [list(found.of(name).items()) for name in found.numbers]

    return ask


def sample(text: str, trials: int = 1000) -> Call:
    def ask(folder: Path) -> object:
        found = rulesrun.parse(text, "r.rules")["r"].sample(trials, seed=1)
        return [found.of(name).mean for name in found.numbers]

    return ask


def sheet(text: str) -> Call:
    return lambda folder: read_document(Source.of_text("a.yaml", text))


def bases(folder: Path) -> object:
    (folder / "0.rules").write_text(RULE + "x = 1\n")
    for number in range(1, 30):
        (folder / f"{number}.rules").write_text(f'based on "{number - 1}.rules"\n')
    return rulesrun.load(folder / "25.rules")


def rows(folder: Path) -> object:
    rule = rulesrun.parse(RULE + "given a: 0.. = 1\n    given b: 0.. = 1\n    x = a + b\n")["r"]
    return rule.odds_table(a=range(10_000), b=range(10_000))


POOL = RULE + "given n: 0.. = 1\n    roll p = n d6\n    x = sum of p\n"
POWER = RULE + "given n: 0.. = 1\n    x = 2 ^ n\n"
EVER = RULE + "track n = 0\n    repeat until n < 0\n        roll p = d6\n        n += p\n    x = n\n"
REPEATED = (
    RULE
    + "track n = 0\n    repeat {times} times\n        m = for each die in 1..2000: die\n        n += m\n    x = n\n"
)
LOOK = RULE + "x = for each die in 1..2000: (for each die in 1..2000: die)\n"
MORE = RULE + "roll p = 100000d{1, 2 x9}, explode on 2\n    x = sum of p\n"
FACES = "".join(f"die e{k} = 1..9999\n" for k in range(30))
NEST = "".join("    " * (k + 1) + "repeat 2 times\n" for k in range(40))
CHAIN = "rule a0\n    x = 1\n" + "".join(f"rule a{k}\n    roll y = a{k - 1}\n    x = y.x\n" for k in range(1, 60))
TWICE = "rule a0\n    x = 1\n" + "".join(
    f"rule a{k}\n    roll y = a{k - 1}\n    roll z = a{k - 1}\n    x = y.x + z.x\n" for k in range(1, 30)
)

BEYOND = [
    Beyond("characters", "comment", read("# " + "x" * 1_200_000 + "\n" + RULE + "x = 1\n"), "too long"),
    Beyond("characters", "lines", read(RULE + "x = 1\n" + "# x\n" * 300_000), "too long"),
    Beyond("words", "sum", read(RULE + "x = " + " + ".join(["1"] * 3000) + "\n"), "words and signs on one line"),
    Beyond("brackets", "deep", read(RULE + "x = " + "(" * 400 + "1" + ")" * 400 + "\n"), "brackets nest deeper"),
    Beyond("brackets", "very-deep", read(RULE + "x = " + "(" * 90_000 + "1\n"), "brackets nest deeper"),
    Beyond("blocks", "repeat", read(RULE + "track x = 1\n" + NEST + "    " * 41 + "x += 1\n"), "blocks nest deeper"),
    Beyond("nesting", "sum", read(RULE + "x = " + " + ".join(["1"] * 1000) + "\n"), "nests deeper"),
    Beyond("nesting", "keeps", read(RULE + "roll p = 9d6" + ", drop lowest 1" * 1200 + "\n"), "modifiers one after"),
    Beyond("nesting", "short", read(RULE + "roll p = 9d6" + "dl1" * 1200 + "\n"), "modifiers one after"),
    Beyond("digits", "many", read(RULE + "x = " + "1" * 1_000_000 + "\n"), "1,000,000 digits"),
    Beyond("bases", "chain", bases, "files are based on one another"),
    Beyond("faces", "range", read("die d = 1..1000000000000\n" + RULE + "roll p = d\n    x = p + 0\n"), "faces"),
    Beyond("all_faces", "ranges", read(FACES + RULE + "x = 1\n"), "faces"),
    Beyond("rolled", "chain", read(CHAIN), "rules roll rules more than 40 deep"),
    Beyond("steps", "doubling", read(TWICE), "steps"),
    Beyond("dice", "roll", roll(POOL, n=200_000), "200000 dice in one draw"),
    Beyond("dice", "odds", odds(POOL, n=200_000), "200000 dice in one draw"),
    Beyond("all_dice", "explode", roll(MORE), "dice in one roll"),
    Beyond("all_dice", "sample", sample(MORE, 100), "dice in one roll"),
    Beyond(
        "sides",
        "roll",
        roll(RULE + "given n: 0.. = 1\n    roll p = d(n)\n    x = p\n", n=10**101),
        "so many sides",
        says="000,000",
    ),
    Beyond("turns", "roll", roll(EVER), "turns in one roll"),
    Beyond("turns", "sample", sample(EVER), "turns in one roll"),
    Beyond("turns", "odds", odds(RULE + "track n = 0\n    repeat 200000 times\n        n += 1\n    x = n\n"), "turns"),
    Beyond("number_bits", "roll", roll(POWER, n=5000), "digits", says="1,228"),
    Beyond("number_bits", "odds", odds(POWER, n=5000), "digits", says="1,228"),
    Beyond(
        "number_bits", "tower", roll(RULE + "given n: 0.. = 1\n    x = 10 ^ 10 ^ n\n", n=10), "digits", says="1,228"
    ),
    Beyond("items", "roll", roll(RULE + "given n: 0.. = 1\n    x = for each die in 1..n: die\n", n=10**30), "numbers"),
    Beyond("items", "odds", odds(RULE + "x = for each die in 1..200000: die\n"), "numbers"),
    Beyond("work", "roll", roll(LOOK), "dice and items to look at"),
    Beyond("work", "sample", sample(LOOK), "dice and items to look at"),
    Beyond("work", "repeated-roll", roll(REPEATED.format(times=2000)), "dice and items to look at"),
    Beyond("work", "repeated-odds", odds(REPEATED.format(times=2000)), "dice and items to look at"),
    Beyond("work", "repeated-sample", sample(REPEATED.format(times=2000), 10), "dice and items to look at"),
    Beyond(
        "listed_sides",
        "odds",
        odds(RULE + "given n: 0.. = 1\n    roll p = d(n)\n    x = p * p\n", n=20_000),
        "20,000 sides",
    ),
    Beyond("rows", "table", rows, "combinations of inputs", False),
    Beyond("sheet_characters", "long", sheet("name: " + "x" * 300_000), "too long"),
    Beyond("sheet_levels", "deep", sheet("a: " + "[" * 60_000 + "]" * 60_000), "levels"),
    Beyond("sheet_parts", "many", sheet("".join(f"k{k}: 1\n" for k in range(12_000))), "keys and values"),
]

KINDS = "abcdefghi"
BAG = f"bag things = {', '.join(f'10 {each}' for each in KINDS)}\n" + RULE + "draw p = 40 from things\n    x = "
PAIRS = " + ".join(f"(count {one} in p) * (count {other} in p)" for one, other in pairwise(KINDS))
DICE = "".join(f"roll a{k} = d20\n    " for k in range(12)) + "x = " + " * ".join(f"a{k}" for k in range(12)) + "\n"
WINS = RULE + "roll p = 200d20\n    roll q = 200d20\n    x = wins of p over q\n"
SETS = RULE + "roll p = 60d20\n    x = largest set in p * 100 + longest run in p * highest of p\n"
RUNS = RULE + "roll p = 100d100\n    x = longest run in p * 1000 + face of largest set in p\n"
SUMS = RULE + "roll a = 30d6\n    roll b = 30d6\n    roll c = 30d6\n    x = sum of a * sum of b + sum of c * sum of a\n"
MANY_SUMS = "roll a = 400d100\n    roll b = 400d100\n    x = sum of a * sum of b\n"
TURN = "repeat 60 times\n        roll p = d100\n        n += p\n        m += n * p\n"
LOOPS = RULE + "track n = 0\n    track m = 0\n    " + TURN + "    x = m\n"

STATES = [
    Beyond("states", "sets", odds(SETS), ""),
    Beyond("states", "runs", odds(RUNS), ""),
    Beyond("states", "pairs", odds(WINS), ""),
    Beyond("states", "product", odds(RULE + DICE), ""),
    Beyond("states", "bag", odds(BAG + PAIRS + "\n"), ""),
    Beyond("states", "sums", odds(SUMS), ""),
    Beyond(
        "states", "many-sums", odds(RULE + "roll a = 400d100\n    roll b = 400d100\n    x = sum of a * sum of b\n"), ""
    ),
    Beyond(
        "states", "explosions", odds(RULE + "roll p = 5d6" + ", explode on 6 once" * 30 + "\n    x = sum of p\n"), ""
    ),
]
"""Odds that are too large: the errors come when that is seen, in about a second."""

LONG = [Beyond("states", "loops", odds(LOOPS), "")] + [
    Beyond("states", what, odds(head + RULE + "track n = 1\n    track m = 0\n    " + body), "")
    for what, head, body in (
        (
            "cards",
            "bag b = 1..50\n",
            "repeat 3 times\n        draw p = 2 from b\n        n becomes max(n, sum of p)\n    x = n\n",
        ),
        (
            "cards-inside",
            "bag b = 0..9 x3\n",
            "repeat until n > 5\n        repeat 50 times\n            draw p = 5 from b\n"
            "            draw q = 3 from b\n            n becomes sum of p - sum of q\n    x = n\n",
        ),
        (
            "products",
            "",
            "repeat until m >= 1000000\n        roll p = 40d1000\n        roll q = 3d20, keep highest 1\n"
            "        n += highest of q\n        m += n * count >= 500 in p\n    x = m\n",
        ),
        ("long-sums", "", "repeat 40 times\n        roll p = 2000d6\n        n += sum of p\n    x = n\n"),
    )
]
"""Repetitions that are too large: what they do is counted as it is done, so that the error comes in a few seconds."""
