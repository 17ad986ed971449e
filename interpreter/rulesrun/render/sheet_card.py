"""The sheet as part of the card: what a character is, what follows from it, and what may happen to it.

In: a plan with a sheet. Out: text of at most `WIDTH` columns, in the words of the ruleset.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulesrun.render.layout import PLAIN, Paint, grid, wrap
from rulesrun.render.values import domain_text
from rulesrun.semantics.plan import Expression, RulesetPlan
from rulesrun.semantics.plan_sheet import (
    Action,
    Advance,
    Budget,
    Entries,
    Group,
    Limit,
    Part,
    Refusal,
    Sheet,
    Status,
    Team,
    Trait,
    Update,
    Value,
)

Row = tuple[str, ...]


def sheet_card(plan: RulesetPlan, sheet: Sheet, paint: Paint = PLAIN) -> str:
    """All of a sheet."""
    first = paint.strong("sheet")
    lines = wrap(sheet.text, first=f"{first} - ", rest="  ") if sheet.text else [first]
    members = {name for group in sheet.of(Group) for name in group.members}
    lines += _section("traits", [_trait(plan, each, paint) for each in sheet.of(Trait) if each.name not in members])
    for group in sheet.of(Group):
        traits = [each for each in sheet.of(Trait) if each.name in group.members]
        lines += wrap(_told(group), first=f"  {paint.name(group.name)}  ", rest="    ")
        lines += grid([_trait(plan, each, paint, group.name) for each in traits], indent=4)
    for entries in sheet.of(Entries):
        lines += _entries(plan, entries, paint)
    lines += _section("values", [_value(each, paint) for each in sheet.of(Value)])
    lines += _section(
        "statuses",
        [(paint.name(each.name), f"if {_written(each.condition)}", _told(each)) for each in sheet.of(Status)],
    )
    for budget in sheet.of(Budget):
        lines += _budget(budget, paint)
    lines += _section("advances", [_advance(each, paint) for each in sheet.of(Advance)])
    lines += _section("limits", [(each.text, _written(each.condition)) for each in sheet.of(Limit)])
    for action in sheet.of(Action):
        lines += _action(plan, action, paint, action is sheet.of(Action)[0])
    for team in sheet.of(Team):
        lines += _team(plan, team, paint)
    return "\n".join(lines)


def _written(expression: Expression) -> str:
    """An expression as the ruleset writes it, cases one behind the other."""
    return ", ".join(" ".join(row.split()) for row in expression.span.text.split("\n") if row.strip())


def _told(part: Part) -> str:
    """What is said of a part, and whether it is private."""
    return "; ".join(filter(None, ["private" if part.private else "", part.text]))


def _section(heading: str, rows: Sequence[Row]) -> list[str]:
    return [f"  {heading}", *grid(rows, indent=4)] if rows else []


def _default(default: Expression | None) -> str:
    return "required" if default is None else f"= {_written(default)}"


def _trait(plan: RulesetPlan, each: Trait, paint: Paint, group: str = "") -> Row:
    name = each.name.removeprefix(f"{group}.") if group else each.name
    return paint.name(name), domain_text(each.domain, plan.levels), _default(each.default), _told(each)


def _value(each: Value, paint: Paint) -> Row:
    return paint.name(each.name), f"= {_written(each.value)}", _told(each)


def _entries(plan: RulesetPlan, entries: Entries, paint: Paint) -> list[str]:
    number = "" if entries.domain is None else f"any names, each with {domain_text(entries.domain, plan.levels)}"
    word = f" ({entries.word})" if number and entries.word != "it" else ""
    told = "; ".join(filter(None, [f"{number}{word}" if number else "any names", _told(entries)]))
    lines = wrap(told, first=f"  {paint.name(entries.name)}  ", rest="    ")
    lines += grid([_trait(plan, each, paint) for each in entries.traits], indent=4)
    lines += grid([_value(each, paint) for each in entries.values], indent=4)
    return lines + grid([(f"limit: {each.text}", _written(each.condition)) for each in entries.limits], indent=4)


def _budget(budget: Budget, paint: Paint) -> list[str]:
    told = "; ".join(filter(None, [_written(budget.amount), _told(budget)]))
    lines = wrap(told, first=f"  budget {paint.name(budget.name)}  = ", rest="    ")
    rows = [
        (paint.name(each.name.removeprefix(f"{budget.name}.")), f"= {_written(each.cost)}", _told(each))
        for each in budget.lines
    ]
    return lines + grid(rows, indent=4)


def _advance(each: Advance, paint: Paint) -> Row:
    name = f"new {each.name}" if each.new else each.name
    condition = "" if each.condition is None else f"if {_written(each.condition)}, "
    updates = "".join(f"; {_update(update)}" for update in each.updates)
    return paint.name(name), f"{condition}costs {_written(each.price)} from {each.source}{updates}", _told(each)


def _action(plan: RulesetPlan, action: Action, paint: Paint, is_first: bool) -> list[str]:
    given = ", ".join(
        f"{each.name}: {domain_text(each.domain, plan.levels)}"
        + ("" if each.default is None else f" = {_written(each.default)}")
        for each in action.parameters
    )
    head = f"{paint.name(action.name)}({given})" if given else paint.name(action.name)
    told = [f'"{action.text}"' if action.text else "", *map(_refusal, action.refusals)]
    rest = [_update(each) for each in action.updates]
    lines = wrap(" ".join([f"{head}:", *filter(None, told), "; ".join(rest)]), first="    ", rest="      ")
    return [*(["  actions"] if is_first else []), *lines]


def _refusal(each: Refusal) -> str:
    return f"unless {_written(each.condition)}" + (f' "{each.text}"' if each.text else "")


def _update(each: Update) -> str:
    """A change as it is written: its place ends with its last refusal."""
    return " ".join(each.span.text.split())


def _team(plan: RulesetPlan, team: Team, paint: Paint) -> list[str]:
    lines = wrap(_told(team), first=f"  team {paint.name(team.name)}  ", rest="    ")
    inputs = [
        (paint.name(each.name), domain_text(each.domain, plan.levels), _default(each.default), each.text)
        for each in team.inputs
    ]
    values = [(paint.name(each.name), f"= {_written(each.value)}", _told(each)) for each in team.values]
    return [*lines, *grid(inputs, indent=4), *grid(values, indent=4)]
