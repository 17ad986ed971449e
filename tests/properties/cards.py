"""Random rules about cards with suits: hands out of one deck, and what is asked of them."""

from __future__ import annotations

from .picks import Picks

DECKS = (
    "1..2 & clubs, 1..2 & hearts, 1..2 & spades", "1..3 & clubs, 1..3 & hearts", "1 & clubs x2, 1 & hearts x2, 2..3",
    "1..2 & clubs, 1..2 & hearts, 2 & clubs & hearts", "1..4, 2 x2", "3 red, 2 green, 1 blue",
    "1 & clubs, 2 & hearts, 3 & spades",
)  # fmt: skip
DICE = ("die red = 1..2", "die green = 1, 3", "die blue = 2")
"""What has a colour in a bag may be dice, which bear these names until they are thrown."""
NUMBERS = (
    "sum of {h}", "highest of {h}", "lowest of {h}", "middle of {h}", "count 2.. in {h}", "pairs of 1 in {h}",
    "distinct in {h}", "largest set in {h}", "face of largest set in {h}", "longest run in {h}", "sets of 2 in {h}",
    "distinct in symbols of {h}", "largest set in symbols of {h}", "groups of 3 in {h}", "sum of highest 1 of {h}",
    "size of {h}", "sum of {h} * 2 - size of {h}", "count odd in {h}", "sum of ({h} with each die as die + 1)",
)  # fmt: skip
CONDITIONS = (
    "all equal in {h}", "all equal in symbols of {h}", "all equal in symbols of {h} and longest run in {h} >= 2",
    "any 2.. in {h}", "none 1 in {h}", "sum of {h} in odd", "sum of {h} >= 4", "largest set in symbols of {h} >= 2",
    "all equal in symbols of {h} and sum of {h} > 3", "all 1..2 in {h}", "{h} outranks {o}",
    "distinct in symbols of {h} = 2", "sum of {h} > sum of {o}", "any 1 & clubs in {h}",
)  # fmt: skip
SYMBOLS = (
    "count red in {h}",
    "size of {h}",
    "largest set in {h}",
    "distinct in {h}",
    "pairs of green in {h}",
    "count red or blue in {h}",
)
SYMBOL_CONDITIONS = (
    "all equal in {h}",
    "any red in {h}",
    "none green in {h}",
    "all red in {h}",
    "count red in {h} > count red in {o}",
)


def cards(picks: Picks) -> str:
    """The text of one rule, called `main`."""
    deck = picks.of(DECKS)
    dice = "red" in deck and picks.chance(40)
    lines = [*(DICE if dice else ()), f"bag deck = {deck}", "rule main"]
    if "red" in deck and picks.chance(30):
        lines = [f"setting reds = {picks.number(0, 3)}", *lines]
        lines[-2] = lines[-2].replace("3 red", "reds red")
    lines.append(f"    draw mine = {picks.number(1, 3)} from deck")
    if picks.chance(30):
        lines.append(f"    put mine back{picks.of(('', ' if ' + _condition(picks, deck, 'mine', 'mine')))}")
    elif picks.chance(20):
        lines.append(
            f"    put deck back{picks.of(('', ' except mine', ' if ' + _condition(picks, deck, 'mine', 'mine')))}"
        )
    lines.append(f"    draw other = {picks.number(1, 2)} from deck")
    if picks.chance(25):
        thrown = ("dice of mine", "dice of (other showing red)") if dice else ("d2", "2d2", "d3")
        lines.append(f"    roll cast = {picks.of(thrown)}")
    both = "(mine + other)" if picks.chance(30) else "mine"
    lines.append(f"    first = {_number(picks, deck, both, 'other')}")
    if picks.chance(50):
        lines.append(f"    second = {_number(picks, deck, 'other', 'mine')}")
    lines.append(f"    total = first{' + sum of cast' if 'roll cast' in ' '.join(lines) else ''}")
    if picks.chance(40):
        lines.append(f"    flag flush if {_condition(picks, deck, both, 'other')}")
    lines += ["    outcome", f"        + triumph if {_condition(picks, deck, both, 'other')}"]
    if picks.chance(40):
        lines.append(f"        ~ draw_even if {_condition(picks, deck, 'other', 'mine')}")
    lines.append("        - failure otherwise")
    return "\n".join(lines) + "\n"


def _number(picks: Picks, deck: str, hand: str, other: str) -> str:
    return picks.of(SYMBOLS if "red" in deck else NUMBERS).format(h=hand, o=other)


def _condition(picks: Picks, deck: str, hand: str, other: str) -> str:
    options = SYMBOL_CONDITIONS if "red" in deck else CONDITIONS if "clubs" in deck else CONDITIONS[:-1]
    return picks.of(options).format(h=hand, o=other)
