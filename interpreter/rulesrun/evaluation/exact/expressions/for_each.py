"""A value for each die or number, added up: the scores of a pool that is unknown."""

from __future__ import annotations

from typing import Any

from rulesrun.evaluation import operations
from rulesrun.evaluation.exact.ask import scored
from rulesrun.evaluation.exact.beyond import Beyond
from rulesrun.evaluation.exact.expressions.arithmetic import endless_number
from rulesrun.evaluation.exact.expressions.compiling import Compilers, Evaluated, compiled
from rulesrun.evaluation.exact.expressions.looking import first_look
from rulesrun.evaluation.exact.expressions.matching import by_matches, matched, told
from rulesrun.evaluation.exact.expressions.outright import is_closed, outright
from rulesrun.evaluation.exact.expressions.tails import each_face
from rulesrun.evaluation.exact.seen import Seen
from rulesrun.evaluation.exact.symbols import Linear, UnknownPool, add, added_up, is_number
from rulesrun.semantics import plan
from rulesrun.semantics.renaming import parts

FEW_WAYS = 2_000
"""In so many ways dice may fall that are looked at before each of others is held against them."""


def _for_each(at: plan.ForEach) -> Evaluated:
    each = outright(at.each, compiled(at.each))
    over = at.over
    items = _range(*over) if isinstance(over, tuple) else compiled(over)

    look_at_cards = first_look(at.each, 0)
    look_at_dice = first_look(_held_against_each(at.each), FEW_WAYS, lists=True)

    by_number = None if isinstance(over, tuple) else by_matches(at.each, over)

    def one(die: Any, seen: Seen, each: Evaluated = each) -> Any:
        return seen.with_die(die, lambda: each(seen))

    def number(die: Any, seen: Seen, each: Evaluated = each) -> Any:
        value = seen.bounded(one(die, seen, each))
        return value if isinstance(value, Beyond) else operations.exact(value, at.each)

    def add_up(seen: Seen) -> Any:
        if by_number is not None:
            there = items(seen)
            if isinstance(there, UnknownPool):
                scores = told(there, lambda die: number(die, seen, by_number), seen)
                sum_of_all = None if scores is None else matched(there, scores, seen)
                if sum_of_all is not None:
                    return sum_of_all
        look_at_cards(seen)
        look_at_dice(seen)
        there = items(seen)
        if isinstance(there, UnknownPool):
            if there.steps:
                for slot, images in there.pieces:
                    each_face(slot, images, lambda die: number(die, seen), there, seen)
                return scored(there, lambda die: number(die, seen), seen)
            total: Any = 0
            for die in there.fixed:
                total = add(total, operations.exact(seen.known(one(die, seen)), at.each))
            by_slot = {}
            for slot, images in there.pieces:
                found = each_face(slot, images, lambda die: number(die, seen), there, seen)
                by_slot[slot] = tuple([0 if value is None else value for value in found])
            return add(total, seen.score(0, by_slot))
        seen.algebra.look_at(len(there))
        with seen.algebra.one_by_one(len(there), at.each.span):
            values = [one(die if endless_number(die, seen) else seen.known(die), seen) for die in there]
        if any(isinstance(value, Linear) for value in values):
            return added_up(
                value if is_number(value) else operations.exact(seen.known(value), at.each) for value in values
            )
        return operations.total([seen.known(value) for value in values], at.each)

    if not is_closed(at):
        return add_up
    key = id(at)
    return outright(at, lambda seen: seen.algebra.once(key, at.each.span, lambda: add_up(seen)))


def _held_against_each(each: plan.Expression) -> tuple[plan.Expression, ...]:
    """The pools that are asked for faces which are others for each die or number."""
    asked = [part for part in parts(each) if isinstance(part, plan.Question)]
    return tuple(part.pool for part in asked if part.faces is not None and not is_closed(part.faces))


def _range(first: plan.Expression, last: plan.Expression) -> Evaluated:
    low, high = compiled(first), compiled(last)
    return lambda seen: operations.span_of_numbers(seen.known(low(seen)), seen.known(high(seen)), first, last)


COMPILERS: Compilers = {plan.ForEach: _for_each}
