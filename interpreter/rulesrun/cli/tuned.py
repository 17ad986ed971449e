"""What was tried to come near to goals, for programs: JSON, CSV, and the rows of a file.

In: candidates. Out: a line for each: what is varied, how far off it is, and what the goals come to there.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from json import dumps
from typing import Any

from rulesrun.evaluation.roll import json_value
from rulesrun.evaluation.values import exact_text, nearest_float, value_text
from rulesrun.record import record
from rulesrun.render.rows import ExactColumns, csv_text
from rulesrun.semantics.goals import Goal
from rulesrun.semantics.plan import Constant
from rulesrun.tuning import Candidate, Tuned, Tuning


@record
class TuneColumns(ExactColumns):
    """`asked`: a heading for each goal at each of the inputs at which it shall hold. `settings`: those that are varied,
    by the heading above them.
    """

    asked: tuple[str, ...]
    settings: dict[str, str]

    @property
    def found(self) -> tuple[str, ...]:
        """The headings of what is computed."""
        return ("off", *self.asked)

    def csv_line(self, row: Candidate) -> str:
        """A candidate as a line of CSV."""
        varied: dict[str, Any] = {key: row.settings[name] for key, name in self.settings.items()}
        return csv_text([self.cells_of(varied | row.inputs, [row.off, *(each.value for each in row.found)])])


def tune_columns(tuning: Tuning) -> TuneColumns:
    """The columns of a tuning."""
    asked = tuple(column(goal, inputs) for inputs in tuning.held_at for goal in tuning.goals)
    return TuneColumns(tuning.combinations.swept, asked, dict(tuning.keys))


def column(goal: Goal, inputs: Mapping[str, Constant]) -> str:
    """What was asked, and at which inputs."""
    at = ", ".join(f"{name}={value_text(value)}" for name, value in inputs.items())
    return f"{goal.measure} of {' '.join(goal.asked.span.text.split())}" + (f" at {at}" if at else "")


def tuned_csv(tuning: Tuning, tuned: Tuned) -> str:
    """A line for each combination, as decimals and exactly, the nearest first."""
    columns = tune_columns(tuning)
    return columns.csv_head() + "".join(map(columns.csv_line, tuned.rows))


def tuned_json(tuned: Tuned) -> dict[str, Any]:
    """Every combination with all that was found; `off` is the distance of the worst goal."""
    return {
        "system": tuned.rule.ruleset.name,
        "rule": tuned.rule.name,
        "inputs": {name: json_value(value) for name, value in tuned.fixed.items()},
        "settings": dict(tuned.rule.ruleset.settings),
        "goals": [
            {"goal": each.text, "measure": each.measure, "wanted": _exact(each.wanted, "value")} for each in tuned.goals
        ],
        "rows": [_candidate_json(row) for row in tuned.rows],
    }


def tried_json_line(
    system: str, rule: str, fixed: Mapping[str, Constant], settings: Mapping[str, str], row: Candidate
) -> str:
    """A candidate as a line of JSON: `fixed` are the inputs that stay, `settings` those before any is varied."""
    found = _candidate_json(row)
    whole = {
        "system": system,
        "rule": rule,
        **found,
        "settings": {**settings, **row.settings},
        "inputs": {name: json_value(value) for name, value in fixed.items()} | found["inputs"],
    }
    return dumps(whole, ensure_ascii=False) + "\n"


def _candidate_json(row: Candidate) -> dict[str, Any]:
    return {
        "settings": row.settings,
        "inputs": {name: json_value(value) for name, value in row.inputs.items()},
        "off": _exact(row.off, "value"),
        "found": [
            {
                "goal": each.goal.text,
                "inputs": {name: json_value(value) for name, value in each.inputs.items()},
                **_exact(each.value, "chance" if each.goal.measure == "chance" else "value"),
            }
            for each in row.found
        ],
    }


def _exact(number: Fraction, name: str) -> dict[str, Any]:
    return {"exact": exact_text(number), name: nearest_float(number)}
