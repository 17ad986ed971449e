"""A character read by the sheet that it is for.

In: the source of a character and a checked sheet. Out: what it states (`State`), every fault with its place, and where
each thing stands. A fault never hides another: what cannot be taken is left to its default, or to a stand-in where the
sheet has none, so that everything else is still judged. What depends on other traits (bounds that are worked out,
limits) is judged when the sheet is worked out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import cast

from rulesrun.diagnostics import Diagnostic, Label, Source, Span
from rulesrun.record import record
from rulesrun.semantics import plan_sheet
from rulesrun.semantics.inputs import Levels
from rulesrun.semantics.plan import Constant, Domain, Number
from rulesrun.sheets.document import Entries, Items, Node, Unread, Word, read_document
from rulesrun.sheets.state import MAX_NAME, Entry, State, folded
from rulesrun.sheets.values import Nothing, Values, lowest
from rulesrun.suggestions import nearest

SYSTEM = "system"
"""The key that says which system a character is for."""

At = tuple[str, ...]
"""What a place holds: a trait `("willpower",)` or `("modifiers.intellect",)`, an entry `("skills", "academics")` by its
folded name, a trait of an entry `("skills", "academics", "field")`."""


@record
class Place:
    """Where something stands: its key, its value, and the keys that lead there."""

    key: Span
    value: Span
    path: tuple[str, ...]


@record
class Reading:
    """What was read. `faults` stand in the order of the file; a thing that is not stated has no place."""

    state: State
    faults: tuple[Diagnostic, ...]
    places: Mapping[At, Place]


def read_character(source: Source, sheet: plan_sheet.Sheet, levels: Levels, systems: Sequence[str]) -> Reading:
    """The character in a source. `systems` are the names that its `system:` may bear: the ruleset's own first, the
    usual one last.

    Raises `RulesError` only where there is nothing to judge: no YAML, no keys, too long or too deep.
    """
    root, faults = read_document(source)
    reader = _Reader(sheet, levels, systems)
    reader.read(root)
    ordered = sorted([*faults, *reader.values.faults], key=lambda each: each.primary.span.start if each.primary else -1)
    state = State(MappingProxyType(reader.traits), MappingProxyType(reader.lists))
    return Reading(state, tuple(ordered), MappingProxyType(reader.places))


def system_of(source: Source) -> str | None:
    """The system that a character says it is for; None if it does not say."""
    root, _ = read_document(source)
    found = next((value for key, value in root.pairs if key.text == SYSTEM), None)
    return found.text if isinstance(found, Word) else None


class _Reader:
    """Collects what a character states while its keys are read one by one."""

    def __init__(self, sheet: plan_sheet.Sheet, levels: Levels, systems: Sequence[str]) -> None:
        self._sheet = sheet
        self._systems = systems
        self._traits = {each.name: each for each in sheet.of(plan_sheet.Trait)}
        self._groups = {each.name: each for each in sheet.of(plan_sheet.Group)}
        self._lists = {each.name: each for each in sheet.of(plan_sheet.Entries)}
        self._top = [name for name, each in self._traits.items() if not each.group]
        self.values = Values(levels)
        self._fault = self.values.fault
        self.traits: dict[str, Constant] = {}
        self.lists: dict[str, tuple[Entry, ...]] = dict.fromkeys(self._lists, ())
        self.places: dict[At, Place] = {}

    def read(self, root: Entries) -> None:
        """The whole file."""
        above = ""
        for key, value in root.pairs:
            name = key.text
            if name == SYSTEM and SYSTEM not in self._top:
                self._system(value)
            elif name in self._top:
                self._trait(self._traits[name], key, value, (name,))
            elif name in self._groups:
                self._group(self._groups[name], key, value)
            elif name in self._lists:
                self._list(self._lists[name], key, value)
            else:
                self._unknown(key, [*self._top, *self._groups, *self._lists, SYSTEM], above)
            if name in self._groups or name in self._lists:
                above = name if _is_empty(value) else ""
        for name, trait in self._traits.items():
            if trait.default is None and name not in self.traits:
                if (name,) not in self.places:
                    self._missing(trait, root)
                self.traits[name] = self.values.stand_in(trait)

    # ------------------------------------------------------------ keys

    def _system(self, value: Node) -> None:
        if isinstance(value, Unread):
            return
        known = [_system_name(each) for each in self._systems]
        if not isinstance(value, Word) or _system_name(value.text) not in known:
            said = value.text if isinstance(value, Word) else "something else"
            message = f"this character is for {said or 'no system'}, and the rules are {self._systems[0]}"
            usual = self._systems[-1].removesuffix(".rules")
            self._fault("other-system", message, value.span, f"write `system: {usual}` if it is for these rules")

    def _unknown(self, key: Word, right: Sequence[str], above: str) -> None:
        """`above` is a group or list right above it that is empty."""
        name = key.text
        group = next((each for each in self._groups.values() if f"{each.name}.{name}" in each.members), None)
        near = nearest(name, right)
        if self._sheet.part(name, plan_sheet.Value, plan_sheet.Status, plan_sheet.Budget):
            hint = f"{name} is worked out by the sheet, it is not written down"
        elif near is None and above:
            hint = f"indent it by two blanks if it belongs to {above}"
        elif near is None and group is not None:
            hint = f"{name} is written under {group.name}:"
        else:
            hint = f"did you mean {near}?" if near else f"the keys are {_listed(right)}"
        self._fault("unknown-key", f"the sheet has nothing called {_cut(name)}", key.span, hint)

    def _missing(self, trait: plan_sheet.Trait, root: Entries) -> None:
        words = self.values.words(trait)
        place = Span(root.span.source, root.span.start, root.span.start)
        path = trait.name.replace(".", ": ")
        self._fault("missing-trait", f"{trait.name} is missing", place, f"write `{path}: …`, {words}")

    def _group(self, group: plan_sheet.Group, key: Word, value: Node) -> None:
        members = {each.removeprefix(f"{group.name}."): each for each in group.members}
        for name, inside in self._inside(value, group.name, f"its members are {_listed(list(members))}"):
            if name.text in members:
                flat = members[name.text]
                self._trait(self._traits[flat], name, inside, (group.name, name.text))
            else:
                near = nearest(name.text, members)
                hint = f"did you mean {near}?" if near else f"its members are {_listed(list(members))}"
                self._fault("unknown-key", f"{group.name} has no {_cut(name.text)}", name.span, hint)

    def _inside(self, value: Node, name: str, hint: str) -> Iterable[tuple[Word, Node]]:
        """The pairs of a group or list; nothing at all behind its key is an empty one."""
        if isinstance(value, Entries):
            return value.pairs
        if not isinstance(value, Unread) and not _is_empty(value):
            self._fault("wrong-kind", f"under {name} stand names and values, `name: value`", value.span, hint)
        return ()

    def _trait(self, trait: plan_sheet.Trait, key: Word, value: Node, path: tuple[str, ...]) -> None:
        self.places[trait.name,] = Place(key.span, value.span, path)
        found = self.values.trait(trait, path[-1], key.span, value)
        if not isinstance(found, Nothing):
            self.traits[trait.name] = found

    # ------------------------------------------------------------ lists

    def _list(self, entries: plan_sheet.Entries, key: Word, value: Node) -> None:
        self.places[entries.name,] = Place(key.span, value.span, (entries.name,))
        if entries.domain is None and isinstance(value, Items):
            pairs: Iterable[tuple[Word, Node]] = [(each, each) for each in value.items if self._is_name(each)]  # type: ignore[misc]
        else:
            example = "name: number" if entries.domain else "- name"
            pairs = self._inside(value, entries.name, f"each entry is written `{example}`")
        found: list[Entry] = []
        seen: dict[str, Word] = {}
        for name, inside in pairs:
            same = folded(name.text)
            if not same or len(name.text) > MAX_NAME:
                problem = "is empty" if not same else f"is longer than {MAX_NAME} letters"
                self._fault("bad-name", f"the name of an entry of {entries.name} {problem}", name.span)
            elif same in seen:
                self._twice(name, seen[same])
            else:
                seen[same] = name
                found.append(self._entry(entries, name, inside, (entries.name, name.text)))
        self.lists[entries.name] = tuple(found)

    def _is_name(self, item: Node) -> bool:
        if not isinstance(item, Word | Unread):
            self._fault("wrong-kind", "an item of this list is a single name", item.span)
        return isinstance(item, Word)

    def _twice(self, name: Word, first: Word) -> None:
        label = Label(first.span, "first given here")
        self._fault("given-twice", f"{name.text} is given twice", name.span, "keep one of the two", label)

    def _entry(self, entries: plan_sheet.Entries, name: Word, value: Node, path: tuple[str, ...]) -> Entry:
        at = (entries.name, folded(name.text))
        self.places[at] = Place(name.span, value.span, path)
        number: Number | None = None
        traits: dict[str, Constant] = {}
        if isinstance(value, Entries):
            number = self._long(entries, name, value, path, traits)
        elif entries.domain is not None:
            number = self._number(entries.domain, name.text, value, name)
        elif value is not name and not _is_empty(value) and not isinstance(value, Unread):
            self._fault("wrong-kind", f"{name.text} has no number: entries of {entries.name} are names", value.span)
        for trait in entries.traits:
            if trait.default is None and trait.name not in traits:
                if (*at, trait.name) not in self.places:
                    words = self.values.words(trait)
                    hint = f"write `{name.text}: {{{trait.name}: …}}`, {words}"
                    self._fault("missing-trait", f"{name.text} lacks its {trait.name}", name.span, hint)
                traits[trait.name] = self.values.stand_in(trait)
        return Entry(name.text, number, MappingProxyType(traits))

    def _long(
        self,
        entries: plan_sheet.Entries,
        name: Word,
        value: Entries,
        path: tuple[str, ...],
        traits: dict[str, Constant],
    ) -> Number | None:
        """The number of an entry that is written with its traits, which are added to `traits`."""
        known = {each.name: each for each in entries.traits}
        words = [] if entries.domain is None else list(dict.fromkeys([entries.word, plan_sheet.IT]))
        number: Number | None = None
        numbered: Word | None = None
        for key, inside in value.pairs:
            at = (entries.name, folded(name.text), key.text)
            if key.text in words and entries.domain is not None:
                if numbered is not None:
                    self._twice(key, numbered)
                    continue
                numbered = key
                self.places[(*at[:2], plan_sheet.IT)] = Place(key.span, inside.span, (*path, key.text))
                number = self._number(entries.domain, f"{name.text}: {key.text}", inside, key)
            elif key.text in known:
                self.places[at] = Place(key.span, inside.span, (*path, key.text))
                found = self.values.trait(known[key.text], f"{name.text}: {key.text}", key.span, inside)
                if not isinstance(found, Nothing):
                    traits[key.text] = found
            else:
                right = [*words[:1], *known]
                near = nearest(key.text, right)
                hint = f"did you mean {near}?" if near else f"an entry of {entries.name} has {_listed(right)}"
                if any(each.name == key.text for each in entries.values):
                    hint = f"{key.text} is worked out by the sheet, it is not written down"
                self._fault("unknown-key", f"{name.text} has no {_cut(key.text)}", key.span, hint)
        if entries.domain is not None and numbered is None:
            words_of = self.values.domain_words(entries.domain)
            hint = f"write `{entries.word}: …`, {words_of}"
            self._fault("missing-number", f"{name.text} lacks its number", name.span, hint)
        return number if number is not None or entries.domain is None else lowest(entries.domain)

    def _number(self, domain: Domain, name: str, value: Node, key: Word) -> Number:
        found = self.values.value(domain, name, key.span, value)
        return lowest(domain) if isinstance(found, Nothing) else cast(Number, found)


def _is_empty(value: Node) -> bool:
    return isinstance(value, Word) and value.plain and not value.text


def _system_name(name: str) -> str:
    return folded(name.removesuffix(".rules"))


def _cut(name: str) -> str:
    return name if len(name) <= 40 else name[:39] + "…"


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names[:12]) + (", …" if len(names) > 12 else "")
