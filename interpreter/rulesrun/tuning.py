"""Which settings and inputs come nearest to what a designer wants of the odds.

In: a rule, goals in the language, settings and inputs with the values that may be tried, and the inputs at which the
goals shall hold. Out: every combination with what it gives, the best first; all numbers exact.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any

from rulesrun.diagnostics import RulesError, Source
from rulesrun.engine import Rule
from rulesrun.evaluation.inputs import full_name
from rulesrun.evaluation.odds import Odds
from rulesrun.record import record
from rulesrun.semantics.goals import Goal, compile_goal
from rulesrun.semantics.plan import Constant, IsLabel, Var
from rulesrun.syntax.nodes import Expect
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


def tune(
    rule: Rule,
    goals: Sequence[str],
    *,
    settings: Mapping[str, Sequence[str]],
    vary: Values,
    inputs: Values,
    progress: Callable[[int], Callable[[int], None]] | None = None,
    **asked: Any,
) -> Tuned:
    """Every combination of the values for `settings` and for the inputs in `vary`, nearest to the goals first.

    `inputs` are the others: where one has several values, the goals shall hold at each of them. The distance of a
    combination is that of its worst goal at its worst inputs (`Goal.missed_by`), then the sum of all. `asked` are the
    options of `Rule.odds`; `progress` is told how many steps there are, and then how many are done.
    """
    trees = [parse_goal(Source.of_text("goal", each)) for each in goals]
    names = {each.name: each for each in rule.inputs}
    several = {full_name(rule.plan, name, names, "input"): value for name, value in vary.items()}
    given = {full_name(rule.plan, name, names, "input"): value for name, value in inputs.items()}
    if twice := next((name for name in several if name in given), None):
        raise RulesError.of(f"{twice} is varied and given", code="given-twice", hint="leave one of them out")
    steps = prod(map(len, settings.values()))
    show = progress(steps) if progress else None
    rows: list[Candidate] = []
    fixed: dict[str, Constant] = {}
    for done, combination in enumerate(_combinations(settings), 1):
        other = rule.ruleset.with_settings(**combination)[rule.name] if combination else rule
        wanted = [compile_goal(other.ruleset.plan, other.plan, tree) for tree in trees]
        table = other.odds_table(inputs={**several, **given}, **asked)
        most = rule.ruleset.plan.limits.rows
        if steps * len(table) > most:
            raise RulesError.of(f"{steps * len(table):,} combinations; the limit is {most:,}", code="limit")
        at = [name for name in table.swept if name in given]
        rows += _candidates(combination, several, at, wanted, table.rows)
        fixed = {name: value for name, value in table.rows[0].inputs.items() if name not in (*several, *at)}
        if show:
            show(done)
    rows.sort(key=lambda row: (row.off, sum(each.goal.missed_by(each.value) for each in row.found)))
    return Tuned(rule, tuple(_goals(rule, trees)), fixed, tuple(rows))


def _goals(rule: Rule, trees: Sequence[Expect]) -> Iterator[Goal]:
    return (compile_goal(rule.ruleset.plan, rule.plan, tree) for tree in trees)


def _combinations(settings: Mapping[str, Sequence[str]]) -> Iterator[dict[str, str]]:
    return (dict(zip(settings, each, strict=True)) for each in product(*settings.values()))


def _candidates(
    settings: dict[str, str], vary: Values, at: Sequence[str], goals: Sequence[Goal], rows: Sequence[Odds]
) -> Iterator[Candidate]:
    """The rows of one ruleset, those with the same varied inputs together."""
    together: dict[tuple[Constant, ...], list[Odds]] = {}
    for row in rows:
        together.setdefault(tuple(row.inputs[name] for name in vary), []).append(row)
    for values, cases in together.items():
        found = tuple(
            Found(goal, {name: case.inputs[name] for name in at}, _measured(goal, case))
            for case in cases
            for goal in goals
        )
        off = max(each.goal.missed_by(each.value) for each in found)
        yield Candidate(settings, dict(zip(vary, values, strict=True)), found, off)


def _measured(goal: Goal, odds: Odds) -> Fraction:
    """The chance or mean; that of outcomes is known already."""
    match goal.asked:
        case IsLabel(value=Var(name="outcome"), labels=labels):
            return sum((odds.outcomes.get(label, Fraction(0)) for label in labels), Fraction(0))
    if goal.measure == "mean":
        return odds.distribution(goal.asked).mean
    return odds.chance_of(goal.asked)
