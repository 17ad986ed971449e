"""Expressions on values some of which are not known yet: each compiles to a function of a `Seen`.

On known values it calls the operations that a roll uses. On unknown ones it builds unknown values where it can (sums,
counts, pairs,
comparisons with numbers), and otherwise asks for them to be split, spread or looked at.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from math import ceil, floor
from typing import Any, TypeAlias

from rulesrun.evaluation import operations, pools
from rulesrun.evaluation.exact import beyond
from rulesrun.evaluation.exact.abreast import NotAbreast, Swept, joined
from rulesrun.evaluation.exact.ask import Pictures, ask_faces, ask_unknown, countable, select_unknown, union
from rulesrun.evaluation.exact.beyond import Beyond, Lost
from rulesrun.evaluation.exact.drawn import Drawn
from rulesrun.evaluation.exact.one_die import dice_of_list, of_one_die
from rulesrun.evaluation.exact.parity import compiled_parity
from rulesrun.evaluation.exact.seen import Reveal, Seen, Uncapped
from rulesrun.evaluation.exact.sources import SAME, Counted
from rulesrun.evaluation.exact.symbols import (
    AnyShows,
    Asked,
    Extreme,
    Floor,
    Inside,
    Linear,
    Modulo,
    Only,
    Ranges,
    UnknownPool,
    Without,
    add,
    plain,
    slots_of,
    times,
)
from rulesrun.evaluation.exact.tabled import ways
from rulesrun.evaluation.exact.within import inside_for_certain
from rulesrun.evaluation.expressions import numbers_as_dice, place_number
from rulesrun.evaluation.faces import FaceTest, expressions_of, face_test
from rulesrun.semantics import plan
from rulesrun.semantics.borne import as_number, as_symbols, number_on
from rulesrun.semantics.domains import number_bounds
from rulesrun.semantics.renaming import parts

Evaluated: TypeAlias = Callable[[Seen], Any]


def compiled(at: plan.Expression) -> Evaluated:
    """The function that evaluates an expression."""
    return _COMPILE[type(at)](at)


def compiled_faces(faces: plan.FaceSet) -> Callable[[Seen], FaceTest]:
    """The function that makes a set of faces concrete; made once where it is constant."""
    parts = expressions_of(faces)
    if all(isinstance(each, plan.Const) for each in parts):
        test = face_test(faces, [each.value for each in parts if isinstance(each, plan.Const)])
        return lambda seen: test
    values = [compiled(each) for each in parts]
    return lambda seen: face_test(faces, [seen.known(value(seen)) for value in values])


def _const(at: plan.Const) -> Evaluated:
    value = at.value
    return lambda seen: value


def _var(at: plan.Var) -> Evaluated:
    name = at.name
    return lambda seen: seen.env[name]


def _each(at: plan.Each) -> Evaluated:
    match at.word:
        case "die":
            return lambda seen: seen.die.face if isinstance(seen.die, pools.Die) else seen.die
        case "other":
            return lambda seen: seen.other.face if isinstance(seen.other, pools.Die) else seen.other
        case "target":
            return lambda seen: getattr(seen.die, "target", None)
        case "number":
            return lambda seen: as_number(_face(seen.die))
        case "other number":
            return lambda seen: as_number(_face(seen.other))
        case "symbols":
            return lambda seen: as_symbols(_face(seen.die))
        case _:
            return lambda seen: getattr(seen.die, "sides", None)


def _face(die: Any) -> Any:
    return die.face if isinstance(die, pools.Die) else die


def _list(at: plan.ListOf) -> Evaluated:
    items = [compiled(item) for item in at.items]
    return lambda seen: tuple(item(seen) for item in items)


def _numbers_between(at: plan.NumbersBetween) -> Evaluated:
    low, high = compiled(at.low), compiled(at.high)
    return lambda seen: operations.numbers_between(seen.known(low(seen)), seen.known(high(seen)), at)


def _faces_of(at: plan.FacesOf) -> Evaluated:
    pool = compiled(at.pool)
    return lambda seen: pools.downward(pools.shown(operations.dice(seen.known(pool(seen)), at.pool)), at.span)


def _within(at: plan.Within) -> Evaluated:
    value = compiled(at.value)
    bounds = [None if bound is None else compiled(bound) for bound in number_bounds(at.domain)]

    def hold(seen: Seen) -> Any:
        found = value(seen)
        least, most = (None if bound is None else seen.known(bound(seen)) for bound in bounds)
        if isinstance(found, Linear) and inside_for_certain(found, at.domain, least, most, seen):
            return found
        return operations.within(seen.known(found), least, most, at)

    return hold


def _arithmetic(at: plan.Arithmetic) -> Evaluated:
    left, right = compiled(at.left), compiled(at.right)
    operator = at.operator

    def slow(a: Any, b: Any, seen: Seen) -> Any:
        if isinstance(a, Linear | AnyShows | Inside | UnknownPool) or isinstance(
            b, Linear | AnyShows | Inside | UnknownPool
        ):
            if isinstance(a, int | Fraction | Linear) and isinstance(b, int | Fraction | Linear):
                made = seen.algebra.made((operator, a, b), lambda: _unknown_arithmetic(a, b, operator))
                if made is not NotImplemented:
                    return made
                found = of_one_die((a, b), lambda pair: operations.arithmetic(pair[0], pair[1], at), seen)
                if found is not None:
                    return found
            a, b = seen.bounded(a), seen.bounded(b)
        if isinstance(a, Beyond) or isinstance(b, Beyond):
            return beyond.arithmetic(a, b, operator)
        return operations.arithmetic(a, b, at)

    if operator == "+":

        def plus(seen: Seen) -> Any:
            a, b = left(seen), right(seen)
            return (
                a + b
                if type(a) is int and type(b) is int and -_SMALL < a < _SMALL and -_SMALL < b < _SMALL
                else slow(a, b, seen)
            )

        return plus
    if operator == "-":

        def minus(seen: Seen) -> Any:
            a, b = left(seen), right(seen)
            return (
                a - b
                if type(a) is int and type(b) is int and -_SMALL < a < _SMALL and -_SMALL < b < _SMALL
                else slow(a, b, seen)
            )

        return minus
    return lambda seen: slow(left(seen), right(seen), seen)


def _unknown_arithmetic(a: Any, b: Any, operator: str) -> Any:
    """`a operator b`, one of them unknown, as an unknown number; NotImplemented where it is none."""
    if operator == "+":
        return add(a, b)
    if operator == "-":
        return add(a, b, -1)
    if operator == "*":
        if not isinstance(a, Linear):
            return times(b, a)
        if not isinstance(b, Linear):
            return times(a, b)
    if operator == "/" and not isinstance(b, Linear) and b:
        return times(a, Fraction(1) / b)
    return NotImplemented


_SMALL = 1 << 60


def _negative(at: plan.Negative) -> Evaluated:
    operand = compiled(at.operand)

    def negative(seen: Seen) -> Any:
        value = operand(seen)
        if isinstance(value, Linear):
            return times(value, -1)
        return beyond.negative(value) if isinstance(value, Beyond) else operations.negative(seen.known(value), at)

    return negative


def _not(at: plan.Not) -> Evaluated:
    operand = compiled(at.operand)

    def negated(seen: Seen) -> Any:
        value = operand(seen)
        if isinstance(value, AnyShows):
            return AnyShows(value.marks, not value.negated)
        if isinstance(value, Inside):
            return Inside(value.form, value.ranges.rest())
        return not operations.truth(value, at.operand)

    return negated


def _and(at: plan.And) -> Evaluated:
    left, right = compiled(at.left), compiled(at.right)

    def both(seen: Seen) -> Any:
        return seen.truth(left(seen), at.left) and _yes_no(right(seen), at.right)

    return both


def _or(at: plan.Or) -> Evaluated:
    left, right = compiled(at.left), compiled(at.right)

    def either(seen: Seen) -> Any:
        return seen.truth(left(seen), at.left) or _yes_no(right(seen), at.right)

    return either


def _yes_no(value: Any, at: plan.Expr) -> Any:
    return value if isinstance(value, AnyShows | Inside) else operations.truth(value, at)


# ---------------------------------------------------------------- comparisons


def _compare(at: plan.Compare) -> Evaluated:
    left, right = compiled(at.left), compiled(at.right)
    operator = at.operator
    may_be_swept = isinstance(at.left, plan.Var) or isinstance(at.right, plan.Var)

    def compare(seen: Seen) -> Any:
        a, b = left(seen), right(seen)
        if type(a) is int and type(b) is int:
            return operations.COMPARISONS[operator](a, b)
        if may_be_swept and (type(a) is Swept or type(b) is Swept):
            return _compared_each(a, b, operator, slow, seen)
        return slow(a, b, seen)

    def slow(a: Any, b: Any, seen: Seen) -> Any:
        if type(a) is int and type(b) is int:
            return operations.COMPARISONS[operator](a, b)
        unknown_a, unknown_b = isinstance(a, Linear), isinstance(b, Linear)
        if unknown_a or unknown_b:
            numbers = (unknown_a or isinstance(a, int | Fraction)) and (unknown_b or isinstance(b, int | Fraction))
            if numbers and not isinstance(a, bool) and not isinstance(b, bool):
                return compared(add(a, b, -1), operator, seen)
        a, b = seen.bounded(a), seen.bounded(b)
        if isinstance(a, Beyond) or isinstance(b, Beyond):
            return operator == "!=" if a is None or b is None else beyond.compared(a, b, operator)
        return operations.compare(a, b, at)

    return compare


def _compared_each(
    a: Any, b: Any, operator: str, one: Callable[[Any, Any, Seen], Any], seen: Seen
) -> AnyShows | Inside | bool:
    """A comparison with a number that is another in each cell. Raises `Apart`."""
    if type(a) is Swept:
        if type(b) is Swept:
            raise NotAbreast
        values, sign, unknown = a.values, 1, times(b, -1) if isinstance(b, Linear) else None
    else:
        values, sign, unknown = b.values, -1, a
    answers: dict[int, Any] = {}
    if isinstance(unknown, Linear) and not unknown.layered:
        form, factor = unknown.canonical()
        if seen.capped(form) is None:
            for cell in seen.cells:
                constant = unknown.constant + sign * values[cell]
                ranges = _ranges_where(factor, constant, operator)
                answers[cell] = ranges if isinstance(ranges, bool) else _condition(form, ranges, seen)
            return joined(answers, len(values))  # type: ignore[no-any-return]
    for cell in seen.cells:
        answers[cell] = one(values[cell], b, seen) if sign == 1 else one(a, values[cell], seen)
    return joined(answers, len(values))  # type: ignore[no-any-return]


def compared(difference: Linear | int | Fraction, operator: str, seen: Seen) -> Any:
    """`difference operator 0`, as a condition where it is unknown."""
    if not isinstance(difference, Linear):
        return operations.COMPARISONS[operator](difference, 0)
    if difference.layered:
        return _layered_compared(difference, operator, seen)
    form, factor = difference.canonical()
    ranges = _ranges_where(factor, difference.constant, operator)
    if isinstance(ranges, bool):
        return ranges
    cap = seen.capped(form)
    if cap is not None:
        if seen.mixed(form) or not _rising(form):
            known = seen.bounded(difference)
            return (
                beyond.compared(known, 0, operator)
                if isinstance(known, Beyond)
                else operations.COMPARISONS[operator](known, 0)
            )
        ends = [end for pair in ranges.ranges for end in pair if end is not None]
        if any(end > cap or (end == cap and operator in ("=", "!=")) for end in ends):
            raise Uncapped(max(ends) + 1)
    return _condition(form, ranges, seen)


def _condition(form: Linear, ranges: Ranges, seen: Seen) -> AnyShows | Inside | bool:
    shows = _as_shows(form, ranges, seen)
    return Inside(form, ranges) if shows is None else shows


def _ranges_where(factor: int | Fraction, constant: int | Fraction, operator: str) -> Ranges | bool:
    """Where a form lies if `constant + factor * form operator 0`; yes or no if that is so whatever it is."""
    threshold = -constant if factor == 1 else Fraction(-constant) / Fraction(factor)
    if factor < 0:
        operator = _MIRRORED.get(operator, operator)
    match operator:
        case ">=":
            return Ranges.of(ceil(threshold), None)
        case ">":
            return Ranges.of(floor(threshold) + 1, None)
        case "<=":
            return Ranges.of(None, floor(threshold))
        case "<":
            return Ranges.of(None, ceil(threshold) - 1)
        case _:
            if threshold.denominator != 1:
                return operator == "!="
            ranges = Ranges.of(int(threshold), int(threshold))
            return ranges.rest() if operator == "!=" else ranges


_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}


def _rising(form: Linear) -> bool:
    """Whether a form is one sum or one answer that grows with every face."""
    if form.terms:
        return not form.leftovers and all(x >= 0 for _, scores in form.terms for x in scores)
    return len(form.leftovers) == 1 and form.leftovers[0][1] > 0


def _layered_compared(difference: Linear, operator: str, seen: Seen) -> Any:
    """A comparison of a rounded number or an extreme, taken to what is inside it."""
    if difference.terms or len(difference.leftovers) > 1:
        known = seen.bounded(difference)
        return (
            beyond.compared(known, 0, operator)
            if isinstance(known, Beyond)
            else operations.COMPARISONS[operator](known, 0)
        )
    ((only, factor),) = difference.leftovers
    bound = plain(Fraction(-difference.constant) / Fraction(factor))
    if factor < 0:
        operator = _MIRRORED.get(operator, operator)
    if isinstance(only, Extreme):
        return _extreme_compared(only, operator, bound, seen)
    assert isinstance(only, Floor)
    low, high = ceil(bound), floor(bound) + 1
    match operator:
        case ">=":
            return compared(add(only.inner, low, -1), ">=", seen)
        case ">":
            return compared(add(only.inner, high, -1), ">=", seen)
        case "<":
            return compared(add(only.inner, low, -1), "<", seen)
        case "<=":
            return compared(add(only.inner, high, -1), "<", seen)
        case _:
            equal = (
                low == bound
                and decided(compared(add(only.inner, low, -1), ">=", seen), seen)
                and decided(compared(add(only.inner, low + 1, -1), "<", seen), seen)
            )
            return equal == (operator == "=")


def _extreme_compared(extreme: Extreme, operator: str, bound: int | Fraction, seen: Seen) -> bool:
    if operator in ("=", "!="):
        equal = _extreme_compared(extreme, ">=", bound, seen) and _extreme_compared(extreme, "<=", bound, seen)
        return equal == (operator == "=")
    any_will_do = extreme.highest == (operator in (">", ">="))
    for item in extreme.items:
        if decided(compared(add(item, bound, -1), operator, seen), seen) == any_will_do:
            return any_will_do
    return not any_will_do


def decided(condition: Any, seen: Seen) -> bool:
    """A comparison's answer for certain."""
    return condition if isinstance(condition, bool) else seen.decide(condition)


def _as_shows(form: Linear, ranges: Ranges, seen: Seen) -> AnyShows | bool | None:
    """The highest or lowest of a pool in ranges, said as faces that show; None where it is another form."""
    if form.terms or len(form.leftovers) != 1:
        return None
    asked, factor = form.leftovers[0]
    if not isinstance(asked, Asked) or asked.what not in ("highest", "lowest") or asked.pool.steps or factor != 1:
        return None
    counts = [seen.count(slot) for slot, _ in asked.pool.pieces]
    if len(ranges.ranges) != 1 or not any(counts) or any(None in images for _, images in asked.pool.pieces):
        return None
    (low, high), highest = ranges.ranges[0], asked.what == "highest"
    if low is not None and high is not None:
        return None
    above = low is not None
    bound = low if low is not None else high
    assert bound is not None
    # "some die at or beyond the bound", or the opposite of "some die on its other side"
    some = above == highest
    limit = bound if some else (bound - 1 if above else bound + 1)
    upward = above if some else not above
    if any(die.face >= limit if upward else die.face <= limit for die in asked.pool.fixed):  # type: ignore[operator]
        return some
    marks = []
    for slot, images in asked.pool.pieces:
        beyond_limit = [face >= limit if upward else face <= limit for face in images]  # type: ignore[operator]
        bits = sum(1 << i for i, is_beyond in enumerate(beyond_limit) if is_beyond)
        if bits:
            marks.append((slot, bits))
    if not marks:
        return not some
    return AnyShows(tuple(sorted(marks)), not some)


def _in_faces(at: plan.InFaces) -> Evaluated:
    value, faces = compiled(at.value), compiled_faces(at.faces)
    parity = compiled_parity(at.value, compiled, _of_parity)

    def belongs(seen: Seen) -> Any:
        if parity is not None and (wanted := faces(seen).parity) is not None:
            odd = parity(seen)
            if odd is not None:
                return odd == wanted
        found = value(seen)
        test = faces(seen)
        if isinstance(found, Linear) and not found.layered and seen.capped(found) is None:
            inside = _in_endless(found, test, seen)
            if inside is not None:
                return inside
        found = seen.bounded(found)
        if isinstance(found, Beyond):
            settled = test.settled_from() if found.above else test.settled_below()
            if settled is None or (found.bound < settled if found.above else found.bound > settled):
                raise Lost
            found = found.bound
        return test.contains(operations.new_face(found, at.value))

    return belongs


def _in_endless(value: Linear, test: FaceTest, seen: Seen) -> Inside | None:
    """Whether an unknown number belongs to a set, as a condition on it; None where it has to be known."""
    form, factor = value.canonical()
    low, high = seen.algebra.form_bounds(seen.sources, form)
    if test.parity is not None and (low is None or high is None):
        return _of_parity(value, test.parity, seen)
    least, most = low, high
    if low is None or high is None:
        ends = test.settled_below(), test.settled_from()
        if None in ends:
            return None
        a, b = (Fraction(end - value.constant) / Fraction(factor) for end in ends)  # type: ignore[operator]
        least = min(floor(a), floor(b)) if low is None else low
        most = max(ceil(a), ceil(b), least) if high is None else high
    assert least is not None and most is not None
    if most - least > 10_000:
        return None
    found = runs([v for v in range(least, most + 1) if test.contains(value.constant + factor * v)]).ranges
    if found and low is None and found[0][0] == least:
        found = ((None, found[0][1]), *found[1:])
    if found and high is None and found[-1][1] == most:
        found = (*found[:-1], (found[-1][0], None))
    return Inside(form, Ranges(found))


def _of_parity(value: Linear, odd: bool, seen: Seen) -> Inside | None:
    numbers = (value.constant, *(x for _, scores in value.terms for x in scores))
    if value.leftovers or any(type(x) is not int for x in numbers):
        return None
    if any(isinstance(seen.sources[name], Counted) for (name, _), _ in value.terms):
        return None
    terms = tuple((slot, tuple(int(x) % 2 for x in scores)) for slot, scores in value.terms)
    left = Linear(0, (), ((Modulo(tuple(pair for pair in terms if any(pair[1])), 2), 1),))
    wanted = (int(odd) - int(value.constant)) % 2
    return Inside(left, Ranges.of(wanted, wanted)) if left.leftovers[0][0].terms else None  # type: ignore[union-attr]


def runs(numbers: list[int]) -> Ranges:
    """Ascending whole numbers as ranges."""
    found: list[tuple[int | None, int | None]] = []
    for number in numbers:
        if found and found[-1][1] == number - 1:
            found[-1] = (found[-1][0], number)
        else:
            found.append((number, number))
    return Ranges(tuple(found))


def _is_label(at: plan.IsLabel) -> Evaluated:
    value = compiled(at.value)
    labels = at.labels

    def is_label(seen: Seen) -> Any:
        found = value(seen)
        return found in labels if type(found) is str else operations.is_label(seen.known(found), at)

    return is_label


def _cases(at: plan.Cases) -> Evaluated:
    cases = [
        (None if case.condition is None else compiled(case.condition), case.condition, compiled(case.value))
        for case in at.cases
    ]

    def choose(seen: Seen) -> Any:
        for condition, where, value in cases:
            if condition is None or seen.truth(condition(seen), where):  # type: ignore[arg-type]
                return value(seen)
        return None

    return choose


def _function(at: plan.Function) -> Evaluated:
    arguments = [compiled(each) for each in at.arguments]
    name = at.name

    def call(seen: Seen) -> Any:
        values = [each(seen) for each in arguments]
        unknown = sum(isinstance(value, Linear | UnknownPool | AnyShows | Inside | Beyond) for value in values)
        if not unknown:
            return operations.function(values, at)
        if all(isinstance(value, Linear | int | Fraction) and not isinstance(value, bool) for value in values):
            found = of_one_die(values, lambda known: operations.function(known, at), seen)
            if found is None:
                found = _unknown_function(name, values, unknown, seen)
            if found is not None:
                return found
        values = [seen.bounded(value) for value in values]
        if any(isinstance(value, Beyond) for value in values):
            return beyond.function(name, values)
        return operations.function(values, at)

    return call


def _unknown_function(name: str, values: list[Any], unknown: int, seen: Seen) -> Any:
    """A function of unknown numbers, as an unknown number; None where they have to be known."""
    if name in ("max", "min"):
        if unknown > 1:
            return Linear(0, (), ((Extreme(name == "max", tuple(values)), 1),))
        best = values[0]
        for value in values[1:]:
            better = compared(add(value, best, -1), "<" if name == "min" else ">", seen)
            best = value if decided(better, seen) else best
        return best
    if name in ("round_down", "round_up"):
        (value,) = values
        if is_whole(value):
            return value
        return floored(value) if name == "round_down" else times(floored(times(value, -1)), -1)
    if name == "remainder":
        return None
    if name == "abs":
        return values[0] if decided(compared(values[0], ">=", seen), seen) else times(values[0], -1)
    amount, low, high = values
    if isinstance(low, Linear) or isinstance(high, Linear) or low > high:
        return None
    if decided(compared(add(amount, low, -1), "<=", seen), seen):
        return low
    return high if decided(compared(add(amount, high, -1), ">=", seen), seen) else amount


def is_whole(value: Linear) -> bool:
    """Whether an unknown number is whole, whatever the dice."""
    numbers = [value.constant, *(x for _, scores in value.terms for x in scores), *(x for _, x in value.leftovers)]
    items = [item for each, _ in value.leftovers if isinstance(each, Extreme) for item in each.items]
    return all(type(x) is int for x in numbers) and all(
        is_whole(item) if isinstance(item, Linear) else type(item) is int for item in items
    )


def floored(value: Any) -> Linear:
    """An unknown number, rounded down."""
    return Linear(0, (), ((Floor(value), 1),))


# ---------------------------------------------------------------- formulas, tables and lists


def _call(at: plan.Call) -> Evaluated:
    from rulesrun.evaluation.formulas import worked_out

    arguments = [compiled(each) for each in at.arguments if each is not None]
    results: dict[tuple[Any, ...], Any] = {}

    def call(seen: Seen) -> Any:
        values = tuple(seen.known(each(seen)) for each in arguments)
        if values not in results:
            if len(results) >= _REMEMBERED:
                results.clear()
            results[values] = worked_out(values, at)
        return results[values]

    return call


_REMEMBERED = 1000
"""So many values of a formula are remembered while odds are computed."""


def _table_at(at: plan.TableAt) -> Evaluated:
    index = compiled(at.index)
    name = at.table

    def look_up(seen: Seen) -> Any:
        table, place = seen.ruleset.tables[name], seen.bounded(index(seen))
        return operations.table_at(table, beyond.row_for(table, place) if isinstance(place, Beyond) else place, at)

    return look_up


def _item_at(at: plan.ItemAt) -> Evaluated:
    items, index = compiled(at.items), compiled(at.index)

    def item(seen: Seen) -> Any:
        there, place = items(seen), seen.known(index(seen))
        if isinstance(there, UnknownPool):
            there = seen.known(there)
        return operations.item_at(there, place, at)

    return item


# ---------------------------------------------------------------- pools


def _question(at: plan.Question) -> Evaluated:
    pool = compiled(at.pool)
    faces = None if at.faces is None else compiled_faces(at.faces)
    constant = at.faces is not None and all(isinstance(each, plan.Const) for each in expressions_of(at.faces))
    pictures: Pictures = {}
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
            there = dice_of_list(there, seen) or seen.known(there)
        if test is not None and isinstance(there, UnknownPool):
            if at.asked in ("sets", "groups"):
                return ask_unknown(at.asked, there, test, seen)
            if len(pictures) > 1000 or not constant:
                pictures.clear()
            return ask_faces(at.asked, there, test, seen, pictures)
        if isinstance(there, UnknownPool):
            if at.asked == "sum" and not there.steps:
                return sum_of(there, seen)
            return ask_unknown(at.asked, there, None, seen)
        return pools.ask(at.asked, operations.dice(there, at.pool), at.span, test)

    return ask


COUNTED = ("count", "any", "all", "none")


def _counted(asked: str, fit: int, size: int) -> int | bool:
    match asked:
        case "count":
            return fit
        case "any":
            return fit > 0
        case "none":
            return fit == 0
    return 0 < fit == size


def _one_by_one(at: plan.Question, faces: plan.FaceSet) -> Callable[[tuple[Any, ...], Seen], Any] | None:
    """How known numbers are counted below and above a bound that is unknown: each is compared with it, so that an
    endless bound need not be known. None for other questions and faces; the function says None where it is not so.
    """
    match faces.alternatives:
        case (plan.FaceBetween(low, high),):
            ends = [(operator, end) for operator, end in ((">=", low), ("<=", high)) if end is not None]
        case (plan.FaceCompare(operator, end),):
            ends = [(operator, end)]
        case _:
            return None
    if at.asked not in COUNTED:
        return None
    bounds = [(operator, compiled(end)) for operator, end in ends]

    def found(there: tuple[Any, ...], seen: Seen) -> Any:
        known = [(operator, value(seen)) for operator, value in bounds]
        if not any(isinstance(value, Linear) for _, value in known):
            return None
        numbers: list[Any] = [number_on(each.face) if isinstance(each, pools.Die) else each for each in there]
        if not all(_is_number(each) for each in (*numbers, *(v for _, v in known if not isinstance(v, Linear)))):
            return None
        fit = 0
        for number in numbers:
            inside = all(
                seen.truth(compared(add(number, value, -1), operator, seen), at.pool) for operator, value in known
            )
            fit += inside != faces.negated
        return _counted(at.asked, fit, len(numbers))

    return found


def _is_number(value: Any) -> bool:
    return isinstance(value, int | Fraction) and not isinstance(value, bool)


def _dice_of(at: plan.Expression) -> Evaluated:
    """A pool; the numbers of a list as dice without sides."""
    pool = compiled(at)
    if at.kind is plan.Kind.POOL:
        return pool

    def dice(seen: Seen) -> Any:
        there = pool(seen)
        return there if isinstance(there, UnknownPool) else numbers_as_dice(seen.known(there))

    return dice


def _union(at: plan.Union) -> Evaluated:
    left, right = compiled(at.left), compiled(at.right)
    return lambda seen: union(left(seen), right(seen), seen, at)


def _select(at: plan.Select) -> Evaluated:
    pool, number = _dice_of(at.pool), compiled(at.number)
    take = {"highest": pools.take_highest, "lowest": pools.take_lowest, "nth": pools.nth_highest}[at.which]

    def select(seen: Seen) -> Any:
        there, wanted = pool(seen), seen.known(number(seen))
        if at.which == "nth":
            many = place_number(wanted, at.number)
        else:
            many = operations.natural_number(wanted, at.number, "the number of dice")
        if isinstance(there, UnknownPool):
            found = select_unknown(at.which, many, there, seen)
            if found is not None:
                return found
            there = seen.known(there)
        return take(tuple(there), many, at.span)

    return select


def _showing(at: plan.Showing) -> Evaluated:
    pool, faces = _dice_of(at.pool), compiled_faces(at.faces)

    def show(seen: Seen) -> Any:
        there, test = pool(seen), faces(seen)
        if not isinstance(there, UnknownPool):
            return pools.showing(tuple(there), test)
        if there.steps:
            images = {image for _, images in there.pieces for image in images} | {die.face for die in there.fixed}
            only = Only(frozenset(face for face in images if face is not None and test.contains(face)))  # type: ignore[arg-type]
            return UnknownPool(there.pieces, (*there.steps, only), there.fixed)
        pieces = tuple((slot, tuple(map(partial(_if_shown, test), images))) for slot, images in there.pieces)
        return UnknownPool(pieces, (), pools.showing(there.fixed, test))

    return show


def _if_shown(test: FaceTest, face: Any) -> Any:
    return face if face is not None and test.contains(face) else None


def _cancelled(at: plan.Cancelled) -> Evaluated:
    pool, by = _dice_of(at.pool), _dice_of(at.by)
    when = None if at.when is None else compiled(at.when)

    def cancel(seen: Seen) -> Any:
        there, takers = pool(seen), by(seen)
        if when is None and isinstance(there, UnknownPool) and isinstance(takers, UnknownPool):
            seen_by_both = {slot for slot, _ in there.pieces} & {slot for slot, _ in takers.pieces}
            if (
                not there.fixed
                and not takers.fixed
                and not seen_by_both
                and countable(there, seen)
                and countable(takers, seen)
            ):
                return UnknownPool(there.pieces, (*there.steps, Without(takers)))
        if isinstance(there, UnknownPool) or isinstance(takers, UnknownPool):
            raise_reveal(there, takers)
        if when is None:
            return pools.cancelled(tuple(there), tuple(takers), at.span)

        def goes(die: pools.Die, other: pools.Die) -> bool:
            before = seen.die, seen.other
            seen.die, seen.other = die, other
            try:
                return seen.truth(when(seen), at.when)  # type: ignore[arg-type]
            finally:
                seen.die, seen.other = before

        return pools.cancelled_when(tuple(there), tuple(takers), goes, at.span)

    return cancel


def raise_reveal(*values: Any) -> None:
    """Asks to look at all the dice that these values read."""
    raise Reveal(frozenset(name for value in values for name, _ in slots_of(value)))


FEW = 20_000
"""In so many ways dice may fall that are looked at before each number or die is asked about them in turn."""


def _look_first(at: plan.Expression, few: int = FEW) -> Callable[[Seen], None]:
    """Looks at the dice that are asked for each of several numbers, if they can fall in `few` ways or are cards: to
    split by every single answer would take longer.
    """
    names = sorted({each.name for each in parts(at) if isinstance(each, plan.Var) and each.kind is plan.Kind.POOL})

    def look(seen: Seen) -> None:
        unknown = [seen.env[name] for name in names if isinstance(seen.env.get(name), UnknownPool)]
        reads = {slot[0] for pool in unknown for slot in slots_of(pool)}
        sources = {name: seen.sources[name] for name in reads}
        if any(isinstance(source, Drawn) for source in sources.values()) or (reads and ways(sources) <= few):
            raise_reveal(*unknown)

    return look


def _without(at: plan.Without) -> Evaluated:
    pool, gone = _dice_of(at.pool), _dice_of(at.gone)

    def without(seen: Seen) -> Any:
        there, away = pool(seen), gone(seen)
        if isinstance(there, UnknownPool) or isinstance(away, UnknownPool):
            raise_reveal(there, away)
        return pools.without(tuple(seen.known(there)), tuple(seen.known(away)))

    return without


def _where(at: plan.Where) -> Evaluated:
    pool, condition = compiled(at.pool), compiled(at.condition)
    look_first = _look_first(at.condition)

    def stays(die: Any, seen: Seen) -> bool:
        return seen.with_die(die, lambda: seen.truth(condition(seen), at.condition))

    def where(seen: Seen) -> Any:
        look_first(seen)
        there = pool(seen)
        if isinstance(there, UnknownPool) and not there.steps:
            pieces = _pictured(there, seen, lambda die: die.face if stays(die, seen) else None)
            return UnknownPool(pieces, (), tuple(die for die in there.fixed if stays(die, seen)))
        return tuple(die for die in operations.dice(seen.known(there), at.pool) if stays(die, seen))

    return where


def _pictured(pool: UnknownPool, seen: Seen, face_of: Callable[[pools.Die], Any]) -> tuple[Any, ...]:
    """The pieces of a pool with other faces: what each die that may lie there is to show, None to leave it out."""
    pieces = []
    for slot, images in pool.pieces:
        look = seen.sources[slot[0]].looks[slot[1]]
        if look.cap is not None:
            raise_reveal(pool)
        pieces.append((slot, tuple(None if face is None else face_of(_as_die(face, look)) for face in images)))
    return tuple(pieces)


def _natural(at: plan.Natural) -> Evaluated:
    pool = compiled(at.pool)

    def natural(seen: Seen) -> Any:
        there = pool(seen)
        if isinstance(there, UnknownPool) and not there.steps:
            pieces = []
            for slot, images in there.pieces:
                look = seen.sources[slot[0]].looks[slot[1]]
                if look.first is SAME and images == look.faces and look.cap is None:
                    pieces.append((slot, look.faces))
                elif look.first is not None:
                    break
            else:
                return UnknownPool(tuple(pieces), (), pools.natural(there.fixed))
        return pools.natural(tuple(seen.known(there)))

    return natural


def _with_each(at: plan.WithEach) -> Evaluated:
    pool, changed = compiled(at.pool), compiled(at.changed)
    look_first = _look_first(at.changed)
    part = (
        {"number": as_number, "symbols": as_symbols}.get(at.changed.word) if isinstance(at.changed, plan.Each) else None
    )

    def change(seen: Seen) -> Any:
        look_first(seen)
        there = pool(seen)
        if isinstance(there, UnknownPool) and not there.steps:
            fixed = pools.with_each(there.fixed, [new_face(die, seen) for die in there.fixed])
            return UnknownPool(_pictured(there, seen, lambda die: new_face(die, seen)), (), fixed)
        there = tuple(seen.known(there))
        if part is not None and all(isinstance(each, pools.Die) for each in there):
            return tuple([die._replace(face=part(die.face)) for die in there])
        faces = [new_face(die, seen) for die in there]
        if not all(isinstance(each, pools.Die) for each in there):
            return numbers_as_dice(faces) if at.kind is plan.Kind.POOL else tuple(faces)
        if not seen.algebra.natural:
            there = tuple(die._replace(first=None) for die in there)
        return pools.with_each(there, faces)

    def new_face(die: pools.Die, seen: Seen) -> Any:
        return seen.with_die(die, lambda: operations.new_face(seen.known(changed(seen)), at.changed))

    return change


def _as_die(face: Any, look: Any) -> pools.Die:
    return pools.Die(face, look.sides, look.target, look.kind)


def _for_each(at: plan.ForEach) -> Evaluated:
    each = compiled(at.each)
    over = at.over
    items = _range(*over) if isinstance(over, tuple) else compiled(over)

    look_at_cards = _look_first(at.each, 0)

    def one(die: Any, seen: Seen) -> Any:
        return seen.with_die(die, lambda: each(seen))

    def add_up(seen: Seen) -> Any:
        look_at_cards(seen)
        there = items(seen)
        if isinstance(there, UnknownPool):
            if there.steps:
                return _scored(there, lambda die: seen.known(one(die, seen)), seen)
            _settled(there, lambda die: one(die, seen), seen)
            total: Any = 0
            for die in there.fixed:
                total = add(total, operations.exact(seen.known(one(die, seen)), at.each))
            scores = {}
            for slot, images in there.pieces:
                look = seen.sources[slot[0]].looks[slot[1]]
                scores[slot] = tuple(
                    0 if face is None else operations.exact(seen.known(one(_as_die(face, look), seen)), at.each)
                    for face in images
                )
            return add(total, seen.score(0, scores))
        seen.algebra.look_at(len(there))
        with seen.algebra.one_by_one(len(there), at.each.span):
            values = [one(seen.known(die), seen) for die in there]
        if any(isinstance(value, Linear) for value in values):
            result: Any = 0
            for value in values:
                if not isinstance(value, Linear | int | Fraction) or isinstance(value, bool):
                    value = operations.exact(seen.known(value), at.each)
                result = add(result, value)
            return result
        return operations.total([seen.known(value) for value in values], at.each)

    def _scored(pool: UnknownPool, score: Callable[[Any], Any], seen: Seen) -> Any:
        from rulesrun.evaluation.exact.ask import scored

        _settled(pool, lambda die: one(die, seen), seen)
        return scored(pool, lambda die: operations.exact(score(die), at.each), seen)

    return add_up


def _settled(pool: UnknownPool, value: Callable[[pools.Die], Any], seen: Seen) -> None:
    """Asks to look at dice that are known only up to a cap, unless a value is the same for all faces from there on, or
    the face itself.
    """
    for (name, slot), images in pool.pieces:
        look = seen.sources[name].looks[slot]
        if look.cap is None:
            continue
        try:
            end = value(_as_die(Beyond(look.cap, True), look))
        except Lost:
            raise_reveal(pool)
        if isinstance(end, Beyond) and (
            images != look.faces or any(value(_as_die(face, look)) != face for face in look.faces)
        ):
            raise_reveal(pool)


def _range(first: plan.Expression, last: plan.Expression) -> Evaluated:
    low, high = compiled(first), compiled(last)
    return lambda seen: operations.span_of_numbers(seen.known(low(seen)), seen.known(high(seen)), first, last)


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


def _group(at: plan.NewestGroup) -> Evaluated:
    return lambda seen: seen.group


_COMPILE: dict[type, Callable[[Any], Evaluated]] = {
    plan.Const: _const,
    plan.Var: _var,
    plan.Each: _each,
    plan.ListOf: _list,
    plan.NumbersBetween: _numbers_between,
    plan.FacesOf: _faces_of,
    plan.Within: _within,
    plan.Arithmetic: _arithmetic,
    plan.Negative: _negative,
    plan.Not: _not,
    plan.And: _and,
    plan.Or: _or,
    plan.Compare: _compare,
    plan.InFaces: _in_faces,
    plan.IsLabel: _is_label,
    plan.Cases: _cases,
    plan.Function: _function,
    plan.Call: _call,
    plan.TableAt: _table_at,
    plan.ItemAt: _item_at,
    plan.Question: _question,
    plan.Outranks: _outranks,
    plan.WinsOf: _wins,
    plan.ForEach: _for_each,
    plan.Union: _union,
    plan.Select: _select,
    plan.Showing: _showing,
    plan.Cancelled: _cancelled,
    plan.Without: _without,
    plan.Where: _where,
    plan.WithEach: _with_each,
    plan.Natural: _natural,
    plan.NewestGroup: _group,
}
