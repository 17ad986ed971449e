"""A table of joint answers sorted by the values of forms: situations which ask it in turn look up their rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from rulesrun.evaluation.exact.celled import value_of
from rulesrun.evaluation.exact.symbols import Linear, Ranges
from rulesrun.evaluation.exact.tabled import Answers

Rows: TypeAlias = Mapping[tuple[int, ...], int]
"""The weight of each combination of values."""


@dataclass(frozen=True, slots=True)
class Index:
    """The rows of a table by the values of those forms that situations know for certain."""

    table: Answers
    rows: Mapping[tuple[int, ...], Rows]

    @staticmethod
    def of(
        table: Answers, questions: Sequence[Any], forms: Sequence[Linear], shown: Sequence[Any], certain: Sequence[int]
    ) -> Index:
        """Of the rows in which the marks of `shown` show: by the values of the `certain` ones of all forms."""
        places = [table.places[question] for question in questions]
        marked = [table.places[marks] for marks in shown]
        rows: dict[tuple[int, ...], dict[tuple[int, ...], int]] = {}
        for answers, weight in table.weights.items():
            if all(answers[place] for place in marked):
                here = {question: answers[place] for question, place in zip(questions, places, strict=True)}
                values = tuple([value_of(each, here) for each in forms])
                found = rows.setdefault(tuple([values[at] for at in certain]), {})
                found[values] = found.get(values, 0) + weight
        return Index(table, rows)

    def weights(self, certain: Sequence[int], held: Sequence[Ranges | None], place: int | None) -> dict[int, int]:
        """The weight of each value of the form at `place` (None: of 0), where the forms lie in the ranges that hold
        them and the certain ones have these values.
        """
        result: dict[int, int] = {}
        bounds = [(at, ranges.ranges) for at, ranges in enumerate(held) if ranges is not None]
        for values, weight in self.rows.get(tuple(certain), {}).items():
            if all(_lies(values[at], ranges) for at, ranges in bounds):
                value = 0 if place is None else values[place]
                result[value] = result.get(value, 0) + weight
        return result


def _lies(value: int, ranges: Sequence[tuple[int | None, int | None]]) -> bool:
    return any((low is None or low <= value) and (high is None or value <= high) for low, high in ranges)
