"""Counts, sums, sets and the other questions asked of a pool or of two, known or unknown, or of a list of numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulesrun.evaluation import operations, pools
from rulesrun.evaluation.exact.ask import Pictures, ask_faces, ask_unknown, countable
from rulesrun.evaluation.exact.expressions.arithmetic import endless_number
from rulesrun.evaluation.exact.expressions.comparisons import compared
from rulesrun.evaluation.exact.expressions.compiling import Compilers, Evaluated, compiled, compiled_faces
from rulesrun.evaluation.exact.expressions.looking import raise_reveal
from rulesrun.evaluation.exact.expressions.number_lists import FITTING, asked_of_numbers
from rulesrun.evaluation.exact.one_die import dice_of_list
from rulesrun.evaluation.exact.seen import Seen
from rulesrun.evaluation.exact.symbols import Asked, Inside, Linear, Ranges, UnknownPool, add, is_number
from rulesrun.evaluation.faces import FaceTest, expressions_of
from rulesrun.semantics import plan
from rulesrun.semantics.borne import number_on

TEST = 40
"""To ask unknown dice for faces that have to be worked out first costs as much as to look at so many items."""


def _question(at: plan.Question) -> Evaluated:
    pool = compiled(at.pool)
    faces = None if at.faces is None else compiled_faces(at.faces)
    constant = at.faces is not None and all(isinstance(each, plan.Const) for each in expressions_of(at.faces))
    pictures: Pictures = {}
    of_each: dict[FaceTest, Pictures] = {}
    one_by_one = None if constant or at.faces is None else _one_by_one(at, at.faces)
    last: list[tuple[Any, ...]] = [(None, (), None)]

    def sum_of(there: UnknownPool, seen: Seen) -> Any:
        """The sum, which one situation after another asks of the same dice."""
        pool, sources, answer = last[0]
        throws = [seen.sources[name] for (name, _), _ in there.pieces]
        if pool is not there or any(before is not now for before, now in zip(sources, throws, strict=True)):
            answer = ask_unknown("sum", there, None, seen)
            last[0] = there, throws, answer
        return answer

    def ask(seen: Seen) -> Any:
        there = pool(seen)
        if one_by_one is not None and type(there) is tuple:
            found = one_by_one(there, seen)
            if found is not None:
                return found
        test = None if faces is None else faces(seen)
        if not isinstance(there, UnknownPool) and any(isinstance(each, Linear) for each in there):
            if at.asked == "sum":
                total: Any = 0
                for each in there:
                    total = add(total, each)
                return total
            dice = dice_of_list(there, seen)
            if dice is None:
                answer = asked_of_numbers(at, there, test, seen)
                if answer is not None:
                    return answer
            there = dice or seen.known(there)
        if test is not None and isinstance(there, UnknownPool):
            if at.asked in ("sets", "groups"):
                return ask_unknown(at.asked, there, test, seen)
            if len(of_each) > 100:
                of_each.clear()
            if not constant:
                seen.algebra.look_at(TEST)
            mine = pictures if constant else of_each.setdefault(test, {})
            if len(mine) > 1000:
                mine.clear()
            return ask_faces(at.asked, there, test, seen, mine)
        if isinstance(there, UnknownPool):
            if at.asked == "sum" and not there.steps:
                return sum_of(there, seen)
            return ask_unknown(at.asked, there, None, seen)
        return pools.ask(at.asked, operations.dice(there, at.pool), at.span, test)

    return ask


def _one_by_one(at: plan.Question, faces: plan.FaceSet) -> Callable[[tuple[Any, ...], Seen], Any] | None:
    """How numbers are counted below, above or at a bound that is unknown: each is compared with it, so that an endless
    bound need not be known, and beside one the numbers need not be. None for other questions and faces; the function
    says None where it is not so.
    """
    match faces.alternatives:
        case (plan.FaceBetween(low, high),):
            ends = [(operator, end) for operator, end in ((">=", low), ("<=", high)) if end is not None]
        case (plan.FaceCompare(operator, end),):
            ends = [(operator, end)]
        case (plan.FaceIs(number),):
            ends = [("=", number)]
        case _:
            return None
    if at.asked not in FITTING:
        return None
    bounds = [(operator, compiled(end)) for operator, end in ends]

    def found(there: tuple[Any, ...], seen: Seen) -> Any:
        known = [(operator, value(seen)) for operator, value in bounds]
        if not any(isinstance(value, Linear) for _, value in known):
            return None
        may_be_unknown = any(endless_number(value, seen) for _, value in known)
        if known[0][0] == "=" and not may_be_unknown:
            return None
        numbers: list[Any] = [number_on(each.face) if isinstance(each, pools.Die) else each for each in there]
        if not all(is_number(each) and (may_be_unknown or not isinstance(each, Linear)) for each in numbers):
            return None
        if not all(is_number(value) for _, value in known):
            return None
        fit = 0
        for number in numbers:
            inside = all(
                seen.truth(compared(add(number, value, -1), operator, seen), at.pool) for operator, value in known
            )
            fit += inside != faces.negated
        return FITTING[at.asked](fit, len(numbers))

    return found


def _outranks(at: plan.Outranks) -> Evaluated:
    return _two_pools(at, "outranks")


def _wins(at: plan.WinsOf) -> Evaluated:
    return _two_pools(at, "wins")


def _two_pools(at: plan.Outranks | plan.WinsOf, what: str) -> Evaluated:
    left, right = compiled(at.left), compiled(at.right)
    ask: Any = pools.outranks if what == "outranks" else pools.wins

    def compare(seen: Seen) -> Any:
        a, b = _as_unknown(left(seen), right(seen)), _as_unknown(right(seen), left(seen))
        if isinstance(a, UnknownPool) and isinstance(b, UnknownPool) and countable(a, seen) and countable(b, seen):
            number = Linear(0, (), ((Asked(what, a, None, b), 1),))
            return Inside(number, Ranges.of(1, 1)) if what == "outranks" else number
        if isinstance(a, UnknownPool) or isinstance(b, UnknownPool):
            raise_reveal(a, b)
        faces = [pools.shown(operations.dice(seen.known(pool), side)) for pool, side in ((a, at.left), (b, at.right))]
        return ask(*faces, at.span)

    return compare


def _as_unknown(pool: Any, other: Any) -> Any:
    """Known dice or numbers beside unknown ones, in their form."""
    if not isinstance(other, UnknownPool) or isinstance(pool, UnknownPool) or not isinstance(pool, tuple):
        return pool
    dice = tuple(each if isinstance(each, pools.Die) else pools.Die(each) for each in pool)
    return UnknownPool((), (), dice)


COMPILERS: Compilers = {
    plan.Question: _question,
    plan.Outranks: _outranks,
    plan.WinsOf: _wins,
}
