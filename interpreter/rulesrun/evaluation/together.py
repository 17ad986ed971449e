"""Which cells of a table, one after another, differ in nothing but one whole number.

In: the inputs of cells in order, and the names of numbers of which several values may be answered at once. Out: groups
of cells, each with the name of the number in which they differ.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeAlias

from rulesrun.diagnostics import RulesError
from rulesrun.semantics.plan import Constant

Inputs: TypeAlias = dict[str, Constant]


class Together:
    """An iterator over groups of cells. An error in the inputs of a cell is raised when those before it are taken."""

    def __init__(self, cells: Iterator[Inputs], names: frozenset[str]) -> None:
        self._cells, self._names = cells, names
        self._next: Inputs | None = None
        self._error: RulesError | None = None

    def end(self) -> None:
        """From here on every cell is a group of its own."""
        self._names = frozenset()

    def __iter__(self) -> Iterator[tuple[list[Inputs], str | None]]:
        self._advance()
        while self._next is not None:
            group, name = [self._next], None
            self._advance()
            while self._names and self._next is not None:
                other = self._difference(group[0], self._next)
                if other is None or (name is not None and other != name):
                    break
                name = other
                group.append(self._next)
                self._advance()
            yield group, name
        if self._error is not None:
            raise self._error

    def _advance(self) -> None:
        """Reads one cell ahead."""
        try:
            self._next = next(self._cells, None)
        except RulesError as error:
            self._next, self._error = None, error

    def _difference(self, one: Mapping[str, Constant], other: Mapping[str, Constant]) -> str | None:
        """The name in which two cells differ, if it is a single one that may be answered at once."""
        found = None
        for name, value in one.items():
            mine = other[name]
            if value is mine or (value == mine and type(value) is type(mine)):
                continue
            if found is not None or name not in self._names or type(value) is not int or type(mine) is not int:
                return None
            found = name
        return found
