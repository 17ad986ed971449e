"""The exact distribution of one value of a rule.

Numbers may have no end: then every single chance, the mean and the chance of "at least" are exact all the same, and
what `items`
does not list is one exact `tail`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cached_property
from html import escape
from itertools import pairwise
from math import floor, inf, isqrt, sqrt
from typing import TYPE_CHECKING, Any, TypeAlias

from rulesrun.diagnostics import RulesError
from rulesrun.evaluation.values import Approximate, value_text

if TYPE_CHECKING:
    from rulesrun.dice import Law

Outcome: TypeAlias = "int | Fraction | bool | str | None"
TAIL = Fraction(1, 10**9)
MOST_SHOWN = 60
"""A notebook shows no more values of a long distribution."""


class Distribution:
    """What a value can be, and with which chance.

    `law` holds numbers (the value v / `lattice` weighs law[v]), `weights` all other values. `lost` is the weight of
    an endless tail
    whose values are not known one by one; `further` gives the chance of a number that lies there, None for others;
    `whole_moment` the means of powers with all that, where they are known (None for one that is not finite). A
    law of an event's values is divided by the event's chance before it comes
    here.
    """

    def __init__(
        self,
        weights: Mapping[Outcome, Fraction],
        law: Law | None = None,
        lattice: int | Fraction = 1,
        lost: Fraction = Fraction(0),
        further: Callable[[int | Fraction], Fraction | None] | None = None,
        whole_moment: Callable[[int], Fraction | None] | None = None,
    ) -> None:
        self._weights, self._law, self._lattice, self._lost = dict(weights), law, lattice, lost
        self._further, self._whole_moment = further, whole_moment

    def __getitem__(self, value: object) -> Fraction:
        """The chance of a value; 0 if it cannot be. Numbers past what was followed one by one are asked for."""
        if self._further is not None and isinstance(value, int | Fraction) and not isinstance(value, bool):
            asked = self._further(value)
            if asked is not None:
                return asked
        if self._law is not None and isinstance(value, int | Fraction) and not isinstance(value, bool):
            place = Fraction(value) * self._lattice
            return self._law[place.numerator] if place.denominator == 1 else Fraction(0)
        for each, weight in self._weights.items():
            if each == value and isinstance(each, bool) == isinstance(value, bool):
                return weight
        return Fraction(0)

    def items(self) -> Iterator[tuple[Any, Fraction]]:
        """Values and chances: numbers in ascending order (of an endless row until less than 10^-9 is left), then
        other values.
        """
        yield from self._listed

    def __iter__(self) -> Iterator[Any]:
        return (value for value, _ in self._listed)

    def __len__(self) -> int:
        return len(self._listed)

    @cached_property
    def _listed(self) -> tuple[tuple[Any, Fraction], ...]:
        found: list[tuple[Any, Fraction]] = []
        if self._law is not None:
            for place, weight in self._law.items(TAIL):
                value = place / Fraction(self._lattice)
                found.append((value.numerator if value.denominator == 1 else value, weight))
        numbers = sorted((pair for pair in self._weights.items() if _is_number(pair[0])), key=lambda pair: pair[0])  # type: ignore[arg-type, return-value]
        others = [pair for pair in self._weights.items() if not _is_number(pair[0])]
        return (*sorted([*found, *numbers], key=lambda pair: pair[0]), *others)

    @property
    def tail(self) -> Fraction:
        """The exact chance of everything that `items` does not list."""
        return self._lost + (self._law.rest(TAIL) if self._law is not None else 0)

    @property
    def tail_above(self) -> Any:
        """The highest value that `items` lists, where a tail lies beyond; None without a tail."""
        numbers = [value for value, _ in self._listed if _is_number(value)]
        return numbers[-1] if self.tail and numbers else None

    @cached_property
    def _parts(self) -> list[tuple[Fraction, Fraction]]:
        numbers = [(Fraction(value), weight) for value, weight in self._weights.items() if _is_number(value)]  # type: ignore[arg-type]
        if len(numbers) != len(self._weights) or (self._law is None and not numbers and not self._lost):
            raise no_mean(value for value in self._weights if not _is_number(value))
        if self._lost:
            raise RulesError.of(
                "the mean of this endless result is not known exactly",
                code="no-mean",
                hint="ask for a chance, such as `total >= 10`",
            )
        return numbers

    @property
    def mean(self) -> Fraction:
        """The exact mean. Raises `RulesError` where the value may be something else than a number."""
        return self.moment(1)

    @property
    def variance(self) -> Fraction:
        """The exact variance."""
        return self.moment(2) - self.mean**2

    @property
    def sd(self) -> float:
        """The standard deviation, rounded to a float; infinite where it is beyond the largest one."""
        if self._lost and self._whole_moment is not None and self._whole_moment(2) is None:
            return inf
        variance = self.variance
        try:
            return sqrt(variance)
        except OverflowError:
            root = isqrt(variance.numerator // variance.denominator)
            return float(root) if root.bit_length() < 1000 else inf

    def moment(self, power: int) -> Fraction:
        """The exact mean of the number (1) or of its square (2), of a part of a distribution weighed by its chance."""
        if self._lost and self._whole_moment is not None:
            found = self._whole_moment(power)
            if found is None:
                raise RulesError.of(
                    f"this endless result has no finite {'mean' if power == 1 else 'variance'}:"
                    " it grows faster than its chances fall",
                    code="no-mean",
                    hint="ask for a chance, such as `total >= 10`",
                )
            return found
        total = sum((value**power * weight for value, weight in self._parts), Fraction(0))
        if self._law is not None and not self._law.is_zero:
            mean = self._law.mean / self._lattice
            moment = mean if power == 1 else self._law.variance / self._lattice**2 + mean**2
            total += moment * self._law.mass
        return total

    def at_least(self, value: int | Fraction) -> Fraction:
        """The chance that the number is at least this."""
        total = sum((weight for each, weight in self._parts if each >= value), Fraction(0))
        if self._law is not None:
            total += self._law.mass_between(-floor(-value * self._lattice), None)
        return total

    def at_most(self, value: int | Fraction) -> Fraction:
        """The chance that the number is at most this."""
        total = sum((weight for each, weight in self._parts if each <= value), Fraction(0))
        if self._law is not None:
            total += self._law.mass_between(None, floor(value * self._lattice))
        return total

    def __repr__(self) -> str:
        shown = ", ".join(f"{value_text(value)}: {chance}" for value, chance in self._listed[:12])
        return f"<Distribution {shown}{', …' if len(self._listed) > 12 else ''}>"

    def _repr_html_(self) -> str:
        """A table with bars, for notebooks; of a long one the likely values."""
        top = max((chance for _, chance in self._listed), default=Fraction(1))
        shown = self._listed
        if len(shown) > MOST_SHOWN:
            least = sorted((chance for _, chance in shown), reverse=True)[MOST_SHOWN - 1]
            shown = tuple(pair for pair in shown if pair[1] >= least)[:MOST_SHOWN]
        rows = "".join(
            f"<tr><td>{escape(value_text(value))}</td><td>{float(chance):.4%}</td>"
            f"<td><div style='background:#69c;height:1em;width:{float(chance / top) * 12:.2f}em'></div></td></tr>"
            for value, chance in shown
        )
        rest = 1 - float(sum(chance for _, chance in shown))
        more = f"<tr><td>others</td><td>{rest:.4%}</td><td></td></tr>" if len(shown) < len(self._listed) else ""
        return f"<table><tr><th>value</th><th>chance</th><th></th></tr>{rows}{more}</table>"

    def plot(self, ax: Any = None) -> Any:
        """A bar chart on matplotlib axes (made where none are given), which are returned. Needs matplotlib; raises
        `RulesError` where it is not installed.

        Numbers stand on the horizontal axis to scale, other values one below the other.
        """
        if ax is None:
            try:
                from matplotlib import pyplot
            except ImportError:
                message, hint = "a chart needs the package matplotlib", "pip install 'rulesrun[notebook]'"
                raise RulesError.of(message, code="no-matplotlib", hint=hint) from None
            _, ax = pyplot.subplots(layout="constrained")
        chances = [float(chance) for _, chance in self._listed]
        if self._listed and all(_is_number(value) for value, _ in self._listed):
            places = [float(value) for value, _ in self._listed]
            apart = min((after - before for before, after in pairwise(places)), default=1.0)
            ax.bar(places, chances, width=0.8 * apart)
            ax.xaxis.get_major_locator().set_params(integer=all(place.is_integer() for place in places))
            ax.set_ylabel("chance")
        else:
            ax.barh([value_text(value) for value, _ in self._listed], chances)
            ax.invert_yaxis()
            ax.set_xlabel("chance")
        return ax


def no_mean(others: Iterable[object]) -> RulesError:
    """The error for a mean of what may be something else than a number."""
    said = ", ".join(map(value_text, others))
    return RulesError.of(
        f"only numbers have a mean, and this may be {said or 'nothing at all'}",
        code="no-mean",
        hint="ask for a chance, or exclude the others with `given`",
    )


def _is_number(value: object) -> bool:
    return isinstance(value, int | Fraction) and not isinstance(value, bool | Approximate)
