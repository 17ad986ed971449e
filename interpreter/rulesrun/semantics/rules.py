"""Rules: their lines compiled once, rules that are rolled before those that roll them, and what a caller may ask of
each.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from rulesrun.diagnostics import Diagnostic, Span
from rulesrun.suggestions import nearest
from rulesrun.syntax import nodes as n

from . import plan
from .calls import defined_names, with_policies
from .lines import Lines
from .messages import calls as say
from .messages import lines as say_lines
from .plan import Kind
from .renaming import names_in
from .scanning import named_rules
from .symbols import Stop
from .world import World

VALUES = (Kind.NUMBER, Kind.YES_NO, Kind.LABEL, Kind.TEXT, Kind.ROW)


class RuleMaker:
    """Puts the rules of a ruleset into its world, each where it is sound. `read` keeps what was learned of each, for
    the checks.
    """

    def __init__(self, world: World, rules: dict[str, n.Rule], problems: list[Diagnostic]) -> None:
        self.world = world
        self.rules = rules
        self.problems = problems
        self.faulty: set[str] = set()
        self.read: dict[str, Lines] = {}

    def make(self) -> None:
        """All rules, each after those that it rolls."""
        order, circles = in_order(self.rules)
        for at, circle in circles:
            self.faulty.update(circle)
            self.problems.append(say.rolls_itself(at, circle))
        for name in order:
            self._rule(name)

    def named(self, node: n.Name) -> plan.Rule:
        """The rule that is rolled or whose inputs are taken; raises `Stop` if there is none or it is faulty, which has
        been told by then.
        """
        if node.text not in self.rules:
            self.problems.append(say.unknown_rule(node.span, node.text, nearest(node.text, self.rules)))
            raise Stop
        if node.text not in self.world.rules:
            raise Stop
        return self.world.rules[node.text]

    def _rule(self, name: str) -> None:
        lines = Lines(self.world, self.problems, self.named, self.rules[name])
        before = len(self.problems)
        lines.read(self.rules[name].lines)
        lines.finish_aims()
        self.read[name] = lines
        steps = limits_first(with_policies(tuple(lines.steps), lines.best_for), self.problems)
        if lines.broken or self._own_errors(name, before):
            self.faulty.add(name)
        if name not in self.faulty:
            self.world.rules[name] = finished(self.rules[name], lines, steps)
            self.world.sizes[name] = lines.size
            self.world.depths[name] = lines.depth

    def _own_errors(self, name: str, before: int) -> bool:
        span = self.rules[name].span
        places = [each.primary.span for each in self.problems[before:] if each.is_error and each.primary]
        return any(place.source is span.source and span.start <= place.start <= span.end for place in places)


def in_order(rules: Mapping[str, n.Rule]) -> tuple[list[str], list[tuple[Span, list[str]]]]:
    """The rules so that each comes after those it rolls, and the circles, each with the place that closes it."""
    order: list[str] = []
    circles: list[tuple[Span, list[str]]] = []
    done: set[str] = set()
    for first in rules:
        path: dict[str, Iterator[n.Name]] = {first: iter(named_rules(rules[first], rules))} if first not in done else {}
        while path:
            here = next(reversed(path))
            node = next(path[here], None)
            if node is None:
                path.pop(here)
                done.add(here)
                order.append(here)
            elif node.text in path:
                names = list(path)
                circles.append((node.span, [*names[names.index(node.text) :], node.text]))
            elif node.text not in done:
                path[node.text] = iter(named_rules(rules[node.text], rules))
    return order, circles


def limits_first(steps: tuple[plan.AnyStep, ...], problems: list[Diagnostic]) -> tuple[plan.AnyStep, ...]:
    """The steps with every limit, and the values it needs, before the first draw; a limit that needs a draw is an
    error.
    """
    first = next(
        (index for index, step in enumerate(steps) if not isinstance(step, plan.Limit | plan.Define)), len(steps)
    )
    late = [step for step in steps[first:] if isinstance(step, plan.Limit)]
    if not late:
        return steps
    others = [step for step in steps if not isinstance(step, plan.Limit | plan.Define)]
    random = set(defined_names(others))
    defines = {step.name: step for step in steps if isinstance(step, plan.Define)}
    for define in defines.values():
        if names_in(define.value) & random:
            random.add(define.name)
    needed: set[str] = set()
    for limit in late:
        if drawn := sorted(names_in(limit.condition) & random):
            problems.append(say_lines.limit_after_roll(limit.condition.span, drawn[0]))
        needed |= _needs(limit.condition, defines)
    early = [
        step
        for step in steps[first:]
        if isinstance(step, plan.Limit) or (isinstance(step, plan.Define) and step.name in needed)
    ]
    return (*steps[:first], *early, *(step for step in steps[first:] if step not in early))


def _needs(expression: plan.Expression, defines: dict[str, plan.Define]) -> set[str]:
    found: set[str] = set()
    waiting = list(names_in(expression))
    while waiting:
        name = waiting.pop()
        if name in defines and name not in found:
            found.add(name)
            waiting += names_in(defines[name].value)
    return found


def finished(node: n.Rule, lines: Lines, steps: tuple[plan.AnyStep, ...]) -> plan.Rule:
    """The rule with what a caller may name in it."""
    values: list[plan.Value] = []
    flags = [plan.NamedText(step.name, step.text, step.span) for step in steps if isinstance(step, plan.Flag)]
    choices: list[plan.NamedText] = []
    dice: list[str] = []
    _collect(steps, values, choices, dice, True)
    inputs = tuple(lines.inputs.values())
    nested = [step.name for step in _inside(steps) if isinstance(step, plan.Flag)]
    names = [each.name for each in inputs] + [each.name for each in values] + dice + nested
    names += [each.name for each in (*flags, *choices)]
    return plan.Rule(
        node.name.text,
        node.text,
        node.name.span,
        inputs,
        steps,
        lines.outcomes,
        tuple(values),
        tuple(flags),
        tuple(choices),
        tuple(dict.fromkeys(dice)),
        short_names(names),
    )


def _collect(
    steps: Iterable[plan.AnyStep],
    values: list[plan.Value],
    choices: list[plan.NamedText],
    dice: list[str],
    lasting: bool,
) -> None:
    for step in steps:
        match step:
            case plan.Define(name=name, value=value) if lasting and value.kind in VALUES:
                values.append(plan.Value(name, value.kind, step.span))
            case plan.Track(name=name, kind=kind) if lasting and kind in VALUES:
                values.append(plan.Value(name, kind, step.span))
            case plan.Choice(name=name, text=text):
                choices.append(plan.NamedText(name, text, step.span))
            case plan.Draw(name=name) | plan.BagDraw(name=name):
                dice.append(name)
            case plan.Invoke(steps=inner):
                _collect(inner, values, choices, dice, lasting)
            case plan.Repeat(steps=inner):
                _collect(inner, values, choices, dice, False)
            case _:
                pass


def _inside(steps: Iterable[plan.AnyStep]) -> list[plan.AnyStep]:
    """The steps of rolled rules, not those of repeated bodies."""
    return [each for step in steps if isinstance(step, plan.Invoke) for each in (*step.steps, *_inside(step.steps))]


def short_names(names: Iterable[str]) -> dict[str, str]:
    """The endings of dotted names that only one name bears, to that name."""
    known = dict.fromkeys(names)
    bearers: dict[str, list[str]] = {}
    for name in known:
        parts = name.split(".")
        for start in range(1, len(parts)):
            bearers.setdefault(".".join(parts[start:]), []).append(name)
    return {short: found[0] for short, found in bearers.items() if len(found) == 1 and short not in known}
