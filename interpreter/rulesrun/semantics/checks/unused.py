"""Inputs, values and settings that nothing reads."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rulesrun.diagnostics import Diagnostic
from rulesrun.semantics import plan
from rulesrun.semantics.lines import Lines
from rulesrun.semantics.messages import items as say_items
from rulesrun.semantics.messages import lines as say
from rulesrun.semantics.renaming import names_in

from .checked import Checked, own_parts


def unused_settings(checked: Checked) -> Iterator[Diagnostic]:
    """Settings of the last file of the chain that no rule, die or other setting reads."""
    last = checked.files[-1].span.source if checked.files else None
    for name, item in checked.items.settings.items():
        if checked.whole and name not in checked.world.used and item.name.span.source is last:
            yield say_items.unused_setting(item.name.span, name)


def unused_names(checked: Checked) -> Iterator[Diagnostic]:
    """Inputs and values of sound rules. In a rule without outcomes the values are its result."""
    if not checked.whole:
        return
    elsewhere = _read_elsewhere(checked)
    for name, lines in checked.read.items():
        if name in checked.world.rules:
            yield from _unused(lines, elsewhere)


def _unused(lines: Lines, elsewhere: set[str]) -> Iterator[Diagnostic]:
    read = names_in(tuple(lines.best_for.values()))
    for own in own_parts(lines.steps):
        read |= _read_by(own[0]) if isinstance(own[0], plan.Update) else names_in(own)
    for given in lines.inputs.values():
        read |= names_in((given.domain, given.default))
    for given in lines.inputs.values():
        if "." not in given.name and given.name not in read:
            yield say.unused_input(given.span, given.name)
    yield from _unused_values(lines, lines.steps, read, elsewhere, False)


def _unused_values(
    lines: Lines, steps: Iterable[plan.AnyStep], read: frozenset[str], elsewhere: set[str], in_body: bool
) -> Iterator[Diagnostic]:
    for step in steps:
        match step:
            case plan.Define(name=name) | plan.Choice(name=name) | plan.Track(name=name) if name not in read:
                if in_body or (lines.outcomes and name not in elsewhere):
                    what = {plan.Define: "value", plan.Choice: "choice"}.get(type(step), "tracked value")
                    yield say.unused_value(step.span, name, what)
            case plan.Repeat(steps=inner):
                yield from _unused_values(lines, inner, read, elsewhere, True)
            case _:
                pass


def _read_by(update: plan.Update) -> frozenset[str]:
    """The names that an update reads; a value that only its own updates read is not read."""
    return names_in(update.condition) | (names_in(update.value) - {update.name})


def _read_elsewhere(checked: Checked) -> set[str]:
    """The last parts of names that other rules or examples read."""
    parts = [example.expects for example in checked.examples]
    found = {name.rpartition(".")[2] for part in parts for name in names_in(part)}
    for lines in checked.read.values():
        found |= {name.rpartition(".")[2] for name in names_in(tuple(own_parts(lines.steps))) if "." in name}
    return found
