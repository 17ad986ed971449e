"""From parsed files to a checked plan.

In: the files of a ruleset, base first, and values for its settings. Out: a `plan.RulesetPlan`. Raises `RulesError`
with every problem of the files at once, in the order of their places; what is only doubtful stands in the plan's
`warnings`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeAlias

from rulesrun.diagnostics import Diagnostic, RulesError, Span
from rulesrun.limits import in_force
from rulesrun.suggestions import nearest
from rulesrun.syntax import nodes as n

from . import plan
from .checks import CHECKS, Checked
from .examples import ExampleMaker
from .items import Given, ItemMaker
from .messages import items as say
from .rules import RuleMaker
from .scanning import asked_in
from .variants import Items, together
from .world import World, all_parts

if TYPE_CHECKING:
    from .plan_sheet import Sheet


def compile_ruleset(files: Sequence[n.File], settings: Mapping[str, Given] = MappingProxyType({})) -> plan.RulesetPlan:
    """The plan of a chain of files; `settings` are values that replace those written."""
    problems: list[Diagnostic] = []
    items = together(files, problems)
    world = _world_of(items)
    makes_items = ItemMaker(world, items, problems)
    for name in settings:
        if name not in items.settings:
            problems.append(say.unknown_setting(name, nearest(name, items.settings), items.source_name))
    makes_items.make(settings)
    makes_rules = RuleMaker(world, items.rules, problems)
    makes_rules.make()
    if not any(each.is_error for each in problems):
        problems += _onward(world)
    sheet = _sheet(items, world, makes_rules, problems)
    examples = _examples(files, items, world, makes_items, makes_rules, problems)
    whole = not any(each.is_error for each in problems)
    checked = Checked(files, items, world, makes_rules.read, examples, whole)
    for check in CHECKS:
        problems += check(checked)
    ordered = _in_order(problems, files)
    if any(each.is_error for each in ordered):
        raise RulesError(ordered)
    own = tuple(each for each in examples if each.span.source is files[-1].span.source)
    return _plan(items, world, own, ordered, sheet)


def _onward(world: World) -> list[Diagnostic]:
    """Items that have no meaning though nothing is wrong with them: they refer to what is read after them."""
    broken = [
        (span, name)
        for what, found in world.written.items()
        for name, span in found.items()
        if world.is_broken(what, name)
    ]
    return [say.refers_onward(span, name) for span, name in broken[:1]]


Named: TypeAlias = n.Setting | n.DieItem | n.Bag | n.Levels | n.Table | n.Rule


def _world_of(items: Items) -> World:
    """A world in which everything is written and nothing is understood yet."""
    world = World()
    named: dict[str, Mapping[str, Named]] = {
        "setting": items.settings,
        "die": items.dice,
        "bag": items.bags,
        "levels": items.levels,
        "table": items.tables,
        "rule": items.rules,
    }
    world.written = {what: {name: item.name.span for name, item in found.items()} for what, found in named.items()}
    world.written_tables = items.tables
    examples = [part for item in items.examples.values() for part in all_parts(item)]
    everything = [part for found in named.values() for item in found.values() for part in all_parts(item)] + examples
    everything += all_parts(items.sheet)
    world.labels = frozenset(_labels(everything))
    world.symbols = frozenset(_symbols(everything, items))
    world.marked = any(
        part.symbols if isinstance(part, n.BagNumbers) else part.number is not None
        for part in everything
        if isinstance(part, n.BagNumbers | n.Symbols)
    )
    asked = asked_in(everything)
    world.asked = frozenset(name.rpartition(".")[2] for name in asked if "." in name) | frozenset(asked_in(examples))
    return world


def _labels(parts: list[object]) -> set[str]:
    found: set[str] = set()
    for part in parts:
        match part:
            case n.OneOfDomain(options=options):
                found |= {each.text for each in options if isinstance(each, n.Word)}
            case n.Table(columns=columns):
                found |= {key.text for key in columns if isinstance(key, n.Word)}
            case n.OutcomeLine(label=label):
                found.add(label.text)
            case n.Row(key=key, entries=entries):
                found |= {each.text for each in entries if isinstance(each, n.Word)}
                found |= {key.text} if isinstance(key, n.Word) else set()
    return found


def _symbols(parts: list[object], items: Items) -> set[str]:
    found = {word.text for part in parts if isinstance(part, n.Symbols) for word in part.words}
    found |= {word.text for part in parts if isinstance(part, n.BagNumbers) for word in part.symbols}
    return found | {
        part.name.text for part in parts if isinstance(part, n.BagNamed) and part.name.text not in items.dice
    }


def _examples(
    files: Sequence[n.File],
    items: Items,
    world: World,
    makes_items: ItemMaker,
    makes_rules: RuleMaker,
    problems: list[Diagnostic],
) -> tuple[plan.Example, ...]:
    """The examples. Those of a base file speak of its rules, not of this variant's: they need not fit here."""
    found: list[plan.Example] = []
    last = files[-1].span.source if files else None
    for node in items.examples.values():
        own: list[Diagnostic] = []
        makes_items.problems = own
        maker = ExampleMaker(world, makes_items, makes_rules.named, own)
        example = maker.example(node)
        if node.span.source is last:
            problems += own
        if example is not None:
            found.append(example)
    return tuple(found)


def _sheet(items: Items, world: World, makes_rules: RuleMaker, problems: list[Diagnostic]) -> Sheet | None:
    if items.sheet is None:
        return None
    from .sheet_actions import SheetMaker  # a ruleset without a sheet does without

    return SheetMaker(world, problems, makes_rules.named).sheet(items.sheet)


def _in_order(problems: Sequence[Diagnostic], files: Sequence[n.File]) -> list[Diagnostic]:
    """Without repetition, by file and place; problems without a place come first."""
    order = {id(file.span.source): index for index, file in enumerate(files)}

    def place(problem: Diagnostic) -> tuple[int, int, bool]:
        span: Span | None = problem.primary.span if problem.primary else None
        return (order.get(id(span.source), len(order)), span.start, not problem.is_error) if span else (-1, 0, False)

    return sorted(dict.fromkeys(problems), key=place)


def _plan(
    items: Items,
    world: World,
    examples: tuple[plan.Example, ...],
    warnings: Sequence[Diagnostic],
    sheet: Sheet | None,
) -> plan.RulesetPlan:
    facts = {fact.what: fact.text for fact in items.system.facts} if items.system else {}
    name = items.system.name if items.system else items.source_name.rpartition("/")[2].removesuffix(".rules")
    rules = {rule: world.rules[rule] for rule in items.rules}
    return plan.RulesetPlan(
        name, facts.get("about", ""), facts.get("version", ""), facts.get("source", ""),
        world.settings, world.tables, world.two_way, world.levels, world.bags, rules, examples, tuple(warnings),
        in_force.get(), sheet,
    )  # fmt: skip
