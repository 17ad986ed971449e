"""Dice that are looked at first, because something is asked of each of them or of each of several numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

from rulesrun.evaluation import pools
from rulesrun.evaluation.exact.drawn import Drawn
from rulesrun.evaluation.exact.seen import Reveal, Seen
from rulesrun.evaluation.exact.symbols import Linear, UnknownPool, slots_of
from rulesrun.evaluation.exact.tabled import ways
from rulesrun.semantics import plan
from rulesrun.semantics.renaming import parts


def raise_reveal(*values: Any) -> NoReturn:
    """Asks to look at all the dice that these values read."""
    raise Reveal(frozenset(name for value in values for name, _ in slots_of(value)))


FEW = 50_000
"""In so many ways dice may fall that are looked at before each number or die is asked about them in turn."""


def first_look(
    at: plan.Expression | tuple[plan.Expression, ...], few: int | None = None, lists: bool = False
) -> Callable[[Seen], None]:
    """Looks at the dice that are asked for each of several numbers, if they can fall in `few` ways (None: `FEW`) or are
    cards: to split by every single answer would take longer. With `lists` also the dice whose numbers are items of
    lists.
    """
    kinds = (plan.Kind.POOL, plan.Kind.LIST) if lists else (plan.Kind.POOL,)
    names = sorted({each.name for each in parts(at) if isinstance(each, plan.Var) and each.kind in kinds})

    def look(seen: Seen) -> None:
        unknown = [each for name in names for each in _unknown_in(seen.env.get(name))]
        reads = {slot[0] for pool in unknown for slot in slots_of(pool)}
        sources = {name: seen.sources[name] for name in reads}
        most = FEW if few is None else few
        if any(isinstance(source, Drawn) for source in sources.values()) or (reads and ways(sources) <= most):
            raise_reveal(*unknown)

    return look


def _unknown_in(value: Any) -> list[Any]:
    """The pool that is unknown, or the unknown items of a list."""
    if isinstance(value, UnknownPool):
        return [value]
    return [each for each in value if isinstance(each, Linear)] if type(value) is tuple else []


def as_die(face: Any, look: Any) -> pools.Die:
    """A die that shows a face, with what is known of such dice."""
    return pools.Die(face, look.sides, look.target, look.kind)
