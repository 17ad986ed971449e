"""What the checks look at: the items of a ruleset and what was understood of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...record import record
from ...syntax import nodes as n
from .. import plan
from ..lines import Lines
from ..variants import Items
from ..world import World


@record
class Checked:
    """The files, their items, the world made of them, the lines of every rule with what they mean, and the sound examples."""

    files: Sequence[n.File]
    items: Items
    world: World
    read: Mapping[str, Lines]
    examples: Sequence[plan.Example]
