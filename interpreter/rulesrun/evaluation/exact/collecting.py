"""The states behind the last line become one answer: joint weights, or the law of a number that stays unknown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import floor, gcd, lcm
from typing import Any

from rulesrun.diagnostics import RulesError
from rulesrun.dice import Law
from rulesrun.evaluation.exact.answer import Answer, Far
from rulesrun.evaluation.exact.beyond import Beyond, Lost
from rulesrun.evaluation.exact.evaluate import Evaluated
from rulesrun.evaluation.exact.expressions.comparisons import compared, decided
from rulesrun.evaluation.exact.forms import FAR_APART, reads_endless
from rulesrun.evaluation.exact.own_numbers import gathered
from rulesrun.evaluation.exact.seen import Reveal, Seen, Split, Spread
from rulesrun.evaluation.exact.state import State, told_apart
from rulesrun.evaluation.exact.states import Run
from rulesrun.evaluation.exact.symbols import Extreme, Floor, Linear, Number, add, linear, plain, times
from rulesrun.semantics import plan

ROW_BESIDE = 8
"""So much dearer is a number of an endless row for each other row of which the number is known: there are so many."""
DEEPEST = Fraction(1, 10**40)
MOST_BEFORE_DEEPER = 50_000
"""Where a bound leaves something open, numbers without end are followed further, unless so many states were visited."""


ASKED = "what is asked"
"""The name of a single value that is asked, where others no longer matter."""


class Deeper(Exception):
    """Something stays open that may be decided further up."""


def collected(
    run: Run,
    states: Iterable[State],
    wanted: Sequence[Evaluated],
    holds: Evaluated | None,
    given: plan.Expression | None,
) -> Answer:
    """What expressions are worth in the states behind the last line in which `given`, compiled as `holds`, is true.
    Raises `Deeper`.
    """
    weights: dict[tuple[Any, ...], Fraction] = {}
    above: list[tuple[Beyond, Fraction]] = []
    far: list[Far | None] = []
    pieces: list[tuple[Law, Linear, Fraction]] = []
    waiting = list(states)
    while waiting:
        state = waiting.pop()
        seen = run.seen(state)
        try:
            if ASKED in state.env:
                values = [state.env[ASKED]]
            else:
                if holds is not None and not seen.truth(holds(seen), given):  # type: ignore[arg-type]
                    continue
                values = [each(seen) for each in wanted]
                own = gathered(run, state, values[0], ASKED, ()) if len(values) == 1 else None
                if own is not None:
                    waiting.append(own[1].with_env({ASKED: own[0]}))
                    continue
            if len(values) == 1:
                values[0] = _chosen_extreme(values[0], seen)
            inner = _rounded(values[0], seen) if len(values) == 1 else None
            if inner is not None:
                form, factor = inner.canonical()
                law = run.law(state, form)
                weight = run.beside(state, run.bound(state, form))
                found: dict[int, Fraction] = {}
                for place, share in law.items():
                    number = floor(inner.constant + factor * place)
                    run.algebra.compute(1)
                    found[number] = found.get(number, Fraction(0)) + share
                if weight and not law.is_zero:
                    times_it = values[0].leftovers[0][1]
                    pieces.append((Law.of(found), Linear(values[0].constant, ((("", 0), (times_it,)),), ()), weight))
                continue
            if (
                len(values) == 1
                and isinstance(values[0], Linear)
                and not values[0].layered
                and seen.capped(values[0]) is None
                and values[0].canonical()[0] not in run.algebra.listed_below
            ):
                form, factor = values[0].canonical()
                seen.look_at_scattered(form)
                law = run.law(state, form)
                if form in run.algebra.listed_below:
                    raise Spread(form)
                weight = run.beside(state, run.bound(state, form))
                if weight and not law.is_zero:
                    pieces.append((law, Linear(values[0].constant, ((("", 0), (factor,)),), ()), weight))
                continue
            if len(values) == 1 and isinstance(end := seen.bounded(values[0]), Beyond):
                above.append((end, run.chance(state)))
                far.append(_grown(run, state, end))
                continue
            known = tuple(value if type(value) is str else told_apart(seen.known(value)) for value in values)
        except (Split, Spread, Reveal) as open_:
            ways = run.opened(state, open_)
            waiting += ways
            run.algebra.open(len(ways) * _rows_beside(state, open_))
            continue
        except Lost:
            run.lost += run.chance(state)
            continue
        except RulesError:
            if run.chance(state):
                raise
            continue
        weight = run.chance(state)
        if weight:
            weights[known] = weights[known] + weight if known in weights else weight
    may_be_decided = run.lost and run.followed and not run.cut
    if may_be_decided and run.algebra.tail > DEEPEST and run.algebra.states < MOST_BEFORE_DEEPER:
        raise Deeper
    law_, lattice = _one_law(pieces, weights)
    return Answer(
        weights,
        law_,
        lattice,
        run.lost,
        above,
        run.notes,
        frozenset(run.algebra.methods),
        run.algebra.states,
        tuple(each for each in far if each is not None) if None not in far else None,
    )


def _grown(run: Run, state: State, end: Beyond) -> Far | None:
    """What a number beyond a bound is all along its row, with the law of the row in this state; None if not known."""
    if end.growth is None:
        return None
    form = end.growth.form
    names = run.bound(state, form)
    if not names <= state.sources.keys():
        return None
    return Far(end.growth, run.law(state, form).scaled(run.beside(state, names)))


def _rows_beside(state: State, open_: Split | Spread | Reveal) -> int:
    """What each number of an endless row counts for where the numbers of other rows are known already."""

    def without_end(form: Linear) -> bool:
        return reads_endless(form, state.sources)

    if not isinstance(open_, Spread) or not without_end(open_.form):
        return 1
    return int(ROW_BESIDE ** sum(map(without_end, state.facts.inside)))


def _rounded(value: Any, seen: Seen) -> Linear | None:
    """What is rounded down in a number that is a multiple of it and no more, if its law is finite."""
    if not isinstance(value, Linear) or value.terms or len(value.leftovers) != 1:
        return None
    rounded = value.leftovers[0][0]
    if not isinstance(rounded, Floor) or rounded.inner.layered or seen.capped(rounded.inner) is not None:
        return None
    form = rounded.inner.canonical()[0]
    if form in seen.algebra.listed_below or reads_endless(form, seen.sources):
        return None
    seen.look_at_scattered(form)
    return rounded.inner


def _chosen_extreme(value: Any, seen: Seen) -> Any:
    """A number in which each highest or lowest of two others, one of them without end, is that one of them."""
    if not isinstance(value, Linear):
        return value
    for extreme, factor in value.leftovers:
        if not isinstance(extreme, Extreme) or len(extreme.items) != 2:
            continue
        first, second = extreme.items
        if any(isinstance(item, Linear) and (item.layered or seen.capped(item) is not None) for item in extreme.items):
            continue
        forms = [item.canonical()[0] for item in extreme.items if isinstance(item, Linear)]
        if all(None not in seen.algebra.form_bounds(seen.sources, form) for form in forms):
            continue
        ahead = decided(compared(add(first, second, -1), ">=", seen), seen)
        chosen = times(first if ahead == extreme.highest else second, factor)
        others = linear(value.constant, dict(value.terms), {e: f for e, f in value.leftovers if e != extreme})
        return _chosen_extreme(add(others, chosen), seen)
    return value


def _one_law(
    pieces: Sequence[tuple[Law, Linear, Fraction]], weights: dict[tuple[Any, ...], Fraction]
) -> tuple[Law | None, Number]:
    """All pieces and the numbers that are known as one law; the known numbers leave `weights`."""
    if not pieces:
        return None, 1
    numbers = [key[0] for key in weights if isinstance(key[0], int | Fraction)]
    steps = [number for _, form, _ in pieces for number in (form.constant, form.terms[0][1][0])] + numbers
    bottom = lcm(*(Fraction(number).denominator for number in steps))
    step = gcd(*(int(number * bottom) for number in steps))
    lattice = plain(Fraction(bottom, step if step > FAR_APART else 1))
    if all(law.is_finite for law, _, _ in pieces) and _reach(pieces, numbers) * lattice > FAR_APART * _places(pieces):
        for law, form, weight in pieces:
            for place, share in law.items():
                number = plain(Fraction(form.constant + form.terms[0][1][0] * place))
                weights[number,] = weights.get((number,), Fraction(0)) + share * weight
        return None, 1
    total = Law.of({int(number * lattice): weights.pop((number,)) for number in numbers})
    for law, form, weight in pieces:
        factor, constant = int(form.terms[0][1][0] * lattice), int(form.constant * lattice)
        total = total + law.affine(factor, constant).scaled(weight)
    return total, lattice


def _places(pieces: Sequence[tuple[Law, Linear, Fraction]]) -> int:
    """How many places all the laws have."""
    return sum(high - low + 1 for low, high in (law.window() for law, _, _ in pieces))


def _reach(pieces: Sequence[tuple[Law, Linear, Fraction]], numbers: Sequence[Number]) -> Number:
    """From the lowest to the highest number of all."""
    ends = [form.constant + form.terms[0][1][0] * end for law, form, _ in pieces for end in law.window()]
    return max(*ends, *numbers) - min(*ends, *numbers)
