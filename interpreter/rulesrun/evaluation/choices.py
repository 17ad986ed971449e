"""Decisions that players make while a rule is rolled: what may be chosen, and who says what is.

In: a plan's `Choice`, its bounds or dice, and a policy. Out: the chosen value. `never` is no, the lowest number, the
first label, no dice; `always` yes, the highest number, the last label, all dice. What a person or the exact engine
decides comes through a `Decide` that the caller gives; every answer is held against what may be chosen.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, TypeAlias, TypeVar

from rulesrun.diagnostics import RulesError
from rulesrun.evaluation import operations
from rulesrun.evaluation.pools import Die, Pool, from_lowest, in_order, shown, take_highest
from rulesrun.evaluation.values import Value, face_text, value_text
from rulesrun.record import field, record
from rulesrun.semantics.plan import Choice, DiceOption, Expr, LabelOption, Number, Policy, RangeOption

D = TypeVar("D", bound=Sequence[Any])

ASK: Literal["ask"] = "ask"
"""The policy by which a person is asked, beside those of the plan."""

Chosen: TypeAlias = "Policy | Literal['ask']"
"""How the caller wants a choice to be made."""


@record
class Offer:
    """A choice that is to be made now: a whole number from `low` to `high`, one of `options`, or dice of `pool`.

    `known` holds everything known so far by its flat name, pools as dice. `policy` says by which word it is to be made.
    """

    step: Choice
    policy: Chosen
    known: Mapping[str, Value]
    options: tuple[Value, ...] = ()
    low: int | None = None
    high: int | None = None
    pool: Pool | None = None
    number: int | None = None
    """How many dice may be taken; None: any number."""
    bags: Mapping[str, tuple[tuple[Die, int], ...]] = field(default_factory=dict)
    """What each bag of the rule still holds, by its flat name."""
    out: Mapping[str, Pool] = field(default_factory=dict)
    """What each draw took and no line has put back yet."""


Decide: TypeAlias = Callable[[Offer], Value]
"""Makes a choice: one of the options, a number between the bounds, or dice of the pool."""


def checked(value: Value, offer: Offer) -> Value:
    """The value, if it may be chosen."""
    if offer.pool is not None:
        if not isinstance(value, tuple):
            raise _refused(value, offer.step, "dice of the pool")
        return chosen_dice(value, offer.pool, offer.step, offer.number)
    if offer.low is not None and offer.high is not None:
        return chosen_number(value, offer.low, offer.high, offer.step)
    return chosen_option(value, offer.options, offer.step)


def chosen_option(value: Value, options: Sequence[Value], step: Choice) -> Value:
    """One of the options."""
    for option in options:
        if option == value and isinstance(option, bool) == isinstance(value, bool):
            return option
    raise _refused(value, step, " or ".join(map(value_text, options)))


def chosen_number(value: Value, low: int, high: int, step: Choice) -> int:
    """A whole number between the bounds; the lower one where nothing lies between."""
    if type(value) is int and (low <= value <= high or value == low):
        return value
    raise _refused(value, step, f"a whole number from {low} to {high}")


def chosen_dice(value: D, pool: Sequence[Any], step: Choice, number: int | None = None) -> D:
    """Dice of the pool, each at most once, and so many as may be taken."""
    missing = Counter(value) - Counter(pool)
    if missing:
        faces = ", ".join(map(face_text, shown(missing)))
        raise RulesError.of(
            f"{step.name} may choose dice of its pool, and {faces} is not among them", code="bad-choice", span=step.span
        )
    least, most = taken_dice(len(pool), number, step)
    if not least <= len(value) <= most:
        wanted = "no dice" if not most else f"at most {most} dice" if not least else f"just {most} dice"
        message = f"{step.name} takes {wanted} of its pool, not {len(value)}"
        raise RulesError.of(message, code="bad-choice", span=step.span)
    return value


def taken_dice(size: int, number: int | None, step: Choice) -> tuple[int, int]:
    """How many dice of a pool of this size have to be taken at least, and may be at most."""
    most = size if number is None else min(size, number)
    just = isinstance(step.options, DiceOption) and step.options.number is not None and not step.options.at_most
    return (most if just else 0), most


def highest_dice(pool: Sequence[Any], number: int, step: Choice) -> Sequence[Any]:
    """The so many highest dice or faces, which `always` takes."""
    if number >= len(pool):
        return pool
    if isinstance(pool, tuple):
        return take_highest(pool, number, step.span)
    return in_order(pool, step.span)[len(pool) - number :]


def fewest_dice(pool: Pool, number: int | None, step: Choice) -> Pool:
    """The dice that are taken where all choices are equally good: no more than must be, the lowest."""
    return tuple(from_lowest(pool)[: taken_dice(len(pool), number, step)[0]])


def first(offer: Offer) -> Value:
    """What is chosen where all choices are equally good."""
    if offer.pool is not None:
        return fewest_dice(offer.pool, offer.number, offer.step)
    return offer.options[0] if offer.low is None else offer.low


def bounds(low: Value, high: Value, step: Choice) -> tuple[int, int]:
    """The whole numbers between which to choose."""
    assert isinstance(step.options, RangeOption)
    least = operations.whole(low, step.options.low, "the lowest number to choose")
    return least, max(least, operations.whole(high, step.options.high, "the highest number to choose"))


def least(step: Choice) -> Value | None:
    """What `never` chooses, and what holds where nothing is offered; for numbers and dice None: it is their lowest."""
    match step.options:
        case None:
            return False
        case LabelOption(options):
            return options[0]
        case _:
            return None


def greatest(step: Choice) -> Value | None:
    """What `always` chooses; for numbers and dice None: it is their highest."""
    match step.options:
        case None:
            return True
        case LabelOption(options):
            return options[-1]
        case _:
            return None


def options_of(step: Choice) -> tuple[Value, ...]:
    """Yes and no, or the labels; the first is what `never` chooses."""
    match step.options:
        case None:
            return (False, True)
        case LabelOption(options):
            return options
        case _:
            return ()


def offers_dice(step: Choice) -> bool:
    """Whether dice are chosen."""
    return isinstance(step.options, DiceOption)


def label_value(value: Value, at: Expr) -> Number | str:
    """The value of a policy for a choice among labels or numbers."""
    if isinstance(value, str):
        return value
    return operations.exact(value, at)


def nobody_decides(offer: Offer) -> Value:
    """What is there where the caller gives no `Decide`."""
    word = offer.policy if isinstance(offer.policy, str) else offer.policy.word
    if word == ASK:
        raise RulesError.of(
            f"nobody is there to ask about {offer.step.name}", code="nobody-to-ask", span=offer.step.span
        )
    raise RulesError.of(
        f"{offer.step.name} cannot be chosen by `{word}` here",
        code="no-best",
        span=offer.step.span,
        hint="`never`, `always`, `default`, a value or a condition can",
    )


def _refused(value: Value, step: Choice, wanted: str) -> RulesError:
    return RulesError.of(f"{step.name} takes {wanted}, not {value_text(value)}", code="bad-choice", span=step.span)
