"""What the sheet works out of a character: the records that are shown, asked and judged."""

from __future__ import annotations

from collections.abc import Mapping

from rulesrun.diagnostics import Span
from rulesrun.evaluation.values import Value
from rulesrun.record import record
from rulesrun.semantics.plan import Number
from rulesrun.semantics.plan_sheet import Advance, Budget, BudgetLine, Limit, Status


@record
class EntryFigures:
    """An entry of a list: its name, its number (None in a list of bare names), and its traits and values by their bare
    names.
    """

    name: str
    number: Number | None
    names: Mapping[str, Value]


@record
class BudgetFigures:
    """Points: how many there are, what each line costs, what is spent and left."""

    part: Budget
    amount: Number
    lines: tuple[tuple[BudgetLine, Number], ...]
    spent: Number
    left: Number


@record
class Broken:
    """A limit that does not hold, or a budget that is overspent. For an entry's own limit, `entries` and `entry` name
    the list and the entry.
    """

    part: Limit | Budget
    text: str
    entries: str | None = None
    entry: str | None = None


@record
class StepFigures:
    """Raising something by one. `name` is a trait or list; `entry` names the entry of a list, None for one that is not
    there yet. `allowed`: the advance's condition holds and the next number is in the domain; `affordable`: there is
    enough to pay the price, which is None where it cannot be worked out.
    """

    part: Advance
    name: str
    entry: str | None
    now: Number
    next: Number
    price: Number | None
    allowed: bool
    affordable: bool


@record
class Fault:
    """Something that the character states and the sheet does not take, or that cannot be worked out.

    `name` is the trait or list, `entry` and `trait` the entry and its trait; `span` is a place in the ruleset.
    """

    message: str
    private: bool
    name: str | None = None
    entry: str | None = None
    trait: str | None = None
    hint: str | None = None
    span: Span | None = None


@record
class Figures:
    """All that is worked out of a state. `names` holds every name of the sheet: traits, groups and lists (tuples of
    numbers), values, statuses, budgets and their lines. What could not be worked out is not there.
    """

    names: Mapping[str, Value]
    entries: Mapping[str, tuple[EntryFigures, ...]]
    statuses: tuple[Status, ...]
    budgets: tuple[BudgetFigures, ...]
    broken: tuple[Broken, ...]
    steps: tuple[StepFigures, ...]
    faults: tuple[Fault, ...]
