"""What follows from chosen dice is worked out at once, so that choices that come to the same are one.

Whoever rethrows dice reads later which dice are kept, and how many are thrown, but not which faces were given up. So
`hand without again` and the kinds of `dice of again` are values of their own behind the choice.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from rulesrun.semantics import plan
from rulesrun.semantics.renaming import names_in, parts, rebuilt


def worked_out_early(steps: Sequence[plan.AnyStep], policies: Mapping[str, plan.Policy]) -> tuple[plan.AnyStep, ...]:
    """The same steps, with what best and worst choices of dice decide given names behind them.

    Only what is read before the next choice: no decision sees these names.
    """
    left = list(steps)
    found: list[plan.AnyStep] = []
    while left:
        step = left.pop(0)
        found.append(step)
        if not isinstance(step, plan.Choice) or not isinstance(step.options, plan.DiceOption):
            continue
        if policies.get(step.name, step.policy).word in ("best", "worst"):
            most = next((place for place, each in enumerate(left) if _decides(each)), len(left))
            named = _named(step, left[:most])
            found += [plan.Define(step.span, name, value) for value, (name, _) in named.items()]
            new = {place: part for _, places in named.values() for place, part in places.items()}
            left[:most] = rebuilt(tuple(left[:most]), partial(_instead, new))
    return tuple(found)


def _decides(step: plan.AnyStep) -> bool:
    return any(isinstance(each, plan.Choice | plan.Repeat) for each in parts(step))


Named = dict[plan.Expression, tuple[str, dict[int, Any]]]


def _named(step: plan.Choice, later: Sequence[plan.AnyStep]) -> Named:
    """The values, each with its name and what stands for it where it is read."""
    within = tuple(later)
    written = {getattr(each, "name", None) for each in parts(within) if isinstance(each, plan.Step)}
    found: Named = {}

    def name_of(value: plan.Expression) -> tuple[plan.Var, dict[int, Any]]:
        name, places = found.setdefault(value, (f"{step.name}, {len(found) + 1}", {}))
        return plan.Var(value.span, plan.Kind.POOL, False, name), places

    for each in parts(within):
        reads = names_in(each)
        if step.name not in reads or not written.isdisjoint(reads):
            continue
        if isinstance(each, plan.Without):
            var, places = name_of(each)
            places[id(each)] = var
        elif isinstance(each, plan.SameDice) and isinstance(each.pool, plan.Var):
            one = plan.Const(each.span, plan.Kind.NUMBER, False, 1)
            var, places = name_of(plan.WithEach(each.span, plan.Kind.POOL, False, each.pool, one))
            places[id(each)] = plan.SameDice(each.span, var)
    return found


def _instead(new: Mapping[int, Any], part: Any) -> Any:
    """What stands for a part, by its identity."""
    return new.get(id(part))
