"""A situation on the way through a program: what is known, what is not, and how likely it is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from rulesrun.evaluation.exact.beyond import Beyond
from rulesrun.evaluation.exact.facts import Facts
from rulesrun.evaluation.exact.sources import Source
from rulesrun.evaluation.exact.symbols import names_of
from rulesrun.evaluation.pools import Die

NO_FACTS = Facts()
WHOLE = Fraction(1)
"""The weight of a situation that nothing has been weighed in yet."""


class State:
    """Values by name, the throws that are unknown in them with what is known of them, and the weight so far.

    `cells`: the cells of a table that it is about where several go abreast; its weight may then be `Shares`.
    """

    __slots__ = ("cells", "env", "facts", "sources", "weight")

    def __init__(
        self,
        env: dict[str, Any],
        weight: Any,
        sources: Mapping[str, Source] | None = None,
        facts: Facts = NO_FACTS,
        cells: tuple[int, ...] = (),
    ) -> None:
        self.env, self.weight, self.sources, self.facts, self.cells = env, weight, sources or {}, facts, cells

    def copy(self) -> State:
        return self.with_env(self.env)

    def with_env(self, env: dict[str, Any]) -> State:
        """The same with other values."""
        return State(env, self.weight, self.sources, self.facts, self.cells)


def told_apart(value: Any) -> Any:
    """A value as a key: 1 and yes are not the same; a pool is the same in any order of its dice."""
    if type(value) is tuple and value and isinstance(value[0], Die):
        return frozenset(Counter(value).items())
    return (value,) if isinstance(value, bool) else value


def names_in(values: Iterable[Any]) -> set[str]:
    """The names of the throws that some values read."""
    found: set[str] = set()
    for value in values:
        if isinstance(value, Beyond):
            value = None if value.growth is None else value.growth.form
        if type(value) is tuple:
            for each in value:
                found |= names_of(each)
        elif type(value) not in PLAIN:
            found |= names_of(value)
    return found


PLAIN = {int, bool, str, Fraction, type(None)}
"""Of values of these sorts it is clear that nothing in them is unknown."""
