"""What the checks look at: the items of a ruleset and what was understood of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rulesrun.record import record
from rulesrun.semantics import plan
from rulesrun.semantics.lines import Lines
from rulesrun.semantics.variants import Items
from rulesrun.semantics.world import World
from rulesrun.syntax import nodes as n


@record
class Checked:
    """The files, their items, the world made of them, the lines of every rule with what they mean, and the sound
    examples.
    """

    files: Sequence[n.File]
    items: Items
    world: World
    read: Mapping[str, Lines]
    examples: Sequence[plan.Example]
