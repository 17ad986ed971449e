"""Random sums over items that go by a name of their own: `for each face in POOL: …`, also one inside another."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from .scope import Dice

if TYPE_CHECKING:
    from .expressions import Writer

ITEMS = ("face", "member", "step")


def named(writer: Writer, depth: int) -> str:
    """`for each NAME in …: …` over dice, a list or a range; the name may hide another."""
    picks, names = writer.picks, writer.names
    above = [each for each in names.numbers if each.isidentifier() and each != "turn"]
    word = picks.of(above) if above and picks.chance(10) else picks.of(ITEMS)
    if names.symbols and picks.chance(20):
        dice = picks.of(names.symbols)
        return f"for each {word} in {dice.text}: {picks.number(1, 3)} if {word} is {picks.of(dice.symbols)} otherwise 0"
    kinds: list[Callable[[], tuple[str, Dice | None]]] = [
        lambda: (f"1..{picks.number(1, 3)}", None),
        lambda: (picks.of(("[1, 2, 2]", "[3, 1]", *sorted(names.lists))), None),
        lambda: (f"0..{writer.count()}", None),
    ]
    if names.pools:
        dice = picks.of(names.pools)
        kinds += [lambda: (dice.text, dice)] * 3 + [lambda: (f"({writer.pool(depth - 1)})", None)]
    over, known = picks.of(kinds)()
    return f"for each {word} in {over}: {_each(writer, word, known)}"


def _each(writer: Writer, word: str, dice: Dice | None) -> str:
    """A number that depends on the item; `dice`: it is one of these."""
    picks = writer.picks
    beside = [each for each in _beside(dice) if each != word]
    inner = replace(writer, each=(word, *beside))
    kinds: list[Callable[[], str]] = [
        lambda: f"{word} * {picks.number(1, 2)}",
        lambda: f"max(0, 3 - {word})",
        lambda: f"(2 if {word} in {picks.number(2, 3)}..4 otherwise -1)",
        lambda: f"{inner.number_atom(1)} + {word}",
        lambda: f"{word} * {within(writer, word)}",
        lambda: f"{within(writer, word)} - {word}",
    ]
    if beside:
        kinds.append(lambda: f"{word} + {picks.of(beside)}")
    if writer.names.pools:
        pool = picks.of(writer.names.pools).text
        kinds += [
            lambda: f"{word} * count {word} in {pool}",
            lambda: f"count {picks.of((f'{word}..', f'>= {word}', f'{word} or 1', f'not {word}'))} in {pool}",
            lambda: f"min(count {word} in {pool}, count {word} in {picks.of(writer.names.pools).text})",
        ]
    if writer.file.marks and dice is not None:
        mark = picks.of(writer.file.marks)
        kinds.append(lambda: f"(2 if {word} {picks.of(('is', 'is not'))} {mark} otherwise {word})")
    return picks.of(kinds)()


def within(writer: Writer, outer: str) -> str:
    """One more `for each`, over what depends on the item around it."""
    picks = writer.picks
    word = picks.of([each for each in (*ITEMS, "die") if each != outer] + [outer])
    over = [f"1..{outer}", f"{outer}..3", f"[{outer}, 1]", f"1..min({outer}, 2)"]
    pools = [each.text for each in writer.names.pools]
    if pools:
        pool = picks.of(pools)
        over += [f"({pool} showing {outer}..)", f"({pool} showing {outer})", pool]
    items = picks.of(over)
    body = [f"{word}", f"{word} + 1", f"(1 if {word} >= 2 otherwise 0)"]
    if pools:
        body.append(f"{word} * count {word} in {picks.of(pools)}")
    return f"(for each {word} in {items}: {picks.of(body)})"


def _beside(dice: Dice | None) -> list[str]:
    """The other words of a die."""
    return [] if dice is None else ["sides"] * dice.sided + ["target"] * dice.target
