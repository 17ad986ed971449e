"""A character as its player reads it between rolls: traits, lists, what follows from them, points, limits, advances.

In: a character. Out: text of at most `WIDTH` columns. What is private is left out unless it is to be revealed, and a
line says so.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulesrun.evaluation.values import value_text
from rulesrun.render.layout import PLAIN, Paint, grid, wrap
from rulesrun.semantics.plan_sheet import Budget, Entries, Group, Part, Sheet, Status, Trait
from rulesrun.semantics.plan_sheet import Value as SheetValue
from rulesrun.sheets.character import Character
from rulesrun.sheets.figures import Broken, BudgetFigures, EntryFigures, StepFigures

HIDDEN = "private things are left out; --reveal shows them"


def sheet_text(character: Character, reveal: bool, paint: Paint = PLAIN) -> str:
    """The whole sheet."""
    sheet, shown = character.sheet, _Shown(reveal)
    parts = [
        [_title(character, paint)],
        _traits(character, shown, paint),
        *(_group(character, each, shown, paint) for each in sheet.of(Group)),
        *(_list(character, each, shown, paint) for each in sheet.of(Entries)),
        _values(character, shown, paint),
        _statuses(character, shown, paint),
        *(_budget(each, paint) for each in character.figures.budgets if shown.all_of(each.part)),
        _broken(character, shown, paint),
        _advances(character, shown, paint),
        [paint.faint(HIDDEN)] if not reveal and has_private(sheet) else [],
    ]
    return "\n\n".join("\n".join(part) for part in parts if part)


def has_private(sheet: Sheet) -> bool:
    """Whether a sheet has anything private."""
    inside = (inner for each in sheet.of(Entries) for inner in (*each.traits, *each.values))
    return any(each.private for each in (*sheet.parts, *inside))


class _Shown:
    """What may be seen."""

    def __init__(self, reveal: bool) -> None:
        self.reveal = reveal

    def all_of(self, part: Part) -> bool:
        """Whether a part may be shown."""
        return self.reveal or not part.private


def _title(character: Character, paint: Paint) -> str:
    named = character.traits.get("name")
    who = named if isinstance(named, str) and named else character.file
    first = paint.strong(f"{character.plan.name}: {who}")
    return "\n".join(wrap(character.sheet.text, first=f"{first} - ", rest="  ")) if character.sheet.text else first


def _traits(character: Character, shown: _Shown, paint: Paint) -> list[str]:
    traits = [each for each in character.sheet.of(Trait) if not each.group and each.name != "name"]
    return _rows(character, "traits", traits, shown, paint)


def _values(character: Character, shown: _Shown, paint: Paint) -> list[str]:
    return _rows(character, "values", character.sheet.of(SheetValue), shown, paint)


def _group(character: Character, group: Group, shown: _Shown, paint: Paint) -> list[str]:
    if not shown.all_of(group):
        return []
    members = [each for each in character.sheet.of(Trait) if each.group == group.name]
    return _rows(character, group.name, members, shown, paint, group.text)


def _rows(
    character: Character, heading: str, parts: Sequence[Part], shown: _Shown, paint: Paint, text: str = ""
) -> list[str]:
    names = character.figures.names
    rows = [
        (paint.name(each.name.rpartition(".")[2]), value_text(names[each.name]), each.text)
        for each in parts
        if shown.all_of(each) and each.name in names
    ]
    return [*_heading(heading, text, paint), *_two_or_three(rows)] if rows else []


def _two_or_three(rows: list[tuple[str, str, str]]) -> list[str]:
    """Names, values and texts; numbers to the right, unless a long text stands among them."""
    right = (1,) if all(len(value) <= 12 for _, value, _ in rows) else ()
    return grid(rows, right=right)


def _heading(name: str, text: str, paint: Paint) -> list[str]:
    return wrap(text, first=f"{paint.strong(name)} - ", rest="  ") if text else [paint.strong(name)]


def _list(character: Character, part: Entries, shown: _Shown, paint: Paint) -> list[str]:
    entries = character.figures.entries.get(part.name, ())
    if not shown.all_of(part) or not entries:
        return []
    rows = [
        (paint.name(each.name), "" if each.number is None else value_text(each.number), _more(part, each, shown))
        for each in entries
    ]
    return [*_heading(part.name, part.text, paint), *grid(rows, right=(1,))]


def _more(part: Entries, each: EntryFigures, shown: _Shown) -> str:
    """The traits and values of an entry; those that are none, no or empty say nothing."""
    parts = [inner for inner in (*part.traits, *part.values) if shown.all_of(inner)]
    told = [(inner.name, each.names.get(inner.name)) for inner in parts]
    return ", ".join(
        name if value is True else f"{name} {value_text(value)}"
        for name, value in told
        if value is not None and value is not False and value != ""
    )


def _statuses(character: Character, shown: _Shown, paint: Paint) -> list[str]:
    rows = [(paint.name(each.name), each.text) for each in character.figures.statuses if shown.all_of(each)]
    if not any(shown.all_of(each) for each in character.sheet.of(Status)):
        return []
    return [paint.strong("statuses"), *(grid(rows) or ["  none"])]


def _budget(each: BudgetFigures, paint: Paint) -> list[str]:
    spent = f"{value_text(each.spent)} of {value_text(each.amount)} spent, {value_text(each.left)} left"
    name = paint.strong(each.part.name)
    head = wrap(spent, first=f"{name} - {each.part.text}: " if each.part.text else f"{name}: ", rest="  ")
    rows = [(paint.name(line.name.rpartition(".")[2]), value_text(cost), line.text) for line, cost in each.lines]
    return [*head, *grid(rows, right=(1,))]


def _broken(character: Character, shown: _Shown, paint: Paint) -> list[str]:
    lines = [
        line
        for each in visible_broken(character, shown.reveal)
        for line in wrap(broken_text(character, each), first=f"  {paint.bad('-')} ")
    ]
    return [paint.bad("broken limits"), *lines] if lines else []


def visible_broken(character: Character, reveal: bool) -> tuple[Broken, ...]:
    """The broken limits that may be seen."""
    return tuple(each for each in character.broken if reveal or not each.part.private)


def broken_text(character: Character, each: Broken) -> str:
    """What a broken limit says, and of which entry of which line."""
    if isinstance(each.part, Budget):
        return each.text
    if each.entries is None or each.entry is None:
        return each.text
    line = character.line_of(each.entries, each.entry)
    return f"{each.entry}: {each.text}" + (f" ({character.file}:{line})" if line else "")


def _advances(character: Character, shown: _Shown, paint: Paint) -> list[str]:
    steps = visible_steps(character, shown.reveal)
    if not steps:
        return []
    names = character.figures.names
    sources = dict.fromkeys(each.part.source for each in steps)
    have = ", ".join(
        f"{value_text(names[name])} {name}" for name in sources if name in names and _seen(character, name, shown)
    )
    rows = [
        (paint.name(step_name(each)), _from_to(each), f"{value_text(each.price)} {each.part.source}", _whether(each))
        for each in steps
    ]
    return [*_heading("advances", f"{have} to spend" if have else "", paint), *grid(rows, right=(2,))]


def visible_steps(character: Character, reveal: bool) -> tuple[StepFigures, ...]:
    """The advances that are possible and may be seen."""
    return tuple(each for each in character.advances if each.allowed and (reveal or not each.part.private))


def _seen(character: Character, name: str, shown: _Shown) -> bool:
    part = character.sheet.part(name, Trait)
    return part is not None and shown.all_of(part)


def step_name(each: StepFigures) -> str:
    """What is raised, as a player calls it."""
    if each.part.new:
        return f"new in {each.name}"
    return each.entry or each.name.rpartition(".")[2]


def _from_to(each: StepFigures) -> str:
    return f"{value_text(each.now)} to {value_text(each.next)}" if not each.part.new else f"at {value_text(each.next)}"


def _whether(each: StepFigures) -> str:
    return "" if each.affordable else "not enough"
