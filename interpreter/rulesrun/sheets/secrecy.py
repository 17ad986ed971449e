"""Faults of a character file, told without betraying what is private.

In: faults, and the sheet. Out: the same faults. What is wrong with something private is not said. A line of the file is
shown only if it is certain that nothing private stands on it: not where the fault may be the private name itself,
misspelt or misplaced.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from rulesrun.diagnostics import Diagnostic, Span
from rulesrun.record import changed
from rulesrun.semantics.plan_sheet import Entries, Group, Sheet, Trait
from rulesrun.sheets.reading import At, Place

HINT = "--reveal shows it"

_OF_A_VALUE = {"outside-domain", "missing-value", "missing-trait", "missing-number", "wrong-kind", "given-twice"}
"""Faults of what stands under a name that the sheet knows; with others the name itself may be wrong."""

_WITHOUT_VALUES = {"unknown-key", "given-twice", "missing-value", "missing-trait"}
"""Faults whose message names no value."""

_FIXED_IN_WORDS_OF_THE_FILE = {"not-yaml", "comment"}
"""Faults whose hint shows what stands in the file."""


def private_names(sheet: Sheet) -> frozenset[str]:
    """The names of private traits, groups and lists, as a file writes them."""
    stated = [each for each in sheet.parts if isinstance(each, Trait | Group | Entries)]
    inside = [inner for each in sheet.of(Entries) for inner in each.traits]
    return frozenset(each.name.rpartition(".")[2] for each in (*stated, *inside) if each.private)


def discreet(
    faults: Iterable[Diagnostic], sheet: Sheet, places: Mapping[At, Place], file: str
) -> tuple[Diagnostic, ...]:
    """The faults as anybody may see them."""
    names = private_names(sheet)
    if not names:
        return tuple(faults)
    secret = [place for at, place in places.items() if any(part.rpartition(".")[2] in names for part in at)]
    return tuple(_discreet(each, names, secret, file) for each in faults)


def _discreet(fault: Diagnostic, names: frozenset[str], secret: list[Place], file: str) -> Diagnostic:
    spans = [label.span for label in (*filter(None, [fault.primary]), *fault.secondary)]
    here = [each for each in spans if each.source.name == file]
    if not here:
        return fault
    place = f"{file}:{here[0].line}:{here[0].column}"
    told = " ".join([fault.message, fault.hint or "", *(each.source.line(each.line) for each in here)])
    spoken_of = any(_speaks_of(told, name) for name in names)
    inside = any(_touches(each, private) for each in here for private in secret)
    if inside or (spoken_of and fault.code not in _WITHOUT_VALUES):
        message = "something private is not as the sheet wants it"
        return changed(fault, message=message, primary=None, secondary=(), notes=(), hint=HINT, file=place)
    lines = {number for each in secret for number in range(each.key.line, each.value.end_line + 1)}
    if spoken_of or fault.code not in _OF_A_VALUE or any(each.line in lines for each in here):
        hint = HINT if fault.code in _FIXED_IN_WORDS_OF_THE_FILE else fault.hint
        return changed(fault, primary=None, secondary=(), hint=hint, file=place)
    return fault


def _touches(span: Span, place: Place) -> bool:
    return (
        span.source is place.key.source
        and span.start < place.value.end
        and place.key.start < max(span.end, span.start + 1)
    )


def _speaks_of(text: str, name: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text, re.IGNORECASE) is not None
