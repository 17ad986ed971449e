"""A character for programs: plain data for `json.dumps`.

In: a character. Out: its traits, lists, values, statuses, budgets, broken limits and advances; without what is private,
unless it is to be revealed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rulesrun.evaluation.roll import json_value
from rulesrun.evaluation.values import Value
from rulesrun.render.sheet import has_private, visible_broken, visible_steps
from rulesrun.semantics.plan_sheet import Entries, Part, Trait
from rulesrun.semantics.plan_sheet import Value as SheetValue
from rulesrun.sheets.character import Character
from rulesrun.sheets.figures import BudgetFigures, EntryFigures


def sheet_json(character: Character, reveal: bool) -> dict[str, Any]:
    """All that may be seen; `complete` is false if something private was left out."""
    sheet, figures = character.sheet, character.figures
    lists = [each for each in sheet.of(Entries) if reveal or not each.private]
    return {
        "system": character.plan.name,
        "character": character.file,
        "complete": reveal or not has_private(sheet),
        "traits": _named(figures.names, sheet.of(Trait), reveal),
        "lists": {
            each.name: {entry.name: _entry(each, entry, reveal) for entry in figures.entries.get(each.name, ())}
            for each in lists
        },
        "values": _named(figures.names, sheet.of(SheetValue), reveal),
        "statuses": [each.name for each in figures.statuses if reveal or not each.private],
        "budgets": {each.part.name: _budget(each) for each in figures.budgets if reveal or not each.part.private},
        "broken": [
            {
                "text": each.text,
                "list": each.entries,
                "entry": each.entry,
                "line": character.line_of(each.entries, each.entry) if each.entries and each.entry else None,
            }
            for each in visible_broken(character, reveal)
        ],
        "advances": [
            {
                "name": each.name,
                "entry": each.entry,
                "new": each.part.new,
                "from": json_value(each.now),
                "to": json_value(each.next),
                "price": json_value(each.price),
                "pays": each.part.source,
                "affordable": each.affordable,
            }
            for each in visible_steps(character, reveal)
        ],
    }


def _named(names: Mapping[str, Value], parts: Iterable[Part], reveal: bool) -> dict[str, Any]:
    return {
        each.name: json_value(names[each.name]) for each in parts if each.name in names and (reveal or not each.private)
    }


def _entry(part: Entries, entry: EntryFigures, reveal: bool) -> dict[str, Any]:
    number = {} if entry.number is None else {part.word: json_value(entry.number)}
    return number | _named(entry.names, (*part.traits, *part.values), reveal)


def _budget(each: BudgetFigures) -> dict[str, Any]:
    return {
        "amount": json_value(each.amount),
        "lines": {line.name.rpartition(".")[2]: json_value(cost) for line, cost in each.lines},
        "spent": json_value(each.spent),
        "left": json_value(each.left),
    }
