"""What has to be written where, so that a character file states another state.

In: what was read (`Reading`) and the state that it is to be. Out: edits for `writing`.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulesrun.semantics import plan_sheet
from rulesrun.semantics.plan import Constant, Kind
from rulesrun.sheets.reading import Reading
from rulesrun.sheets.state import Entry, State, folded
from rulesrun.sheets.writing import Edit, Join, Path, Put, Take, written


def edits(sheet: plan_sheet.Sheet, reading: Reading, new: State) -> Iterator[Edit]:
    """The edits, in the order of the sheet."""
    for trait in sheet.of(plan_sheet.Trait):
        if trait.name in new.traits and new.traits[trait.name] != reading.state.traits.get(trait.name, _ABSENT):
            place = reading.places.get((trait.name,))
            path = place.path if place else tuple(trait.name.split("."))
            yield Put(path, _written(trait, new.traits[trait.name]))
    for entries in sheet.of(plan_sheet.Entries):
        yield from _list_edits(entries, reading, new.lists.get(entries.name, ()))


def _list_edits(entries: plan_sheet.Entries, reading: Reading, new: tuple[Entry, ...]) -> Iterator[Edit]:
    before = {folded(each.name): each for each in reading.state.lists.get(entries.name, ())}
    after = {folded(each.name): each for each in new}
    for name in before:
        if name not in after:
            yield Take(_path(entries, reading, name))
    for name, entry in after.items():
        if name not in before:
            yield from _new_entry(entries, entry)
        elif entry.number != before[name].number and entry.number is not None:
            yield Put(_number_path(entries, reading, name), written(entry.number))
        known = before[name].traits if name in before else {}
        for trait in entries.traits:
            if trait.name in entry.traits and entry.traits[trait.name] != known.get(trait.name, _ABSENT):
                path = _path(entries, reading, name) if name in before else (entries.name, entry.name)
                yield Put((*path, trait.name), _written(trait, entry.traits[trait.name]))


def _new_entry(entries: plan_sheet.Entries, entry: Entry) -> Iterator[Edit]:
    if entry.number is None and not entries.traits:
        yield Join((entries.name,), written(entry.name, is_text=True))
    elif entry.traits:
        yield Put((entries.name, entry.name, entries.word), written(entry.number))
    else:
        yield Put((entries.name, entry.name), written(entry.number))


def _path(entries: plan_sheet.Entries, reading: Reading, name: str) -> Path:
    return reading.places[entries.name, name].path


def _number_path(entries: plan_sheet.Entries, reading: Reading, name: str) -> Path:
    numbered = reading.places.get((entries.name, name, plan_sheet.IT))
    return numbered.path if numbered else _path(entries, reading, name)


def _written(trait: plan_sheet.Trait, value: Constant) -> str:
    if isinstance(value, tuple):
        return f"[{', '.join(_written(trait, each) for each in value)}]"
    return written(value, is_text=trait.kind is Kind.TEXT)


_ABSENT = object()
"""Stands for a trait that is not stated."""
