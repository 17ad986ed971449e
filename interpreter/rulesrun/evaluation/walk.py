"""What the steps of a rule hold: their bags, the dice they may throw, the pools they read, what absent rules leave."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rulesrun.semantics.plan import (
    AnyStep,
    Bag,
    BagDraw,
    Choice,
    Define,
    DiceOption,
    DieKind,
    Draw,
    Faces,
    Flag,
    Invoke,
    Kind,
    PutAllBack,
    PutBack,
    Repeat,
    RolledDie,
    Sides,
    Track,
    Var,
)
from rulesrun.semantics.renaming import parts


def bags_of(steps: Sequence[AnyStep]) -> list[str]:
    """The bags that the steps draw from or put back into, those of rolled rules not: each rule begins with full bags
    of its own.
    """
    bags: dict[str, None] = {}
    for step in steps:
        if isinstance(step, BagDraw | PutBack | PutAllBack):
            bags[step.bag] = None
        elif isinstance(step, Repeat):
            bags.update(dict.fromkeys(bags_of(step.steps)))
    return list(bags)


def die_kinds(steps: Sequence[AnyStep], bags: Iterable[Bag]) -> Iterator[DieKind]:
    """All kinds of dice in the steps and the bags."""
    for part in parts(tuple(steps)):
        if isinstance(part, Sides | Faces | RolledDie):
            yield part
    for bag in bags:
        for thing, _ in bag.contents:
            if isinstance(thing, Faces | RolledDie):
                yield thing


def pools_read(steps: Sequence[AnyStep]) -> list[str]:
    """The names of the pools that the steps read, once for each time that they stand there."""
    return [part.name for part in parts(tuple(steps)) if isinstance(part, Var) and part.kind is Kind.POOL]


def all_steps(steps: Sequence[AnyStep]) -> Iterator[AnyStep]:
    """The steps and those inside them, in order."""
    for step in steps:
        yield step
        if isinstance(step, Invoke | Repeat):
            yield from all_steps(step.steps)


def lasting_steps(steps: Sequence[AnyStep]) -> Iterator[AnyStep]:
    """The steps and those of rolled rules; not those that are repeated, whose names end with each turn."""
    for step in steps:
        yield step
        if isinstance(step, Invoke):
            yield from lasting_steps(step.steps)


def absent_kinds(step: Invoke) -> dict[str, Kind]:
    """The names of a rule that may not be rolled, with what they are then: no dice, no, or none."""
    kinds = dict.fromkeys(step.names, Kind.NONE)
    for inner in all_steps(step.steps):
        match inner:
            case Draw(name=name) | BagDraw(name=name):
                kind = Kind.POOL
            case Flag(name=name):
                kind = Kind.YES_NO
            case Define(name=name, value=value) if value.kind is Kind.POOL:
                kind = Kind.POOL
            case Track(name=name, kind=Kind.POOL):
                kind = Kind.POOL
            case Choice(name=name, options=DiceOption()):
                kind = Kind.POOL
            case _:
                continue
        if name in kinds:
            kinds[name] = kind
    return kinds
