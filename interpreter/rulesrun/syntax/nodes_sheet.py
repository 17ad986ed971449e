"""What a sheet says, as parsed: the part of the tree below `sheet`, which may still be wrong."""

from __future__ import annotations

from typing import Literal, TypeAlias

from rulesrun.record import record

from .nodes import Define, Domain, Expression, Given, Limit, Name, Part, Text, Word


@record
class Trait(Part):
    """`private trait willpower: 0.. = 5 "text"`; also a trait of a list's entries, without the words before it."""

    name: Word
    domain: Domain
    default: Expression | Text | None
    private: bool
    text: str


@record
class Member(Part):
    """A trait of a group; a default of its own comes before the group's."""

    name: Word
    default: Expression | Text | None
    text: str


@record
class Traits(Part):
    """A group of traits of one domain."""

    name: Word
    domain: Domain
    default: Expression | Text | None
    members: tuple[Member, ...]
    private: bool
    text: str


@record
class SheetValue(Part):
    """`domain` None: the value shows it."""

    name: Word
    domain: Domain | None
    value: Expression
    private: bool
    text: str


@record
class Entries(Part):
    """An open list of named entries; `word` is its own word for their number, `domain` None: bare names."""

    name: Word
    word: Word | None
    domain: Domain | None
    lines: tuple[Trait | SheetValue | Limit, ...]
    private: bool
    text: str


@record
class Status(Part):
    name: Word
    condition: Expression
    private: bool
    text: str


@record
class BudgetLine(Part):
    name: Word
    cost: Expression
    text: str


@record
class Budget(Part):
    name: Word
    amount: Expression
    lines: tuple[BudgetLine, ...]
    private: bool
    text: str


@record
class Advance(Part):
    """`advance new skills "text" if C costs E from xp`."""

    what: Name
    new: bool
    condition: Expression | None
    price: Expression
    source: Name
    updates: tuple[Update, ...]
    text: str


@record
class Parameter(Part):
    name: Word
    domain: Domain
    default: Expression | Text | None


@record
class Refusal(Part):
    """`unless CONDITION "text"`."""

    condition: Expression
    text: str


@record
class Change(Part):
    """`NAME += E`, also of an entry: `skills at NAME += E`."""

    name: Name
    entry: Name | Text | None
    operator: Literal["+=", "-=", "becomes"]
    value: Expression
    condition: Expression | None
    refusals: tuple[Refusal, ...]


@record
class AddEntry(Part):
    """`add NAME to LIST = E`."""

    entry: Name | Text
    entries: Name
    number: Expression | None
    condition: Expression | None
    refusals: tuple[Refusal, ...]


@record
class RemoveEntry(Part):
    """`remove NAME from LIST`."""

    entry: Name | Text
    entries: Name
    condition: Expression | None
    refusals: tuple[Refusal, ...]


Update: TypeAlias = Change | AddEntry | RemoveEntry


@record
class Action(Part):
    name: Word
    parameters: tuple[Parameter, ...]
    refusals: tuple[Refusal, ...]
    updates: tuple[Update, ...]
    text: str


@record
class Team(Part):
    """`team RULE`: what each member brings to the list inputs of a rule."""

    rule: Word
    lines: tuple[Given | Define, ...]
    text: str


SheetLine: TypeAlias = Trait | Traits | Entries | SheetValue | Status | Budget | Limit | Advance | Action | Team


@record
class Sheet(Part):
    lines: tuple[SheetLine, ...]
    text: str
