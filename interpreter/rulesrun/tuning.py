"""Which settings and inputs come nearest to what a designer wants of the odds.

In: a rule, goals in the language, settings and inputs with the values that may be tried, and the inputs at which the
goals shall hold. Out: every combination with what it gives, the best first; all numbers exact, and the same for any
number of processes that share the work.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import chain, groupby, islice, tee
from typing import Any

from rulesrun.diagnostics import RulesError, Source
from rulesrun.engine import Rule
from rulesrun.evaluation.inputs import full_name
from rulesrun.evaluation.odds import Odds
from rulesrun.record import record
from rulesrun.semantics.goals import Goal, compile_goal
from rulesrun.semantics.plan import Constant, IsLabel, Var
from rulesrun.sweep import Grid, grid_of
from rulesrun.sweep.job import MOST_TOGETHER, Exact, Job
from rulesrun.sweep.ordered import ordered_chunks
from rulesrun.syntax.parser import parse_goal

Values = Mapping[str, Any]


@record
class Found:
    """What a goal's chance or mean is at one combination of the inputs at which it shall hold."""

    goal: Goal
    inputs: dict[str, Constant]
    value: Fraction


@record
class Candidate:
    """One combination of what is varied; `found` is what it gives, `off` how far the worst of that is from its goal."""

    settings: dict[str, str]
    inputs: dict[str, Constant]
    found: tuple[Found, ...]
    off: Fraction


@record
class Tuned:
    """Every candidate, the best first. `fixed` are the inputs that stay, `goals` what is wanted."""

    rule: Rule
    goals: tuple[Goal, ...]
    fixed: dict[str, Constant]
    rows: tuple[Candidate, ...]


@record
class Tried:
    """What the goals come to at one cell; `inputs` are those that are varied."""

    inputs: dict[str, Constant]
    found: tuple[Found, ...]


class Tries:
    """What is asked of each cell of a tuning: the odds of the rule with the cell's settings, measured by the goals.

    `settings`: the names of cells that stand for settings, and those settings. `vary` and `at`: the inputs that are
    varied, and those at which goals shall hold. `asked`: the options of `Rule.asks`.
    """

    def __init__(
        self,
        rule: Rule,
        goals: tuple[str, ...],
        settings: Mapping[str, str],
        vary: tuple[str, ...],
        at: tuple[str, ...],
        asked: Values,
    ) -> None:
        self._told = rule, goals, settings, vary, at, asked
        self._ready: tuple[dict[str, str], Exact, tuple[Goal, ...]] | None = None

    def __reduce__(self) -> tuple[Callable[..., Tries], tuple[object, ...]]:
        return Tries, self._told

    def rows(self, cells: Iterable[Mapping[str, object]]) -> Iterator[Tried]:
        """What the goals come to at each cell; cells with the same settings share the work that they have in common."""
        _, _, _, vary, at, _ = self._told
        for settings, group in groupby(cells, self.settings):
            asks, goals = self._with(settings)
            for odds in asks.rows(map(self._inputs, group)):
                inputs = {name: odds.inputs[name] for name in at}
                found = tuple(Found(goal, inputs, _measured(goal, odds)) for goal in goals)
                yield Tried({name: odds.inputs[name] for name in vary}, found)

    def inputs(self, cell: Mapping[str, object]) -> dict[str, Constant]:
        """A value for every input; raises `RulesError` if the settings or inputs of the cell do not fit."""
        return self._with(self.settings(cell))[0].inputs(self._inputs(cell))

    def settings(self, cell: Mapping[str, object]) -> dict[str, str]:
        """The settings of a cell, as written."""
        return {setting: str(cell[name]) for name, setting in self._told[2].items()}

    def _inputs(self, cell: Mapping[str, object]) -> dict[str, object]:
        return {name: value for name, value in cell.items() if name not in self._told[2]}

    def _with(self, settings: dict[str, str]) -> tuple[Exact, tuple[Goal, ...]]:
        """The rule with these settings, ready to be asked, and the goals in its words; kept until others are wanted."""
        if self._ready is None or self._ready[0] != settings:
            rule, goals, _, _, _, asked = self._told
            other = rule.ruleset.with_settings(**settings)[rule.name] if settings else rule
            self._ready = settings, other.asks(**asked), compiled_goals(other, goals)
        return self._ready[1:]


@record
class Combined:
    """Combinations asked whole: each of the cells is tried at all of the inputs at which the goals shall hold."""

    tries: Tries
    at: Grid

    @property
    def together(self) -> int:
        """How many rows a chunk of these should have at most."""
        return max(1, MOST_TOGETHER // self.at.size)

    def rows(self, cells: Iterable[Mapping[str, object]]) -> Iterator[Candidate]:
        """What the goals come to at each combination."""
        mine, names = tee(cells)
        tried = self.tries.rows({**cell, **held} for cell in mine for held in self._held())
        for cell in names:
            yield candidate(self.tries.settings(cell), list(islice(tried, self.at.size)))

    def inputs(self, cell: Mapping[str, object]) -> dict[str, Constant]:
        """A value for every input; raises `RulesError` if the settings or inputs of the cell do not fit."""
        first, *_ = [self.tries.inputs({**cell, **held}) for held in self.at.edges()]
        return first

    def _held(self) -> Iterator[Mapping[str, object]]:
        return self.at.cells(0, self.at.size)


@record
class Tuning:
    """A tuning before its work is done: `job` is the work, `tuned` makes the result of its rows, also of the first few.

    `keys` are the settings that are varied by their names in the grid, `vary` the inputs that are, `at` those at which
    the goals shall hold.
    """

    rule: Rule
    goals: tuple[Goal, ...]
    tries: Tries
    grid: Grid
    keys: dict[str, str]
    vary: tuple[str, ...]
    at: tuple[str, ...]

    @property
    def job(self) -> Job:
        """The work; raises `RulesError` for more combinations than the limits allow to keep."""
        most = self.rule.ruleset.plan.limits.rows
        if self.grid.size > most:
            raise RulesError.of(
                f"{self.grid.size:,} combinations; the limit is {most:,}",
                code="limit",
                hint="rows that are not kept have no limit: `--out FILE.csv`; or `--limit rows=N`",
            )
        return Job(self.tries, self.grid, _same)

    @property
    def combinations(self) -> Grid:
        """What is varied."""
        values = {name: each for name, each in self.grid.values.items() if name not in self.at}
        return Grid(values, tuple(name for name in self.grid.swept if name not in self.at))

    @property
    def combined(self) -> Combined:
        """What is asked of each combination."""
        return Combined(self.tries, Grid({name: self.grid.values[name] for name in self.at}, self.at))

    @property
    def held_at(self) -> list[dict[str, Constant]]:
        """The inputs at which the goals shall hold, in order."""
        first = next(self.combinations.cells(0, 1))
        held = self.combined.at
        complete = (self.tries.inputs({**first, **cell}) for cell in held.cells(0, held.size))
        return [{name: inputs[name] for name in self.at} for inputs in complete]

    @property
    def fixed(self) -> dict[str, Constant]:
        """The inputs that stay."""
        first = self.tries.inputs(next(self.grid.cells(0, 1)))
        return {name: value for name, value in first.items() if name not in (*self.vary, *self.at)}

    def tuned(self, rows: Sequence[Tried]) -> Tuned:
        """The combinations whose rows are all there, nearest to the goals first."""
        each = self.combined.at.size
        whole = len(rows) // each * each
        found = [self._candidate(place, rows[place : place + each]) for place in range(0, whole, each)]
        found.sort(key=lambda row: (row.off, sum(each.goal.missed_by(each.value) for each in row.found)))
        return Tuned(self.rule, self.goals, self.fixed, tuple(found))

    def _candidate(self, place: int, rows: Sequence[Tried]) -> Candidate:
        return candidate(self.tries.settings(next(self.grid.cells(place, place + 1))), rows)


def candidate(settings: dict[str, str], rows: Sequence[Tried]) -> Candidate:
    """The combination that was tried in these rows."""
    found = tuple(chain.from_iterable(row.found for row in rows))
    return Candidate(settings, rows[0].inputs, found, max(each.goal.missed_by(each.value) for each in found))


def tuning(
    rule: Rule,
    goals: Sequence[str],
    *,
    settings: Mapping[str, Sequence[str]],
    vary: Values,
    inputs: Values,
    **asked: Any,
) -> Tuning:
    """Every combination of the values for `settings` and for the inputs in `vary`.

    `inputs` are the others: where one has several values, the goals shall hold at each of them. The distance of a
    combination is that of its worst goal at its worst inputs (`Goal.missed_by`), then the sum of all. `asked` are the
    options of `Rule.odds`. Raises `RulesError` for what does not fit.
    """
    names = {each.name: each for each in rule.inputs}
    several = {full_name(rule.plan, name, names, "input"): value for name, value in vary.items()}
    given = {full_name(rule.plan, name, names, "input"): value for name, value in inputs.items()}
    if twice := next((name for name in several if name in given), None):
        raise RulesError.of(f"{twice} is varied and given", code="given-twice", hint="leave one of them out")
    compiled = compiled_goals(rule, goals)
    cells = grid_of(rule.plan, {**several, **given})
    keys = {f"setting {name}" if name in cells.values else name: name for name in settings}
    grid = Grid({key: list(settings[name]) for key, name in keys.items()} | cells.values, (*keys, *cells.swept))
    at = tuple(name for name in cells.swept if name in given)
    tries = Tries(rule, tuple(goals), keys, tuple(several), at, asked)
    return Tuning(rule, compiled, tries, grid, keys, tuple(several), at)


def tune(rule: Rule, goals: Sequence[str], *, workers: int | None = 1, **what: Any) -> Tuned:
    """A tuning (`what` is as for `tuning`), done by so many processes; None: as many as there are cores, if it pays."""
    asked = tuning(rule, goals, **what)
    job = asked.job
    job.check()
    rows: list[Tried] = []
    for chunk in ordered_chunks(job, 0, workers):
        rows += chunk.rows
        if chunk.error:
            raise chunk.error
    return asked.tuned(rows)


def compiled_goals(rule: Rule, goals: Sequence[str]) -> tuple[Goal, ...]:
    """The goals in the words of a rule; raises `RulesError` if one makes no sense there."""
    trees = [parse_goal(Source.of_text("goal", each)) for each in goals]
    return tuple(compile_goal(rule.ruleset.plan, rule.plan, tree) for tree in trees)


def _same(row: Tried) -> Tried:
    return row


def _measured(goal: Goal, odds: Odds) -> Fraction:
    """The chance or mean; that of outcomes is known already."""
    match goal.asked:
        case IsLabel(value=Var(name="outcome"), labels=labels):
            return sum((odds.outcomes.get(label, Fraction(0)) for label in labels), Fraction(0))
    if goal.measure == "mean":
        return odds.distribution(goal.asked).mean
    return odds.chance_of(goal.asked)
