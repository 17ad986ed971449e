"""Random rules of one repetition: decisions that are made for the best in every turn, and turns that are counted."""

from __future__ import annotations

from .picks import Picks

HEADS = (
    "repeat 2 times", "repeat until points >= 3, at most 2 times", "repeat 2 times until points > 3",
    "repeat until over, at most 2 times",
)  # fmt: skip
AIMS = (
    "best", "worst", "best for points", "best for (points >= 2)", "worst for points", "best for coins",
    "best for (points - coins)", "best for (points = secret)",
)  # fmt: skip
TAKES = ("", " if points < 2", " if turn in odd", " if x > 1")
GAINS = (
    "points += x if {take}", "points += x if {take} otherwise 1",
    "points becomes 0 if {take} and x = 1 otherwise points + x",
    "points += x - 1 if {take}", "points -= 1 if {take} and x > 1 otherwise -1",
)  # fmt: skip
SPENDS = (
    "points += x - {spend}",
    "points += {spend} if x >= {spend}",
    "points += {spend} if x > 1 otherwise 0 - {spend}",
)
OVER = ("over becomes {done}", "over becomes {done} or points > 2", "over becomes x = 1 or {done}")
DECK = "bag deck = 1..3"


def decided(picks: Picks) -> str:
    """The text of one rule, called `main`, whose decisions are made for the best."""
    bag = picks.chance(20)
    nested = not bag and picks.chance(25)
    lines = ["rule main", f"    roll secret = d{picks.number(2, 3)}", "    track points = 0", "    track coins = 0"]
    lines += ["    track over = no", f"    {picks.of(HEADS)}"]
    indent = "        "
    body: list[str] = []
    if picks.chance(60):
        body.append(f"roll x = {picks.of(('d2', 'd3', 'coin', 'd2 + coin'))}")
        if bag:
            body.append("draw card = 1 from deck")
        body += _decision(picks, 1)
    else:
        body += _decision(picks, 1, False)
        thrown = "" if "take1:" in body[0] else picks.of(("", " if take1"))
        body.append(f"roll x = {picks.of(('d2', 'd3'))}{thrown}")
        if bag:
            body.append(f"draw card = {picks.of(('1', '1 + 0'))} from deck{picks.of((' if points < 2', ''))}")
    body.append(_gain(picks, body, 1))
    if bag:
        body.append("coins += sum of card")
    elif not nested and picks.chance(35):
        body += _decision(picks, 2)
        body.append(_gain(picks, body, 2).replace("points +=", picks.of(("points +=", "coins +="))))
    body.append(picks.of(OVER).format(done=_done(body)))
    lines += [indent + line for line in body]
    if nested:
        lines += [f"{indent}track here = 0", f"{indent}repeat {picks.number(1, 2)} times", f"{indent}    roll y = d2"]
        lines.append(f"{indent}    choice take3 by default {picks.of(AIMS)}")
        lines.append(f"{indent}    here += y if take3")
        lines.append(f"{indent}points += {picks.of(('here', '0 if here > 2 otherwise here', 'here - 1'))}")
    if picks.chance(40):
        lines.append("    flag met if points = secret")
    lines += ["    outcome", f"        + triumph if points {picks.of(('>=', '=', '>'))} {picks.number(1, 4)}"]
    lines.append("        - failure otherwise")
    return "\n".join(([DECK] if bag else []) + lines) + "\n"


def _decision(picks: Picks, number: int, thrown: bool = True) -> list[str]:
    condition = picks.of(TAKES if thrown else TAKES[:-1])
    domain = picks.of(("", "", ": 0..2", ": one of safe, risky"))
    return [f"choice take{number}{domain}{condition} by default {picks.of(AIMS)}"]


def _gain(picks: Picks, body: list[str], number: int) -> str:
    take = f"take{number}"
    written = next(line for line in body if line.startswith(f"choice {take}"))
    if ": 0..2" in written:
        return picks.of(SPENDS).format(spend=take)
    return picks.of(GAINS).format(take=f"{take} is risky" if ": one of" in written else take)


def _done(body: list[str]) -> str:
    written = next(line for line in body if line.startswith("choice take1"))
    return "take1 > 0" if ": 0..2" in written else "take1 is safe" if ": one of" in written else "take1"


TURNS = ("turn in odd", "remainder(turn, 3) = 1", "turn > 2", "turn in (1 or 4)", "remainder(turn, 2) = 0 and turn > 1")
ENDS = (
    "x = 1", "x = 1 and {turns}", "x > 1 or {turns}", "x = 1 if {turns} otherwise x = 2", "tally >= 2",
    "tally = 3 or x = 2",
)  # fmt: skip
HEADLINES = (
    "until over", "until over", "until over, at most 3 times", "4 times", "until tally >= 3",
    "until over or tally >= 4",
)  # fmt: skip
COUNTS = (
    "tally += 1", "tally += 1 if {turns}", "tally += x if {turns} otherwise 1", "tally becomes remainder(tally + x, 3)",
    "tally -= x - 1", "tally += turn", "tally += 1/2",
    "tally += [1, 0, 2] at turn", "tally += x - 1", "tally += [x, 1] at turn",
)  # fmt: skip
SECONDS = ("tally * 3", "remainder(tally, 2)", "max(tally, odd_ones)", "tally * 2 - odd_ones")


def periodic(picks: Picks) -> str:
    """The text of one rule, called `main`: a repetition, mostly without end, in which the turn matters."""
    turns = picks.of(TURNS)
    ends = picks.of(ENDS).format(turns=turns)
    lines = ["rule main", f"    track tally = {picks.number(0, 1)}", "    track over = no", "    track odd_ones = 0"]
    lines.append(f"    repeat {picks.of(HEADLINES)}")
    lines += [f"        roll x = {picks.of(('d2', 'd3', 'coin', 'd2 + coin'))}"]
    lines.append(f"        {picks.of(COUNTS).format(turns=picks.of(TURNS))}")
    if picks.chance(40):
        lines.append(f"        odd_ones += 1 if {picks.of(TURNS)}")
    lines.append(f"        over becomes {ends}")
    if picks.chance(50):
        lines.append(f"    second = {picks.of(SECONDS)}")
    condition = picks.of(("tally >= 2", "tally in odd", "odd_ones > 1", "tally = odd_ones", "tally < 1"))
    lines += ["    outcome", f"        + triumph if {condition}", "        - failure otherwise"]
    return "\n".join(lines) + "\n"
