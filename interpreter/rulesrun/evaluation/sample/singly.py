"""The last resort: an expression worked out as a roll does, once for each different situation of the lanes.

In: an expression, and lanes that hold the values of all names in it. Out: the column or the pools. Two lanes are in the
same situation if everything that the expression reads has the same value in both, pools as multisets of dice.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from rulesrun.evaluation.expressions import Writer
from rulesrun.evaluation.pools import Die
from rulesrun.evaluation.python import Constants, compile_function, item, literal, read
from rulesrun.evaluation.sample.columns import Array, Column, Same, at, keys_of, spread, together
from rulesrun.evaluation.sample.dice import Dice, dice_at, dice_of
from rulesrun.evaluation.sample.lanes import Held, InBag, Lanes
from rulesrun.evaluation.sample.lists import DIE, NEWEST, OTHER, SIDES, TARGET
from rulesrun.evaluation.sample.ordering import ascending
from rulesrun.evaluation.sample.tags import Tags
from rulesrun.semantics.plan import Expression, Table, Var
from rulesrun.semantics.renaming import parts

WORDS = {"die": DIE, "other": OTHER, "target": TARGET, "sides": SIDES, "newest": NEWEST}


class Single:
    """Expressions compiled for single values; `used` collects those that were needed."""

    def __init__(self, tables: Mapping[str, Table]) -> None:
        self._tables = tables
        self.used: set[str] = set()
        self._compiled: dict[int, tuple[Expression, tuple[str, ...], Callable[[Mapping[str, Any]], Any]]] = {}

    def value(self, e: Expression, lanes: Lanes) -> Column | Dice:
        """The value of an expression in each lane."""
        names, function = self._function(e)
        self.used.add(type(e).__name__)
        results, codes = of_names(names, lanes, function)
        if results and all(is_pool(each) for each in results) and (any(results) or e.kind.name == "POOL"):
            return dice_of_situations(results, codes, lanes)
        return Same(results[0]) if codes is None else spread(results, codes)

    def _function(self, e: Expression) -> tuple[tuple[str, ...], Callable[[Mapping[str, Any]], Any]]:
        found = self._compiled.get(id(e))
        if found is None or found[0] is not e:
            constants = Constants()
            writer = Writer(constants, lambda name: item(read("names"), literal(name)), self._tables)
            with writer.words({word: item(read("names"), literal(name)) for word, name in WORDS.items()}):
                body = writer.value(e)
            names = dict.fromkeys(part.name for part in parts(e) if isinstance(part, Var))
            function = compile_function(["names"], [ast.Return(body)], constants, e.span)
            found = self._compiled[id(e)] = (e, (*names, *WORDS.values()), function)
        return found[1], found[2]


def in_each_situation(
    held: Sequence[Held], lanes: Lanes, function: Callable[..., Any]
) -> tuple[list[Any], Array | None]:
    """What a function of these values gives for each different situation, and which of them each lane is in; None
    where all are in the same.
    """
    keyed: list[tuple[Array, int] | None] = []
    for each in held:
        if isinstance(each, Dice):
            keyed.extend(pool_keys(each, lanes))
        elif isinstance(each, InBag):
            keyed.extend((row, int(row.max(initial=0)) + 1) for row in each.left)
        else:
            keyed.append(keys_of(each))
    groups, tags = together(keyed), lanes.block.tags
    results = [
        function(*(_at(each, tags, lane) for each in held))
        for lane in ([0] if groups is None else groups.examples.tolist())
    ]
    return results, None if groups is None else groups.codes


def dice_of_situations(results: list[Any], codes: Array | None, lanes: Lanes) -> Dice:
    """The pools that a function gave for each situation, lane by lane."""
    return dice_of(results, np.zeros(lanes.size, np.int64) if codes is None else codes, lanes.block.tags)


def of_names(
    names: Iterable[str], lanes: Lanes, function: Callable[[Mapping[str, Any]], Any]
) -> tuple[list[Any], Array | None]:
    """As `in_each_situation`, for a function of what names stand for, as far as they are there."""
    there = [name for name in names if lanes.has(name)]
    return in_each_situation(
        [lanes.get(name) for name in there], lanes, lambda *values: function(dict(zip(there, values, strict=True)))
    )


def _at(held: Held, tags: Tags, lane: int) -> Any:
    match held:
        case Dice():
            return dice_at(held, tags, lane)
        case InBag():
            return held.at(lane)
        case _:
            return at(held, lane)


def is_pool(value: object) -> bool:
    """Whether a value is a tuple of dice."""
    return isinstance(value, tuple) and all(isinstance(each, Die) for each in value)


def pool_keys(pool: Dice, lanes: Lanes) -> Iterator[tuple[Array, int]]:
    """Numbers that are all equal for lanes with the same dice in their pools."""
    many = len(lanes.block.tags.dice)
    keys = (pool.faces.astype(np.int64) - pool.low) * many + pool.tags
    if pool.there is not None:
        keys = np.where(pool.there, keys, -1)
    bound = (pool.high - pool.low + 1) * many + 1
    for row in ascending(keys):
        yield row + 1, bound
