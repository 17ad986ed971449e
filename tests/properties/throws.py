"""Random rolls: every kind of dice and every modifier, with about how many ways they can fall."""

from __future__ import annotations

from dataclasses import dataclass, replace

from .expressions import Writer
from .scope import Dice

WHEEL = 'die wheel = 1 x2, 3, 5 "a weighted die"'
STAT = "die stat = sum of 2d2, keep highest 1"
THROWN = {
    "lucky": "die lucky = highest of 2 d3",
    "unlucky": "die unlucky = lowest of 2d2, reroll 1 once",
    "steady": "die steady = middle of 3d2",
}
SYMBOL_DICE = {
    "boost": "die boost = blank, hit, hit & boon",
    "doom": "die doom = blank x2, gloom & gloom, hit",
}
MARKED_DICE = {
    "marked": "die marked = 1, 2 & star, 2, 3 & star & moon",
    "twin": "die twin = 1 & moon x2, 2 & star",
}
"""Dice whose faces bear numbers and symbols."""
MARKS = ("moon", "star")
SYMBOL_MODIFIERS = (
    "reroll not hit once",
    "explode on hit once",
    "again on all hit once",
    "reroll hit at most 1 times",
)
SYMBOLS = {"boost": ("boon", "hit"), "doom": ("gloom", "hit")}


@dataclass(frozen=True)
class Thrown:
    """A throw as text, what its name would be, and the number of ways it can fall."""

    text: str
    dice: Dice
    ways: int


def kind(writer: Writer) -> tuple[str, int, int, bool]:
    """A kind of dice: its text, how many faces differ, the top face, and whether it has a number of sides."""
    picks = writer.picks
    choice = picks.number(0, 15)
    if choice <= 4:
        sides = picks.of((2, 3, 4, 2, 3, 6))
        return f"d{sides}", sides, sides, True
    if choice == 5:
        return "dF", 3, 1, True
    if choice == 6:
        return "d{1, 1, 2, 3}", 3, 3, True
    if choice == 7:
        return "d{0 x2, 2}", 2, 2, True
    if choice == 8:
        return writer.file.need("wheel", WHEEL), 3, 5, True
    if choice == 9:
        return writer.file.need("stat", STAT), 4, 2, False
    if choice == 10:
        name = picks.of(tuple(THROWN))
        return writer.file.need(name, THROWN[name]), 9, 3 if name == "lucky" else 2, False
    if choice == 11:
        return "coin", 2, 1, True
    if choice == 12:
        return f"d({writer.count()} + 1)", 3, 3, True
    if choice in (14, 15):
        name = picks.of(tuple(MARKED_DICE))
        writer.file.marks = MARKS
        return writer.file.need(name, MARKED_DICE[name]), 4 if name == "marked" else 2, 3, True
    return "d(1 + 2)", 3, 3, True


def group(writer: Writer, room: int) -> Thrown:
    """One group of dice that falls in at most about `room` ways."""
    picks = writer.picks
    text, faces, top, sided = kind(writer)
    if faces > room:
        text, faces, top, sided = "d2", 2, 2, True
    fitting = max(1, next((n for n in (3, 2) if faces**n <= room), 1))
    shape = picks.number(0, 11)
    if shape == 11 and room >= 6:
        sizes = picks.of(("[2, 3]", "[3]", "[2, 2]", "[]"))
        return Thrown(f"d({sizes})", Dice("", 3, natural=True, size=2), 6)
    if shape <= 2:
        short = picks.of(("!", "kh1", "kl1", "")) if text[1:].isdigit() and picks.chance(20) else ""
        return Thrown(text + short, Dice("", top, True, natural=True, sided=sided), faces * (2 if short == "!" else 1))
    many = picks.number(1, fitting)
    ways = faces**many
    if shape == 3 and faces**2 <= room:
        return Thrown(f"{count_text(writer)} {text}", Dice("", top, natural=True, sided=sided), faces**2)
    if shape == 4 and text[1:].isdigit():
        short = picks.of(("!", f"kh{picks.number(1, 2)}", "kl1", "dl1", "dh1", "!kh2", "kl2!"))
        return Thrown(f"{many}{text}{short}", Dice("", top, natural=True, size=many), ways * (2 if "!" in short else 1))
    if shape in (5, 10) and writer.names.pools:
        dice = picks.of([each for each in writer.names.pools if each.sided] or writer.names.pools)
        if dice.sided and dice.top**dice.size <= room:
            pool = dice.text if picks.chance(70) else f"({dice.text} showing {writer.faces(dice.top)})"
            return Thrown(
                f"dice of {pool}", replace(dice, single=False, natural=True, target=dice.target), dice.top**dice.size
            )
    glued = text[0] == "d" and (text[1:].isdigit() or text[1] in "{(F")
    return Thrown(f"{many}{'' if glued else ' '}{text}", Dice("", top, natural=True, sided=sided, size=many), ways)


def count_text(writer: Writer) -> str:
    count = writer.count()
    return count if count.isidentifier() or count.isdigit() or count.startswith("clamp") else f"({count})"


def symbol_throw(writer: Writer, room: int) -> Thrown:
    picks = writer.picks
    name = picks.of(sorted(SYMBOL_DICE))
    writer.file.need(name, SYMBOL_DICE[name])
    many = picks.number(1, 2 if room >= 9 else 1)
    text = f"{many} {name}"
    symbols: tuple[str, ...] = SYMBOLS[name]
    if room >= 27 and picks.chance(30):
        other = "doom" if name == "boost" else "boost"
        writer.file.need(other, SYMBOL_DICE[other])
        text, many = f"{text} + {other}", many + 1
        symbols = ("boon", "gloom", "hit")
    if picks.chance(25):
        text += f", {picks.of(SYMBOL_MODIFIERS)}"
        many *= 2
    return Thrown(text, Dice("", symbols=symbols, sided=False, size=many), 3**many)


def throw(writer: Writer, room: int) -> Thrown:
    """Dice and modifiers that fall in at most about `room` ways."""
    picks = writer.picks
    first = group(writer, room)
    text, dice, ways = first.text, first.dice, first.ways
    if ways * 2 <= room and picks.chance(20):
        second = group(writer, room // ways)
        if not (dice.target or second.dice.target):
            text, ways = f"{text} + {second.text}", ways * second.ways
            dice = replace(
                dice, top=max(dice.top, second.dice.top), single=dice.single and second.dice.single,
                sided=dice.sided and second.dice.sided, size=dice.size + second.dice.size,
            )  # fmt: skip
    for _ in range(picks.of((0, 1, 1, 2, 3))):
        modifier, times, target = picks_modifier(writer, dice, ways, room)
        if ways * times > room * 2:
            break
        when = f" when {writer.condition(0)}" if picks.chance(12) else ""
        text, ways = f"{text}, {modifier}{when}", ways * times
        dice = replace(dice, target=dice.target or (target and not when))
    return Thrown(text, dice, ways)


def picks_modifier(writer: Writer, dice: Dice, ways: int, room: int) -> tuple[str, int, bool]:
    """A modifier, by how much it multiplies the ways, and whether it gives the dice a target."""
    picks = writer.picks
    some = picks.of(("0", "1", "2", "3", "1", "2", writer.count()))
    shape = picks.number(0, 11)
    if shape <= 2:
        keep = picks.of(("keep highest", "keep lowest", "drop highest", "drop lowest", "keep middle"))
        return f"{keep} {some}", 1, False
    if shape <= 5:
        return explode(writer, dice)
    if shape <= 7:
        return reroll(writer, dice)
    if shape <= 9:
        return again(writer, dice, ways)
    if shape == 10:
        number = picks.of(("1", "-1", "0", "2", "-2", f"(1 - {writer.count()})"))
        most = f" at most {picks.number(0, 2)}" if picks.chance(40) else ""
        return f"with advantage {number}{most}", ways**2 if "2" in number else ways, False
    return f"against {writer.number_atom(1)}", 1, True


def limit(writer: Writer) -> str:
    return writer.picks.of((" once", f" at most {writer.picks.number(0, 2)} times", " at most (1 + 1) times"))


def explode(writer: Writer, dice: Dice) -> tuple[str, int, bool]:
    picks = writer.picks
    top = dice.top
    endless = picks.chance(35)
    faces = (
        picks.of((str(top), "sides", f">= {top}", f"{top}.."))
        if endless
        else picks.of((str(top), "sides", writer.faces(top)))
    )
    if faces == "sides" and not dice.sided:
        faces = str(top)
    options = [] if endless else [limit(writer)]
    several = not endless and picks.chance(15)
    if several:
        options.insert(0, f" rolling {picks.of(('2d2', '2 wheel', '2 d3', '0d2'))}")
        writer.file.need("wheel", WHEEL)
    elif picks.chance(25):
        options.insert(
            0,
            f" rolling {picks.of(('d2', 'd4', 'd{1, 2}', writer.file.need('wheel', WHEEL))) if not endless else 'd6'}",
        )
    if not several and picks.chance(30):
        options.insert(picks.number(0, len(options)), " adding")
    return f"explode on {faces}{''.join(options)}", 3, False


def reroll(writer: Writer, dice: Dice) -> tuple[str, int, bool]:
    picks = writer.picks
    top = dice.top
    endless = picks.chance(20)
    if endless:
        return f"reroll {picks.of(('1', '<2', f'{top}' if top > 1 else '1'))}", 2, False
    options = [limit(writer)]
    if picks.chance(40):
        options.insert(picks.number(0, 1), f" in at most {picks.number(0, 2)} dice")
    return f"reroll {writer.faces(top)}{''.join(options)}", 4, False


def again(writer: Writer, dice: Dice, ways: int) -> tuple[str, int, bool]:
    picks = writer.picks
    top = dice.top
    condition = picks.of(
        (
            f"all {writer.faces(top)}",
            f"any {top}",
            f"any {top}",
            f"none {picks.number(1, top)}",
            "all equal",
            f"sum {picks.of(('>=', '=', '<', '>', '!=', '<='))} {picks.number(1, 2 * top)}",
            f"sum {picks.of(('!=', '<=', '>=', '<', '>'))} {picks.number(1, top)}",
            f"highest {picks.of(('>=', '=', '<', '!='))} {top}",
            f"lowest {picks.of(('<=', '=', '>', '!='))} {picks.number(1, top)}",
        )
    )
    if condition == f"any {top}" and picks.chance(50):
        return f"again on {condition}", 4, False
    return f"again on {condition}{limit(writer)}", max(2, ways // 2), False
