"""What a name of a rule stands for, and which labels are expected at a place."""

from __future__ import annotations

from collections.abc import Mapping

from rulesrun.diagnostics import Span
from rulesrun.record import record

from . import plan
from .facts import NOTHING, Fact
from .world import World


class Stop(Exception):
    """A problem has been told; whatever depends on the faulty part is left alone."""


@record
class Symbol:
    """A name of a rule. `maybe` holds the reasons why it may be none: names of optional values, and of rolls under a
    condition.
    """

    name: str
    what: str
    span: Span
    read: plan.Expression
    fact: Fact = NOTHING
    maybe: frozenset[str] = frozenset()


@record
class Rolled:
    """A rolled rule: its name here, the rule, the condition of the roll, and the roll itself."""

    name: str
    rule: plan.Rule
    span: Span
    condition: plan.Expression | None
    step: plan.Invoke


@record
class Want:
    """The labels that are expected: a bare word among them is a label. Unless `strict`, a name of that spelling comes
    first.
    """

    labels: frozenset[str]
    levels: Mapping[str, plan.Number]
    strict: bool


def wanted(domain: plan.Domain | None, world: World) -> Want | None:
    """The labels that a domain expects."""
    match domain:
        case plan.OneOfDomain(options=options):
            labels = frozenset(each for each in options if isinstance(each, str))
            return Want(labels, {}, True) if labels else None
        case plan.LevelsDomain(levels=name):
            return Want(frozenset(), world.levels[name], True)
        case plan.ListDomain(items=items):
            return wanted(items, world)
        case _:
            return None
