"""Random games of one decision in turns without end, whose best play is among the few policies that can be tried.

A place and perhaps a face are all that a player sees, so that some fixed answer to each of them is best (a finite
Markov decision process has a stationary best policy). The enumerator cannot follow such a game to its end.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

import rulesrun

from .picks import Picks

MOVES = (
    "at + 1 if x = 1 otherwise at - 1", "at + x - 1", "at + 2 if x = 1 otherwise 0", "at if x = 2 otherwise at + 1",
    "3 - at if x = 1 otherwise at + 1", "at - x + 2", "at + 1 if x > 1 otherwise 1", "2 if x = 1 otherwise at - 1",
)  # fmt: skip
UNSOLVED = ("no-mean", "endless", "budget")
"""What may be said of means of endless numbers."""
FORCED = ("0 if x = 3 otherwise ", "5 if x = 3 otherwise ", "0 if x = 3 otherwise ")
"""So that every game ends."""


@dataclass(frozen=True)
class Game:
    """`seen`: what a player sees, as conditions that exclude each other."""

    text: str
    seen: tuple[str, ...]
    highest: bool
    of_place: bool

    def worth(self, odds: rulesrun.Odds) -> Fraction:
        return odds.of("at").mean if self.of_place else odds["triumph"]

    def policies(self) -> Iterator[str]:
        """Everything that a player may do: yes in some of these situations."""
        for answers in product((False, True), repeat=len(self.seen)):
            taken = [each for each, yes in zip(self.seen, answers, strict=True) if yes]
            yield " or ".join(f"({each})" for each in taken) if taken else "never"


def game(picks: Picks) -> Game:
    late = picks.chance(40)
    highest, of_place = picks.chance(70), picks.chance(40)
    places = range(1, 3) if late else range(1, 5)
    one, other = picks.of(MOVES), picks.of(MOVES)
    ends = picks.of(FORCED)
    policy = f"{'best' if highest else 'worst'}{' for at' if of_place else ''}"
    lines = ["rule main", f"    track at = {picks.number(1, 2)}", f"    repeat until at <= 0 or at >= {places[-1] + 1}"]
    turn = ["roll x = d3", f"choice bold by default {policy}"]
    lines += [f"        {line}" for line in (turn if late else turn[::-1])]
    lines.append(f"        at becomes {ends}({one}) if bold otherwise {ends}({other})")
    lines += ["    outcome", "        + triumph if at > 0", "        - failure otherwise"]
    faces = [f" and x = {x}" for x in (1, 2)] if late else [""]
    seen = tuple(f"at = {at}{face}" for at in places for face in faces)
    return Game("\n".join(lines) + "\n", seen, highest, of_place)


ENDLESS = ("d3!", "2d2!", "d3, explode on 2..3", "2d2, again on all 2", "d2!", "d4, explode on 4 adding")
WORTHS = ("sum of p", "2 * sum of p - 1", "size of p", "sum of p + x", "round_down(sum of p / 2)", "4 - x", "3")


def wager(picks: Picks) -> Game:
    """One decision before dice that go on without end."""
    highest = picks.chance(60)
    lines = ["rule main", "    roll secret = d2"]
    lines.append(f"    choice bold by default {'best' if highest else 'worst'} for at")
    lines += [f"    roll p = {picks.of(ENDLESS)}", f"    roll x = {picks.of(('2d3', 'd2!', '2d2'))}"]
    lines.append(f"    at = {_worth(picks)} if bold otherwise {_worth(picks)}")
    lines += ["    outcome", "        + triumph if at > 2", "        - failure otherwise"]
    return Game("\n".join(lines) + "\n", ("secret = 1", "secret = 2"), highest, True)


def _worth(picks: Picks) -> str:
    return f"({picks.of(WORTHS)}{picks.of(('', ' * secret', ' - secret', ' + 1'))})".replace("x", "sum of x")


def compare_best(made: Game) -> str:
    """How the best play differs from the best of all policies; empty if it does not."""
    rule = rulesrun.parse(made.text, name="game.rules")["main"]
    try:
        found = made.worth(rule.odds())
        each = {policy: made.worth(rule.odds(choose={"bold": policy})) for policy in made.policies()}
    except rulesrun.RulesError as error:
        if error.diagnostics[0].code in UNSOLVED:
            return ""
        raise
    take = max if made.highest else min
    right = take(each.values())
    if found == right:
        return ""
    best = next(policy for policy, worth in each.items() if worth == right)
    return f"{made.text}{found}, and {right} by `{best}`"
