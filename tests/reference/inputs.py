"""What can be read off a rule without following it: its inputs, the rules it rolls, the labels a domain allows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rulesrun.syntax import nodes as n

Rules = Mapping[str, n.Rule]


def every_line(lines: tuple[n.Line, ...]) -> Iterator[n.Line]:
    """The lines and those inside repetitions."""
    for line in lines:
        yield line
        if isinstance(line, n.Repeat):
            yield from every_line(line.lines)


def draws_of(lines: tuple[n.Line, ...]) -> Iterator[n.Draw]:
    return (line for line in every_line(lines) if isinstance(line, n.Draw))


def rolled_rule(rules: Rules, owner: n.Rule, thrown: n.Throw) -> n.Rule | None:
    """The rule that a roll in `owner` makes, None if it throws dice."""
    match thrown.groups[0]:
        case n.RuleRoll(rule=name):
            return rules[name.text]
        case n.RerollRule(rolled=first):
            rolls = (line for line in every_line(owner.lines) if isinstance(line, n.Roll))
            again = next(line for line in rolls if line.name.text == first.text)
            return rolled_rule(rules, owner, again.cases[0].throw)
        case n.Dice(count=None, kind=n.Name() as kind):
            return rules.get(kind.text)
    return None


def givens(rules: Rules, rule: n.Rule) -> Iterator[n.Given]:
    """The inputs written in a rule, with those taken over from another."""
    for line in rule.lines:
        if isinstance(line, n.Given):
            yield line
        elif isinstance(line, n.GivenAllOf):
            without = {word.text for word in line.without}
            yield from (each for each in givens(rules, rules[line.rule.text]) if each.name.text not in without)


def inputs_of(world: Any, rule: n.Rule) -> dict[str, n.Domain]:
    """All inputs of a rule by name: its own, and as `NAME.input` those of the rules it rolls that it neither passes
    nor has itself.
    """
    found = {each.name.text: each.domain for each in givens(world.rules, rule)}
    own = set(found)
    for line in every_line(rule.lines):
        if not isinstance(line, n.Roll) or isinstance(line.cases[0].throw.groups[0], n.RerollRule):
            continue
        rolled = rolled_rule(world.rules, rule, line.cases[0].throw)
        if rolled is None:
            continue
        group = line.cases[0].throw.groups[0]
        written = {each.name.text for each in group.arguments} if isinstance(group, n.RuleRoll) else set()
        for name, domain in inputs_of(world, rolled).items():
            if name not in written and name not in own and name not in world.settings:
                found[f"{line.name.text}.{name}"] = domain
    return found


def options_of(domain: Any, levels: Mapping[str, n.Levels | n.Table] | None = None) -> tuple[str, ...]:
    """The labels that a bare word may be where this domain is expected."""
    match domain:
        case n.OneOfDomain(options=options):
            return tuple(each.text for each in options if isinstance(each, n.Word))
        case n.LevelsDomain(levels=name) if levels is not None:
            named = levels[name.text]
            if isinstance(named, n.Table):
                return tuple(row.key.text for row in named.rows if isinstance(row.key, n.Word))
            return tuple(each.name.text for each in named.levels)
        case n.ListDomain(items=inner) | n.OrNone(domain=inner):
            return options_of(inner, levels)
    return ()


def as_policy(written: n.Expression | n.Policy) -> n.Policy:
    """A policy in the brackets of a roll: `push = never` is read as a value there."""
    if isinstance(written, n.Policy):
        return written
    if isinstance(written, n.Name) and written.text in ("never", "always", "default", "best", "worst"):
        word: Any = written.text
        return n.Policy(written.span, word)
    return n.Policy(written.span, "value", written)
