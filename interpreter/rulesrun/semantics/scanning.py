"""What can be seen of a rule by looking over its lines, before any of them is understood.

In: parsed lines. Out: which names they define, which labels each name is compared with, which names are asked as dice.
"""

from __future__ import annotations

from collections.abc import Container
from typing import Any

from rulesrun.diagnostics import Span
from rulesrun.syntax import nodes as n

from .world import all_parts


def defined_later(lines: tuple[n.Line, ...]) -> dict[str, Span]:
    """Where the names are defined that the lines define, those of repeated bodies included."""
    found: dict[str, Span] = {}
    for part in all_parts(lines):
        if isinstance(part, n.Given | n.Roll | n.Define | n.Choice | n.Track | n.Draw | n.Flag):
            found.setdefault(part.name.text, part.name.span)
    return found


def compared_labels(parts: list[object]) -> dict[str, frozenset[str]]:
    """The labels that each name is compared with somewhere in a rule."""
    found: dict[str, frozenset[str]] = {}
    for part in parts:
        if isinstance(part, n.IsLabel) and isinstance(part.left, n.Name):
            found[part.left.text] = found.get(part.left.text, frozenset()) | {word.text for word in part.labels}
    return found


def asked_in(parts: list[object]) -> set[str]:
    """The names that are asked as dice somewhere: their dice must not be summed up before."""
    found: set[str] = set()
    for part in parts:
        pools: list[Any] = []
        match part:
            case (
                n.Question(pool=pool)
                | n.Showing(pool=pool)
                | n.WithEach(pool=pool)
                | n.Where(pool=pool)
                | n.SameDice(pool=pool)
                | n.DiceOfChoice(pool=pool)
            ):
                pools = [pool]
            case n.WinsOf(left=left, right=right) | n.Outranks(left=left, right=right):
                pools = [left, right]
            case n.Cancelled(pool=pool, by=by) | n.Without(pool=pool, gone=by):
                pools = [pool, by]
            case n.ForEach(over=over):
                pools = [over]
            case n.Faces(alternatives=alternatives):
                pools = list(alternatives)
        for pool in pools:
            found |= _pool_names(pool)
    return found


def _pool_names(node: object) -> set[str]:
    match node:
        case n.Name(text=text):
            return {text}
        case n.Bracket(inside=inside):
            return _pool_names(inside)
        case n.Binary(operator="+", left=left, right=right):
            return _pool_names(left) | _pool_names(right)
        case n.Cases(cases=cases):
            return set().union(*(_pool_names(case.value) for case in cases))
        case _:
            return set()


def asked_names(parts: list[object], rule: n.Rule, elsewhere: frozenset[str]) -> frozenset[str]:
    """The names of a rule that are asked as dice here or elsewhere, and those whose dice they hold."""
    found = asked_in(parts) | elsewhere
    defines = [part for part in parts if isinstance(part, n.Define)]
    for define in reversed(defines):
        if define.name.text in found:
            found |= _pool_names(define.value)
    return frozenset(found)


def named_rules(rule: n.Rule, rules: Container[str]) -> list[n.Name]:
    """The rules that a rule rolls, or whose inputs it takes, where they are named."""
    found: list[n.Name] = []
    for part in all_parts(rule.lines):
        match part:
            case n.RuleRoll(rule=name) | n.Dice(count=None, kind=n.Name() as name) if name.text in rules:
                found.append(name)
            case n.Formula(rule=name) if name.text in rules:
                found.append(name)
            case n.GivenAllOf(rule=word) if word.text in rules:
                found.append(n.Name(word.span, (word.text,)))
            case _:
                pass
    return found
