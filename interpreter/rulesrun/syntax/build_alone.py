"""Dice that are thrown without a file: `4d6, keep highest 3`, `2d20kh1 + 5`, `skill d6 + bonus`.

Out: the tree of a ruleset of one rule, `throw`. Its dice are the pool `dice`, those behind a minus the pool `minus`;
`total` is the sum of all that is written. Names are inputs.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Literal, TypeAlias

from lark import Token, v_args
from lark.tree import Meta

from rulesrun.diagnostics import Span

from . import nodes as n
from .build_throws import ThrowParts

Sign: TypeAlias = Literal["+", "-"]


@v_args(meta=True)
class AloneParts(ThrowParts):
    """The grammar's rules for a throw without a file have the methods of their names here."""

    def alone_sign(self, meta: Meta, parts: list[Token]) -> Sign:
        return "-" if parts[0] == "-" else "+"

    def alone_throw(self, meta: Meta, parts: list[Any]) -> n.File:
        at = self._at(meta)
        terms = [part for part in parts if isinstance(part, n.Dice | n.Number)]
        signs: list[Sign] = ["+", *parts[1 : 2 * len(terms) - 1 : 2]]
        modifiers = self._in_order(parts[2 * len(terms) - 1 :])
        pools: dict[Sign, list[n.Dice]] = {"+": [], "-": []}
        summed: list[tuple[Sign, n.Expression]] = []
        for sign, term in zip(signs, terms, strict=True):
            if isinstance(term, n.Number):
                summed.append((sign, term))
            elif term.count is None and isinstance(term.kind, n.Name):
                summed.append((sign, term.kind))
            else:
                pools[sign].append(term)
        if not pools["+"] and not pools["-"]:
            self._refuse("no-dice", at, "no dice are thrown here", "dice are written `d20`, `4d6`, `3d{1, 2, 2}`")
        if pools["-"] and modifiers:
            hint = "write it in short right behind its dice: `4d6kh3 - d4`"
            self._refuse("modifier-misplaced", modifiers[0].span, "it remains open which dice this is for", hint)
        lines: list[n.Line] = [_input(name) for name in {each.text: each for each in _names(terms)}.values()]
        lines += [_roll("dice", pools["+"], modifiers)] if pools["+"] else []
        lines += [_roll("minus", pools["-"], ())] if pools["-"] else []
        pooled = [(sign, _sum_of(at, name)) for sign, name in _POOLS if pools[sign]]
        lines.append(n.Define(at, n.Word(at, "total"), None, _added(at, [*pooled, *summed])))
        rule = n.Rule(at, n.Word(at, "throw"), tuple(lines), "")
        return n.File(at, (n.System(at, " ".join(self.source.text.split()), ()), rule))


_POOLS: tuple[tuple[Sign, str], ...] = (("+", "dice"), ("-", "minus"))


def _names(terms: list[n.Dice | n.Number]) -> list[n.Name]:
    """The names that stand for numbers: of dice, of sides, or added."""
    numbers: list[object] = []
    for term in terms:
        if isinstance(term, n.Dice):
            numbers.append(term.kind if term.count is None else term.count)
            if isinstance(term.kind, n.Sides):
                numbers.append(term.kind.sides)
    return [each for each in numbers if isinstance(each, n.Name)]


def _input(name: n.Name) -> n.Given:
    domain = n.NumberDomain(name.span, n.Range(name.span, None, None))
    return n.Given(name.span, n.Word(name.span, name.text), domain, None, "")


def _roll(name: str, groups: list[n.Dice], modifiers: tuple[n.Modifier | n.When, ...]) -> n.Roll:
    at = groups[0].span.to(groups[-1].span)
    throw = n.Throw(at, tuple(groups), modifiers)
    return n.Roll(at, n.Word(at, name), (n.RollCase(at, throw, None),), "")


def _sum_of(at: Span, pool: str) -> n.Expression:
    return n.Question(at, "sum", n.Name(at, (pool,)))


def _added(at: Span, terms: list[tuple[Sign, n.Expression]]) -> n.Expression:
    total: n.Expression | None = None
    for sign, term in terms:
        if total is not None:
            total = n.Binary(at, sign, total, term)
        else:
            total = term if sign == "+" else n.Unary(at, "-", term)
    return total or n.Number(at, Fraction(0))
