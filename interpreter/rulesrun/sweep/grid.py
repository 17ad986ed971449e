"""Every combination of the values that several inputs are given, without keeping them.

In: a rule, and inputs of which some are given several values. Out: a `Grid`, whose cells are made when they are asked
for, from any place on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import prod

from rulesrun.diagnostics import RulesError
from rulesrun.evaluation.inputs import flat, full_name
from rulesrun.record import record
from rulesrun.semantics.plan import Domain, ListDomain, Rule


@record
class Grid:
    """`values`: for each input given, by its full name, what it may be. `swept`: the inputs that vary."""

    values: dict[str, Sequence[object]]
    swept: tuple[str, ...]

    @property
    def size(self) -> int:
        """How many cells there are."""
        return prod(map(_count, self.values.values()))

    def cells(self, first: int, end: int) -> Iterator[dict[str, object]]:
        """The cells from the place `first` up to, not including, `end`; the last input varies fastest."""
        names = list(self.values)
        for place in range(first, min(end, self.size)):
            chosen: list[object] = []
            for name in reversed(names):
                place, digit = divmod(place, _count(self.values[name]))
                chosen.append(self.values[name][digit])
            yield dict(zip(names, reversed(chosen), strict=True))

    def edges(self) -> Iterator[dict[str, object]]:
        """Cells in which every value occurs (of a long range the first and the last): what is wrong with a value by
        itself is found by trying these before the work begins.
        """
        if not self.size:
            return
        first = {name: values[0] for name, values in self.values.items()}
        yield first
        for name in self.swept:
            values = self.values[name]
            tried = (values[-1],) if isinstance(values, range) else values[1:]
            yield from (first | {name: value} for value in tried)


def _count(values: Sequence[object]) -> int:
    """How many values there are, for ranges also more than `len` can say."""
    return max(values.stop - values.start, 0) if isinstance(values, range) and values.step == 1 else len(values)


def grid_of(rule: Rule, given: Mapping[str, object]) -> Grid:
    """The grid of the inputs given, short names and those of rolled rules made full."""
    domains = {each.name: each.domain for each in rule.inputs}
    values: dict[str, Sequence[object]] = {}
    swept = []
    for name, value in flat(given):
        full = full_name(rule, name, domains, "input")
        if full in values:
            raise RulesError.of(f"{full} is given twice", code="given-twice")
        several = _several(value, domains[full])
        if several is not None:
            swept.append(full)
        values[full] = [value] if several is None else several
    return Grid(values, tuple(swept))


def _several(value: object, domain: Domain) -> Sequence[object] | None:
    """The values of a sweep; None for a single value."""
    if isinstance(value, range):
        values: Sequence[object] = value
    elif isinstance(value, str | Mapping) or not isinstance(value, Iterable):
        return None
    else:
        values = list(value)
    if isinstance(domain, ListDomain) and not (
        values and all(isinstance(each, list | tuple | range) for each in values)
    ):
        return None
    return values
