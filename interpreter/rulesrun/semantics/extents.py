"""Between which numbers a value lies, so that a table is known to have a row for it.

In: expressions and throws of a plan, and the extents of the names in them. Out: an `Extent`, or None where nothing is
known. What is found is certain in every setting that the plan may be asked with; where dice may be added without end,
or a condition decides, less is found rather than too much.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from fractions import Fraction

from rulesrun.record import record

from . import plan
from .borne import as_number
from .constants import literal_number
from .facts import faces_of
from .plan import Number

MAX_LISTED = 1_000
"""Of dice with more faces only ranges are looked at."""


@record
class Extent:
    """A number from `low` to `high`; `only`: one of these."""

    low: Number
    high: Number
    only: frozenset[Number] | None = None


@record
class Dice:
    """From `least` to `most` dice, whose faces bear numbers from `low` to `high`. `surely`: how many at least where
    their roll is made.
    """

    least: int
    most: int
    low: Number
    high: Number
    surely: int = 0


Known = Mapping[str, Extent | Dice]


def extent(value: plan.Expression, names: Known, made: Set[str] = frozenset()) -> Extent | None:
    """The extent of a number; `made` are the rolls that are made where it is read."""
    match value:
        case plan.Const(value=int() | Fraction() as number) if not isinstance(number, bool):
            return Extent(number, number)
        case plan.Var(name=name):
            found = names.get(name)
            return found if isinstance(found, Extent) else None
        case plan.Within(domain=domain):
            return of_domain(domain)
        case plan.Negative(operand=operand):
            inner = extent(operand, names, made)
            return None if inner is None else Extent(-inner.high, -inner.low)
        case plan.Arithmetic(operator="+" | "-" | "*" as operator, left=left, right=right):
            return _combined(operator, extent(left, names, made), extent(right, names, made))
        case plan.Function(name="min" | "max" | "clamp" as function, arguments=arguments):
            return _bounded(function, [extent(each, names, made) for each in arguments])
        case plan.Cases(cases=cases):
            values = [case.value for case in cases if case.value.kind is not plan.Kind.NONE]
            return _hull([extent(each, names, made) for each in values])
        case plan.Question(asked="sum" | "highest" | "lowest" | "middle" | "size" as asked, pool=pool):
            dice = _dice(pool, names, made)
            return None if dice is None else _asked(asked, dice)
        case _:
            return None


def of_domain(domain: plan.Domain) -> Extent | None:
    """The extent of an input."""
    match domain:
        case plan.NumberDomain(low=low, high=high, whole=True):
            least, most = literal_number(low), literal_number(high)
            return None if least is None or most is None or least > most else Extent(least, most)
        case plan.OneOfDomain(options=options) if not any(isinstance(each, str) for each in options):
            numbers = frozenset(each for each in options if not isinstance(each, str))
            return Extent(min(numbers), max(numbers), numbers)
        case _:
            return None


def of_draw(draw: plan.Draw) -> Dice | None:
    """How many dice a roll throws and what they may show; `surely` where its first case holds."""
    thrown = [_of_throw(case.throw) for case in draw.cases]
    found = [each for each in thrown if each is not None]
    if not found or len(found) < len(thrown):
        return None
    joined = Dice(
        min(each.least for each in found), max(each.most for each in found),
        min(each.low for each in found), max(each.high for each in found),
    )  # fmt: skip
    open_ = draw.cases[-1].condition is not None
    return Dice(0 if open_ else joined.least, joined.most, joined.low, joined.high, joined.least)


def _of_throw(throw: plan.Throw) -> Dice | None:
    if throw.modifiers:
        return None
    groups = []
    for group in throw.groups:
        if not isinstance(group, plan.Dice) or group.modifiers:
            return None
        count = 1 if group.count is None else literal_number(group.count)
        faces = faces_of(group.kind)
        if not isinstance(count, int) or count < 0 or not faces or len(faces) > MAX_LISTED:
            return None
        numbers = [number for face in faces if isinstance(number := as_number(face), int)]
        if len(numbers) < len(faces):
            return None
        groups.append(Dice(count, count, min(numbers), max(numbers)))
    least = sum(each.least for each in groups)
    return Dice(least, least, min(each.low for each in groups), max(each.high for each in groups), least)


def _dice(pool: plan.Expression, names: Known, made: Set[str]) -> Dice | None:
    match pool:
        case plan.Var(name=name):
            found = names.get(name)
            if isinstance(found, Dice):
                return Dice(found.surely, found.most, found.low, found.high) if name in made else found
            return None
        case plan.Union(left=left, right=right):
            one, other = _dice(left, names, made), _dice(right, names, made)
            if one is None or other is None:
                return None
            low, high = min(one.low, other.low), max(one.high, other.high)
            return Dice(one.least + other.least, one.most + other.most, low, high)
        case _:
            return None


def _asked(asked: str, dice: Dice) -> Extent:
    if asked == "size":
        return Extent(dice.least, dice.most)
    if asked == "sum":
        ends = [number * face for number in (dice.least, dice.most) for face in (dice.low, dice.high)]
        return Extent(min(ends), max(ends))
    return Extent(dice.low, dice.high) if dice.least else Extent(min(0, dice.low), max(0, dice.high))


def _combined(operator: str, left: Extent | None, right: Extent | None) -> Extent | None:
    if left is None or right is None:
        return None
    match operator:
        case "+":
            return Extent(left.low + right.low, left.high + right.high)
        case "-":
            return Extent(left.low - right.high, left.high - right.low)
        case _:
            ends = [one * other for one in (left.low, left.high) for other in (right.low, right.high)]
            return Extent(min(ends), max(ends))


def _bounded(function: str, parts: list[Extent | None]) -> Extent | None:
    if function == "clamp":
        return _hull(parts[1:])
    found = [each for each in parts if each is not None]
    if len(found) < len(parts) or not found:
        return None
    lows, highs = [each.low for each in found], [each.high for each in found]
    choose = min if function == "min" else max
    return Extent(choose(lows), choose(highs))


def _hull(parts: Iterable[Extent | None]) -> Extent | None:
    found = list(parts)
    known = [each for each in found if each is not None]
    if not known or len(known) < len(found):
        return None
    return Extent(min(each.low for each in known), max(each.high for each in known))


def covers(bands: Sequence[tuple[Number | None, Number | None]], wanted: Extent | None) -> bool:
    """Whether each whole number, or each of `wanted`, lies in a band; None leaves a band open."""
    if wanted is not None and wanted.only is not None:
        return all(
            any((low is None or low <= each) and (high is None or each <= high) for low, high in bands)
            for each in wanted.only
        )
    reached: Number | None = None if wanted is None else wanted.low
    for low, high in sorted(bands, key=lambda band: (band[0] is not None, band[0] or 0)):
        if low is not None and (reached is None or low > reached):
            return False
        if high is None:
            return True
        reached = high + 1 if reached is None else max(reached, high + 1)
        if wanted is not None and reached > wanted.high:
            return True
    return False
