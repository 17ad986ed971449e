"""Many random rules held against the reference: `python -m tests.properties.nightly --rules 20000 --seed 1`.

Each rule's exact odds must equal the enumerator's to the last digit, as it is and with thresholds `lowered`, and again
where some dice are known; a few hundred rolls and a sample must agree with them (`--compare odds` leaves all else out).
A rule that differs is made smaller and printed with both numbers. The same
seed and place give the same rule everywhere (`--only SEED/PLACE`).
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial

from .compare import Verdict, compare_odds, compare_rolls
from .known import with_known_dice
from .picks import Picks, smaller
from .rules import Sample, sample
from .sampling import compare_samples

ROLLS = 200
FEW_RUNS = 300
TRIALS = 4000


COMPARED: dict[str, Callable[[Sample, str], Verdict]] = {
    "odds": lambda made, name: compare_odds(made, lower=name),
    "known": lambda made, name: compare_known(made, name),
    "rolls": lambda made, name: compare_rolls(made, ROLLS, seed=len(name)),
    "sample": lambda made, name: compare_samples(made, TRIALS, seed=len(name)),
}


def compare_known(made: Sample, name: str) -> Verdict:
    """How the odds of a rule fare some of whose faces are known."""
    known = with_known_dice(made, name)
    return Verdict(skipped="no dice to be known") if known is None else compare_odds(known, FEW_RUNS, lower=name)


def judge(compared: Sequence[str], name: str) -> tuple[str, Mapping[str, Verdict]]:
    """The rule of that name (`SEED/PLACE`): how its odds, its rolls and its sample fare."""
    made = sample(Picks.seeded(name))
    return name, {what: caught(partial(COMPARED[what], made, name)) for what in compared}


def caught(compare: Callable[[], Verdict]) -> Verdict:
    try:
        return compare()
    except Exception as error:
        return Verdict(wrong=f"{type(error).__name__}: {error}")


def shrunk(name: str, what: str) -> str:
    """The smallest ruleset found that still differs, with how."""

    def verdict(record: list[int]) -> Verdict:
        made = sample(Picks.replayed(record))
        return caught(lambda: COMPARED[what](made, name))

    picks = Picks.seeded(name)
    sample(picks)
    record = smaller(picks.made, lambda trial: bool(verdict(trial).wrong), tries=300)
    return f"{sample(Picks.replayed(record))}\n{verdict(record).wrong}"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.properties.nightly", description=__doc__)
    parser.add_argument("--rules", type=int, default=20_000, help="how many rules (20000)")
    parser.add_argument("--seed", default="1", help="another seed, other rules (1)")
    parser.add_argument("--jobs", type=int, default=2, help="processes (2)")
    parser.add_argument("--compare", nargs="+", choices=COMPARED, default=list(COMPARED), help="what to hold (all)")
    parser.add_argument("--only", help="judge one rule by its name, SEED/PLACE, and print it")
    asked = parser.parse_args()
    names = [asked.only] if asked.only else [f"{asked.seed}/{place}" for place in range(asked.rules)]
    started, wrong = time.monotonic(), 0
    counts: Counter[str] = Counter()
    with ProcessPoolExecutor(asked.jobs) as pool:
        for name, verdicts in pool.map(partial(judge, asked.compare), names, chunksize=1 if asked.only else 20):
            for what, verdict in verdicts.items():
                counts[f"{what}: {'agree' if verdict.agrees else verdict.skipped or 'differ'}"] += 1
                if verdict.wrong:
                    wrong += 1
                    say(f"\n{name}, {what}: {verdict.wrong}\n{shrunk(name, what)}\n")
    if asked.only:
        say(str(sample(Picks.seeded(asked.only))))
    for what, many in counts.most_common():
        say(f"{many:8}  {what}")
    say(f"{len(names)} rules in {time.monotonic() - started:.0f} s")
    return 1 if wrong else 0


def say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    raise SystemExit(main())
