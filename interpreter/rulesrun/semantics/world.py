"""All that a ruleset defines outside its rules, as far as it is sound.

In: filled by `items` and `rules` in the order in which things are needed. Out: what names mean that stand for
something of the whole ruleset. What was written but is faulty is remembered as `broken`, so that its users are not
blamed too.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from rulesrun.diagnostics import Span
from rulesrun.record import field_names
from rulesrun.syntax import nodes as n

from . import plan

COIN = plan.Faces("coin", ((1, 1), (0, 1)))
FUDGE = plan.Faces("dF", ((-1, 1), (0, 1), (1, 1)))


@dataclass(slots=True)
class World:
    """The settings, tables, levels, bags, dice and rules of a ruleset, by name.

    `written` says where each name of an item stands, sound or not, by what it is ("table", "die" ...);
    `written_tables` are the tables as parsed, for domains that are the labels of one. `labels` are
    all the labels that occur anywhere, `symbols` those on dice and tokens; `marked` says whether some may stand beside
    a number. `asked` are the names that some line asks
    as dice. `used` collects the settings that something reads. `sizes` and `depths` say how many steps a rule has,
    and how deep rules roll rules in it.
    """

    settings: dict[str, plan.Setting] = field(default_factory=dict)
    tables: dict[str, plan.Table] = field(default_factory=dict)
    two_way: dict[str, plan.TwoWayTable] = field(default_factory=dict)
    levels: dict[str, Mapping[str, plan.Number]] = field(default_factory=dict)
    bags: dict[str, plan.Bag] = field(default_factory=dict)
    dice: dict[str, plan.NamedDie] = field(default_factory=dict)
    rules: dict[str, plan.Rule] = field(default_factory=dict)
    sizes: dict[str, int] = field(default_factory=dict)
    depths: dict[str, int] = field(default_factory=dict)
    written: dict[str, dict[str, Span]] = field(default_factory=dict)
    written_tables: Mapping[str, n.Table] = field(default_factory=dict)
    labels: frozenset[str] = frozenset()
    symbols: frozenset[str] = frozenset()
    marked: bool = True
    asked: frozenset[str] = frozenset()
    formulas: dict[str, plan.Formula] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)

    @classmethod
    def of(cls, ruleset: plan.RulesetPlan) -> World:
        """The world of a finished plan, for conditions and policies that a caller gives."""
        labels = {case.label for rule in ruleset.rules.values() for case in rule.outcomes}
        labels |= {row.label for table in ruleset.tables.values() for row in table.rows if row.label is not None}
        return cls(
            settings=dict(ruleset.settings),
            tables=dict(ruleset.tables),
            two_way=dict(ruleset.two_way),
            levels=dict(ruleset.levels),
            bags=dict(ruleset.bags),
            rules=dict(ruleset.rules),
            labels=frozenset(labels),
        )

    def is_broken(self, what: str, name: str) -> bool:
        """Whether an item of this name is written but has no sound meaning (yet)."""
        sound: Mapping[str, Mapping[str, object]] = {
            "setting": self.settings,
            "table": {**self.tables, **self.two_way},
            "levels": self.levels,
            "bag": self.bags,
            "die": self.dice,
            "rule": self.rules,
        }
        return name in self.written.get(what, ()) and name not in sound[what]

    def level(self, name: str) -> plan.Number | None:
        """The number that a level's name stands for, if all levels that know the name agree."""
        found = {each[name] for each in self.levels.values() if name in each}
        return found.pop() if len(found) == 1 else None


def all_parts(part: object) -> list[object]:
    """A part of a parsed tree and everything in it, outer parts first; tuples are passed through."""
    found: list[object] = []
    waiting = [part]
    while waiting:
        each = waiting.pop()
        if isinstance(each, tuple):
            waiting.extend(reversed(each))
        elif isinstance(each, n.Part):
            found.append(each)
            waiting.extend(reversed([getattr(each, name) for name in field_names(each) if name != "span"]))
    return found
