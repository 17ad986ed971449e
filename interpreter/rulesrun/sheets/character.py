"""A character: what its file states, what the sheet works out of it, what is wrong with it, what it can do.

In: the source of a character, a plan and its sheet. Out: a `Character`. It never changes: doing something gives another
one, and `to_yaml` the text of its file in which only that is different.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from rulesrun.diagnostics import Diagnostic, Label, RulesError, Severity, Source
from rulesrun.evaluation.values import Value
from rulesrun.limits import within
from rulesrun.record import record
from rulesrun.semantics import plan_sheet
from rulesrun.semantics.plan import Constant, Number, RulesetPlan
from rulesrun.sheets.acting import After, act, raise_by_one
from rulesrun.sheets.calls import ActionCall, Raise, read_call
from rulesrun.sheets.changes import edits
from rulesrun.sheets.evaluate import Workings
from rulesrun.sheets.figures import Broken, BudgetFigures, EntryFigures, Fault, Figures, StepFigures
from rulesrun.sheets.reading import Reading, read_character
from rulesrun.sheets.secrecy import HINT, discreet
from rulesrun.sheets.state import State, folded
from rulesrun.sheets.writing import edited
from rulesrun.suggestions import nearest


@record
class Named:
    """Something of a character that a word names: its value, whether it is private, and for an entry of a list what
    else it brings along, by bare names.
    """

    value: Value
    private: bool
    brings: Mapping[str, Named] = MappingProxyType({})


class PrivateError(RulesError):
    """What keeps an action from happening that is for the player alone to know."""


@record
class Done:
    """What came of an action. `character` is the one after it, the same where it was refused; `refusal` is then why.
    `private`: whether it was refused, or what it did, is for the player alone to know.
    """

    character: Character
    refusal: str | None
    private: bool


class Character:
    """A character, judged.

    `file` is where it was read. `faults` says what is wrong with the file; while it lasts, nothing can be done with
    the character, but everything else about it is known. All numbers are exact.
    """

    def __init__(self, workings: Workings, source: Source, reading: Reading, state: State) -> None:
        self.plan = workings.plan
        self.sheet = workings.sheet
        self.file: str = source.name
        self.state = state
        self.places = reading.places
        self._workings = workings
        self._source = source
        self._reading = reading
        with within(self.plan.limits):
            self.figures: Figures = workings.figures(state)

    @classmethod
    def read(cls, plan: RulesetPlan, sheet: plan_sheet.Sheet, source: Source, systems: Sequence[str]) -> Character:
        """The character in a source; raises `RulesError` only where there is nothing to judge."""
        with within(plan.limits):
            reading = read_character(source, sheet, plan.levels, systems)
        return cls(Workings(plan, sheet), source, reading, reading.state)

    # ------------------------------------------------------------ what it is

    @property
    def traits(self) -> Mapping[str, Constant]:
        """Its traits by their flat names (`willpower`, `modifiers.intellect`), defaults filled in."""
        names = self.figures.names
        traits = (each.name for each in self.sheet.of(plan_sheet.Trait))
        return MappingProxyType({name: names[name] for name in traits if name in names})  # type: ignore[misc]

    @property
    def lists(self) -> Mapping[str, Mapping[str, Number | None]]:
        """The numbers of the entries of its lists, by their names; None in a list of bare names."""
        lists = self.figures.entries
        return MappingProxyType({name: {each.name: each.number for each in lists[name]} for name in lists})

    @property
    def values(self) -> Mapping[str, Value]:
        """What the sheet works out, by name."""
        names = self.figures.names
        values = (each.name for each in self.sheet.of(plan_sheet.Value))
        return MappingProxyType({name: names[name] for name in values if name in names})

    @property
    def statuses(self) -> tuple[str, ...]:
        """The statuses that hold."""
        return tuple(each.name for each in self.figures.statuses)

    @property
    def budgets(self) -> Mapping[str, BudgetFigures]:
        """Each budget: its `amount`, its `lines` with what each costs, what is `spent` and `left`."""
        return MappingProxyType({each.part.name: each for each in self.figures.budgets})

    @property
    def advances(self) -> tuple[StepFigures, ...]:
        """What each possible advance costs."""
        return self.figures.steps

    @property
    def broken(self) -> tuple[Broken, ...]:
        """The limits that it breaks."""
        return self.figures.broken

    @property
    def faults(self) -> tuple[Diagnostic, ...]:
        """What is wrong with its file, each with its place."""
        return (*self._reading.faults, *map(self._placed, self.figures.faults))

    @property
    def discreet_faults(self) -> tuple[Diagnostic, ...]:
        """The faults as anybody may see them: nothing private is shown."""
        faults = [
            *self._reading.faults,
            *(self._placed(each) for each in self.figures.faults if not each.private),
            *([_unsaid(self.file)] if any(each.private for each in self.figures.faults) else []),
        ]
        return discreet(faults, self.sheet, self.places, self.file)

    def __repr__(self) -> str:
        return f"<Character {self.file} of {self.plan.name}>"

    # ------------------------------------------------------------ what it does

    def do(self, action: str, **arguments: object) -> Character:
        """The character after an action: `do("suffer_drone_damage 2")`, `do("acquire", item="APW", cost=5)`.

        An action that is refused, and whatever else keeps it from happening, is a `RulesError`; `code` "refused".
        """
        done = self.done(action, **arguments)
        if done.refusal is not None:
            raise RulesError.of(f"{action.split()[0]} is refused: {done.refusal}", code="refused")
        return done.character

    def done(self, action: str, **arguments: object) -> Done:
        """What comes of an action, refused or not."""
        if faults := self.faults:
            raise RulesError(faults)
        with within(self.plan.limits):
            call = read_call(action, self.sheet, self.plan.levels, arguments)
            after = self._raised(call.name) if isinstance(call, Raise) else self._acted(call)
        character = self
        if after.state is not None:
            character = Character(self._workings, self._source, self._reading, after.state)
        return Done(character, after.refusal if after.state is None else None, after.private)

    def _acted(self, call: ActionCall) -> After:
        try:
            return act(self._workings, self.state, call.action, call.arguments)
        except RulesError as error:
            raise PrivateError(error.diagnostics) if call.action.private else error from None

    def _raised(self, name: str) -> After:
        return raise_by_one(self._workings, self.state, name)

    def to_yaml(self) -> str:
        """The text of its file with all that was done since; comments and everything else stay as they are."""
        with within(self.plan.limits):
            source = edited(self._source, edits(self.sheet, self._reading, self.state))
            again = read_character(source, self.sheet, self.plan.levels, [self.plan.name]).state
        if not _same(again, self.state):
            raise RulesError.of(
                f"{self.file} cannot be changed where it stands",
                code="unwritable",
                hint="write it as `name: value`, a line each",
            )
        return source.text

    # ------------------------------------------------------------ what it brings to a roll

    def named(self, name: str) -> Named | None:
        """The trait, value or status of that name, or the member of a group if only one is called so."""
        names = self.figures.names
        for part in self.sheet.parts:
            if isinstance(part, plan_sheet.Trait | plan_sheet.Value | plan_sheet.Status) and part.name == name:
                return Named(names[name], part.private) if name in names else None
        members = [
            each for each in self.sheet.of(plan_sheet.Trait) if each.group and each.name == f"{each.group}.{name}"
        ]
        if len(members) == 1 and members[0].name in names:
            return Named(names[members[0].name], members[0].private)
        return None

    def find(self, word: str) -> Named:
        """What a word names: as `named`, or an entry of a list; a `RulesError` with the nearest if nothing."""
        if found := self.named(word):
            return found
        entries = [
            (part, each)
            for part in self.sheet.of(plan_sheet.Entries)
            for each in self.figures.entries.get(part.name, ())
            if folded(each.name) == folded(word) or folded(f"{part.name}.{each.name}") == folded(word)
        ]
        if len(entries) > 1:
            both = " or ".join(f"{part.name}.{each.name}" for part, each in entries)
            raise RulesError.of(f"{word} of {self.file} may be {both}", code="ambiguous-name")
        if entries:
            return _entry(*entries[0])
        near = nearest(word, self._words())
        hint = f"did you mean {near}?" if near else None
        raise RulesError.of(f"{self.file} has nothing called {word[:60]}", code="unknown-name", hint=hint)

    def team(self, rule: str) -> plan_sheet.Team | None:
        """How characters of this sheet together fill the list inputs of a rule."""
        return self.sheet.part(rule, plan_sheet.Team)

    def team_values(self, rule: str, inputs: Mapping[str, object]) -> Mapping[str, Constant]:
        """What this one brings to each list input of a rule, with these inputs of the sheet's `team`."""
        return self._workings.team_values(self.state, rule, inputs)

    def line_of(self, entries: str, entry: str) -> int | None:
        """The line of its file on which an entry of a list stands; None for one that is not written yet."""
        place = self.places.get((entries, folded(entry)))
        return place.key.line if place else None

    def _words(self) -> list[str]:
        named = (plan_sheet.Trait, plan_sheet.Value, plan_sheet.Status)
        parts = [each.name.rpartition(".")[2] for each in self.sheet.parts if isinstance(each, named)]
        return [*parts, *(each.name for entries in self.figures.entries.values() for each in entries)]

    def _placed(self, fault: Fault) -> Diagnostic:
        at = tuple(part for part in (fault.name, fault.entry and folded(fault.entry), fault.trait) if part)
        place = self.places.get(at) or self.places.get(at[:2]) or self.places.get(at[:1])
        span = place.value if place and place.value.start < place.value.end else place.key if place else fault.span
        label = Label(span) if span else None
        return Diagnostic("character", Severity.ERROR, fault.message, label, (), (), fault.hint, self.file)


def _unsaid(file: str) -> Diagnostic:
    message = "something private is not as the sheet wants it"
    return Diagnostic("private", Severity.ERROR, message, hint=HINT, file=file)


def _entry(part: plan_sheet.Entries, each: EntryFigures) -> Named:
    """An entry of a list; one of a list of bare names counts as yes."""
    parts = {inner.name: inner for inner in (*part.traits, *part.values)}
    brings = {
        name: Named(value, part.private or parts[name].private) for name, value in each.names.items() if name in parts
    }
    return Named(True if each.number is None else each.number, part.private, brings)


def _same(one: State, other: State) -> bool:
    """Whether two states say the same; entries may stand in another order."""
    return dict(one.traits) == dict(other.traits) and _listed(one) == _listed(other)


def _listed(state: State) -> dict[str, dict[str, tuple[Number | None, dict[str, Constant]]]]:
    return {
        name: {folded(each.name): (each.number, dict(each.traits)) for each in entries}
        for name, entries in state.lists.items()
    }
