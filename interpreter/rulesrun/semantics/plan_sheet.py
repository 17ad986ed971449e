"""What a checked sheet is: the traits of a character, and what is worked out of them.

Only `semantics.sheet` makes these. Every expression is one of `plan`, in a scope of named values, its `Var`s:

- of the whole sheet: a trait by its flat name (`willpower`, `modifiers.intellect`); a group or an open list as the list
  of its numbers (`modifiers`, `skills`; 1 for each entry of a list of bare names); a trait or value of the entries as
  the list of theirs (`skills.training`); a value or status by its name; of a budget what there is (`cp`), what each
  line costs (`cp.skills`), `cp.spent` and `cp.left`
- for one entry of a list: all these, and `it` (its number, also by the list's own word for it) and the entry's traits
  and values by their bare names, which come first
- for an advance: also `now` and `next`, and for a list what is known of the entry
- for an action: also its parameters, which come first; for a team: its inputs, which come first

A name is known only below its definition, so the parts of a sheet are worked out in the order of `parts`.
`private` parts are known to the player and the game master only. Whatever reads something private is private.
"""

from __future__ import annotations

from typing import TypeAlias, TypeVar

from rulesrun.diagnostics import Span
from rulesrun.record import field, record

from .plan import Domain, Expression, Input, Kind

P = TypeVar("P")

IT = "it"
"""The number of an entry, in the scope of the entry."""
NOW, NEXT = "now", "next"
"""The number of what is raised, before and after, in the scope of an advance."""


@record
class Part:
    """A line of a sheet. `name` is flat; `text` is what the ruleset says of it."""

    name: str
    text: str
    private: bool
    span: Span = field(compare=False)


@record
class Trait(Part):
    """A number, yes/no, label or text that the character states. `default` None: it must be stated. Bounds and default
    may read what stands above. `group` is the name of its group, or empty; a member's flat name is `group.member`.
    """

    domain: Domain
    kind: Kind
    default: Expression | None
    group: str = ""


@record
class Group(Part):
    """Traits of one domain; `members` are their flat names. The members' `Trait`s follow it in the sheet's `parts`."""

    members: tuple[str, ...]


@record
class Value(Part):
    """Worked out from what stands above: a number, yes/no, label, text or row of a table."""

    kind: Kind
    value: Expression


@record
class Limit(Part):
    """The character is not legal where the condition does not hold; `text` says why. Has no name."""

    condition: Expression


@record
class Entries(Part):
    """An open list of named entries. `domain` is that of their numbers; None: bare names. `word` is the list's own word
    for that number, or `it`. `traits`, `values` and `limits` are those of one entry, with bare names.
    """

    domain: Domain | None
    word: str
    traits: tuple[Trait, ...]
    values: tuple[Value, ...]
    limits: tuple[Limit, ...]


@record
class Status(Part):
    """What the character is while the condition holds."""

    condition: Expression


@record
class BudgetLine(Part):
    """What one kind of thing costs; the name is flat: `cp.skills`."""

    cost: Expression


@record
class Budget(Part):
    """Points to spend: `amount` in all, `lines` in order. To spend more than there is breaks a limit."""

    amount: Expression
    lines: tuple[BudgetLine, ...]


@record
class Parameter:
    """What an action is given. Its domain's bounds and its default may read the sheet and the parameters before it."""

    name: str
    domain: Domain
    kind: Kind
    default: Expression | None
    span: Span = field(compare=False)


@record
class Refusal:
    """Where the condition holds (`unless`), the whole action is refused with this text."""

    condition: Expression
    text: str
    private: bool
    span: Span = field(compare=False)


@record
class Change:
    """A trait's new value: `value` holds the whole of it (`willpower + n`)."""

    name: str
    value: Expression
    condition: Expression | None
    refusals: tuple[Refusal, ...]
    span: Span = field(compare=False)


@record
class AddEntry:
    """A new entry of a list, or a new number for the entry of this name; `entry` is a text, `number` None for a list of
    bare names.
    """

    entries: str
    entry: Expression
    number: Expression | None
    condition: Expression | None
    refusals: tuple[Refusal, ...]
    span: Span = field(compare=False)


@record
class ChangeEntry:
    """A new number for the entry of this name, which must be there; in `value`, `it` is the number before."""

    entries: str
    entry: Expression
    value: Expression
    condition: Expression | None
    refusals: tuple[Refusal, ...]
    span: Span = field(compare=False)


@record
class RemoveEntry:
    """The entry of this name goes; that it is not there is an error."""

    entries: str
    entry: Expression
    condition: Expression | None
    refusals: tuple[Refusal, ...]
    span: Span = field(compare=False)


Update: TypeAlias = Change | AddEntry | ChangeEntry | RemoveEntry


@record
class Advance(Part):
    """What raising something by one costs. `name` is a trait, group, member or list, or with `new` a list that gets an
    entry (its `next` is the first number above 0). `condition` None: always allowed. `source` is the trait that pays.
    After paying and raising, the `updates` follow in order, with `now` and `next` as they were before.
    """

    new: bool
    condition: Expression | None
    price: Expression
    source: str
    updates: tuple[Update, ...] = ()


@record
class Action(Part):
    """Something that happens to the character: its `updates` in order, each seeing what those above it changed. Where a
    refusal holds, or a result lies outside its domain, nothing at all changes. `private`: whether it was refused, or
    what it did, would betray something private.
    """

    parameters: tuple[Parameter, ...]
    refusals: tuple[Refusal, ...]
    updates: tuple[Update, ...]


@record
class TeamValue(Part):
    """What one member brings to a list input of the rule; the name is that of the input."""

    value: Expression


@record
class Team(Part):
    """How several characters together fill the list inputs of a rule; `name` is the rule's. `inputs` are asked for
    each member, and filled from its sheet where a name of it fits.
    """

    inputs: tuple[Input, ...]
    values: tuple[TeamValue, ...]


AnyPart: TypeAlias = Trait | Group | Entries | Value | Status | Budget | Limit | Advance | Action | Team


@record
class Sheet:
    """A whole sheet, its parts in order."""

    text: str
    span: Span = field(compare=False)
    parts: tuple[AnyPart, ...]

    def of(self, kind: type[P]) -> tuple[P, ...]:
        """The parts of one kind, in order: `sheet.of(Trait)`."""
        return tuple(part for part in self.parts if isinstance(part, kind))

    def part(self, name: str, *kinds: type[P]) -> P | None:
        """The part of this name, if it is of one of these kinds."""
        return next((part for part in self.parts if isinstance(part, kinds) and part.name == name), None)
