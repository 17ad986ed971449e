"""Two rules side by side as rows: the inputs that vary, then each chance, or mean, before, after, and its change.

In: pairs of `Odds`. Out: a line of CSV or JSON. `PairColumns` says what stands in a line; it is the same for all rows
of a sweep, and travels with the work to other processes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from json import dumps

from rulesrun.evaluation.odds import Odds, RuleOdds
from rulesrun.record import record
from rulesrun.render.odds import mean_of
from rulesrun.render.odds_json import chance_json, odds_json
from rulesrun.render.rows import ExactColumns, csv_text

Pair = tuple[Odds, Odds]

SIDES = ("before", "after", "change")


@record
class PairColumns(ExactColumns):
    """`chances`: the outcomes and flags of either rule; without any, `means` of numbers that both have."""

    chances: tuple[str, ...]
    means: tuple[str, ...]

    @property
    def found(self) -> tuple[str, ...]:
        """The headings of what is computed."""
        return tuple(
            f"{name} {side}" for name in (*self.chances, *(f"mean {each}" for each in self.means)) for side in SIDES
        )

    def csv_line(self, pair: Pair) -> str:
        """A row as a line of CSV."""
        found: list[Fraction | None] = []
        for name in self.chances:
            found += _apart([_chance(odds, name) for odds in pair])
        for name in self.means:
            found += _apart([mean_of(odds.of(name)) for odds in pair])
        return csv_text([self.cells_of(pair[0].inputs, found)])


def _apart(sides: Sequence[Fraction | None]) -> list[Fraction | None]:
    before, after = sides
    return [before, after, None if before is None or after is None else after - before]


def _chance(odds: Odds, name: str) -> Fraction:
    """The chance of an outcome or a flag; 0 where the rule has none of that name."""
    return odds[name] if name in odds.outcomes or name in odds.flags else Fraction(0)


def pair_columns(one: RuleOdds, other: RuleOdds, swept: Iterable[str]) -> PairColumns:
    """The columns of a comparison."""
    rules = one.rule, other.rule
    chances = dict.fromkeys(each.label for rule in rules for each in rule.outcomes)
    chances |= dict.fromkeys(each.name for rule in rules for each in rule.flags)
    means = [] if chances else [name for name in one.numbers if name in other.numbers]
    return PairColumns(tuple(swept), tuple(chances), tuple(means))


def pair_json(pair: Pair) -> dict[str, object]:
    """Both odds of one case, and the change of each chance."""
    chances = [{**odds.outcomes, **odds.flags} for odds in pair]
    shared = [name for name in chances[0] if name in chances[1]]
    return {
        "before": odds_json(pair[0], pair[0].numbers),
        "after": odds_json(pair[1], pair[1].numbers),
        "change": {name: chance_json(chances[1][name] - chances[0][name]) for name in shared},
    }


def pair_json_line(pair: Pair) -> str:
    """Both odds of one case as a line of JSON."""
    return dumps(pair_json(pair), ensure_ascii=False) + "\n"
