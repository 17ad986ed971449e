"""Expressions all of whose names are known: worked out by one Python function, as a roll would, and as quickly.

In: an expression and the function that evaluates it whatever is known. Out: a function of a `Seen` with the same
values. Where numbers, yes/no, labels, lists of numbers and dice that show numbers are all that it reads, what is
written for rolls (`fast_expressions`) works it out; it is written once the expression was asked so often that it pays.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence, Sized
from typing import Any, TypeVar

from rulesrun.diagnostics import Span
from rulesrun.evaluation.choices import Chosen
from rulesrun.evaluation.exact.effort import Effort
from rulesrun.evaluation.exact.expressions.compiling import Evaluated
from rulesrun.evaluation.exact.seen import Seen
from rulesrun.evaluation.expressions import Writer
from rulesrun.evaluation.fast_expressions import FastExpressions
from rulesrun.evaluation.pools import Die
from rulesrun.evaluation.python import compile_function, read, too_deep
from rulesrun.evaluation.static import COUNT, DICE_BITS, TRUTH, whole_pools
from rulesrun.semantics import plan
from rulesrun.semantics.renaming import parts

OFTEN = 40
"""From so many times on it pays to write a function."""
LARGE = 1 << (DICE_BITS - 1)
"""Numbers up to this are taken."""
EFFORT, FACE = "effort", "face"

Items = TypeVar("Items", bound=Sized)


def outright(at: plan.Expression, slow: Evaluated) -> Evaluated:
    """The function of an expression, quicker where all is known; `slow` where it is not, or where that does not pay."""
    of_die = not is_closed(at)
    if not _pays(at) or (of_die and not is_closed(at, False, ("die",))):
        return slow
    kinds = {each.name: each.kind for each in parts(at) if isinstance(each, plan.Var)}
    whole = whole_pools((), (at,))
    readers = [(name, _READERS.get(kind) if name not in whole else _whole_dice) for name, kind in kinds.items()]
    if any(reader is None for _, reader in readers):
        return slow
    asked = 0
    quick: Callable[..., Any] | None = None

    def value(seen: Seen) -> Any:
        nonlocal asked, quick
        env = seen.env
        known = []
        for name, reader in readers:
            found = reader(env[name])  # type: ignore[misc]
            if found is None:
                return slow(seen)
            known.append(found)
        if of_die:
            face = seen.die.face if type(seen.die) is Die else seen.die
            if _number(face) is None:
                return slow(seen)
            known.append(face)
        if quick is None:
            asked += 1
            if asked < OFTEN:
                return slow(seen)
            quick = _Known(at, kinds, of_die, seen.ruleset).function()
        effort = seen.algebra
        try:
            found = quick(effort, *known)
            if effort.inside and not effort.deep:
                effort.looked_through(at.span)
            return found
        finally:
            if not effort.deep:
                effort.inside = 0

    return value


# ---------------------------------------------------------------- what is taken


def _number(value: Any) -> Any:
    return value if type(value) is int and -LARGE < value < LARGE else None


def _yes_no(value: Any) -> Any:
    return value if type(value) is bool else None


def _label(value: Any) -> Any:
    return value if type(value) is str else None


def _numbers(value: Any) -> Any:
    """A list of numbers, or the faces of dice, as a list."""
    if type(value) is not tuple:
        return None
    if not value:
        return []
    faces: list[Any] = list(value) if type(value[0]) is int else [each.face for each in value if type(each) is Die]
    if len(faces) != len(value) or set(map(type, faces)) != {int} or not -LARGE < min(faces) <= max(faces) < LARGE:
        return None
    return faces


def _list(value: Any) -> Any:
    """A list of numbers as it is."""
    found = _numbers(value)
    return None if found is None else tuple(found)


def _whole_dice(value: Any) -> Any:
    """Dice that show numbers."""
    if type(value) is not tuple or (value and type(value[0]) is not Die):
        return None
    return None if _numbers(value) is None else value


_READERS: Mapping[plan.Kind, Callable[[Any], Any]] = {
    plan.Kind.NUMBER: _number,
    plan.Kind.YES_NO: _yes_no,
    plan.Kind.LABEL: _label,
    plan.Kind.POOL: _numbers,
    plan.Kind.LIST: _list,
}

_ONE_BY_ONE = (plan.ForEach, plan.WithEach, plan.Where, plan.Union)
_SINGLE = (plan.Kind.NUMBER, plan.Kind.YES_NO, plan.Kind.LABEL)
ENOUGH = 6
"""From so many operations on a function of its own pays."""


def _pays(at: plan.Expression) -> bool:
    """Whether there is so much to work out that to look at what is known is little beside it."""
    if at.kind not in _SINGLE:
        return False
    operations = 0
    for each in parts(at):
        if isinstance(each, _ONE_BY_ONE):
            return True
        operations += isinstance(each, plan.Expr) and not isinstance(each, plan.Var | plan.Const)
    return operations >= ENOUGH


def is_closed(at: Any, inside: bool = False, but: tuple[str, ...] = ()) -> bool:
    """Whether `die` and the like, `but` these, are only read inside what says of which dice; `inside` such a part all
    are.
    """
    match at:
        case plan.NewestGroup():
            return False
        case plan.Each(word=word):
            return inside or word in but
        case plan.ForEach(over=over, each=each):
            return is_closed(over, inside, but) and is_closed(each, True)
        case plan.WithEach(pool=pool, changed=each) | plan.Where(pool=pool, condition=each):
            return is_closed(pool, inside, but) and is_closed(each, True)
        case plan.Cancelled(pool=pool, by=by, when=when):
            return is_closed(pool, inside, but) and is_closed(by, inside, but) and is_closed(when, True)
        case tuple():
            return all(is_closed(each, inside, but) for each in at)
        case _:
            names = getattr(type(at), "__match_args__", ())
            return all(is_closed(getattr(at, name), inside, but) for name in names if name != "span")


# ---------------------------------------------------------------- the function


class _Known(FastExpressions):
    """Writes one expression over names that are known; pools are lists of their faces where that is enough."""

    def __init__(
        self, at: plan.Expression, kinds: Mapping[str, plan.Kind], of_die: bool, ruleset: plan.RulesetPlan
    ) -> None:
        policy: Mapping[str, Chosen] = {"": plan.Policy("value", at)}
        super().__init__(ruleset, _no_rule(at.span), policy)
        self.at, self.kinds, self.of_die = at, kinds, of_die
        for name, kind in kinds.items():
            self.define(name)
            if kind is plan.Kind.LABEL:
                self._labels.add(name)
            else:
                self.knowledge.names[name] = TRUTH if kind is plan.Kind.YES_NO else COUNT

    def function(self) -> Callable[..., Any]:
        """A function of the effort so far, the values of the names in their order and perhaps the face of a die."""
        parameters = [EFFORT, *(self.local[name] for name in self.kinds)]
        words: dict[str, ast.expr] = {}
        if self.of_die:
            parameters.append(FACE)
            words["die"] = read(FACE)
            self.knowledge.inside(COUNT)
        try:
            with self.words(words):
                body: Sequence[ast.stmt] = [ast.Return(self.value(self.at))]
        except RecursionError:
            raise too_deep(self.at.span) from None
        return compile_function(parameters, body, self.constants, self.at.span)

    def counted(self, items: ast.expr, each: plan.Expression) -> ast.expr:
        """The items, held against what a question may cost."""
        return self.constants.call(_counted, items, read(EFFORT), self.constants.name_of(each.span))

    def call(self, e: plan.Call, arguments: ast.expr) -> ast.expr:
        """The value of a formula."""
        return Writer.call(self, e, arguments)


def _counted(items: Items, effort: Effort, span: Span) -> Items:
    effort.look_at(len(items))
    effort.look_inside(len(items), span)
    return items


def _no_rule(span: Span) -> plan.Rule:
    return plan.Rule("", "", span, (), (), (), (), (), (), (), {})
