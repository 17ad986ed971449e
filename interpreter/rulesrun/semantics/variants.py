"""Rulesets based on others: a chain of files becomes one list of items, later ones replacing earlier ones of the same
name.

In: the trees of the chain, base first. Out: `Items`, and the diagnostics of what is defined twice in one file.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from rulesrun.diagnostics import Diagnostic, RulesError, Span
from rulesrun.record import changed
from rulesrun.syntax import nodes as n
from rulesrun.syntax.nodes_sheet import Sheet

from .messages import items as say

T = TypeVar("T", n.Setting, n.DieItem, n.Bag, n.Levels, n.Table, n.Rule)


@dataclass(slots=True)
class Items:
    """All items of a chain of files, by name, in the order in which they first appear."""

    source_name: str = ""
    system: n.System | None = None
    settings: dict[str, n.Setting] = field(default_factory=dict)
    dice: dict[str, n.DieItem] = field(default_factory=dict)
    bags: dict[str, n.Bag] = field(default_factory=dict)
    levels: dict[str, n.Levels] = field(default_factory=dict)
    tables: dict[str, n.Table] = field(default_factory=dict)
    rules: dict[str, n.Rule] = field(default_factory=dict)
    sheet: Sheet | None = None
    examples: dict[str, n.Example] = field(default_factory=dict)


def based_on(file: n.File) -> n.BasedOn | None:
    """The file that this one is a variant of."""
    return next((item for item in file.items if isinstance(item, n.BasedOn)), None)


def circle(based: n.BasedOn, chain: Sequence[str]) -> RulesError:
    """The error for a file that is based on itself; `chain` are the names from the file around to itself."""
    return RulesError([say.based_on_circle(based.span, chain)])


def missing(based: n.BasedOn, reason: RulesError) -> RulesError:
    """The error for a base that cannot be read, placed at the line that names it."""
    return RulesError([say.based_on_missing(based.span, based.file, reason.message, reason.hint)])


def too_many_bases(based: n.BasedOn, most: int) -> RulesError:
    """The error for a chain of more files than that."""
    return RulesError([say.too_many_bases(based.span, most)])


def too_long_together(based: n.BasedOn, most: int) -> RulesError:
    """The error for a chain of files of more characters than that."""
    return RulesError([say.too_long_together(based.span, most)])


def together(files: Sequence[n.File], problems: list[Diagnostic]) -> Items:
    """The items of a chain of files."""
    items = Items()
    for file in files:
        items.source_name = file.span.source.name
        _add(items, file, problems)
    return items


def _add(items: Items, file: n.File, problems: list[Diagnostic]) -> None:
    here: dict[tuple[str, str], Span] = {}

    def first(what: str, name: str, span: Span) -> bool:
        """Whether this file has not defined the name before; told if it has."""
        if (what, name) in here:
            problems.append(say.defined_twice(span, what, name, here[what, name]))
            return False
        here[what, name] = span
        return True

    for item in file.items:
        match item:
            case n.System(span=span):
                if first("system", "", span):
                    items.system = _described(items.system, item)
            case n.BasedOn(span=span):
                first("based on", "", span)
            case n.Setting(name=name):
                if first("setting", name.text, name.span):
                    items.settings[name.text] = _setting(items.settings.get(name.text), item)
            case n.DieItem(name=name):
                if first("die", name.text, name.span):
                    items.dice[name.text] = item
            case n.Bag(name=name):
                if first("bag", name.text, name.span):
                    items.bags[name.text] = item
            case n.Levels(name=name):
                if first("levels", name.text, name.span):
                    items.levels[name.text] = item
            case n.Table(name=name):
                if first("table", name.text, name.span):
                    items.tables[name.text] = item
            case n.Rule(name=name):
                if first("rule", name.text, name.span):
                    items.rules[name.text] = item
            case Sheet(span=span):
                if first("sheet", "", span):
                    items.sheet = item
            case n.Example(text=text):
                if first("example", text, item.span):
                    items.examples[text] = item
    _clashes(here, problems)


def _clashes(here: dict[tuple[str, str], Span], problems: list[Diagnostic]) -> None:
    """Names that would mean two things behind `roll NAME =`, or before `at`."""
    for one, other in (("die", "table"), ("die", "rule"), ("table", "rule"), ("setting", "table")):
        for (what, name), span in here.items():
            if what == one and (other, name) in here:
                first, second = sorted(
                    [(span.start, span, one), (here[other, name].start, here[other, name], other)],
                    key=lambda each: each[0],
                )
                problems.append(say.clash(second[1], name, second[2], first[1], first[2]))


def _setting(before: n.Setting | None, now: n.Setting) -> n.Setting:
    """A setting that is written again keeps the domain and text that it does not state."""
    if before is None:
        return now
    return changed(now, domain=now.domain or before.domain, text=now.text or before.text)


def _described(before: n.System | None, now: n.System) -> n.System:
    if before is None:
        return now
    stated = {fact.what for fact in now.facts}
    return changed(now, facts=(*now.facts, *(fact for fact in before.facts if fact.what not in stated)))
