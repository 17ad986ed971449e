"""Rules as a card for the table: inputs with their domains, dice, choices, outcomes with their texts, tables.

In: a plan. Out: text of at most `WIDTH` columns.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rulesrun.evaluation.operations import row_value
from rulesrun.evaluation.values import value_text
from rulesrun.render.layout import PLAIN, Paint, grid, wrap
from rulesrun.render.values import domain_text, written
from rulesrun.semantics.plan import (
    Draw,
    Input,
    Invoke,
    Number,
    Outcome,
    Rule,
    RulesetPlan,
    Table,
    TableRow,
    TwoWayTable,
)

MARKS = {True: "+", False: "-", None: "~"}
"""How a ruleset marks good, bad and neutral outcomes."""


def title(plan: RulesetPlan, paint: Paint = PLAIN) -> str:
    """The system's name, and what it says about itself."""
    about = f" - {plan.about}" if plan.about else ""
    return paint.strong(plan.name) + about


def ruleset_card(plan: RulesetPlan, paint: Paint = PLAIN) -> str:
    """All of a ruleset: settings, rules, tables."""
    head = [title(plan, paint), *(f"{word} {text}" for word, text in _origin(plan) if text)]
    parts = ["\n".join(head)]
    if plan.settings:
        parts.append("\n".join([paint.strong("settings"), *_settings(plan, paint)]))
    parts += [rule_card(plan, rule, paint) for rule in plan.rules.values()]
    if plan.sheet is not None:
        from rulesrun.render.sheet_card import sheet_card

        parts.append(sheet_card(plan, plan.sheet, paint))
    columns = {name for table in plan.two_way.values() for _, name in table.columns}
    parts += [table_card(table, paint) for name, table in plan.tables.items() if name not in columns]
    parts += [two_way_card(plan, table, paint) for table in plan.two_way.values()]
    return "\n\n".join(parts)


def rule_card(plan: RulesetPlan, rule: Rule, paint: Paint = PLAIN) -> str:
    """One rule."""
    lines = (
        wrap(rule.text, first=f"{paint.strong(rule.name)} - ", rest="  ") if rule.text else [paint.strong(rule.name)]
    )
    lines += _section("inputs", [_input(each, plan, paint) for each in rule.inputs])
    said = {step.name: step.text for step in rule.steps if isinstance(step, Draw | Invoke) and step.text}
    lines += _words("dice", (name for name in rule.dice if name not in said))
    lines += _section("rolls", [(paint.name(name), text) for name, text in said.items()])
    lines += _section("choices", [(paint.name(each.name), each.text) for each in rule.choices])
    lines += _words("values", (each.name for each in rule.values))
    lines += _section("flags", [(paint.name(each.name), each.text) for each in rule.flags])
    conditions = _conditions(rule)
    outcomes = [
        (
            paint.name(f"{MARKS[each.good]} {each.label}"),
            " ".join(filter(None, [conditions.get(each.label), each.text and f'"{each.text}"'])),
        )
        for each in rule.outcomes
    ]
    return "\n".join([*lines, *_section("outcomes", outcomes)])


def table_card(table: Table, paint: Paint = PLAIN) -> str:
    """One table, a line a row."""
    rolled = f", {table.die.name}" if table.die is not None and hasattr(table.die, "name") else ""
    first = f"table {paint.strong(table.name)}{rolled}"
    head = wrap(table.text, first=f"{first} - ", rest="  ") if table.text else [first]
    rows = [
        (_band(row), paint.name(row.label or ""), "" if row.value is None else value_text(row.value), row.text or "")
        for row in table.rows
    ]
    return "\n".join([*head, *grid(rows)])


def two_way_card(plan: RulesetPlan, table: TwoWayTable, paint: Paint = PLAIN) -> str:
    """A table of rows and columns."""
    first = f"table {paint.strong(table.name)} by {table.by}"
    head = wrap(table.text, first=f"{first} - ", rest="  ") if table.text else [first]
    columns = [plan.tables[name] for _, name in table.columns]
    keys = [key if isinstance(key, str) else band_text(*key) for key, _ in table.columns]
    rows = [("", *(paint.name(key) for key in keys))]
    for place, row in enumerate(columns[0].rows):
        rows.append((_band(row), *(value_text(row_value(column.rows[place], None)) for column in columns)))
    return "\n".join([*head, *grid(rows)])


def _origin(plan: RulesetPlan) -> list[tuple[str, str]]:
    return [("version", plan.version), ("source", plan.source)]


def _settings(plan: RulesetPlan, paint: Paint) -> list[str]:
    rows = [
        (paint.name(each.name), f"= {each.written}", domain_text(each.domain, plan.levels), each.text)
        for each in plan.settings.values()
    ]
    return grid(rows)


def _input(each: Input, plan: RulesetPlan, paint: Paint) -> tuple[str, str, str, str]:
    default = "required" if each.default is None else f"= {written(each.default)}"
    return paint.name(each.name), domain_text(each.domain, plan.levels), default, each.text


def _section(heading: str, rows: Sequence[tuple[str, ...]]) -> list[str]:
    return [f"  {heading}", *grid(rows, indent=4)] if rows else []


def _words(heading: str, names: Iterable[str]) -> list[str]:
    listed = ", ".join(names)
    return wrap(listed, first=f"  {heading}  ") if listed else []


def _band(row: TableRow) -> str:
    if row.key is not None:
        return row.key
    return band_text(row.low, row.high)


def band_text(low: Number | None, high: Number | None) -> str:
    """A band of numbers as a table has it."""
    if low == high and low is not None:
        return value_text(low)
    return f"{'' if low is None else value_text(low)}..{'' if high is None else value_text(high)}"


def _conditions(rule: Rule) -> dict[str, str]:
    """The condition of each outcome of a rule, as written."""
    outcome = next((step for step in rule.steps if isinstance(step, Outcome) and step.name == "outcome"), None)
    if outcome is None:
        return {}
    return {
        case.label: "otherwise" if case.condition is None else f"if {written(case.condition)}" for case in outcome.cases
    }
